//! Solves a small board from its start and prints one best line.
//!
//! `cargo run --release --example best_line -- kalah:4x3`

use std::error::Error;

use sowbase::board::{Game, Position, Ring};
use sowbase::control::Control;
use sowbase::rules;
use sowbase::search::{Resources, Solver};
use sowbase::tables::Values;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = rules::game(std::env::args().nth(1).as_deref().unwrap_or("kalah:4x3"))?;
    let start = Position::start(&rules);
    // The ring plays every game; `SingleLap` is faster for Kalah of up to six pits.
    let game = Ring::new(&rules)?;
    let resources = Resources::new(1, 64 << 20);
    let solver = Solver::new(game, Values::default(), start.seeds(), &resources)?;
    let control = Control::default();
    let bounds = solver.solve(&start, &control);
    println!("{}  value {} for the player to move", rules.title(), bounds.lower);

    let (mut position, mut first_to_move) = (start, true);
    for choice in solver.line(&start, &control).ok_or("nothing stops this search")? {
        let mut made = None;
        solver.game().for_each_move(&position, |played| {
            made = made.or((played.choice == choice).then_some(played));
        });
        let played = made.ok_or("a line has legal moves")?;
        // A next position is seen by the player who moves next.
        let player = if first_to_move { "first" } else { "second" };
        println!("{player:>6} plays {choice}, gains {:>2}: {}", played.gain, played.next);
        first_to_move ^= !played.again;
        position = played.next;
    }
    Ok(())
}
