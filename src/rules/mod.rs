//! What a game is: a record of switches, the named games as data, and the identity of a rule set.
//!
//! Nothing here knows about boards, files or search.

mod file;
mod four_rows;
mod games;
mod record;
mod rule_set;
mod spec;

pub use four_rows::*;
pub use games::{from_toml, game, names, preset};
pub use rule_set::{MAX_PITS, RuleKind, Rules};
pub use spec::*;

/// Why a rule set was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No game has this name.
    #[error("unknown game {name}{}", nearest(.near))]
    UnknownGame {
        /// The name asked for.
        name: String,
        /// Games that may be meant: names that look like it, or as [`Rules::full_title`] without a size.
        near: Vec<String>,
    },
    /// The game is not played on such a board.
    #[error("{name} is played with {played}, not on a board of {size}")]
    BadBoard {
        /// The game.
        name: String,
        /// The board asked for, as PITSxSEEDS.
        size: String,
        /// On what it is played.
        played: &'static str,
    },
    /// A game cannot have this name.
    #[error("{name:?} is no name of a game, which is made of a-z, 0-9 and hyphens")]
    BadName {
        /// The name asked for.
        name: String,
    },
    /// The size after the name is not PITSxSEEDS.
    #[error("the size {text:?} is not PITSxSEEDS with 1 to {MAX_PITS} pits and 1 to 255 seeds, such as 6x4")]
    BadSize {
        /// What stood there.
        text: String,
    },
    /// No switch has this key.
    #[error("unknown switch {key}{}", nearest(.near))]
    UnknownSwitch {
        /// The key asked for.
        key: String,
        /// Keys that look like it.
        near: Vec<String>,
    },
    /// The switch does not take this value.
    #[error("switch {key} does not take {value:?}: {reason}")]
    BadValue {
        /// The switch.
        key: String,
        /// The value asked for.
        value: String,
        /// What it takes.
        reason: String,
    },
    /// A rule file is not what [`Rules::to_toml`] writes.
    #[error("rule file, line {line}: {reason}")]
    BadFile {
        /// Line of the fault, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
}

impl RulesError {
    fn unknown_switch(key: &str, keys: Vec<String>) -> Self {
        let near = games::nearest(key, keys);
        RulesError::UnknownSwitch { key: key.into(), near }
    }
}

fn nearest(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(" or ")) }
}
