//! What the files of a layer hold and how they are called.

use std::fmt;
use std::str::FromStr;

/// Extension of a layer file.
pub const EXTENSION: &str = "sow";

/// What the entries of a file are, each as if the stores were empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Values, with nothing further to either side where a game never ends.
    Value,
    /// Lower bounds of the value, whatever an endless repetition is worth to whom.
    Lower,
    /// Upper bounds, likewise.
    Upper,
}

impl Quantity {
    /// All of them; the place of each is its number in the field `flags`.
    pub const ALL: [Quantity; 3] = [Quantity::Value, Quantity::Lower, Quantity::Upper];

    /// The quantity of a field `flags`, if this program knows it.
    pub fn from_flags(flags: u16) -> Option<Quantity> {
        Quantity::ALL.get(usize::from(flags)).copied()
    }

    /// The field `flags`.
    pub fn flags(self) -> u16 {
        self as u16
    }
}

/// Which of a rule set's files one is, written `12`, `12.lower` or `12.upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerName {
    /// Seeds in the pits of every position.
    pub seeds: u32,
    /// What the entries are.
    pub quantity: Quantity,
}

impl LayerName {
    /// The file with the values of a layer.
    pub fn values(seeds: u32) -> LayerName {
        LayerName { seeds, quantity: Quantity::Value }
    }
}

impl fmt::Display for LayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.quantity {
            Quantity::Value => "",
            Quantity::Lower => ".lower",
            Quantity::Upper => ".upper",
        };
        // One string, so that it can be aligned.
        f.pad(&format!("{}{suffix}", self.seeds))
    }
}

/// A text that is not written as [`LayerName`] writes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a layer is written as 12, 12.lower or 12.upper")]
pub struct NoLayerName;

impl FromStr for LayerName {
    type Err = NoLayerName;

    fn from_str(text: &str) -> Result<LayerName, NoLayerName> {
        let seeds = text.split('.').next().and_then(|seeds| seeds.parse().ok()).ok_or(NoLayerName)?;
        let names = Quantity::ALL.map(|quantity| LayerName { seeds, quantity });
        names.into_iter().find(|name| name.to_string() == text).ok_or(NoLayerName)
    }
}

/// The name of a layer's file in its folder, such as `12.sow` or `12.lower.sow`.
pub fn file_name(seeds: u32, quantity: Quantity) -> String {
    format!("{}.{EXTENSION}", LayerName { seeds, quantity })
}

/// The layer that a file name stands for; other files do not concern us.
pub(in crate::tables) fn layer_of(name: &str) -> Option<LayerName> {
    name.strip_suffix(".sow")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_written_are_read() {
        for quantity in Quantity::ALL {
            assert_eq!(layer_of(&file_name(12, quantity)), Some(LayerName { seeds: 12, quantity }));
            assert_eq!(Quantity::from_flags(quantity.flags()), Some(quantity));
        }
        assert_eq!(file_name(0, Quantity::Lower), "0.lower.sow");
        assert_eq!(Quantity::from_flags(3), None);
        for name in [
            "012.sow",
            "+1.sow",
            "1.value.sow",
            "1..sow",
            "1.lower.upper.sow",
            "lower.sow",
            ".sow",
            "1.LOWER.sow",
        ] {
            assert_eq!(layer_of(name), None, "{name}");
        }
    }
}
