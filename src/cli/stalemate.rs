//! Answering positions of games won by stalemate: from tables of whole boards, and where none reaches by
//! a search for a forced win.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use sowbase::board::{
    Game, Outcome, Overlong, PackedRing, PackedRings, PlainRing, PlainRings, Played, PlayerRing, Position,
    Rings, Stage, TwoRings, Verdict,
};
use sowbase::control::Control;
use sowbase::retrograde::WholeBoard;
use sowbase::rules::Rules;
use sowbase::search::{Claim, Proof, ProofMeans, Prover};
use sowbase::tables::{TableError, TableSet, try_name, write_whole};

use super::interrupt::Interrupt;
use super::options::{Common, size_text, time_text};
use super::session::{Asker, MOVES_NOT_LISTED, Refusal, SearchArgs, laps_in};
use super::text::answer::{Answer, MoveAnswer, ProofAnswer, Source};
use super::text::output::{Exit, Notes, note};
use super::text::progress::Progress;

/// Longest search without a word from the user, and the longest for the moves beside, in seconds.
const PATIENCE: f64 = 30.0;
const PATIENCE_FOR_MOVES: f64 = 10.0;
/// Longest building of a board in memory without a word from the user, in seconds.
const PATIENCE_FOR_BOARD: f64 = 60.0;
/// Seconds that building takes for a position on one thread, for each seed in a pit on average: the more there are,
/// the longer the moves.
const SECONDS_PER_POSITION: f64 = 0.25e-6;

/// Answers everything that an asker asks about a game of four rows. A proof found goes to a file, if one is
/// named.
pub fn answer_all(
    rules: &Rules,
    args: &SearchArgs,
    common: &Common,
    interrupt: &Interrupt,
    mut asker: impl Asker,
) -> anyhow::Result<Exit> {
    args.proof.as_deref().map_or(Ok(()), try_name)?;
    let set = if args.no_tables { TableSet::empty(rules)? } else { common.open_tables(rules)? };
    let memory = common.memory()?;
    let mut session = Session {
        rules,
        args,
        common,
        interrupt,
        memory,
        set,
        packed: None,
        plain: None,
        tried: HashSet::new(),
        plans: Notes::new(common.quiet),
    };
    let packed = PackedRings::new(rules)?;
    let mut exit = Exit::Done;
    while let Some(position) = asker.next(interrupt)? {
        let answered = match packed.holds(&position) {
            true => session.answer::<PackedRing>(&packed, &position),
            false => session.answer::<PlainRing>(&PlainRings::new(rules)?, &position),
        };
        match answered {
            Ok(answer) => asker.answer(answer)?,
            Err(refusal) => exit = asker.refuse(refusal)?,
        }
        if interrupt.was_hit() {
            return Ok(interrupt.exit());
        }
    }
    Ok(exit)
}

struct Session<'a> {
    rules: &'a Rules,
    args: &'a SearchArgs,
    common: &'a Common,
    interrupt: &'a Interrupt,
    memory: u64,
    set: TableSet,
    packed: Option<Prover<PackedRing>>,
    plain: Option<Prover<PlainRing>>,
    /// Numbers of seeds whose boards were built in memory, or could not be.
    tried: HashSet<u32>,
    plans: Notes,
}

/// Moves, each with the verdict on the position it leads to.
type Judged<R> = Vec<(Verdict, Played<Rings<R>>)>;

/// Which prover of a session plays on which rings.
trait OfSession: PlayerRing {
    fn prover<'a>(session: &'a mut Session<'_>) -> &'a mut Option<Prover<Self>>;
}

impl OfSession for PackedRing {
    fn prover<'a>(session: &'a mut Session<'_>) -> &'a mut Option<Prover<PackedRing>> {
        &mut session.packed
    }
}

impl OfSession for PlainRing {
    fn prover<'a>(session: &'a mut Session<'_>) -> &'a mut Option<Prover<PlainRing>> {
        &mut session.plain
    }
}

