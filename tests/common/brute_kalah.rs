//! Kalah by plain recursion: slow, short, and sharing no code with the program it is used to check.
//!
//! A position is the mover's row and the other row, each in its owner's sowing order, without stores:
//! index `i` of one row faces index `n - 1 - i` of the other. All values are margins of the mover.
#![allow(dead_code)]

use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExtraMove {
    Store,
    StoreOrCapture,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rest {
    Owner,
    Nobody,
    Emptied,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Switches {
    pub empty_capture: bool,
    pub capture: bool,
    pub trigger_leave: bool,
    pub extra_move: ExtraMove,
    pub end_stuck: bool,
    pub rest: Rest,
    pub origin_skip: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Switches {
            empty_capture: false,
            capture: true,
            trigger_leave: false,
            extra_move: ExtraMove::Store,
            end_stuck: false,
            rest: Rest::Owner,
            origin_skip: false,
        }
    }
}

/// Reads `key=value` words such as `empty-capture=yes end=stuck`; keys left out keep their default.
pub fn parse(text: &str) -> Switches {
    let mut s = Switches::default();
    for word in text.split_whitespace() {
        match word {
            "empty-capture=no" => s.empty_capture = false,
            "empty-capture=yes" => s.empty_capture = true,
            "capture=cross" => s.capture = true,
            "capture=none" => s.capture = false,
            "trigger=take" => s.trigger_leave = false,
            "trigger=leave" => s.trigger_leave = true,
            "extra-move=store" => s.extra_move = ExtraMove::Store,
            "extra-move=store-or-capture" => s.extra_move = ExtraMove::StoreOrCapture,
            "extra-move=none" => s.extra_move = ExtraMove::None,
            "end=row-empty" => s.end_stuck = false,
            "end=stuck" => s.end_stuck = true,
            "rest=owner" => s.rest = Rest::Owner,
            "rest=nobody" => s.rest = Rest::Nobody,
            "rest=emptied" => s.rest = Rest::Emptied,
            "origin=sow" => s.origin_skip = false,
            "origin=skip" => s.origin_skip = true,
            _ => panic!("not a switch of kalah: {word}"),
        }
    }
    s
}

/// Every combination of all switches, each once (288).
pub fn all_switches() -> Vec<Switches> {
    let mut all = Vec::new();
    for bits in 0..32u32 {
        for extra_move in [ExtraMove::Store, ExtraMove::StoreOrCapture, ExtraMove::None] {
            for rest in [Rest::Owner, Rest::Nobody, Rest::Emptied] {
                all.push(Switches {
                    empty_capture: bits & 1 != 0,
                    capture: bits & 2 != 0,
                    trigger_leave: bits & 4 != 0,
                    end_stuck: bits & 8 != 0,
                    origin_skip: bits & 16 != 0,
                    extra_move,
                    rest,
                });
            }
        }
    }
    all
}

/// A move made. `own` is the row of the player who moves next: the same player if `again`, even if the game
/// is over then. Seeds left over at the end are still in their pits and not in `gain`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub gain: u32,
    pub again: bool,
    pub own: Vec<u8>,
    pub opponent: Vec<u8>,
}

fn seeds(row: &[u8]) -> i32 {
    row.iter().map(|&pit| i32::from(pit)).sum()
}

/// A test on the two rows alone: how they came about does not matter.
fn is_over(s: Switches, own: &[u8], opponent: &[u8]) -> bool {
    seeds(own) == 0 || (!s.end_stuck && seeds(opponent) == 0)
}

/// If the game is over, what the seeds on the board are worth to the mover.
pub fn end_value(s: Switches, own: &[u8], opponent: &[u8]) -> Option<i32> {
    if !is_over(s, own, opponent) {
        return None;
    }
    // At least one row is empty here, so `emptied` gives each row to the player who does not own it.
    let by_owner = seeds(own) - seeds(opponent);
    Some(match s.rest {
        Rest::Owner => by_owner,
        Rest::Nobody => 0,
        Rest::Emptied => -by_owner,
    })
}

