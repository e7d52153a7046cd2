//! Whole tables of small boards, in memory.
#![allow(dead_code)]

use sowbase::board::Position;
use sowbase::control::Control;
use sowbase::retrograde::{BoundLayers, Layers};
use sowbase::rules::{self, Rules};

/// The rule set of a game, a size and `key=value` words.
pub fn game(text: &str) -> Rules {
    let mut words = text.split_whitespace();
    let mut rules = rules::game(words.next().unwrap()).unwrap();
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        rules.set(key, value).unwrap();
    }
    rules
}

/// Builds every layer that was asked for.
pub fn finished(mut layers: Layers) -> Layers {
    while layers.next() <= layers.numbering().max_seeds() {
        layers.build_next(&Control::default()).unwrap();
    }
    layers
}

/// All layers up to `top` seeds, by the builder that the program would take.
pub fn build(rules: &Rules, top: u32) -> Layers {
    finished(Layers::new(rules, top).unwrap())
}

/// The bounds of all layers up to `top` seeds, by the builder that the program would take.
pub fn build_bounds(rules: &Rules, top: u32) -> BoundLayers {
    finished_bounds(BoundLayers::new(rules, top).unwrap())
}

/// Builds every layer of bounds that was asked for.
pub fn finished_bounds(mut bounds: BoundLayers) -> BoundLayers {
    while bounds.next() <= bounds.numbering().max_seeds() {
        bounds.build_next(&Control::default()).unwrap();
    }
    bounds
}

/// The positions of a layer whose bounds meet.
pub fn cycle_free(bounds: &BoundLayers, seeds: u32) -> usize {
    bounds.lower(seeds).iter().zip(bounds.upper(seeds)).filter(|(lower, upper)| lower == upper).count()
}

/// The value of a position, its stores included.
pub fn value(layers: &Layers, position: &Position) -> i32 {
    let (seeds, index) = layers.numbering().number(position).unwrap();
    i32::from(layers.layer(seeds)[index as usize]) + position.lead()
}
