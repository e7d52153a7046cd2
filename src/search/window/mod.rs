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
mod node;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

use super::STACK;
use super::repeating::Tried;
use crate::board::{Move, Played};
use crate::control::Control;
use crate::index::{HalfBoards, Numbered, Numbering, TooLarge};
use crate::retrograde::{Bounds, Values, is_acyclic, is_path_dependent};
use crate::rules::{Feed, GrandSlam, Rest, Switches};
pub(super) use hash::{Entry, Hash, Key};
use hash::{PackedTable, WideTable};
pub(super) use node::{Aborted, code, order, worth};
use node::{Node, Searcher, Shared};

/// Where the first question about a value starts. Approaching a value from below is cheap: showing
/// that it is at least something takes one good line; the refutation of the next step is the work.
const GUESS: i32 = 0;

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Threads that search together, at least 1.
    pub threads: usize,
    /// Bytes for the table of positions met.
    pub hash_bytes: u64,
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
    pub(in crate::search) half_boards: HalfBoards,
    pub(in crate::search) hash: PositionTable,
    /// Where positions can repeat: what was tried in vain.
    tried: Option<Tried>,
    pub(in crate::search) frame: Frame,
    /// Who has which closed pits, in one order of the players; the hash knows positions of one such board.
    closed: OnceLock<[u64; 2]>,
    pub(in crate::search) threads: usize,
    /// Bytes for what is proven in one record alone, where values depend on the record.
    pub(in crate::search) hash_bytes: u64,
    pub(in crate::search) nodes: AtomicU64,
}

/// A position's moves with proven bounds of their worth for the mover.
pub type Worths<P> = Vec<(Played<P>, Bounds)>;

/// Finished layers: values, or bounds that hold whatever a repetition is worth.
pub(in crate::search) struct Leaves<'a> {
    /// Values, or lower bounds.
    pub lower: Values<'a>,
    /// Upper bounds; `None` beside values.
    pub upper: Option<Values<'a>>,
}

/// What the entries of a hash must have room for.
pub(in crate::search) struct Frame {
    /// Numbers of half boards.
    halves: u64,
    /// Codes of moves.
    moves: usize,
    max_seeds: u32,
}

pub(in crate::search) enum PositionTable {
    Packed(PackedTable),
    Wide(WideTable),
}

/// Share of the memory for searching that remembers what was tried in vain: one part of so many.
const TRIED_PART: u64 = 4;

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

impl<'a, G: Numbered> Solver<'a, G> {
    /// A solver for positions of up to `max_seeds` seeds in the pits. `values` are not looked into
    /// under rules by which a value depends on the play before it: see [`Solver::with_bounds`].
    ///
    /// # Errors
    /// [`TooLarge`] if half boards of so many seeds have no 64-bit number.
    pub fn new(game: G, values: Values<'a>, max_seeds: u32, resources: &Resources) -> Result<Self, TooLarge> {
        let is_usable = !is_path_dependent(game.rules());
        let lower = if is_usable { values } else { Values::default() };
        Self::over(game, Leaves { lower, upper: None }, max_seeds, resources)
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
        Self::over(game, Leaves { lower, upper: Some(upper) }, max_seeds, resources)
    }

