//! The fast builder for single-lap games whose positions can repeat: two whole rows of positions at
//! a time, again and again until nothing changes.
//!
//! Moves that capture lead to finished layers, all others stay in the layer and may go round in
//! circles. A play that never leaves brings nothing further, so the value is the limit of
//!
//! ```text
//! v(p) <- max over the moves of p (gain - v(successor))        from 0 everywhere in the layer
//! ```
//!
//! in any order and in place: what is known of a value only ever moves away from where it started
//! and never past the true one, so the limit is unique. The bounds that hold whatever a repetition
//! is worth are the limit of two such fields, the lower from -n and the upper from n, each pulling
//! from the other.
//!
//! As in `acyclic`, a half board X faces every half board Y, and two rows are filled: X
//! moves, then Y moves. Moves inside a row lower its potential, so with the half boards X by rising
//! potential a pass settles whatever the two rows do without touching each other; only seeds that
//! cross over wait for the next pass. Most values settle in a few passes, and the rest position
//! by position (`last_changes`).
//!
//! A layer in work is kept in both orders: `by_mover`, and `by_other` with the roles of the halves
//! exchanged. In the rows where X moves all successors lie in rows of `by_other`, in the others in
//! rows of `by_mover`, and a pair of blocks writes into copies that are not read while it is filled:
//! the other two copies follow by transposing when it is done.

mod last_changes;
mod quiet_laps;
mod row_pass;

use rayon::prelude::*;

use super::half_moves::{HalfMove, HalfMoves, LastSeed};
use super::lanes::{self, ImproveAt, ImproveRows, LANES, Lanes, NO_MOVE, Successors, Zip};
use super::replies::{Replies, Reply};
use super::shared_rows::SharedRows;
use super::transpose::transpose;
use super::vector_loops::{NO_VALUE, Simd};
use crate::board::{ChainLap, Game, Ring};
use crate::control::{Control, Stopped};
use crate::index::{Half, HalfBoards, Halves, Numbering, TooLarge};
use crate::machine::zeroed;
use crate::retrograde::layer_builder::LayerBuilder;
use crate::retrograde::method::Builder;
use crate::retrograde::{Unfinished, worth};
use last_changes::LapsBack;
use quiet_laps::{QuietLaps, WholeCapture};
use row_pass::RowPass;

/// Rows shorter than this are not worth their overhead, so the half with fewer half boards is
/// then the one that stays fixed.
const SHORT_ROW: u64 = 700;
/// Changed positions are collected once a pass has changed fewer than one in this many.
const COLLECT: u64 = 20;
/// The rest is done position by position once a pass has changed fewer than one in this many.
const FEW: u64 = 300;
/// Passes that progress counts on.
const PASSES: u64 = 8;

/// Builds `F` fields of each layer: one that pulls from itself, or two that pull from each other.
pub(in crate::retrograde) struct CyclicRows<const F: usize> {
    pub(super) game: ChainLap,
    pub(super) half_moves: HalfMoves,
    pub(super) replies: Vec<Replies>,
    pub(super) simd: Simd,
    whole_capture: WholeCapture,
    quiet_laps: QuietLaps,
    laps_back: LapsBack,
    /// By field and layer, in index order.
    finished: [Vec<Vec<i8>>; F],
}

/// One field of the layer in work.
pub(super) struct Field {
    pub by_mover: Vec<i8>,
    pub by_other: Vec<i8>,
    /// By seeds of the fixed half and in index order: the worth of the best move that leaves the
    /// layer, in the positions in which the fixed half moves.
    pub exits: Vec<Vec<i8>>,
}

/// A changed position: its old value, its index, and its field.
#[derive(Clone, Copy)]
pub(super) struct Change(u64);

impl Change {
    const INDEX_BITS: u32 = 54;

    #[inline(always)]
    pub fn new(old: i8, index: usize, field: usize) -> Change {
        Change(u64::from(old as u8) << 56 | (field as u64) << Self::INDEX_BITS | index as u64)
    }

