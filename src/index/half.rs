//! Ranking the row of one player.

use super::TooLarge;

/// A half board by its number of seeds and its rank among those with as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Half {
    /// Seeds in the row.
    pub seeds: u32,
    /// Rank among the half boards with this number of seeds, from 0.
    pub rank: u64,
}

/// Largest number of pits of a row packed into a word with a byte a pit.
const MAX_PACKED: usize = 8;

/// The half boards of a number of pits, up to a number of seeds.
#[derive(Clone, Debug)]
pub struct HalfBoards {
    pits: usize,
    max_seeds: u32,
    /// `terms[k][p] = C(p + k - 1, k)`, the number of non-decreasing sequences of k numbers
    /// below p; k in 0..=pits, p in 0..=max_seeds + 1.
    terms: Vec<Vec<u64>>,
    /// The same for bytes p, so that no byte is out of range; 0 where `terms` ends.
    byte_terms: Box<[[u64; 256]; MAX_PACKED]>,
}

impl HalfBoards {
    /// Tables for ranking.
    ///
    /// # Errors
    /// [`TooLarge`] if some number of half boards does not fit 64 bits.
    pub fn new(pits: usize, max_seeds: u32) -> Result<HalfBoards, TooLarge> {
        let width = max_seeds as usize + 2;
        let mut terms = vec![vec![1_u64; width]];
        for k in 1..=pits {
            let mut row = vec![0_u64; width];
            for p in 1..width {
                let more = row[p - 1].checked_add(terms[k - 1][p]);
                row[p] = more.ok_or(TooLarge { pits, seeds: max_seeds })?;
            }
            terms.push(row);
        }
        let mut byte_terms = Box::new([[0; 256]; MAX_PACKED]);
        for (bytes, row) in byte_terms.iter_mut().zip(&terms) {
            bytes.iter_mut().zip(row).for_each(|(byte, term)| *byte = *term);
        }
        Ok(HalfBoards { pits, max_seeds, terms, byte_terms })
    }

    /// Pits in a row.
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// Largest number of seeds.
    pub fn max_seeds(&self) -> u32 {
        self.max_seeds
    }

    /// Half boards with exactly `seeds` seeds.
    #[inline]
    pub fn count(&self, seeds: u32) -> u64 {
        self.terms[self.pits - 1][seeds as usize + 1]
    }

    /// Half boards with fewer than `seeds` seeds.
    #[inline]
    pub fn count_below(&self, seeds: u32) -> u64 {
        self.terms[self.pits][seeds as usize]
    }

    /// The number of a row. Its seeds must not exceed [`HalfBoards::max_seeds`].
    pub fn rank(&self, row: &[u16]) -> Half {
        debug_assert_eq!(row.len(), self.pits);
        let (mut seeds, mut rank) = (0_u32, 0);
        for (pit, &here) in row.iter().enumerate() {
            seeds += u32::from(here);
            if pit + 1 < row.len() {
                rank += self.terms[pit + 1][seeds as usize];
            }
        }
        Half { seeds, rank }
    }

    /// The number of a row packed with one byte a pit, pit 1 lowest, of at most 8 pits and 255
    /// seeds, none of them beyond [`HalfBoards::max_seeds`].
    #[inline(always)]
    pub fn rank_packed(&self, row: u64) -> Half {
        // Byte k of the product is the sum of the bytes 0..=k of the row.
        let sums = row.wrapping_mul(0x0101_0101_0101_0101);
        let mut rank = 0;
        for k in 1..self.pits.min(MAX_PACKED) {
            rank += self.byte_terms[k][(sums >> (8 * (k - 1))) as usize & 0xff];
        }
        Half { seeds: (sums >> 56) as u32, rank }
    }

    /// Writes the row with a number; the opposite of [`HalfBoards::rank`].
    pub fn unrank(&self, half: Half, row: &mut [u16]) {
        debug_assert!(half.rank < self.count(half.seeds));
        let (mut sum, mut rank) = (half.seeds as usize, half.rank);
        for k in (1..self.pits).rev() {
            // The largest prefix sum whose term does not exceed what is left of the rank.
            let prefix = self.terms[k][..=sum].partition_point(|&term| term <= rank) - 1;
            rank -= self.terms[k][prefix];
            row[k] = (sum - prefix) as u16;
            sum = prefix;
        }
        row[0] = sum as u16;
    }

    /// All rows with `seeds` seeds, by rising rank.
    pub fn rows(&self, seeds: u32) -> impl Iterator<Item = crate::board::Row> + '_ {
        (0..self.count(seeds)).map(move |rank| {
            let mut row = crate::board::Row::empty(self.pits);
            self.unrank(Half { seeds, rank }, &mut row);
            row
        })
    }
}