    fn over(game: G, leaves: Leaves<'a>, max_seeds: u32, resources: &Resources) -> Result<Self, TooLarge> {
        let pits = game.rules().pits().into();
        let layers = leaves.upper.iter().chain([&leaves.lower]).map(|side| side.layers.len()).max();
        let numbering = Numbering::new(pits, layers.unwrap_or(0).saturating_sub(1) as u32)?;
        let half_boards = HalfBoards::new(pits, max_seeds.max(numbering.max_seeds()))?;
        let halves = half_boards.count_below(half_boards.max_seeds() + 1);
        let halves = halves.checked_mul(if G::CLOSES_PITS { 2 } else { 1 });
        let frame = Frame {
            halves: halves.ok_or(TooLarge { pits, seeds: max_seeds })?,
            moves: node::most_moves(game.rules()),
            max_seeds,
        };
        // Bounds that differ need the search of games with repetitions, which takes equal ones too.
        let is_bounded = !is_acyclic(game.rules()) || leaves.upper.is_some();
        let shares = if is_path_dependent(game.rules()) { 2 } else { 1 };
        let hash_bytes = resources.hash_bytes / shares;
        let (hash, tried) = if is_bounded {
            let (hash, tried) = PositionTable::with_tried(hash_bytes, &frame);
            (hash, Some(tried))
        } else {
            (PositionTable::new(hash_bytes, &frame), None)
        };
        Ok(Solver {
            game,
            leaves,
            numbering,
            half_boards,
            hash,
            tried,
            frame,
            closed: OnceLock::new(),
            threads: resources.threads.max(1),
            hash_bytes,
            nodes: AtomicU64::new(0),
        })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Proven bounds of a position's value. They are equal unless the control stopped the search or
    /// the value hangs on what a repetition is worth.
    ///
    /// # Panics
    /// Here and below if the position has more seeds than the solver was made for, or has closed pits and
    /// an earlier one had others or the solver has finished layers.
    pub fn solve(&self, position: &G::Position, control: &Control) -> Bounds {
        match &self.tried {
            Some(tried) => self.solve_repeating(tried, position, control),
            None => self.prove(position, GUESS, Goal::Value, control),
        }
    }

    /// Proven bounds of a position's value and its moves as [`Solver::moves`] gives them, which
    /// share the time until the control's deadline.
    pub fn solve_with_moves(
        &self,
        position: &G::Position,
        control: &Control,
    ) -> (Bounds, Worths<G::Position>) {
        let (mut bounds, mut worths) = match &self.tried {
            Some(tried) => self.solve_repeating_with_moves(tried, position, control),
            None => (self.solve(position, control), self.moves(position, control)),
        };
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

    /// Each move with proven bounds of its worth for the mover (gains of the move included), best
    /// first, equal ones by pit.
    pub fn moves(&self, position: &G::Position, control: &Control) -> Worths<G::Position> {
        if self.tried.is_some() {
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
        if self.tried.is_some() {
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
        let (seeds, most) = (self.game.seeds(position), self.frame.max_seeds);
        assert!(seeds <= most, "{seeds} seeds; the solver was made for at most {most}");
        let mut closed = self.game.closed(position);
        closed.sort_unstable();
        assert_eq!(*self.closed.get_or_init(|| closed), closed, "a solver is for one set of closed pits");
        let sides = self.leaves.upper.iter().chain([&self.leaves.lower]);
        let has_tables = sides.flat_map(|side| &side.layers).any(Option::is_some);
        assert!(closed == [0, 0] || !has_tables, "tables hold no positions with closed pits");
    }

    fn prove(&self, position: &G::Position, guess: i32, goal: Goal, control: &Control) -> Bounds {
        self.check(position);
        match &self.hash {
            PositionTable::Packed(packed) => self.prove_with(packed, position, guess, goal, control),
            PositionTable::Wide(wide) => self.prove_with(wide, position, guess, goal, control),
        }
    }

    fn prove_with<H: Hash>(
        &self,
        hash: &H,
        position: &G::Position,
        guess: i32,
        goal: Goal,
        control: &Control,
    ) -> Bounds {
        let shared = Shared {
            game: &self.game,
            values: &self.leaves.lower,
            numbering: &self.numbering,
            half_boards: &self.half_boards,
            hash,
            control,
            nodes: &self.nodes,
            pass: AtomicU64::new(0),
            busy: node::busy(self.threads),
        };
        let root = shared.node(*position);
        let bounds = shared.known(&root);
        let seeds = self.game.seeds(position) as i32;
        // Both totals add up to the seeds in play if those left at the end are always given to
        // somebody: values are then as even or odd as their number.
        let ends_with_an_empty_row =
            |s: &Switches| s.feed == Feed::None && s.grand_slam != GrandSlam::Illegal;
        let step = self.game.rules().switches().map_or(1, |s| match s.rest {
            Rest::Owner | Rest::Opponent => 2,
            Rest::Emptied if ends_with_an_empty_row(s) => 2,
            Rest::Emptied | Rest::Nobody => 1,
        });
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
                if (0..self.threads).take_while(spawn).count() == 0 {
                    work();
                }
            });
        }
        state.into_inner().expect("no panic while held").bounds
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
            if shared.control.check().is_err() {
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

impl PositionTable {
    /// A table, and a memory of what was tried in vain, of at most `bytes` together.
    pub(in crate::search) fn with_tried(bytes: u64, frame: &Frame) -> (PositionTable, Tried) {
        let tried_bytes = bytes / TRIED_PART;
        (PositionTable::new(bytes - tried_bytes, frame), Tried::new(tried_bytes))
    }

    /// A table of at most `bytes`.
    fn new(bytes: u64, frame: &Frame) -> PositionTable {
        match PackedTable::new(bytes, frame.halves, frame.moves, frame.max_seeds) {
            Some(packed) => PositionTable::Packed(packed),
            None => PositionTable::Wide(WideTable::new(bytes)),
        }
    }
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