fn refused(error: &impl ToString) -> Refusal {
    Refusal { reason: error.to_string(), exit: Exit::Refused }
}

impl Session<'_> {
    fn answer<R: OfSession>(&mut self, game: &TwoRings<R>, position: &Position) -> Result<Answer, Refusal> {
        let begun = Instant::now();
        let packed = game.pack(position);
        let mut answer = Answer::new(self.rules, position);
        // Moves can be long, so they are played once. Where one is too long to be known, a search may do without it.
        let open = moves(&game.giving_up_after(laps_in(self.args.time)), &packed);
        let is_stuck = open.as_ref().is_ok_and(Vec::is_empty);
        let end = game.looks(&packed).or(is_stuck.then_some(Outcome::Loss));
        if let Some(end) = end {
            if let Some(file) = &self.args.proof {
                if end == Outcome::Draw {
                    let reason = format!("the game is over as a draw, so {} is not written", file.display());
                    return Err(Refusal { reason, exit: Exit::Negative });
                }
                let claim = Claim { wins: end == Outcome::Win, within: 0 };
                let proof = Proof { position: *position, claim, steps: Vec::new() };
                answer.proof = Some(write_proof(&proof, self.rules, file)?);
            }
            answer.source = Some(Source::Terminal);
            answer.set_verdict(Verdict::over(end));
            if !self.args.value_only {
                (answer.moves, answer.line) = (Some(Vec::new()), Some(Vec::new()));
            }
            answer.set_effort(0, begun.elapsed());
            return Ok(answer);
        }
        if self.args.proof.is_none() {
            self.build_board(position)?;
            if let Some(verdict) = self.verdict(game, &packed)? {
                answer.source = Some(Source::Table);
                answer.set_verdict(verdict);
                if !self.args.value_only {
                    self.enter_verdicts(&mut answer, game, position)?;
                }
                answer.set_effort(0, begun.elapsed());
                return Ok(answer);
            }
        }
        if self.args.no_search {
            let reason = self.set.missing(position.seeds()).to_string();
            return Err(Refusal { reason, exit: Exit::Negative });
        }
        self.search(answer, game, position, open, begun)
    }

    /// What tables tell of a position, if they hold it. One whose first moves capture nothing is played out to
    /// those that they hold.
    fn verdict<R: PlayerRing>(
        &self,
        game: &TwoRings<R>,
        position: &Rings<R>,
    ) -> Result<Option<Verdict>, Refusal> {
        if let Some(outcome) = game.looks(position) {
            return Ok(Some(Verdict::over(outcome)));
        }
        if position.stage == Stage::default() {
            return match self.set.probe(&game.unpack(position)) {
                Ok(code) => Ok(Some(Verdict::of_code(code))),
                Err(error) if is_missing(&error) => Ok(None),
                Err(error) => Err(refused(&error)),
            };
        }
        if position.stage.opening == 0 || !self.set.layers().any(|seeds| seeds == game.seeds(position)) {
            return Ok(None);
        }
        let mut best: Option<Verdict> = None;
        for played in moves(game, position).map_err(|error| refused(&error))? {
            let Some(next) = self.verdict(game, &played.next)? else { return Ok(None) };
            let worth = next.of_move();
            best = Some(best.filter(|best| best.rank() >= worth.rank()).unwrap_or(worth));
        }
        Ok(Some(best.unwrap_or(Verdict::over(Outcome::Loss))))
    }

    /// Enters the moves, best first, and a line of best play to the end.
    fn enter_verdicts<R: PlayerRing>(
        &self,
        answer: &mut Answer,
        game: &TwoRings<R>,
        position: &Position,
    ) -> Result<(), Refusal> {
        let missing = || refused(&self.set.missing(position.seeds()));
        let worths = |position: &Rings<R>| -> Result<Judged<R>, Refusal> {
            let mut worths = Vec::new();
            for played in moves(game, position).map_err(|error| refused(&error))? {
                worths.push((self.verdict(game, &played.next)?.ok_or_else(missing)?, played));
            }
            // Stable, so that equal ones stay in their order.
            worths.sort_by_key(|(next, _)| std::cmp::Reverse(next.of_move().rank()));
            Ok(worths)
        };
        let mut current = game.pack(position);
        let best = worths(&current)?;
        let entries = best.iter().map(|(next, played)| {
            let mut entry = MoveAnswer::new(game, position, played);
            entry.set_verdict(*next);
            entry
        });
        answer.moves = Some(entries.collect());
        let plies = answer.distance.unwrap_or(0);
        let mut line = Vec::new();
        for _ in 0..plies {
            let Some((_, played)) = worths(&current)?.into_iter().next() else { break };
            line.push(played.choice.to_string());
            current = played.next;
        }
        answer.line = Some(line).filter(|line| !line.is_empty());
        Ok(())
    }

    /// Builds all positions with as many seeds in memory if that pays.
    fn build_board(&mut self, position: &Position) -> Result<(), Refusal> {
        let seeds = position.seeds();
        let is_wanted = !self.args.no_tables && !self.args.no_search;
        if !is_wanted || self.set.layers().any(|layer| layer == seeds) || !self.tried.insert(seeds) {
            return Ok(());
        }
        let Ok(layer) = WholeBoard::with_seeds(self.rules, seeds) else { return Ok(()) };
        let positions = layer.numbering().layer(seeds).size();
        let seeds_per_pit = f64::from(seeds) / f64::from(2 * self.rules.player_pits());
        let rate = SECONDS_PER_POSITION * seeds_per_pit.max(1.0);
        let seconds = positions as f64 * rate / self.common.threads() as f64;
        let patience = self.args.time.map_or(PATIENCE_FOR_BOARD, |time| time.as_secs_f64() / 2.0);
        if layer.memory() > self.memory || seconds > patience {
            return Ok(());
        }
        self.plans.tell(format!(
            "plan: all {positions} positions with {seeds} seeds are built in memory ({}, about {}); they hold the position",
            size_text(layer.memory()),
            time_text(seconds)
        ));
        let control = self.interrupt.control();
        // Where moves are long the estimate is too low, and a search has to do.
        control.set_deadline(Instant::now().checked_add(Duration::from_secs_f64(patience)));
        let built = {
            let _progress = Progress::start(&control, self.common.quiet);
            layer.within(self.memory).build(&control).map_err(TableError::from)
        };
        let codes = match built {
            Ok(codes) => codes,
            // A search may still say something, and tells why it does not.
            Err(TableError::Stopped(_) | TableError::Overlong(_) | TableError::TooFar(_)) => return Ok(()),
            Err(error) => return Err(refused(&error)),
        };
        self.memory = self.memory.saturating_sub(positions);
        self.set.insert(seeds, codes).map_err(|error| refused(&error))
    }

    /// Looks for a forced win.
    fn search<R: OfSession>(
        &mut self,
        mut answer: Answer,
        game: &TwoRings<R>,
        position: &Position,
        open: Result<Vec<Played<Rings<R>>>, Overlong>,
        begun: Instant,
    ) -> Result<Answer, Refusal> {
        let time = self.args.time.unwrap_or(Duration::from_secs_f64(PATIENCE));
        let (args, common, interrupt) = (self.args, self.common, self.interrupt);
        let means = ProofMeans { parallel: common.threads() > 1, bytes: self.memory };
        self.plans.tell(format!(
            "plan: a search for a forced win of at most {} within {} (--time and --memory set other limits)",
            time_text(time.as_secs_f64()),
            size_text(means.bytes)
        ));
        let packed = game.pack(position);
        let prover = R::prover(self).get_or_insert_with(|| Prover::new(game.clone(), &means));
        let before = prover.nodes();
        let control = interrupt.control();
        control.set_deadline(begun.checked_add(time));
        let _progress = Progress::start(&control, common.quiet);
        let claim = prover.prove(&packed, &control);
        answer.source = Some(Source::Search);
        answer.set_claim(claim);
        let is_exhausted = claim.is_none() && !control.is_stopped() && !prover.is_full();
        match open {
            _ if args.value_only => (),
            Ok(open) => {
                let until = match args.time {
                    Some(time) => begun.checked_add(time),
                    None => Instant::now().checked_add(Duration::from_secs_f64(PATIENCE_FOR_MOVES)),
                };
                enter_claims(&mut answer, prover, position, open, until, interrupt);
            }
            Err(Overlong) => note(MOVES_NOT_LISTED),
        }
        // The moves may have made it shorter.
        if let Some(file) = &args.proof {
            let Some(proof) = prover.proof(&packed) else {
                let remedy = match is_exhausted {
                    true => "more time would find none either: perhaps it is a draw",
                    false => "allow more --time and --memory",
                };
                let reason =
                    format!("no forced win was found, so {} is not written; {remedy}", file.display());
                return Err(Refusal { reason, exit: Exit::Negative });
            };
            answer.proof = Some(write_proof(&proof, game.rules(), file)?);
        }
        if is_exhausted && answer.value.is_none() {
            answer.outlook = Some("More time would find none either: perhaps it is a draw.\n".into());
        }
        answer.set_effort(prover.nodes() - before, begun.elapsed());
        Ok(answer)
    }
}

