//! What tables say and searches prove: bounds of values, and finished layers.

use std::fmt;

use crate::index::Numbering;
use crate::rules::Rules;

/// Proven bounds of a value, in points of the player to move with empty stores; equal when the
/// value is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// Those of a proven value.
    pub fn exact(value: i32) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if it is proven.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

impl fmt::Display for Bounds {
    /// The value, or `LOWER to UPPER`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => value.fmt(f),
            None => write!(f, "{} to {}", self.lower, self.upper),
        }
    }
}

/// The finished layers of one rule set that a search may look into: by seeds, an entry for each position by
/// index. Tables and builders make them, so each layer is of its length and of these rules. The default has none.
#[derive(Clone, Default)]
pub struct Values<'a> {
    /// Fingerprint of the rules, unless there are no layers.
    fingerprint: Option<u128>,
    /// By seeds in the pits; `None` where there is no table.
    layers: Vec<Option<&'a [i8]>>,
}

impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let present: Vec<u32> = (0..self.len()).filter(|&seeds| self.layer(seeds).is_some()).collect();
        write!(f, "Values of the layers {present:?}")
    }
}

impl<'a> Values<'a> {
    /// Layers of the rule set with a fingerprint, by seeds.
    ///
    /// # Panics
    /// If a layer has not one entry for each of its positions.
    pub(crate) fn new(fingerprint: u128, numbering: &Numbering, layers: Vec<Option<&'a [i8]>>) -> Values<'a> {
        for (seeds, layer) in (0..).zip(&layers) {
            let is_whole = layer.is_none_or(|layer| layer.len() as u64 == numbering.layer(seeds).size());
            assert!(is_whole, "layer {seeds} has not one entry for each of its positions");
        }
        let fingerprint = layers.iter().any(Option::is_some).then_some(fingerprint);
        Values { fingerprint, layers }
    }

    /// The same without the layers of so many seeds and more.
    #[must_use]
    pub fn below(mut self, seeds: u32) -> Values<'a> {
        self.layers.truncate(seeds as usize);
        self
    }

    /// One more than the seeds of the highest layer that may be there.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.layers.len() as u32
    }

    /// Whether no layer is there.
    pub fn is_empty(&self) -> bool {
        self.layers.iter().all(Option::is_none)
    }

    /// A layer, if it is there.
    #[inline(always)]
    pub fn layer(&self, seeds: u32) -> Option<&'a [i8]> {
        self.layers.get(seeds as usize).copied().flatten()
    }

    /// The value of a position, if its layer is there and has this index.
    #[inline(always)]
    pub fn value(&self, seeds: u32, index: u64) -> Option<i32> {
        let value = self.layer(seeds)?.get(usize::try_from(index).ok()?)?;
        Some(i32::from(*value))
    }
}

/// Finished layers at the leaves of a search: values, or bounds that hold whatever a repetition is worth.
#[derive(Clone, Debug, Default)]
pub struct Leaves<'a> {
    /// Values, or lower bounds.
    pub(crate) lower: Values<'a>,
    /// Upper bounds; `None` beside values.
    pub(crate) upper: Option<Values<'a>>,
}

impl<'a> Leaves<'a> {
    /// Values.
    pub fn of_values(values: Values<'a>) -> Leaves<'a> {
        Leaves { lower: values, upper: None }
    }

    /// Lower and upper bounds.
    pub fn of_bounds([lower, upper]: [Values<'a>; 2]) -> Leaves<'a> {
        Leaves { lower, upper: Some(upper) }
    }

    fn sides(&self) -> impl Iterator<Item = &Values<'a>> {
        self.upper.iter().chain([&self.lower])
    }

    /// Whether no layer is there.
    pub fn is_empty(&self) -> bool {
        self.sides().all(Values::is_empty)
    }

    /// Seeds of the highest layer that may be there; 0 if there is none.
    pub(crate) fn top(&self) -> u32 {
        self.sides().map(Values::len).max().unwrap_or(0).saturating_sub(1)
    }

    /// Whether all layers are of these rules.
    pub(crate) fn belong_to(&self, rules: &Rules) -> bool {
        let expected = rules.fingerprint();
        self.sides().all(|side| side.fingerprint.is_none_or(|fingerprint| fingerprint == expected))
    }
}
