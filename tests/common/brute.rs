//! What the brute forces of the relay games have in common: moves, perft, plain recursion for games in
//! which nothing can repeat, and repeated sweeps over whole layers for those in which it can. Slow, short,
//! and sharing no code with the program it is used to check.
#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

/// The pits in the order of the mover's ring: his own, then the opponent's, each row in its owner's sowing
/// order. Own pit `i` (from 0) faces pit `last - i`. Stores are not part of it.
pub type Board = Vec<i64>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Pass,
    /// An own pit from 1, sown in the only direction there is.
    Pit(usize),
    /// Sown along the ring, where there is a choice of directions.
    Along(usize),
    Against(usize),
}

/// A move made. `next` is seen by the player who moves next: the same player if `again`. Seeds left over at
/// the end are still on the board and in neither gain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<P = Board> {
    pub choice: Choice,
    pub gain: i64,
    pub opponent_gain: i64,
    pub again: bool,
    pub next: P,
}

/// A move that was given up for its number of laps.
#[derive(Debug)]
pub struct TooLong;

pub trait Brute {
    type Position: Clone + Eq + Hash + Debug;

    /// If the game is over, the mover's margin in what is left on the board.
    fn end(&self, position: &Self::Position) -> Option<i64>;

    /// The legal moves, by pit and direction; none if the game is over.
    fn moves(&self, position: &Self::Position) -> Vec<Played<Self::Position>>;

    /// Whether some move needs more than `laps` laps to come to an end or to repeat itself.
    fn is_long(&self, _: &Self::Position, _laps: usize) -> bool {
        false
    }
}

pub fn seeds(pits: &[i64]) -> i64 {
    pits.iter().sum()
}

/// The same board from the other side.
pub fn flipped(board: &[i64]) -> Board {
    let (own, other) = board.split_at(board.len() / 2);
    [other, own].concat()
}

/// `switches` are keys with their values, the default first. Every list of values, in the form
/// `key=value key=value ...`, in which at most `changed` keys differ from their default.
pub fn combinations(switches: &[(&str, &[&str])], changed: usize) -> Vec<String> {
    let Some((&(key, values), others)) = switches.split_first() else {
        return vec![String::new()];
    };
    let mut all = Vec::new();
    for (number, value) in values.iter().enumerate() {
        if number > 0 && changed == 0 {
            break;
        }
        for other in combinations(others, changed - usize::from(number > 0)) {
            all.push(format!("{key}={value} {other}").trim().to_string());
        }
    }
    all
}

/// The number of sequences of exactly `moves` moves.
pub fn perft<G: Brute + ?Sized>(game: &G, position: &G::Position, moves: u32) -> u64 {
    if moves == 0 {
        return 1;
    }
    game.moves(position).iter().map(|played| perft(game, &played.next, moves - 1)).sum()
}

/// The mover's margin in the seeds on the board, for games in which no position can repeat.
pub fn value<G: Brute + ?Sized>(
    game: &G,
    position: &G::Position,
    known: &mut HashMap<G::Position, i64>,
) -> i64 {
    if let Some(value) = game.end(position) {
        return value;
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let moves = game.moves(position).into_iter();
    let values = moves.map(|played| {
        let later = value(game, &played.next, known);
        played.gain - played.opponent_gain + if played.again { later } else { -later }
    });
    let best = values.max().expect("a game that is not over has a move");
    known.insert(position.clone(), best);
    best
}

/// All positions of a board with 0..=`top` seeds, by layers.
pub struct Positions {
    pub boards: Vec<Board>,
    number: HashMap<Board, usize>,
    layers: Vec<Range<usize>>,
}

impl Positions {
    pub fn new(pits: usize, top: i64) -> Self {
        let mut boards = Vec::new();
        let mut layers = Vec::new();
        for seeds in 0..=top {
            let first = boards.len();
            fill(&mut Vec::new(), 2 * pits, seeds, &mut boards);
            layers.push(first..boards.len());
        }
        let number: HashMap<_, _> =
            boards.iter().enumerate().map(|(number, board)| (board.clone(), number)).collect();
        assert_eq!(number.len(), boards.len(), "each position once");
        Positions { boards, number, layers }
    }

    pub fn top(&self) -> usize {
        self.layers.len() - 1
    }

    /// Where the positions with `seeds` seeds lie in `boards`.
    pub fn layer(&self, seeds: usize) -> Range<usize> {
        self.layers[seeds].clone()
    }

    pub fn number(&self, board: &Board) -> usize {
        self.number[board]
    }
}

fn fill(pits: &mut Board, wanted: usize, left: i64, all: &mut Vec<Board>) {
    if pits.len() + 1 == wanted {
        all.push([&pits[..], &[left]].concat());
        return;
    }
    for here in 0..=left {
        pits.push(here);
        fill(pits, wanted, left - here, all);
        pits.pop();
    }
}

/// A position's moves as margin, `again` and number of the next position, or what it is worth without any.
enum Choices {
    Over(i64),
    Moves(Vec<(i64, bool, usize)>),
}

/// The best move, where `now` is worth to a mover who moves again and `later` to one who moves next.
fn best(choices: &Choices, now: &[i64], later: &[i64]) -> i64 {
    match choices {
        Choices::Over(value) => *value,
        Choices::Moves(moves) => {
            let worth = |&(margin, again, next): &(i64, bool, usize)| {
                margin + if again { now[next] } else { -later[next] }
            };
            moves.iter().map(worth).max().unwrap()
        }
    }
}

/// Margins of all positions, in the order of `Positions::boards`.
pub struct Solved {
    /// An endless line brings nothing further to either side.
    pub split: Vec<i64>,
    /// Bounds that hold whatever a repetition is worth.
    pub lower: Vec<i64>,
    pub upper: Vec<i64>,
}

/// Settles one layer after the other, the lower ones being final.
pub fn solve<G: Brute<Position = Board> + ?Sized>(game: &G, positions: &Positions) -> Solved {
    let mut solved = Solved { split: Vec::new(), lower: Vec::new(), upper: Vec::new() };
    for seeds in 0..=positions.top() {
        let layer = positions.layer(seeds);
        let choices = |board: &Board| {
            let moves = game.moves(board);
            match game.end(board) {
                Some(value) => {
                    assert!(moves.is_empty(), "moves after the end, in {board:?}");
                    Choices::Over(value)
                }
                None => {
                    assert!(!moves.is_empty(), "no move before the end, in {board:?}");
                    let part = |m: &Played| (m.gain - m.opponent_gain, m.again, positions.number(&m.next));
                    Choices::Moves(moves.iter().map(part).collect())
                }
            }
        };
        let choices: Vec<Choices> = positions.boards[layer.clone()].iter().map(choices).collect();
        let sweep = |now: &[i64], later: &[i64]| -> Vec<i64> {
            choices.iter().map(|choices| best(choices, now, later)).collect()
        };

        solved.split.resize(layer.end, 0);
        loop {
            let split = sweep(&solved.split, &solved.split);
            if split == solved.split[layer.clone()] {
                break;
            }
            solved.split[layer.clone()].copy_from_slice(&split);
        }
        solved.lower.resize(layer.end, -(seeds as i64));
        solved.upper.resize(layer.end, seeds as i64);
        loop {
            let lower = sweep(&solved.lower, &solved.upper);
            let upper = sweep(&solved.upper, &solved.lower);
            if lower == solved.lower[layer.clone()] && upper == solved.upper[layer.clone()] {
                break;
            }
            solved.lower[layer.clone()].copy_from_slice(&lower);
            solved.upper[layer.clone()].copy_from_slice(&upper);
        }
    }
    solved
}
