//! Asking a solver for positions, one after the other. `solve` and `query` share it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::rules::Rules;
use sowbase::search::Proof;
use sowbase::solve::{Note, Plan, Question, SolveError};
use sowbase::tables::{try_name, write_whole};
use sowbase::{Solver, machine};

use super::interrupt::Interrupt;
use super::options::{Common, parse_seconds, time_text};
use super::outlook;
use super::text::answer::{Answer, ProofAnswer};
use super::text::output::{Exit, Notes, note};
use super::text::progress::Progress;
use super::text::remedy::said;

/// How a value is looked for.
#[derive(Args, Clone)]
pub struct SearchArgs {
    /// The value only, without the moves and the line
    #[arg(long)]
    pub value_only: bool,
    /// Tables on disk only; exit code 1 if they do not reach
    #[arg(long)]
    pub no_search: bool,
    /// No table at all, on disk or in memory
    #[arg(long)]
    pub no_tables: bool,
    /// Ends after this time with the bounds proven so far (with `-`: for each position)
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// A file for the proof of what is found.
    #[arg(skip)]
    pub proof: Option<PathBuf>,
}

impl SearchArgs {
    /// Refuses options that exclude each other.
    pub fn check(&self, common: &Common) -> anyhow::Result<()> {
        if self.no_tables && self.no_search {
            bail!("--no-tables and --no-search leave nothing to answer from; give at most one of them");
        }
        if self.proof.is_some() && self.no_search {
            bail!("--no-search finds no proof; give at most one of --proof and --no-search");
        }
        if self.no_tables && !common.tables.is_empty() {
            bail!("--no-tables and --tables exclude each other; give at most one of them");
        }
        Ok(())
    }

    fn question(&self, position: Position) -> Question {
        let mut question = Question::new(position);
        question.moves = !self.value_only;
        question.search = !self.no_search;
        question.proof = self.proof.is_some();
        question.time = self.time;
        question
    }
}

/// Who asks for positions and gets the answers.
pub trait Asker {
    /// The next position.
    fn next(&mut self, interrupt: &Interrupt) -> anyhow::Result<Option<Position>>;
    /// The answer to it.
    fn answer(&mut self, answer: Answer) -> anyhow::Result<()>;
    /// Why there is none. Returns how the program ends if nothing else happens.
    fn refuse(&mut self, refusal: Refusal) -> anyhow::Result<Exit>;
}

/// A position that gets no answer.
pub struct Refusal {
    /// The reason, in a sentence.
    pub reason: String,
    /// How a program ends that was asked for nothing else.
    pub exit: Exit,
}

/// Answers everything that an asker asks about a game.
pub fn answer_all(
    rules: &Rules,
    args: &SearchArgs,
    common: &Common,
    mut asker: impl Asker,
) -> anyhow::Result<Exit> {
    args.check(common)?;
    let interrupt = &Interrupt::listen()?;
    if args.proof.is_some() && rules.four_rows().is_none() {
        return Err(SolveError::ProofOfSeeds { game: rules.title() }.into());
    }
    args.proof.as_deref().map_or(Ok(()), try_name)?;
    let solver = Solver::new(rules.clone(), common.means(args.no_tables)?)?;
    let mut plans = Notes::new(common.quiet);
    let mut exit = Exit::Done;
    while let Some(position) = asker.next(interrupt)? {
        match answer(&solver, args, common, interrupt, &mut plans, position) {
            Ok(answer) => asker.answer(answer)?,
            Err(refusal) => exit = asker.refuse(refusal)?,
        }
        if interrupt.was_hit() {
            return Ok(interrupt.exit());
        }
    }
    Ok(exit)
}

fn answer(
    solver: &Solver,
    args: &SearchArgs,
    common: &Common,
    interrupt: &Interrupt,
    plans: &mut Notes,
    position: Position,
) -> Result<Answer, Refusal> {
    let rules = solver.rules();
    let control = interrupt.control();
    // What is answered at once needs no progress.
    let mut progress = None;
    let solved = solver.ask_telling(&args.question(position), &control, &mut |plan| {
        if let Some(told) = describe(plan) {
            plans.tell(told);
        }
        progress.get_or_insert_with(|| Progress::start(&control, common.quiet));
    });
    drop(progress);
    let solved = solved.map_err(|error| refusal(error, args))?;
    for said in &solved.notes {
        if *said == Note::MovesNotListed {
            note("a move goes on for so long that it is not known whether it ends: moves are not listed");
        }
    }
    let mut answer = Answer::of(rules, &solved);
    answer.outlook = outlook::text(rules, &solved);
    if let (Some(file), Some(proof)) = (&args.proof, &solved.proof) {
        answer.proof = Some(write_proof(proof, rules, file)?);
    }
    Ok(answer)
}

/// What is told of a plan.
fn describe(plan: &Plan) -> Option<String> {
    let size_text = machine::size_text;
    Some(match plan {
        Plan::Turns { present, most, memory, time, .. } => {
            let tables = match present {
                0 => "a search without tables at first".to_owned(),
                present => format!("a search over the tables up to {} seeds that are at hand", present - 1),
            };
            let layers = match most {
                Some(most) => format!(
                    "; layers {present} to {most} are built in memory as soon as the search has cost as much as they will"
                ),
                None => String::new(),
            };
            let end = match time {
                Some(time) => format!(
                    "; the search ends after {} (--time sets another limit)",
                    time_text(time.as_secs_f64())
                ),
                None => String::new(),
            };
            format!("plan: {tables}{layers}, all within {}{end}", size_text(*memory))
        }
        Plan::WholeBoard { seeds, positions, memory, time, .. } => format!(
            "plan: all {positions} positions with {seeds} seeds are built in memory ({}, about {}); they hold the position",
            size_text(*memory),
            time_text(time.as_secs_f64())
        ),
        Plan::ForcedWin { memory, time, .. } => format!(
            "plan: a search for a forced win of at most {} within {} (--time and --memory set other limits)",
            time_text(time.as_secs_f64()),
            size_text(*memory)
        ),
        _ => return None,
    })
}

fn refusal(error: SolveError, args: &SearchArgs) -> Refusal {
    let exit = if error.is_open() { Exit::Negative } else { Exit::Refused };
    let unwritten = |file: &PathBuf| format!("so {} is not written", file.display());
    let reason = match (&error, &args.proof) {
        (SolveError::NoProof { is_exhausted }, Some(file)) => {
            let remedy = match is_exhausted {
                true => "more time would find none either: perhaps it is a draw",
                false => "allow more --time and --memory",
            };
            format!("no forced win was found, {}; {remedy}", unwritten(file))
        }
        (SolveError::Drawn, Some(file)) => format!("the game is over as a draw, {}", unwritten(file)),
        _ => said(&error.into()),
    };
    Refusal { reason, exit }
}

/// Writes a proof.
fn write_proof(proof: &Proof, rules: &Rules, file: &Path) -> Result<ProofAnswer, Refusal> {
    let text = proof.to_text(rules);
    match write_whole(file, &[text.as_bytes()], false, &Control::default()) {
        Ok(()) => Ok(ProofAnswer { file: file.display().to_string(), steps: proof.steps.len() as u64 }),
        Err(error) => Err(Refusal { reason: said(&error.into()), exit: Exit::Refused }),
    }
}
