//! The games with same-hole relays and opposite captures: congklak and sungka with stores that are sown,
//! sadeqa, en-dodoi and en-gehe without.
#![allow(dead_code)]

use std::collections::{HashMap, HashSet};

use super::brute::{Board, Brute, Choice, Played, TooLong, flipped, seeds};

/// What a closed pit of congklak holds in a `Board`.
pub const CLOSED: i64 = -1;

pub const CONGKLAK: [(&str, &[&str]); 6] = [
    ("trigger", &["take", "leave"]),
    ("empty-capture", &["no", "yes"]),
    ("extra-move", &["store", "none"]),
    ("opponent-store", &["skip", "sow"]),
    ("end", &["all-empty", "row-empty", "stuck"]),
    ("mikul", &["off", "on", "equal"]),
];

/// Sadeqa's, with its default first; en-dodoi and en-gehe have `trigger=take`.
pub const SADEQA: [(&str, &[&str]); 3] = [
    ("trigger", &["leave", "take"]),
    ("empty-capture", &["no", "yes"]),
    ("endless", &["illegal", "draw", "loss", "stop"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    AllEmpty,
    RowEmpty,
    Stuck,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mikul {
    Off,
    On,
    Equal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congklak {
    pub take_last: bool,
    pub empty_capture: bool,
    pub extra_move: bool,
    pub opponent_store: bool,
    pub end: End,
    pub mikul: Mikul,
}

/// The switches in words such as `trigger=leave end=stuck`; those left out keep their default.
pub fn congklak(text: &str) -> Congklak {
    let mut s = Congklak {
        take_last: true,
        empty_capture: false,
        extra_move: true,
        opponent_store: false,
        end: End::AllEmpty,
        mikul: Mikul::Off,
    };
    for word in text.split_whitespace() {
        match word {
            "trigger=take" => s.take_last = true,
            "trigger=leave" => s.take_last = false,
            "empty-capture=no" => s.empty_capture = false,
            "empty-capture=yes" => s.empty_capture = true,
            "extra-move=store" => s.extra_move = true,
            "extra-move=none" => s.extra_move = false,
            "opponent-store=skip" => s.opponent_store = false,
            "opponent-store=sow" => s.opponent_store = true,
            "end=all-empty" => s.end = End::AllEmpty,
            "end=row-empty" => s.end = End::RowEmpty,
            "end=stuck" => s.end = End::Stuck,
            "mikul=off" => s.mikul = Mikul::Off,
            "mikul=on" => s.mikul = Mikul::On,
            "mikul=equal" => s.mikul = Mikul::Equal,
            _ => panic!("not a switch of congklak: {word}"),
        }
    }
    s
}

/// The seeds of a row, closed pits holding none.
fn row(pits: &[i64]) -> i64 {
    pits.iter().filter(|&&pit| pit != CLOSED).sum()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cell {
    Pit(usize),
    OwnStore,
    OpponentStore,
}

impl Congklak {
    /// Plays the own pit at index `origin`, which holds seeds.
    fn play(&self, board: &Board, origin: usize) -> Played {
        let mut board = board.clone();
        let pits = board.len() / 2;
        let open = |range: std::ops::Range<usize>| {
            range.filter(|&pit| board[pit] != CLOSED).map(Cell::Pit).collect::<Vec<_>>()
        };
        let mut ring = open(0..pits);
        ring.push(Cell::OwnStore);
        ring.extend(open(pits..2 * pits));
        if self.opponent_store {
            ring.push(Cell::OpponentStore);
        }

        let (mut gain, mut opponent_gain, mut again) = (0, 0, false);
        let mut met = HashSet::new();
        let mut at = ring.iter().position(|&cell| cell == Cell::Pit(origin)).unwrap();
        loop {
            let Cell::Pit(lifted) = ring[at] else { unreachable!() };
            assert!(met.insert((board.clone(), lifted)), "an endless move in congklak: {board:?}");
            let hand = std::mem::take(&mut board[lifted]);
            for _ in 0..hand {
                at = (at + 1) % ring.len();
                match ring[at] {
                    Cell::Pit(pit) => board[pit] += 1,
                    Cell::OwnStore => gain += 1,
                    Cell::OpponentStore => opponent_gain += 1,
                }
            }
            let last = match ring[at] {
                Cell::OwnStore => {
                    again = self.extra_move;
                    break;
                }
                Cell::OpponentStore => break,
                Cell::Pit(pit) => pit,
            };
            if board[last] > 1 {
                continue;
            }
            if last < pits {
                gain += self.capture_opposite(&mut board, last);
            } else {
                gain += self.capture_neighbours(&mut board, last);
            }
            break;
        }
        let next = if again { board } else { flipped(&board) };
        Played { choice: Choice::Pit(origin + 1), gain, opponent_gain, again, next }
    }

    fn capture_opposite(&self, board: &mut Board, last: usize) -> i64 {
        let opposite = board.len() - 1 - last;
        if board[opposite] > 0 {
            let captured = std::mem::take(&mut board[opposite]);
            if self.take_last { captured + std::mem::take(&mut board[last]) } else { captured }
        } else if self.take_last && self.empty_capture {
            std::mem::take(&mut board[last])
        } else {
            0
        }
    }

    fn capture_neighbours(&self, board: &mut Board, last: usize) -> i64 {
        let mut neighbours = vec![last - 1, last + 1];
        neighbours.retain(|&pit| pit >= board.len() / 2 && pit < board.len() && board[pit] != CLOSED);
        let captures = match self.mikul {
            Mikul::Off => false,
            Mikul::On => true,
            Mikul::Equal => neighbours.len() == 2 && board[neighbours[0]] == board[neighbours[1]],
        };
        if !captures {
            return 0;
        }
        neighbours.into_iter().map(|pit| std::mem::take(&mut board[pit])).sum()
    }
}

impl Brute for Congklak {
    type Position = Board;

    fn end(&self, board: &Board) -> Option<i64> {
        let (own, other) = board.split_at(board.len() / 2);
        let (own, other) = (row(own), row(other));
        let over = match self.end {
            End::AllEmpty => own == 0 && other == 0,
            End::RowEmpty => own == 0 || other == 0,
            End::Stuck => own == 0,
        };
        over.then_some(own - other)
    }

    fn moves(&self, board: &Board) -> Vec<Played> {
        if self.end(board).is_some() {
            return Vec::new();
        }
        let pits = board.len() / 2;
        if row(&board[..pits]) == 0 {
            let (choice, next) = (Choice::Pass, flipped(board));
            return vec![Played { choice, gain: 0, opponent_gain: 0, again: false, next }];
        }
        (0..pits).filter(|&pit| board[pit] > 0).map(|pit| self.play(board, pit)).collect()
    }
}

/// The most seeds that one turn, extra moves included, can bring.
pub fn best_turn(game: &Congklak, board: &Board, known: &mut HashMap<Board, i64>) -> i64 {
    if let Some(&most) = known.get(board) {
        return most;
    }
    let moves = game.moves(board).into_iter();
    let turns =
        moves.map(|played| played.gain + if played.again { best_turn(game, &played.next, known) } else { 0 });
    let most = turns.max().unwrap_or(0);
    known.insert(board.clone(), most);
    most
}

/// What becomes of a move that does not end by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    Illegal,
    Draw,
    Loss,
    Stop,
}

impl Endless {
    /// `board` is that of the first state that came twice.
    pub fn play(self, choice: Choice, gain: i64, opponent_gain: i64, board: &Board) -> Option<Played> {
        let nothing = vec![0; board.len()];
        let (more, next) = match self {
            Endless::Illegal => return None,
            Endless::Draw => (0, nothing),
            Endless::Loss => (seeds(board), nothing),
            Endless::Stop => (0, flipped(board)),
        };
        Some(Played { choice, gain, opponent_gain: opponent_gain + more, again: false, next })
    }
}

/// Sadeqa, en-dodoi or en-gehe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sadeqa {
    pub take_last: bool,
    pub empty_capture: bool,
    pub endless: Endless,
}

/// The switches in words; those left out have the default of sadeqa.
pub fn sadeqa(text: &str) -> Sadeqa {
    let mut s = Sadeqa { take_last: false, empty_capture: false, endless: Endless::Illegal };
    for word in text.split_whitespace() {
        match word {
            "trigger=take" => s.take_last = true,
            "trigger=leave" => s.take_last = false,
            "empty-capture=no" => s.empty_capture = false,
            "empty-capture=yes" => s.empty_capture = true,
            "endless=illegal" => s.endless = Endless::Illegal,
            "endless=draw" => s.endless = Endless::Draw,
            "endless=loss" => s.endless = Endless::Loss,
            "endless=stop" => s.endless = Endless::Stop,
            _ => panic!("not a switch of sadeqa: {word}"),
        }
    }
    s
}

impl Sadeqa {
    /// Plays the own pit at index `origin`, which holds seeds; `None` if that is not allowed.
    fn play(&self, board: &Board, origin: usize, laps: usize) -> Result<Option<Played>, TooLong> {
        let mut board = board.clone();
        let choice = Choice::Pit(origin + 1);
        let mut met = HashSet::new();
        let mut at = origin;
        loop {
            if !met.insert((board.clone(), at)) {
                return Ok(self.endless.play(choice, 0, 0, &board));
            }
            if met.len() > laps {
                return Err(TooLong);
            }
            let hand = std::mem::take(&mut board[at]);
            for _ in 0..hand {
                at = (at + 1) % board.len();
                board[at] += 1;
            }
            if board[at] == 1 {
                break;
            }
        }
        let mut gain = 0;
        if at < board.len() / 2 {
            let opposite = board.len() - 1 - at;
            gain = std::mem::take(&mut board[opposite]);
            if self.take_last && (gain > 0 || self.empty_capture) {
                gain += std::mem::take(&mut board[at]);
            }
        }
        Ok(Some(Played { choice, gain, opponent_gain: 0, again: false, next: flipped(&board) }))
    }
}

impl Brute for Sadeqa {
    type Position = Board;

    fn end(&self, board: &Board) -> Option<i64> {
        self.moves(board).is_empty().then(|| -seeds(board))
    }

    fn moves(&self, board: &Board) -> Vec<Played> {
        let pits = (0..board.len() / 2).filter(|&pit| board[pit] > 0);
        pits.filter_map(|pit| self.play(board, pit, usize::MAX).unwrap()).collect()
    }

    fn is_long(&self, board: &Board, laps: usize) -> bool {
        (0..board.len() / 2).any(|pit| board[pit] > 0 && self.play(board, pit, laps).is_err())
    }
}
