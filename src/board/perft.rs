//! Counting move sequences.

use super::Game;

/// The number of sequences of exactly `depth` plies from a position; an extra move and a pass are
/// one ply each. `None` if it does not fit 64 bits or `keep_on` returned false.
pub fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    keep_on: &impl Fn() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth > 3 && !keep_on() {
        return None;
    }
    let mut sum = Some(0_u64);
    game.for_each_move(position, |played| {
        let below = if depth == 1 { Some(1) } else { perft(game, &played.next, depth - 1, keep_on) };
        sum = sum.zip(below).and_then(|(sum, below)| sum.checked_add(below));
    });
    sum
}
