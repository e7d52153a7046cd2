//! What is proven of o an quan from all that can follow, against the rule itself: a recursion over whole
//! records, in which the game ends when pits, quan cells and side to move are there for the second time.

#[path = "common/brute.rs"]
mod brute;
#[path = "common/brute_o_an_quan.rs"]
mod brute_o_an_quan;
#[path = "common/layers.rs"]
mod layers;

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

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

    /// How many positions with a player to move can follow, if they are fewer than `most`.
    fn following(&mut self, node: usize, most: usize) -> Option<usize> {
        let mut met = HashSet::from([(node, 0)]);
        let mut open = vec![(node, 0)];
        while let Some((node, player)) = open.pop() {
            if let Err(moves) = self.look(node) {
                open.extend(moves.iter().map(|&(_, next)| (next, 1 - player)).filter(|&at| met.insert(at)));
            }
            if met.len() >= most {
                return None;
            }
        }
        Some(met.len())
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
    let means = Allowance::new(memory);
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

/// All combinations of the other switches.
fn with_refill(refill: &str) -> impl Iterator<Item = String> {
    let refill = format!("refill={refill}");
    combinations(&O_AN_QUAN, 9).into_iter().filter(move |switches| switches.contains(&refill))
}

#[test]
fn claims_hold_over_all_records() {
    let mut rng = fastrand::Rng::with_seed(11);
    for refill in ["debt", "end"] {
        let mut met = Met::default();
        for switches in with_refill(refill) {
            let brute = o_an_quan(&switches);
            for pits in 1..=3 {
                let game = game(pits, &switches);
                let mut nodes = Nodes::new(&brute);
                for _ in 0..3 {
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

/// A position that random play came back to; the stores may be other ones then.
fn circling_state(rng: &mut fastrand::Rng, brute: &OAnQuan, start: State) -> Option<(State, bool)> {
    let board = |state: &State| State { stores: [0, 0], ..state.clone() };
    let mut line = vec![start];
    for _ in 0..40 {
        let mut moves = brute.moves(line.last().unwrap());
        if moves.is_empty() {
            return None;
        }
        let next = moves.swap_remove(rng.usize(0..moves.len())).next;
        let back = (line.len() % 2..line.len()).step_by(2).find(|&at| board(&line[at]) == board(&next));
        if let Some(at) = back {
            let is_same = line[at].stores == next.stores;
            return Some((line.swap_remove(at), is_same));
        }
        line.push(next);
    }
    None
}

/// Returns with the same stores and with others, to the position that begins the record.
#[test]
fn claims_hold_where_play_comes_back() {
    let mut rng = fastrand::Rng::with_seed(21);
    for (refill, tries) in [("end", 60), ("debt", 6)] {
        let (mut met, mut others) = (Met::default(), 0);
        for switches in with_refill(refill) {
            let brute = o_an_quan(&switches);
            for pits in 1..=3 {
                let game = game(pits, &switches);
                let mut nodes = Nodes::new(&brute);
                for _ in 0..tries {
                    let start = random_state(&mut rng, &brute, pits);
                    if let Some((state, is_same)) = circling_state(&mut rng, &brute, start) {
                        others += u32::from(!is_same);
                        compare(&game, &mut nodes, &state, 1 << 20, 3000, &mut met);
                    }
                }
            }
        }
        let Met { positions, claims, confirmed, values, by_return, violations, .. } = &met;
        println!("{refill}: {positions} {others} {claims} {confirmed} {values} {by_return}");
        assert!(violations.is_empty(), "{}", violations.join("\n"));
        assert!(*confirmed > 0 && *values > 0 && others > 0, "the comparison is of something");
    }
}

/// Claims that only hold because a return to the position that begins the record ends the game.
#[test]
fn the_first_position_is_part_of_the_record() {
    let returns = [
        ("quan-safe=1", [1, 0, 0, 0, 1, 0], [1, 0], [0, 0], [4, 4]),
        ("quan-safe=1 empty-quan=stop", [1, 0, 0, 0, 1, 0], [0, 1], [0, 0], [1, 3]),
        ("quan-safe=3", [0, 0, 1, 0, 1, 0], [1, 0], [2, 0], [12, 4]),
        ("quan-safe=5", [0, 0, 1, 0, 1, 0], [0, 1], [0, 4], [6, 5]),
        ("quan-safe=1 quan-value=5", [0, 0, 0, 1, 0, 2], [1, 0], [1, 0], [15, 3]),
    ];
    for (switches, pits, quan, dan, stores) in returns {
        let switches = format!("{switches} end=pieces refill=end");
        let brute = o_an_quan(&switches);
        let state = State { pits: pits.into(), quan, dan, stores };
        let mut met = Met::default();
        compare(&game(3, &switches), &mut Nodes::new(&brute), &state, 1 << 22, 20_000, &mut met);
        assert!(met.violations.is_empty(), "{}", met.violations.join("\n"));
        assert!(met.by_return > 0, "{state:?} under {switches}: {met:?}");
    }
}

/// More memory contradicts nothing that was proven with less, and the states looked at are some of those
/// that can follow, or all.
#[test]
fn longer_explorations_agree_with_shorter_ones() {
    const MOST: usize = 10_000;
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut complete, mut grown, mut counted) = (0, 0, 0);
    for switches in combinations(&O_AN_QUAN, 1) {
        let brute = o_an_quan(&switches);
        for pits in 1..=3 {
            let game = game(pits, &switches);
            for _ in 0..4 {
                let state = random_state(&mut rng, &brute, pits);
                let mut nodes = Nodes::new(&brute);
                let start = nodes.number(state.clone());
                let following = nodes.following(start, MOST);
                counted += u32::from(following.is_some());
                let found =
                    [0, 1 << 12, 1 << 16, 1 << 20, 1 << 22].map(|memory| solve(&game, &state, memory));
                for pair in found.windows(2) {
                    assert!(pair[0].states <= pair[1].states, "{state:?} under {switches}");
                    grown += u32::from(pair[0].states < pair[1].states);
                }
                for one in &found {
                    let states = one.states;
                    let is_sane = match following {
                        Some(all) => states <= all && one.is_complete == (states == all),
                        None => !one.is_complete || states >= MOST,
                    };
                    assert!(is_sane, "{states} of {following:?} from {state:?} under {switches}");
                    assert_eq!(one.moves.len(), brute.moves(&state).len());
                    complete += u32::from(one.is_complete);
                }
                let all: Vec<Vec<_>> = found.iter().map(|one| proofs(one).collect()).collect();
                for at in 0..all[0].len() {
                    let lower = all.iter().filter_map(|one| one[at].1.lower).max();
                    let upper = all.iter().filter_map(|one| one[at].1.upper).min();
                    let is_possible = lower.zip(upper).is_none_or(|(lower, upper)| lower <= upper);
                    assert!(is_possible, "{lower:?} to {upper:?} of {state:?} under {switches}");
                }
            }
        }
    }
    assert!(complete > 0 && grown > 0 && counted > 0, "{complete} {grown} {counted}");
}

#[test]
fn work_stops_when_asked() {
    let game = game(5, "");
    let start = game.pack(&Position::start(&layers::game("o-an-quan")));
    let nothing = |found: &Reachable<Position>| {
        assert_eq!((found.states, found.is_complete, found.moves.len()), (0, false, 10));
        assert!(proofs(found).all(|(_, proven)| proven == Proven { lower: None, upper: None }));
    };
    let stopped = Control::default();
    stopped.stop();
    let all = Allowance::new(1 << 28);
    nothing(&solve_reachable(&game, &start, &all, &stopped).unwrap());
    let late = all.until(Instant::now());
    nothing(&solve_reachable(&game, &start, &late, &Control::default()).unwrap());

    // Asked for in the midst of it, by the deadline, by another thread, and as the last moment to explore.
    let soon = || Some(Instant::now() + Duration::from_millis(150));
    let unlimited = Allowance::new(u64::MAX);
    let is_stopped_soon = |allowance: Allowance, control: &Control| {
        let begun = Instant::now();
        let found = solve_reachable(&game, &start, &allowance, control).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        assert_eq!((found.is_complete, found.moves.len()), (false, 10));
    };
    let control = Control::default();
    control.set_deadline(soon());
    is_stopped_soon(unlimited, &control);
    let control = Control::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(150));
            control.stop();
        });
        is_stopped_soon(unlimited, &control);
    });
    is_stopped_soon(unlimited.until(soon()), &Control::default());
}
