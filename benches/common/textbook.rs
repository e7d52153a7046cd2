//! What the row builder is measured against: every position by itself, through the kernel that
//! the search uses, dense indices and each value computed once.
#![allow(dead_code)]

use memmap2::MmapMut;
use sowbase::board::{Game, SingleLap, Word};
use sowbase::index::{HalfBoards, Numbered, Numbering};
use sowbase::rules::Rules;

/// Finished layers, from 0 up.
pub struct Textbook {
    game: SingleLap,
    numbering: Numbering,
    /// By seeds and rank.
    rows: Vec<Vec<u64>>,
    layers: Vec<MmapMut>,
}

impl Textbook {
    /// Builds the layers 0..=`top`.
    pub fn build(rules: &Rules, top: u32) -> Textbook {
        let game = SingleLap::new(rules).expect("a game of this kind");
        let numbering = Numbering::new(rules.pits.into(), top).expect("indices of 64 bits");
        let rows = (0..=top).map(|seeds| packed_rows(numbering.half_boards(), seeds)).collect();
        let mut book = Textbook { game, numbering, rows, layers: Vec::new() };
        (0..=top).for_each(|seeds| book.add_layer(seeds));
        book
    }

    /// A layer: the value of each position by index, as a byte.
    pub fn layer(&self, seeds: u32) -> impl Iterator<Item = i8> {
        self.layers[seeds as usize].iter().map(|&byte| byte as i8)
    }

    fn add_layer(&mut self, seeds: u32) {
        let mut values = zeroed(self.numbering.layer(seeds).size() as usize);
        for lighter in 0..=seeds / 2 {
            self.fill_pair(seeds - lighter, lighter, &mut values);
        }
        self.layers.push(values);
    }

    /// Fills the blocks in which the rows have so many seeds, whoever moves.
    ///
    /// A move that stays in the layer stays in the mover's row and lowers its rank, since it lowers
    /// prefix sums; then the other side moves. So in rising order of ranks all successors are known
    /// if both sides' positions of a pair of rows are computed together.
    fn fill_pair(&self, heavier: u32, lighter: u32, values: &mut [u8]) {
        let layer = self.numbering.layer(heavier + lighter);
        let (xs, ys) = (&self.rows[heavier as usize], &self.rows[lighter as usize]);
        for (i, &x) in xs.iter().enumerate() {
            // With as many seeds in both, each pair of rows comes once.
            let ys = if heavier == lighter { &ys[..=i] } else { ys };
            for (j, &y) in ys.iter().enumerate() {
                let index = layer.start(heavier) as usize + i * self.rows[lighter as usize].len() + j;
                values[index] = self.value(Word { own: x, opponent: y }, values) as u8;
                let index = layer.start(lighter) as usize + j * xs.len() + i;
                values[index] = self.value(Word { own: y, opponent: x }, values) as u8;
            }
        }
    }

    #[inline(always)]
    fn value(&self, word: Word, in_work: &[u8]) -> i32 {
        if let Some(value) = self.game.end_value(&word) {
            return value;
        }
        let mut best = i32::MIN;
        self.game.for_each_move(&word, |played| {
            let next = self.game.halves(self.numbering.half_boards(), &played.next);
            let layer = self.layers.get(next.seeds() as usize).map_or(in_work, |layer| layer);
            let value = i32::from(layer[self.numbering.layer(next.seeds()).index(&next) as usize] as i8);
            best = best.max(played.gain + if played.again { value } else { -value });
        });
        best
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