    pub fn with_old(self, old: i8) -> Change {
        Change(self.0 | u64::from(old as u8) << 56)
    }

    pub fn old(self) -> i8 {
        (self.0 >> 56) as i8
    }

    pub fn index(self) -> u64 {
        self.0 & ((1 << Self::INDEX_BITS) - 1)
    }

    pub fn field(self) -> usize {
        (self.0 >> Self::INDEX_BITS) as usize & 1
    }
}

/// The pairs of blocks of a layer, as seeds of the fixed half and of the other one. Seeds that cross
/// over make a light half lighter or a heavy one the light one, so the most unequal pairs come first.
pub(super) fn pairs(half_boards: &HalfBoards, n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..=n / 2).map(move |light| {
        let fixed = if half_boards.count(light) < SHORT_ROW { light } else { n - light };
        (fixed, n - fixed)
    })
}

impl<const F: usize> CyclicRows<F> {
    /// Bytes that building the fields up to the last layer of a numbering takes at most at a time: what
    /// stays, the layer in work in the other order and its exits, a list of changed positions whose room
    /// doubles as it grows, and the program itself.
    pub(in crate::retrograde) fn memory(numbering: &Numbering) -> Option<u64> {
        const PROGRAM: u64 = 8 << 20;
        let size = numbering.layer(numbering.max_seeds()).size();
        let list = size.checked_mul(3 * size_of::<Change>() as u64)? / (2 * COLLECT);
        let in_work = size.checked_mul(3)?.div_ceil(2).checked_add(list)?.checked_mul(F as u64)?;
        Self::memory_kept(numbering)?.checked_add(in_work)?.checked_add(PROGRAM)
    }

    /// Bytes that stay taken when the last layer of a numbering is built: all layers, and the tables of half
    /// boards.
    pub(in crate::retrograde) fn memory_kept(numbering: &Numbering) -> Option<u64> {
        let (top, half_boards) = (numbering.max_seeds(), numbering.half_boards());
        let layers =
            (0..=top).map(|seeds| numbering.layer(seeds).size()).try_fold(0_u64, u64::checked_add)?;
        let pits = half_boards.pits() as u64;
        // A half board faces top / (pits + 1) numbers of seeds on average that a lap may drop into it, with
        // two places of four bytes for each; the rest is 28 bytes a pit and 8 more.
        let bytes = (28 * pits + 8) + 8 * u64::from(top) / (pits + 1);
        layers.checked_mul(F as u64)?.checked_add(half_boards.count_below(top + 1).checked_mul(bytes)?)
    }

    /// The field that a field pulls from.
    pub(super) const fn source(field: usize) -> usize {
        F - 1 - field
    }

    pub(in crate::retrograde) fn new(
        ring: &Ring,
        game: ChainLap,
        numbering: &Numbering,
    ) -> Result<Self, TooLarge> {
        let mut builder = CyclicRows {
            simd: Simd::detect(),
            game,
            half_moves: HalfMoves::new(numbering.half_boards().pits()),
            replies: Vec::new(),
            whole_capture: WholeCapture::new(ring.switches()),
            quiet_laps: QuietLaps::default(),
            laps_back: LapsBack::default(),
            finished: std::array::from_fn(|_| Vec::new()),
        };
        builder.raise(ring, numbering)?;
        Ok(builder)
    }

    /// The worth of the best capture in the positions in which the fixed half moves, in index order.
    fn exits(
        &self,
        numbering: &Numbering,
        fixed: u32,
        other: u32,
        field: usize,
        control: &Control,
    ) -> Result<Vec<i8>, Stopped> {
        if fixed == 0 || other == 0 {
            return Ok(Vec::new());
        }
        let half_boards = numbering.half_boards();
        let (rows, length) = (half_boards.count(other) as usize, half_boards.count(fixed) as usize);
        let mut by_other = zeroed(rows * length);
        {
            let cells = SharedRows::new(&mut by_other, length);
            let ranks: Vec<u32> = (0..rows as u32).collect();
            ranks.par_chunks(LANES).with_min_len(1 + 1024 / length).try_for_each_init(
                Default::default,
                |scratch, ranks| {
                    control.check()?;
                    let rows =
                        ExitRows { builder: self, numbering, fixed, other, field, ranks, cells: &cells };
                    rows.fill(scratch);
                    Ok(())
                },
            )?;
        }
        let mut exits = zeroed(rows * length);
        transpose(&by_other, &mut exits, length);
        Ok(exits)
    }

