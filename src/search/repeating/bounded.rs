//! Bounds of positions that can repeat, proven without using a repetition.
//!
//! # Why a bound never depends on the path
//!
//! Where positions repeat, what a line is worth may depend on how it began, and a table of
//! positions that keeps such worths answers wrongly (the graph-history-interaction problem). Nothing
//! of that kind is ever kept here. A proof is a finite tree, and a position in it counts with
//!
//! - the value or the bounds of a finished layer, or its share of the seeds if the game is over,
//! - -n and n of n seeds in play if it lies at the horizon or repeats one on the path: nobody gets
//!   more than there is, whatever the path and whatever the repetition is worth,
//! - else `lower = max(gain - upper(next))` and `upper = max(gain - lower(next))` over its moves.
//!
//! A position with a move that goes on for so long that it is given up has another equation: that move is
//! worth -n to n, if it is legal at all.
//!
//! Only true bounds go in and only these two equations are applied, so a kept bound is a theorem
//! about its position alone. With `cycle=split` the values solve the equations and lie within -n
//! and n, so by induction every bound holds of them. For any other worth of a repetition the bounds
//! lie around those of [`BoundLayers`](crate::retrograde::BoundLayers), the limits of the same
//! equations, and these hold in a game whose record begins with the position: play the move that
//! gives the bound with the shortest proof; while nothing is captured, the proof that remains gets
//! shorter with every ply, so no position comes back.
//!
//! What a *move* is worth is asked in a game whose record begins one position earlier, and there
//! the reply may be to go back to that position. Under a cycle rule that makes values depend on the
//! record it therefore counts with -n and n wherever it comes up below the root.
//!
//! # The search
//!
//! One question is "is the value at least (at most) b, whatever lies behind the horizon?". All that
//! is unknown counts against who asks, so one move suffices where he moves, and one refutation where
//! the other does. Questions step from the bounds known, the horizon goes out ply by ply. What could
//! not be proven is remembered apart, inexactly: it only keeps work from being repeated and is never
//! an answer. A failure for which neither the horizon nor a position above on the path is to blame
//! holds at every horizon.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::tried::{Question, Tried};
use crate::board::{Move, Played};
use crate::clock::Instant;
use crate::control::Control;
use crate::index::{HalfBoards, Numbered, Numbering};
use crate::retrograde::{Bounds, Values};
use crate::rules::{Endless, Feed};
use crate::search::window::{Aborted, Entry, Hash, Key, code, hand_in, order, worth};

/// Farthest horizon, in plies without a capture.
const FARTHEST: u32 = 200;
const _: () = assert!(FARTHEST < Tried::EVER);
/// Nodes between two looks at the control.
const ROUND: u64 = 1 << 6;
/// Laps after which a search does without a move.
const PATIENT: u64 = 1 << 16;

/// A side of a value that is to be proven.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::search) enum BoundSide {
    /// It is at least something.
    Lower,
    /// It is at most something.
    Upper,
}

impl BoundSide {
    fn of(self, bounds: Bounds) -> i32 {
        match self {
            BoundSide::Lower => bounds.lower,
            BoundSide::Upper => bounds.upper,
        }
    }

    fn turned(self) -> BoundSide {
        match self {
            BoundSide::Lower => BoundSide::Upper,
            BoundSide::Upper => BoundSide::Lower,
        }
    }

    /// Whether a bound of this side proves `goal`.
    pub fn proves(self, bound: i32, goal: i32) -> bool {
        match self {
            BoundSide::Lower => bound >= goal,
            BoundSide::Upper => bound <= goal,
        }
    }
}

/// What all proofs of one question share.
pub(super) struct ProofContext<'a, G: Numbered, H: Hash> {
    pub game: &'a G,
    /// Lower and upper bounds of finished layers; the same twice where these hold values.
    pub leaves: [&'a Values<'a>; 2],
    /// Only layers below this are leaves. Those above hold the bounds that could be proven if
    /// `first` were a position like others, so nothing tighter is looked for.
    pub leaf_layers: u32,
    pub numbering: &'a Numbering,
    pub half_boards: &'a HalfBoards,
    pub hash: &'a H,
    pub tried: &'a Tried,
    pub control: &'a Control,
    pub nodes: &'a AtomicU64,
    /// Nodes by seeds in the pits.
    pub spent: &'a [AtomicU64],
    /// Whether the work ended before all was tried.
    pub is_cut: &'a AtomicBool,
    /// The position that begins the record, if it may not count with what is proven of it.
    pub first: Option<G::Position>,
    /// When to end besides what the control says.
    pub until: Option<Instant>,
    /// Most nodes for each side of the values.
    pub most_nodes: u64,
}

