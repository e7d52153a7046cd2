//! The record of switches that says what a game is.
//!
//! One record covers every two-row game: each field is one dimension in which the games of the
//! family differ, and its values are the words used on the command line and in TOML files.

use serde::de::{Deserializer, Error, Unexpected};
use serde::{Deserialize, Serialize};

use super::RulesError;
use super::file::Within;
use super::record::{self, Record};

fn points<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    from.deserialize_i64(Within(0..=u8::MAX))
}

fn zero_or_two<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    match points(from)? {
        number @ (0 | 2) => Ok(number),
        number => Err(D::Error::invalid_value(Unexpected::Unsigned(number.into()), &"0 or 2")),
    }
}

/// Declares an enumeration whose values are written in kebab case.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident $(= $text:literal)?),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum $name { $($(#[$value_doc])* $(#[serde(rename = $text)])? $value),+ }
    };
}
pub(super) use switch;

switch!(/// A choice between no and yes.
YesNo {
    /// No.
    No,
    /// Yes.
    Yes,
});
impl YesNo {
    /// Whether the answer is yes.
    pub fn yes(self) -> bool {
        self == YesNo::Yes
    }
}
switch!(/// Whether a store is a cell of the ring, after the last pit of its owner's row.
Store {
    /// It is passed over: it only keeps captured seeds.
    Skip,
    /// It is sown like a pit.
    Sow,
});
switch!(/// What happens to the pit just lifted when the sowing comes round to it.
Origin {
    /// It gets a seed like any other.
    Sow,
    /// It is passed over.
    Skip,
});
switch!(/// In which directions a player may sow.
Direction {
    /// Always along the ring.
    Fixed,
    /// The player chooses for each move.
    Free,
});
switch!(/// How a turn goes on when a lap has ended.
Lap {
    /// One lap only.
    Single,
    /// A lap that ends in a pit that was not empty lifts that pit.
    SameHole,
    /// A lap lifts the pit after the one that got the last seed.
    NextHole,
});
switch!(/// What a last seed captures.
Capture {
    /// Nothing.
    None,
    /// From an own pit that was empty: the opposite pit.
    Cross,
    /// Opponent's pits that now hold two or three, backward from the last one.
    TwoThree,
    /// The pit beyond an empty one.
    Next,
    /// The pit beyond an empty one, and the pit opposite to it.
    NextAndOpposite,
});
switch!(/// What becomes of the seed that triggered a capture across.
Trigger {
    /// It is captured too.
    Take,
    /// It stays in its pit.
    Leave,
});
switch!(/// What earns an extra move.
ExtraMove {
    /// Nothing.
    None,
    /// A last seed in the own store.
    Store,
    /// A last seed in the own store, and a capture of at least one opposite seed.
    StoreOrCapture,
});
switch!(/// When the game is over; a test on the position alone.
End {
    /// A row is empty.
    RowEmpty,
    /// The player to move has no seed in his row.
    Stuck,
    /// Both rows are empty.
    AllEmpty,
    /// The player to move has no legal move.
    NoMove,
    /// Both quan cells are empty.
    Cells,
    /// Both quan pieces are taken.
    Pieces,
});
switch!(/// What a player does who cannot move while the game goes on.
NoMove {
    /// Nothing: the game is over.
    End,
    /// He passes.
    Pass,
});
switch!(/// Who gets the seeds left on the board at the end.
Rest {
    /// The owner of the row they lie in.
    Owner,
    /// Nobody.
    Nobody,
    /// The player whose row is empty.
    Emptied,
    /// The opponent of the player who should move.
    Opponent,
});
switch!(/// A move that would capture everything the opponent has.
GrandSlam {
    /// It captures like any other.
    Free,
    /// It is legal and captures nothing.
    NoCapture,
    /// It may not be played.
    Illegal,
});
switch!(/// The duty to leave the opponent a seed.
Feed {
    /// No duty.
    None,
    /// If the opponent has no seed, only moves that give him one are legal.
    MustFeed,
    /// A move that leaves him none is legal only if no other move leaves him one.
    LeaveAMove,
});
switch!(/// A last seed in an empty opposing pit captures its neighbours.
Mikul {
    /// No.
    Off,
    /// Whatever they hold.
    On,
    /// Only if there are two with the same number, not 0.
    Equal,
});
switch!(/// The number of seeds that makes a pit pasu: taken at once in passing.
Pasu {
    /// No pasu.
    Off,
    /// Four.
    Four = "4",
    /// Six.
    Six = "6",
});
switch!(/// Who is credited with a pasu pit.
PasuOwner {
    /// The owner of the row.
    Row,
    /// The player who sows.
    Sower,
});
switch!(/// What follows a capture beyond a gap.
AfterCapture {
    /// The move is over.
    Stop,
    /// The mover lifts the first pit after it that holds seeds.
    Continue,
});
switch!(/// An empty quan cell next to a lap's end.
EmptyQuan {
    /// Counts as an empty pit.
    Pass,
    /// Ends the move.
    Stop,
});
switch!(/// How a player with empty pits fills them again.
Refill {
    /// Not at all.
    None,
    /// One seed a pit from his store, which may become negative.
    Debt,
    /// As `debt`, but the game is over if the store does not suffice.
    End,
});
switch!(/// What a move that never ends means.
Endless {
    /// It may not be played.
    Illegal,
    /// It ends the game; the seeds on the board go to nobody.
    Draw,
    /// It ends the game; the seeds on the board go to the opponent.
    Loss,
    /// It ends without a capture at the first repeated state.
    Stop,
});
switch!(/// What a repetition of positions across turns is worth.
Cycle {
    /// Nothing further for either side.
    Split,
    /// Each player takes the seeds in his row at the first repetition.
    OwnSide,
});