    /// Values of a finished layer: the mover has the half board given, the other side any.
    #[inline(always)]
    pub(super) fn finished(
        &self,
        numbering: &Numbering,
        field: usize,
        layer: u32,
        seeds: u32,
        rank: usize,
    ) -> &[i8] {
        let length = numbering.half_boards().count(layer - seeds) as usize;
        let start = numbering.layer(layer).start(seeds) as usize;
        &self.finished[field][layer as usize][start + rank * length..][..length]
    }
}

impl<const F: usize> LayerBuilder<F> for CyclicRows<F> {
    fn builder(&self) -> Builder {
        Builder::CyclicRows
    }

    fn next(&self) -> u32 {
        self.finished[0].len() as u32
    }

    fn layer(&self, field: usize, seeds: u32) -> &[i8] {
        &self.finished[field][seeds as usize]
    }

    fn raise(&mut self, ring: &Ring, numbering: &Numbering) -> Result<(), TooLarge> {
        let (half_boards, top) = (numbering.half_boards(), numbering.max_seeds());
        self.half_moves.raise(ring, half_boards, top)?;
        Replies::raise(&mut self.replies, &self.half_moves, half_boards, top, false)?;
        self.quiet_laps = QuietLaps::new(&self.half_moves, half_boards, top, self.whole_capture);
        self.laps_back = LapsBack::new(&self.half_moves, half_boards, top);
        Ok(())
    }

    fn adopt(&mut self, _: &Numbering, layers: [Vec<i8>; F]) {
        for (finished, layer) in self.finished.iter_mut().zip(layers) {
            finished.push(layer);
        }
    }

    fn into_layers(self: Box<Self>) -> Vec<[Vec<i8>; F]> {
        let layers = self.next();
        let mut fields = self.finished.map(Vec::into_iter);
        let of_field = |field: &mut std::vec::IntoIter<Vec<i8>>| field.next().expect("all fields of a layer");
        (0..layers).map(|_| fields.each_mut().map(of_field)).collect()
    }

    fn build_next(&mut self, numbering: &Numbering, control: &Control) -> Result<(), Unfinished> {
        let n = self.next();
        let size = numbering.layer(n).size();
        let mut fields: [Field; F] = std::array::from_fn(|field| {
            let start = match (F, field) {
                (1, _) => 0,
                (_, 0) => -(n as i8),
                _ => n as i8,
            };
            let cells = || filled(size as usize, start);
            Field { by_mover: cells(), by_other: cells(), exits: vec![Vec::new(); n as usize + 1] }
        });
        for (field, work) in fields.iter_mut().enumerate() {
            for (fixed, other) in pairs(numbering.half_boards(), n) {
                work.exits[fixed as usize] = self.exits(numbering, fixed, other, field, control)?;
            }
        }
        let (mut passes, mut collects) = (0, false);
        let rest = loop {
            let (changed, list) = RowPass::new(self, numbering, n, &mut fields, collects).run(control)?;
            passes += 1;
            if passes < PASSES {
                control.advance(size / PASSES);
            }
            if changed == 0 || collects && changed * FEW < size {
                break list;
            }
            collects = changed * COLLECT < size;
        };
        let mut by_mover = fields.map(|field| field.by_mover);
        self.laps_back.settle(self, numbering, n, &mut by_mover, rest, control)?;
        control.advance(size - size / PASSES * (PASSES - 1).min(passes));
        self.adopt(numbering, by_mover);
        Ok(())
    }
}

