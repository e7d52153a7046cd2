//! The fast builder for single-lap games: two whole rows of positions at a time.
//!
//! Take a half board X with s seeds and let it face every half board Y with t seeds. In one row
//! of positions X moves, in the other Y moves:
//!
//! - *X moves.* Each move of X is the same for the whole row, and all its successors lie in one
//!   row too: one of a finished layer or, if the move stays in X's row, the row in which Y moves
//!   against X after the move. The loop over Y runs along contiguous memory.
//! - *Y moves.* A move that stays in Y's row leads into the row in which X moves, just computed.
//!   All others lead into rows of finished layers that depend on X alone. These rows are written
//!   side by side into a buffer, and each move of Y is a fixed place in it ([`Replies`]).
//!
//! A move inside a row lowers its potential, so once all half boards of lower potential are done,
//! both rows of X can be filled, whatever Y is: all X of one potential are independent of each
//! other, and so are the pairs {s, t} of a layer. Each position is computed once, except in the
//! pair s = t, where both kinds of rows together hold each position twice.
//!
//! Each finished layer is kept twice, since both kinds of rows are read: in index order
//! (`by_mover`, a row for each half board of the mover) and with the roles of the halves exchanged
//! (`by_other`, a row for each half board of the other side). Transposing a block turns one into
//! the other.

use rayon::prelude::*;

use super::half_moves::{HalfMove, HalfMoves, LastSeed};
use super::replies::{Replies, Reply};
use super::shared_rows::SharedRows;
use super::transpose::transpose;
use super::vector_loops::{self, NO_VALUE, Pull, RowWork, Simd};
use crate::board::{Ring, final_share};
use crate::control::{Control, Stopped};
use crate::index::{HalfBoards, Numbering, TooLarge};
use crate::machine::zeroed;
use crate::retrograde::Unfinished;
use crate::retrograde::layer_builder::LayerBuilder;
use crate::retrograde::method::Builder;
use crate::rules::{End, ExtraMove, Rest, Switches, Trigger};

/// Rows shorter than this are not worth their overhead, so the half with fewer half boards is
/// then the one that stays fixed.
const SHORT_ROW: u64 = 700;

/// What the rules say about both rows at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Composition {
    /// A capture takes the seed that triggered it too.
    pub takes_last: bool,
    /// That seed is taken even if the opposite pit is empty.
    pub empty_capture: bool,
    /// A capture of opposite seeds earns an extra move.
    pub capture_again: bool,
    either_empty_ends: bool,
    rest: Rest,
}

impl Composition {
    fn new(s: &Switches) -> Composition {
        Composition {
            takes_last: s.trigger == Trigger::Take,
            empty_capture: s.trigger == Trigger::Take && s.empty_capture.yes(),
            capture_again: s.extra_move == ExtraMove::StoreOrCapture,
            either_empty_ends: s.end == End::RowEmpty,
            rest: s.rest,
        }
    }

    /// The value of all positions with these numbers of seeds in the mover's and the other row, if
    /// the game is over there.
    fn end_value(&self, own: u32, other: u32) -> Option<i8> {
        let over = own == 0 || (self.either_empty_ends && other == 0);
        over.then(|| final_share(self.rest, own, other) as i8)
    }
}

/// A finished layer.
struct FinishedLayer {
    by_mover: Vec<i8>,
    /// By seeds of the other side; empty in the last layer, which no layer reads.
    by_other: Vec<Vec<i8>>,
}

pub(in crate::retrograde) struct RowBuilder {
    half_moves: HalfMoves,
    replies: Vec<Replies>,
    composition: Composition,
    pits: usize,
    top: u32,
    /// By layer and the mover's seeds: where a block starts.
    starts: Vec<Vec<usize>>,
    layers: Vec<FinishedLayer>,
}

impl RowBuilder {
    /// Bytes that building up to the last layer of a numbering takes: what stays, and the blocks being
    /// transposed.
    pub(in crate::retrograde) fn memory(numbering: &Numbering) -> Option<u64> {
        let (top, half_boards) = (numbering.max_seeds(), numbering.half_boards());
        let pair = half_boards.count(top / 2).checked_mul(half_boards.count(top - top / 2))?;
        Self::memory_kept(numbering)?.checked_add(pair.checked_mul(2)?)
    }

    /// Bytes that stay taken: both orders of every layer but the last, the last one, and the tables over half
    /// boards.
    pub(in crate::retrograde) fn memory_kept(numbering: &Numbering) -> Option<u64> {
        let (top, half_boards) = (numbering.max_seeds(), numbering.half_boards());
        let mut bytes = numbering.layer(top).size();
        for seeds in 0..top {
            bytes = bytes.checked_add(numbering.layer(seeds).size().checked_mul(2)?)?;
        }
        let halves = half_boards.count_below(top + 1).checked_mul(24 * half_boards.pits() as u64 + 40)?;
        bytes.checked_add(halves)
    }

