//! Games won by blocking: from tables of whole boards, and where none reaches by a search for a forced win.

use std::collections::HashSet;
use std::time::Duration;

use super::seeds::laps_in;
use super::{Answer, MoveAnswer, Note, Plan, SolveError, Source, Work};
use crate::board::{
    Game, Outcome, Overlong, PackedRing, PackedRings, PlainRing, PlainRings, Played, PlayerRing, Rings,
    Stage, TwoRings, Verdict,
};
use crate::clock::Instant;
use crate::control::Control;
use crate::retrograde::WholeBoard;
use crate::rules::Rules;
use crate::search::{Claim, Proof, ProofMeans, Prover};
use crate::tables::{TableError, TableSet};

/// Longest search without a word from the user, and the longest for the moves beside.
const PATIENCE: Duration = Duration::from_secs(30);
const PATIENCE_FOR_MOVES: Duration = Duration::from_secs(10);
/// Longest building of a board in memory without a word from the user.
const PATIENCE_FOR_BOARD: Duration = Duration::from_secs(60);
/// Seconds that building takes for a position on one thread, for each seed in a pit on average: the more there are,
/// the longer the moves.
const SECONDS_PER_POSITION: f64 = 0.25e-6;

/// Such a game: its tables, its engines and what was proven.
pub(super) struct BlockingGame {
    set: TableSet,
    packed_rings: PackedRings,
    plain_rings: PlainRings,
    packed: Option<Prover<PackedRing>>,
    plain: Option<Prover<PlainRing>>,
    /// Numbers of seeds whose boards were built in memory, or could not be.
    tried: HashSet<u32>,
    /// Bytes of the boards in memory.
    bytes: u64,
}

/// Moves, each with the verdict on the position it leads to.
type Judged<R> = Vec<(Verdict, Played<Rings<R>>)>;

/// Which prover plays on which rings.
trait HasProver: PlayerRing {
    fn prover(game: &mut BlockingGame) -> &mut Option<Prover<Self>>;
}

impl HasProver for PackedRing {
    fn prover(game: &mut BlockingGame) -> &mut Option<Prover<PackedRing>> {
        &mut game.packed
    }
}

impl HasProver for PlainRing {
    fn prover(game: &mut BlockingGame) -> &mut Option<Prover<PlainRing>> {
        &mut game.plain
    }
}

impl BlockingGame {
    pub(super) fn new(rules: &Rules, set: TableSet) -> Result<BlockingGame, SolveError> {
        Ok(BlockingGame {
            set,
            packed_rings: PackedRings::new(rules)?,
            plain_rings: PlainRings::new(rules)?,
            packed: None,
            plain: None,
            tried: HashSet::new(),
            bytes: 0,
        })
    }

    pub(super) fn answer(&mut self, mut work: Work) -> Result<Answer, SolveError> {
        work.memory = work.memory.saturating_sub(self.bytes);
        let position = &work.question.position;
        let mut answer = if self.packed_rings.holds(position) {
            let game = self.packed_rings.clone();
            self.answer_by(&game, &mut work)?
        } else {
            let game = self.plain_rings.clone();
            self.answer_by(&game, &mut work)?
        };
        answer.time = work.begun.elapsed();
        Ok(answer)
    }

    fn answer_by<R: HasProver>(&mut self, game: &TwoRings<R>, work: &mut Work) -> Result<Answer, SolveError> {
        let (question, position) = (work.question, &work.question.position);
        let packed = game.pack(position);
        // Moves can be long, so they are played once. Where one is too long to be known, a search may do without it.
        let open = moves(&game.giving_up_after(laps_in(question.time)), &packed);
        let is_stuck = open.as_ref().is_ok_and(Vec::is_empty);
        if let Some(end) = game.looks(&packed).or(is_stuck.then_some(Outcome::Loss)) {
            let mut answer = Answer::new(position, Source::Terminal);
            if question.proof {
                if end == Outcome::Draw {
                    return Err(SolveError::Drawn);
                }
                let claim = Claim { wins: end == Outcome::Win, within: 0 };
                answer.proof = Some(Proof { position: *position, claim, steps: Vec::new() });
            }
            answer.set_verdict(Verdict::over(end));
            answer.set_over(question.moves);
            return Ok(answer);
        }
        if !question.proof {
            self.build_board(work)?;
            if let Some(verdict) = self.verdict(game, &packed)? {
                let mut answer = Answer::new(position, Source::Table);
                answer.set_verdict(verdict);
                if question.moves {
                    self.enter_verdicts(&mut answer, game)?;
                }
                return Ok(answer);
            }
        }
        if !question.search {
            return Err(SolveError::NotCovered(self.set.missing(position.seeds())));
        }
        self.search(game, open, work)
    }

