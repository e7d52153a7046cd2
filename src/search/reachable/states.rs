//! The states that can follow from a position in games without layers, found board by board.

use std::collections::VecDeque;

use indexmap::IndexSet;

use crate::board::{Game, Position, Quan};
use crate::clock::Instant;
use crate::control::{Control, Stopped};
use crate::rules::Refill;

/// What may be spent on a position.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Allowance {
    /// Bytes of memory.
    pub memory: u64,
    /// When to look at no more states.
    pub until: Option<Instant>,
}

impl Allowance {
    /// So many bytes of memory, and any time.
    pub fn new(memory: u64) -> Allowance {
        Allowance { memory, until: None }
    }

    /// The same, up to a point in time, if one is given.
    #[must_use]
    pub fn until(self, until: impl Into<Option<Instant>>) -> Allowance {
        Allowance { until: until.into(), ..self }
    }
}

/// A move from one state to another.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// [`HOME`] for a state of the board that began.
    pub to: u32,
    pub gain: i32,
    pub again: bool,
}

/// The way back to the board that began.
pub(super) const HOME: u32 = u32::MAX;
pub(super) const UNKNOWN: i32 = i32::MIN;
/// States between two looks at the control: few, since a move can be long.
const ROUND: usize = 1 << 4;
/// States with more seeds on the board are not looked at.
pub(super) const MOST_ON_BOARD: u32 = 1 << 14;

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mover {
    First,
    Second,
}

impl Mover {
    fn other(self) -> Mover {
        match self {
            Mover::First => Mover::Second,
            Mover::Second => Mover::First,
        }
    }
}

/// The states found so far and their moves.
pub(super) struct States<'a, G> {
    game: &'a G,
    states: IndexSet<Box<[u16]>>,
    /// The boards by number, where stores make several states of one; else a board has the number of its
    /// state.
    pub boards: Option<IndexSet<Box<[u16]>>>,
    /// By state, the number of its board.
    pub board: Vec<u32>,
    /// By state, what was found when it was looked at.
    visits: Vec<Visited>,
    edges: Vec<Edge>,
    /// States not looked at: those in reach, and those with too many seeds on the board.
    open: VecDeque<u32>,
    postponed: Vec<u32>,
}

/// What was found at a state.
#[derive(Clone, Copy)]
struct Visited {
    /// Its moves among all edges.
    first: u32,
    moves: u32,
    /// Its worth if the game is over, else [`UNKNOWN`].
    end: i32,
}

/// Nothing is known of a state.
const UNVISITED: Visited = Visited { first: 0, moves: 0, end: UNKNOWN };

/// Words at the end of a packed state that hold the stores.
const STORE_WORDS: usize = 4;

/// A state in few bytes.
fn pack(position: &Position, player: Mover) -> Box<[u16]> {
    let Quan { pieces, seeds } = position.quan;
    let marks = u16::from(pieces[0]) | u16::from(pieces[1]) << 1 | u16::from(player == Mover::First) << 2;
    let rows = position.own.iter().chain(position.opponent.iter()).copied();
    let points = position.stores.iter().flat_map(|&points| [points as u16, (points >> 16) as u16]);
    rows.chain(seeds).chain([marks]).chain(points).collect()
}

/// The opposite of [`pack`].
fn unpack(state: &[u16], pits: usize) -> (Position, Mover) {
    let (rows, rest) = state.split_at(2 * pits);
    let points = |at: usize| (u32::from(rest[at]) | u32::from(rest[at + 1]) << 16) as i32;
    let marked = |bit: u32| rest[2] >> bit & 1 == 1;
    let mut position = Position::of_rows(&rows[..pits], &rows[pits..]);
    position.quan = Quan { pieces: [marked(0), marked(1)], seeds: [rest[0], rest[1]] };
    position.stores = [points(3), points(5)];
    (position, if marked(2) { Mover::First } else { Mover::Second })
}

