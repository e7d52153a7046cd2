//! The records of switches of the games of four rows.
//!
//! They share too little with each other for one record: each has its own, and the two-row record is
//! no part of them.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::record::{self, Record};
use super::spec::switch;
use super::{Endless, RulesError, YesNo};

/// What a game of four rows is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FourRows {
    /// Omweso and its relatives.
    Omweso(Omweso),
    /// Bao la kujifunza, and Hus as a switch.
    Kujifunza(Kujifunza),
    /// Bao la kiswahili.
    Kiswahili(Kiswahili),
}

switch!(/// A choice between on and off.
OnOff {
    /// On.
    On,
    /// Off.
    Off,
});
impl OnOff {
    /// Whether it is on.
    pub fn on(self) -> bool {
        self == OnOff::On
    }
}
switch!(/// Which pits of Omweso are reverse pits.
ReversePits {
    /// The four leftmost: the last two of the front row and the first two of the back row.
    Four = "4",
    /// The first of the back row and the last but one of the front row.
    Two = "2",
});
switch!(/// Where captured seeds of Omweso are sown again.
ReEntry {
    /// From the pit after the origin of the lap that captured.
    LapOrigin,
    /// From the pit after the one that captured.
    CapturingPit,
});
switch!(/// Which pits of a column must hold seeds for a capture in Omweso.
CaptureNeeds {
    /// Both.
    Both,
    /// The one in the front row.
    Inner,
});
switch!(/// How the seeds of Omweso lie at the start.
OmwesoSetup {
    /// All in the back rows.
    Outer,
    /// As many in every pit.
    Even,
});
switch!(/// What a lap of the second stage that ends in the own house does in Bao.
MtajiHouse {
    /// It goes on as from any pit.
    GoOn,
    /// The player chooses between that and the end of the move.
    Choice,
});
switch!(/// When a house of Bao is lost.
HouseLost {
    /// When it is emptied, and by the first capture of the second stage.
    FirstMtajiCapture,
    /// Only when it is emptied.
    Emptied,
});
switch!(/// When a takata of the first stage may begin in a pit with one seed though others have more.
NamuaSingletons {
    /// While the house is owned.
    HouseOwned,
    /// Only while it is owned and holds enough seeds.
    HouseWorks,
});
switch!(/// How the seeds of Bao la kiswahili lie at the start.
KiswahiliSetup {
    /// 6, 2 and 2 on the board of each player, 22 in hand.
    Zanzibar,
    /// 8, 2 and 2 on the board, 20 in hand.
    Malawi,
});
impl KiswahiliSetup {
    /// Seeds in the hand of each player at the start.
    pub fn in_hand(self) -> u32 {
        match self {
            KiswahiliSetup::Zanzibar => 22,
            KiswahiliSetup::Malawi => 20,
        }
    }
}

/// The switches of Omweso.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)] // each switch is explained at its type
#[non_exhaustive]
pub struct Omweso {
    /// Whether a lap from a reverse pit may be sown backwards if it captures.
    pub reverse: OnOff,
    pub reverse_pits: ReversePits,
    /// Whether captures are on from the first move.
    pub first_turn_capture: YesNo,
    pub re_entry: ReEntry,
    pub capture_needs: CaptureNeeds,
    /// Whether captures at both ends of the front row in one move win.
    pub emitwe: OnOff,
    pub endless: Endless,
    pub setup: OmwesoSetup,
}

impl Default for Omweso {
    fn default() -> Self {
        Omweso {
            reverse: OnOff::On,
            reverse_pits: ReversePits::Four,
            first_turn_capture: YesNo::No,
            re_entry: ReEntry::LapOrigin,
            capture_needs: CaptureNeeds::Both,
            emitwe: OnOff::Off,
            endless: Endless::Illegal,
            setup: OmwesoSetup::Outer,
        }
    }
}

/// The switches of Bao la kujifunza.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Kujifunza {
    /// Whether Hus is played: captured seeds are lifted with the pit that captured, and nothing is compulsory.
    pub hus: YesNo,
    /// What a move that never ends means.
    pub endless: Endless,
}

