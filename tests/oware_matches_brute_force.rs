//! Oware against an independent brute force: every move, whole layers of values, and bounds.

#[path = "common/brute_oware.rs"]
mod brute_oware;
#[path = "common/layers.rs"]
mod layers;

use brute_oware::{AWARI, Board, FREE_SLAM, Feed, GrandSlam, NO_SLAM, OWARE, Rows, Switches, all_switches};
use sowbase::board::{Game, Move, Position, Ring};
use sowbase::control::Control;
use sowbase::retrograde::{BoundLayers, Layers};
use sowbase::rules::Rules;

/// The same switches in the words of the command line.
fn rules_of(pits: usize, s: Switches) -> Rules {
    let grand_slam = match s.grand_slam {
        GrandSlam::NoCapture => "no-capture",
        GrandSlam::Free => "free",
        GrandSlam::Illegal => "illegal",
    };
    let feed = match s.feed {
        Feed::Must => "must-feed",
        Feed::LeaveAMove => "leave-a-move",
        Feed::None => "none",
    };
    let origin = if s.origin_sow { "sow" } else { "skip" };
    layers::game(&format!("oware:{pits}x4 grand-slam={grand_slam} feed={feed} origin={origin}"))
}

fn position<const PITS: usize>(rows: &Rows<PITS>) -> Position {
    let [own, opponent] = rows.map(|row| row.map(u16::from));
    Position::of_rows(&own, &opponent)
}

/// What a comparison has met.
#[derive(Default, Debug)]
struct Met {
    moves: u32,
    captures: u32,
    slams: u32,
    ends: u32,
}

/// Compares end and moves of one position.
fn compare_moves<const PITS: usize>(game: &Ring, s: Switches, rows: &Rows<PITS>, met: &mut Met) {
    let packed = game.pack(&position(rows));
    let context = || format!("{} under {s:?}", position(rows));
    let expected = brute_oware::legal_moves(s, rows);
    let end = expected.is_empty().then(|| brute_oware::rest(rows));
    assert_eq!(game.end_value(&packed), end, "{}", context());
    let mut left = expected.iter();
    game.for_each_move(&packed, |played| {
        let expected = left.next().unwrap_or_else(|| panic!("{:?} of {}", played.choice, context()));
        let all = (played.choice, played.gain, played.opponent_gain, played.again, game.unpack(&played.next));
        let choice = Move::Pit(expected.pit as u8);
        assert_eq!(all, (choice, expected.gain, 0, false, position(&expected.next)), "{}", context());
        met.moves += 1;
        met.captures += u32::from(expected.gain > 0);
        met.slams += u32::from(expected.slam);
    });
    assert_eq!(left.next(), None, "{}", context());
    met.ends += u32::from(end.is_some());
}

/// Seeds thrown anywhere, or few in the opponent's row, or a pit of the mover's that laps besides.
fn random_rows<const PITS: usize>(rng: &mut fastrand::Rng) -> Rows<PITS> {
    let mut rows = [[0; PITS]; 2];
    let kind = rng.u8(0..3);
    if kind == 0 {
        for _ in 0..rng.u8(0..=48) {
            rows.as_flattened_mut()[rng.usize(0..2 * PITS)] += 1;
        }
    } else {
        let most = rng.u8(0..=2);
        rows[0] = std::array::from_fn(|_| rng.u8(0..=2 * most));
        rows[1] = std::array::from_fn(|_| rng.u8(0..=most));
        if kind == 2 {
            rows[0][rng.usize(0..PITS)] = rng.u8(2 * PITS as u8..=40);
        }
    }
    rows
}

/// Every position with up to `top` seeds and some others, under every combination of switches.
fn compare_all_moves<const PITS: usize>(top: u8) {
    let board = Board::<PITS>::new(top);
    let mut rng = fastrand::Rng::with_seed(PITS as u64);
    let others: Vec<_> = (0..6000).map(|_| random_rows(&mut rng)).collect();
    for s in all_switches() {
        let game = Ring::new(&rules_of(PITS, s)).unwrap();
        let mut met = Met::default();
        for rows in board.positions.iter().chain(&others) {
            compare_moves(&game, s, rows, &mut met);
        }
        assert!(
            met.moves > 5000 && met.ends > 20 && (PITS == 1 || met.captures > 300),
            "{met:?} under {s:?}"
        );
        assert_eq!(met.slams == 0, s.grand_slam == GrandSlam::Illegal, "{met:?} under {s:?}");
    }
}

#[test]
fn the_plain_engine_plays_as_the_rules_say() {
    compare_all_moves::<1>(60);
    compare_all_moves::<2>(16);
    compare_all_moves::<3>(9);
    compare_all_moves::<4>(7);
    compare_all_moves::<5>(6);
    compare_all_moves::<6>(6);
    compare_all_moves::<8>(4);
}

/// The rows of a file in the order of its columns.
fn records(text: &str) -> impl Iterator<Item = Vec<u64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|field| field.parse().unwrap()).collect())
}

