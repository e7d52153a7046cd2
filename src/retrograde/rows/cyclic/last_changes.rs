//! The last few values of a layer in work, position by position.
//!
//! A list of changed positions leads to those that may depend on them: the positions from which a
//! quiet move leads there. These are computed again, those that change make the next list, and
//! when it is empty all values agree with their successors. A layer settles to the same values in
//! whatever order that is done.

use std::sync::atomic::{AtomicI8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Change, CyclicRows};
use crate::board::Row;
use crate::control::{Control, Stopped};
use crate::index::{Half, HalfBoards, Halves, Numbering};
use crate::retrograde::rows::half_moves::{HalfMoves, LastSeed};

/// A row that becomes another one by a lap.
#[derive(Clone, Copy, Debug)]
struct Origin {
    row: u32,
    /// Seeds that the lap drops into the other row.
    spill: u8,
}

/// The laps backward.
#[derive(Debug, Default)]
pub(super) struct LapsBack {
    /// By seeds and rank of the row that a lap leaves: where its origins start.
    starts: Vec<Vec<u32>>,
    origins: Vec<Vec<Origin>>,
}

/// A layer in work, from which many tasks read and write.
struct Cells<'a, const F: usize>([&'a [AtomicI8]; F]);

impl LapsBack {
    pub fn new(half_moves: &HalfMoves, half_boards: &HalfBoards, top: u32) -> LapsBack {
        let (starts, origins) =
            (0..=top).into_par_iter().map(|left| origins(half_moves, half_boards, left, top)).unzip();
        LapsBack { starts, origins }
    }

    fn origins(&self, half: Half) -> &[Origin] {
        let (starts, rank) = (&self.starts[half.seeds as usize], half.rank as usize);
        &self.origins[half.seeds as usize][starts[rank] as usize..starts[rank + 1] as usize]
    }

    /// Settles a layer in which no value disagrees with its successors but those that depend on a
    /// change.
    pub fn settle<const F: usize>(
        &self,
        builder: &CyclicRows<F>,
        numbering: &Numbering,
        n: u32,
        fields: &mut [Vec<i8>; F],
        mut changes: Vec<Change>,
        control: &Control,
    ) -> Result<(), Stopped> {
        let size = numbering.layer(n).size() as usize;
        let marks: Vec<AtomicU64> = (0..(size * F).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let cells = Cells(fields.each_mut().map(|cells| atomic(cells)));
        let marks = Marks(&marks, F);
        while !changes.is_empty() {
            control.check()?;
            let dependents: Vec<Change> = changes
                .par_iter()
                .flat_map_iter(|&change| self.dependents(numbering, n, &cells, &marks, change))
                .collect();
            changes = dependents
                .par_iter()
                .filter_map(|&dependent| {
                    let (index, field) = (dependent.index(), dependent.field());
                    marks.clear(index, field);
                    let source = CyclicRows::<F>::source(field);
                    let halves = numbering.layer(n).halves(index);
                    let value = builder.value(numbering, field, &halves, |next| {
                        cells.0[source][numbering.layer(n).index(next) as usize].load(Relaxed)
                    });
                    let old = cells.0[field][index as usize].swap(value, Relaxed);
                    (old != value).then(|| Change::new(old, index as usize, field))
                })
                .collect();
        }
        Ok(())
    }

    /// The positions, not yet marked, whose value may rest on the old value of a changed one or be
    /// raised by its new one.
    fn dependents<const F: usize>(
        &self,
        numbering: &Numbering,
        n: u32,
        cells: &Cells<F>,
        marks: &Marks,
        change: Change,
    ) -> Vec<Change> {
        let (layer, half_boards) = (numbering.layer(n), numbering.half_boards());
        let Halves { own, opponent } = layer.halves(change.index());
        // A field pulls from the one that pulls from it.
        let field = F - 1 - change.field();
        let new = cells.0[change.field()][change.index() as usize].load(Relaxed);
        let mut row = Row::empty(half_boards.pits());
        half_boards.unrank(own, &mut row);
        let mut found = Vec::new();
        for &Origin { row: x, spill } in self.origins(opponent) {
            let Some(before) = without(&row, spill) else { continue };
            let halves = Halves {
                own: Half { seeds: opponent.seeds + u32::from(spill), rank: x.into() },
                opponent: half_boards.rank(&before),
            };
            let index = layer.index(&halves);
            let value = cells.0[field][index as usize].load(Relaxed);
            let concerned = value <= -change.old() || value < -new;
            if concerned && marks.set(index, field) {
                found.push(Change::new(0, index as usize, field));
            }
        }
        found
    }
}

/// One bit for each position and field.
struct Marks<'a>(&'a [AtomicU64], usize);

impl Marks<'_> {
    /// Whether the mark is new.
    fn set(&self, index: u64, field: usize) -> bool {
        let bit = index as usize * self.1 + field;
        self.0[bit / 64].fetch_or(1 << (bit % 64), Relaxed) >> (bit % 64) & 1 == 0
    }

    fn clear(&self, index: u64, field: usize) {
        let bit = index as usize * self.1 + field;
        self.0[bit / 64].fetch_and(!(1 << (bit % 64)), Relaxed);
    }
}

fn atomic(cells: &mut [i8]) -> &[AtomicI8] {
    // SAFETY: an `AtomicI8` is laid out like an `i8`, and the mutable borrow keeps everybody else away.
    unsafe { &*(std::ptr::from_mut(cells) as *const [AtomicI8]) }
}

/// The row before it received some seeds, if it can have received them.
fn without(row: &Row, spill: u8) -> Option<Row> {
    let pits = row.len();
    let mut before = *row;
    for (pit, seeds) in before.iter_mut().enumerate() {
        let received = (usize::from(spill) + pits - 1 - pit) / pits;
        *seeds = seeds.checked_sub(received as u16)?;
    }
    Some(before)
}

/// The laps that leave a row with `left` seeds.
fn origins(half_moves: &HalfMoves, half_boards: &HalfBoards, left: u32, top: u32) -> (Vec<u32>, Vec<Origin>) {
    let laps = || {
        (left..=top).flat_map(move |seeds| {
            (0..half_boards.count(seeds) as usize).flat_map(move |row| {
                let laps = half_moves.moves(seeds, row).iter();
                laps.filter(move |lap| lap.last != LastSeed::NoMove && seeds - u32::from(lap.spill) == left)
                    .map(move |lap| (lap.row as usize, Origin { row: row as u32, spill: lap.spill }))
            })
        })
    };
    let mut starts = vec![0_u32; half_boards.count(left) as usize + 2];
    laps().for_each(|(row, _)| starts[row + 2] += 1);
    for row in 2..starts.len() {
        starts[row] += starts[row - 1];
    }
    let mut origins = vec![Origin { row: 0, spill: 0 }; starts[starts.len() - 1] as usize];
    for (row, origin) in laps() {
        origins[starts[row + 1] as usize] = origin;
        starts[row + 1] += 1;
    }
    (starts, origins)
}
