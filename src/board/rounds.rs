//! Matches of several rounds: the players fill their pits with what they have won and play again.
//!
//! A layer of rules above a round. A round is a game as any other, on a board on which a player may have
//! fewer pits: those that he cannot fill are closed, and open again when he can. Matches are played, not
//! solved.

use super::engines::allows_closed_pits;
use super::engines::final_shares;
use super::{Game, NoEngine, Position, Ring, Row};
use crate::rules::{Endless, Rules};

/// A player of a match, whichever side of a [`Position`] is his.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The one who begins the match.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// The opponent.
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// The order in which a player fills his pits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// From the last pit in sowing order, which lies next to the store, down to pit 1.
    FromStore,
    /// From pit 1 up.
    FromFirst,
}

/// Who begins a round. If this names nobody, it is the player who did not begin the round before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginner {
    /// Who made the last move of the round before.
    LastMover,
    /// Who won the round before.
    Winner,
    /// Who has no closed pits, if the other one has some.
    Unclosed,
    /// Each player in turn.
    InTurn,
}

/// What players agree on for a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRules {
    /// The order in which pits are filled.
    pub filling: Filling,
    /// Who begins the rounds after the first.
    pub beginner: Beginner,
    /// Who cannot fill so many pits has lost the match; from 1 to the pits of a row.
    pub fewest: u8,
}

impl MatchRules {
    /// Congklak and Sungka, by the rules in the Journal of the Straits Branch of the Royal Asiatic Society.
    /// Some play until a player cannot fill four pits.
    pub const CONGKLAK: MatchRules =
        MatchRules { filling: Filling::FromStore, beginner: Beginner::LastMover, fewest: 1 };

    /// Pallanguzhi.
    pub const PALLANGUZHI: MatchRules =
        MatchRules { filling: Filling::FromFirst, beginner: Beginner::InTurn, fewest: 1 };
}

/// Why a game is not played in matches of rounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoMatch {
    /// No engine plays a round.
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    /// Pits cannot be closed.
    #[error(
        "{game} is not played in matches of rounds, since its pits cannot be closed: that needs a board without quan cells and origin=sow"
    )]
    NoClosedPits {
        /// The game.
        game: String,
    },
    /// The number of pits that have to be filled does not fit the board.
    #[error("a player of {game} cannot be asked to fill {fewest} pits; take a number from 1 to {pits}")]
    Fewest {
        /// The game.
        game: String,
        /// The number asked for.
        fewest: u8,
        /// Pits in a row.
        pits: u8,
    },
}

/// Why a match does not go on from the end of a round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RoundError {
    /// The match is over.
    #[error("the match is over, so no round of it can end; begin another match")]
    MatchOver,
    /// The round is not over.
    #[error("the round is not over in {position}; play on until no move is left")]
    NotOver {
        /// The position, as it is written.
        position: String,
    },
    /// Stores and pits do not hold the seeds that the round began with.
    #[error(
        "the round ends with {found} seeds and began with {began}; give its last position with both stores"
    )]
    Seeds {
        /// Seeds in stores and pits at the end.
        found: i64,
        /// Seeds in stores and pits at the start of the round.
        began: i64,
    },
}

/// How a round has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundEnd {
    /// The last position, with the stores of both players and with the seeds that are left in the pits.
    pub position: Position,
    /// From whose side it is written.
    pub side: Player,
    /// Who made the last move.
    pub last_mover: Player,
}

/// How a match stands between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one for a whole round")]
pub enum Standing {
    /// A round is to be played.
    Round {
        /// Who begins it.
        begins: Player,
        /// Its first position, from the side of the player who begins.
        start: Position,
    },
    /// The match is over.
    Over {
        /// Who has won; `None` if neither player can go on, which needs seeds that went to nobody.
        winner: Option<Player>,
    },
}

/// A match between two players.
///
/// ```
/// use sowbase::board::{Match, MatchRules, Player, Position, RoundEnd, Standing};
/// let rules = sowbase::rules::game("congklak")?;
/// let mut game = Match::new(&rules, MatchRules::CONGKLAK)?;
/// let empty = "0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 ; stores 61 37";
/// let position = Position::parse(&rules, empty)?;
/// let end = RoundEnd { position, side: Player::First, last_mover: Player::First };
/// let Standing::Round { begins, start } = game.finish(&end)? else { unreachable!() };
/// assert_eq!(begins, Player::First);
/// assert_eq!(start.to_string(), "7 7 7 7 7 7 7 / x x 7 7 7 7 7 ; stores 12 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    ring: Ring,
    terms: MatchRules,
    /// Who begins the round that is to be played.
    begins: Player,
    /// Seeds of the first and of the second player, in stores and pits, at the start of that round.
    seeds: [i64; 2],
}