fn filled(size: usize, start: i8) -> Vec<i8> {
    let mut cells = zeroed(size);
    if start != 0 {
        cells.par_chunks_mut(1 << 20).for_each(|cells| cells.fill(start));
    }
    cells
}

/// What a lap of one row does that ends a certain way, when another row is fixed.
pub(super) enum LapEffect<'a> {
    /// Nothing is captured: the rank of the fixed row with the seeds it received.
    Quiet(usize),
    /// Everything would be captured, which may only be where there is no other move.
    WholeCapture,
    /// A capture: the row of a finished layer that it leads to, and the seeds taken.
    Capture(&'a [i8], u8),
}

impl<const F: usize> CyclicRows<F> {
    /// What laps of one kind do to a row with `seeds` seeds in layer n, in a field that pulls from
    /// another.
    #[inline(always)]
    pub(super) fn lap_effect(
        &self,
        numbering: &Numbering,
        n: u32,
        field: usize,
        (seeds, rank): (u32, usize),
        spill: u8,
        last: LastSeed,
    ) -> LapEffect<'_> {
        let after = seeds + u32::from(spill);
        let received = self.half_moves.after_receiving(seeds, rank, spill);
        let LastSeed::Beyond(pit) = last else { return LapEffect::Quiet(received) };
        let (taken, left) = self.half_moves.without(after, received, pit.into());
        match self.whole_capture {
            _ if taken == 0 => LapEffect::Quiet(received),
            WholeCapture::Quiet if taken == after => LapEffect::Quiet(received),
            WholeCapture::LastResort if taken == after => LapEffect::WholeCapture,
            _ => {
                let row = self.finished(numbering, Self::source(field), n - taken, after - taken, left);
                LapEffect::Capture(row, taken as u8)
            }
        }
    }
}

impl<const F: usize> CyclicRows<F> {
    /// The value of a position of layer n by its moves; `in_work` reads the field that this one pulls
    /// from.
    #[inline(always)]
    pub(super) fn value(
        &self,
        numbering: &Numbering,
        field: usize,
        halves: &Halves,
        in_work: impl Fn(&Halves) -> i8,
    ) -> i8 {
        let (n, Halves { own, opponent }) = (halves.seeds(), *halves);
        if own.seeds == 0 || opponent.seeds == 0 {
            return self.value_by_rules(numbering, field, halves, in_work);
        }
        let mut best = NO_VALUE;
        for &HalfMove { row, spill, last, .. } in self.half_moves.moves(own.seeds, own.rank as usize) {
            if last == LastSeed::NoMove {
                continue;
            }
            let worth = match self.lap_effect(
                numbering,
                n,
                field,
                (opponent.seeds, opponent.rank as usize),
                spill,
                last,
            ) {
                LapEffect::Quiet(received) => {
                    let opponent = Half { seeds: own.seeds - u32::from(spill), rank: row.into() };
                    -in_work(&Halves {
                        own: Half { seeds: n - opponent.seeds, rank: received as u64 },
                        opponent,
                    })
                }
                LapEffect::Capture(successors, taken) => taken as i8 - successors[row as usize],
                LapEffect::WholeCapture => continue,
            };
            best = best.max(worth);
        }
        if best == NO_VALUE { self.value_by_rules(numbering, field, halves, in_work) } else { best }
    }

    /// As [`CyclicRows::value`], where duties to feed or captures of everything decide what is legal.
    #[cold]
    #[inline(never)]
    pub(super) fn value_by_rules(
        &self,
        numbering: &Numbering,
        field: usize,
        halves: &Halves,
        in_work: impl Fn(&Halves) -> i8,
    ) -> i8 {
        let n = halves.seeds();
        let position = self.game.pack(&numbering.position(n, numbering.layer(n).index(halves)));
        worth(&self.game, numbering.half_boards(), &position, |next| match next.seeds() {
            seeds if seeds == n => in_work(next),
            seeds => self.layer(Self::source(field), seeds)[numbering.layer(seeds).index(next) as usize],
        })
    }
}

