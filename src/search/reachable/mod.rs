//! Solving a position of a game without layers: everything that can follow from it.
//!
//! Where captured seeds come back to the board, no number falls with every move, and a game may come
//! back to a board with other points in the stores. It ends then, with the stores as they are; so what
//! a position is worth depends on the play before it, and only what is proven without a repetition
//! holds for all of them.
//!
//! A *board* here is what lies in pits and quan cells and the player to move, a *state* a board with what
//! else decides which moves are legal: the stores, where a row is only filled again if they suffice.
//! States are found in breadth, by boards of more and more seeds, as far as time and memory go; nothing
//! is known of those that were not looked at. Boards are taken by strongly connected components (Tarjan
//! 1972), those that lead nowhere else first.
//!
//! Bounds are *claimed* board by board: that the mover gets at least so much because one of his moves does,
//! or at most so much because each does, by what was claimed about the states after these moves
//! before. A board gets its claims about one end once, those of all its states together. So each step of
//! a proof leads to a board whose claims are older, and no line of it meets a board twice. The highest
//! claims are made first, since later ones may build on them.
//!
//! The board that begins is the one exception: whoever comes back to it ends the game, so there the rest
//! is worth exactly 0.

mod states;

use std::collections::BinaryHeap;

use indexmap::IndexSet;

use super::repeating::BoundSide;
use crate::board::{Game, Overlong, Played};
use crate::control::{Control, Stopped};
pub use states::Allowance;
use states::{Edge, HOME, MOST_ON_BOARD, States, UNKNOWN, on_board};

/// Bounds of what the mover gets from a position on more than his opponent, in points; `None` where none
/// was proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// At least this.
    pub lower: Option<i32>,
    /// At most this.
    pub upper: Option<i32>,
}

impl Proven {
    const NOTHING: Proven = Proven { lower: None, upper: None };

    /// The value, if it is proven.
    pub fn value(&self) -> Option<i32> {
        self.lower.filter(|_| self.lower == self.upper)
    }
}

/// What is proven of a position, and of each of its moves for the player who makes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reachable<P> {
    /// Of the position.
    pub proven: Proven,
    /// Of its moves, their gains included, in the order of the game.
    pub moves: Vec<(Played<P>, Proven)>,
    /// States looked at, the position among them.
    pub states: usize,
    /// Whether these are all that can follow.
    pub is_complete: bool,
}

const SIDES: [BoundSide; 2] = [BoundSide::Lower, BoundSide::Upper];
/// Components, or boards, between two looks at the control.
const ROUND: usize = 1 << 12;

/// Proves bounds of a position with what is allowed, and with less if the control asks for a stop.
///
/// Boards of few seeds are looked at first: where rows are filled again on credit they can grow without
/// end.
///
/// # Errors
/// [`Overlong`] if a move could not be played out.
pub fn solve_reachable<G: Game>(
    game: &G,
    position: &G::Position,
    allowance: &Allowance,
    control: &Control,
) -> Result<Reachable<G::Position>, Overlong> {
    let mut graph = States::new(game, position);
    let on_board = on_board(&game.unpack(position));
    let mut moves = Vec::new();
    game.for_each_move(position, |played| moves.push((played, Proven::NOTHING)));
    let mut found = Reachable { proven: Proven::NOTHING, moves, states: 0, is_complete: false };
    let mut more = 0;
    control.begin("looking at what can follow", 0);
    loop {
        let most = (on_board + more).min(MOST_ON_BOARD);
        let explored = graph.explore(most, allowance, control);
        game.check_laps()?;
        let Ok(may_go_on) = explored else { return Ok(found) };
        let Ok(()) = prove(&graph, &mut found, control) else { return Ok(found) };
        let is_proven = |proven: &Proven| proven.value().is_some();
        let all_proven = is_proven(&found.proven) && found.moves.iter().all(|(_, proven)| is_proven(proven));
        if all_proven || found.is_complete || !may_go_on || most == MOST_ON_BOARD {
            return Ok(found);
        }
        more = (2 * more).max(game.rules().pits().into());
    }
}

/// Enters what the states looked at prove.
fn prove<G: Game>(
    graph: &States<G>,
    found: &mut Reachable<G::Position>,
    control: &Control,
) -> Result<(), Stopped> {
    let mut claims = Claims::new(graph);
    claims.claim_all(control)?;
    let known = |[lower, upper]: [i32; 2]| {
        let known = |bound: i32| (bound != UNKNOWN).then_some(bound);
        Proven { lower: known(lower), upper: known(upper) }
    };
    found.proven = known(claims.bounds[0]);
    for ((_, proven), edge) in found.moves.iter_mut().zip(graph.moves(0)) {
        *proven = known(SIDES.map(|side| claims.worth(edge, side)));
    }
    found.states = graph.visited();
    found.is_complete = graph.is_complete();
    Ok(())
}

/// What has been claimed.
struct Claims<'a, G> {
    graph: &'a States<'a, G>,
    /// Lower and upper bound by state.
    bounds: Vec<[i32; 2]>,
    /// The states, by their boards, and where those of each board begin.
    states: Vec<u32>,
    starts: Vec<u32>,
    /// By board, whether its claims about each end have been made.
    made: Vec<[bool; 2]>,
    /// The component of each board.
    component: Vec<u32>,
}

