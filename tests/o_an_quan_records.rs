//! What is proven of o an quan from all that can follow, against the rule itself: a recursion over whole
//! records, in which the game ends when pits, quan cells and side to move are there for the second time.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_o_an_quan.rs"]
mod brute_o_an_quan;
#[path = "common/layers.rs"]
mod layers;

use std::collections::HashMap;

use brute::{Brute, combinations};
use brute_o_an_quan::{O_AN_QUAN, OAnQuan, State, o_an_quan};
use sowbase::board::{Game, Position, Quan, Ring, Row};
use sowbase::control::Control;
use sowbase::search::{Allowance, Proven, Reachable, solve_reachable};

fn game(pits: usize, switches: &str) -> Ring {
    Ring::new(&layers::game(&format!("o-an-quan:{pits}x1 {switches}"))).unwrap()
}

fn position(state: &State) -> Position {
    let row = |pits: &[i64]| Row::from(&pits.iter().map(|&pit| pit as u16).collect::<Vec<_>>()[..]);
    let (own, opponent) = state.pits.split_at(state.pits.len() / 2);
    let quan = Quan { pieces: state.quan.map(|piece| piece > 0), seeds: state.dan.map(|dan| dan as u16) };
    let stores = state.stores.map(|points| points as i32);
    Position { quan, stores, ..Position::of_rows(row(own), row(opponent)) }
}

/// The end of a position, or what its moves gain and where they lead.
type Known = Result<i64, Vec<(i64, usize)>>;

/// Positions met, each with its end or its moves once it was looked at.
struct Nodes<'a> {
    game: &'a OAnQuan,
    numbers: HashMap<State, usize>,
    states: Vec<State>,
    /// The position without stores, by number: what may not be there twice.
    boards: Vec<usize>,
    by_board: HashMap<State, usize>,
    known: Vec<Option<Known>>,
}

impl<'a> Nodes<'a> {
    fn new(game: &'a OAnQuan) -> Self {
        let (numbers, by_board) = (HashMap::new(), HashMap::new());
        Nodes { game, numbers, states: Vec::new(), boards: Vec::new(), by_board, known: Vec::new() }
    }

    fn number(&mut self, mut state: State) -> usize {
        if !self.game.refill_ends {
            state.stores = [0, 0];
        }
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let board = State { stores: [0, 0], ..state.clone() };
        let boards = self.by_board.len();
        self.boards.push(*self.by_board.entry(board).or_insert(boards));
        self.numbers.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.known.push(None);
        self.states.len() - 1
    }

    fn look(&mut self, node: usize) -> &Result<i64, Vec<(i64, usize)>> {
        if self.known[node].is_none() {
            let state = self.states[node].clone();
            let look = self.game.end(&state).ok_or_else(|| {
                let moves = self.game.moves(&state).into_iter();
                moves.map(|played| (played.gain, self.number(played.next))).collect()
            });
            self.known[node] = Some(look);
        }
        self.known[node].as_ref().unwrap()
    }
}

/// A recursion over records.
struct Records<'a, 'b> {
    nodes: &'a mut Nodes<'b>,
    /// Boards with the player to move in the record, the players being 0 and 1.
    record: Vec<(usize, usize)>,
    /// Positions that may still be met.
    left: u32,
}

impl Records<'_, '_> {
    /// Whether player 0 gets at least `need` more than the other one from a position on that was just
    /// arrived at; `None` if more than `depth` moves or `left` positions would have to be seen.
    fn brings(&mut self, node: usize, player: usize, need: i64, depth: u32) -> Option<bool> {
        let here = (self.nodes.boards[node], player);
        if self.record.contains(&here) {
            return Some(0 >= need);
        }
        let sign = if player == 0 { 1 } else { -1 };
        let moves = match self.nodes.look(node) {
            Ok(end) => return Some(sign * end >= need),
            Err(moves) => moves.clone(),
        };
        self.left = self.left.saturating_sub(1);
        if depth == 0 || self.left == 0 {
            return None;
        }
        self.record.push(here);
        let mut all = Some(player == 1);
        for (gain, next) in moves {
            match self.brings(next, 1 - player, need - sign * gain, depth - 1) {
                None => all = None,
                Some(brings) if brings == (player == 0) => {
                    all = Some(brings);
                    break;
                }
                Some(_) => (),
            }
        }
        self.record.pop();
        all
    }
}