struct BoundNode<G: Numbered, H: Hash> {
    position: G::Position,
    seeds: u32,
    place: BoundPlace<H::Slot>,
}

impl<G: Numbered, H: Hash> Clone for BoundNode<G, H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Numbered, H: Hash> Copy for BoundNode<G, H> {}

#[derive(Clone, Copy)]
enum BoundPlace<S> {
    /// The game is over, with this value.
    Over(i32),
    /// In a finished layer, at this index.
    Leaf(u64),
    /// To be searched; what is proven stands in the hash.
    Hash(S),
    /// The first position of the record, or one of which it is not known whether the game is over: nothing counts
    /// that is known of it.
    Unknown,
}

impl<G: Numbered, H: Hash> ProofContext<'_, G, H> {
    /// The engine is one whose given-up moves nobody else is told of.
    fn root(&self, game: &G, position: G::Position) -> BoundNode<G, H> {
        let end = game.end_value(&position);
        let is_certain = game.check_laps().is_ok();
        let halves = self.game.halves(self.half_boards, &position);
        let seeds = halves.seeds();
        let place = if let Some(value) = end {
            if is_certain { BoundPlace::Over(value) } else { BoundPlace::Unknown }
        } else if seeds < self.leaf_layers && self.leaves.iter().all(|side| side.layer(seeds).is_some()) {
            let index = self.numbering.layer(seeds).index(&halves);
            for layer in self.leaves.iter().filter_map(|side| side.layer(seeds)) {
                crate::machine::prefetch(layer, index as usize);
            }
            BoundPlace::Leaf(index)
        } else {
            let slot = self.hash.slot(Key::new(self.game, self.half_boards, &position, &halves));
            self.hash.prefetch(slot);
            BoundPlace::Hash(slot)
        };
        BoundNode { position, seeds, place }
    }

    fn node(&self, game: &G, position: G::Position) -> BoundNode<G, H> {
        let node = self.root(game, position);
        if self.first == Some(position) { BoundNode { place: BoundPlace::Unknown, ..node } } else { node }
    }

    /// Bounds that are known without search.
    fn known(&self, node: &BoundNode<G, H>) -> Bounds {
        let all = node.seeds as i32;
        let trivial = Bounds { lower: -all, upper: all };
        match node.place {
            BoundPlace::Over(value) => Bounds { lower: value, upper: value },
            BoundPlace::Leaf(index) => {
                let [lower, upper] = self.leaves.map(|side| side.value(node.seeds, index));
                Bounds { lower: lower.unwrap_or(-all), upper: upper.unwrap_or(all) }
            }
            BoundPlace::Hash(slot) => self.hash.get(slot).map_or(trivial, |entry| entry.bounds),
            BoundPlace::Unknown => trivial,
        }
    }

    /// Whether a layer that is no leaf tells that there is no such proof.
    fn is_hopeless(&self, node: &BoundNode<G, H>, side: BoundSide, goal: i32) -> bool {
        let values = self.leaves[side as usize];
        if node.seeds < self.leaf_layers || values.layer(node.seeds).is_none() {
            return false;
        }
        let halves = self.game.halves(self.half_boards, &node.position);
        let best = values.value(node.seeds, self.numbering.layer(node.seeds).index(&halves));
        best.is_some_and(|best| !side.proves(best, goal))
    }

    /// Proven bounds of positions, as tight as time and control allow.
    pub fn prove(&self, positions: &[G::Position], threads: usize) -> Vec<Bounds> {
        let game = self.game.giving_up_after(PATIENT);
        let roots: Vec<_> = positions.iter().map(|position| self.root(&game, *position)).collect();
        let bounds = Mutex::new(roots.iter().map(|root| self.known(root)).collect());
        let deepen = |sides: &[BoundSide]| self.deepen(&roots, &bounds, sides);
        std::thread::scope(|scope| {
            let upper = || deepen(&[BoundSide::Upper]);
            if threads > 1 && std::thread::Builder::new().spawn_scoped(scope, upper).is_ok() {
                deepen(&[BoundSide::Lower]);
            } else {
                deepen(&[BoundSide::Lower, BoundSide::Upper]);
            }
        });
        bounds.into_inner().expect("no panic while held")
    }

    /// Moves the horizon out, for one side after the other, until all is proven, nothing lies behind
    /// it, or a stop comes.
    fn deepen(&self, roots: &[BoundNode<G, H>], bounds: &Mutex<Vec<Bounds>>, sides: &[BoundSide]) {
        let mut at_work: Vec<_> = sides.iter().map(|side| BoundProver::new(self, *side)).collect();
        for depth in 1..=FARTHEST {
            at_work.retain_mut(|prover| prover.tighten_all(roots, bounds, depth));
        }
    }
}

