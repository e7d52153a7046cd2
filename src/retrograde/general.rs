//! The general builder: every move of every position through the engine.
//!
//! Order within a layer: the *potential* of a row is the sum of its seeds times their distance to
//! the row's end. A move that stays in the layer lowers the potential of the mover's row and leaves
//! the other row alone, so all positions of one total potential are independent of each other,
//! except that a pass (from an empty row) keeps it: passes come second.

use rayon::prelude::*;

use super::half_moves::potential;
use crate::board::Ring;
use crate::control::{Control, Stopped};
use crate::index::{Half, HalfBoards, Halves, Numbering};

/// Positions computed between two looks at the control.
const CHUNK: usize = 1 << 12;

pub(super) struct GeneralBuilder {
    ring: Ring,
    layers: Vec<Vec<i8>>,
}

/// Bytes that building up to the last layer of a numbering takes.
pub(super) fn memory(numbering: &Numbering) -> Option<u64> {
    let top = numbering.max_seeds();
    let positions = (0..=top).map(|seeds| numbering.layer(seeds).size()).try_fold(0_u64, u64::checked_add)?;
    // The ranks by potential.
    let ranks = numbering.half_boards().count_below(top + 1).checked_mul(8)?;
    positions.checked_add(ranks)?.checked_add(1 << 20)
}

impl GeneralBuilder {
    pub(super) fn new(ring: Ring) -> GeneralBuilder {
        GeneralBuilder { ring, layers: Vec::new() }
    }

    pub(super) fn next(&self) -> u32 {
        self.layers.len() as u32
    }

    pub(super) fn layer(&self, seeds: u32) -> &[i8] {
        &self.layers[seeds as usize]
    }

    pub(super) fn adopt(&mut self, values: Vec<i8>) {
        self.layers.push(values);
    }

    pub(super) fn into_layers(self) -> Vec<Vec<i8>> {
        self.layers
    }

    pub(super) fn build_next(&mut self, numbering: &Numbering, control: &Control) -> Result<(), Stopped> {
        let seeds = self.next();
        let layer = numbering.layer(seeds);
        let classes: Vec<Vec<Vec<u64>>> =
            (0..=seeds).map(|seeds| by_potential(numbering.half_boards(), seeds)).collect();
        let mut values = vec![0_i8; layer.size() as usize];
        let highest = classes[seeds as usize].len() - 1;
        for potential in 0..=highest {
            for passes in [false, true] {
                let blocks = (0..=seeds).filter(|&own| (own == 0) == passes);
                let mut positions =
                    blocks.flat_map(|own| with_potential(&classes, own, seeds - own, potential));
                loop {
                    control.check()?;
                    let chunk: Vec<Halves> = positions.by_ref().take(CHUNK).collect();
                    if chunk.is_empty() {
                        break;
                    }
                    let found: Vec<i8> =
                        chunk.par_iter().map(|halves| self.value(numbering, &values, halves)).collect();
                    for (halves, value) in chunk.iter().zip(found) {
                        values[layer.index(halves) as usize] = value;
                    }
                    control.advance(chunk.len() as u64);
                }
            }
        }
        self.layers.push(values);
        Ok(())
    }

    /// The value of a position of the layer in work, whose successors are known.
    fn value(&self, numbering: &Numbering, in_work: &[i8], halves: &Halves) -> i8 {
        let seeds = halves.seeds();
        super::worth(&self.ring, numbering, (seeds, numbering.layer(seeds).index(halves)), |next| {
            let values = self.layers.get(next.seeds() as usize).map_or(in_work, Vec::as_slice);
            values[numbering.layer(next.seeds()).index(next) as usize]
        })
    }
}

/// The ranks of the half boards with a number of seeds, by potential.
fn by_potential(half_boards: &HalfBoards, seeds: u32) -> Vec<Vec<u64>> {
    let mut classes = vec![Vec::new(); (half_boards.pits() - 1) * seeds as usize + 1];
    for (rank, row) in half_boards.rows(seeds).enumerate() {
        classes[potential(&row)].push(rank as u64);
    }
    classes
}

/// The positions of a block whose two rows have a total potential.
fn with_potential(
    classes: &[Vec<Vec<u64>>],
    own: u32,
    opponent: u32,
    potential: usize,
) -> impl Iterator<Item = Halves> {
    let (owns, opponents) = (&classes[own as usize], &classes[opponent as usize]);
    let first = (potential + 1).saturating_sub(opponents.len());
    (first..owns.len().min(potential + 1)).flat_map(move |part| {
        let opponents = &opponents[potential - part];
        owns[part].iter().flat_map(move |&rank| {
            let own = Half { seeds: own, rank };
            opponents.iter().map(move |&rank| Halves { own, opponent: Half { seeds: opponent, rank } })
        })
    })
}
