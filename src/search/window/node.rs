//! One thread's null-window search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::hash::{Entry, Hash, Key};
use super::learnt::hand_in;
use crate::board::{Move, Played, Way};
use crate::control::Control;
use crate::index::{HalfBoards, Halves, Numbered, Numbering};
use crate::retrograde::{Bounds, Values};
use crate::rules::Rules;

/// Children are handed out to threads only this many layers above the tables: below, the search of
/// one is over sooner than it is announced.
const HAND_OUT: u32 = 4;
const BUSY: usize = 1 << 12;
/// Nodes between two looks at the control.
const ROUND: u64 = 1 << 10;
/// Fewest nodes between two looks at whether it is enough.
const LOOK: u64 = 1 << 11;

/// When a search ends though its question is open.
pub struct Limit<'a> {
    /// When so many nodes are counted.
    last_node: u64,
    /// Whether the question is asked beside another one, which keeps the order of moves that suits it.
    is_aside: bool,
    /// When this holds, which is asked now and then.
    is_enough: &'a (dyn Fn() -> bool + Sync),
    /// When so many nodes are counted it is asked again.
    next_look: AtomicU64,
}

impl std::fmt::Debug for Limit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limit").field("last_node", &self.last_node).finish_non_exhaustive()
    }
}

impl<'a> Limit<'a> {
    /// None.
    pub fn none() -> Limit<'static> {
        Limit::new(0, u64::MAX, &|| false)
    }

    /// After so many nodes beyond those counted, or when something holds.
    pub fn new(counted: u64, nodes: u64, is_enough: &'a (dyn Fn() -> bool + Sync)) -> Limit<'a> {
        Limit {
            is_aside: false,
            last_node: counted.saturating_add(nodes),
            is_enough,
            next_look: AtomicU64::new(counted + LOOK),
        }
    }

    /// The same for a question beside another one, which keeps the order of moves that suits it.
    #[must_use]
    pub fn aside(self) -> Limit<'a> {
        Limit { is_aside: true, ..self }
    }

    fn is_reached(&self, nodes: u64) -> bool {
        if nodes >= self.last_node {
            return true;
        }
        let look = self.next_look.load(Relaxed);
        if nodes < look {
            return false;
        }
        self.next_look.store(nodes + (nodes / 16).max(LOOK), Relaxed);
        let is_enough = (self.is_enough)();
        if is_enough {
            self.next_look.store(0, Relaxed);
        }
        is_enough
    }
}

/// What all threads of a search share.
pub(in crate::search) struct Shared<'a, G: Numbered, H: Hash> {
    pub game: &'a G,
    pub values: &'a Values<'a>,
    /// Numbers of the positions that stand in tables.
    pub numbering: &'a Numbering,
    /// Half boards of up to the seeds of the largest position.
    pub half_boards: &'a HalfBoards,
    pub hash: &'a H,
    pub control: &'a Control,
    pub nodes: &'a AtomicU64,
    /// Nodes by seeds in the pits.
    pub spent: &'a [AtomicU64],
    /// When the search ends besides what the control says.
    pub limit: &'a Limit<'a>,
    /// The pass that is worth working on; a thread in an older one stops.
    pub pass: AtomicU64,
    /// Positions that some thread searches, by [`Hash::id`].
    pub busy: Option<Vec<AtomicU64>>,
}

/// Marks for positions at work, if there are several threads.
pub(in crate::search) fn busy(threads: usize) -> Option<Vec<AtomicU64>> {
    (threads > 1).then(|| (0..BUSY).map(|_| AtomicU64::new(0)).collect())
}

/// A position and where it is found.
pub(in crate::search) struct Node<G: Numbered, H: Hash> {
    position: G::Position,
    halves: Halves,
    place: Place<H::Slot>,
}

impl<G: Numbered, H: Hash> Clone for Node<G, H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Numbered, H: Hash> Copy for Node<G, H> {}

#[derive(Clone, Copy)]
enum Place<S> {
    /// The game is over, with this value.
    Over(i32),
    /// In a table, at this index of its layer.
    Table(u64),
    /// To be searched; known bounds stand in the hash.
    Hash(S),
}

impl<'a, G: Numbered, H: Hash> Shared<'a, G, H> {
    /// Whether the search is to end though its question is open.
    pub fn is_over(&self) -> bool {
        self.limit.is_reached(self.nodes.load(Relaxed))
    }

    /// Finds the place of a position and asks the memory for it.
    #[inline(always)]
    pub fn node(&self, position: G::Position) -> Node<G, H> {
        let halves = self.game.halves(self.half_boards, &position);
        let place = if let Some(value) = self.game.end_value(&position) {
            Place::Over(value)
        } else if let Some(layer) = self.values.layer(halves.seeds()) {
            let index = self.numbering.layer(halves.seeds()).index(&halves);
            crate::machine::prefetch(layer, index as usize);
            Place::Table(index)
        } else {
            let slot = self.hash.slot(Key::new(self.game, self.half_boards, &position, &halves));
            self.hash.prefetch(slot);
            Place::Hash(slot)
        };
        Node { position, halves, place }
    }

