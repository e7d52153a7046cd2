//! Solving a position of a game without layers: everything that can follow from it.
//!
//! Where captured seeds come back to the board, no number falls with every move, and a game may come
//! back to a position with other points in the stores. It ends then, with the stores as they are; so
//! what a position is worth depends on the play before it, and only what is proven without a
//! repetition holds for all of them.
//!
//! The states that can follow are found in breadth, by boards of more and more seeds, as far as time and
//! memory go; nothing is known of those that were not looked at. They are taken by strongly connected components (Tarjan 1972), those that lead
//! nowhere else first. A state in no circle has a value as soon as its successors have. Within a component bounds are *claimed* one after the other: that the mover gets at
//! least so much because one of his moves does, or at most so much because each does, where the claims
//! about the states after these moves were made before. The proof of a claim thus only uses older
//! claims, and as no claim is made twice no line of it meets a state twice. The highest claims are made
//! first, since a later one may build on them.
//!
//! The state that begins is the one exception: whoever comes back to it ends the game, so there the
//! rest is worth exactly 0. A state is a position and the player to move in it, since a position seen from
//! the other side is no repetition.

use std::collections::{BinaryHeap, VecDeque};
use std::time::Instant;

use indexmap::IndexSet;

use crate::board::{Game, Overlong, Played, Position, Quan};
use crate::control::{Control, Stopped};

/// Bounds of what the mover gets from a position on more than his opponent, in points; `None` where none
/// was proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// At least this.
    pub lower: Option<i32>,
    /// At most this.
    pub upper: Option<i32>,
}

/// What is proven of a position, and of each of its moves for the player who makes it.
#[derive(Clone, Debug)]
pub struct Reachable<P> {
    /// Of the position.
    pub outlook: Outlook,
    /// Of its moves, their gains included, in the order of the game.
    pub moves: Vec<(Played<P>, Outlook)>,
    /// States looked at, the position among them.
    pub states: usize,
    /// Whether these are all that can follow.
    pub is_complete: bool,
}

/// Why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unexplored {
    /// The control asked for it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A move could not be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
}

/// What may be spent on a position.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Bytes of memory.
    pub memory: u64,
    /// When to look at no more states.
    pub until: Option<Instant>,
}

/// A move from one state to another.
#[derive(Clone, Copy)]
struct Edge {
    /// [`HOME`] for the state that began.
    to: u32,
    gain: i32,
    again: bool,
}

/// The way back to the state that began.
const HOME: u32 = u32::MAX;
const UNKNOWN: i32 = i32::MIN;
/// States between two looks at the control.
const ROUND: usize = 1 << 12;
/// States with more seeds on the board are not looked at.
const MOST_ON_BOARD: u32 = 1 << 14;

/// Which end of the outlook a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    /// The mover gets at least so much.
    Lower,
    /// He gets at most so much.
    Upper,
}

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Player {
    First,
    Second,
}

impl Player {
    fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// The states found so far and their moves.
struct Graph<'a, G> {
    game: &'a G,
    states: IndexSet<Box<[u16]>>,
    /// By state, what was found when it was looked at.
    looks: Vec<Look>,
    edges: Vec<Edge>,
    /// States not looked at: those in reach, and those with too many seeds on the board.
    open: VecDeque<u32>,
    postponed: Vec<u32>,
}

/// What was found at a state.
#[derive(Clone, Copy)]
struct Look {
    /// Its moves among all edges.
    first: u32,
    moves: u32,
    /// Its worth if the game is over, else [`UNKNOWN`].
    end: i32,
}

/// Nothing is known of a state.
const UNSEEN: Look = Look { first: 0, moves: 0, end: UNKNOWN };

/// A state in few bytes.
fn pack(position: &Position, player: Player) -> Box<[u16]> {
    let Quan { pieces, seeds } = position.quan;
    let marks = u16::from(pieces[0]) | u16::from(pieces[1]) << 1 | u16::from(player == Player::First) << 2;
    let rows = position.own.iter().chain(position.opponent.iter()).copied();
    let points = position.stores.iter().flat_map(|&points| [points as u16, (points >> 16) as u16]);
    rows.chain(seeds).chain([marks]).chain(points).collect()
}

