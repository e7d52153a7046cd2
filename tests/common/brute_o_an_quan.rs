//! O an quan with every switch: its moves and ends. Captured seeds come back to the board, so there are no
//! layers to solve.
#![allow(dead_code)]

use std::collections::HashSet;

use super::brute::{Board, Brute, Choice, Played, flipped, seeds};

pub const O_AN_QUAN: [(&str, &[&str]); 6] = [
    ("quan-value", &["10", "5", "7", "0"]),
    ("quan-safe", &["0", "5", "3", "1"]),
    ("empty-quan", &["pass", "stop"]),
    ("end", &["cells", "pieces"]),
    ("refill", &["debt", "end"]),
    ("direction", &["free", "fixed"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OAnQuan {
    pub quan_value: i64,
    pub quan_safe: i64,
    pub empty_quan_stops: bool,
    pub end_by_pieces: bool,
    pub refill_ends: bool,
    pub fixed: bool,
}

/// The switches in words; those left out keep their default.
pub fn o_an_quan(text: &str) -> OAnQuan {
    let mut s = OAnQuan {
        quan_value: 10,
        quan_safe: 0,
        empty_quan_stops: false,
        end_by_pieces: false,
        refill_ends: false,
        fixed: false,
    };
    for word in text.split_whitespace() {
        match word.split_once('=').unwrap() {
            ("quan-value", number) => s.quan_value = number.parse().unwrap(),
            ("quan-safe", number) => s.quan_safe = number.parse().unwrap(),
            ("empty-quan", "pass") => s.empty_quan_stops = false,
            ("empty-quan", "stop") => s.empty_quan_stops = true,
            ("end", "cells") => s.end_by_pieces = false,
            ("end", "pieces") => s.end_by_pieces = true,
            ("refill", "debt") => s.refill_ends = false,
            ("refill", "end") => s.refill_ends = true,
            ("direction", "free") => s.fixed = false,
            ("direction", "fixed") => s.fixed = true,
            _ => panic!("not a switch of o-an-quan: {word}"),
        }
    }
    s
}

/// A position. `quan` are the pieces and `dan` the dan in the cell after the mover's last pit and in the
/// one before his first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub pits: Board,
    pub quan: [i64; 2],
    pub dan: [i64; 2],
    pub stores: [i64; 2],
}

impl State {
    pub fn start(pits: usize, seeds: i64) -> Self {
        State { pits: vec![seeds; 2 * pits], quan: [1, 1], dan: [0, 0], stores: [0, 0] }
    }
}

/// The cells of the mover's ring as they lie: own pits, cell A, the opponent's pits, cell B.
struct Ring {
    dan: Vec<i64>,
    quan: Vec<i64>,
    pits: usize,
}

impl Ring {
    fn new(state: &State) -> Self {
        let pits = state.pits.len() / 2;
        let (own, other) = state.pits.split_at(pits);
        let dan = [own, &[state.dan[0]], other, &[state.dan[1]]].concat();
        let mut quan = vec![0; 2 * pits + 2];
        quan[pits] = state.quan[0];
        quan[2 * pits + 1] = state.quan[1];
        Ring { dan, quan, pits }
    }

    fn is_quan_cell(&self, cell: usize) -> bool {
        cell == self.pits || cell == 2 * self.pits + 1
    }

    fn is_empty(&self, cell: usize) -> bool {
        self.dan[cell] == 0 && self.quan[cell] == 0
    }

    fn step(&self, cell: usize, along: bool) -> usize {
        let cells = self.dan.len();
        (if along { cell + 1 } else { cell + cells - 1 }) % cells
    }

    /// From the other side, with the stores of the player who moves next first.
    fn flipped(&self, stores: [i64; 2]) -> State {
        let (a, b) = (self.pits, 2 * self.pits + 1);
        let pits = [&self.dan[..a], &self.dan[a + 1..b]].concat();
        State {
            pits: flipped(&pits),
            quan: [self.quan[b], self.quan[a]],
            dan: [self.dan[b], self.dan[a]],
            stores,
        }
    }
}

impl OAnQuan {
    /// Plays the own pit at index `origin`; `None` if it holds no dan, even after a refill.
    fn play(&self, state: &State, origin: usize, along: bool) -> Option<Played<State>> {
        let mut ring = Ring::new(state);
        let mut gain = 0;
        if seeds(&ring.dan[..ring.pits]) == 0 {
            gain -= ring.pits as i64;
            ring.dan[..ring.pits].fill(1);
        }
        if ring.dan[origin] == 0 {
            return None;
        }
        let mut met = HashSet::new();
        let mut at = origin;
        let gap = loop {
            assert!(met.insert((ring.dan.clone(), at)), "an endless move in o an quan: {state:?}");
            let hand = std::mem::take(&mut ring.dan[at]);
            for _ in 0..hand {
                at = ring.step(at, along);
                ring.dan[at] += 1;
            }
            let next = ring.step(at, along);
            if ring.is_empty(next) || ring.is_quan_cell(next) {
                break next;
            }
            at = next;
        };
        gain += self.capture(&mut ring, gap, along);
        let choice = match (self.fixed, along) {
            (true, _) => Choice::Pit(origin + 1),
            (false, true) => Choice::Along(origin + 1),
            (false, false) => Choice::Against(origin + 1),
        };
        let next = ring.flipped([state.stores[1], state.stores[0] + gain]);
        Some(Played { choice, gain, opponent_gain: 0, again: false, next })
    }

    /// Captures beyond the cell `gap`, and on as long as gaps and cells with something take turns.
    fn capture(&self, ring: &mut Ring, mut gap: usize, along: bool) -> i64 {
        let mut captured = 0;
        loop {
            let cell = ring.step(gap, along);
            let stops = self.empty_quan_stops && ring.is_quan_cell(gap);
            let safe = ring.quan[cell] > 0 && ring.dan[cell] < self.quan_safe;
            if !ring.is_empty(gap) || stops || ring.is_empty(cell) || safe {
                return captured;
            }
            captured += std::mem::take(&mut ring.dan[cell]);
            captured += self.quan_value * std::mem::take(&mut ring.quan[cell]);
            gap = ring.step(cell, along);
        }
    }
}

impl Brute for OAnQuan {
    type Position = State;

    fn end(&self, state: &State) -> Option<i64> {
        let (own, other) = state.pits.split_at(state.pits.len() / 2);
        let pieces_gone = state.quan == [0, 0];
        let cells_empty = pieces_gone && state.dan == [0, 0];
        let too_poor = seeds(own) == 0 && state.stores[0] < own.len() as i64;
        let over = if self.end_by_pieces { pieces_gone } else { cells_empty };
        (over || (self.refill_ends && too_poor)).then(|| seeds(own) - seeds(other))
    }

    fn moves(&self, state: &State) -> Vec<Played<State>> {
        if self.end(state).is_some() {
            return Vec::new();
        }
        let directions: &[bool] = if self.fixed { &[true] } else { &[true, false] };
        let pits = 0..state.pits.len() / 2;
        pits.flat_map(|pit| directions.iter().filter_map(move |&along| self.play(state, pit, along)))
            .collect()
    }
}

/// The positions that can arise from `start`, at most `most` of them. The stores count for a position only
/// if they can end the game, otherwise they are 0.
pub fn reachable(game: &OAnQuan, start: State, most: usize) -> HashSet<State> {
    let key = |mut state: State| {
        if !game.refill_ends {
            state.stores = [0, 0];
        }
        state
    };
    let mut met = HashSet::from([key(start.clone())]);
    let mut open = vec![key(start)];
    let mut at = 0;
    while at < open.len() && met.len() < most {
        for played in game.moves(&open[at]) {
            let next = key(played.next);
            if met.insert(next.clone()) {
                open.push(next);
            }
        }
        at += 1;
    }
    met
}
