//! The general builder: every move of every position through the engine.
//!
//! Order within a layer: the *potential* of a row is the sum of its seeds times their distance to
//! the row's end. A move that stays in the layer lowers the potential of the mover's row and leaves
//! the other row alone, so all positions of one total potential are independent of each other,
//! except that a pass (from an empty row) keeps it: passes come second.

use std::sync::atomic::{AtomicI8, Ordering::Relaxed};

use rayon::prelude::*;

use super::engine::{Engine, memory_of_rows, rows, with_game};
use crate::board::Ring;
use crate::control::{Control, Stopped};
use crate::index::{Half, HalfBoards, Halves, Numbered, Numbering, TooLarge};
use crate::retrograde::Unfinished;
use crate::retrograde::layer_builder::LayerBuilder;
use crate::retrograde::method::Builder;
use crate::retrograde::rows::potential;

/// Positions of a batch, unless a single row of the mover has more of them.
const BATCH: usize = 1 << 12;

pub(in crate::retrograde) struct GeneralBuilder {
    engine: Engine,
    layers: Vec<Vec<i8>>,
}

/// Rows of the mover, each against some of the opponent's, by rank.
struct RowBatch<'a> {
    own: u32,
    owns: &'a [u64],
    opponents: &'a [u64],
}

/// The ranks of all half boards, by seeds and potential.
type Classes = Vec<Vec<Vec<u64>>>;

impl GeneralBuilder {
    /// Bytes that building up to the last layer of a numbering takes.
    pub(in crate::retrograde) fn memory(numbering: &Numbering) -> Option<u64> {
        let (top, half_boards) = (numbering.max_seeds(), numbering.half_boards());
        let ranks = half_boards.count_below(top + 1).checked_mul(size_of::<u64>() as u64)?;
        let rows = memory_of_rows(half_boards, top)?;
        Self::memory_kept(numbering)?.checked_add(ranks)?.checked_add(rows)?.checked_add(1 << 20)
    }

    /// Bytes of all layers of a numbering.
    pub(in crate::retrograde) fn memory_kept(numbering: &Numbering) -> Option<u64> {
        let mut sizes = (0..=numbering.max_seeds()).map(|seeds| numbering.layer(seeds).size());
        sizes.try_fold(0_u64, u64::checked_add)
    }

    pub(in crate::retrograde) fn new(engine: Engine) -> GeneralBuilder {
        GeneralBuilder { engine, layers: Vec::new() }
    }

    /// The values of the next layer.
    fn computed<G: Numbered>(
        &self,
        game: &G,
        numbering: &Numbering,
        control: &Control,
    ) -> Result<Vec<i8>, Stopped> {
        let (seeds, half_boards) = (self.next(), numbering.half_boards());
        let layer = numbering.layer(seeds);
        let rows = rows(game, half_boards, seeds);
        let classes: Classes = (0..=seeds).map(|seeds| by_potential(half_boards, seeds)).collect();
        let cells: Vec<AtomicI8> = (0..layer.size()).map(|_| AtomicI8::new(0)).collect();
        let value = |next: &Halves| {
            let (seeds, index) = (next.seeds(), numbering.layer(next.seeds()).index(next) as usize);
            self.layers.get(seeds as usize).map_or_else(|| cells[index].load(Relaxed), |values| values[index])
        };
        let compute = |batch: &RowBatch| -> Result<(), Stopped> {
            control.check()?;
            let opponent = seeds - batch.own;
            for &rank in batch.owns {
                let own = Half { seeds: batch.own, rank };
                let first = layer.index(&Halves { own, opponent: Half { seeds: opponent, rank: 0 } });
                let row = &rows[batch.own as usize][rank as usize];
                for &rank in batch.opponents {
                    let position = game.facing(row, &rows[opponent as usize][rank as usize]);
                    let found = crate::retrograde::worth(game, half_boards, &position, value);
                    cells[first as usize + rank as usize].store(found, Relaxed);
                }
            }
            control.advance((batch.owns.len() * batch.opponents.len()) as u64);
            Ok(())
        };
        for potential in 0..classes[seeds as usize].len() {
            for passes in [false, true] {
                let blocks = (0..=seeds).filter(|&own| (own == 0) == passes);
                let batches: Vec<RowBatch> =
                    blocks.flat_map(|own| batches(&classes, own, potential)).collect();
                batches.par_iter().try_for_each(compute)?;
            }
        }
        Ok(cells.into_iter().map(AtomicI8::into_inner).collect())
    }
}

impl LayerBuilder<1> for GeneralBuilder {
    fn builder(&self) -> Builder {
        Builder::InOrder(self.engine.moves_by())
    }

    fn next(&self) -> u32 {
        self.layers.len() as u32
    }

    fn layer(&self, _: usize, seeds: u32) -> &[i8] {
        &self.layers[seeds as usize]
    }

    /// It keeps nothing of a numbering.
    fn raise(&mut self, _: &Ring, _: &Numbering) -> Result<(), TooLarge> {
        Ok(())
    }

    fn adopt(&mut self, _: &Numbering, [values]: [Vec<i8>; 1]) {
        self.layers.push(values);
    }

    fn into_layers(self: Box<Self>) -> Vec<[Vec<i8>; 1]> {
        self.layers.into_iter().map(|values| [values]).collect()
    }

    fn build_next(&mut self, numbering: &Numbering, control: &Control) -> Result<(), Unfinished> {
        let values = with_game!(&self.engine, game => self.computed(game, numbering, control));
        self.layers.push(values?);
        Ok(())
    }
}

/// The ranks of the half boards with a number of seeds, by potential.
fn by_potential(half_boards: &HalfBoards, seeds: u32) -> Vec<Vec<u64>> {
    let mut classes = vec![Vec::new(); (half_boards.pits() - 1) * seeds as usize + 1];
    for (rank, row) in (0..).zip(half_boards.rows(seeds)) {
        classes[potential(&row)].push(rank);
    }
    classes
}

/// The positions of the layer of the last classes whose mover has `own` seeds and whose two rows have a
/// total potential.
fn batches(classes: &Classes, own: u32, potential: usize) -> impl Iterator<Item = RowBatch<'_>> {
    let (owns, opponents) = (&classes[own as usize], &classes[classes.len() - 1 - own as usize]);
    let first = (potential + 1).saturating_sub(opponents.len());
    (first..owns.len().min(potential + 1)).flat_map(move |part| {
        let opponents = &opponents[potential - part];
        let owns = owns[part].chunks((BATCH / opponents.len().max(1)).max(1));
        owns.map(move |owns| RowBatch { own, owns, opponents })
    })
}
