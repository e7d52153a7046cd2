//! Searches give the values of the tables, whatever they may use.

#[path = "common/layers.rs"]
mod layers;
#[path = "common/recursion.rs"]
mod recursion;

use proptest::prelude::*;
use sowbase::board::{Game, Position, Ring, SingleLap};
use sowbase::control::Control;
use sowbase::index::Numbered;
use sowbase::retrograde::{Layers, MAX_LAYER};
use sowbase::search::{Resources, Solver};
use sowbase::tables::Values;

/// Rules, and the highest layer to build and to search.
const GAMES: &[(&str, u32)] = &[
    ("kalah:2x2", 20),
    ("kalah:3x3", 12),
    ("kalah:4x3 empty-capture=yes", 9),
    ("kalah:4x3 rest=nobody", 9),
    ("kalah:5x3 extra-move=store-or-capture end=stuck", 7),
    ("kalah:6x3", 7),
    ("kalah:6x3 capture=none rest=emptied", 7),
    ("congklak:3x3", 10),
    ("sungka:4x3 opponent-store=sow", 8),
];

/// What a search may use.
#[derive(Clone, Copy, Debug)]
struct Means {
    /// The layers below are given to it.
    layers: u32,
    threads: usize,
    hash_bytes: u64,
    /// The table of positions is made for boards of so many seeds, which decides its kind.
    max_seeds: u32,
}

fn any_means() -> impl Strategy<Value = Means> {
    let hash_bytes = prop::sample::select(vec![1, 1 << 10, 1 << 20]);
    (0..6_u32, 1..=3_usize, hash_bytes, any::<bool>()).prop_map(|(layers, threads, hash_bytes, wide)| Means {
        layers,
        threads,
        hash_bytes,
        max_seeds: if wide { 2 * MAX_LAYER } else { 20 },
    })
}

/// Compares the value of a position and of all its moves with the tables.
fn agree<G: Numbered>(
    game: G,
    built: &Layers,
    seeds: u32,
    index: u64,
    means: Means,
) -> Result<(), TestCaseError> {
    let position = built.numbering().position(seeds, index);
    let packed = game.pack(&position);
    let given = built.values().below(means.layers.min(seeds));
    let resources = Resources::new(means.threads, means.hash_bytes);
    let solver = Solver::new(game, given, means.max_seeds, &resources).unwrap();
    let value = layers::value(built, &position);
    let control = Control::default();
    let found = solver.solve(&packed, &control);
    prop_assert_eq!((found.lower, found.upper), (value, value), "{}", position);
    let moves = solver.moves(&packed, &control);
    for (played, bounds) in &moves {
        let next = layers::value(built, &solver.game().unpack(&played.next));
        let next = if played.again { next } else { -next };
        let worth = played.gain - played.opponent_gain + next;
        prop_assert_eq!((bounds.lower, bounds.upper), (worth, worth), "{} in {}", played.choice, position);
    }
    prop_assert_eq!(moves.first().map_or(value, |(_, best)| best.lower), value);
    Ok(())
}

#[test]
fn values_depend_on_nothing_but_the_position() {
    for (game, top) in GAMES {
        let rules = layers::game(game);
        let built = layers::build(&rules, *top);
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) };
        let mut runner = proptest::test_runner::TestRunner::new(config);
        let any_case = (0..=*top, any::<prop::sample::Index>(), any_means());
        let result = runner.run(&any_case, |(seeds, index, means)| {
            let index = index.index(built.layer(seeds).len()) as u64;
            agree(Ring::new(&rules).unwrap(), &built, seeds, index, means)?;
            match SingleLap::new(&rules) {
                Ok(kernel) => agree(kernel, &built, seeds, index, means),
                Err(_) => Ok(()),
            }
        });
        if let Err(error) = result {
            panic!("{game}: {error}");
        }
    }
}

#[test]
fn values_are_right_up_to_the_most_seeds() {
    // 126 seeds are the most that packed entries hold; with `rest=emptied` values come near them.
    for (game, sizes) in [
        ("kalah:1x1", vec![[126, 0], [63, 63], [120, 6], [127, 0], [64, 64], [200, 55], [255, 0]]),
        ("kalah:1x1 rest=emptied", vec![[125, 1], [63, 63], [120, 7], [64, 64], [254, 1]]),
        ("kalah:1x1 end=stuck rest=nobody", vec![[125, 1], [64, 63], [100, 27], [128, 127]]),
    ] {
        let rules = layers::game(game);
        let kernel = SingleLap::new(&rules).unwrap();
        let ring = Ring::new(&rules).unwrap();
        for [own, opponent] in sizes {
            let position = Position::of_rows(&[own], &[opponent]);
            let expected = recursion::Recursion::new(&ring).value(&position);
            let resources = Resources::new(2, 1 << 16);
            let control = Control::default();
            let seeds = position.seeds();
            let fast = Solver::new(kernel.clone(), Values::default(), seeds, &resources).unwrap();
            assert_eq!(
                fast.solve(&kernel.pack(&position), &control).value(),
                Some(expected),
                "{position}, {game}"
            );
            let plain = Solver::new(ring.clone(), Values::default(), seeds, &resources).unwrap();
            assert_eq!(plain.solve(&position, &control).value(), Some(expected), "{position}, {game}");
            let line = fast.line(&kernel.pack(&position), &control).unwrap();
            assert!(!line.is_empty() || kernel.end_value(&kernel.pack(&position)).is_some());
        }
    }
}
