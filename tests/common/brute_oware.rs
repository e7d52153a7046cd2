//! Oware by plain iteration over lists of moves: slow, short, and sharing no code with the program it
//! is used to check.
//!
//! A position is the mover's row and the other row, each in its owner's sowing order, without stores.
//! All values are margins of the mover.
#![allow(dead_code)]

use std::collections::HashMap;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrandSlam {
    NoCapture,
    Free,
    Illegal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feed {
    Must,
    LeaveAMove,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    pub grand_slam: GrandSlam,
    pub feed: Feed,
    pub origin_sow: bool,
}

pub const OWARE: Switches =
    Switches { grand_slam: GrandSlam::NoCapture, feed: Feed::Must, origin_sow: false };
pub const AWARI: Switches =
    Switches { grand_slam: GrandSlam::Free, feed: Feed::LeaveAMove, origin_sow: false };
pub const FREE_SLAM: Switches = Switches { grand_slam: GrandSlam::Free, ..OWARE };
pub const NO_SLAM: Switches = Switches { grand_slam: GrandSlam::Illegal, ..OWARE };

/// Every combination of all switches, each once (18).
pub fn all_switches() -> Vec<Switches> {
    let mut all = Vec::new();
    for grand_slam in [GrandSlam::NoCapture, GrandSlam::Free, GrandSlam::Illegal] {
        for feed in [Feed::Must, Feed::LeaveAMove, Feed::None] {
            for origin_sow in [false, true] {
                all.push(Switches { grand_slam, feed, origin_sow });
            }
        }
    }
    all
}

/// The mover's row and the opponent's.
pub type Rows<const PITS: usize> = [[u8; PITS]; 2];

/// A move made. `next` is seen by the player who moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played<const PITS: usize> {
    pub pit: usize,
    pub gain: i32,
    pub next: Rows<PITS>,
    /// Whether the captures, made or forgone, were all that the opponent had.
    pub slam: bool,
}

pub fn seeds(row: &[u8]) -> i32 {
    row.iter().map(|&pit| i32::from(pit)).sum()
}

/// Sows pit `pit` (from 1) and captures, without regard to the duty to feed; `None` if the pit is empty
/// or the slam may not be played.
fn play<const PITS: usize>(s: Switches, rows: &Rows<PITS>, pit: usize) -> Option<Played<PITS>> {
    let mut board = *rows;
    // The ring: cells 0..PITS are the own pits, the next PITS are the opponent's.
    let ring = board.as_flattened_mut();
    let origin = pit - 1;
    let mut hand = std::mem::take(&mut ring[origin]);
    if hand == 0 {
        return None;
    }
    let mut cell = origin;
    while hand > 0 {
        cell = (cell + 1) % ring.len();
        if cell == origin && !s.origin_sow {
            continue;
        }
        ring[cell] += 1;
        hand -= 1;
    }

    let sown = board;
    let mut gain = 0;
    while cell >= PITS {
        let pit = &mut board[1][cell - PITS];
        if *pit != 2 && *pit != 3 {
            break;
        }
        gain += i32::from(*pit);
        *pit = 0;
        cell -= 1;
    }
    let slam = gain > 0 && seeds(&board[1]) == 0;
    if slam {
        match s.grand_slam {
            GrandSlam::NoCapture => (board, gain) = (sown, 0),
            GrandSlam::Free => {}
            GrandSlam::Illegal => return None,
        }
    }
    Some(Played { pit, gain, next: [board[1], board[0]], slam })
}

/// The legal moves by rising pit; none if the game is over.
pub fn legal_moves<const PITS: usize>(s: Switches, rows: &Rows<PITS>) -> Vec<Played<PITS>> {
    let mut moves: Vec<_> = (1..=PITS).filter_map(|pit| play(s, rows, pit)).collect();
    let feeds = |played: &Played<PITS>| seeds(&played.next[0]) > 0;
    let only_feeding = match s.feed {
        Feed::Must => seeds(&rows[1]) == 0,
        Feed::LeaveAMove => moves.iter().any(feeds),
        Feed::None => false,
    };
    if only_feeding {
        moves.retain(feeds);
    }
    moves
}