    /// What tables tell of a position, if they hold it. One whose first moves capture nothing is played out to
    /// those that they hold.
    fn verdict<R: PlayerRing>(
        &self,
        game: &TwoRings<R>,
        position: &Rings<R>,
    ) -> Result<Option<Verdict>, SolveError> {
        if let Some(outcome) = game.looks(position) {
            return Ok(Some(Verdict::over(outcome)));
        }
        if position.stage == Stage::default() {
            return match self.set.probe(&game.unpack(position)) {
                Ok(code) => Ok(Some(Verdict::of_code(code))),
                Err(error) if is_missing(&error) => Ok(None),
                Err(error) => Err(error.into()),
            };
        }
        if position.stage.opening == 0 || !self.set.has_values(game.seeds(position)) {
            return Ok(None);
        }
        let mut best: Option<Verdict> = None;
        for played in moves(game, position)? {
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
    ) -> Result<(), SolveError> {
        let position = answer.position;
        let missing = || SolveError::from(self.set.missing(position.seeds()));
        let worths = |position: &Rings<R>| -> Result<Judged<R>, SolveError> {
            let mut worths = Vec::new();
            for played in moves(game, position)? {
                worths.push((self.verdict(game, &played.next)?.ok_or_else(missing)?, played));
            }
            // Stable, so that equal ones stay in their order.
            worths.sort_by_key(|(next, _)| std::cmp::Reverse(next.of_move().rank()));
            Ok(worths)
        };
        let mut current = game.pack(&position);
        let best = worths(&current)?;
        let entries = best.iter().map(|(next, played)| {
            let mut entry = MoveAnswer::new(game, &position, played);
            entry.set_verdict(*next);
            entry
        });
        answer.moves = Some(entries.collect());
        let plies = answer.distance.unwrap_or(0);
        let mut line = Vec::new();
        for _ in 0..plies {
            let Some((_, played)) = worths(&current)?.into_iter().next() else { break };
            line.push(played.choice);
            current = played.next;
        }
        answer.line = Some(line).filter(|line| !line.is_empty());
        Ok(())
    }

    /// Builds all positions with as many seeds in memory if that pays.
    fn build_board(&mut self, work: &mut Work) -> Result<(), SolveError> {
        let question = work.question;
        let seeds = question.position.seeds();
        let is_wanted = work.means.builds() && question.search;
        if !is_wanted || self.set.has_values(seeds) || !self.tried.insert(seeds) {
            return Ok(());
        }
        let Ok(layer) = WholeBoard::with_seeds(work.rules, seeds) else { return Ok(()) };
        let positions = layer.numbering().layer(seeds).size();
        let seeds_per_pit = f64::from(seeds) / f64::from(2 * work.rules.player_pits());
        let rate = SECONDS_PER_POSITION * seeds_per_pit.max(1.0);
        let seconds = positions as f64 * rate / work.means.threads() as f64;
        let patience = question.time.map_or(PATIENCE_FOR_BOARD, |time| time / 2);
        let Ok(time) = Duration::try_from_secs_f64(seconds) else { return Ok(()) };
        if layer.memory() > work.memory || time > patience {
            return Ok(());
        }
        work.tell_plan(&Plan::WholeBoard { seeds, positions, memory: layer.memory(), time });
        let control = work.control.until(Instant::now().checked_add(patience));
        // Where moves are long the estimate is too low, and a search has to do.
        let codes = match layer.within(work.memory).build(&control).map_err(TableError::from) {
            Ok(codes) => codes,
            // A search may still say something, and tells why it does not.
            Err(TableError::Stopped(_) | TableError::Overlong(_) | TableError::TooFar(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        self.bytes += positions;
        work.memory = work.memory.saturating_sub(positions);
        Ok(self.set.insert(seeds, codes)?)
    }

    /// Looks for a forced win.
    fn search<R: HasProver>(
        &mut self,
        game: &TwoRings<R>,
        open: Result<Vec<Played<Rings<R>>>, Overlong>,
        work: &mut Work,
    ) -> Result<Answer, SolveError> {
        let (question, begun) = (work.question, work.begun);
        let mut answer = Answer::new(&question.position, Source::Search);
        let time = question.time.unwrap_or(PATIENCE);
        let means = ProofMeans::new(work.memory).parallel(work.means.threads() > 1);
        work.tell_plan(&Plan::ForcedWin { memory: work.memory, time });
        let packed = game.pack(&question.position);
        let prover = R::prover(self).get_or_insert_with(|| Prover::new(game.clone(), &means));
        let before = prover.nodes();
        let control = work.control.until(begun.checked_add(time));
        let claim = prover.prove(&packed, &control);
        answer.set_claim(claim);
        let is_exhausted = claim.is_none() && control.check().is_ok() && !prover.is_full();
        match open {
            _ if !question.moves => (),
            Ok(open) => {
                let until = match question.time {
                    Some(time) => begun.checked_add(time),
                    None => Instant::now().checked_add(PATIENCE_FOR_MOVES),
                };
                enter_claims(&mut answer, prover, open, until, work.control);
            }
            Err(Overlong) => answer.notes.push(Note::MovesNotListed),
        }
        // The moves may have made it shorter.
        if question.proof {
            let proof = prover.proof(&packed);
            answer.proof = Some(proof.ok_or(SolveError::NoProof { is_exhausted })?);
        }
        if is_exhausted && answer.value.is_none() {
            answer.notes.push(Note::Exhausted);
        }
        answer.nodes = prover.nodes() - before;
        Ok(answer)
    }
}

/// Enters the moves with what is proven of them until some time, best first, and a line of best play.
fn enter_claims<R: PlayerRing>(
    answer: &mut Answer,
    prover: &mut Prover<R>,
    open: Vec<Played<Rings<R>>>,
    until: Option<Instant>,
    control: &Control,
) {
    let mut worths = Vec::new();
    for (untried, played) in (1..=open.len() as u32).rev().zip(open) {
        // What is left of the time is shared by the moves that are left.
        let now = Instant::now();
        let left = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now));
        let control = control.until(now.checked_add(left / untried));
        worths.push((prover.prove(&played.next, &control), played));
    }
    let position = answer.position;
    let packed = prover.game().pack(&position);
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
        let mut entry = MoveAnswer::new(prover.game(), &position, played);
        entry.set_claim(*claim);
        entry
    });
    answer.moves = Some(entries.collect());
    answer.line = prover.line(&packed);
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
