//! Which positions belong to a game.
//!
//! Reading a text and asking an engine rest on these checks, so each is written here alone.

use super::engines::{HOUSE, allows_closed_pits};
use super::{Position, Quan, Row, Stage};
use crate::rules::{FourRows, Lap, Refill, RuleKind, Rules, Switches};

/// Why a position is none of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The board has another number of pits.
    #[error("{} of {game} {} {pits} pits, not {found}", row(*.four_rows), have(*.four_rows))]
    Pits {
        /// The game with its size.
        game: String,
        /// Whether a player has two rows, which are counted together.
        four_rows: bool,
        /// Pits of a player in the game.
        pits: u8,
        /// Pits of a player in the position.
        found: usize,
    },
    /// A pit is closed in a game that has no closed pits.
    #[error("{game} has no closed pits")]
    ClosedPits {
        /// The name of the game.
        game: String,
    },
    /// A closed pit holds seeds.
    #[error("pit {pit} is closed and holds seeds")]
    SeedsInClosedPit {
        /// The pit, from 1.
        pit: usize,
    },
    /// Board, stores and hands hold more than the engines count.
    #[error("it has {seeds} seeds, and {game} is played with at most {limit}")]
    TooManySeeds {
        /// The name of the game.
        game: String,
        /// Points of all there is; those owed count too.
        seeds: i64,
        /// The most that the engines count.
        limit: u32,
    },
    /// A store is below 0 in a game that fills no row again.
    #[error("a store holds {points} points, and in {game} nothing can be owed")]
    Debt {
        /// The name of the game.
        game: String,
        /// What the store holds.
        points: i32,
    },
    /// It has something that the game does not have.
    #[error("{game} has no {what}")]
    Foreign {
        /// The name of the game.
        game: String,
        /// What that is, in the plural.
        what: &'static str,
    },
    /// An engine does not hold it, though it is a position of the game.
    #[error(
        "{position} is beyond this engine of {game}, which counts up to {most_seeds} seeds and may know no closed pits"
    )]
    BeyondEngine {
        /// The game with its size.
        game: String,
        /// The position.
        position: String,
        /// The most seeds that the engine counts.
        most_seeds: u32,
    },
    /// Captures are off for more moves than at any start.
    #[error("captures are off for 0, 1 or 2 moves, not {moves}")]
    Opening {
        /// The number of moves.
        moves: u8,
    },
    /// There is no such pit to block.
    #[error("the blocked pit is one of the front pits 1 to {pits}, not {pit}")]
    Blocked {
        /// The pit, from 1.
        pit: u8,
        /// Pits in the front row.
        pits: u8,
    },
    /// A player owns a house without seeds.
    #[error("a house is lost when it is emptied, and pit {} is empty", HOUSE + 1)]
    EmptyHouse {
        /// Whether that is the player to move.
        mover: bool,
    },
}

/// Whether both rows have so many pits, and no more than so many seeds lie in pits, quan cells and hands: what every
/// engine asks of a position before it takes it.
#[inline]
pub(super) fn fits(position: &Position, pits: usize, most_seeds: u32) -> bool {
    let elsewhere: u32 = position.quan.seeds.iter().chain(&position.stage.hand).copied().map(u32::from).sum();
    let have_pits = position.own.len() == pits && position.opponent.len() == pits;
    have_pits && position.seeds() + elsewhere <= most_seeds
}

fn row(four_rows: bool) -> &'static str {
    if four_rows { "the two rows of a player" } else { "a row" }
}

fn have(four_rows: bool) -> &'static str {
    if four_rows { "have together" } else { "has" }
}

/// Most points that board and stores of a game can hold together: its kernels count in bytes where
/// laps are single, and where rows are filled again there must be room for more.
pub(crate) fn seed_limit(rules: &Rules) -> u32 {
    match rules.switches() {
        None => 65_535,
        Some(Switches { lap: Lap::Single, .. }) => 255,
        Some(Switches { refill: Refill::None, .. }) => 65_535,
        Some(_) => 10_000,
    }
}

/// Refuses rows with another number of pits than a player of the game has.
pub(super) fn check_pits(rules: &Rules, found: usize) -> Result<(), PositionError> {
    let pits = rules.player_pits();
    match found == usize::from(pits) {
        true => Ok(()),
        false => {
            let four_rows = rules.four_rows().is_some();
            Err(PositionError::Pits { game: rules.title(), four_rows, pits, found })
        }
    }
}

