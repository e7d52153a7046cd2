//! The general builder for every two-row game, whether or not its positions can repeat.
//!
//! The moves of a layer's positions are made once. Those that leave the layer lead to finished
//! values, so all that matters of them is the best, the *exit*; those that stay are kept as
//! *links*. Then all positions are computed in place from their exit and their links, again and
//! again until a whole sweep changes nothing.
//!
//! A cell starts where it is if the play never leaves the layer: at 0 for values, which counts
//! endless play as no further gain, and at the least and the most that can be for bounds. A
//! move that stays brings no points, so a value can only move away from 0, a lower bound only up
//! and an upper bound only down, and never past where it ends. Old and new cells may therefore mix
//! in any order, and neither the order nor the number of threads shows in the result.

use std::array::from_fn;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering::Relaxed};

use rayon::prelude::*;

use super::engine::{Engine, Rows, memory_of_rows, rows, with_game};
use crate::board::{Game, Ring, Row};
use crate::control::{Control, Stopped};
use crate::index::{Half, HalfBoards, Numbered, Numbering, TooLarge};
use crate::retrograde::Unfinished;
use crate::retrograde::layer_builder::LayerBuilder;
use crate::retrograde::method::Builder;

/// Positions of a strip, unless a single row of the mover has more of them.
const STRIP: u64 = 1 << 12;
/// The exit of a position all of whose moves stay in the layer: less than any value.
const NO_EXIT: i8 = i8::MIN;

/// A builder of values (`SIDES` = 1) or of lower and upper bounds (`SIDES` = 2, in this order).
///
/// What a side says of a position after a move of the opponent's comes from the other end: the mover
/// has at least what is left when the opponent gets the most he can.
pub(in crate::retrograde) struct Settler<const SIDES: usize> {
    engine: Engine,
    layers: Vec<[Vec<i8>; SIDES]>,
}

/// Consecutive positions of a layer: some rows of the mover, each against all of the opponent's.
struct Strip {
    own: u32,
    ranks: Range<u64>,
    /// Index of the first position.
    index: usize,
    positions: usize,
    /// Where its links begin.
    link: usize,
    links: usize,
}

/// A successor in the same layer: its index, and whether the mover of before goes on.
trait Link: Copy + Send + Sync {
    /// No further link.
    const NONE: Self;
    /// Largest size of a layer.
    const LIMIT: u64;
    fn new(index: u64, again: bool) -> Self;
    fn get(self) -> Option<(usize, bool)>;
}

macro_rules! link {
    ($word:ty) => {
        impl Link for $word {
            const NONE: Self = <$word>::MAX;
            const LIMIT: u64 = (<$word>::MAX >> 1) as u64;
            fn new(index: u64, again: bool) -> Self {
                (index as $word) << 1 | <$word>::from(again)
            }
            #[inline(always)]
            fn get(self) -> Option<(usize, bool)> {
                (self != Self::NONE).then_some(((self >> 1) as usize, self & 1 == 1))
            }
        }
    };
}
link!(u32);
link!(u64);

/// What the moves of a layer's positions come to.
struct MadeMoves<L, const SIDES: usize> {
    strips: Vec<Strip>,
    exits: Vec<[i8; SIDES]>,
    links: Vec<L>,
    /// Directions in which a pit can be sown.
    ways: usize,
}

/// Places for links in a layer: for each pit of the mover that holds seeds one a direction, over all positions.
/// A seed taken out of such a pit leaves any position of the layer below, so these are as many as
/// pits there. A mover without seeds has a place for a pass.
fn links(numbering: &Numbering, seeds: u32, ways: usize) -> Option<u64> {
    let half_boards = numbering.half_boards();
    let below = seeds.checked_sub(1).map_or(0, |below| numbering.layer(below).size());
    let places = below.checked_mul(half_boards.pits() as u64)?.checked_add(half_boards.count(seeds))?;
    places.checked_mul(ways as u64)
}

