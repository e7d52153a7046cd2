//! The value of a position too big for the tables: parallel MTD(f) over a shared exact hash.
//!
//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996) finds a value by asking, again and again,
//! "is it at least b?", each time at the best bound known. Each question is a null-window negamax
//! that looks up all children before it searches any (enhanced transposition cut-off), takes
//! values of finished layers at its leaves, and remembers proven bounds of every position.
//!
//! All threads ask the same question. One that finds another at work on a child turns to the next
//! one and comes back when its siblings are done (the idea of ABDADA, Weill 1996, in the simplified
//! form of T. Kerrigan). The first answer ends the pass for all. Since every bound in the hash is a
//! theorem about one position (`hash` says why entries cannot be confused), the value depends
//! neither on the number of threads nor on the size of the table.
//!
//! That holds for games without cycles, where a value never depends on how a position was reached.
//! Where positions can repeat, [`super::repeating`] proves bounds that hold whatever repetitions do.

mod hash;
mod learnt;
mod node;
mod quest;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::STACK;
use crate::board::{Move, Played};
use crate::control::Control;
use crate::index::{Numbered, Numbering, TooLarge};
use crate::retrograde::{Bounds, Leaves, Values, is_path_dependent};
use crate::rules::{Feed, GrandSlam, Rest, Switches};
pub(super) use hash::{Entry, Hash, Key};
pub use learnt::Learnt;
pub(super) use learnt::{PositionTable, hand_in};
pub use node::Limit;
pub(crate) use node::worth;
pub(super) use node::{Aborted, code, order};
use node::{Node, Searcher, Shared};
pub use quest::Quest;

/// Where the first question about a value starts. Approaching a value from below is cheap: showing
/// that it is at least something takes one good line; the refutation of the next step is the work.
const GUESS: i32 = 0;

/// What a solver may use.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resources {
    /// Threads that search together, at least 1.
    pub threads: usize,
    /// Bytes for the table of positions met.
    pub hash_bytes: u64,
}

impl Resources {
    /// So many threads, and so many bytes for the table of positions met.
    pub fn new(threads: usize, hash_bytes: u64) -> Resources {
        Resources { threads, hash_bytes }
    }
}

/// Solves positions of one game, keeping what it learns from one call to the next.
///
/// If [`Game::check_laps`](crate::board::Game::check_laps) fails after a call, its answer and all that the solver has
/// learnt may be wrong: it must be dropped.
pub struct Solver<'a, G: Numbered> {
    pub(in crate::search) game: G,
    /// What is known of finished layers.
    pub(in crate::search) leaves: Leaves<'a>,
    pub(in crate::search) numbering: Numbering,
    pub(in crate::search) learnt: Arc<Learnt>,
}

/// A position's moves with proven bounds of their worth for the mover.
pub type Worths<P> = Vec<(Played<P>, Bounds)>;

/// When a search may end.
#[derive(Clone, Copy)]
enum Goal {
    /// The value is known.
    Value,
    /// It is known whether the value is at least this.
    AtLeast(i32),
}

/// What has been proven of the position at the root, and where the value is expected.
#[derive(Clone, Copy)]
struct RootState {
    bounds: Bounds,
    guess: i32,
}

impl<G: Numbered> std::fmt::Debug for Solver<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("rules", &self.game.rules().title())
            .field("threads", &self.learnt.threads)
            .field("nodes", &self.nodes())
            .finish_non_exhaustive()
    }
}

impl<'a, G: Numbered> Solver<'a, G> {
    /// A solver for positions of up to `max_seeds` seeds in the pits. `values` are not looked into
    /// under rules by which a value depends on the play before it: see [`Solver::with_bounds`].
    ///
    /// # Errors
    /// [`TooLarge`] if half boards of so many seeds have no 64-bit number.
    pub fn new(game: G, values: Values<'a>, max_seeds: u32, resources: &Resources) -> Result<Self, TooLarge> {
        let learnt = Learnt::new(&game, max_seeds, resources)?;
        Self::resume(game, Leaves::of_values(values), Arc::new(learnt))
    }

