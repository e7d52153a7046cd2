//! Bounds that a search proves of positions that can repeat: always true, and as tight as the tables
//! in the end.

#[path = "common/layers.rs"]
mod layers;

use proptest::prelude::*;
use sowbase::board::{ChainLap, Game, RelayLap, Ring};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::retrograde::{BoundLayers, Layers};
use sowbase::rules::{Feed, Rules};
use sowbase::search::{Bounds, Resources, Solver};

/// Boards, and the highest layer that is looked at.
const BOARDS: &[(&str, u32)] = &[("2x1", 12), ("3x1", 10), ("4x1", 8)];

/// All rule sets of Oware.
fn rule_sets(cycle: &str) -> impl Iterator<Item = String> {
    let mut all = Vec::new();
    for grand_slam in ["no-capture", "free", "illegal"] {
        for feed in ["must-feed", "leave-a-move", "none"] {
            for origin in ["skip", "sow"] {
                let switches =
                    [("grand-slam", grand_slam), ("feed", feed), ("origin", origin), ("cycle", cycle)];
                let words: Vec<_> = switches.iter().map(|(key, value)| format!("{key}={value}")).collect();
                all.push(words.join(" "));
            }
        }
    }
    all.into_iter()
}

/// What a search may use.
#[derive(Clone, Copy, Debug)]
struct Means {
    /// The layers below are given to it.
    layers: u32,
    threads: usize,
    hash_bytes: u64,
    milliseconds: Option<u64>,
}

fn any_means() -> impl Strategy<Value = Means> {
    let hash_bytes = prop::sample::select(vec![1, 1 << 10, 1 << 22]);
    (0..9_u32, 1..=2_usize, hash_bytes).prop_map(|(layers, threads, hash_bytes)| Means {
        layers,
        threads,
        hash_bytes,
        milliseconds: Some(20),
    })
}

fn control(means: Means) -> Control {
    let control = Control::default();
    control.set_deadline(
        means.milliseconds.map(|time| std::time::Instant::now() + std::time::Duration::from_millis(time)),
    );
    control
}

fn resources(means: Means) -> Resources {
    Resources::new(means.threads, means.hash_bytes)
}

fn contains(outer: Bounds, inner: Bounds) -> bool {
    outer.lower <= inner.lower && inner.upper <= outer.upper
}

/// The bounds of the layers at a position.
fn bounds_of<G: Game>(game: &G, bounds: &BoundLayers, position: &G::Position) -> Bounds {
    let (seeds, index) = bounds.numbering().number(&game.unpack(position)).unwrap();
    let [lower, upper] = [bounds.lower(seeds), bounds.upper(seeds)].map(|side| side[index as usize].into());
    Bounds { lower, upper }
}

fn value_of<G: Game>(game: &G, values: &Layers, position: &G::Position) -> Bounds {
    let value = layers::value(values, &game.unpack(position));
    Bounds { lower: value, upper: value }
}

/// The worth of a move.
fn worth(gain: i32, next: Bounds) -> Bounds {
    Bounds { lower: gain - next.upper, upper: gain - next.lower }
}

struct Tables {
    values: Layers,
    bounds: BoundLayers,
}

impl Tables {
    fn new(rules: &Rules, top: u32) -> Tables {
        let mut split = rules.clone();
        split.set("cycle", "split").unwrap();
        Tables { values: layers::build(&split, top), bounds: layers::build_bounds(rules, top) }
    }

    fn split<'a, G: Numbered>(&'a self, game: &G, seeds: u32, means: Means) -> Solver<'a, G> {
        let given = self.values.values().below(means.layers.min(seeds));
        Solver::new(game.clone(), given, seeds, &resources(means)).unwrap()
    }

    fn own_side<'a, G: Numbered>(&'a self, game: &G, seeds: u32, means: Means) -> Solver<'a, G> {
        let given = self.bounds.values().map(|side| side.below(means.layers.min(seeds)));
        Solver::with_bounds(game.clone(), given, seeds, &resources(means)).unwrap()
    }
}

