//! The fast kernels, which play some two-row games on small boards with rows as words.
//!
//! [`SingleLap`] and [`ChainLap`] take games of Kalah's and of Oware's kind on up to six pits, [`RelayLap`] takes
//! relays on up to eight. What a kernel cannot play it refuses; where it plays, the plain ring is the measure.

/// What all kernels are beside their moves: sealed, and short where they are printed.
macro_rules! engine {
    ($kernel:ident) => {
        impl crate::board::sealed::Sealed for $kernel {}

        impl std::fmt::Debug for $kernel {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($kernel))
                    .field("rules", &self.rules.title())
                    .finish_non_exhaustive()
            }
        }
    };
}

mod chain_lap;
mod effects;
mod relay_lap;
mod single_lap;
mod word;

pub use chain_lap::ChainLap;
pub use relay_lap::RelayLap;
pub use single_lap::SingleLap;
pub(crate) use single_lap::unlike_kalah;
pub use word::Word;
pub(super) use word::first_beyond;
