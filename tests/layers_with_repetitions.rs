//! Layers of games whose positions can repeat, against published counts and against each other.

#[path = "common/layers.rs"]
mod layers;

use std::collections::BTreeMap;

use layers::{build_bounds, cycle_free, finished, finished_bounds, game};
use sowbase::board::{Game, Position, Ring};
use sowbase::control::Control;
use sowbase::retrograde::{BoundLayers, Layers, Unbuildable};
use sowbase::rules::Rules;

const OWARE: &str = include_str!("fixtures/oware_abapa_wdl.csv");
const AWARI: &str = include_str!("fixtures/oware_academic_wdl.csv");
const FREE_SLAM: &str = include_str!("fixtures/oware_free_slam_wdl.csv");
const AWARI_VALUES: &str = include_str!("fixtures/oware_academic_distribution.csv");
/// Cycle-free positions of awari, by seeds.
const AWARI_CYCLE_FREE: [usize; 11] = [1, 12, 65, 301, 993, 4086, 10161, 26002, 46189, 108_324, 125_338];

/// Highest layer that is compared with published counts, by every builder.
const TOP: u32 = 12;
/// The same for the usual builder: from 14 seeds on the row builder also takes the heavier half of
/// a pair as the fixed one, and has enough to do for several threads.
const LARGE: u32 = 15;

/// The rows of the layers up to `top`, as far as they are known.
fn rows(csv: &str, top: u32) -> impl Iterator<Item = Vec<i64>> {
    let rows =
        csv.lines().skip(1).map(|line| line.split(',').map(|number| number.parse().unwrap()).collect());
    rows.filter(move |row: &Vec<i64>| row[0] <= top.into())
}

type Builder = fn(&Rules, u32) -> Result<Layers, Unbuildable>;
/// The builder that the program takes, and the one that asks the engine for every move.
const BUILDERS: [(&str, Builder); 2] = [("usual", Layers::new), ("general", Layers::new_general)];
type BoundBuilder = fn(&Rules, u32) -> Result<BoundLayers, Unbuildable>;
const BOUND_BUILDERS: [(&str, BoundBuilder); 2] =
    [("usual", BoundLayers::new), ("general", BoundLayers::new_general)];

#[test]
fn positions_are_won_drawn_and_lost_as_often_as_published() {
    for (text, csv, last) in
        [("oware", OWARE, 10), ("awari", AWARI, TOP), ("oware grand-slam=free", FREE_SLAM, 10)]
    {
        let expected: Vec<_> = rows(csv, TOP).map(|row| row[1..4].to_vec()).collect();
        assert_eq!(expected.len(), last as usize + 1);
        for (name, builder) in BUILDERS {
            let values = finished(builder(&game(text), last).unwrap());
            for (seeds, expected) in (0..).zip(&expected) {
                let count = |sign| values.layer(seeds).iter().filter(|value| value.signum() == sign).count();
                let found = [1, 0, -1].map(|sign| count(sign) as i64);
                assert_eq!(found, expected[..], "layer {seeds} of {text} by the {name} builder");
            }
        }
    }
}

#[test]
fn bounds_meet_as_often_as_published() {
    let free = |csv| rows(csv, TOP).map(|row| row[4] as usize).collect();
    let awari = AWARI_CYCLE_FREE.to_vec();
    for (text, expected) in
        [("oware", free(OWARE)), ("awari", awari), ("oware grand-slam=free", free(FREE_SLAM))]
    {
        for (name, builder) in BOUND_BUILDERS {
            let bounds = finished_bounds(builder(&game(text), expected.len() as u32 - 1).unwrap());
            for (seeds, &expected) in (0..).zip(&expected) {
                let found = cycle_free(&bounds, seeds);
                assert_eq!(found, expected, "layer {seeds} of {text} by the {name} builder");
            }
        }
    }
}

#[test]
fn values_are_spread_as_published() {
    let mut expected = vec![Vec::new(); LARGE as usize + 1];
    rows(AWARI_VALUES, LARGE).for_each(|row| expected[row[0] as usize].push((row[1], row[2])));
    for ((name, builder), top) in BUILDERS.into_iter().zip([LARGE, TOP]) {
        let values = finished(builder(&game("awari"), top).unwrap());
        for (seeds, expected) in (0..=top).zip(&expected) {
            let mut found = BTreeMap::<i64, i64>::new();
            values.layer(seeds).iter().for_each(|&value| *found.entry(value.into()).or_default() += 1);
            assert!(found.into_iter().eq(expected.iter().copied()), "layer {seeds} by the {name} builder");
        }
    }
}