impl Position {
    /// The position of two rows, each in the sowing order of its player, with nothing beside but points in the
    /// stores.
    ///
    /// ```
    /// use sowbase::{board::Position, rules};
    /// let rules = rules::game("kalah:3x2")?;
    /// let position = Position::new(&rules, &[0, 1, 2], &[4, 0, 0], [3, 2])?;
    /// assert_eq!(position.to_string(), "0 1 2 / 4 0 0 ; stores 3 2");
    /// let refused = Position::new(&rules, &[0, 1], &[4, 0], [3, 2]).unwrap_err();
    /// assert_eq!(refused.to_string(), "a row of kalah:3x2 has 3 pits, not 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Position::check`].
    pub fn new(
        rules: &Rules,
        own: &[u16],
        opponent: &[u16],
        stores: [i32; 2],
    ) -> Result<Position, PositionError> {
        check_pits(rules, own.len())?;
        check_pits(rules, opponent.len())?;
        let position = Position { stores, ..Position::of_rows(own, opponent) };
        position.check(rules)?;
        Ok(position)
    }

    /// Whether this is a position of a game: [`Position::parse`] reads no others.
    ///
    /// # Errors
    /// [`PositionError`] for rows with other pits, pits that cannot be closed, more seeds than the engines count,
    /// or anything that the game does not have.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        let game = || rules.name().to_owned();
        for row in [&self.own, &self.opponent] {
            check_pits(rules, row.len())?;
            if row.closed() != 0 && !allows_closed_pits(rules) {
                return Err(PositionError::ClosedPits { game: game() });
            }
            if let Some(pit) = (0..row.len()).find(|&pit| row.is_closed(pit) && row[pit] > 0) {
                return Err(PositionError::SeedsInClosedPit { pit: pit + 1 });
            }
        }
        let foreign = match rules.kind() {
            RuleKind::TwoRows(switches) => self.foreign_to_two_rows(switches),
            RuleKind::FourRows(_) if self.stores != [0, 0] => Some("stores"),
            RuleKind::FourRows(four_rows) => self.foreign_to_four_rows(four_rows),
        };
        if let Some(what) = foreign {
            return Err(PositionError::Foreign { game: game(), what });
        }
        let may_owe = rules.switches().is_some_and(|switches| switches.refill != Refill::None);
        if let Some(&points) = self.stores.iter().find(|&&points| points < 0 && !may_owe) {
            return Err(PositionError::Debt { game: game(), points });
        }
        self.check_stage(rules.pits())?;
        let (seeds, limit) = (self.points(rules), seed_limit(rules));
        match seeds > i64::from(limit) {
            true => Err(PositionError::TooManySeeds { game: game(), seeds, limit }),
            false => Ok(()),
        }
    }

    /// Something that games of two rows, or those without quan cells, do not have.
    pub(super) fn foreign_to_two_rows(&self, switches: &Switches) -> Option<&'static str> {
        if self.stage != Stage::default() {
            return Some("stages");
        }
        (switches.quan == 0 && self.quan != Quan::default()).then_some("quan cells")
    }

    /// Something that a game of four rows does not have, stores not regarded.
    pub(super) fn foreign_to_four_rows(&self, four_rows: &FourRows) -> Option<&'static str> {
        let Stage { opening, hand, house, blocked, result: _ } = self.stage;
        let is_omweso = matches!(four_rows, FourRows::Omweso(_));
        [
            (self.quan != Quan::default(), "quan cells"),
            (opening > 0 && !is_omweso, "moves without captures at the start"),
            (hand != [0, 0] && !four_rows.has_hands(), "seeds in hand"),
            (house != [false, false] && !four_rows.has_hands(), "houses"),
            (blocked > 0 && !four_rows.has_hands(), "blocked pits"),
        ]
        .into_iter()
        .find_map(|(is_there, what)| is_there.then_some(what))
    }

    fn check_stage(&self, pits: u8) -> Result<(), PositionError> {
        let Stage { opening, house, blocked, .. } = self.stage;
        if opening > 2 {
            return Err(PositionError::Opening { moves: opening });
        }
        let is_emptied = |(owns, row): (bool, &Row)| owns && row[HOUSE] == 0;
        if let Some(at) = house.into_iter().zip([&self.own, &self.opponent]).position(is_emptied) {
            return Err(PositionError::EmptyHouse { mover: at == 0 });
        }
        match blocked > pits {
            true => Err(PositionError::Blocked { pit: blocked, pits }),
            false => Ok(()),
        }
    }

    /// Points of all that lies on the board, in hands and in stores; those owed count too.
    fn points(&self, rules: &Rules) -> i64 {
        let stores = self.stores.map(|points| i64::from(points.unsigned_abs()));
        let elsewhere = self.quan.seeds.iter().chain(&self.stage.hand);
        let seeds = i64::from(self.seeds()) + elsewhere.copied().map(i64::from).sum::<i64>();
        let pieces = self.quan.pieces.iter().filter(|&&piece| piece).count() as i64;
        let value = rules.switches().map_or(0, |switches| switches.quan_value.into());
        seeds + pieces * value + stores.iter().sum::<i64>()
    }
}
