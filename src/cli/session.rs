//! Answering positions: tables where they reach, layers built in memory where they pay, and a
//! search for the rest. `solve` and `query` share it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use sowbase::board::{Game, MOST_LAPS, Move, Position, Ring};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::retrograde::{has_layers, is_acyclic};
use sowbase::rules::Rules;
use sowbase::search::{Bounds, Distance, Explorer, Solver};
use sowbase::tables::TableError;

use super::game::{WithKernel, with_kernel};
use super::interrupt::Interrupt;
use super::options::{Common, parse_seconds};
use super::outlook;
use super::plan::REPEATING_SEARCH;
use super::reach;
use super::sources::Sources;
use super::stalemate;
use super::text::answer::{Answer, MoveAnswer, Source};
use super::text::output::{Exit, note};
use super::text::progress::Progress;

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

impl Refusal {
    fn error(error: &impl ToString) -> Refusal {
        Refusal { reason: error.to_string(), exit: Exit::Refused }
    }
}

/// Answers everything that an asker asks about a game.
pub fn answer_all(
    rules: &Rules,
    args: &SearchArgs,
    common: &Common,
    asker: impl Asker,
) -> anyhow::Result<Exit> {
    args.check(common)?;
    let interrupt = &Interrupt::listen()?;
    if rules.four_rows().is_some() {
        return stalemate::answer_all(rules, args, common, interrupt, asker);
    }
    if args.proof.is_some() {
        bail!(
            "{} is won by seeds, and proofs are written of games of four rows; leave out --proof",
            rules.title()
        );
    }
    if !has_layers(rules) {
        return reach::answer_all(rules, args, common, interrupt, asker);
    }
    with_kernel(rules, None, Session { rules, args, common, interrupt, asker, apart: false })?
}

/// Answers everything that an asker asks.
struct Session<'a, A> {
    rules: &'a Rules,
    args: &'a SearchArgs,
    common: &'a Common,
    interrupt: &'a Interrupt,
    asker: A,
    /// Whether only one position is asked for, which only the plain engine plays.
    apart: bool,
}

/// Asks for one position in the place of another asker.
struct Apart<'a> {
    position: Option<Position>,
    asker: &'a mut dyn Asker,
}

impl Asker for Apart<'_> {
    fn next(&mut self, _: &Interrupt) -> anyhow::Result<Option<Position>> {
        Ok(self.position.take())
    }

    fn answer(&mut self, answer: Answer) -> anyhow::Result<()> {
        self.asker.answer(answer)
    }

    fn refuse(&mut self, refusal: Refusal) -> anyhow::Result<Exit> {
        self.asker.refuse(refusal)
    }
}

/// One position in work.
struct Work {
    position: Position,
    begun: Instant,
    deadline: Option<Instant>,
}

impl<A: Asker> WithKernel for Session<'_, A> {
    type Output = anyhow::Result<Exit>;

    fn run<G: Numbered>(mut self, game: G) -> anyhow::Result<Exit> {
        let mut sources = Sources::open(self.rules, self.args, self.common)?;
        let interrupt = self.interrupt;
        let mut exit = Exit::Done;
        let mut next = self.next(&game, &sources, interrupt, &mut exit)?;
        while let Some(mut first) = next.take() {
            let seeds = first.position.seeds();
            let prepared = sources.prepare(seeds, &mut first.deadline, interrupt);
            let solver = prepared.map_err(|error| Refusal::error(&error)).and_then(|hash_bytes| {
                // A table of positions takes seconds to come into being, and a stopped search needs none.
                let hash_bytes = if interrupt.was_hit() { 0 } else { hash_bytes };
                let solver = sources.solver(game.clone(), seeds, hash_bytes);
                solver.map_err(|error| Refusal::error(&error))
            });
            let solver = match solver {
                Ok(solver) => solver,
                Err(refusal) => {
                    exit = self.asker.refuse(refusal)?;
                    next = self.next(&game, &sources, interrupt, &mut exit)?;
                    continue;
                }
            };
            // The solver serves until a position has more seeds than it was made for.
            let mut current = Some(first);
            while let Some(work) = current.take() {
                if work.position.seeds() > seeds {
                    next = Some(work);
                    break;
                }
                let answered = self.answer(&solver, &sources, &work);
                // Whatever was found or not, it may rest on a move that was given up.
                let laps = game.check_laps();
                match laps.map_err(TableError::from).and(answered) {
                    Ok(answer) => self.asker.answer(answer)?,
                    Err(error) => exit = self.asker.refuse(Refusal::error(&error))?,
                }
                if interrupt.was_hit() {
                    return Ok(interrupt.exit());
                }
                let following = self.next(&game, &sources, interrupt, &mut exit)?;
                // And so may all that the solver has learnt.
                match laps {
                    Ok(()) => current = following,
                    Err(_) => next = following,
                }
            }
        }
        Ok(exit)
    }
}

