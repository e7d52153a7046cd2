//! One number for each position of all layers, to keep many positions in little room.

use super::{Half, HalfBoards, Halves, Numbering, TooLarge};

/// A way to number the positions of a board up to some number of seeds. Different positions have
/// different keys.
pub(crate) trait Keys: Sync {
    /// The number of a position.
    type Key: Copy + Ord + Send + Sync;
    /// The half boards that positions consist of.
    fn half_boards(&self) -> &HalfBoards;
    /// The key of a position.
    fn key(&self, halves: &Halves) -> Self::Key;
    /// The position of a key.
    fn halves(&self, key: Self::Key) -> Halves;
}

/// Keys of 64 bits: the layers one after the other.
pub(crate) struct DenseKeys {
    numbering: Numbering,
    /// Where each layer begins.
    starts: Vec<u64>,
}

impl DenseKeys {
    /// # Errors
    /// [`TooLarge`] if the positions cannot be numbered with 64 bits.
    pub fn new(pits: usize, max_seeds: u32) -> Result<DenseKeys, TooLarge> {
        let numbering = Numbering::new(pits, max_seeds)?;
        let mut starts = vec![0_u64];
        for seeds in 0..=max_seeds {
            let next = starts[seeds as usize].checked_add(numbering.layer(seeds).size());
            starts.push(next.ok_or(TooLarge { pits, seeds: max_seeds })?);
        }
        Ok(DenseKeys { numbering, starts })
    }
}

impl Keys for DenseKeys {
    type Key = u64;

    fn half_boards(&self) -> &HalfBoards {
        self.numbering.half_boards()
    }

    #[inline]
    fn key(&self, halves: &Halves) -> u64 {
        self.starts[halves.seeds() as usize] + self.numbering.layer(halves.seeds()).index(halves)
    }

    #[inline]
    fn halves(&self, key: u64) -> Halves {
        let seeds = self.starts.partition_point(|&start| start <= key) - 1;
        self.numbering.layer(seeds as u32).halves(key - self.starts[seeds])
    }
}

/// Keys of 128 bits: the number of the mover's half board and that of the opponent's.
pub(crate) struct WideKeys {
    half_boards: HalfBoards,
}

impl WideKeys {
    /// # Errors
    /// [`TooLarge`] if the half boards cannot be numbered with 64 bits.
    pub fn new(pits: usize, max_seeds: u32) -> Result<WideKeys, TooLarge> {
        Ok(WideKeys { half_boards: HalfBoards::new(pits, max_seeds)? })
    }

    fn half(&self, number: u64) -> Half {
        let (mut seeds, mut above) = (0, self.half_boards.max_seeds() + 1);
        while seeds + 1 < above {
            let middle = (seeds + above) / 2;
            if self.half_boards.count_below(middle) <= number {
                seeds = middle;
            } else {
                above = middle;
            }
        }
        Half { seeds, rank: number - self.half_boards.count_below(seeds) }
    }
}

impl Keys for WideKeys {
    type Key = u128;

    fn half_boards(&self) -> &HalfBoards {
        &self.half_boards
    }

    #[inline]
    fn key(&self, halves: &Halves) -> u128 {
        let number = |half: Half| u128::from(self.half_boards.count_below(half.seeds) + half.rank);
        number(halves.own) << 64 | number(halves.opponent)
    }

    #[inline]
    fn halves(&self, key: u128) -> Halves {
        Halves { own: self.half((key >> 64) as u64), opponent: self.half(key as u64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &impl Keys) {
        let half_boards = keys.half_boards();
        let mut seen = Vec::new();
        for own in 0..=half_boards.max_seeds() {
            for opponent in 0..=half_boards.max_seeds() - own {
                for (own_rank, opponent_rank) in (0..half_boards.count(own))
                    .flat_map(|own| (0..half_boards.count(opponent)).map(move |opponent| (own, opponent)))
                {
                    let halves = Halves {
                        own: Half { seeds: own, rank: own_rank },
                        opponent: Half { seeds: opponent, rank: opponent_rank },
                    };
                    assert_eq!(keys.halves(keys.key(&halves)), halves);
                    seen.push(keys.key(&halves));
                }
            }
        }
        let positions = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), positions);
    }

    #[test]
    fn a_key_belongs_to_one_position() {
        for (pits, seeds) in [(1, 9), (2, 7), (3, 6)] {
            check(&DenseKeys::new(pits, seeds).unwrap());
            check(&WideKeys::new(pits, seeds).unwrap());
        }
        assert!(DenseKeys::new(9, 162).is_err());
        assert!(WideKeys::new(9, 162).is_ok());
    }
}
