//! What the row builders are measured against: every position by itself, through the kernel that
//! the search uses, and dense indices.
#![allow(dead_code)]

use memmap2::MmapMut;
use sowbase::board::{ChainLap, Game, SingleLap, Word};
use sowbase::index::{HalfBoards, Numbered, Numbering};
use sowbase::rules::Rules;

/// Finished layers, from 0 up.
pub struct Textbook<G> {
    game: G,
    numbering: Numbering,
    /// By seeds and rank.
    rows: Vec<Vec<u64>>,
    layers: Vec<MmapMut>,
}

impl Textbook<SingleLap> {
    /// Builds the layers 0..=`top` of a game whose positions cannot repeat. Each value is computed once.
    pub fn acyclic(rules: &Rules, top: u32) -> Self {
        let mut book = Textbook::new(SingleLap::new(rules).expect("a game of this kind"), top);
        for seeds in 0..=top {
            let mut values = book.layer_in_work(seeds);
            book.sweep(seeds, &mut values);
            book.layers.push(values);
        }
        book
    }
}

impl Textbook<ChainLap> {
    /// Builds the layers 0..=`top` of a game whose positions can repeat. Each layer is swept by rising
    /// index, from 0 everywhere and in place, until no value changes.
    pub fn cyclic(rules: &Rules, top: u32) -> Self {
        let mut book = Textbook::new(ChainLap::new(rules).expect("a game of this kind"), top);
        for seeds in 0..=top {
            let mut values = book.layer_in_work(seeds);
            while book.sweep_by_index(seeds, &mut values) {}
            book.layers.push(values);
        }
        book
    }
}

impl<G> Textbook<G> {
    /// A layer: the value of each position by index, as a byte.
    pub fn layer(&self, seeds: u32) -> impl Iterator<Item = i8> {
        self.layers[seeds as usize].iter().map(|&byte| byte as i8)
    }
}

impl<G: Numbered + Game<Position = Word>> Textbook<G> {
    fn new(game: G, top: u32) -> Self {
        let numbering = Numbering::new(game.rules().pits().into(), top).expect("indices of 64 bits");
        let rows = (0..=top).map(|seeds| packed_rows(numbering.half_boards(), seeds)).collect();
        Textbook { game, numbering, rows, layers: Vec::new() }
    }

    fn layer_in_work(&self, seeds: u32) -> MmapMut {
        zeroed(self.numbering.layer(seeds).size() as usize)
    }

    /// Computes every value of a layer from those of its successors, by rising index. Returns whether
    /// any has changed.
    fn sweep_by_index(&self, seeds: u32, values: &mut [u8]) -> bool {
        let mut changed = false;
        let mut index = 0;
        for own in 0..=seeds {
            for &own_row in &self.rows[own as usize] {
                for &opponent in &self.rows[(seeds - own) as usize] {
                    changed |= self.update(index, Word { own: own_row, opponent }, values);
                    index += 1;
                }
            }
        }
        changed
    }

    /// Computes every value of a layer from those of its successors, in an order in which those of a
    /// game without repetitions come first.
    fn sweep(&self, seeds: u32, values: &mut [u8]) {
        (0..=seeds / 2).for_each(|lighter| self.fill_pair(seeds - lighter, lighter, values));
    }

    /// Fills the blocks in which the rows have so many seeds, whoever moves.
    ///
    /// A move that leaves all seeds in the mover's row lowers its rank, since it lowers prefix sums;
    /// then the other side moves. So in rising order of ranks all successors have been computed if
    /// both sides' positions of a pair of rows are computed together.
    fn fill_pair(&self, heavier: u32, lighter: u32, values: &mut [u8]) {
        let layer = self.numbering.layer(heavier + lighter);
        let (xs, ys) = (&self.rows[heavier as usize], &self.rows[lighter as usize]);
        for (i, &x) in xs.iter().enumerate() {
            // With as many seeds in both, each pair of rows comes once.
            let ys = if heavier == lighter { &ys[..=i] } else { ys };
            for (j, &y) in ys.iter().enumerate() {
                let index = layer.start(heavier) as usize + i * self.rows[lighter as usize].len() + j;
                self.update(index, Word { own: x, opponent: y }, values);
                let index = layer.start(lighter) as usize + j * xs.len() + i;
                self.update(index, Word { own: y, opponent: x }, values);
            }
        }
    }

    #[inline(always)]
    fn update(&self, index: usize, word: Word, values: &mut [u8]) -> bool {
        let value = self.value(word, values) as u8;
        std::mem::replace(&mut values[index], value) != value
    }

    #[inline(always)]
    fn value(&self, word: Word, in_work: &[u8]) -> i32 {
        let mut best = i32::MIN;
        self.game.for_each_move(&word, |played| {
            let next = self.game.halves(self.numbering.half_boards(), &played.next);
            let layer = self.layers.get(next.seeds() as usize).map_or(in_work, |layer| layer);
            let value = i32::from(layer[self.numbering.layer(next.seeds()).index(&next) as usize] as i8);
            best = best.max(played.gain + if played.again { value } else { -value });
        });
        if best == i32::MIN { self.game.end_value(&word).expect("no move, so it is over") } else { best }
    }
}

fn packed_rows(half_boards: &HalfBoards, seeds: u32) -> Vec<u64> {
    let pack = |row: &[u16]| row.iter().rev().fold(0, |word, &pit| word << 8 | u64::from(pit));
    half_boards.rows(seeds).map(|row| pack(&row)).collect()
}

/// On huge pages where the system grants them, as the builder's layers are.
fn zeroed(len: usize) -> MmapMut {
    let map = MmapMut::map_anon(len).expect("enough memory");
    // Refused advice only costs time.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    map
}