fn check<G: Numbered>(
    game: &G,
    tables: &Tables,
    seeds: u32,
    index: u64,
    means: Means,
) -> Result<(), TestCaseError> {
    let position = tables.values.numbering().position(seeds, index);
    let packed = game.pack(&position);
    if game.end_value(&packed).is_some() {
        return Ok(());
    }
    let is_split = game.rules().get("cycle").unwrap() == "split";
    let solver =
        if is_split { tables.split(game, seeds, means) } else { tables.own_side(game, seeds, means) };
    let truth = |position: &G::Position| match is_split {
        true => value_of(game, &tables.values, position),
        false => bounds_of(game, &tables.bounds, position),
    };
    let alone = solver.solve(&packed, &control(means));
    let (found, moves) = solver.solve_with_moves(&packed, &control(means));
    prop_assert!(contains(alone, truth(&packed)), "{alone:?} of {position}");
    prop_assert!(contains(found, truth(&packed)), "{found:?} of {position}");
    for (played, found) in &moves {
        let next = worth(played.gain, truth(&played.next));
        prop_assert!(contains(*found, next), "{} {found:?} in {position}", played.choice);
    }
    Ok(())
}

#[test]
fn bounds_are_true_however_early_the_search_ends() {
    for (board, top) in BOARDS {
        for switches in rule_sets("split").chain(rule_sets("own-side")) {
            let rules = layers::game(&format!("oware:{board} {switches}"));
            let tables = Tables::new(&rules, *top);
            let kernel = ChainLap::new(&rules).unwrap();
            let size = |seeds: u32| tables.values.numbering().layer(seeds).size();
            let any = (1..=*top).prop_flat_map(|seeds| (Just(seeds), 0..size(seeds)));
            let mut runner =
                proptest::test_runner::TestRunner::new(ProptestConfig { cases: 12, ..Default::default() });
            let run = runner.run(&(any, any_means()), |((seeds, index), means)| {
                check(&kernel, &tables, seeds, index, means)
            });
            if let Err(error) = run {
                panic!("oware:{board} {switches}: {error}");
            }
        }
    }
}

/// A move that is given up may be anything, and what is proven holds all the same.
#[test]
fn bounds_are_true_without_the_moves_that_are_given_up() {
    let (mut narrow, mut wide) = (0, 0);
    for board in [
        "sadeqa-iii:2x1",
        "en-dodoi:2x1",
        "sadeqa-iii:3x1",
        "pallanguzhi:2x1",
        "sadeqa-iii:2x1 feed=leave-a-move",
        "en-dodoi:3x1 feed=leave-a-move",
        "sadeqa-iii:2x1 feed=must-feed",
    ] {
        for endless in ["illegal", "draw", "loss", "stop"] {
            let rules = layers::game(&format!("{board} endless={endless}"));
            let top = if rules.pits() == 2 { 9 } else { 6 };
            let tables = Tables::new(&rules, top);
            // The fast kernel does not play with these two.
            let is_plain = rules.switches().is_some_and(|switches| switches.feed != Feed::None);
            for most_laps in [1, 2, 3, 5, 8] {
                let plain = Ring::new(&rules).unwrap().giving_up_after(most_laps);
                let mut found = vec![check_all(&plain, &tables, top)];
                if !is_plain {
                    let fast = RelayLap::new(&rules).unwrap().giving_up_after(most_laps);
                    found.push(check_all(&fast, &tables, top));
                }
                for [proven, open] in found {
                    (narrow, wide) = (narrow + proven, wide + open);
                }
            }
        }
    }
    // Some positions need no such move, and some do.
    assert!(narrow > 1000 && wide > 1000, "{narrow} {wide}");
}

/// Solves all positions up to some seeds; returns how many values were proven, and how many were not.
fn check_all<G: Numbered>(game: &G, tables: &Tables, top: u32) -> [u32; 2] {
    let means = Means { layers: 2, threads: 1, hash_bytes: 1 << 16, milliseconds: Some(20) };
    let mut found = [0; 2];
    for seeds in 3..=top {
        let solver = tables.split(game, seeds, means);
        for index in 0..tables.values.numbering().layer(seeds).size() {
            let position = tables.values.numbering().position(seeds, index);
            let packed = game.pack(&position);
            let bounds = solver.solve(&packed, &control(means));
            let truth = value_of(game, &tables.values, &packed);
            assert!(
                contains(bounds, truth),
                "{}: {bounds:?}, not {truth:?} of {position}",
                game.rules().full_title()
            );
            found[usize::from(bounds.value().is_none())] += 1;
        }
    }
    // All that was given up was told to the solver alone.
    assert_eq!(game.check_laps(), Ok(()));
    found
}

