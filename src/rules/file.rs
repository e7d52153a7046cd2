//! The form of a rule set in a file.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use super::{FourRows, Kiswahili, Kujifunza, MAX_PITS, Omweso, RuleKind, Rules, Switches};

/// A rule set as a file has it: with the table of one kind of game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RuleFile {
    #[serde(deserialize_with = "name")]
    name: String,
    #[serde(default)]
    about: String,
    #[serde(deserialize_with = "pits")]
    pits: u8,
    #[serde(deserialize_with = "seeds")]
    seeds: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    switches: Option<Switches>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omweso: Option<Omweso>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bao_kujifunza: Option<Kujifunza>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bao_kiswahili: Option<Kiswahili>,
}

impl TryFrom<RuleFile> for Rules {
    type Error = String;

    fn try_from(file: RuleFile) -> Result<Rules, String> {
        let RuleFile { name, about, pits, seeds, switches, omweso, bao_kujifunza, bao_kiswahili } = file;
        let tables = [switches.is_some(), omweso.is_some(), bao_kujifunza.is_some(), bao_kiswahili.is_some()];
        if tables.iter().filter(|&&is_there| is_there).count() != 1 {
            return Err(
                "there must be one table of switches: `[switches]`, or for a game of four rows `[omweso]`, `[bao-kujifunza]` or `[bao-kiswahili]`".into()
            );
        }
        let four_rows = omweso
            .map(FourRows::Omweso)
            .or(bao_kujifunza.map(FourRows::Kujifunza))
            .or(bao_kiswahili.map(FourRows::Kiswahili));
        let two_rows = RuleKind::TwoRows(switches.unwrap_or_default());
        let rules = Rules { name, about, pits, seeds, kind: four_rows.map_or(two_rows, RuleKind::FourRows) };
        rules.check_size().map_err(|error| error.to_string())?;
        Ok(rules)
    }
}

impl From<Rules> for RuleFile {
    fn from(rules: Rules) -> RuleFile {
        let Rules { name, about, pits, seeds, kind } = rules;
        let (switches, omweso, bao_kujifunza, bao_kiswahili) = (None, None, None, None);
        let mut file = RuleFile { name, about, pits, seeds, switches, omweso, bao_kujifunza, bao_kiswahili };
        match kind {
            RuleKind::TwoRows(switches) => file.switches = Some(switches),
            RuleKind::FourRows(FourRows::Omweso(switches)) => file.omweso = Some(switches),
            RuleKind::FourRows(FourRows::Kujifunza(switches)) => file.bao_kujifunza = Some(switches),
            RuleKind::FourRows(FourRows::Kiswahili(switches)) => file.bao_kiswahili = Some(switches),
        }
        file
    }
}

/// A whole number within bounds. Errors name the bounds, so that they need no words of their own
/// for each field.
pub(super) struct Within(pub RangeInclusive<u8>);

impl Visitor<'_> for Within {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u8, E> {
        let within = u8::try_from(number).ok().filter(|number| self.0.contains(number));
        within.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }
}

fn pits<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    from.deserialize_i64(Within(1..=MAX_PITS as u8))
}

fn seeds<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    from.deserialize_i64(Within(1..=u8::MAX))
}

/// Whether a game can have this name.
pub(super) fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.chars().all(plain)
}

fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    if !is_name(&name) {
        return Err(D::Error::invalid_value(Unexpected::Str(&name), &"a name of a-z, 0-9 and hyphens"));
    }
    Ok(name)
}