/// Most moves of a player with this row, whose pits can be sown in so many directions.
fn most_moves(own: &Row, ways: usize) -> usize {
    ways * own.iter().filter(|&&pit| pit > 0).count().max(1)
}

impl<const SIDES: usize> Settler<SIDES> {
    /// Bytes that building up to the last layer of a numbering takes.
    pub(in crate::retrograde) fn memory(ways: usize, numbering: &Numbering) -> Option<u64> {
        let top = numbering.max_seeds();
        let size = numbering.layer(top).size();
        let width = if size <= u32::LIMIT { size_of::<u32>() } else { size_of::<u64>() } as u64;
        let exits = size.checked_mul(SIDES as u64)?;
        let links = links(numbering, top, ways)?.checked_mul(width)?;
        let rows = memory_of_rows(numbering.half_boards(), top)?;
        [exits, links, rows, 1 << 20].into_iter().try_fold(Self::memory_kept(numbering)?, u64::checked_add)
    }

    /// Bytes of all layers of a numbering.
    pub(in crate::retrograde) fn memory_kept(numbering: &Numbering) -> Option<u64> {
        let mut sizes = (0..=numbering.max_seeds()).map(|seeds| numbering.layer(seeds).size());
        sizes.try_fold(0_u64, u64::checked_add)?.checked_mul(SIDES as u64)
    }

    pub(in crate::retrograde) fn new(engine: Engine) -> Settler<SIDES> {
        Settler { engine, layers: Vec::new() }
    }

    /// The sides of the next layer.
    fn settled<L: Link>(
        &self,
        numbering: &Numbering,
        control: &Control,
    ) -> Result<[Vec<i8>; SIDES], Stopped> {
        let seeds = self.next();
        let moves = with_game!(&self.engine, game => self.moves::<L, _>(game, numbering, control))?;
        let half_boards = numbering.half_boards();
        let most = seeds as i8;
        let start: [i8; SIDES] = from_fn(|side| if SIDES == 1 { 0 } else { [-most, most][side] });
        let cells: Vec<[AtomicI8; SIDES]> =
            (0..moves.exits.len()).map(|_| from_fn(|side| AtomicI8::new(start[side]))).collect();
        loop {
            let changed = AtomicBool::new(false);
            moves.strips.par_iter().try_for_each(|strip| {
                control.check()?;
                if moves.sweep(strip, half_boards, seeds, &cells) {
                    changed.store(true, Relaxed);
                }
                Ok(())
            })?;
            if !changed.into_inner() {
                break;
            }
        }
        drop(moves);
        Ok(from_fn(|side| cells.iter().map(|cell| cell[side].load(Relaxed)).collect()))
    }

    /// Makes the moves of all positions of the next layer.
    fn moves<L: Link, G: Numbered>(
        &self,
        game: &G,
        numbering: &Numbering,
        control: &Control,
    ) -> Result<MadeMoves<L, SIDES>, Stopped> {
        let rows = rows(game, numbering.half_boards(), self.next());
        let ways = game.rules().ways();
        let strips = strips(numbering, self.next(), ways);
        let size = strips.iter().map(|strip| strip.positions).sum();
        let places = strips.iter().map(|strip| strip.links).sum();
        let mut exits = vec![[NO_EXIT; SIDES]; size];
        let mut links = vec![L::NONE; places];
        let exits_of = parts(&mut exits, strips.iter().map(|strip| strip.positions));
        let links_of = parts(&mut links, strips.iter().map(|strip| strip.links));
        strips.par_iter().zip(exits_of).zip(links_of).try_for_each(|((strip, exits), links)| {
            control.check()?;
            self.fill(game, (numbering, &rows), strip, exits, links);
            control.advance(strip.positions as u64);
            Ok(())
        })?;
        Ok(MadeMoves { strips, exits, links, ways })
    }

