//! Proving who wins a position of a game won by blocking, where no table reaches.
//!
//! Two searches run, one for a win of the player to move and one for a win of his opponent. Each grows a tree of
//! his moves against every defence by proof and disproof numbers (`dfpn`).
//!
//! # Why a claim is true
//!
//! A claim, that the player to move wins or loses within some number of plies, enters [`Facts`] only when it
//! follows from the rules or from claims that stand there: a win from a move to a position that is lost, a
//! loss from moves that all lead to positions that are won, in fewer plies. Facts are looked up by the whole
//! position, not by a hash of it. So each is a theorem about its position alone, however play came there.
//! Everything else, above all that a position which repeats on the way is given up, and the numbers that steer the search,
//! can only keep a win from being found. Therefore nothing is ever concluded from a search that finds no win.

mod check;
mod dfpn;
mod estimates;
mod facts;
mod text;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::STACK;
use crate::board::{Game, Outcome, PlayerRing, Rings, TwoRings};
use crate::control::Control;
pub use check::{Checked, ProofError, check_proof};
use dfpn::{SearchEnd, WinSearch};
use estimates::Estimates;
pub use facts::Claim;
use facts::Facts;
pub use text::Proof;

/// Laps after which the search does without a move of the side that defends. On full boards circles of far more
/// than a hundred million laps are common, and hardly any move of more than some hundred laps ends.
const PATIENT: u64 = 1 << 16;
/// The same for the side that attacks, which needs only one of its moves.
const HASTY: u64 = 1 << 10;

/// Positions looked at before one thread turns to the other question, at first.
const SLICE: u64 = 1 << 14;

/// What a prover may use.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProofMeans {
    /// Whether both questions are searched at the same time.
    pub parallel: bool,
    /// Bytes for what is proven and for the numbers that steer the search.
    pub bytes: u64,
}

impl ProofMeans {
    /// So many bytes, and one question after the other.
    pub fn new(bytes: u64) -> ProofMeans {
        ProofMeans { parallel: false, bytes }
    }

    /// The same, with both questions searched at the same time or not.
    #[must_use]
    pub fn parallel(self, parallel: bool) -> ProofMeans {
        ProofMeans { parallel, ..self }
    }
}

/// Proves positions of one game, keeping what it learns from one call to the next.
///
/// A move of very many laps is done without: the winner does not need it, and a loser who may have it is not
/// proven to lose.
pub struct Prover<R: PlayerRing> {
    /// For a win of the player to move at the root, and for one of his opponent.
    sides: [ProvingSide<R>; 2],
    parallel: bool,
}

struct ProvingSide<R: PlayerRing> {
    /// The engine for the side that defends.
    game: TwoRings<R>,
    /// That for the side that attacks, which gives moves up sooner.
    hasty: TwoRings<R>,
    facts: Facts<R>,
    estimates: Estimates,
    nodes: u64,
}

impl<R: PlayerRing> std::fmt::Debug for Prover<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prover")
            .field("rules", &self.game().rules().title())
            .field("parallel", &self.parallel)
            .finish_non_exhaustive()
    }
}

impl<R: PlayerRing> Prover<R> {
    /// A prover that knows nothing yet.
    pub fn new(game: TwoRings<R>, means: &ProofMeans) -> Prover<R> {
        let side = || ProvingSide {
            game: game.giving_up_after(PATIENT),
            hasty: game.giving_up_after(HASTY),
            facts: Facts::new(means.bytes / 4),
            estimates: Estimates::new(means.bytes / 4),
            nodes: 0,
        };
        Prover { sides: [side(), side()], parallel: means.parallel }
    }

    /// The game.
    pub fn game(&self) -> &TwoRings<R> {
        &self.sides[0].game
    }

    /// Positions whose moves were made so far.
    pub fn nodes(&self) -> u64 {
        self.sides.iter().map(|side| side.nodes).sum()
    }

    /// Whether there is no room for more proven positions, so that a search may have ended for that.
    pub fn is_full(&self) -> bool {
        self.sides.iter().any(|side| side.facts.is_full())
    }