impl Default for Kujifunza {
    fn default() -> Self {
        Kujifunza { hus: YesNo::No, endless: Endless::Illegal }
    }
}

/// The switches of Bao la kiswahili.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)] // each switch is explained at its type
#[non_exhaustive]
pub struct Kiswahili {
    pub mtaji_house: MtajiHouse,
    pub house_lost: HouseLost,
    pub namua_singletons: NamuaSingletons,
    /// Whether a takata can block a pit of the opponent.
    pub takasia: OnOff,
    /// Whether a pit with a single seed can be blocked.
    pub block_singleton: YesNo,
    pub setup: KiswahiliSetup,
    pub endless: Endless,
}

impl Default for Kiswahili {
    fn default() -> Self {
        Kiswahili {
            mtaji_house: MtajiHouse::GoOn,
            house_lost: HouseLost::FirstMtajiCapture,
            namua_singletons: NamuaSingletons::HouseOwned,
            takasia: OnOff::On,
            block_singleton: YesNo::No,
            setup: KiswahiliSetup::Zanzibar,
            endless: Endless::Illegal,
        }
    }
}

impl Record for Omweso {}
impl Record for Kujifunza {}
impl Record for Kiswahili {}

/// The boards on which a game is played.
pub(crate) struct Boards {
    /// Pits in a row.
    pub pits: RangeInclusive<u8>,
    /// Seeds a pit.
    pub seeds: RangeInclusive<u8>,
    /// Both in words.
    pub words: &'static str,
}

/// Does the same with the record of each game.
macro_rules! with_record {
    ($four_rows:expr, $record:ident => $run:expr) => {
        match $four_rows {
            FourRows::Omweso($record) => $run,
            FourRows::Kujifunza($record) => $run,
            FourRows::Kiswahili($record) => $run,
        }
    };
}

impl FourRows {
    /// Whether seeds come from the hands to the board during a game.
    pub fn has_hands(&self) -> bool {
        matches!(self, FourRows::Kiswahili(_))
    }

    pub(crate) fn boards(&self) -> Boards {
        let seeds = 1..=u8::MAX;
        match self {
            FourRows::Omweso(_) => Boards { pits: 2..=8, seeds, words: "2 to 8 pits in each of four rows" },
            FourRows::Kujifunza(_) => {
                Boards { pits: 4..=8, seeds, words: "4 to 8 pits in each of four rows" }
            }
            FourRows::Kiswahili(_) => {
                Boards { pits: 8..=8, seeds: 2..=2, words: "8 pits in each of four rows and 64 seeds: 8x2" }
            }
        }
    }

    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        with_record!(self, switches => record::set(switches, key, value))
    }

    pub(super) fn get(&self, key: &str) -> Option<String> {
        with_record!(self, switches => record::get(switches, key))
    }

    pub(super) fn keys(&self) -> Vec<String> {
        with_record!(self, switches => record::keys(switches))
    }

    /// The game and what differs from its plain record, without what only the start tells.
    pub(super) fn canonical(&self) -> String {
        fn lines<R: Record + Default>(game: &str, switches: &R) -> String {
            format!("game={game}\n")
                + &record::changes(switches, &R::default(), &["first-turn-capture", "setup"])
        }
        match self {
            FourRows::Omweso(switches) => lines("omweso", switches),
            FourRows::Kujifunza(switches) => lines("bao-kujifunza", switches),
            FourRows::Kiswahili(switches) => lines("bao-kiswahili", switches),
        }
    }

    /// The plain record of a game.
    pub(crate) fn plain(game: &str) -> Option<FourRows> {
        match game {
            "omweso" => Some(FourRows::Omweso(Omweso::default())),
            "bao-kujifunza" => Some(FourRows::Kujifunza(Kujifunza::default())),
            "bao-kiswahili" => Some(FourRows::Kiswahili(Kiswahili::default())),
            _ => None,
        }
    }
}