/// Whether the player to move gets at least `need` by a move, given by its number, or by the best one,
/// where the record begins with the position; or with `forgets`, after it.
fn gets(
    nodes: &mut Nodes,
    start: usize,
    choice: Option<usize>,
    need: i64,
    left: u32,
    forgets: bool,
) -> Option<bool> {
    let mut records = Records { nodes, record: Vec::new(), left };
    for depth in [2, 4, 7, 12, 20, 40, 100] {
        let moves = match records.nodes.look(start) {
            Ok(end) => return Some(*end >= need),
            Err(moves) => moves.clone(),
        };
        records.record = Vec::from_iter((!forgets).then_some((records.nodes.boards[start], 0)));
        let mut any = Some(false);
        for (number, (gain, next)) in moves.into_iter().enumerate() {
            if choice.is_some_and(|choice| choice != number) {
                continue;
            }
            match records.brings(next, 1, need - gain, depth) {
                Some(true) => return Some(true),
                Some(false) => (),
                None => any = None,
            }
        }
        if any == Some(false) || records.left == 0 {
            return any;
        }
    }
    None
}

/// How the comparisons ended.
#[derive(Default, Debug)]
struct Met {
    positions: u32,
    /// Bounds claimed, and those among them that the recursion found true.
    claims: u32,
    confirmed: u32,
    /// Values proven of positions and moves.
    values: u32,
    complete: u32,
    /// Claims that would be false if the first position were not part of the record.
    by_return: u32,
    violations: Vec<String>,
}

fn solve(game: &Ring, state: &State, memory: u64) -> Reachable<Position> {
    let means = Allowance { memory, until: None };
    solve_reachable(game, &game.pack(&position(state)), &means, &Control::default()).unwrap()
}

fn proofs(found: &Reachable<Position>) -> impl Iterator<Item = (Option<usize>, Proven)> + '_ {
    let moves = found.moves.iter().enumerate().map(|(number, (_, proven))| (Some(number), *proven));
    std::iter::once((None, found.proven)).chain(moves)
}

/// Checks all that is claimed of a position.
fn compare(game: &Ring, nodes: &mut Nodes, state: &State, memory: u64, left: u32, met: &mut Met) {
    let found = solve(game, state, memory);
    let start = nodes.number(state.clone());
    met.positions += 1;
    met.complete += u32::from(found.is_complete);
    for (choice, proven) in proofs(&found) {
        if let (Some(lower), Some(upper)) = (proven.lower, proven.upper) {
            met.values += u32::from(lower == upper);
        }
        // At least the lower bound, and not more than the upper one.
        let lower = proven.lower.map(|lower| (i64::from(lower), true));
        let upper = proven.upper.map(|upper| (i64::from(upper) + 1, false));
        for (need, claimed) in lower.into_iter().chain(upper) {
            met.claims += 1;
            match gets(nodes, start, choice, need, left, false) {
                Some(is_so) if is_so == claimed => {
                    met.confirmed += 1;
                    met.by_return +=
                        u32::from(gets(nodes, start, choice, need, left, true) == Some(!claimed));
                }
                Some(_) => met.violations.push(format!(
                    "{} move {choice:?}: {proven:?}, but gets {need}: {} under {:?}",
                    position(state),
                    !claimed,
                    nodes.game
                )),
                None => (),
            }
        }
    }
}

/// A sparse position, now and then after some moves.
fn random_state(rng: &mut fastrand::Rng, brute: &OAnQuan, pits: usize) -> State {
    let mut state = State::start(pits, 0);
    for _ in 0..rng.usize(0..=2 * pits + 2) {
        let pit = rng.usize(0..2 * pits);
        state.pits[pit] += rng.i64(1..=2);
    }
    state.quan = [(0, 1), (1, 0), (1, 1)][rng.usize(0..3)].into();
    state.dan = [(); 2].map(|()| rng.i64(0..=3) * i64::from(rng.bool()));
    state.stores = [(); 2].map(|()| rng.i64(0..=3 * pits as i64));
    for _ in 0..rng.usize(0..8) {
        let mut moves = brute.moves(&state);
        if moves.is_empty() {
            break;
        }
        let next = moves.swap_remove(rng.usize(0..moves.len())).next;
        if brute.end(&next).is_none() {
            state = next;
        }
    }
    state
}

#[test]
fn claims_hold_over_all_records() {
    let mut rng = fastrand::Rng::with_seed(11);
    for refill in ["debt", "end"] {
        let mut met = Met::default();
        for switches in combinations(&O_AN_QUAN, 9) {
            if !switches.contains(&format!("refill={refill}")) {
                continue;
            }
            let brute = o_an_quan(&switches);
            for pits in 1..=3 {
                let game = game(pits, &switches);
                let mut nodes = Nodes::new(&brute);
                for _ in 0..5 {
                    let state = random_state(&mut rng, &brute, pits);
                    compare(&game, &mut nodes, &state, 1 << 20, 3000, &mut met);
                }
            }
        }
        let Met { positions, claims, confirmed, values, complete, by_return, violations } = &met;
        println!("{refill}: {positions} {claims} {confirmed} {values} {complete} {by_return}");
        assert!(violations.is_empty(), "{}", violations.join("\n"));
        assert!(*confirmed > 0 && *values > 0 && *complete > 0, "the comparison is of something");
    }
}
