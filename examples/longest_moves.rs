//! Plays out every move of random positions of Sadeqa and tells how long moves get. Laps are counted by a
//! simulation of its own; the engine has to agree on what may be played.
//!
//! `cargo run --release --example longest_moves -- 10000 1971` (positions, seed of the generator)

use sowbase::board::{Game, Move, Position, Ring};

/// The laps of a move; of one that never ends, as `Err`, those until its first lap state, the board and the pit
/// to be lifted, is there again. A lap can be undone, so it does come back.
pub type Laps = Result<u64, u64>;

/// Plays the move of a pit, from 0, on a board in the order of the ring.
pub fn laps(board: &[u16], pit: usize) -> Laps {
    let (mut pits, mut at, mut laps) = (board.to_vec(), pit, 0);
    loop {
        for _ in 0..std::mem::take(&mut pits[at]) {
            at = if at + 1 == pits.len() { 0 } else { at + 1 };
            pits[at] += 1;
        }
        laps += 1;
        match pits[at] {
            1 => return Ok(laps),
            _ if at == pit && pits == board => return Err(laps),
            _ => (),
        }
    }
}

/// All moves of random positions with 32 up to `most` seeds, each as likely as any other of its layer.
pub fn survey(ring: &Ring, positions: u64, most: usize, seed: u64) -> Vec<(Laps, Position, Move)> {
    let (mut random, mut moves) = (fastrand::Rng::with_seed(seed), Vec::new());
    for _ in 0..positions {
        let mut line = [vec![true; random.usize(32..=most)], vec![false; 15]].concat(); // seeds and walls
        random.shuffle(&mut line);
        let board: Vec<u16> = line.split(|&is_seed| !is_seed).map(|pit| pit.len() as u16).collect();
        let position = Position::of_rows(&board[..8], &board[8..]);
        let mut legal = Vec::new();
        ring.for_each_move(&position, |played| legal.push(played.choice));
        for pit in (0..8).filter(|&pit| board[pit] > 0) {
            moves.push((laps(&board, pit), position, Move::Pit(pit as u8 + 1)));
            let (laps, _, choice) = moves[moves.len() - 1];
            assert_eq!(legal.contains(&choice), laps.is_ok(), "{position} | {choice}");
        }
    }
    moves
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut next = |usual| words.next().map_or(Ok(usual), |word| word.parse());
    let moves = survey(&Ring::new(&sowbase::rules::game("sadeqa-iii")?)?, next(10_000)?, 96, next(1971)?);
    for (kind, ends) in [("end", true), ("never end", false)] {
        let of_kind = || moves.iter().filter(|(laps, ..)| laps.is_ok() == ends);
        println!("{} moves {kind}", of_kind().count());
        if let Some((laps, position, choice)) = of_kind().max_by_key(|(laps, ..)| *laps) {
            println!("  the longest in laps: {laps:?}, {position} | {choice}");
        }
    }
    Ok(())
}