impl<'a, G: Game> Claims<'a, G> {
    fn new(graph: &'a States<'a, G>) -> Self {
        let boards = graph.boards.as_ref().map_or(graph.len(), IndexSet::len);
        let mut starts = vec![0_u32; boards + 1];
        graph.board.iter().for_each(|&board| starts[board as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut states = vec![0; graph.len()];
        for (state, &board) in (0..).zip(&graph.board) {
            states[next[board as usize] as usize] = state;
            next[board as usize] += 1;
        }
        let (made, component) = (vec![[false; 2]; boards], vec![0; boards]);
        Claims { graph, bounds: vec![[UNKNOWN; 2]; graph.len()], states, starts, made, component }
    }

    /// The states of a board.
    fn states_of(&self, board: u32) -> &[u32] {
        &self.states[self.starts[board as usize] as usize..self.starts[board as usize + 1] as usize]
    }

    /// The boards that moves from a board lead to, but for the one that began; some more than once.
    fn next_boards(&self, board: u32) -> impl Iterator<Item = u32> {
        let moves = self.states_of(board).iter().flat_map(|&state| self.graph.moves(state));
        moves.filter(|edge| edge.to != HOME).map(|edge| self.graph.board[edge.to as usize])
    }

    /// What is claimed of a move's worth on a side.
    fn worth(&self, edge: &Edge, side: BoundSide) -> i32 {
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
    fn claim(&self, state: u32, side: BoundSide) -> i32 {
        let moves = self.graph.moves(state);
        if moves.is_empty() {
            return self.graph.end(state);
        }
        let worths = moves.iter().map(|edge| self.worth(edge, side));
        match side {
            BoundSide::Lower => worths.max().unwrap_or(UNKNOWN),
            BoundSide::Upper => worths
                .reduce(
                    |one, other| if one == UNKNOWN || other == UNKNOWN { UNKNOWN } else { one.max(other) },
                )
                .unwrap_or(UNKNOWN),
        }
    }

    /// Claims all that can be claimed, component by component.
    fn claim_all(&mut self, control: &Control) -> Result<(), Stopped> {
        let components = self.components(control)?;
        for (number, component) in (0..).zip(&components) {
            component.iter().for_each(|&board| self.component[board as usize] = number);
        }
        for component in &components {
            control.check()?;
            self.claim_in(component);
        }
        Ok(())
    }

    /// Claims within a component, the highest first.
    fn claim_in(&mut self, component: &[u32]) {
        let before = self.predecessors(component);
        let mut open = BinaryHeap::new();
        component.iter().for_each(|&board| self.offer(board, &mut open));
        while let Some((_, side, board)) = open.pop() {
            let made = &mut self.made[board as usize][side as usize];
            if std::mem::replace(made, true) {
                continue;
            }
            for at in self.starts[board as usize]..self.starts[board as usize + 1] {
                let state = self.states[at as usize];
                self.bounds[state as usize][side as usize] = self.claim(state, side);
            }
            let place = component.binary_search(&board).expect("a board of the component");
            for &from in &before[place] {
                self.offer(from, &mut open);
            }
        }
    }

    /// Puts what can be claimed of a board on the heap, by what it is worth to the player who claims it.
    fn offer(&self, board: u32, open: &mut BinaryHeap<(i32, BoundSide, u32)>) {
        for side in SIDES {
            if !self.made[board as usize][side as usize] {
                let claims = self.states_of(board).iter().map(|&state| self.claim(state, side));
                let claims = claims.filter(|&claim| claim != UNKNOWN);
                let best = claims.map(|claim| if side == BoundSide::Lower { claim } else { -claim }).max();
                open.extend(best.map(|best| (best, side, board)));
            }
        }
    }

    /// For each board of a component, which is sorted, those in it that have a move to it.
    fn predecessors(&self, component: &[u32]) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); component.len()];
        if let [_] = component {
            return before;
        }
        let number = self.component[component[0] as usize];
        for &board in component {
            for next in self.next_boards(board).filter(|&next| self.component[next as usize] == number) {
                let place = component.binary_search(&next).expect("a board of the component");
                before[place].push(board);
            }
        }
        before
    }

    /// The strongly connected components of boards, each sorted, in an order in which no move leads to a
    /// later one.
    fn components(&self, control: &Control) -> Result<Vec<Vec<u32>>, Stopped> {
        const NEW: u32 = 0;
        const DONE: u32 = u32::MAX;
        let boards = self.component.len();
        let mut components = Vec::new();
        // Order of discovery, and the earliest board on the stack that is known to be reached.
        let (mut order, mut low) = (vec![NEW; boards], vec![DONE; boards]);
        let (mut stack, mut count) = (Vec::new(), 0_u32);
        // Boards in work with the moves that are left of them.
        let mut path = vec![(0_u32, self.next_boards(0))];
        (order[0], low[0]) = (1, 1);
        stack.push(0);
        while let Some((board, left)) = path.last_mut() {
            let at = *board as usize;
            let next = left.find(|&to| {
                let to = to as usize;
                if order[to] != NEW && order[to] != DONE {
                    low[at] = low[at].min(order[to]);
                }
                order[to] == NEW
            });
            if let Some(next) = next {
                count += 1;
                if (count as usize).is_multiple_of(ROUND) {
                    control.check()?;
                }
                (order[next as usize], low[next as usize]) = (count + 1, count + 1);
                stack.push(next);
                path.push((next, self.next_boards(next)));
                continue;
            }
            let (board, _) = path.pop().expect("the board in work");
            if low[at] == order[at] {
                let first = stack.iter().rposition(|&other| other == board);
                let mut component = stack.split_off(first.expect("the board is on the stack"));
                component.iter().for_each(|&board| order[board as usize] = DONE);
                component.sort_unstable();
                components.push(component);
            }
            if let Some((before, _)) = path.last() {
                low[*before as usize] = low[*before as usize].min(low[at]);
            }
        }
        Ok(components)
    }
}