    /// Looks for a proof that the player to move wins or loses. The work ends without one if the control
    /// stops it, if the memory is used up, or if neither side can force a win without repeating positions.
    pub fn prove(&mut self, position: &Rings<R>, control: &Control) -> Option<Claim> {
        if let Some(claim) = self.known(position) {
            return Some(claim);
        }
        control.begin("proving", 0);
        if self.parallel {
            self.both(position, control)
        } else {
            self.in_turn(position, control)
        }
        self.known(position)
    }

    /// Both questions at the same time, until one is answered.
    fn both(&mut self, position: &Rings<R>, control: &Control) {
        let is_answered = AtomicBool::new(false);
        let run = |side: &mut ProvingSide<R>, attacks: bool| {
            let mut search = WinSearch::new(
                [&side.game, &side.hasty],
                &mut side.facts,
                &mut side.estimates,
                control,
                &is_answered,
            );
            if search.run(position, attacks, u64::MAX) == SearchEnd::Proven {
                is_answered.store(true, Relaxed);
            }
            side.nodes += search.nodes();
        };
        let [first, second] = &mut self.sides;
        thread::scope(|scope| {
            let builder = || thread::Builder::new().stack_size(STACK);
            let begun = builder().spawn_scoped(scope, || run(second, false));
            match builder().spawn_scoped(scope, || run(first, true)) {
                Ok(_) => (),
                // Without threads there is no search, which claims nothing.
                Err(_) => drop(begun),
            }
        });
    }

    /// One question after the other, in slices that grow.
    fn in_turn(&mut self, position: &Rings<R>, control: &Control) {
        let never = AtomicBool::new(false);
        let [first, second] = &mut self.sides;
        let work = move || {
            let mut open = vec![(first, true), (second, false)];
            let mut budget = SLICE;
            while !open.is_empty() {
                let mut is_proven = false;
                open.retain_mut(|(side, attacks)| {
                    if is_proven {
                        return true;
                    }
                    let mut search = WinSearch::new(
                        [&side.game, &side.hasty],
                        &mut side.facts,
                        &mut side.estimates,
                        control,
                        &never,
                    );
                    let end = search.run(position, *attacks, budget);
                    side.nodes += search.nodes();
                    is_proven |= end == SearchEnd::Proven;
                    end == SearchEnd::OutOfBudget
                });
                if is_proven || control.is_stopped() {
                    return;
                }
                budget = budget.saturating_mul(2);
            }
        };
        thread::scope(|scope| drop(thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)));
    }

    /// What is proven of a position once it is entered what follows from its moves.
    pub fn conclude(&mut self, position: &Rings<R>) -> Option<Claim> {
        let (mut win, mut loss): (Option<u32>, Option<u32>) = (None, Some(0));
        self.game().for_each_move(position, |played| {
            let next = self.known(&played.next);
            if let Some(lost) = next.filter(|next| !next.wins) {
                win = Some(win.map_or(lost.within + 1, |within| within.min(lost.within + 1)));
            }
            let won = next.filter(|next| next.wins);
            loss = loss.zip(won).map(|(within, won)| within.max(won.within + 1));
        });
        // The loser may have a move that was given up.
        let is_complete = self.game().check_laps().is_ok();
        let found = match (win, loss) {
            (Some(within), _) => Some(Claim { wins: true, within }),
            (None, Some(within)) if is_complete => Some(Claim { wins: false, within }),
            _ => None,
        };
        if let Some(claim) = found.filter(|_| self.game().looks(position).is_none()) {
            self.sides[usize::from(!claim.wins)].facts.insert(position, dfpn::hash(position), claim);
        }
        self.known(position)
    }

    /// What is proven of a position.
    pub fn known(&self, position: &Rings<R>) -> Option<Claim> {
        if let Some(outcome) = self.game().looks(position) {
            return (outcome != Outcome::Draw).then_some(Claim { wins: outcome == Outcome::Win, within: 0 });
        }
        let found = self.sides.iter().filter_map(|side| side.facts.get(position));
        found.min_by_key(|fact| fact.within)
    }
}