    /// A solver that looks into the lower and the upper bounds of finished layers, which hold
    /// whatever a repetition is worth.
    ///
    /// # Errors
    /// As [`Solver::new`].
    pub fn with_bounds(
        game: G,
        [lower, upper]: [Values<'a>; 2],
        max_seeds: u32,
        resources: &Resources,
    ) -> Result<Self, TooLarge> {
        // Bounds that differ need the search of games with repetitions, which takes equal ones too.
        let learnt = Learnt::repeating(&game, max_seeds, resources)?;
        Self::resume(game, Leaves::of_bounds([lower, upper]), Arc::new(learnt))
    }

    /// A solver that goes on with what another one of the same game has learnt, over perhaps more layers.
    ///
    /// # Errors
    /// [`TooLarge`] if positions of the layers have no 64-bit number.
    ///
    /// # Panics
    /// If values, layers or what was learnt belong to other rules.
    pub fn resume(game: G, leaves: Leaves<'a>, learnt: Arc<Learnt>) -> Result<Self, TooLarge> {
        let rules = game.rules();
        assert!(leaves.belong_to(rules), "the layers belong to other rules");
        assert!(learnt.belongs_to(rules), "what was learnt belongs to other rules");
        // A value that depends on the play before a position is not what a table holds.
        let leaves =
            if is_path_dependent(rules) && leaves.upper.is_none() { Leaves::default() } else { leaves };
        let numbering = Numbering::new(rules.pits().into(), leaves.top())?;
        Ok(Solver { game, leaves, numbering, learnt })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.learnt.nodes()
    }

    /// What it has learnt, to be handed on to [`Solver::resume`].
    pub fn learnt(&self) -> &Arc<Learnt> {
        &self.learnt
    }

    /// Proven bounds of a position's value. They are equal unless the control stopped the search or
    /// the value hangs on what a repetition is worth.
    ///
    /// # Panics
    /// Here and below if the position has more seeds than the solver was made for, or has closed pits and
    /// an earlier one had others or the solver has finished layers.
    pub fn solve(&self, position: &G::Position, control: &Control) -> Bounds {
        match &self.learnt.tried {
            Some(tried) => self.solve_repeating(tried, position, u64::MAX, control).0,
            None => self.prove(position, GUESS, Goal::Value, control),
        }
    }

    /// Where positions can repeat: proven bounds of a position's value from about so many more positions for each
    /// of them, and whether more would prove nothing more.
    ///
    /// # Panics
    /// If no position can repeat: see [`Solver::pursue`].
    pub fn bound(&self, position: &G::Position, nodes: u64, control: &Control) -> (Bounds, bool) {
        let tried = self.learnt.tried.as_ref().expect("positions can repeat");
        self.solve_repeating(tried, position, nodes, control)
    }

    /// Proven bounds of a position's value and its moves as [`Solver::moves`] gives them, which
    /// share the time until the control's deadline.
    pub fn solve_with_moves(
        &self,
        position: &G::Position,
        control: &Control,
    ) -> (Bounds, Worths<G::Position>) {
        match &self.learnt.tried {
            Some(_) => self.bound_with_moves(position, u64::MAX, control).0,
            None => agreed(self.solve(position, control), self.moves(position, control)),
        }
    }

    /// As [`Solver::bound`], with the moves.
    ///
    /// # Panics
    /// As [`Solver::bound`].
    pub fn bound_with_moves(
        &self,
        position: &G::Position,
        nodes: u64,
        control: &Control,
    ) -> ((Bounds, Worths<G::Position>), bool) {
        let tried = self.learnt.tried.as_ref().expect("positions can repeat");
        let (bounds, worths, is_final) = self.solve_repeating_with_moves(tried, position, nodes, control);
        (agreed(bounds, worths), is_final)
    }

    /// Each move with proven bounds of its worth for the mover (gains of the move included), best
    /// first, equal ones by pit.
    pub fn moves(&self, position: &G::Position, control: &Control) -> Worths<G::Position> {
        if self.learnt.tried.is_some() {
            return self.solve_with_moves(position, control).1;
        }
        let mut moves = Vec::new();
        self.game.for_each_move(position, |played| {
            let next = self.prove(&played.next, GUESS, Goal::Value, control);
            moves.push((played, worth(&played, next)));
        });
        moves.sort_by_key(|(_, bounds)| (-bounds.lower, -bounds.upper));
        moves
    }

    /// A line of best play to the end of the game; `None` if a stop came before it was proven, and
    /// where positions can repeat: there [`Explorer::line`](super::Explorer::line) finds lines.
    pub fn line(&self, position: &G::Position, control: &Control) -> Option<Vec<Move>> {
        if self.learnt.tried.is_some() {
            return None;
        }
        let mut line = Vec::new();
        let (mut position, mut target) = (*position, self.solve(position, control).value()?);
        while self.game.end_value(&position).is_none() {
            let mut moves = Vec::new();
            self.game.for_each_move(&position, |played| moves.push(played));
            moves.sort_by_key(|played| -node::order(played, 0));
            let played = moves.into_iter().find(|played| self.reaches(played, target, control))?;
            line.push(played.choice);
            let rest = target - (played.gain - played.opponent_gain);
            target = if played.again { rest } else { -rest };
            position = played.next;
        }
        Some(line)
    }

    /// Whether a move is worth at least `target`; false if a stop came first.
    fn reaches(&self, played: &Played<G::Position>, target: i32, control: &Control) -> bool {
        let rest = target - (played.gain - played.opponent_gain);
        let (guess, goal) = if played.again { (rest, rest) } else { (-rest, 1 - rest) };
        let next = self.prove(&played.next, guess, Goal::AtLeast(goal), control);
        worth(played, next).lower >= target
    }

    /// Refuses a position beyond what the solver was made for: there the numbers of positions, and so
    /// the entries of the hash, are not their own.
    pub(in crate::search) fn check(&self, position: &G::Position) {
        let closed = self.learnt.check(&self.game, position);
        assert!(closed == [0, 0] || self.leaves.is_empty(), "tables hold no positions with closed pits");
    }

    fn prove(&self, position: &G::Position, guess: i32, goal: Goal, control: &Control) -> Bounds {
        self.prove_within(position, guess, goal, &Limit::none(), control)
    }

    /// As `prove`, up to a limit.
    fn prove_within(
        &self,
        position: &G::Position,
        guess: i32,
        goal: Goal,
        limit: &Limit,
        control: &Control,
    ) -> Bounds {
        self.check(position);
        match &self.learnt.table {
            PositionTable::Packed(packed) => self.prove_with(packed, position, guess, goal, limit, control),
            PositionTable::Wide(wide) => self.prove_with(wide, position, guess, goal, limit, control),
        }
    }

    fn prove_with<H: Hash>(
        &self,
        hash: &H,
        position: &G::Position,
        guess: i32,
        goal: Goal,
        limit: &Limit,
        control: &Control,
    ) -> Bounds {
        let learnt = &*self.learnt;
        let shared = Shared {
            game: &self.game,
            values: &self.leaves.lower,
            numbering: &self.numbering,
            half_boards: &learnt.half_boards,
            hash,
            control,
            nodes: &learnt.nodes,
            spent: &learnt.spent,
            limit,
            pass: AtomicU64::new(0),
            busy: node::busy(learnt.threads),
        };
        let root = shared.node(*position);
        let bounds = shared.known(&root);
        let seeds = self.game.seeds(position) as i32;
        let step = self.step();
        let guess = if step == 2 { guess + (guess + seeds) % 2 } else { guess };
        let state = Mutex::new(RootState { bounds, guess });
        let work = || self.work(&shared, &root, goal, step, &state);
        if (RootState { bounds, guess }).next_question(goal, step).is_some() {
            std::thread::scope(|scope| {
                let spawn = |_: &usize| {
                    let thread = std::thread::Builder::new().stack_size(STACK);
                    thread.spawn_scoped(scope, work).is_ok()
                };
                // All ask the same question, so those that the system grants suffice.
                if (0..learnt.threads).take_while(spawn).count() == 0 {
                    work();
                }
            });
        }
        state.into_inner().expect("no panic while held").bounds
    }

    /// Steps between values that the position can have.
    fn step(&self) -> i32 {
        // Both totals add up to the seeds in play if those left at the end are always given to
        // somebody: values are then as even or odd as their number.
        let ends_with_an_empty_row =
            |s: &Switches| s.feed == Feed::None && s.grand_slam != GrandSlam::Illegal;
        self.game.rules().switches().map_or(1, |s| match s.rest {
            Rest::Owner | Rest::Opponent => 2,
            Rest::Emptied if ends_with_an_empty_row(s) => 2,
            Rest::Emptied | Rest::Nobody => 1,
        })
    }

    /// One thread: asks until the goal is reached or the control stops it.
    fn work<H: Hash>(
        &self,
        shared: &Shared<G, H>,
        root: &Node<G, H>,
        goal: Goal,
        step: i32,
        state: &Mutex<RootState>,
    ) {
        let mut searcher = Searcher::new(shared);
        loop {
            if shared.control.check().is_err() || shared.is_over() {
                return;
            }
            // The number of the pass changes only under this lock, or when all are stopped.
            let question = {
                let state = state.lock().expect("no panic while held");
                state.next_question(goal, step).map(|beta| (beta, shared.pass.load(Relaxed)))
            };
            let Some((beta, pass)) = question else { return };
            if let Ok(value) = searcher.run(pass, root, beta) {
                let mut state = state.lock().expect("no panic while held");
                state.learn(value, beta);
                shared.pass.fetch_add(1, Relaxed);
            }
        }
    }
}

/// Bounds of a position and of its moves, best first, each as tight as the others make them.
pub(crate) fn agreed<P>(mut bounds: Bounds, mut worths: Worths<P>) -> (Bounds, Worths<P>) {
    if let Some(best) = worths.iter().map(|(_, found)| found.lower).max() {
        bounds.lower = bounds.lower.max(best);
    }
    if let Some(best) = worths.iter().map(|(_, found)| found.upper).max() {
        bounds.upper = bounds.upper.min(best);
    }
    // No move is worth more than the position.
    worths.iter_mut().for_each(|(_, found)| found.upper = found.upper.min(bounds.upper));
    worths.sort_by_key(|(_, found)| (-found.lower, -found.upper));
    (bounds, worths)
}

impl RootState {
    /// The bound to ask about next, if the goal is not reached.
    fn next_question(&self, goal: Goal, step: i32) -> Option<i32> {
        let Bounds { lower, upper } = self.bounds;
        match goal {
            Goal::AtLeast(beta) => (lower < beta && beta <= upper).then_some(beta),
            Goal::Value if lower == upper => None,
            Goal::Value => {
                let guess = self.guess.clamp(lower, upper);
                Some(if guess == lower { lower + step } else { guess })
            }
        }
    }

    fn learn(&mut self, value: i32, beta: i32) {
        if value >= beta {
            self.bounds.lower = self.bounds.lower.max(value);
        } else {
            self.bounds.upper = self.bounds.upper.min(value);
        }
        self.guess = value;
    }
}