    pub(in crate::retrograde) fn new(ring: &Ring, numbering: &Numbering) -> Result<RowBuilder, TooLarge> {
        let pits = numbering.half_boards().pits();
        let mut builder = RowBuilder {
            half_moves: HalfMoves::new(pits),
            replies: Vec::new(),
            composition: Composition::new(ring.switches()),
            pits,
            top: 0,
            starts: Vec::new(),
            layers: Vec::new(),
        };
        builder.raise(ring, numbering)?;
        Ok(builder)
    }
}

impl LayerBuilder<1> for RowBuilder {
    fn builder(&self) -> Builder {
        Builder::AcyclicRows
    }

    fn next(&self) -> u32 {
        self.layers.len() as u32
    }

    fn layer(&self, _: usize, seeds: u32) -> &[i8] {
        &self.layers[seeds as usize].by_mover
    }

    fn into_layers(self: Box<Self>) -> Vec<[Vec<i8>; 1]> {
        self.layers.into_iter().map(|layer| [layer.by_mover]).collect()
    }

    fn raise(&mut self, ring: &Ring, numbering: &Numbering) -> Result<(), TooLarge> {
        let (half_boards, top) = (numbering.half_boards(), numbering.max_seeds());
        self.half_moves.raise(ring, half_boards, top)?;
        Replies::raise(&mut self.replies, &self.half_moves, half_boards, top, self.composition.takes_last)?;
        let starts = |n| (0..=n).map(|s| numbering.layer(n).start(s) as usize).collect();
        self.starts = (0..=top).map(starts).collect();
        self.top = top;
        // The last layer was kept in one order.
        if let Some(last) = self.layers.pop_if(|last| last.by_other.is_empty()) {
            self.adopt(numbering, [last.by_mover]);
        }
        Ok(())
    }

    fn adopt(&mut self, numbering: &Numbering, [by_mover]: [Vec<i8>; 1]) {
        let (n, half_boards) = (self.next(), numbering.half_boards());
        let mut by_other = Vec::new();
        if n < self.top {
            let index = numbering.layer(n);
            by_other = (0..=n)
                .into_par_iter()
                .map(|s| {
                    let block = &by_mover[index.start(n - s) as usize..index.start(n - s + 1) as usize];
                    let mut exchanged = zeroed(block.len());
                    transpose(block, &mut exchanged, half_boards.count(s) as usize);
                    exchanged
                })
                .collect();
        }
        self.layers.push(FinishedLayer { by_mover, by_other });
    }

    fn build_next(&mut self, numbering: &Numbering, control: &Control) -> Result<(), Unfinished> {
        let (n, half_boards) = (self.next(), numbering.half_boards());
        let keeps_both = n < self.top;
        let mut by_mover = zeroed(numbering.layer(n).size() as usize);
        let mut by_other: Vec<Vec<i8>> = vec![Vec::new(); n as usize + 1];

        // Hand both blocks of each pair {s, t}, in both orders, to one task.
        let mut blocks: Vec<Option<Block>> = Vec::new();
        let mut rest = &mut by_mover[..];
        for (s, other) in by_other.iter_mut().enumerate() {
            let size = half_boards.count(s as u32) * half_boards.count(n - s as u32);
            let (block, behind) = rest.split_at_mut(size as usize);
            rest = behind;
            blocks.push(Some(Block { by_mover: block, by_other: other }));
        }
        let mut pairs = Vec::new();
        for light in 0..=n / 2 {
            let heavy = n - light;
            let fixed = if half_boards.count(light) < SHORT_ROW { light } else { heavy };
            let block = blocks[fixed as usize].take().expect("each block is in one pair");
            pairs.push((fixed, block, blocks[(n - fixed) as usize].take()));
        }
        let builder = &*self;
        pairs.into_par_iter().rev().try_for_each(|(fixed, block, mirror)| {
            let pair = Pair { builder, half_boards, n, s: fixed, t: n - fixed };
            pair.fill(block, mirror, keeps_both, control)
        })?;
        self.layers
            .push(FinishedLayer { by_mover, by_other: if keeps_both { by_other } else { Vec::new() } });
        Ok(())
    }
}

/// The positions with some number of seeds in the row that names a row of the block.
struct Block<'a> {
    by_mover: &'a mut [i8],
    by_other: &'a mut Vec<i8>,
}

/// The positions of layer n with s seeds in one row and t in the other; the half boards with s
/// seeds are fixed one after the other.
struct Pair<'a> {
    builder: &'a RowBuilder,
    half_boards: &'a HalfBoards,
    n: u32,
    s: u32,
    t: u32,
}