/// The opposite of [`pack`].
fn unpack(state: &[u16], pits: usize) -> (Position, Player) {
    let (rows, rest) = state.split_at(2 * pits);
    let points = |at: usize| (u32::from(rest[at]) | u32::from(rest[at + 1]) << 16) as i32;
    let marked = |bit: u32| rest[2] >> bit & 1 == 1;
    let mut position = Position::new(&rows[..pits], &rows[pits..]);
    position.quan = Quan { pieces: [marked(0), marked(1)], seeds: [rest[0], rest[1]] };
    position.stores = [points(3), points(5)];
    (position, if marked(2) { Player::First } else { Player::Second })
}

/// Seeds on the board.
fn on_board(position: &Position) -> u32 {
    position.seeds() + position.quan.seeds.map(u32::from).iter().sum::<u32>()
}

impl<'a, G: Game> Graph<'a, G> {
    fn new(game: &'a G, position: &G::Position) -> Graph<'a, G> {
        let states = IndexSet::from([pack(&game.unpack(position), Player::First)]);
        let open = VecDeque::from([0]);
        Graph { game, states, looks: vec![UNSEEN], edges: Vec::new(), open, postponed: Vec::new() }
    }

    /// Whether all states that can follow have been looked at.
    fn is_complete(&self) -> bool {
        self.open.is_empty() && self.postponed.is_empty()
    }

    /// Bytes taken, those for claims included.
    fn bytes(&self) -> u64 {
        let pits = usize::from(self.game.rules().pits);
        // The state and what allocating it costs, its entry and place in the set, and what claims take.
        let state = 2 * (2 * pits + 7) + 16 + 40 + 80;
        // A move, and its way back within a component.
        let edge = size_of::<Edge>() + 8;
        (self.states.len() * state + self.edges.len() * edge) as u64
    }

    /// Looks at all states that can be reached by way of boards of up to `most` seeds. Returns false if the
    /// means were spent before.
    fn explore(&mut self, most: u32, means: &Means, control: &Control) -> Result<bool, Stopped> {
        let pits = self.game.rules().pits.into();
        self.open.extend(self.postponed.drain(..));
        let mut looked = 0_usize;
        while let Some(state) = self.open.pop_front() {
            if looked.is_multiple_of(ROUND) {
                control.check()?;
                control.advance(ROUND as u64);
                let is_late = means.until.is_some_and(|until| Instant::now() >= until);
                let is_full = self.states.len().max(self.edges.len()) >= HOME as usize / 2;
                if is_late || is_full || self.bytes() > means.memory {
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
            let position = self.game.pack(&position);
            let first = self.edges.len() as u32;
            self.game.for_each_move(&position, |played| {
                let next = if played.again { player } else { player.other() };
                let (to, is_new) = self.states.insert_full(pack(&self.game.unpack(&played.next), next));
                if is_new {
                    self.looks.push(UNSEEN);
                    self.open.push_back(to as u32);
                }
                let to = if to == 0 { HOME } else { to as u32 };
                let gain = played.gain - played.opponent_gain;
                self.edges.push(Edge { to, gain, again: played.again });
            });
            let end = self.game.end_value(&position).unwrap_or(UNKNOWN);
            self.looks[state as usize] = Look { first, moves: self.edges.len() as u32 - first, end };
        }
        Ok(true)
    }

    /// The moves of a state; none if the game is over or it was not looked at.
    fn moves(&self, state: u32) -> &[Edge] {
        let Look { first, moves, .. } = self.looks[state as usize];
        &self.edges[first as usize..][..moves as usize]
    }

    /// The worth of a state without moves, if it is known.
    fn end(&self, state: u32) -> i32 {
        self.looks[state as usize].end
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

/// Proves bounds of a position with the means given.
///
/// Boards of few seeds are looked at first: where rows are filled again on credit they can grow without
/// end.
///
/// # Errors
/// [`Unexplored`], with the reason.
pub fn solve_reachable<G: Game>(
    game: &G,
    position: &G::Position,
    means: &Means,
    control: &Control,
) -> Result<Reachable<G::Position>, Unexplored> {
    let mut graph = Graph::new(game, position);
    let on_board = on_board(&game.unpack(position));
    let mut more = 0;
    control.begin("looking at what can follow", 0);
    loop {
        let most = (on_board + more).min(MOST_ON_BOARD);
        let may_go_on = graph.explore(most, means, control)? && most < MOST_ON_BOARD;
        game.check_laps()?;
        let found = prove(&graph, position, control)?;
        let is_proven = |outlook: &Outlook| outlook.lower.is_some() && outlook.lower == outlook.upper;
        let all_proven =
            is_proven(&found.outlook) && found.moves.iter().all(|(_, outlook)| is_proven(outlook));
        if all_proven || found.is_complete || !may_go_on {
            return Ok(found);
        }
        more = (2 * more).max(game.rules().pits.into());
    }
}

/// What the states looked at prove.
fn prove<G: Game>(
    graph: &Graph<G>,
    position: &G::Position,
    control: &Control,
) -> Result<Reachable<G::Position>, Stopped> {
    let mut claims =
        Claims { graph, bounds: vec![[UNKNOWN; 2]; graph.len()], component: vec![0; graph.len()] };
    claims.claim_all(control)?;
    let known = |bound: i32| (bound != UNKNOWN).then_some(bound);
    let mut moves = Vec::new();
    let mut edges = graph.moves(0).iter();
    graph.game.for_each_move(position, |played| {
        if let Some(edge) = edges.next() {
            let [lower, upper] = [Side::Lower, Side::Upper].map(|side| known(claims.worth(edge, side)));
            moves.push((played, Outlook { lower, upper }));
        }
    });
    let [lower, upper] = claims.bounds[0].map(known);
    Ok(Reachable {
        outlook: Outlook { lower, upper },
        moves,
        states: graph.len() - graph.open.len() - graph.postponed.len(),
        is_complete: graph.is_complete(),
    })
}

/// What has been claimed.
struct Claims<'a, G> {
    graph: &'a Graph<'a, G>,
    /// Lower and upper bound by state.
    bounds: Vec<[i32; 2]>,
    /// The component of each state, from 1; 0 before it is known.
    component: Vec<u32>,
}

impl<G: Game> Claims<'_, G> {
    /// What is claimed of a move's worth on a side.
    fn worth(&self, edge: &Edge, side: Side) -> i32 {
        let other = if edge.again { side as usize } else { 1 - side as usize };
        let next = if edge.to == HOME { 0 } else { self.bounds[edge.to as usize][other] };
        match next {
            UNKNOWN => UNKNOWN,
            next if edge.again => edge.gain + next,
            next => edge.gain - next,
        }
    }

    /// What can be claimed of a state: the best of what is known of its moves, all of which must be known
    /// for an upper bound.
    fn claim(&self, state: u32, side: Side) -> i32 {
        let moves = self.graph.moves(state);
        if moves.is_empty() {
            return self.graph.end(state);
        }
        let worths = moves.iter().map(|edge| self.worth(edge, side));
        match side {
            Side::Lower => worths.max().unwrap_or(UNKNOWN),
            Side::Upper => worths
                .reduce(
                    |one, other| if one == UNKNOWN || other == UNKNOWN { UNKNOWN } else { one.max(other) },
                )
                .unwrap_or(UNKNOWN),
        }
    }

    /// Claims all that can be claimed, component by component.
    fn claim_all(&mut self, control: &Control) -> Result<(), Stopped> {
        let components = components(self.graph, control)?;
        for (number, component) in (1..).zip(&components) {
            component.iter().for_each(|&state| self.component[state as usize] = number);
        }
        for component in &components {
            control.check()?;
            if let [state] = component[..]
                && self.graph.moves(state).iter().all(|edge| edge.to != state)
            {
                self.bounds[state as usize] = [Side::Lower, Side::Upper].map(|side| self.claim(state, side));
            } else {
                self.claim_circles(component);
            }
        }
        Ok(())
    }

    /// Claims within a component, the highest first.
    fn claim_circles(&mut self, component: &[u32]) {
        let before = self.predecessors(component);
        let mut open = BinaryHeap::new();
        for &state in component {
            self.offer(state, &mut open);
        }
        while let Some((_, side, state)) = open.pop() {
            if self.bounds[state as usize][side as usize] != UNKNOWN {
                continue;
            }
            self.bounds[state as usize][side as usize] = self.claim(state, side);
            let place = component.binary_search(&state).expect("a state of the component");
            for &from in &before[place] {
                self.offer(from, &mut open);
            }
        }
    }

    /// Puts what can be claimed of a state on the heap, by what it is worth to the player who claims it.
    fn offer(&self, state: u32, open: &mut BinaryHeap<(i32, Side, u32)>) {
        for side in [Side::Lower, Side::Upper] {
            if self.bounds[state as usize][side as usize] == UNKNOWN {
                let claim = self.claim(state, side);
                if claim != UNKNOWN {
                    open.push((if side == Side::Lower { claim } else { -claim }, side, state));
                }
            }
        }
    }

    /// For each state of a component, which is sorted, those in it that have a move to it.
    fn predecessors(&self, component: &[u32]) -> Vec<Vec<u32>> {
        let number = self.component[component[0] as usize];
        let mut before = vec![Vec::new(); component.len()];
        for &state in component {
            let within = |edge: &&Edge| edge.to != HOME && self.component[edge.to as usize] == number;
            for edge in self.graph.moves(state).iter().filter(within) {
                let place = component.binary_search(&edge.to).expect("a state of the component");
                before[place].push(state);
            }
        }
        before
    }
}

/// The strongly connected components, each sorted, in an order in which no move leads to a later one.
fn components<G: Game>(graph: &Graph<G>, control: &Control) -> Result<Vec<Vec<u32>>, Stopped> {
    const NEW: u32 = 0;
    const DONE: u32 = u32::MAX;
    let mut components = Vec::new();
    // Order of discovery, and the earliest state on the stack that is known to be reached.
    let (mut order, mut low) = (vec![NEW; graph.len()], vec![DONE; graph.len()]);
    let (mut stack, mut count) = (Vec::new(), 0_u32);
    // States in work with the number of their moves looked at.
    let mut path = vec![(0_u32, 0_usize)];
    while let Some(&mut (state, ref mut looked)) = path.last_mut() {
        let at = state as usize;
        if *looked == 0 && order[at] == NEW {
            count += 1;
            if (count as usize).is_multiple_of(ROUND) {
                control.check()?;
            }
            (order[at], low[at]) = (count, count);
            stack.push(state);
        }
        let next = graph.moves(state).iter().skip(*looked).find(|edge| {
            *looked += 1;
            if edge.to == HOME {
                return false;
            }
            let to = edge.to as usize;
            if order[to] != NEW && order[to] != DONE {
                low[at] = low[at].min(order[to]);
            }
            order[to] == NEW
        });
        if let Some(edge) = next {
            path.push((edge.to, 0));
            continue;
        }
        path.pop();
        if low[at] == order[at] {
            let first = stack.iter().rposition(|&other| other == state).expect("the state is on the stack");
            let mut component = stack.split_off(first);
            component.iter().for_each(|&state| order[state as usize] = DONE);
            component.sort_unstable();
            components.push(component);
        }
        if let Some(&(before, _)) = path.last() {
            low[before as usize] = low[before as usize].min(low[at]);
        }
    }
    Ok(components)
}