    /// Bounds that are known without search.
    #[inline(always)]
    pub fn known(&self, node: &Node<G, H>) -> Bounds {
        let exact = |value| Bounds { lower: value, upper: value };
        match node.place {
            Place::Over(value) => exact(value),
            Place::Table(index) => {
                let value = self.values.value(node.halves.seeds(), index);
                exact(value.expect("a node is placed in a table only if the layer is there"))
            }
            Place::Hash(slot) => {
                let all = node.halves.seeds() as i32;
                self.hash.get(slot).map_or(Bounds { lower: -all, upper: all }, |entry| entry.bounds)
            }
        }
    }
}

/// The worth of a move for the player who makes it, from bounds of the position it leads to.
#[inline(always)]
pub(crate) fn worth<P>(played: &Played<P>, next: Bounds) -> Bounds {
    let gain = played.gain - played.opponent_gain;
    if played.again {
        Bounds { lower: gain + next.lower, upper: gain + next.upper }
    } else {
        Bounds { lower: gain - next.upper, upper: gain - next.lower }
    }
}

/// The pass was ended from outside; nothing was proven at this node.
#[derive(Debug)]
pub(in crate::search) struct Aborted;

struct Candidate<G: Numbered, H: Hash> {
    played: Played<G::Position>,
    node: Node<G, H>,
}

/// A move that is still to be searched.
#[derive(Clone, Copy)]
struct Queued {
    /// Higher is searched sooner.
    order: i32,
    /// Where its candidate stands.
    at: u32,
}

/// Order of a move already searched.
const DONE: i32 = i32::MIN;

/// One thread at work on a pass.
pub(in crate::search) struct Searcher<'a, G: Numbered, H: Hash> {
    shared: &'a Shared<'a, G, H>,
    /// Moves of all nodes on the current path.
    stack: Vec<Candidate<G, H>>,
    /// Those of them that are searched, in their order. Candidates are large and stay where they are.
    queue: Vec<Queued>,
    /// Nodes of this thread, and how many of them the shared counters know.
    nodes: u64,
    flushed: u64,
    /// Nodes by seeds in the pits that the shared counters do not know.
    spent: Vec<u64>,
    pass: u64,
}

impl<'a, G: Numbered, H: Hash> Searcher<'a, G, H> {
    pub fn new(shared: &'a Shared<'a, G, H>) -> Self {
        Searcher {
            shared,
            stack: Vec::new(),
            queue: Vec::new(),
            nodes: 0,
            flushed: 0,
            spent: vec![0; shared.spent.len()],
            pass: 0,
        }
    }

    /// Proves on which side of `beta` the value of a node lies: returns a lower bound of it that is
    /// at least `beta`, or an upper bound below.
    pub fn run(&mut self, pass: u64, node: &Node<G, H>, beta: i32) -> Result<i32, Aborted> {
        self.pass = pass;
        self.stack.clear();
        self.queue.clear();
        let result = self.search(node, beta);
        self.flush();
        result
    }

    fn flush(&mut self) {
        let new = self.nodes - self.flushed;
        self.flushed = self.nodes;
        self.shared.nodes.fetch_add(new, Relaxed);
        hand_in(&mut self.spent, self.shared.spent);
        self.shared.control.advance(new);
    }

    #[inline(always)]
    fn count(&mut self, seeds: u32) -> Result<(), Aborted> {
        self.nodes += 1;
        self.spent[seeds as usize] += 1;
        if self.nodes - self.flushed >= ROUND {
            self.flush();
            if self.shared.control.check().is_err() || self.shared.is_over() {
                self.shared.pass.fetch_add(1, Relaxed);
            }
        }
        if self.shared.pass.load(Relaxed) != self.pass { Err(Aborted) } else { Ok(()) }
    }