impl Pair<'_> {
    fn fill(
        &self,
        block: Block,
        mirror: Option<Block>,
        keeps_both: bool,
        control: &Control,
    ) -> Result<(), Stopped> {
        let (rows, length) =
            (self.half_boards.count(self.s) as usize, self.half_boards.count(self.t) as usize);
        *block.by_other = zeroed(rows * length);
        {
            let moves = SharedRows::new(block.by_mover, length);
            let replies = SharedRows::new(block.by_other, length);
            let simd = Simd::detect();
            for class in self.builder.half_moves.by_potential(self.s) {
                control.check()?;
                class.par_iter().with_min_len(1 + 4096 / length).for_each_init(Vec::new, |buffer, &x| {
                    let rows = PairRows { pair: self, x: x as usize, moves: &moves, replies: &replies };
                    simd.run(FillRows(rows, buffer));
                });
                control.advance((class.len() * length * if self.s == self.t { 1 } else { 2 }) as u64);
            }
        }
        if let Some(mirror) = mirror {
            transpose(block.by_other, mirror.by_mover, length);
            if keeps_both {
                *mirror.by_other = zeroed(rows * length);
                transpose(block.by_mover, mirror.by_other, length);
            }
        }
        if !keeps_both {
            *block.by_other = Vec::new();
        }
        Ok(())
    }
}

/// The two rows of the half board with rank `x`.
struct PairRows<'a> {
    pair: &'a Pair<'a>,
    x: usize,
    /// By rank of the fixed half: the positions in which it moves.
    moves: &'a SharedRows<'a>,
    /// By rank of the fixed half: the positions in which the other half moves.
    replies: &'a SharedRows<'a>,
}

/// Fills both rows with a buffer as scratch space.
struct FillRows<'a>(PairRows<'a>, &'a mut Vec<i8>);

impl RowWork for FillRows<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let FillRows(rows, buffer) = self;
        // SAFETY: each half board is filled by one task alone, and its rows are read by others only
        // after all of its potential class are done.
        let (moves, replies) = unsafe { (rows.moves.row_mut(rows.x), rows.replies.row_mut(rows.x)) };
        rows.fill_moves(moves, buffer);
        rows.fill_replies(replies, moves, buffer);
    }
}