struct BoundCandidate<G: Numbered, H: Hash> {
    played: Played<G::Position>,
    node: BoundNode<G, H>,
    /// Higher is searched sooner.
    order: i32,
}

/// What came of a question: the bound that proves it, or why there is no proof.
type BoundFound = Result<i32, Obstacle>;

/// What a failure hangs on: [`Obstacle::HORIZON`], or the highest position of the path that must not come
/// back, counted from 1 at the root; [`Obstacle::EVER`] if there is no proof on any path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Obstacle(usize);

impl Obstacle {
    const HORIZON: Obstacle = Obstacle(0);
    const EVER: Obstacle = Obstacle(usize::MAX);
}

/// The work on one side of the values.
struct BoundProver<'a, G: Numbered, H: Hash> {
    context: &'a ProofContext<'a, G, H>,
    /// The engine, told of given-up moves apart from others: for moves, and for whether a game is over.
    games: [G; 2],
    side: BoundSide,
    /// Moves of all nodes on the current path.
    stack: Vec<BoundCandidate<G, H>>,
    /// The positions above the one at work, and the side that is asked about.
    path: Vec<(G::Position, u32, BoundSide)>,
    /// Nodes of this work, and how many of them the shared counters know.
    nodes: u64,
    flushed: u64,
    /// Nodes by seeds in the pits that the shared counters do not know.
    spent: Vec<u64>,
}

impl<'a, G: Numbered, H: Hash> BoundProver<'a, G, H> {
    fn new(context: &'a ProofContext<'a, G, H>, side: BoundSide) -> Self {
        let games = [(); 2].map(|()| context.game.giving_up_after(PATIENT));
        let spent = vec![0; context.spent.len()];
        BoundProver { context, games, side, stack: Vec::new(), path: Vec::new(), nodes: 0, flushed: 0, spent }
    }

    /// Tightens the bounds of all roots. Returns whether a farther horizon may prove more.
    fn tighten_all(&mut self, roots: &[BoundNode<G, H>], bounds: &Mutex<Vec<Bounds>>, depth: u32) -> bool {
        let mut more = false;
        for (at, root) in roots.iter().enumerate() {
            match self.tighten(root, at, bounds, depth) {
                Ok(is_open) => more |= is_open,
                Err(Aborted) => {
                    self.context.is_cut.store(true, Relaxed);
                    more = false;
                    break;
                }
            }
        }
        self.flush();
        more
    }

    /// Raises the lower or lowers the upper bound of one root as far as the horizon allows. Returns
    /// whether a farther one may prove more.
    fn tighten(
        &mut self,
        root: &BoundNode<G, H>,
        at: usize,
        bounds: &Mutex<Vec<Bounds>>,
        depth: u32,
    ) -> Result<bool, Aborted> {
        let side = self.side;
        loop {
            let known = bounds.lock().expect("no panic while held")[at];
            if known.value().is_some() {
                return Ok(false);
            }
            let goal = match side {
                BoundSide::Lower => known.lower + 1,
                BoundSide::Upper => known.upper - 1,
            };
            self.stack.clear();
            self.path.clear();
            let bound = match self.search(root, side, goal, depth)? {
                Ok(bound) => bound,
                Err(obstacle) => return Ok(obstacle == Obstacle::HORIZON),
            };
            let known = &mut bounds.lock().expect("no panic while held")[at];
            match side {
                BoundSide::Lower => known.lower = known.lower.max(bound),
                BoundSide::Upper => known.upper = known.upper.min(bound),
            }
        }
    }

