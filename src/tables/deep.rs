//! Whether values follow from those of the positions that the moves lead to.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::error::Fault;
use super::layer::Layer;
use crate::board::{Game, Ring};
use crate::control::{Control, Stopped};
use crate::index::{Numbered, Numbering};
use crate::retrograde::is_acyclic;
use crate::rules::Rules;

/// Positions computed between two looks at the control.
const CHUNK: u64 = 1 << 12;

/// Layers of one rule set whose files are intact, and the engine that knows the moves.
pub(super) struct DeepCheck<'a> {
    ring: Ring,
    numbering: Numbering,
    layers: &'a BTreeMap<u32, Layer>,
}

/// The first wrong value of some positions, and how many there are.
#[derive(Clone, Copy, Default)]
struct Wrong {
    count: u64,
    first: Option<(u64, i32, i32)>,
}

impl Wrong {
    fn join(self, other: Wrong) -> Wrong {
        let first = match (self.first, other.first) {
            (Some(one), Some(other)) => Some(if one.0 < other.0 { one } else { other }),
            (one, other) => one.or(other),
        };
        Wrong { count: self.count + other.count, first }
    }
}

impl DeepCheck<'_> {
    /// A check of mapped layers.
    ///
    /// # Errors
    /// [`Fault::Unchecked`] if there is no engine for the rules, or if positions of a layer can
    /// repeat: values in a circle can agree with each other and be wrong.
    pub(super) fn new<'a>(rules: &Rules, layers: &'a BTreeMap<u32, Layer>) -> Result<DeepCheck<'a>, Fault> {
        let top = layers.keys().next_back().copied().unwrap_or(0);
        let unchecked = |reason: String| Fault::Unchecked { reason };
        let ring = Ring::new(rules).map_err(|error| unchecked(error.to_string()))?;
        if !is_acyclic(rules) {
            let reason = format!(
                "positions of {} can repeat, and values in a circle may agree and be wrong",
                rules.title()
            );
            return Err(unchecked(reason));
        }
        let numbering =
            Numbering::new(rules.pits.into(), top).map_err(|error| unchecked(error.to_string()))?;
        Ok(DeepCheck { ring, numbering, layers })
    }

    /// Compares each value of a layer with its successors, all of whose layers must be there.
    /// `None` if they agree.
    pub(super) fn layer(&self, seeds: u32, control: &Control) -> Result<Option<Fault>, Stopped> {
        let mut values = Vec::new();
        for lower in 0..=seeds {
            match self.layers.get(&lower).map(Layer::values) {
                Some(Some(layer)) => values.push(layer),
                _ => {
                    return Ok(Some(Fault::Unchecked {
                        reason: format!("layer {lower} is missing or damaged"),
                    }));
                }
            }
        }
        let size = self.numbering.layer(seeds).size();
        control.begin(format!("checking layer {seeds} against its successors"), size);
        let chunks = size.div_ceil(CHUNK);
        let wrong = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                control.check()?;
                let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
                control.advance(range.end - range.start);
                Ok(range
                    .map(|index| self.position(&values, seeds, index))
                    .fold(Wrong::default(), Wrong::join))
            })
            .try_reduce(Wrong::default, |one, other| Ok(one.join(other)))?;
        Ok(wrong.first.map(|(index, found, expected)| Fault::WrongValue {
            position: self.numbering.position(seeds, index).to_string(),
            index,
            found,
            expected,
            wrong: wrong.count,
        }))
    }

    /// Compares one value.
    fn position(&self, values: &[&[i8]], seeds: u32, index: u64) -> Wrong {
        let position = self.numbering.position(seeds, index);
        let expected = self.ring.end_value(&position).unwrap_or_else(|| {
            let mut best = i32::MIN;
            self.ring.for_each_move(&position, |played| {
                let next = self.ring.halves(self.numbering.half_boards(), &played.next);
                let layer = self.numbering.layer(next.seeds());
                let value = i32::from(values[next.seeds() as usize][layer.index(&next) as usize]);
                let value = if played.again { value } else { -value };
                best = best.max(played.gain - played.opponent_gain + value);
            });
            best
        });
        let found = i32::from(values[seeds as usize][index as usize]);
        if found == expected {
            return Wrong::default();
        }
        Wrong { count: 1, first: Some((index, found, expected)) }
    }
}