impl PairRows<'_> {
    fn count(&self, seeds: u32) -> usize {
        self.pair.half_boards.count(seeds) as usize
    }

    /// Values of a finished layer: the mover has the half board given, the other side any.
    #[inline(always)]
    fn by_mover(&self, layer: u32, seeds: u32, rank: usize) -> &[i8] {
        let length = self.count(layer - seeds);
        let values = &self.pair.builder.layers[layer as usize].by_mover;
        let start: usize = self.pair.builder.starts[layer as usize][seeds as usize];
        &values[start + rank * length..][..length]
    }

    /// Values of a finished layer, or of half boards of lower potential in this one: the other
    /// side has the half board given, the mover any.
    #[inline(always)]
    fn by_other(&self, layer: u32, seeds: u32, rank: usize) -> &[i8] {
        if layer == self.pair.n {
            // SAFETY: only a move inside the fixed half's row leads here, and it lowers the potential.
            return unsafe { self.replies.row(rank) };
        }
        let length = self.count(layer - seeds);
        &self.pair.builder.layers[layer as usize].by_other[seeds as usize][rank * length..][..length]
    }

    /// The positions in which the fixed half moves.
    #[inline(always)]
    fn fill_moves(&self, out: &mut [i8], buffer: &mut Vec<i8>) {
        let Pair { builder, n, s, t, .. } = *self.pair;
        if let Some(value) = builder.composition.end_value(s, t) {
            return out.fill(value);
        }
        out.fill(NO_VALUE);
        for half_move in builder.half_moves.moves(s, self.x) {
            let HalfMove { row, gain, spill, last } = *half_move;
            let pull = match last {
                LastSeed::NoMove => continue,
                LastSeed::Single(pit) => {
                    self.fill_captures(out, half_move, pit.into(), buffer);
                    continue;
                }
                LastSeed::Again | LastSeed::Over | LastSeed::Beyond(_) => {
                    let left = s - u32::from(gain) - u32::from(spill);
                    self.pull(last == LastSeed::Again, n - u32::from(gain), left, row as usize, gain)
                }
            };
            match spill {
                0 => vector_loops::improve(out, pull),
                _ => vector_loops::improve_at(out, pull, builder.half_moves.received(t, spill)),
            }
        }
    }

    /// The row of successors in which the fixed half, which has moved, has become the one given.
    #[inline(always)]
    fn pull(&self, again: bool, layer: u32, seeds: u32, rank: usize, gain: u8) -> Pull<'_> {
        if again {
            Pull::keep(self.by_mover(layer, seeds, rank), gain)
        } else {
            Pull::pass(self.by_other(layer, seeds, rank), gain)
        }
    }

    /// A move of the fixed half whose last seed fell alone into a pit: what it brings depends on
    /// the seeds in the opposite pit.
    #[inline(always)]
    fn fill_captures(&self, out: &mut [i8], half_move: &HalfMove, pit: usize, buffer: &mut Vec<i8>) {
        let Pair { builder, n, s, t, .. } = *self.pair;
        let Composition { takes_last, empty_capture, capture_again, .. } = builder.composition;
        let HalfMove { row, gain, spill, .. } = *half_move;
        let (row, left) = (row as usize, s - u32::from(gain) - u32::from(spill));
        let layer = n - u32::from(gain);
        let (taken_row, taken_left) =
            if takes_last { builder.half_moves.without_single(left, row, pit) } else { (row, left) };
        let taken = u8::from(takes_last);

        // The successors for all numbers of captured seeds side by side, most captured first: the
        // other row without its captured seeds, those with fewer seeds first.
        let facing = t + u32::from(spill);
        buffer.clear();
        buffer.resize(self.pair.half_boards.count_below(facing + 1) as usize, NO_VALUE);
        let mut free = &mut buffer[..];
        for captured in (1..=facing).rev() {
            let (part, behind) = free.split_at_mut(self.count(facing - captured));
            free = behind;
            let layer = layer - captured - u32::from(taken);
            let gain = gain + captured as u8 + taken;
            vector_loops::set(part, self.pull(capture_again, layer, taken_left, taken_row, gain));
        }
        let pull = if empty_capture {
            self.pull(false, layer - 1, taken_left, taken_row, gain + 1)
        } else {
            self.pull(false, layer, left, row, gain)
        };
        vector_loops::set(free, pull);

        let opposite = builder.half_moves.emptied(facing, builder.pits - 1 - pit);
        if spill == 0 {
            vector_loops::improve_at(out, Pull::plain(buffer), &opposite.row);
        } else {
            let received = builder.half_moves.received(t, spill);
            for (at, best) in out.iter_mut().enumerate() {
                *best = (*best).max(buffer[opposite.row.get(received.get(at))]);
            }
        }
    }

    /// The positions in which the other half moves; `moves` are those in which the fixed one does.
    #[inline(always)]
    fn fill_replies(&self, out: &mut [i8], moves: &[i8], buffer: &mut Vec<i8>) {
        let Pair { builder, s, t, .. } = *self.pair;
        if let Some(value) = builder.composition.end_value(t, s) {
            return out.fill(value);
        }
        let replies = &builder.replies[t as usize];
        buffer.clear();
        buffer.resize(replies.buffer_len(), NO_VALUE);
        for reply in replies.kinds() {
            self.fill_reply(&mut buffer[reply.range()], reply, moves);
        }
        replies.choose_best(buffer, out);
    }

    /// The values that one kind of reply can lead to, from the side of the replying half.
    #[inline(always)]
    fn fill_reply(&self, out: &mut [i8], reply: &Reply, moves: &[i8]) {
        let Pair { builder, n, s, t, .. } = *self.pair;
        let Composition { takes_last, empty_capture, capture_again, .. } = builder.composition;
        let Reply { last, gain, spill, .. } = *reply;
        let fixed = builder.half_moves.after_receiving(s, self.x, spill);
        let facing = s + u32::from(spill);
        let layer = n - u32::from(gain);
        // The row in which the fixed half moves on an otherwise unchanged board.
        let over = || if layer == n { moves } else { self.by_mover(layer, facing, fixed) };
        let LastSeed::Single(pit) = last else {
            return match last {
                LastSeed::Again => {
                    vector_loops::set(out, Pull::keep(self.by_other(layer, facing, fixed), gain))
                }
                _ => vector_loops::set(out, Pull::pass(over(), gain)),
            };
        };
        let (captured, without) =
            builder.half_moves.without(facing, fixed, builder.pits - 1 - usize::from(pit));
        let taken = u8::from(takes_last);
        if captured > 0 {
            let layer = layer - captured - u32::from(taken);
            let gain = gain + captured as u8 + taken;
            vector_loops::set(
                out,
                if capture_again {
                    Pull::keep(self.by_other(layer, facing - captured, without), gain)
                } else {
                    Pull::pass(self.by_mover(layer, facing - captured, without), gain)
                },
            );
        } else if empty_capture {
            vector_loops::set(out, Pull::pass(self.by_mover(layer - 1, facing, fixed), gain + 1));
        } else if takes_last {
            // The place is numbered without the last seed, which stays on the board.
            let left = t - u32::from(gain) - u32::from(spill);
            let stays = &builder.half_moves.emptied(left, pit.into()).singles;
            vector_loops::set_at(out, Pull::pass(over(), gain), stays);
        } else {
            vector_loops::set(out, Pull::pass(over(), gain));
        }
    }
}
