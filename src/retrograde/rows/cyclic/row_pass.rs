//! One pass over the layer in work of a cyclic game.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Change, Columns, CyclicRows, Field, pairs};
use crate::control::{Control, Stopped};
use crate::index::{Half, Halves, Numbering};
use crate::retrograde::rows::half_moves::{HalfMove, LastSeed};
use crate::retrograde::rows::lanes::{self, ImproveAt, ImproveRows, LANES, NO_MOVE, Successors, Zip};
use crate::retrograde::rows::shared_rows::SharedRows;
use crate::retrograde::rows::transpose::transpose;
use crate::retrograde::rows::vector_loops::{HasAtMost, Improve, NO_VALUE, Pull, Replace};

/// The blocks of one field.
struct Blocks<'a> {
    /// By the mover's seeds; a row for each half board of the mover.
    by_mover: Vec<SharedRows<'a>>,
    /// By the other side's seeds; a row for each half board of the other side.
    by_other: Vec<SharedRows<'a>>,
    exits: &'a [Vec<i8>],
}

/// A pass over all positions.
pub(super) struct RowPass<'a, const F: usize> {
    builder: &'a CyclicRows<F>,
    numbering: &'a Numbering,
    n: u32,
    blocks: Vec<Blocks<'a>>,
    collects: bool,
    /// Positions whose value has changed.
    changed: AtomicU64,
    /// Which ones, if that is asked for.
    list: Mutex<Vec<Change>>,
}

fn split<'a>(numbering: &Numbering, n: u32, cells: &'a mut [i8]) -> Vec<SharedRows<'a>> {
    let half_boards = numbering.half_boards();
    let mut rest = cells;
    let mut blocks = Vec::new();
    for seeds in 0..=n {
        let length = half_boards.count(n - seeds) as usize;
        let (block, behind) = rest.split_at_mut(half_boards.count(seeds) as usize * length);
        blocks.push(SharedRows::new(block, length));
        rest = behind;
    }
    blocks
}

impl<'a, const F: usize> RowPass<'a, F> {
    pub fn new(
        builder: &'a CyclicRows<F>,
        numbering: &'a Numbering,
        n: u32,
        fields: &'a mut [Field; F],
        collects: bool,
    ) -> Self {
        let blocks = fields.iter_mut().map(|field| Blocks {
            by_mover: split(numbering, n, &mut field.by_mover),
            by_other: split(numbering, n, &mut field.by_other),
            exits: &field.exits,
        });
        let (changed, list) = (AtomicU64::new(0), Mutex::default());
        RowPass { builder, numbering, n, blocks: blocks.collect(), collects, changed, list }
    }

    /// Makes the pass. Returns how many values have changed, and which ones if that was asked for.
    pub fn run(self, control: &Control) -> Result<(u64, Vec<Change>), Stopped> {
        for (fixed, other) in pairs(self.numbering.half_boards(), self.n) {
            self.fill(fixed, other, control)?;
        }
        Ok((self.changed.into_inner(), self.list.into_inner().expect("no panic while held")))
    }