/// Seeds on the board.
pub(super) fn on_board(position: &Position) -> u32 {
    position.seeds() + position.quan.seeds.map(u32::from).iter().sum::<u32>()
}

impl<'a, G: Game> States<'a, G> {
    pub fn new(game: &'a G, position: &G::Position) -> States<'a, G> {
        let boards = game.rules().switches().is_some_and(|s| s.refill == Refill::End).then(IndexSet::new);
        let mut found = States {
            game,
            states: IndexSet::new(),
            boards,
            board: Vec::new(),
            visits: Vec::new(),
            edges: Vec::new(),
            open: VecDeque::new(),
            postponed: Vec::new(),
        };
        found.enter(&game.unpack(position), Mover::First);
        found
    }

    /// The number of a state, which is new or known.
    fn enter(&mut self, position: &Position, player: Mover) -> u32 {
        let state = pack(position, player);
        let board = self.boards.as_mut().map(|boards| {
            let board = state[..state.len() - STORE_WORDS].into();
            boards.insert_full(board).0 as u32
        });
        let (at, is_new) = self.states.insert_full(state);
        if is_new {
            self.visits.push(UNVISITED);
            self.board.push(board.unwrap_or(at as u32));
            self.open.push_back(at as u32);
        }
        at as u32
    }

    /// Whether all states that can follow have been looked at.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty() && self.postponed.is_empty()
    }

    /// Bytes taken, those for claims included.
    fn bytes(&self) -> u64 {
        let pits = usize::from(self.game.rules().pits());
        // The state and what allocating it costs, its entry and place in the set, and what claims take.
        let key = 2 * (2 * pits + 7) + 16 + 40;
        let state = if self.boards.is_some() { 2 * key } else { key } + 100;
        // A move, and its way back within a component.
        let edge = size_of::<Edge>() + 8;
        (self.states.len() * state + self.edges.len() * edge) as u64
    }

    /// Looks at all states that can be reached by way of boards of up to `most` seeds. Returns false if the
    /// means were spent before.
    pub fn explore(&mut self, most: u32, allowance: &Allowance, control: &Control) -> Result<bool, Stopped> {
        let game = self.game;
        let pits = game.rules().pits().into();
        self.open.extend(self.postponed.drain(..));
        let mut looked = 0_usize;
        while let Some(state) = self.open.pop_front() {
            if looked.is_multiple_of(ROUND) {
                control.check()?;
                control.advance(ROUND as u64);
                let is_late = allowance.until.is_some_and(|until| Instant::now() >= until);
                let is_full = self.states.len().max(self.edges.len()) >= HOME as usize / 2;
                if is_late || is_full || self.bytes() > allowance.memory {
                    self.open.push_front(state);
                    return Ok(false);
                }
            }
            looked += 1;
            let (position, player) = unpack(&self.states[state as usize], pits);
            if on_board(&position) > most {
                self.postponed.push(state);
                continue;
            }
            let position = game.pack(&position);
            let first = self.edges.len() as u32;
            game.for_each_move(&position, |played| {
                let next = if played.again { player } else { player.other() };
                let to = self.enter(&game.unpack(&played.next), next);
                let to = if self.board[to as usize] == self.board[0] { HOME } else { to };
                let gain = played.gain - played.opponent_gain;
                self.edges.push(Edge { to, gain, again: played.again });
            });
            let end = game.end_value(&position).unwrap_or(UNKNOWN);
            self.visits[state as usize] = Visited { first, moves: self.edges.len() as u32 - first, end };
        }
        Ok(true)
    }

    /// The moves of a state; none if the game is over or it was not looked at.
    pub fn moves(&self, state: u32) -> &[Edge] {
        let Visited { first, moves, .. } = self.visits[state as usize];
        &self.edges[first as usize..][..moves as usize]
    }

    /// The worth of a state without moves, if it is known.
    pub fn end(&self, state: u32) -> i32 {
        self.visits[state as usize].end
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// How many have been looked at.
    pub fn visited(&self) -> usize {
        self.len() - self.open.len() - self.postponed.len()
    }
}
