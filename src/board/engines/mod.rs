//! The plain engines: they do what the rules say, in the order in which they say it.
//!
//! [`Ring`] plays every two-row game (`laps` plays a turn out, `endless` finds the turns that never end, `playable`
//! lists the combinations of switches that mean nothing). [`TwoRings`] plays games of four rows, whose moves
//! `omweso`, `bao` and `kiswahili` play out; it is generic over how a player's ring is kept.

mod bao;
mod endless;
mod kiswahili;
mod laps;
mod omweso;
mod playable;
mod player_ring;
mod ring;

mod two_rings;

pub(super) use endless::Guard;
pub use endless::{MOST_LAPS, Overlong};
pub(super) use playable::{allows_closed_pits, two_rows};
pub use player_ring::{PackedRing, PlainRing, PlayerRing, ShortRing};
pub(crate) use ring::Cell;
pub use ring::Ring;
pub(crate) use ring::final_share;
pub(super) use ring::final_shares;
pub use two_rings::{HOUSE, PackedRings, PlainRings, Rings, ShortRings, TwoRings};
