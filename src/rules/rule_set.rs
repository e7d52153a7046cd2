//! A complete rule set: which game it is, on which board, and how tables are told apart by it.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::file::{RuleFile, is_name};
use super::{FourRows, RulesError, Switches, record};

/// Largest number of pits in a row of one player.
pub const MAX_PITS: usize = 40;

/// A complete rule set: a name, the size of the board, and every switch.
///
/// It is always one that can be played: on a board that the game has, with values that its switches take.
///
/// ```
/// let rules = sowbase::rules::game("kalah:6x4")?;
/// assert_eq!((rules.pits(), rules.seeds()), (6, 4));
/// assert_eq!(rules.with_pits(41).unwrap_err().to_string().split(" with").next(), Some("the size \"41x4\" is not PITSxSEEDS"));
/// # Ok::<(), sowbase::rules::RulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RuleFile", into = "RuleFile")]
pub struct Rules {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) pits: u8,
    pub(super) seeds: u8,
    pub(super) kind: RuleKind,
}

/// All of a rule set but names and size: the switches of one kind of game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleKind {
    /// A game of two rows, with a ring through both.
    TwoRows(Switches),
    /// A game of four rows, with a ring for each player.
    FourRows(FourRows),
}

/// The canonical name and size, such as `kalah:6x4`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}x{}", self.name, self.pits, self.seeds)
    }
}

impl Rules {
    /// A rule set of one's own.
    ///
    /// # Errors
    /// [`RulesError::BadName`], [`RulesError::BadSize`], [`RulesError::BadBoard`] if the game is not played on
    /// the board, or [`RulesError::BadValue`] for a number that a switch does not take.
    pub fn new(name: &str, pits: u8, seeds: u8, kind: RuleKind) -> Result<Rules, RulesError> {
        Rules::nameless(pits, seeds, kind)?.with_name(name)
    }

    /// A rule set with an empty name.
    pub(crate) fn nameless(pits: u8, seeds: u8, kind: RuleKind) -> Result<Rules, RulesError> {
        if let RuleKind::TwoRows(Switches { quan: quan @ (1 | 3..), .. }) = kind {
            let (key, value) = ("quan".into(), quan.to_string());
            return Err(RulesError::BadValue { key, value, reason: "it takes 0 or 2".into() });
        }
        let rules = Rules { name: String::new(), about: String::new(), pits, seeds, kind };
        rules.check_size()?;
        Ok(rules)
    }

    /// Name of the game, as on the command line: a-z, 0-9 and hyphens.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One sentence about the game; empty where nobody wrote one.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Pits in a row, 1..=40, and at most 8 in a game of four rows.
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// Seeds in every pit at the start, 1..=255; on average, where they do not lie in all of them.
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    /// The kind of game, with its switches.
    pub fn kind(&self) -> &RuleKind {
        &self.kind
    }

    /// The switches of a game of two rows.
    pub fn switches(&self) -> Option<&Switches> {
        match &self.kind {
            RuleKind::TwoRows(switches) => Some(switches),
            RuleKind::FourRows(_) => None,
        }
    }

    /// In how many directions a pit can be sown, 1 or 2, as far as the switches of two rows tell.
    pub(crate) fn ways(&self) -> usize {
        self.switches().map_or(1, Switches::ways)
    }

    /// The record of a game of four rows.
    pub fn four_rows(&self) -> Option<&FourRows> {
        match &self.kind {
            RuleKind::TwoRows(_) => None,
            RuleKind::FourRows(four_rows) => Some(four_rows),
        }
    }

    /// The same rules under another name, and with nothing said about them.
    ///
    /// # Errors
    /// [`RulesError::BadName`].
    pub fn with_name(self, name: &str) -> Result<Rules, RulesError> {
        if !is_name(name) {
            return Err(RulesError::BadName { name: name.into() });
        }
        Ok(self.called(name))
    }

    /// The same rules under any name, for texts only.
    pub(crate) fn called(self, name: &str) -> Rules {
        Rules { name: name.into(), about: String::new(), ..self }
    }

    /// The same game on another board.
    ///
    /// # Errors
    /// [`RulesError::BadSize`], or [`RulesError::BadBoard`] if the game is not played on it.
    pub fn with_size(self, pits: u8, seeds: u8) -> Result<Rules, RulesError> {
        let rules = Rules { pits, seeds, ..self };
        rules.check_size()?;
        Ok(rules)
    }