/// Enters the moves with what is proven of them until some time, best first, and a line of best play.
fn enter_claims<R: PlayerRing>(
    answer: &mut Answer,
    prover: &mut Prover<R>,
    position: &Position,
    open: Vec<Played<Rings<R>>>,
    until: Option<Instant>,
    interrupt: &Interrupt,
) {
    let mut worths = Vec::new();
    for (untried, played) in (1..=open.len() as u32).rev().zip(open) {
        // What is left of the time is shared by the moves that are left.
        let now = Instant::now();
        let left = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now));
        let control = interrupt.control();
        control.set_deadline(now.checked_add(left / untried));
        worths.push((prover.prove(&played.next, &control), played));
    }
    let packed = prover.game().pack(position);
    // The moves may say more than the search for the position did.
    answer.set_claim(prover.conclude(&packed));
    let rank = |claim: &Option<Claim>| {
        let verdict = claim.map_or(Verdict::DRAW, |claim| {
            Verdict::of_code(claim.outcome().sign() * (claim.within as i32 + 1))
        });
        std::cmp::Reverse(verdict.of_move().rank())
    };
    worths.sort_by_key(|(claim, _)| rank(claim));
    let entries = worths.iter().map(|(claim, played)| {
        let mut entry = MoveAnswer::new(prover.game(), position, played);
        entry.set_claim(*claim);
        entry
    });
    answer.moves = Some(entries.collect());
    let line = prover.line(&packed);
    answer.line = line.map(|line| line.iter().map(ToString::to_string).collect());
}

/// The moves of a position.
fn moves<R: PlayerRing>(game: &TwoRings<R>, position: &Rings<R>) -> Result<Vec<Played<Rings<R>>>, Overlong> {
    let mut moves = Vec::new();
    game.for_each_move(position, |played| moves.push(played));
    game.check_laps()?;
    Ok(moves)
}

/// Whether no table holds the position, so that a search has to answer.
fn is_missing(error: &TableError) -> bool {
    matches!(
        error,
        TableError::NotCovered { .. } | TableError::MissingBoard { .. } | TableError::Unbuildable(_)
    )
}

/// Writes a proof.
fn write_proof(proof: &Proof, rules: &Rules, file: &Path) -> Result<ProofAnswer, Refusal> {
    let text = proof.to_text(rules);
    write_whole(file, &[text.as_bytes()], false, &Control::default()).map_err(|error| refused(&error))?;
    Ok(ProofAnswer { file: file.display().to_string(), steps: proof.steps.len() as u64 })
}