impl<A: Asker> Session<'_, A> {
    /// The next position that needs tables or a search; what needs neither is answered on the way.
    fn next<G: Numbered>(
        &mut self,
        game: &G,
        sources: &Sources,
        interrupt: &Interrupt,
        exit: &mut Exit,
    ) -> anyhow::Result<Option<Work>> {
        while let Some(position) = self.asker.next(interrupt)? {
            let begun = Instant::now();
            if !self.apart && (position.has_closed() || !game.holds(&position)) {
                *exit = self.answer_apart(position)?;
                continue;
            }
            let end = game.end_value(&game.pack(&position));
            let laps = game.check_laps();
            if let (Some(_), Err(error)) = (end, laps) {
                *exit = self.asker.refuse(Refusal::error(&error))?;
            } else if let Some(value) = end {
                let mut answer = terminal(self.rules, self.args, &position, value);
                match enter_cycle_bounds(&mut answer, sources, &position) {
                    Ok(()) => {
                        answer.set_effort(0, begun.elapsed());
                        self.asker.answer(answer)?;
                    }
                    Err(error) => *exit = self.asker.refuse(Refusal::error(&error))?,
                }
            } else if let Some(error) = self.args.no_search.then(|| sources.uncovered(&position)).flatten() {
                let exit_code = match error {
                    TableError::NotCovered { .. }
                    | TableError::MissingLayer { .. }
                    | TableError::MissingBounds { .. }
                    | TableError::ClosedPits { .. } => Exit::Negative,
                    _ => Exit::Refused,
                };
                *exit = self.asker.refuse(Refusal { reason: error.to_string(), exit: exit_code })?;
            } else {
                let deadline = self.args.time.and_then(|time| begun.checked_add(time));
                return Ok(Some(Work { position, begun, deadline }));
            }
        }
        Ok(None)
    }

    /// Answers a position that only the plain engine plays: one with more seeds than a kernel counts, or with
    /// closed pits, which no table holds.
    fn answer_apart(&mut self, position: Position) -> anyhow::Result<Exit> {
        let no_tables = self.args.no_tables || !position.is_plain();
        if self.args.no_search && !position.is_plain() {
            let reason = TableError::ClosedPits { game: self.rules.argument() }.to_string();
            return self.asker.refuse(Refusal { reason, exit: Exit::Negative });
        }
        let args = SearchArgs { no_tables, ..self.args.clone() };
        let asker = Apart { position: Some(position), asker: &mut self.asker };
        Session {
            rules: self.rules,
            args: &args,
            common: self.common,
            interrupt: self.interrupt,
            asker,
            apart: true,
        }
        .run(Ring::new(self.rules)?)
    }

    fn answer<G: Numbered>(
        &self,
        solver: &Solver<G>,
        sources: &Sources,
        work: &Work,
    ) -> Result<Answer, TableError> {
        let Work { position, begun, deadline } = work;
        let control = &self.interrupt.control();
        control.set_deadline(*deadline);
        control.begin("searching", 0);
        let game = solver.game();
        let packed = game.pack(position);
        let nodes_before = solver.nodes();
        let in_table = sources.has_layer(position.seeds());
        sources.check(position)?;
        let mut answer = Answer::new(self.rules, position);
        answer.source = Some(if in_table { Source::Table } else { Source::Search });
        enter_cycle_bounds(&mut answer, sources, position)?;
        let is_covered = sources.covers(position.seeds());
        let _progress = Progress::start(control, self.common.quiet || is_covered);
        if sources.is_repeating() && !is_covered && self.args.time.is_none() {
            let patience = Duration::from_secs_f64(REPEATING_SEARCH);
            control.set_deadline(Instant::now().checked_add(patience));
        }
        let none = Control::default();
        none.stop();
        // Whatever tables do not tell stays open.
        let search = if self.args.no_search && sources.is_repeating() { &none } else { control.as_ref() };
        let bounds;
        if self.args.value_only || !knows_moves(&game.giving_up_after(laps_in(self.args.time)), &packed) {
            bounds = solver.solve(&packed, search);
        } else {
            let moves;
            (bounds, moves) = solver.solve_with_moves(&packed, search);
            moves.iter().try_for_each(|(played, _)| sources.check(&game.unpack(&played.next)))?;
            let entries = moves.iter().map(|(played, of_move)| {
                let mut entry = MoveAnswer::new(game, position, played);
                entry.set_bounds(shifted(*of_move, position.lead()));
                entry
            });
            answer.moves = Some(entries.collect());
            if sources.is_repeating() {
                enter_distance(&mut answer, game, sources, position, control)?;
            } else if bounds.value().is_some() {
                let line = solver.line(&packed, control);
                check_line(game, sources, packed, line.as_deref().unwrap_or_default())?;
                answer.line = line.map(|line| line.iter().map(ToString::to_string).collect());
            }
        }
        if sources.is_repeating() && !in_table && bounds.value().is_none() {
            let is_start = *position == Position::start(self.rules);
            answer.outlook = Some(outlook::text(self.rules, position.seeds(), is_start));
        }
        answer.set_bounds(shifted(bounds, position.lead()));
        answer.set_effort(solver.nodes() - nodes_before, begun.elapsed());
        Ok(answer)
    }
}