/// What the seeds on the board are worth to a mover who has no legal move.
pub fn rest<const PITS: usize>(rows: &Rows<PITS>) -> i32 {
    seeds(&rows[0]) - seeds(&rows[1])
}

/// All positions with 0..=`top` seeds, by layers.
pub struct Board<const PITS: usize> {
    pub positions: Vec<Rows<PITS>>,
    number: HashMap<Rows<PITS>, usize>,
    layers: Vec<Range<usize>>,
}

impl<const PITS: usize> Board<PITS> {
    pub fn new(top: u8) -> Self {
        fn fill<const PITS: usize>(rows: &mut Rows<PITS>, cell: usize, left: u8, all: &mut Vec<Rows<PITS>>) {
            let last = cell + 1 == 2 * PITS;
            for here in if last { left } else { 0 }..=left {
                rows.as_flattened_mut()[cell] = here;
                if last {
                    all.push(*rows);
                } else {
                    fill(rows, cell + 1, left - here, all);
                }
            }
        }
        let mut positions = Vec::new();
        let mut layers = Vec::new();
        for seeds in 0..=top {
            let first = positions.len();
            fill(&mut [[0; PITS]; 2], 0, seeds, &mut positions);
            layers.push(first..positions.len());
        }
        let number: HashMap<_, _> =
            positions.iter().enumerate().map(|(number, &rows)| (rows, number)).collect();
        assert_eq!(number.len(), positions.len(), "each position once");
        Board { positions, number, layers }
    }

    /// Where the positions with `seeds` seeds lie in `positions`.
    pub fn layer(&self, seeds: usize) -> Range<usize> {
        self.layers[seeds].clone()
    }

    pub fn top(&self) -> usize {
        self.layers.len() - 1
    }
}

/// A position's moves as gain and number of the next position, or what it is worth without any.
enum Choices {
    Over(i32),
    Moves(Vec<(i32, usize)>),
}

/// Margins of all positions of a board, in the order of its `positions`.
pub struct Solved {
    /// An endless line brings nothing further to either side.
    pub split: Vec<i32>,
    /// Bounds that hold whatever a repetition is worth.
    pub lower: Vec<i32>,
    pub upper: Vec<i32>,
    /// For each layer the passes until a pass from the old `split` values alone changed nothing, that
    /// pass included.
    pub passes: Vec<u32>,
}

/// max (gain - worth(next)), in which `worth` are the values of the step before.
fn best(choices: &Choices, worth: &[i32]) -> i32 {
    match choices {
        Choices::Over(value) => *value,
        Choices::Moves(moves) => moves.iter().map(|&(gain, next)| gain - worth[next]).max().unwrap(),
    }
}

/// Settles one layer after the other, the lower ones being final.
pub fn solve<const PITS: usize>(board: &Board<PITS>, s: Switches) -> Solved {
    let mut solved = Solved { split: Vec::new(), lower: Vec::new(), upper: Vec::new(), passes: Vec::new() };
    for seeds in 0..=board.top() {
        let layer = board.layer(seeds);
        let choices = board.positions[layer.clone()].iter().map(|rows| match &legal_moves(s, rows)[..] {
            [] => Choices::Over(rest(rows)),
            moves => Choices::Moves(moves.iter().map(|m| (m.gain, board.number[&m.next])).collect()),
        });
        let choices: Vec<Choices> = choices.collect();
        let pass =
            |worth: &[i32]| -> Vec<i32> { choices.iter().map(|choices| best(choices, worth)).collect() };

        solved.split.resize(layer.end, 0);
        let mut passes = 0;
        loop {
            let new = pass(&solved.split);
            passes += 1;
            if new == solved.split[layer.clone()] {
                break;
            }
            solved.split[layer.clone()].copy_from_slice(&new);
        }
        solved.passes.push(passes);

        solved.lower.resize(layer.end, -(seeds as i32));
        solved.upper.resize(layer.end, seeds as i32);
        loop {
            let (lower, upper) = (pass(&solved.upper), pass(&solved.lower));
            if lower == solved.lower[layer.clone()] && upper == solved.upper[layer.clone()] {
                break;
            }
            solved.lower[layer.clone()].copy_from_slice(&lower);
            solved.upper[layer.clone()].copy_from_slice(&upper);
        }
    }
    solved
}