#[test]
fn bounds_of_a_large_layer_follow_from_each_other() {
    let top = 14;
    let rules = game("oware");
    let ring = Ring::new(&rules).unwrap();
    let bounds = build_bounds(&rules, top);
    let numbering = bounds.numbering();
    let side = |side: fn(&BoundLayers, u32) -> &[i8], position: &Position| {
        let (seeds, index) = numbering.number(position).unwrap();
        i32::from(side(&bounds, seeds)[index as usize])
    };
    let mut random = fastrand::Rng::with_seed(14);
    for _ in 0..100_000 {
        let position = numbering.position(top, random.u64(..numbering.layer(top).size()));
        let over = ring.end_value(&position).unwrap_or(i32::MIN);
        let [mut lower, mut upper] = [over; 2];
        ring.for_each_move(&position, |played| {
            lower = lower.max(played.gain - side(BoundLayers::upper, &played.next));
            upper = upper.max(played.gain - side(BoundLayers::lower, &played.next));
        });
        let found = (side(BoundLayers::lower, &position), side(BoundLayers::upper, &position));
        assert_eq!(found, (lower, upper), "{position}");
    }
}

#[test]
fn a_circle_is_worth_nothing_further_or_unknown() {
    let rules = game("oware");
    let position = Position::parse(&rules, "1 0 0 0 0 1 / 0 0 0 0 0 0").unwrap();
    let values = layers::build(&rules, 2);
    assert_eq!(layers::value(&values, &position), 0);
    let bounds = build_bounds(&rules, 2);
    let (seeds, index) = bounds.numbering().number(&position).unwrap();
    let index = index as usize;
    assert_eq!((bounds.lower(seeds)[index], bounds.upper(seeds)[index]), (-2, 2));
}

/// Boards of other sizes and rules of which some repeat only by passing or by moving on.
const GAMES: &[(&str, u32)] = &[
    ("oware:1x1", 30),
    ("oware:2x1", 14),
    ("oware:3x1", 9),
    ("oware:4x1 origin=sow", 8),
    ("oware:3x1 grand-slam=illegal", 9),
    ("oware:3x1 no-move=pass feed=none", 9),
    ("awari:4x1", 8),
    ("kalah:3x1 own-store=skip extra-move=none", 9),
    ("kalah:3x1 own-store=skip opponent-store=sow no-move=pass end=no-move", 9),
];

#[test]
fn a_value_lies_between_its_bounds() {
    for &(text, top) in GAMES {
        let rules = game(text);
        let values = finished(Layers::new(&rules, top).unwrap());
        let bounds = build_bounds(&rules, top);
        for seeds in 0..=top {
            let sides = bounds.lower(seeds).iter().zip(bounds.upper(seeds));
            for (value, (lower, upper)) in values.layer(seeds).iter().zip(sides) {
                assert!(lower <= value && value <= upper, "layer {seeds} of {text}");
            }
        }
    }
}

#[test]
fn without_repetitions_both_bounds_are_the_value() {
    for (text, top) in [("kalah:3x1", 10), ("congklak:3x1", 9), ("kalah:2x1 no-move=pass end=all-empty", 12)]
    {
        let rules = game(text);
        let values = layers::build(&rules, top);
        for (seeds, [lower, upper]) in (0..).zip(build_bounds(&rules, top).into_layers()) {
            assert!(lower == values.layer(seeds) && upper == values.layer(seeds), "layer {seeds} of {text}");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let (rules, top) = (game("awari"), 14);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (layers::build(&rules, top).into_layers(), build_bounds(&rules, top).into_layers()))
    };
    assert!(on(1) == on(3));
}

#[test]
fn layers_that_were_built_before_are_taken_over() {
    let rules = game("oware:4x1");
    let whole = build_bounds(&rules, 6);
    let mut resumed = BoundLayers::new(&rules, 6).unwrap();
    for seeds in 0..6 {
        resumed.adopt(whole.lower(seeds).to_vec(), whole.upper(seeds).to_vec());
    }
    resumed.build_next(&Control::default()).unwrap();
    assert!(resumed.into_layers() == whole.into_layers());
}

#[test]
fn a_stop_leaves_the_layer_to_be_built_again() {
    let rules = game("awari");
    let mut layers = Layers::new(&rules, 3).unwrap();
    let control = Control::default();
    layers.build_next(&control).unwrap();
    control.stop();
    assert!(layers.build_next(&control).is_err());
    assert_eq!(layers.next(), 1);
    layers.build_next(&Control::default()).unwrap();
    assert_eq!(layers.layer(1).len(), 12);
}

#[test]
fn values_that_depend_on_the_play_before_are_refused() {
    let rules = game("oware cycle=own-side");
    for refused in
        [Layers::new(&rules, 3).err(), Layers::new_general(&rules, 3).err(), Layers::memory(&rules, 3).err()]
    {
        let refused = refused.expect("no value is a function of the position");
        assert!(matches!(refused, Unbuildable::PathDependent { .. }));
        assert!(refused.to_string().ends_with("so no table can hold it"), "{refused}");
    }
    assert_eq!(build_bounds(&rules, 3).into_layers(), build_bounds(&game("oware"), 3).into_layers());
    // Where nothing repeats, the switch says nothing.
    assert!(Layers::memory(&game("kalah cycle=own-side"), 3).is_ok());
}