impl Match {
    /// A match that has not begun. All pits of the first round are filled.
    ///
    /// # Errors
    /// [`NoMatch`] if the game or the board does not allow it.
    pub fn new(rules: &Rules, terms: MatchRules) -> Result<Match, NoMatch> {
        let ring = Ring::new(rules)?;
        if !allows_closed_pits(rules) {
            return Err(NoMatch::NoClosedPits { game: rules.title() });
        }
        if terms.fewest == 0 || terms.fewest > rules.pits() {
            return Err(NoMatch::Fewest { game: rules.title(), fewest: terms.fewest, pits: rules.pits() });
        }
        let seeds = i64::from(rules.pits()) * i64::from(rules.seeds());
        Ok(Match { ring, terms, begins: Player::First, seeds: [seeds; 2] })
    }

    /// The next round, or the end of the match.
    pub fn standing(&self) -> Standing {
        let can_go_on = |player| self.filled(player) >= usize::from(self.terms.fewest);
        match [Player::First, Player::Second].map(can_go_on) {
            [true, true] => Standing::Round { begins: self.begins, start: self.start() },
            [true, false] => Standing::Over { winner: Some(Player::First) },
            [false, true] => Standing::Over { winner: Some(Player::Second) },
            [false, false] => Standing::Over { winner: None },
        }
    }

    /// Ends the round: what is left in the pits is shared as the rules of the game say, and each player
    /// fills his pits from what he has then. Returns how the match stands.
    ///
    /// # Errors
    /// [`RoundError`], and the match stands as before.
    ///
    /// # Panics
    /// If the position is of a board with other pits.
    pub fn finish(&mut self, end: &RoundEnd) -> Result<Standing, RoundError> {
        if let Standing::Over { .. } = self.standing() {
            return Err(RoundError::MatchOver);
        }
        let RoundEnd { position, side, last_mover } = end;
        let switches = &self.ring.switches;
        let stores = position.stores.map(i64::from);
        let (found, began) =
            (stores[0] + stores[1] + i64::from(position.seeds()), self.seeds.iter().sum::<i64>());
        // A drawn endless move takes seeds off the board.
        let loses_seeds = switches.endless == Endless::Draw;
        if found > began || (found < began && !loses_seeds) || stores.iter().any(|&store| store < 0) {
            return Err(RoundError::Seeds { found, began });
        }
        if self.ring.end_value(position).is_none() {
            return Err(RoundError::NotOver { position: position.to_string() });
        }
        let shares = final_shares(switches.rest, position.own.seeds(), position.opponent.seeds());
        let [own, opponent] = [0, 1].map(|player| stores[player] + i64::from(shares[player]));
        self.seeds = match side {
            Player::First => [own, opponent],
            Player::Second => [opponent, own],
        };
        self.begins = self.next_beginner(*last_mover).unwrap_or(self.begins.other());
        Ok(self.standing())
    }

    /// The player whom the match rules name to begin the round after this one.
    fn next_beginner(&self, last_mover: Player) -> Option<Player> {
        let ahead = |[first, second]: [i64; 2]| match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Player::First),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Player::Second),
        };
        let has_all = |player| i64::from(self.filled(player) == usize::from(self.ring.pits));
        match self.terms.beginner {
            Beginner::LastMover => Some(last_mover),
            Beginner::Winner => ahead(self.seeds),
            Beginner::Unclosed => ahead([Player::First, Player::Second].map(has_all)),
            Beginner::InTurn => None,
        }
    }

    /// How many pits a player can fill.
    fn filled(&self, player: Player) -> usize {
        let rules = self.ring.rules();
        let filled = self.seeds[player as usize] / i64::from(rules.seeds());
        filled.min(rules.pits().into()) as usize
    }

    /// The first position of the round, from the side of the player who begins.
    fn start(&self) -> Position {
        let (own, own_store) = self.row(self.begins);
        let (opponent, opponent_store) = self.row(self.begins.other());
        Position { stores: [own_store, opponent_store], ..Position::of_rows(own, opponent) }
    }

    /// The pits of a player at the start of the round, and what stays in his store.
    fn row(&self, player: Player) -> (Row, i32) {
        let rules = self.ring.rules();
        let (pits, filled) = (usize::from(rules.pits()), self.filled(player));
        let mut row = Row::empty(pits);
        for pit in 0..pits {
            let place = match self.terms.filling {
                Filling::FromStore => pits - 1 - pit,
                Filling::FromFirst => pit,
            };
            if place < filled {
                row[pit] = rules.seeds().into();
            } else {
                row.close(pit);
            }
        }
        // No player has more than all seeds of the board, at most 2 x 40 x 255.
        let store = self.seeds[player as usize] - i64::from(row.seeds());
        (row, store as i32)
    }
}