/// Plays pit `pit` (1 = farthest from the own store); `None` if there is no such move.
pub fn play(s: Switches, own: &[u8], opponent: &[u8], pit: usize) -> Option<Played> {
    let n = own.len();
    assert_eq!(n, opponent.len());
    if pit < 1 || pit > n || own[pit - 1] == 0 || is_over(s, own, opponent) {
        return None;
    }

    // The ring: cells 0..n are the own pits, n is the own store, n+1..=2n are the opponent's pits.
    let store = n;
    let origin = pit - 1;
    let mut ring: Vec<u32> = Vec::new();
    ring.extend(own.iter().map(|&pit| u32::from(pit)));
    ring.push(0);
    ring.extend(opponent.iter().map(|&pit| u32::from(pit)));

    let mut hand = ring[origin];
    ring[origin] = 0;
    let mut cell = origin;
    while hand > 0 {
        cell = (cell + 1) % ring.len();
        if cell == origin && s.origin_skip {
            continue;
        }
        ring[cell] += 1;
        hand -= 1;
    }

    let mut captured = 0;
    if s.capture && cell < store && ring[cell] == 1 {
        // The own pit at index i faces the opponent's pit at index n-1-i, which is cell 2n-i.
        let opposite = 2 * n - cell;
        captured = ring[opposite];
        ring[opposite] = 0;
        ring[store] += captured;
        if !s.trigger_leave && (captured > 0 || s.empty_capture) {
            ring[cell] = 0;
            ring[store] += 1;
        }
    }

    let again = match s.extra_move {
        ExtraMove::Store => cell == store,
        ExtraMove::StoreOrCapture => cell == store || captured > 0,
        ExtraMove::None => false,
    };
    let row = |cells: &[u32]| -> Vec<u8> { cells.iter().map(|&pit| u8::try_from(pit).unwrap()).collect() };
    let mover = row(&ring[..store]);
    let other = row(&ring[store + 1..]);
    let (own, opponent) = if again { (mover, other) } else { (other, mover) };
    Some(Played { gain: ring[store], again, own, opponent })
}

/// The pits that may be played, 1-based and rising; none if the game is over.
pub fn legal_moves(s: Switches, own: &[u8], opponent: &[u8]) -> Vec<usize> {
    (1..=own.len()).filter(|&pit| play(s, own, opponent, pit).is_some()).collect()
}

/// The number of sequences of exactly `moves` moves; an extra move counts as a move of its own.
pub fn perft(s: Switches, own: &[u8], opponent: &[u8], moves: u32) -> u64 {
    if moves == 0 {
        return 1;
    }
    (1..=own.len())
        .filter_map(|pit| play(s, own, opponent, pit))
        .map(|next| perft(s, &next.own, &next.opponent, moves - 1))
        .sum()
}

pub struct Solver {
    switches: Switches,
    known: HashMap<(Vec<u8>, Vec<u8>), i32>,
}

impl Solver {
    pub fn new(switches: Switches) -> Self {
        Solver { switches, known: HashMap::new() }
    }

    /// The exact value of the seeds on the board. The recursion ends because no position can repeat.
    pub fn value(&mut self, own: &[u8], opponent: &[u8]) -> i32 {
        if let Some(value) = end_value(self.switches, own, opponent) {
            return value;
        }
        let key = (own.to_vec(), opponent.to_vec());
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let values = legal_moves(self.switches, own, opponent).into_iter().map(|pit| {
            let next = play(self.switches, own, opponent, pit).unwrap();
            let later = self.value(&next.own, &next.opponent);
            next.gain as i32 + if next.again { later } else { -later }
        });
        let best = values.max().expect("a game that is not over has a move");
        self.known.insert(key, best);
        best
    }
}

/// All ways to put exactly `seeds` seeds into two rows of `pits` pits, each once.
pub fn every_position(pits: usize, seeds: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
    fn fill(cells: &mut Vec<u8>, wanted: usize, left: usize, all: &mut Vec<Vec<u8>>) {
        if cells.len() == wanted {
            if left == 0 {
                all.push(cells.clone());
            }
            return;
        }
        for here in 0..=left {
            cells.push(u8::try_from(here).unwrap());
            fill(cells, wanted, left - here, all);
            cells.pop();
        }
    }
    let mut all = Vec::new();
    fill(&mut Vec::new(), 2 * pits, seeds, &mut all);
    all.into_iter().map(|cells| (cells[..pits].to_vec(), cells[pits..].to_vec())).collect()
}