/// Compares wins, draws, losses and positions without influence of cycles with a file's.
fn compare_counts(s: Switches, file: &str, cycle_free: &[u64], passes: &[u32]) {
    let board = Board::<6>::new(10);
    let solved = brute_oware::solve(&board, s);
    for (seeds, record) in records(file).take(board.top() + 1).enumerate() {
        let count =
            |wanted: &dyn Fn(usize) -> bool| board.layer(seeds).filter(|&at| wanted(at)).count() as u64;
        let mut counted = vec![
            seeds as u64,
            count(&|at| solved.split[at] > 0),
            count(&|at| solved.split[at] == 0),
            count(&|at| solved.split[at] < 0),
        ];
        let free = count(&|at| solved.lower[at] == solved.upper[at]);
        if record.len() == 5 {
            counted.push(free);
        }
        assert_eq!(counted, record, "{s:?}");
        assert_eq!(free, cycle_free[seeds], "layer {seeds} under {s:?}");
    }
    assert!(passes.is_empty() || solved.passes[1..] == *passes, "{:?} under {s:?}", solved.passes);
}

#[test]
fn the_brute_force_counts_what_was_counted_before() {
    compare_counts(
        OWARE,
        include_str!("fixtures/oware_abapa_wdl.csv"),
        &[1, 12, 65, 300, 994, 4090, 10168, 26005, 46171, 108359, 125450],
        &[],
    );
    compare_counts(
        AWARI,
        include_str!("fixtures/oware_academic_wdl.csv"),
        &[1, 12, 65, 301, 993, 4086, 10161, 26002, 46189, 108324, 125338],
        &[4, 12, 31, 41, 63, 65, 64, 63, 89, 70],
    );
    compare_counts(
        FREE_SLAM,
        include_str!("fixtures/oware_free_slam_wdl.csv"),
        &[1, 12, 65, 301, 1000, 4098, 10208, 26101, 46434, 108853, 126898],
        &[],
    );
}

/// Builds every layer of bounds that was asked for.
fn finished(mut bounds: BoundLayers) -> BoundLayers {
    while bounds.next() <= bounds.numbering().max_seeds() {
        bounds.build_next(&Control::default()).unwrap();
    }
    bounds
}

/// Compares every value and every bound of every layer of a board, of both builders.
fn compare_layers<const PITS: usize>(board: &Board<PITS>, s: Switches) {
    let rules = rules_of(PITS, s);
    let top = board.top() as u32;
    let solved = brute_oware::solve(board, s);
    let usual = (layers::build(&rules, top), finished(BoundLayers::new(&rules, top).unwrap()));
    let general = (
        layers::finished(Layers::new_general(&rules, top).unwrap()),
        finished(BoundLayers::new_general(&rules, top).unwrap()),
    );
    for seeds in 0..=top {
        let layer = board.layer(seeds as usize);
        let built = [("usual", &usual), ("general", &general)].map(|(builder, (values, bounds))| {
            let built = [values.layer(seeds), bounds.lower(seeds), bounds.upper(seeds)];
            assert_eq!(
                built.map(<[i8]>::len),
                [layer.len(); 3],
                "layer {seeds} by the {builder} builder under {s:?}"
            );
            (builder, built)
        });
        for at in layer {
            let position = position(&board.positions[at]);
            let expected = [solved.split[at], solved.lower[at], solved.upper[at]];
            let (_, index) = usual.0.numbering().number(&position).unwrap();
            for (builder, built) in built {
                let found = built.map(|built| i32::from(built[index as usize]));
                assert_eq!(
                    found, expected,
                    "value and bounds of {position} by the {builder} builder under {s:?}"
                );
            }
        }
    }
}

const NAMED: [Switches; 4] = [OWARE, AWARI, FREE_SLAM, NO_SLAM];

#[test]
fn layers_of_one_to_three_pits() {
    let boards = (Board::<1>::new(100), Board::<2>::new(32), Board::<3>::new(15));
    for s in all_switches() {
        compare_layers(&boards.0, s);
        compare_layers(&boards.1, s);
        compare_layers(&boards.2, s);
    }
}

#[test]
fn layers_of_four_pits() {
    let board = Board::<4>::new(11);
    all_switches().into_iter().for_each(|s| compare_layers(&board, s));
}

#[test]
fn layers_of_five_pits() {
    let board = Board::<5>::new(8);
    all_switches().into_iter().for_each(|s| compare_layers(&board, s));
    // With 10 seeds a pit goes round the board.
    let board = Board::<5>::new(10);
    NAMED.into_iter().for_each(|s| compare_layers(&board, s));
    compare_layers(&board, Switches { origin_sow: true, ..OWARE });
}

#[test]
fn layers_of_six_pits() {
    let board = Board::<6>::new(7);
    all_switches().into_iter().for_each(|s| compare_layers(&board, s));
    let board = Board::<6>::new(9);
    NAMED.into_iter().for_each(|s| compare_layers(&board, s));
}
