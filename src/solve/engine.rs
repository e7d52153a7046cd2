//! The engine that plays a game won by seeds.

use crate::board::{ChainLap, Game, NoEngine, Position, RelayLap, Ring, SingleLap};
use crate::rules::Rules;

/// An engine. It is looked at once a question, so that all below is compiled for each.
pub(super) enum SeedEngine {
    SingleLap(SingleLap),
    ChainLap(ChainLap),
    RelayLap(Box<RelayLap>),
    Ring(Box<Ring>),
}

impl SeedEngine {
    /// The fastest one that plays a rule set, and holds the position if one is given.
    pub(super) fn fastest(rules: &Rules, position: Option<&Position>) -> Result<SeedEngine, NoEngine> {
        fn holds<G: Game>(game: &G, position: Option<&Position>) -> bool {
            position.is_none_or(|position| game.holds(position))
        }
        match (SingleLap::new(rules), ChainLap::new(rules), RelayLap::new(rules)) {
            (Ok(game), ..) if holds(&game, position) => Ok(SeedEngine::SingleLap(game)),
            (_, Ok(game), _) if holds(&game, position) => Ok(SeedEngine::ChainLap(game)),
            (.., Ok(game)) if holds(&game, position) => Ok(SeedEngine::RelayLap(Box::new(game))),
            _ => SeedEngine::plain(rules),
        }
    }

    /// The plain one, which plays every position.
    pub(super) fn plain(rules: &Rules) -> Result<SeedEngine, NoEngine> {
        Ok(SeedEngine::Ring(Box::new(Ring::new(rules)?)))
    }
}

/// Runs an expression with the game of an engine.
macro_rules! with_engine {
    ($engine:expr, $game:ident => $run:expr) => {
        match $engine {
            SeedEngine::SingleLap($game) => $run,
            SeedEngine::ChainLap($game) => $run,
            SeedEngine::RelayLap(game) => {
                let $game = &**game;
                $run
            }
            SeedEngine::Ring(game) => {
                let $game = &**game;
                $run
            }
        }
    };
}
pub(super) use with_engine;