    fn search(&mut self, node: &Node<G, H>, beta: i32) -> Result<i32, Aborted> {
        let shared = self.shared;
        let Place::Hash(slot) = node.place else {
            return Ok(shared.known(node).lower);
        };
        self.count(node.halves.seeds())?;
        let seeds = node.halves.seeds() as i32;
        let unknown = Entry { bounds: Bounds { lower: -seeds, upper: seeds }, choice: 0, effort: 0 };
        let known = shared.hash.get(slot).unwrap_or(unknown);
        if known.bounds.lower >= beta {
            return Ok(known.bounds.lower);
        }
        if known.bounds.upper < beta {
            return Ok(known.bounds.upper);
        }
        let before = self.nodes;

        // Ask for all children first, then look: the memory answers while the rest is prepared.
        let (base, first) = (self.stack.len(), self.queue.len());
        shared.game.for_each_move(&node.position, |played| {
            let node = shared.node(played.next);
            self.stack.push(Candidate { played, node });
        });
        let mut best = -seeds;
        for at in base..self.stack.len() {
            let Candidate { played, node } = &self.stack[at];
            let bounds = worth(played, shared.known(node));
            if bounds.lower >= beta {
                let choice = code(played.choice);
                self.leave(base, first);
                self.store(slot, known.bounds, bounds.lower, beta, choice, before);
                return Ok(bounds.lower);
            }
            if bounds.upper < beta {
                best = best.max(bounds.upper);
                continue;
            }
            self.queue.push(Queued { order: order(played, known.choice), at: at as u32 });
        }
        self.queue[first..].sort_unstable_by_key(|queued| -queued.order);

        let hands_out = shared.busy.is_some() && seeds as u32 >= shared.values.len() + HAND_OUT;
        let mut choice = 0;
        // Moves on which another thread is at work come in the second round.
        for round in 0..2 {
            for place in first..self.queue.len() {
                let Queued { order, at } = self.queue[place];
                let Candidate { played, node: child } = &self.stack[at as usize];
                let (played, child) = (*played, *child);
                let is_busy = hands_out && round == 0 && place > first && self.is_busy(&child);
                if order == DONE || is_busy {
                    continue;
                }
                self.queue[place].order = DONE;
                let gain = played.gain - played.opponent_gain;
                let found = self.search_child(
                    &child,
                    hands_out,
                    if played.again { beta - gain } else { gain - beta + 1 },
                )?;
                let value = if played.again { gain + found } else { gain - found };
                if value > best || choice == 0 {
                    choice = code(played.choice);
                    best = best.max(value);
                }
                if value >= beta {
                    self.leave(base, first);
                    self.store(slot, known.bounds, value, beta, choice, before);
                    return Ok(value);
                }
            }
        }
        self.leave(base, first);
        self.store(slot, known.bounds, best, beta, choice, before);
        Ok(best)
    }

    /// Forgets the moves of a node.
    fn leave(&mut self, base: usize, first: usize) {
        self.stack.truncate(base);
        self.queue.truncate(first);
    }

    fn search_child(&mut self, child: &Node<G, H>, announce: bool, beta: i32) -> Result<i32, Aborted> {
        let Some(busy) = self.shared.busy.as_ref().filter(|_| announce) else {
            return self.search(child, beta);
        };
        let Place::Hash(slot) = child.place else {
            return self.search(child, beta);
        };
        let id = self.shared.hash.id(slot);
        let mark = &busy[id as usize % BUSY];
        mark.store(id, Relaxed);
        let found = self.search(child, beta);
        mark.store(0, Relaxed);
        found
    }

    fn is_busy(&self, child: &Node<G, H>) -> bool {
        match (child.place, &self.shared.busy) {
            (Place::Hash(slot), Some(busy)) => {
                let id = self.shared.hash.id(slot);
                busy[id as usize % BUSY].load(Relaxed) == id
            }
            _ => false,
        }
    }

    fn store(&self, slot: H::Slot, known: Bounds, value: i32, beta: i32, choice: u8, before: u64) {
        let bounds =
            if value >= beta { Bounds { lower: value, ..known } } else { Bounds { upper: value, ..known } };
        let effort = 1 + (1 + self.nodes - before).ilog2().min(30) as u8;
        let choice = if self.shared.limit.is_aside { 0 } else { choice };
        self.shared.hash.put(slot, Entry { bounds, choice, effort });
    }
}

/// The largest code of a move.
pub(in crate::search) fn most_moves(rules: &Rules) -> usize {
    usize::from(rules.pits()) * rules.ways()
}

/// A move as a small number, not 0 and at most [`most_moves`].
pub(in crate::search) fn code(choice: Move) -> u8 {
    match choice {
        // The last two are of games that are not searched for seeds.
        Move::Pit(pit) | Move::Safari(pit, _) | Move::Strung(pit, _) => pit,
        Move::Directed(pit, Way::With) => 2 * pit,
        Move::Directed(pit, Way::Against) => 2 * pit - 1,
        Move::Pass => 1,
    }
}

/// Which move to try first: the one that was best before, then extra moves from the store
/// backward, then captures by size, then from the store backward.
#[inline(always)]
pub(in crate::search) fn order<P>(played: &Played<P>, best_before: u8) -> i32 {
    let pit = i32::from(code(played.choice));
    if code(played.choice) == best_before {
        i32::MAX
    } else if played.again {
        1 << 20 | pit
    } else {
        (played.gain - played.opponent_gain) << 8 | pit
    }
}