/// Laps that a move of the position asked for may have, so that playing it out takes a part of the time only.
pub fn laps_in(time: Option<Duration>) -> u64 {
    const IN_A_SECOND: f64 = 5e6;
    const LEAST: u64 = 1 << 16;
    time.map_or(MOST_LAPS, |time| (time.as_secs_f64() * IN_A_SECOND) as u64).max(LEAST)
}

/// Said where a move is too long to be played out.
pub const MOVES_NOT_LISTED: &str =
    "a move goes on for so long that it is not known whether it ends: moves are not listed";

/// Whether all moves of a position can be played out; says so if not.
fn knows_moves<G: Game>(game: &G, position: &G::Position) -> bool {
    game.for_each_move(position, |_| ());
    let known = game.check_laps().is_ok();
    if !known {
        note(MOVES_NOT_LISTED);
    }
    known
}

/// The answer to a position that is over; `value` is the share of the seeds left.
pub fn terminal(rules: &Rules, args: &SearchArgs, position: &Position, value: i32) -> Answer {
    let mut answer = Answer::new(rules, position);
    answer.set_bounds(shifted(Bounds { lower: value, upper: value }, position.lead()));
    answer.source = Some(Source::Terminal);
    if !args.value_only {
        (answer.moves, answer.line) = (Some(Vec::new()), Some(Vec::new()));
        if !is_acyclic(rules) {
            answer.set_distance(Distance::Plies(0));
        }
    }
    answer
}

/// Enters what tables tell of a position whatever a repetition is worth.
fn enter_cycle_bounds(answer: &mut Answer, sources: &Sources, position: &Position) -> Result<(), TableError> {
    if let Some(bounds) = sources.cycle_bounds(position)? {
        answer.set_cycle_bounds(shifted(bounds, position.lead()));
    }
    Ok(())
}

/// Enters how far the next capture is away and a line that gets there, if the layers of values for it
/// are there.
fn enter_distance<G: Numbered>(
    answer: &mut Answer,
    game: &G,
    sources: &Sources,
    position: &Position,
    control: &Control,
) -> Result<(), TableError> {
    let seeds = position.seeds();
    let Some(values) = sources.repeating_values().filter(|_| sources.has_layer(seeds)) else { return Ok(()) };
    let explorer = Explorer::new(game, seeds, |position| values.probe(position))?;
    match explorer.line(&game.pack(position), control) {
        Ok((distance, line)) => {
            answer.set_distance(distance);
            answer.line = line.map(|line| line.iter().map(ToString::to_string).collect());
            Ok(())
        }
        Err(TableError::MissingLayer { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Reads the table entries along a line with their checksums.
fn check_line<G: Numbered>(
    game: &G,
    sources: &Sources,
    mut position: G::Position,
    line: &[Move],
) -> Result<(), TableError> {
    for choice in line {
        let mut next = None;
        game.for_each_move(&position, |played| {
            next = next.or((played.choice == *choice).then_some(played.next));
        });
        let Some(next) = next else { break };
        sources.check(&game.unpack(&next))?;
        position = next;
    }
    Ok(())
}

/// Bounds with the stores counted in.
fn shifted(bounds: Bounds, lead: i32) -> Bounds {
    Bounds { lower: bounds.lower + lead, upper: bounds.upper + lead }
}