    fn flush(&mut self) {
        let new = self.nodes - self.flushed;
        self.flushed = self.nodes;
        self.context.nodes.fetch_add(new, Relaxed);
        hand_in(&mut self.spent, self.context.spent);
        self.context.control.advance(new);
    }

    fn count(&mut self, seeds: u32) -> Result<(), Aborted> {
        if self.nodes.is_multiple_of(ROUND) {
            self.flush();
            let late = self.context.until.is_some_and(|until| Instant::now() >= until);
            if late || self.context.control.check().is_err() {
                return Err(Aborted);
            }
        }
        if self.nodes >= self.context.most_nodes {
            return Err(Aborted);
        }
        self.nodes += 1;
        self.spent[seeds as usize] += 1;
        Ok(())
    }

    /// A bound of the node's value on `side` that proves `goal`, if there is a proof within `depth`
    /// plies without a capture.
    fn search(
        &mut self,
        node: &BoundNode<G, H>,
        side: BoundSide,
        goal: i32,
        depth: u32,
    ) -> Result<BoundFound, Aborted> {
        let context = self.context;
        let known = context.known(node);
        if side.proves(side.of(known), goal) {
            return Ok(Ok(side.of(known)));
        }
        if !side.proves(side.turned().of(known), goal) {
            return Ok(Err(Obstacle::EVER));
        }
        let BoundPlace::Hash(slot) = node.place else { return Ok(Err(Obstacle::EVER)) };
        if context.is_hopeless(node, side, goal) {
            return Ok(Err(Obstacle::EVER));
        }
        // A proof that asks the same of the same position holds a shorter one.
        let mut same_layer = self.path.iter().rev().take_while(|(_, seeds, _)| *seeds == node.seeds);
        let same = same_layer.position(|(position, _, asked)| *position == node.position && *asked == side);
        if let Some(plies_ago) = same {
            return Ok(Err(Obstacle(self.path.len() - plies_ago)));
        }
        let question = Question { id: context.hash.id(slot), side, goal };
        let (tried_depth, refutation) = context.tried.get(question, depth);
        match tried_depth {
            Some(Tried::EVER) => return Ok(Err(Obstacle::EVER)),
            Some(_) => return Ok(Err(Obstacle::HORIZON)),
            None if depth == 0 => return Ok(Err(Obstacle::HORIZON)),
            None => (),
        }
        self.count(node.seeds)?;

        let best_before = match side {
            BoundSide::Lower => context.hash.get(slot).map_or(0, |entry| entry.choice),
            BoundSide::Upper => refutation,
        };
        let base = self.stack.len();
        let [moves, ends] = &self.games;
        moves.for_each_move(&node.position, |played| {
            let node = context.node(ends, played.next);
            self.stack.push(BoundCandidate { played, node, order: order(&played, best_before) });
        });
        if moves.check_laps().is_err() {
            self.drop_doubtful_moves(base);
            // One move is enough for a lower bound, and all are needed for an upper one.
            if side == BoundSide::Upper {
                self.stack.truncate(base);
                context.tried.put(question, Tried::EVER, 0);
                return Ok(Err(Obstacle::EVER));
            }
        }
        self.path.push((node.position, node.seeds, side));
        let found = match side {
            BoundSide::Lower => self.one_move(base, goal, depth),
            BoundSide::Upper => self.all_moves(base, goal, depth),
        };
        self.path.pop();
        self.stack.truncate(base);
        let (mut found, choice) = found?;
        match found {
            Ok(bound) => {
                let bounds = match side {
                    BoundSide::Lower => Bounds { lower: bound, ..known },
                    BoundSide::Upper => Bounds { upper: bound, ..known },
                };
                let effort = 1 + depth.min(30) as u8;
                let choice = if side == BoundSide::Lower { choice } else { 0 };
                context.hash.put(slot, Entry { bounds, choice, effort });
            }
            // Only this position and those below it must not come back.
            Err(obstacle) if obstacle > Obstacle(self.path.len()) => {
                context.tried.put(question, Tried::EVER, choice);
                found = Err(Obstacle::EVER);
            }
            Err(_) => context.tried.put(question, depth, choice),
        }
        Ok(found)
    }

