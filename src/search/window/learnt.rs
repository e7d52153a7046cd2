//! What a search keeps from one question to the next, and what it cost.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::hash::{PackedTable, WideTable};
use super::{Resources, node};
use crate::index::{HalfBoards, Numbered, TooLarge};
use crate::retrograde::{is_acyclic, is_path_dependent};
use crate::rules::Rules;
use crate::search::repeating::Tried;

/// Share of the memory for searching that remembers what was tried in vain: one part of so many.
const TRIED_PART: u64 = 4;

/// What the entries of a hash must have room for.
pub(in crate::search) struct Frame {
    /// Numbers of half boards.
    halves: u64,
    /// Codes of moves.
    moves: usize,
    max_seeds: u32,
}

/// The table of positions met.
pub(in crate::search) enum PositionTable {
    Packed(PackedTable),
    Wide(WideTable),
}

/// Proven bounds of positions of one rule set, with up to some number of seeds. All of them are theorems about
/// one position, so they hold whatever layers are finished.
pub struct Learnt {
    fingerprint: u128,
    /// Whether values depend on the play before a position: what is proven without that does not hold then.
    is_path_dependent: bool,
    max_seeds: u32,
    pub(in crate::search) half_boards: HalfBoards,
    pub(in crate::search) table: PositionTable,
    /// Where positions can repeat: what was tried in vain.
    pub(in crate::search) tried: Option<Tried>,
    pub(in crate::search) frame: Frame,
    /// Who has which closed pits, in one order of the players; the table knows positions of one such board.
    closed: OnceLock<[u64; 2]>,
    pub(in crate::search) threads: usize,
    /// Bytes for what is proven in one record alone, where values depend on the record.
    pub(in crate::search) bytes: u64,
    pub(in crate::search) nodes: AtomicU64,
    /// Positions searched, by seeds in the pits.
    pub(in crate::search) spent: Vec<AtomicU64>,
}

impl std::fmt::Debug for Learnt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Learnt from {} positions of up to {} seeds", self.nodes(), self.max_seeds)
    }
}

impl Learnt {
    /// Nothing yet, about positions of up to `max_seeds` seeds in the pits.
    ///
    /// # Errors
    /// [`TooLarge`] if half boards of so many seeds have no 64-bit number.
    pub fn new<G: Numbered>(game: &G, max_seeds: u32, resources: &Resources) -> Result<Learnt, TooLarge> {
        Learnt::of_kind(game, max_seeds, resources, !is_acyclic(game.rules()))
    }

    /// As [`Learnt::new`], for the search of bounds also where no position can repeat.
    pub(super) fn repeating<G: Numbered>(
        game: &G,
        max_seeds: u32,
        resources: &Resources,
    ) -> Result<Learnt, TooLarge> {
        Learnt::of_kind(game, max_seeds, resources, true)
    }

    fn of_kind<G: Numbered>(
        game: &G,
        max_seeds: u32,
        resources: &Resources,
        repeats: bool,
    ) -> Result<Learnt, TooLarge> {
        let rules = game.rules();
        let pits = rules.pits().into();
        let half_boards = HalfBoards::new(pits, max_seeds)?;
        let halves = half_boards.count_below(max_seeds + 1);
        let halves = halves.checked_mul(if G::CLOSES_PITS { 2 } else { 1 });
        let frame = Frame {
            halves: halves.ok_or(TooLarge { pits, seeds: max_seeds })?,
            moves: node::most_moves(rules),
            max_seeds,
        };
        let bytes = resources.hash_bytes / if is_path_dependent(rules) { 2 } else { 1 };
        let (table, tried) = if repeats {
            let (table, tried) = PositionTable::with_tried(bytes, &frame);
            (table, Some(tried))
        } else {
            (PositionTable::new(bytes, &frame), None)
        };
        Ok(Learnt {
            fingerprint: rules.fingerprint(),
            is_path_dependent: is_path_dependent(rules),
            max_seeds,
            half_boards,
            table,
            tried,
            frame,
            closed: OnceLock::new(),
            threads: resources.threads.max(1),
            bytes,
            nodes: AtomicU64::new(0),
            spent: (0..=max_seeds).map(|_| AtomicU64::new(0)).collect(),
        })
    }

    /// Most seeds of a position.
    pub fn max_seeds(&self) -> u32 {
        self.max_seeds
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Positions searched so far, by their seeds in the pits.
    pub fn spent(&self) -> Vec<u64> {
        self.spent.iter().map(|nodes| nodes.load(Relaxed)).collect()
    }

    /// Bytes of the table, and of what was tried in vain.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Positions that the table has room for.
    pub fn capacity(&self) -> u64 {
        match &self.table {
            PositionTable::Packed(packed) => packed.capacity(),
            PositionTable::Wide(wide) => wide.capacity(),
        }
    }

    /// The same, with a table of at most `bytes`. Counters go on; what was tried in vain is only a hint and forgotten.
    #[must_use]
    pub fn resized(self, bytes: u64) -> Learnt {
        let (table, tried) = match &self.tried {
            Some(_) => {
                let (table, tried) = PositionTable::with_tried(bytes, &self.frame);
                (table, Some(tried))
            }
            None => (PositionTable::new(bytes, &self.frame), None),
        };
        match (&self.table, &table) {
            (PositionTable::Packed(old), PositionTable::Packed(new)) => old.pour_into(new),
            (PositionTable::Wide(old), PositionTable::Packed(new)) => old.pour_into(new),
            (PositionTable::Wide(old), PositionTable::Wide(new)) => old.pour_into(new),
            // A larger table is packed wherever a smaller one is.
            (PositionTable::Packed(_), PositionTable::Wide(_)) => (),
        }
        Learnt { table, tried, bytes, ..self }
    }

    /// Whether it is about positions of these rules.
    pub(super) fn belongs_to(&self, rules: &Rules) -> bool {
        self.fingerprint == rules.fingerprint() && self.is_path_dependent == is_path_dependent(rules)
    }

    /// Refuses a position beyond what this was made for: there the numbers of positions, and so the entries of
    /// the table, are not their own. Returns the closed pits.
    pub(super) fn check<G: Numbered>(&self, game: &G, position: &G::Position) -> [u64; 2] {
        let (seeds, most) = (game.seeds(position), self.max_seeds);
        assert!(seeds <= most, "{seeds} seeds; the solver was made for at most {most}");
        let mut closed = game.closed(position);
        closed.sort_unstable();
        assert_eq!(*self.closed.get_or_init(|| closed), closed, "a solver is for one set of closed pits");
        closed
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

/// Adds counters of one thread to those that all share, and begins them again.
pub(in crate::search) fn hand_in(own: &mut [u64], shared: &[AtomicU64]) {
    for (own, shared) in own.iter_mut().zip(shared) {
        if *own > 0 {
            shared.fetch_add(std::mem::take(own), Relaxed);
        }
    }
}
