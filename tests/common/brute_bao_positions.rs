//! Sets of positions of bao to compare engines on, and the values of whole boards.

use std::collections::{HashMap, HashSet};

use super::namua::takasia;
use super::{Bao, Game, HOUSE, Outcome, Position, Ring};

/// Every way to put `seeds` seeds into the pits of a board of four rows of `pits` pits.
pub fn all_positions(pits: usize, seeds: u16) -> Vec<Position> {
    fn fill(left: u16, missing: usize, board: &mut Vec<u16>, all: &mut Vec<Position>) {
        if missing == 0 {
            if left == 0 {
                let (own, opponent) = board.split_at(board.len() / 2);
                all.push(Position::board(own, opponent));
            }
            return;
        }
        for here in 0..=left {
            board.push(here);
            fill(left - here, missing - 1, board, all);
            board.pop();
        }
    }
    let mut all = Vec::new();
    fill(seeds, 4 * pits, &mut Vec::new(), &mut all);
    all
}

/// The value of each position for the player to move, and its distance: the plies to the end if the winner
/// hastens and the loser delays it, 0 for a draw. No move may lead out of `positions`, except to an end by
/// rule. What nobody can force is drawn.
pub fn solve(bao: &Bao, positions: &[Position]) -> HashMap<Position, (Outcome, u32)> {
    let nexts: Vec<Vec<Position>> = positions
        .iter()
        .map(|position| bao.moves(position).into_iter().map(|played| played.next).collect())
        .collect();
    let known: HashSet<&Position> = positions.iter().collect();
    assert!(nexts.iter().flatten().all(|next| next.result.is_some() || known.contains(next)));
    let mut values: HashMap<Position, (Outcome, u32)> = HashMap::new();
    for position in positions {
        if let Some(outcome) = bao.end(position) {
            values.insert(position.clone(), (outcome, 0));
        }
    }
    // After round `d` all wins and losses of a distance up to `d` are known.
    for distance in 1.. {
        let mut found = Vec::new();
        for (position, nexts) in positions.iter().zip(&nexts) {
            if values.contains_key(position) {
                continue;
            }
            let outcome = |next: &Position| next.result.or(values.get(next).map(|&(outcome, _)| outcome));
            if nexts.iter().any(|next| outcome(next) == Some(Outcome::Loss)) {
                found.push((position, Outcome::Win));
            } else if nexts.iter().all(|next| outcome(next) == Some(Outcome::Win)) {
                found.push((position, Outcome::Loss));
            }
        }
        if found.is_empty() {
            break;
        }
        for (position, outcome) in found {
            values.insert(position.clone(), (outcome, distance));
        }
    }
    for position in positions {
        values.entry(position.clone()).or_insert((Outcome::Draw, 0));
    }
    values
}

/// A small generator with a period of 2^64 (splitmix64), the same on all machines.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Most lap states of the moves of random positions.
const LONGEST: usize = 100_000;

/// `count` different positions from which the game goes on: about half of them met in random games from the
/// start, the others random boards with the seeds of the start. Kiswahili has hands and houses in them, and
/// blocks where a takata of the opponent could have made one. Positions with a move of very many laps are left
/// out, since the brute force remembers them all.
pub fn random_positions(bao: &Bao, seed: u64, count: usize) -> Vec<Position> {
    let mut random = Random(seed);
    let mut met = HashSet::new();
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = bao.start();
        while let Ok(mut moves) = bao.short_moves(&position, LONGEST)
            && !moves.is_empty()
        {
            let board = random_board(bao, &mut random);
            let goes_on = bao.short_moves(&board, LONGEST).is_ok_and(|moves| !moves.is_empty());
            for (found, goes_on) in [(position, true), (board, goes_on)] {
                if goes_on && met.insert(found.clone()) {
                    positions.push(found);
                }
            }
            position = moves.swap_remove(random.below(moves.len())).next;
        }
    }
    positions.truncate(count);
    positions
}

fn random_board(bao: &Bao, random: &mut Random) -> Position {
    let start = bao.start();
    let seeds = 2 * (start.own.iter().sum::<u16>() + start.hand[0]);
    let mut hand = [0, 0];
    if bao.game == Game::Kiswahili && random.below(2) == 0 {
        // The players take turns, so that the hands are equal or the mover has one seed more.
        let first = 1 + random.below(usize::from(start.hand[0])) as u16;
        hand = [first, first - random.below(2) as u16];
    }
    let wants_block = bao.game == Game::Kiswahili && bao.takasia && hand == [0, 0] && random.below(4) == 0;
    // Few boards can have a block.
    for _ in 0..if wants_block { 100 } else { 0 } {
        let mut position = random_rows(bao, seeds, hand, random);
        position.blocked = takasia(bao, &position);
        if position.blocked.is_some() {
            return position;
        }
    }
    random_rows(bao, seeds, hand, random)
}

fn random_rows(bao: &Bao, seeds: u16, hand: [u16; 2], random: &mut Random) -> Position {
    let seeds = seeds - hand[0] - hand[1];
    let share = random.below(usize::from(seeds) + 1) as u16;
    let own = random_ring(bao.pits, share, random);
    let opponent = random_ring(bao.pits, seeds - share, random);
    let mut position = Position { hand, ..Position::board(&own, &opponent) };
    if bao.game == Game::Kiswahili {
        position.house[0] = own[HOUSE - 1] > 0 && random.below(2) == 0;
        position.house[1] = opponent[HOUSE - 1] > 0 && random.below(2) == 0;
    }
    position
}

/// Seeds in some pits of a ring, at times nearly all of them in one pit.
fn random_ring(pits: usize, seeds: u16, random: &mut Random) -> Ring {
    let mut ring = vec![0; 2 * pits];
    let most = if random.below(2) == 0 { 1 } else { 2 * pits };
    let (front, back) = (1 + random.below(most), random.below(2 * pits));
    let mut occupied: Vec<usize> = (0..front).map(|_| random.below(pits)).collect();
    occupied.extend((0..back).map(|_| pits + random.below(pits)));
    let heap = (random.below(3) == 0).then(|| random.below(2 * pits));
    for seed in 0..usize::from(seeds) {
        let pit = match heap {
            _ if seed < occupied.len() => occupied[seed],
            Some(pit) => pit,
            None => occupied[random.below(occupied.len())],
        };
        ring[pit] += 1;
    }
    ring
}
