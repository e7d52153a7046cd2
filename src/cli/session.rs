//! Answering positions: tables where they reach, layers built in memory where they pay, and a
//! search for the rest. `solve` and `query` share it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::rules::Rules;
use sowbase::search::{Bounds, Resources, Solver};

use super::answer::{Answer, MoveAnswer, Source};
use super::game::WithKernel;
use super::interrupt::Interrupt;
use super::options::{Common, parse_seconds};
use super::output::Exit;
use super::progress::Progress;
use super::sources::Sources;

/// How a value is looked for.
#[derive(Args)]
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
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<Duration>,
}

impl SearchArgs {
    /// Refuses options that exclude each other.
    pub fn check(&self, common: &Common) -> anyhow::Result<()> {
        if self.no_tables && self.no_search {
            bail!("--no-tables and --no-search leave nothing to answer from; give at most one of them");
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
    /// Why there is none: no table covers it and a search is not allowed.
    fn refuse(&mut self, reason: String) -> anyhow::Result<Exit>;
}

/// Answers everything that an asker asks.
pub struct Session<'a, A> {
    pub rules: &'a Rules,
    pub args: &'a SearchArgs,
    pub common: &'a Common,
    pub asker: A,
}

/// One position in work.
struct Work {
    position: Position,
    begun: Instant,
    control: Arc<Control>,
}

impl<A: Asker> WithKernel for Session<'_, A> {
    type Output = anyhow::Result<Exit>;

    fn run<G: Numbered + Clone>(mut self, game: G) -> anyhow::Result<Exit> {
        self.args.check(self.common)?;
        let mut sources = Sources::open(self.rules, self.args, self.common)?;
        let interrupt = Interrupt::listen()?;
        let mut exit = Exit::Done;
        let mut next = self.next(&interrupt)?;
        while let Some(first) = next.take() {
            let seeds = first.position.seeds();
            let hash_bytes = {
                let _progress = Progress::start(&first.control, self.common.quiet);
                let is_over = game.end_value(&game.pack(&first.position)).is_some();
                sources.prepare(seeds, is_over, &first.control)?
            };
            let resources = Resources { threads: self.common.threads(), hash_bytes };
            let solver = Solver::new(game.clone(), sources.values(), seeds, &resources)?;
            // The solver serves until a position has more seeds than it was made for.
            let mut current = Some(first);
            while let Some(work) = current.take() {
                if work.position.seeds() > seeds {
                    next = Some(work);
                    break;
                }
                match self.uncovered(&solver, &sources, &work.position) {
                    Some(reason) => exit = self.asker.refuse(reason)?,
                    None => self.asker.answer(self.answer(&solver, &sources, &work))?,
                }
                if interrupt.was_hit() {
                    return Ok(interrupt.exit());
                }
                current = self.next(&interrupt)?;
            }
        }
        Ok(exit)
    }
}

impl<A: Asker> Session<'_, A> {
    fn next(&mut self, interrupt: &Interrupt) -> anyhow::Result<Option<Work>> {
        Ok(self.asker.next(interrupt)?.map(|position| {
            let begun = Instant::now();
            let control = interrupt.control();
            control.set_deadline(self.args.time.and_then(|time| begun.checked_add(time)));
            Work { position, begun, control }
        }))
    }

    fn uncovered<G: Numbered>(
        &self,
        solver: &Solver<G>,
        sources: &Sources,
        position: &Position,
    ) -> Option<String> {
        let is_over = || solver.game().end_value(&solver.game().pack(position)).is_some();
        if !self.args.no_search || is_over() {
            return None;
        }
        sources.uncovered(position.seeds())
    }

    fn answer<G: Numbered>(&self, solver: &Solver<G>, sources: &Sources, work: &Work) -> Answer {
        let Work { position, begun, control } = work;
        let game = solver.game();
        let packed = game.pack(position);
        let mut answer = Answer::new(self.rules, position);
        let nodes_before = solver.nodes();
        if let Some(value) = game.end_value(&packed) {
            let value = position.lead() + value;
            answer.set_bounds(Bounds { lower: value, upper: value });
            answer.source = Some(Source::Terminal);
            if !self.args.value_only {
                (answer.moves, answer.line) = (Some(Vec::new()), Some(Vec::new()));
            }
        } else {
            let in_table = sources.has_layer(position.seeds());
            answer.source = Some(if in_table { Source::Table } else { Source::Search });
            let _progress = Progress::start(control, self.common.quiet || in_table);
            let mut bounds = solver.solve(&packed, control);
            if !self.args.value_only {
                let moves = solver.moves(&packed, control);
                bounds = tightened(bounds, moves.iter().map(|(_, bounds)| *bounds));
                let entries = moves.iter().map(|(played, of_move)| {
                    // No move is worth more than the position.
                    let upper = of_move.upper.min(bounds.upper);
                    let mut entry = MoveAnswer::new(game, position, played);
                    entry.set_bounds(shifted(Bounds { upper, ..*of_move }, position.lead()));
                    entry
                });
                answer.moves = Some(entries.collect());
                if bounds.value().is_some() {
                    let line = solver.line(&packed, control);
                    answer.line = Some(line.iter().map(ToString::to_string).collect());
                }
            }
            answer.set_bounds(shifted(bounds, position.lead()));
        }
        answer.nodes = Some(solver.nodes() - nodes_before);
        answer.seconds = Some((begun.elapsed().as_secs_f64() * 1e6).round() / 1e6);
        answer
    }
}

/// The bounds of a position with what is proven about its moves.
fn tightened(bounds: Bounds, moves: impl Iterator<Item = Bounds> + Clone) -> Bounds {
    let lower = moves.clone().map(|bounds| bounds.lower).max();
    let upper = moves.map(|bounds| bounds.upper).max();
    Bounds {
        lower: lower.map_or(bounds.lower, |lower| lower.max(bounds.lower)),
        upper: upper.map_or(bounds.upper, |upper| upper.min(bounds.upper)),
    }
}

/// Bounds with the stores counted in.
fn shifted(bounds: Bounds, lead: i32) -> Bounds {
    Bounds { lower: bounds.lower + lead, upper: bounds.upper + lead }
}
