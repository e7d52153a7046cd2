//! The named games, embedded as TOML files, and how a game is named.

use super::{MAX_PITS, Rules, RulesError};

macro_rules! presets {
    ($($name:literal)+) => { &[$(($name, include_str!(concat!("games/", $name, ".toml")))),+] };
}

const PRESETS: &[(&str, &str)] = presets!(
    "kalah" "oware" "awari" "congklak" "sungka" "sadeqa-iii" "sadeqa-91" "en-dodoi" "en-gehe"
    "pallanguzhi" "o-an-quan" "omweso" "bao-kujifunza" "bao-kiswahili"
);

/// Other names of some games.
const ALIASES: &[(&str, &str)] =
    &[("dakon", "congklak"), ("congkak", "congklak"), ("awale", "oware"), ("wari", "oware")];

/// Names that are not of one game, and what to ask for.
const FORMS: &[(&str, &str)] = &[
    ("hus", "bao-kujifunza with hus=yes"),
    ("bao", "bao-kujifunza"),
    ("bao", "bao-kiswahili"),
    ("mancala", "kalah"),
    ("mancala", "oware"),
];

/// The canonical names of all games.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// The rule set of a name without a size, on its standard board.
pub fn preset(name: &str) -> Option<Rules> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, game)| *game);
    let (_, text) = PRESETS.iter().find(|(preset, _)| *preset == name)?;
    Some(from_toml(text).expect("the embedded rule sets are tested"))
}

impl Rules {
    /// The switches, as `key=value`, in which this rule set differs from the named game; none if no
    /// game has its name.
    pub fn changes(&self) -> Vec<String> {
        let Some(named) = preset(&self.name) else { return Vec::new() };
        let value = |rules: &Rules, key: &str| rules.get(key).unwrap_or_default();
        let keys = self.keys().into_iter();
        keys.filter(|key| value(self, key) != value(&named, key))
            .map(|key| format!("{key}={}", value(self, &key)))
            .collect()
    }

    /// The title with all that differs from the named game: `kalah:6x4 with empty-capture=yes, feed=pass`.
    pub fn full_title(&self) -> String {
        let changes = self.changes().join(", ");
        if changes.is_empty() { self.title() } else { format!("{} with {changes}", self.title()) }
    }
}

/// The rule set of `NAME` or `NAME:PITSxSEEDS`.
///
/// # Errors
/// [`RulesError::UnknownGame`] with the nearest names, [`RulesError::BadSize`], or
/// [`RulesError::BadBoard`].
pub fn game(text: &str) -> Result<Rules, RulesError> {
    let (name, size) = text.split_once(':').map_or((text, None), |(name, size)| (name, Some(size)));
    let mut rules =
        preset(name).ok_or_else(|| RulesError::UnknownGame { name: name.into(), near: meant(name) })?;
    if let Some(size) = size {
        rules.resize(size)?;
    }
    Ok(rules)
}

/// What an unknown name may stand for.
fn meant(name: &str) -> Vec<String> {
    let forms: Vec<_> =
        FORMS.iter().filter(|(form, _)| *form == name).map(|(_, game)| (*game).into()).collect();
    if !forms.is_empty() {
        return forms;
    }
    nearest(name, names().chain(ALIASES.iter().map(|(alias, _)| *alias)).map(String::from))
}

impl Rules {
    /// Takes the board of `PITSxSEEDS`.
    ///
    /// # Errors
    /// [`RulesError::BadSize`], or [`RulesError::BadBoard`] if the game is not played on it.
    pub fn resize(&mut self, text: &str) -> Result<(), RulesError> {
        let (pits, seeds) = size(text).ok_or_else(|| RulesError::BadSize { text: text.into() })?;
        *self = self.clone().with_size(pits, seeds)?;
        Ok(())
    }
}

fn size(text: &str) -> Option<(u8, u8)> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    let (pits, seeds) = text.split_once('x')?;
    let (pits, seeds): (u8, u8) = (number(pits)?, number(seeds)?);
    (pits >= 1 && usize::from(pits) <= MAX_PITS && seeds >= 1).then_some((pits, seeds))
}

/// Reads a complete rule set: what [`Rules::to_toml`] writes.
///
/// # Errors
/// [`RulesError::BadFile`] with the line at fault.
pub fn from_toml(text: &str) -> Result<Rules, RulesError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        RulesError::BadFile { line, reason: error.message().replace('\n', " ") }
    })
}

/// The candidates that a mistyped word may have meant, nearest first.
pub(super) fn nearest(word: &str, candidates: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut near: Vec<(usize, String)> = candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, &candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= 2.min(candidate.len() - 1) || (word.len() >= 3 && candidate.starts_with(word))
        })
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}
