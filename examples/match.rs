//! Plays a match of several rounds of Congklak.
//!
//! `cargo run --release --example match -- congklak`
//!
//! Who cannot fill four pits has lost. Each player takes the move that brings most, of equal ones the pit nearest
//! to his store; the first player counts an extra move as five seeds.

use std::error::Error;

use sowbase::board::{Game, Match, MatchRules, Player, Position, Ring, RoundEnd, Standing};
use sowbase::rules;

/// A match may go to and fro for ever.
const MOST_ROUNDS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = rules::game(std::env::args().nth(1).as_deref().unwrap_or("congklak"))?;
    let ring = Ring::new(&rules)?;
    let mut game = Match::new(&rules, MatchRules { fewest: 4, ..MatchRules::CONGKLAK })?;
    for round in 1..=MOST_ROUNDS {
        let Standing::Round { begins, start } = game.standing() else { break };
        println!("round {round:>2}  {begins:?} begins: {start}");
        let mut end = RoundEnd { position: start, side: begins, last_mover: begins };
        while play(&ring, &mut end) {}
        println!("          {:?} moves last: {}", end.last_mover, from_first(&end));
        game.finish(&end)?;
    }
    match game.standing() {
        Standing::Over { winner: Some(player) } => println!("{player:?} wins the match"),
        Standing::Over { winner: None } => println!("neither player can fill his pits"),
        Standing::Round { .. } => println!("no winner after {MOST_ROUNDS} rounds"),
    }
    Ok(())
}

/// Plays one move, and adds what it brings to the stores; false if the round is over.
fn play(ring: &Ring, end: &mut RoundEnd) -> bool {
    let mut best = None;
    ring.for_each_move(&end.position, |played| {
        let extra = if end.side == Player::First { 5 } else { 0 };
        let worth = played.gain - played.opponent_gain + extra * i32::from(played.again);
        if best.is_none_or(|(most, _)| worth >= most) {
            best = Some((worth, played));
        }
    });
    let Some((_, played)) = best else { return false };
    end.last_mover = end.side;
    let [own, opponent] = end.position.stores;
    let stores = [own + played.gain, opponent + played.opponent_gain];
    end.position = Position { stores, ..played.next };
    if !played.again {
        end.position.stores.reverse();
        end.side = end.side.other();
    }
    true
}

fn from_first(end: &RoundEnd) -> Position {
    if end.side == Player::First { end.position } else { end.position.flipped() }
}