/// Scratch space for rows taken together.
#[derive(Default)]
pub(super) struct Columns {
    /// Rows of successors, side by side.
    pub successors: Vec<Lanes>,
    /// The best of the moves so far, side by side.
    pub best: Vec<Lanes>,
    /// A row of moves that do not exist.
    pub none: Vec<i8>,
}

impl<const F: usize> CyclicRows<F> {
    /// Raises rows to the best laps of all half boards of one side in layer n, each row against one
    /// half board of the other side, given by its seeds and rank. `quiet` tells which row of
    /// successors a lap leads to that captures nothing, by the seeds and rank of what the half board
    /// becomes, if that counts.
    #[allow(clippy::too_many_arguments)] // two of them are scratch space
    pub(super) fn improve_by_replies<'a>(
        &'a self,
        numbering: &Numbering,
        n: u32,
        field: usize,
        (seeds, ranks): (u32, &[u32]),
        columns: &mut Columns,
        rows: &mut [Vec<i8>; LANES],
        quiet: impl Fn(u32, usize) -> Option<&'a [i8]>,
    ) {
        let mover = n - seeds;
        let replies = &self.replies[mover as usize];
        let count = numbering.half_boards().count(mover) as usize;
        let Columns { successors, best, none } = columns;
        lanes::no_moves(none, count);
        successors.resize(replies.buffer_len(), [NO_MOVE; LANES]);
        // The place of no move.
        successors[0] = [NO_MOVE; LANES];
        let rows_of = |reply: &Reply| {
            let mut found = Successors::none(&none[..reply.range().len()]);
            for (lane, &rank) in ranks.iter().enumerate() {
                match self.lap_effect(numbering, n, field, (seeds, rank as usize), reply.spill, reply.last) {
                    LapEffect::Quiet(received) => {
                        if let Some(row) = quiet(seeds + u32::from(reply.spill), received) {
                            found.set(lane, row, 0);
                        }
                    }
                    LapEffect::WholeCapture => (),
                    LapEffect::Capture(row, taken) => found.set(lane, row, taken),
                }
            }
            found.prefetch();
            found
        };
        // The rows of the next kind are on their way while those of one are used.
        let mut kinds = replies.kinds().iter().peekable();
        let mut ahead = kinds.peek().map(|reply| rows_of(reply));
        while let (Some(reply), Some(found)) = (kinds.next(), ahead) {
            ahead = kinds.peek().map(|reply| rows_of(reply));
            self.simd.run(Zip(&found, &mut successors[reply.range()]));
        }
        best.clear();
        best.resize(count, [NO_MOVE; LANES]);
        for places in replies.places() {
            self.simd.run(ImproveAt(best, successors, places));
        }
        self.simd.run(ImproveRows(rows, best));
    }
}

/// Captures from some rows by every half board of the fixed half.
struct ExitRows<'a, const F: usize> {
    builder: &'a CyclicRows<F>,
    numbering: &'a Numbering,
    fixed: u32,
    other: u32,
    field: usize,
    /// The ranks of at most [`LANES`] rows.
    ranks: &'a [u32],
    cells: &'a SharedRows<'a>,
}

impl<const F: usize> ExitRows<'_, F> {
    fn fill(&self, (columns, rows): &mut (Columns, [Vec<i8>; LANES])) {
        let length = self.numbering.half_boards().count(self.fixed) as usize;
        for row in rows.iter_mut() {
            row.clear();
            row.resize(length, NO_VALUE);
        }
        let n = self.fixed + self.other;
        let halves = (self.other, self.ranks);
        self.builder.improve_by_replies(self.numbering, n, self.field, halves, columns, rows, |_, _| None);
        for (&rank, row) in self.ranks.iter().zip(rows) {
            // SAFETY: each row is the business of one task alone.
            unsafe { self.cells.row_mut(rank as usize) }.copy_from_slice(row);
        }
    }
}
