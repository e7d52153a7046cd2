//! Values by plain recursion over the moves of an engine, for games in which no position repeats.
#![allow(dead_code)]

use std::collections::HashMap;
use std::hash::Hash;

use sowbase::board::Game;

/// A game and the values found so far.
pub struct Recursion<'a, G: Game> {
    game: &'a G,
    known: HashMap<G::Position, i32>,
}

impl<'a, G: Game<Position: Hash>> Recursion<'a, G> {
    pub fn new(game: &'a G) -> Self {
        Recursion { game, known: HashMap::new() }
    }

    /// The value of the seeds on the board for the player to move.
    pub fn value(&mut self, position: &G::Position) -> i32 {
        if let Some(value) = self.game.end_value(position) {
            return value;
        }
        if let Some(&value) = self.known.get(position) {
            return value;
        }
        let mut best = None;
        self.game.for_each_move(position, |played| {
            let value = self.value(&played.next);
            let value = if played.again { value } else { -value };
            best = best.max(Some(played.gain - played.opponent_gain + value));
        });
        let best = best.expect("a game that is not over has a move");
        self.known.insert(*position, best);
        best
    }
}
