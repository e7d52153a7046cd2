//! Numbering the positions of a layer.

use super::{Half, HalfBoards};
use crate::board::{Position, Row};

/// The numbers of a board do not fit 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "positions of {pits} pits a player and {seeds} seeds have numbers beyond 64 bits, which neither tables nor the searches over them can keep; take a smaller board or fewer seeds"
)]
pub struct TooLarge {
    /// Pits of a player.
    pub pits: usize,
    /// Seeds in play.
    pub seeds: u32,
}

/// Both halves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// The mover's row.
    pub own: Half,
    /// The opponent's row.
    pub opponent: Half,
}

impl Halves {
    /// Seeds in the pits: the layer of the position.
    #[inline(always)]
    pub fn seeds(&self) -> u32 {
        self.own.seeds + self.opponent.seeds
    }
}

/// The blocks of one layer.
#[derive(Clone, Debug)]
pub struct LayerIndex {
    seeds: u32,
    /// Start of each block by the mover's seeds; the last entry is the size of the layer.
    starts: Vec<u64>,
    counts: Vec<u64>,
}

impl LayerIndex {
    fn new(halves: &HalfBoards, seeds: u32) -> Option<LayerIndex> {
        let counts: Vec<u64> = (0..=seeds).map(|seeds| halves.count(seeds)).collect();
        let mut starts = vec![0_u64];
        for s in 0..=seeds as usize {
            let block = counts[s].checked_mul(counts[seeds as usize - s])?;
            starts.push(starts[s].checked_add(block)?);
        }
        Some(LayerIndex { seeds, starts, counts })
    }

    /// Seeds in the pits.
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// Number of positions.
    pub fn size(&self) -> u64 {
        self.starts[self.seeds as usize + 1]
    }

    /// Index of the first position of the block with `own` seeds in the mover's row.
    pub fn start(&self, own: u32) -> u64 {
        self.starts[own as usize]
    }

    /// The index of a position of this layer.
    #[inline(always)]
    pub fn index(&self, halves: &Halves) -> u64 {
        debug_assert_eq!(halves.seeds(), self.seeds);
        let opponents = self.counts[halves.opponent.seeds as usize];
        self.starts[halves.own.seeds as usize] + halves.own.rank * opponents + halves.opponent.rank
    }

    /// The position with an index; the opposite of [`LayerIndex::index`].
    pub fn halves(&self, index: u64) -> Halves {
        debug_assert!(index < self.size());
        let own = self.starts.partition_point(|&start| start <= index) - 1;
        let opponent = self.seeds as usize - own;
        let within = index - self.starts[own];
        Halves {
            own: Half { seeds: own as u32, rank: within / self.counts[opponent] },
            opponent: Half { seeds: opponent as u32, rank: within % self.counts[opponent] },
        }
    }
}

/// The numbers of all positions of up to some number of seeds.
#[derive(Clone, Debug)]
pub struct Numbering {
    halves: HalfBoards,
    layers: Vec<LayerIndex>,
}

impl Numbering {
    /// The numbering of a board with `pits` pits a row and 0 to `max_seeds` seeds.
    ///
    /// # Errors
    /// [`TooLarge`] if an index does not fit 64 bits.
    pub fn new(pits: usize, max_seeds: u32) -> Result<Numbering, TooLarge> {
        let halves = HalfBoards::new(pits, max_seeds)?;
        let layers = (0..=max_seeds).map(|seeds| LayerIndex::new(&halves, seeds)).collect::<Option<_>>();
        let layers = layers.ok_or(TooLarge { pits, seeds: max_seeds })?;
        Ok(Numbering { halves, layers })
    }

    /// The half boards.
    pub fn half_boards(&self) -> &HalfBoards {
        &self.halves
    }

    /// One layer; `seeds` must not exceed the limit given at the start.
    #[inline(always)]
    pub fn layer(&self, seeds: u32) -> &LayerIndex {
        &self.layers[seeds as usize]
    }

    /// Largest number of seeds.
    pub fn max_seeds(&self) -> u32 {
        self.halves.max_seeds()
    }

    /// Layer and index of a position, if the numbering covers it: it covers boards of two rows of open
    /// pits.
    pub fn number(&self, position: &Position) -> Option<(u32, u64)> {
        let seeds = position.seeds();
        let is_covered = position.is_plain() && position.own.len() == self.halves.pits();
        if seeds > self.max_seeds() || !is_covered {
            return None;
        }
        let halves =
            Halves { own: self.halves.rank(&position.own), opponent: self.halves.rank(&position.opponent) };
        Some((seeds, self.layer(seeds).index(&halves)))
    }

    /// The position, with empty stores, of a layer and an index in it.
    pub fn position(&self, seeds: u32, index: u64) -> Position {
        let halves = self.layer(seeds).halves(index);
        let row = |half| {
            let mut row = Row::empty(self.halves.pits());
            self.halves.unrank(half, &mut row);
            row
        };
        Position::of_rows(row(halves.own), row(halves.opponent))
    }
}