    /// Makes the moves of the positions of a strip.
    fn fill<L: Link, G: Numbered>(
        &self,
        game: &G,
        (numbering, rows): (&Numbering, &Rows<G::Position>),
        strip: &Strip,
        exits: &mut [[i8; SIDES]],
        mut links: &mut [L],
    ) {
        let opponents = &rows[(self.next() - strip.own) as usize];
        let owns = &rows[strip.own as usize][strip.ranks.start as usize..strip.ranks.end as usize];
        for (own, exits) in owns.iter().zip(exits.chunks_mut(opponents.len())) {
            let places = most_moves(&game.unpack(own).own, game.rules().ways());
            for (opponent, exit) in opponents.iter().zip(exits) {
                let (here, rest) = links.split_at_mut(places);
                links = rest;
                *exit = self.make_moves(game, numbering, &game.facing(own, opponent), here);
            }
        }
    }

    /// Makes the moves of a position. Returns its exit, or the final value if the game is over.
    #[inline(always)]
    fn make_moves<L: Link, G: Numbered>(
        &self,
        game: &G,
        numbering: &Numbering,
        position: &G::Position,
        links: &mut [L],
    ) -> [i8; SIDES] {
        let mut exit = [NO_EXIT; SIDES];
        let mut is_over = true;
        let mut links = links.iter_mut();
        game.for_each_move(position, |played| {
            is_over = false;
            let next = game.halves(numbering.half_boards(), &played.next);
            let index = numbering.layer(next.seeds()).index(&next);
            let gain = played.gain - played.opponent_gain;
            let Some(layer) = self.layers.get(next.seeds() as usize) else {
                debug_assert_eq!(gain, 0, "points are seeds that leave the pits");
                let link = links.next().expect("a pit that holds seeds, or else a pass, is one move");
                *link = L::new(index, played.again);
                return;
            };
            for (side, exit) in exit.iter_mut().enumerate() {
                let value = if played.again {
                    i32::from(layer[side][index as usize])
                } else {
                    -i32::from(layer[SIDES - 1 - side][index as usize])
                };
                *exit = (*exit).max((gain + value) as i8);
            }
        });
        if is_over {
            let value = game.end_value(position).expect("a position without moves is over");
            exit = [value as i8; SIDES];
        }
        exit
    }
}

impl<const SIDES: usize> LayerBuilder<SIDES> for Settler<SIDES> {
    fn builder(&self) -> Builder {
        Builder::Settled(self.engine.moves_by())
    }

    fn next(&self) -> u32 {
        self.layers.len() as u32
    }

    fn layer(&self, side: usize, seeds: u32) -> &[i8] {
        &self.layers[seeds as usize][side]
    }

    /// It keeps nothing of a numbering.
    fn raise(&mut self, _: &Ring, _: &Numbering) -> Result<(), TooLarge> {
        Ok(())
    }

    fn adopt(&mut self, _: &Numbering, sides: [Vec<i8>; SIDES]) {
        self.layers.push(sides);
    }

    fn into_layers(self: Box<Self>) -> Vec<[Vec<i8>; SIDES]> {
        self.layers
    }

    fn build_next(&mut self, numbering: &Numbering, control: &Control) -> Result<(), Unfinished> {
        let settled = if numbering.layer(self.next()).size() <= u32::LIMIT {
            self.settled::<u32>(numbering, control)
        } else {
            self.settled::<u64>(numbering, control)
        };
        let settled = settled?;
        with_game!(&self.engine, game => game.check_laps())?;
        self.layers.push(settled);
        Ok(())
    }
}

impl<L: Link, const SIDES: usize> MadeMoves<L, SIDES> {
    /// Computes the positions of a strip once. Returns whether a cell has changed.
    fn sweep(
        &self,
        strip: &Strip,
        half_boards: &HalfBoards,
        seeds: u32,
        cells: &[[AtomicI8; SIDES]],
    ) -> bool {
        let opponents = half_boards.count(seeds - strip.own) as usize;
        let positions = strip.index..strip.index + strip.positions;
        let mut links = &self.links[strip.link..strip.link + strip.links];
        let mut own = Row::empty(half_boards.pits());
        let rows = self.exits[positions.clone()].chunks(opponents).zip(cells[positions].chunks(opponents));
        let mut changed = false;
        for (rank, (exits, own_cells)) in strip.ranks.clone().zip(rows) {
            half_boards.unrank(Half { seeds: strip.own, rank }, &mut own);
            let (here, rest) = links.split_at(opponents * most_moves(&own, self.ways));
            links = rest;
            for ((exit, cell), links) in
                exits.iter().zip(own_cells).zip(here.chunks(most_moves(&own, self.ways)))
            {
                changed |= settle(*exit, links, cells, cell);
            }
        }
        changed
    }
}

