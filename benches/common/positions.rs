//! Positions to measure with, the same in every run.
#![allow(dead_code)]

use sowbase::board::{Game, Position, Ring};
use sowbase::index::Numbering;
use sowbase::rules::{self, Rules};

/// The standard game.
pub fn kalah() -> Rules {
    rules::game("kalah:6x4").expect("a named game")
}

/// Most moves of a game, for where positions repeat games may never end.
const LONGEST_GAME: usize = 100;

/// Positions of games played at random from the start, those with a move to make.
pub fn played(rules: &Rules, count: usize) -> Vec<Position> {
    let game = Ring::new(rules).expect("a game of this kind");
    let mut random = fastrand::Rng::with_seed(1);
    let start = game.pack(&Position::start(rules));
    let (mut position, mut moves) = (start, 0);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut next = Vec::new();
        game.for_each_move(&position, |played| next.push(played.next));
        match random.choice(next) {
            Some(next) if moves < LONGEST_GAME => {
                positions.push(game.unpack(&position));
                (position, moves) = (next, moves + 1);
            }
            _ => (position, moves) = (start, 0),
        }
    }
    positions
}

/// Positions of one layer, drawn evenly.
pub fn of_layer(numbering: &Numbering, seeds: u32, count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(1);
    let size = numbering.layer(seeds).size();
    (0..count).map(|_| numbering.position(seeds, random.u64(0..size))).collect()
}

/// The highest layer to build: what `SOWBASE_BENCH_LAYERS` says, or a number for quick runs.
pub fn highest_layer(quick: u32) -> u32 {
    match std::env::var("SOWBASE_BENCH_LAYERS") {
        Ok(text) => text.parse().expect("SOWBASE_BENCH_LAYERS is a number of seeds"),
        Err(_) => quick,
    }
}
