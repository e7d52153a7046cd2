//! Pallanguzhi with every switch.
#![allow(dead_code)]

use std::collections::HashSet;

use super::brute::{Board, Brute, Choice, Played, TooLong, flipped, seeds};
use super::brute_relay::Endless;

/// `chain=yes` and `after-capture=continue` exclude each other.
pub const PALLANGUZHI: [(&str, &[&str]); 9] = [
    ("lap", &["next-hole", "same-hole"]),
    ("pasu", &["4", "6", "off"]),
    ("pasu-owner", &["row", "sower"]),
    ("pasu-last", &["yes", "no"]),
    ("capture", &["next", "next-and-opposite"]),
    ("chain", &["no", "yes"]),
    ("after-capture", &["stop", "continue"]),
    ("no-move", &["end", "pass"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pallanguzhi {
    pub same_hole: bool,
    pub pasu: Option<i64>,
    pub pasu_to_sower: bool,
    pub pasu_last: bool,
    pub opposite_too: bool,
    pub chain: bool,
    pub goes_on: bool,
    pub pass: bool,
    pub endless: Endless,
}

/// The switches in words; those left out keep their default.
pub fn pallanguzhi(text: &str) -> Pallanguzhi {
    let mut s = Pallanguzhi {
        same_hole: false,
        pasu: Some(4),
        pasu_to_sower: false,
        pasu_last: true,
        opposite_too: false,
        chain: false,
        goes_on: false,
        pass: false,
        endless: Endless::Illegal,
    };
    for word in text.split_whitespace() {
        match word {
            "lap=next-hole" => s.same_hole = false,
            "lap=same-hole" => s.same_hole = true,
            "pasu=4" => s.pasu = Some(4),
            "pasu=6" => s.pasu = Some(6),
            "pasu=off" => s.pasu = None,
            "pasu-owner=row" => s.pasu_to_sower = false,
            "pasu-owner=sower" => s.pasu_to_sower = true,
            "pasu-last=yes" => s.pasu_last = true,
            "pasu-last=no" => s.pasu_last = false,
            "capture=next" => s.opposite_too = false,
            "capture=next-and-opposite" => s.opposite_too = true,
            "chain=no" => s.chain = false,
            "chain=yes" => s.chain = true,
            "after-capture=stop" => s.goes_on = false,
            "after-capture=continue" => s.goes_on = true,
            "no-move=end" => s.pass = false,
            "no-move=pass" => s.pass = true,
            "endless=illegal" => s.endless = Endless::Illegal,
            "endless=draw" => s.endless = Endless::Draw,
            "endless=loss" => s.endless = Endless::Loss,
            "endless=stop" => s.endless = Endless::Stop,
            _ => panic!("not a switch of pallanguzhi: {word}"),
        }
    }
    assert!(!(s.chain && s.goes_on));
    s
}

impl Pallanguzhi {
    /// Plays the own pit at index `origin`, which holds seeds; `None` if that is not allowed.
    fn play(&self, board: &Board, origin: usize, laps: usize) -> Result<Option<Played>, TooLong> {
        let mut board = board.clone();
        let ring = board.len();
        let choice = Choice::Pit(origin + 1);
        let (mut gain, mut opponent_gain) = (0, 0);
        let mut met = HashSet::new();
        let mut at = origin;
        loop {
            if !met.insert((board.clone(), at)) {
                return Ok(self.endless.play(choice, gain, opponent_gain, &board));
            }
            if met.len() > laps {
                return Err(TooLong);
            }
            // A lap.
            let mut last_was_pasu = false;
            let mut hand = std::mem::take(&mut board[at]);
            while hand > 0 {
                at = (at + 1) % ring;
                hand -= 1;
                board[at] += 1;
                last_was_pasu = Some(board[at]) == self.pasu && (hand > 0 || self.pasu_last);
                if last_was_pasu {
                    let removed = std::mem::take(&mut board[at]);
                    if at < ring / 2 || self.pasu_to_sower {
                        gain += removed;
                    } else {
                        opponent_gain += removed;
                    }
                }
            }
            // Where to go on, or what to capture.
            let gap = if self.same_hole {
                if last_was_pasu {
                    break;
                }
                if board[at] > 1 {
                    continue;
                }
                at
            } else {
                let next = (at + 1) % ring;
                if board[next] > 0 {
                    at = next;
                    continue;
                }
                next
            };
            let mut taken = (gap + 1) % ring;
            let mut captured = std::mem::take(&mut board[taken]);
            if captured == 0 {
                break;
            }
            if self.opposite_too {
                captured += std::mem::take(&mut board[ring - 1 - taken]);
            }
            if self.chain {
                while board[(taken + 1) % ring] == 0 && board[(taken + 2) % ring] > 0 {
                    taken = (taken + 2) % ring;
                    captured += std::mem::take(&mut board[taken]);
                    if self.opposite_too {
                        captured += std::mem::take(&mut board[ring - 1 - taken]);
                    }
                }
            }
            gain += captured;
            if !self.goes_on || seeds(&board) == 0 {
                break;
            }
            at = taken;
            while board[at] == 0 {
                at = (at + 1) % ring;
            }
        }
        Ok(Some(Played { choice, gain, opponent_gain, again: false, next: flipped(&board) }))
    }

    fn own_moves(&self, board: &Board) -> Vec<Played> {
        let pits = (0..board.len() / 2).filter(|&pit| board[pit] > 0);
        pits.filter_map(|pit| self.play(board, pit, usize::MAX).unwrap()).collect()
    }
}

impl Brute for Pallanguzhi {
    type Position = Board;

    fn end(&self, board: &Board) -> Option<i64> {
        self.moves(board).is_empty().then(|| -seeds(board))
    }

    /// A player may be without a move because his row is empty or because all his moves are endless;
    /// where there are passes the game goes on in both cases, as it ends with an empty board only.
    fn moves(&self, board: &Board) -> Vec<Played> {
        let mut moves = self.own_moves(board);
        if self.pass && moves.is_empty() && seeds(board) > 0 {
            let (choice, next) = (Choice::Pass, flipped(board));
            moves.push(Played { choice, gain: 0, opponent_gain: 0, again: false, next });
        }
        moves
    }

    fn is_long(&self, board: &Board, laps: usize) -> bool {
        (0..board.len() / 2).any(|pit| board[pit] > 0 && self.play(board, pit, laps).is_err())
    }
}