/// Every dimension in which two-row games differ. [`Switches::default`] is the plainest value of
/// each; a game lists all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)] // each switch is explained at its type
#[non_exhaustive]
pub struct Switches {
    pub own_store: Store,
    pub opponent_store: Store,
    /// Number of quan cells, 0 or 2.
    #[serde(deserialize_with = "zero_or_two")]
    pub quan: u8,
    pub origin: Origin,
    pub direction: Direction,
    pub lap: Lap,
    pub capture: Capture,
    pub trigger: Trigger,
    /// Whether a last seed in an own empty pit is captured even if the opposite pit is empty.
    pub empty_capture: YesNo,
    pub mikul: Mikul,
    /// Whether captures beyond a gap go on while gaps and seeds alternate.
    pub chain: YesNo,
    pub after_capture: AfterCapture,
    pub pasu: Pasu,
    pub pasu_owner: PasuOwner,
    /// Whether the last seed of a lap can make a pasu.
    pub pasu_last: YesNo,
    pub grand_slam: GrandSlam,
    pub feed: Feed,
    pub extra_move: ExtraMove,
    pub no_move: NoMove,
    pub end: End,
    pub rest: Rest,
    pub refill: Refill,
    /// Points for a quan piece.
    #[serde(deserialize_with = "points")]
    pub quan_value: u8,
    /// A quan cell with its piece and fewer seeds than this cannot be captured.
    #[serde(deserialize_with = "points")]
    pub quan_safe: u8,
    pub empty_quan: EmptyQuan,
    pub endless: Endless,
    pub cycle: Cycle,
}

impl Default for Switches {
    fn default() -> Self {
        Switches {
            own_store: Store::Skip,
            opponent_store: Store::Skip,
            quan: 0,
            origin: Origin::Sow,
            direction: Direction::Fixed,
            lap: Lap::Single,
            capture: Capture::None,
            trigger: Trigger::Take,
            empty_capture: YesNo::No,
            mikul: Mikul::Off,
            chain: YesNo::No,
            after_capture: AfterCapture::Stop,
            pasu: Pasu::Off,
            pasu_owner: PasuOwner::Row,
            pasu_last: YesNo::Yes,
            grand_slam: GrandSlam::Free,
            feed: Feed::None,
            extra_move: ExtraMove::None,
            no_move: NoMove::End,
            end: End::NoMove,
            rest: Rest::Owner,
            refill: Refill::None,
            quan_value: 10,
            quan_safe: 0,
            empty_quan: EmptyQuan::Pass,
            endless: Endless::Illegal,
            cycle: Cycle::Split,
        }
    }
}

impl Switches {
    /// Sets one switch from the words of the command line.
    ///
    /// # Errors
    /// [`RulesError::UnknownSwitch`] for a key that does not exist, [`RulesError::BadValue`] for a
    /// value that the key does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        record::set(self, key, value)
    }

    /// The value of a switch in the words of the command line.
    pub fn get(&self, key: &str) -> Option<String> {
        record::get(self, key)
    }

    /// All keys with their values in the words of the command line, in the order of the record.
    pub fn words(&self) -> Vec<(String, String)> {
        record::words(self)
    }

    /// In how many directions a pit can be sown, 1 or 2.
    pub fn ways(&self) -> usize {
        match self.direction {
            Direction::Fixed => 1,
            Direction::Free => 2,
        }
    }

    /// All keys, in the order of the record.
    pub fn keys() -> Vec<String> {
        record::keys(&Switches::default())
    }
}

impl Record for Switches {}