    /// Drops the moves from `base` on that may stand for one that was given up.
    fn drop_doubtful_moves(&mut self, base: usize) {
        // Where endless moves are illegal only a pass does, as there seems to be no move. But the move may also be
        // what makes another one illegal.
        let switches = self.context.game.rules().switches();
        let are_moves = switches.is_some_and(|s| s.endless == Endless::Illegal && s.feed == Feed::None);
        let is_doubtful =
            |candidate: &BoundCandidate<G, H>| !are_moves || candidate.played.choice == Move::Pass;
        if self.stack[base..].iter().any(is_doubtful) {
            self.stack.truncate(base);
        }
    }

    /// Looks for one of the moves from `base` on that is worth at least `goal`: the worth proven and
    /// the move.
    fn one_move(&mut self, base: usize, goal: i32, depth: u32) -> Result<(BoundFound, u8), Aborted> {
        let context = self.context;
        let (mut obstacle, mut end) = (Obstacle::EVER, base);
        for at in base..self.stack.len() {
            let candidate = &self.stack[at];
            let bounds = worth(&candidate.played, context.known(&candidate.node));
            if bounds.lower >= goal {
                return Ok((Ok(bounds.lower), code(candidate.played.choice)));
            }
            if bounds.upper >= goal {
                self.stack.swap(at, end);
                end += 1;
            }
        }
        self.stack.truncate(end);
        self.stack[base..].sort_unstable_by_key(|candidate| -candidate.order);
        for at in base..end {
            let candidate = &self.stack[at];
            let (played, child) = (candidate.played, candidate.node);
            match self.search_child(&played, &child, BoundSide::Lower, goal, depth)? {
                Ok(found) => return Ok((Ok(found), code(played.choice))),
                Err(of_child) => obstacle = obstacle.min(of_child),
            }
        }
        Ok((Err(obstacle), 0))
    }

    /// Proves that no move from `base` on is worth more than `goal`: the worth of the best, or the
    /// move that stands against it.
    fn all_moves(&mut self, base: usize, goal: i32, depth: u32) -> Result<(BoundFound, u8), Aborted> {
        let context = self.context;
        let (mut best, mut end) = (i32::MIN, base);
        for at in base..self.stack.len() {
            let candidate = &self.stack[at];
            let bounds = worth(&candidate.played, context.known(&candidate.node));
            if bounds.lower > goal {
                return Ok((Err(Obstacle::EVER), code(candidate.played.choice)));
            }
            if bounds.upper <= goal {
                best = best.max(bounds.upper);
            } else {
                self.stack.swap(at, end);
                end += 1;
            }
        }
        self.stack.truncate(end);
        self.stack[base..].sort_unstable_by_key(|candidate| -candidate.order);
        for at in base..end {
            let candidate = &self.stack[at];
            let (played, child) = (candidate.played, candidate.node);
            match self.search_child(&played, &child, BoundSide::Upper, goal, depth)? {
                Ok(found) => best = best.max(found),
                Err(obstacle) => return Ok((Err(obstacle), code(played.choice))),
            }
        }
        Ok((Ok(best), 0))
    }

    /// Proves `goal` of a move's worth.
    fn search_child(
        &mut self,
        played: &Played<G::Position>,
        child: &BoundNode<G, H>,
        side: BoundSide,
        goal: i32,
        depth: u32,
    ) -> Result<BoundFound, Aborted> {
        let gain = played.gain - played.opponent_gain;
        // A capture leads to another layer and so never back.
        let seeds = self.path.last().map_or(0, |(_, seeds, _)| *seeds);
        let depth = if child.seeds < seeds { depth } else { depth - 1 };
        Ok(if played.again {
            self.search(child, side, goal - gain, depth)?.map(|bound| gain + bound)
        } else {
            self.search(child, side.turned(), gain - goal, depth)?.map(|bound| gain - bound)
        })
    }
}
