//! Whole layers against an independent brute force, and both builders against each other.

#[path = "common/brute_kalah.rs"]
mod brute_kalah;
#[path = "common/kalah_rules.rs"]
mod kalah_rules;
#[path = "common/layers.rs"]
mod layers;

use brute_kalah::{Solver, Switches, every_position};
use kalah_rules::rules_of;
use proptest::prelude::*;
use sowbase::board::Position;
use sowbase::retrograde::{BoundLayers, Layers};
use sowbase::rules::Rules;

/// Compares every position of the layers 0..=`top`, of both builders.
fn compare(pits: usize, switches: Switches, top: u32) {
    let rules = rules_of(pits, switches);
    let built = layers::build(&rules, top);
    let general = layers::finished(Layers::new_general(&rules, top).unwrap());
    let mut solver = Solver::new(switches);
    for seeds in 0..=top {
        let positions = every_position(pits, seeds as usize);
        assert_eq!(built.layer(seeds).len(), positions.len());
        for (own, opponent) in positions {
            let expected = solver.value(&own, &opponent);
            let row = |row: &[u8]| row.iter().map(|&pit| pit.into()).collect::<Vec<u16>>();
            let position = Position::of_rows(&row(&own), &row(&opponent));
            let context = || format!("{position} under {switches:?}");
            assert_eq!(layers::value(&built, &position), expected, "{}", context());
            assert_eq!(layers::value(&general, &position), expected, "{}, general builder", context());
        }
    }
}

#[test]
fn one_to_three_pits_under_every_combination_of_switches() {
    let all = brute_kalah::all_switches();
    assert_eq!(all.len(), 288);
    for switches in all {
        compare(1, switches, 20);
        compare(2, switches, 8);
        compare(3, switches, 5);
    }
}

#[test]
fn four_to_six_pits_under_some_combinations_of_switches() {
    // A step that has no common factor with the ways to combine reaches every value of a switch.
    for switches in brute_kalah::all_switches().into_iter().step_by(11) {
        compare(4, switches, 6);
    }
    for switches in brute_kalah::all_switches().into_iter().step_by(31) {
        compare(5, switches, 4);
        compare(6, switches, 4);
    }
}

#[test]
fn the_default_rules_further() {
    for (pits, top) in [(1, 100), (2, 24), (3, 12), (4, 9), (5, 7), (6, 6)] {
        compare(pits, Switches::default(), top);
        compare(pits, Switches { empty_capture: true, ..Switches::default() }, top);
    }
}

/// Any switches of games that sow the own store, those that only the general builder takes among
/// them.
fn any_rules() -> impl Strategy<Value = Rules> {
    let words: Vec<BoxedStrategy<&str>> = [
        &["kalah", "kalah", "kalah", "congklak"][..],
        &["origin=sow", "origin=skip"],
        &["capture=cross", "capture=none"],
        &["trigger=take", "trigger=leave"],
        &["empty-capture=no", "empty-capture=yes"],
        &["extra-move=none", "extra-move=store", "extra-move=store-or-capture"],
        &["end=row-empty", "end=stuck", "end=all-empty", "end=no-move"],
        &["rest=owner", "rest=nobody", "rest=emptied", "rest=opponent"],
        &["", "", "", "opponent-store=sow", "mikul=on", "mikul=equal", "no-move=pass"],
    ]
    .into_iter()
    .map(|values| prop::sample::select(values).boxed())
    .collect();
    (words, 1..=6_u8).prop_map(|(words, pits)| layers::game(&words.join(" ")).with_pits(pits).unwrap())
}

/// Any switches of Oware's kind.
fn any_oware_rules() -> impl Strategy<Value = Rules> {
    let words: Vec<BoxedStrategy<&str>> = [
        &["oware"][..],
        &["origin=sow", "origin=skip"],
        &["grand-slam=no-capture", "grand-slam=free", "grand-slam=illegal"],
        &["feed=must-feed", "feed=leave-a-move", "feed=none"],
        &["end=row-empty", "end=stuck", "end=all-empty", "end=no-move"],
        &["rest=owner", "rest=nobody", "rest=emptied", "rest=opponent"],
    ]
    .into_iter()
    .map(|values| prop::sample::select(values).boxed())
    .collect();
    (words, 1..=6_u8).prop_map(|(words, pits)| layers::game(&words.join(" ")).with_pits(pits).unwrap())
}

/// Any switches of relays past the stores.
fn any_relay_rules() -> impl Strategy<Value = Rules> {
    let words: Vec<BoxedStrategy<&str>> = [
        &["sadeqa-iii", "en-dodoi", "pallanguzhi", "pallanguzhi lap=same-hole", "pallanguzhi chain=yes"][..],
        &["pasu=off", "pasu=4", "pasu=4 pasu-last=no"],
        &["no-move=end", "no-move=pass"],
        &["end=row-empty", "end=no-move"],
        &["rest=owner", "rest=nobody", "rest=emptied", "rest=opponent"],
        &["endless=illegal", "endless=draw", "endless=loss", "endless=stop"],
    ]
    .into_iter()
    .map(|values| prop::sample::select(values).boxed())
    .collect();
    (words, 1..=8_u8).prop_map(|(words, pits)| layers::game(&words.join(" ")).with_pits(pits).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    #[test]
    fn both_builders_settle_to_the_same_layers(rules in prop_oneof![any_oware_rules(), any_relay_rules()]) {
        let top = [60, 20, 11, 8, 6, 5, 5, 4][usize::from(rules.pits()) - 1];
        let built = layers::build(&rules, top).into_layers();
        let general = layers::finished(Layers::new_general(&rules, top).unwrap()).into_layers();
        let bounds = layers::build_bounds(&rules, top).into_layers();
        let general_bounds = layers::finished_bounds(BoundLayers::new_general(&rules, top).unwrap());
        for (seeds, (built, general)) in built.iter().zip(&general).enumerate() {
            prop_assert!(built == general, "layer {} of {}", seeds, rules.to_toml());
        }
        for (seeds, (built, general)) in bounds.iter().zip(&general_bounds.into_layers()).enumerate() {
            prop_assert!(built == general, "bounds of layer {} of {}", seeds, rules.to_toml());
        }
    }

    #[test]
    fn both_builders_fill_the_same_layers(rules in any_rules()) {
        let top = [80, 24, 13, 9, 7, 6][usize::from(rules.pits()) - 1];
        let built = layers::build(&rules, top).into_layers();
        let general = layers::finished(Layers::new_general(&rules, top).unwrap()).into_layers();
        prop_assert_eq!(built.len(), top as usize + 1);
        for (seeds, (built, general)) in built.iter().zip(&general).enumerate() {
            let differs = built.iter().zip(general).position(|(one, other)| one != other);
            prop_assert_eq!(differs, None, "layer {} of {}", seeds, rules.to_toml());
            prop_assert_eq!(built.len(), general.len());
        }
    }
}