/// The value of a position at the end of a record under `cycle=own-side`, by plain recursion over all
/// play; `None` if that is more than `left` positions.
fn of_record<P: Game>(game: &P, record: &mut Vec<P::Position>, left: &mut u32) -> Option<i32> {
    *left = left.checked_sub(1)?;
    let (position, before) = record.split_last().expect("a record is not empty");
    if before.contains(position) {
        let position = game.unpack(position);
        let [own, opponent] =
            [position.own, position.opponent].map(|row| row.iter().map(|&pit| i32::from(pit)).sum::<i32>());
        return Some(own - opponent);
    }
    if let Some(value) = game.end_value(position) {
        return Some(value);
    }
    let mut moves = Vec::new();
    game.for_each_move(position, |played| moves.push(played));
    let mut best = i32::MIN;
    for played in moves {
        record.push(played.next);
        let next = of_record(game, record, left);
        record.pop();
        best = best.max(played.gain - next?);
    }
    Some(best)
}

/// The worth of a move counts the position before it as part of the record.
#[test]
fn bounds_hold_of_all_play_that_ends_at_its_first_repetition() {
    for switches in rule_sets("own-side") {
        for (board, top) in [("1x1", 5), ("2x1", 4), ("3x1", 2)] {
            let rules = layers::game(&format!("oware:{board} {switches}"));
            let tables = Tables::new(&rules, top);
            let ring = Ring::new(&rules).unwrap();
            let mut compared = 0;
            for seeds in 1..=top {
                for index in 0..tables.values.numbering().layer(seeds).size() {
                    let position = tables.values.numbering().position(seeds, index);
                    let packed = ring.pack(&position);
                    if ring.end_value(&packed).is_some() {
                        continue;
                    }
                    // With the layer of the position, with those below, and without any.
                    for layers in [seeds + 1, seeds, 0] {
                        let given = tables.bounds.values().map(|side| side.below(layers));
                        let means = Resources::new(1, 1 << 16);
                        let solver = Solver::with_bounds(ring.clone(), given, seeds, &means).unwrap();
                        let (found, moves) = solver.solve_with_moves(&packed, &Control::default());
                        let mut left = 20_000;
                        if let Some(value) = of_record(&ring, &mut vec![packed], &mut left) {
                            let value = Bounds { lower: value, upper: value };
                            assert!(contains(found, value), "{rules:?} {position}: {found:?} {value:?}");
                            compared += 1;
                        }
                        for (played, found) in moves {
                            let mut record = vec![packed, played.next];
                            let mut left = 20_000;
                            if let Some(next) = of_record(&ring, &mut record, &mut left) {
                                let value = played.gain - next;
                                let value = Bounds { lower: value, upper: value };
                                let choice = played.choice;
                                assert!(
                                    contains(found, value),
                                    "{choice} in {position}: {found:?} {value:?}"
                                );
                            }
                        }
                    }
                }
            }
            assert!(compared > 10, "{board} {switches} {compared}");
        }
    }
}

#[test]
fn bounds_meet_where_no_repetition_matters() {
    for game in
        ["oware:2x1", "oware:3x1 grand-slam=free", "oware:3x1 cycle=own-side", "awari:4x1 cycle=own-side"]
    {
        let rules = layers::game(game);
        let top = 5;
        let tables = Tables::new(&rules, top);
        let ring = Ring::new(&rules).unwrap();
        let mut met = 0;
        for seeds in 1..=top {
            for index in 0..tables.values.numbering().layer(seeds).size() {
                let means = Means { layers: 0, threads: 1, hash_bytes: 1 << 20, milliseconds: None };
                let position = tables.values.numbering().position(seeds, index);
                let packed = ring.pack(&position);
                let expected = bounds_of(&ring, &tables.bounds, &packed);
                if expected.value().is_some() {
                    let solver = tables.split(&ring, seeds, means);
                    assert_eq!(solver.solve(&packed, &Control::default()), expected, "{game} {position}");
                    met += 1;
                }
            }
        }
        assert!(met > 10, "{game} {met}");
    }
}