    /// Fills the positions in which one side has `fixed` seeds and the other one has `other`.
    fn fill(&self, fixed: u32, other: u32, control: &Control) -> Result<(), Stopped> {
        let length = self.numbering.half_boards().count(other) as usize;
        for class in self.builder.half_moves.by_potential(fixed) {
            control.check()?;
            let groups = class.par_chunks(LANES).with_min_len(1 + 1024 / length);
            let scratch = groups.fold(Scratch::default, |mut scratch, xs| {
                PassRows { pass: self, fixed, other, xs }.fill(&mut scratch);
                scratch
            });
            scratch.for_each(|mut scratch| {
                self.changed.fetch_add(scratch.changed, Relaxed);
                self.list.lock().expect("no panic while held").append(&mut scratch.list);
            });
        }
        for Blocks { by_mover, by_other, .. } in &self.blocks {
            let [fixed, other] = [fixed as usize, other as usize];
            // SAFETY: the tasks of this pair are done, and no other pair is at work.
            unsafe {
                transpose(by_other[fixed].all(), by_mover[other].all_mut(), length);
                if fixed != other {
                    transpose(by_mover[fixed].all(), by_other[other].all_mut(), length);
                }
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Scratch {
    /// The rows being filled.
    rows: [Vec<i8>; LANES],
    columns: Columns,
    /// Moves of the half boards that cross over, and in which lane.
    crossing: Vec<(HalfMove, usize)>,
    changed: u64,
    list: Vec<Change>,
}

/// The rows of at most [`LANES`] half boards of one potential, by rank.
struct PassRows<'a, const F: usize> {
    pass: &'a RowPass<'a, F>,
    fixed: u32,
    other: u32,
    xs: &'a [u32],
}

impl<const F: usize> PassRows<'_, F> {
    fn fill(&self, scratch: &mut Scratch) {
        let length = self.count(self.other);
        scratch.rows.iter_mut().for_each(|row| row.resize(length, NO_VALUE));
        for field in 0..F {
            self.fill_moves(field, scratch);
        }
        for field in 0..F {
            self.fill_replies(field, scratch);
        }
    }
}

// The rows that a task writes are those of its own half boards X, in `by_mover` and `by_other` of the
// blocks with `fixed` seeds. Where X moves, it reads `by_other`: of X's block only half boards of
// lower potential, done before. Where the other half moves, it reads `by_mover`: of X's block only
// the rows of its own ones. All other blocks are not written while the pair is filled.
impl<const F: usize> PassRows<'_, F> {
    fn count(&self, seeds: u32) -> usize {
        self.pass.numbering.half_boards().count(seeds) as usize
    }

    /// The positions in which the fixed halves move.
    fn fill_moves(&self, field: usize, scratch: &mut Scratch) {
        let &PassRows { pass, fixed, other, xs } = self;
        let builder = pass.builder;
        let source = &pass.blocks[CyclicRows::<F>::source(field)].by_other;
        let length = self.count(other);
        let Scratch { rows, crossing, .. } = scratch;
        if fixed == 0 || other == 0 {
            rows.iter_mut().for_each(|row| row.fill(NO_VALUE));
        } else {
            crossing.clear();
            for (lane, (&x, out)) in xs.iter().zip(rows).enumerate() {
                let exits = &pass.blocks[field].exits[fixed as usize];
                out.copy_from_slice(&exits[x as usize * length..][..length]);
                for half_move in builder.half_moves.moves(fixed, x as usize) {
                    match half_move {
                        HalfMove { last: LastSeed::NoMove, .. } => (),
                        HalfMove { row, spill: 0, .. } => {
                            // SAFETY: nobody writes the row meanwhile, as said above.
                            let successors = unsafe { source[fixed as usize].row(*row as usize) };
                            builder.simd.run(Improve(out, Pull::pass(successors, 0)));
                        }
                        crosses => crossing.push((*crosses, lane)),
                    }
                }
            }
            self.cross_over(source, scratch);
        }
        for (lane, &x) in xs.iter().enumerate() {
            let x = x as usize;
            self.settle_special(&mut scratch.rows[lane], |y| {
                let position = Halves { own: half(fixed, x), opponent: half(other, y) };
                builder.value_by_rules(pass.numbering, field, &position, |next| {
                    // SAFETY: as above.
                    let row =
                        unsafe { source[next.opponent.seeds as usize].row(next.opponent.rank as usize) };
                    row[next.own.rank as usize]
                })
            });
            let first = pass.numbering.layer(pass.n).start(fixed) as usize + x * length;
            let target = &pass.blocks[field].by_mover[fixed as usize];
            // If both halves have as many seeds, each position is in both kinds of rows, and the other
            // kind is the one that counts.
            self.store(target, (x, lane), fixed != other, |y| Change::new(0, first + y, field), scratch);
        }
    }

    /// The moves of the fixed halves that drop seeds into the other one: those that drop as many and
    /// end in the same row lead to the same places in their rows of successors.
    fn cross_over(&self, source: &[SharedRows], scratch: &mut Scratch) {
        let &PassRows { pass, fixed, other, .. } = self;
        let builder = pass.builder;
        let Scratch { rows, columns: Columns { successors, best, none }, crossing, .. } = scratch;
        let ends_there = |half_move: &HalfMove| matches!(half_move.last, LastSeed::Beyond(_));
        crossing.sort_unstable_by_key(|(half_move, lane)| (half_move.spill, ends_there(half_move), *lane));
        best.clear();
        best.resize(self.count(other), [NO_MOVE; LANES]);
        let mut at = 0;
        while let Some((first, _)) = crossing.get(at) {
            let (spill, captures) = (first.spill, ends_there(first));
            let length = self.count(other + u32::from(spill));
            lanes::no_moves(none, length);
            let mut found = Successors::none(&none[..length]);
            let mut filled = [false; LANES];
            while let Some(&(half_move, lane)) = crossing.get(at) {
                if (half_move.spill, ends_there(&half_move)) != (spill, captures) || filled[lane] {
                    break;
                }
                // SAFETY: nobody writes the row meanwhile, as said above.
                let row = unsafe { source[(fixed - u32::from(spill)) as usize].row(half_move.row as usize) };
                found.set(lane, row, 0);
                filled[lane] = true;
                at += 1;
            }
            found.prefetch();
            successors.resize(length + 1, [NO_MOVE; LANES]);
            builder.simd.run(Zip(&found, &mut successors[..length]));
            successors[length] = [NO_MOVE; LANES];
            let places = if captures {
                builder.quiet_laps.places(other, spill)
            } else {
                builder.half_moves.received(other, spill)
            };
            builder.simd.run(ImproveAt(best, successors, places));
        }
        builder.simd.run(ImproveRows(rows, best));
    }

    /// The positions in which the other half moves.
    fn fill_replies(&self, field: usize, scratch: &mut Scratch) {
        let &PassRows { pass, fixed, other, xs } = self;
        let builder = pass.builder;
        let source = &pass.blocks[CyclicRows::<F>::source(field)].by_mover;
        let Scratch { rows, columns, .. } = scratch;
        rows.iter_mut().for_each(|row| row.fill(NO_VALUE));
        if fixed > 0 && other > 0 {
            let halves = (fixed, xs);
            builder.improve_by_replies(
                pass.numbering,
                pass.n,
                field,
                halves,
                columns,
                rows,
                |seeds, rank| {
                    // SAFETY: nobody writes the row meanwhile, as said above.
                    Some(unsafe { source[seeds as usize].row(rank) })
                },
            );
        }
        for (lane, &x) in xs.iter().enumerate() {
            let x = x as usize;
            self.settle_special(&mut scratch.rows[lane], |y| {
                let position = Halves { own: half(other, y), opponent: half(fixed, x) };
                builder.value_by_rules(pass.numbering, field, &position, |next| {
                    // SAFETY: as above.
                    let row = unsafe { source[next.own.seeds as usize].row(next.own.rank as usize) };
                    row[next.opponent.rank as usize]
                })
            });
            let first = pass.numbering.layer(pass.n).start(other) as usize + x;
            let (rows, target) = (self.count(fixed), &pass.blocks[field].by_other[fixed as usize]);
            self.store(target, (x, lane), true, |y| Change::new(0, first + y * rows, field), scratch);
        }
    }

    /// Enters the values of positions without any plain move.
    fn settle_special(&self, out: &mut [i8], value: impl Fn(usize) -> i8) {
        if self.pass.builder.simd.run(HasAtMost(out, NO_MOVE)) {
            for (y, cell) in out.iter_mut().enumerate().filter(|(_, cell)| **cell <= NO_MOVE) {
                *cell = value(y);
            }
        }
    }

    /// Writes the row that was computed and counts what has changed.
    fn store(
        &self,
        target: &SharedRows,
        (x, lane): (usize, usize),
        counts: bool,
        change: impl Fn(usize) -> Change,
        scratch: &mut Scratch,
    ) {
        // SAFETY: the row of this half board is this task's, and nobody reads it before the next class.
        let row = unsafe { target.row_mut(x) };
        let new = &scratch.rows[lane];
        if counts && self.pass.collects {
            let cells = row.iter().zip(new).enumerate();
            let changed = cells.filter(|(_, (old, new))| old != new);
            scratch.list.extend(changed.map(|(y, (&old, _))| change(y).with_old(old)));
        }
        let changed = self.pass.builder.simd.run(Replace(row, new));
        scratch.changed += if counts { changed } else { 0 };
    }
}

fn half(seeds: u32, rank: usize) -> Half {
    Half { seeds, rank: rank as u64 }
}