/// Computes one position. Returns whether its cell has changed.
#[inline(always)]
fn settle<L: Link, const SIDES: usize>(
    exit: [i8; SIDES],
    links: &[L],
    cells: &[[AtomicI8; SIDES]],
    cell: &[AtomicI8; SIDES],
) -> bool {
    let mut found = exit;
    for (index, again) in links.iter().map_while(|link| link.get()) {
        let next = &cells[index];
        for (side, found) in found.iter_mut().enumerate() {
            let value = if again { next[side].load(Relaxed) } else { -next[SIDES - 1 - side].load(Relaxed) };
            *found = (*found).max(value);
        }
    }
    let mut changed = false;
    for (cell, found) in cell.iter().zip(found) {
        if cell.load(Relaxed) != found {
            cell.store(found, Relaxed);
            changed = true;
        }
    }
    changed
}

/// The strips of a layer, in the order of their positions.
fn strips(numbering: &Numbering, seeds: u32, ways: usize) -> Vec<Strip> {
    let half_boards = numbering.half_boards();
    let mut strips = Vec::new();
    let (mut index, mut link) = (0, 0);
    for own in 0..=seeds {
        let opponents = half_boards.count(seeds - own);
        let mut rows = half_boards.rows(own);
        let mut first = 0;
        while first < half_boards.count(own) {
            let last = half_boards.count(own).min(first + (STRIP / opponents).max(1));
            let places: usize =
                rows.by_ref().take((last - first) as usize).map(|row| most_moves(&row, ways)).sum();
            let positions = ((last - first) * opponents) as usize;
            let links = places * opponents as usize;
            strips.push(Strip { own, ranks: first..last, index, positions, link, links });
            (index, link) = (index + positions, link + links);
            first = last;
        }
    }
    strips
}

/// Consecutive parts of a slice.
fn parts<T>(mut slice: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    lengths.map(|length| slice.split_off_mut(..length).expect("the parts make up the slice")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrograde::method::MovesBy;

    #[test]
    fn wide_links_settle_to_the_same_layers() {
        for (game, direction) in [("awari:4x1", "fixed"), ("kalah:3x1", "fixed"), ("kalah:3x1", "free")] {
            let mut rules = crate::rules::game(game).unwrap();
            rules.set("direction", direction).unwrap();
            let numbering = Numbering::new(rules.pits().into(), 7).unwrap();
            let mut settler =
                Settler::<2>::new(Engine::new(MovesBy::Ring, Ring::new(&rules).unwrap()).unwrap());
            for _ in 0..=7 {
                let wide = settler.settled::<u64>(&numbering, &Control::default()).unwrap();
                settler.build_next(&numbering, &Control::default()).unwrap();
                assert!(settler.layers.last() == Some(&wide), "{game} {direction}");
            }
        }
    }

    #[test]
    fn there_is_a_place_for_each_pit_that_holds_seeds() {
        let numbering = Numbering::new(3, 9).unwrap();
        for (seeds, ways) in (0..=9).flat_map(|seeds| [(seeds, 1), (seeds, 2)]) {
            let strips = strips(&numbering, seeds, ways);
            let places: usize = strips.iter().map(|strip| strip.links).sum();
            assert_eq!(Some(places as u64), links(&numbering, seeds, ways));
            let positions: usize = strips.iter().map(|strip| strip.positions).sum();
            assert_eq!(positions as u64, numbering.layer(seeds).size());
        }
    }
}