    /// The same game with other pits in a row.
    ///
    /// # Errors
    /// As [`Rules::with_size`].
    pub fn with_pits(self, pits: u8) -> Result<Rules, RulesError> {
        let seeds = self.seeds;
        self.with_size(pits, seeds)
    }

    /// The same game with other seeds in a pit.
    ///
    /// # Errors
    /// As [`Rules::with_size`].
    pub fn with_seeds(self, seeds: u8) -> Result<Rules, RulesError> {
        let pits = self.pits;
        self.with_size(pits, seeds)
    }

    /// The same game with another value of a switch.
    ///
    /// # Errors
    /// As [`Rules::set`].
    pub fn with(mut self, key: &str, value: &str) -> Result<Rules, RulesError> {
        self.set(key, value)?;
        Ok(self)
    }

    /// The canonical name and size, such as `kalah:6x4`.
    pub fn title(&self) -> String {
        self.to_string()
    }

    /// Pits of one player: those of his row, or of both his rows in a game of four rows.
    pub fn player_pits(&self) -> u8 {
        match self.kind {
            RuleKind::TwoRows(_) => self.pits,
            RuleKind::FourRows(_) => 2 * self.pits,
        }
    }

    /// Seeds in the pits at the start; quan pieces and seeds in hand are not counted.
    pub fn start_seeds(&self) -> u32 {
        let all = 2 * u32::from(self.player_pits()) * u32::from(self.seeds);
        match &self.kind {
            RuleKind::FourRows(FourRows::Kiswahili(switches)) => all - 2 * switches.setup.in_hand(),
            _ => all,
        }
    }

    /// Refuses a board on which the game is not played.
    ///
    /// # Errors
    /// [`RulesError::BadSize`] or [`RulesError::BadBoard`].
    pub(super) fn check_size(&self) -> Result<(), RulesError> {
        let size = || format!("{}x{}", self.pits, self.seeds);
        if !(1..=MAX_PITS).contains(&self.pits.into()) || self.seeds == 0 {
            return Err(RulesError::BadSize { text: size() });
        }
        let played = match &self.kind {
            RuleKind::TwoRows(_) => return Ok(()),
            RuleKind::FourRows(four_rows) => four_rows.boards(),
        };
        let fits = played.pits.contains(&self.pits) && played.seeds.contains(&self.seeds);
        let refusal = || RulesError::BadBoard { name: self.name.clone(), size: size(), played: played.words };
        fits.then_some(()).ok_or_else(refusal)
    }

    /// Sets one switch from the words of the command line.
    ///
    /// # Errors
    /// [`RulesError::UnknownSwitch`] for a key that the game does not have,
    /// [`RulesError::BadValue`] for a value that the key does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        match &mut self.kind {
            RuleKind::TwoRows(switches) => switches.set(key, value),
            RuleKind::FourRows(four_rows) => four_rows.set(key, value),
        }
    }

    /// The value of a switch in the words of the command line, if the game has it.
    pub fn get(&self, key: &str) -> Option<String> {
        match &self.kind {
            RuleKind::TwoRows(switches) => switches.get(key),
            RuleKind::FourRows(four_rows) => four_rows.get(key),
        }
    }

    /// The keys of the game's switches, in the order of their record.
    pub fn keys(&self) -> Vec<String> {
        match &self.kind {
            RuleKind::TwoRows(_) => Switches::keys(),
            RuleKind::FourRows(four_rows) => four_rows.keys(),
        }
    }

    /// The text that identifies a table: the pits of a player, then each switch that differs from
    /// the plainest value, one `key=value` a line. Names, the seeds and the arrangement of the start and the
    /// value of a repetition (`cycle`) are left out: they do not change what a table holds. Leaving out
    /// plain values keeps the text stable when a later version knows one more switch.
    pub fn canonical(&self) -> String {
        let pits = self.player_pits();
        match &self.kind {
            RuleKind::TwoRows(switches) => {
                let changes = record::changes(switches, &Switches::default(), &["cycle"]);
                format!("two rows\npits={pits}\n{changes}")
            }
            RuleKind::FourRows(four_rows) => format!("four rows\npits={pits}\n{}", four_rows.canonical()),
        }
    }

    /// xxh3-128 of [`Rules::canonical`].
    pub fn fingerprint(&self) -> u128 {
        xxh3_128(self.canonical().as_bytes())
    }

    /// The fingerprint as 32 hex digits.
    pub fn id(&self) -> String {
        format!("{:032x}", self.fingerprint())
    }

    /// The complete rule set as TOML, in the form that [`super::from_toml`] reads.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a rule set is plain words and numbers")
    }
}
