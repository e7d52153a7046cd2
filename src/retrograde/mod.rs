//! Filling the layers of endgame tables, each from the finished lower ones.
//!
//! A layer's values are those of its positions with empty stores: points of the player to move
//! minus points of his opponent with best play by both. They lie in the order of
//! [`crate::index`], one signed byte a position.
//!
//! Where positions can repeat, a value is that of the game in which play that never leaves its layer
//! brings nothing further to either side. What holds whatever a repetition is worth are the bounds
//! of [`BoundLayers`].
//!
//! [`Layers`] picks the builder. Two work on whole rows of half boards and take games of single laps:
//! `acyclic` Kalah's kind, `cyclic` Oware's. Two ask the engine for every move of every position:
//! `general` takes every rule set whose order is proven, `settler` those whose positions can repeat.
//! [`Distances`] tells of these how far the next capture is away.

mod acyclic;
mod bound_layers;
mod cyclic;
pub(crate) mod distance;
mod engine;
mod general;
mod half_moves;
mod kernels;
mod lanes;
mod pass;
mod quiet;
mod replies;
mod settler;
mod shared_rows;
mod square;
mod stalemate;
mod sweeps;
mod tail;
mod transpose;

use crate::board::{ChainLap, NoEngine, Overlong, Ring};
use crate::control::{Control, Stopped};
use crate::index::{HalfBoards, Halves, Numbered, Numbering, TooLarge};
use crate::rules::{Cycle, Direction, Refill, Rules, Store};
use acyclic::RowBuilder;
pub use bound_layers::BoundLayers;
use cyclic::CyclicRows;
pub use distance::{Distances, Uncounted};
use engine::Engine;
use general::GeneralBuilder;
use settler::Settler;
pub(crate) use stalemate::verdict_by_moves;
pub use stalemate::{StalemateLayer, TooFar, is_stalemate_game};

/// Most seeds of a layer: a value is kept in one signed byte.
pub const MAX_LAYER: u32 = 127;

/// Why layers cannot be built for a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unbuildable {
    /// No engine makes the moves.
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    /// Positions can repeat, and what that is worth depends on where the circle was entered.
    #[error(
        "with cycle=own-side the value of a position of {game} depends on the play before it, so no table can hold it; build bounds with --bounds, which hold under every cycle rule"
    )]
    PathDependent {
        /// The game.
        game: String,
    },
    /// Captured seeds come back to the board, so there are no layers that only depend on lower ones.
    #[error(
        "{game} has no tables: its captured seeds come back to the board, and what lies in quan cells has no place in them; `sowbase query` and `sowbase solve` look at all that can follow from a position"
    )]
    NoLayers {
        /// The game.
        game: String,
    },
    /// A position is more than the seeds on the board.
    #[error(
        "{game} has no tables: seeds in hand, houses and blocked pits are part of its positions, and tables number the seeds on the board alone; `sowbase query` and `sowbase solve` search it"
    )]
    Hands {
        /// The game.
        game: String,
    },
    /// A layer has more seeds than a table entry can express.
    #[error("a table entry is one byte, so layers end at {MAX_LAYER} seeds, not {seeds}")]
    TooManySeeds {
        /// The layer asked for.
        seeds: u32,
    },
    /// Indices do not fit.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Why a layer is not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// The control asked for it; the layer can be built again.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A move of one of its positions is too long to be played out.
    #[error(transparent)]
    Overlong(#[from] Overlong),
    /// Some position is decided later than a table entry can say.
    #[error(transparent)]
    TooFar(#[from] TooFar),
}

/// The finished layers of a game, from 0 up.
pub struct Layers {
    numbering: Numbering,
    builder: Kind,
}

enum Kind {
    Rows(RowBuilder),
    CyclicRows(Box<CyclicRows<1>>),
    General(GeneralBuilder),
    Settler(Settler<1>),
}

impl Kind {
    /// A builder that asks an engine for every move.
    fn by_moves(engine: Engine, rules: &Rules) -> Kind {
        if is_acyclic(rules) {
            Kind::General(GeneralBuilder::new(engine))
        } else {
            Kind::Settler(Settler::new(engine))
        }
    }
}

impl Layers {
    /// No layer yet; layers up to `top` seeds can be added.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn new(rules: &Rules, top: u32) -> Result<Layers, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (ring, numbering) = check(rules, top)?;
        let builder = if half_moves::supports(rules) {
            Kind::Rows(RowBuilder::new(&ring, &numbering)?)
        } else if let Ok(game) = ChainLap::new(rules) {
            Kind::CyclicRows(Box::new(CyclicRows::new(&ring, game, &numbering)?))
        } else {
            Kind::by_moves(Engine::fastest(ring), rules)
        };
        Ok(Layers { numbering, builder })
    }

    /// As [`Layers::new`], but position by position with the plain engine, also where whole rows or a
    /// faster engine would do: slower by far, and a check on the fast way.
    ///
    /// # Errors
    /// As [`Layers::new`].
    pub fn new_general(rules: &Rules, top: u32) -> Result<Layers, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (ring, numbering) = check(rules, top)?;
        Ok(Layers { numbering, builder: Kind::by_moves(Engine::plain(ring), rules) })
    }

    /// Bytes of memory that building the layers 0..=`top` takes, the finished ones included.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn memory(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (_, numbering) = check(rules, top)?;
        let bytes = if half_moves::supports(rules) {
            acyclic::memory(&numbering)
        } else if ChainLap::new(rules).is_ok() {
            cyclic::memory(&numbering, 1)
        } else {
            return Self::memory_general(rules, top);
        };
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits.into(), seeds: top }))
    }

    /// As [`Layers::memory`], for the builder of [`Layers::new_general`].
    ///
    /// # Errors
    /// As [`Layers::memory`].
    pub fn memory_general(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (_, numbering) = check(rules, top)?;
        let bytes = if is_acyclic(rules) {
            general::memory(&numbering)
        } else {
            settler::memory::<1>(rules, &numbering)
        };
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits.into(), seeds: top }))
    }

    /// As [`Layers::memory`], but what stays taken once the layers are built, in games whose positions
    /// can repeat.
    pub(crate) fn memory_kept(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (_, numbering) = check(rules, top)?;
        let bytes = if ChainLap::new(rules).is_ok() {
            cyclic::memory_kept(&numbering, 1)
        } else {
            settler::memory_kept::<1>(&numbering)
        };
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits.into(), seeds: top }))
    }

    /// The numbering of the layers' positions.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Seeds of the layer that comes next, which is also the number of finished layers.
    pub fn next(&self) -> u32 {
        match &self.builder {
            Kind::Rows(rows) => rows.next(),
            Kind::CyclicRows(rows) => rows.next(),
            Kind::General(general) => general.next(),
            Kind::Settler(settler) => settler.next(),
        }
    }

    /// A finished layer: the value of each position by index.
    ///
    /// # Panics
    /// If the layer is not finished.
    pub fn layer(&self, seeds: u32) -> &[i8] {
        match &self.builder {
            Kind::Rows(rows) => rows.layer(seeds),
            Kind::CyclicRows(rows) => rows.layer(0, seeds),
            Kind::General(general) => general.layer(seeds),
            Kind::Settler(settler) => &settler.layer(seeds)[0],
        }
    }

    /// Fills the next layer with all threads of the current rayon pool. The result does not depend
    /// on their number. Progress counts positions.
    ///
    /// # Errors
    /// [`Unfinished`], with the reason.
    ///
    /// # Panics
    /// If the layers given at the start are all finished.
    pub fn build_next(&mut self, control: &Control) -> Result<(), Unfinished> {
        assert!(self.next() <= self.numbering.max_seeds(), "all layers are built");
        match &mut self.builder {
            Kind::Rows(rows) => Ok(rows.build_next(&self.numbering, control)?),
            Kind::CyclicRows(rows) => Ok(rows.build_next(&self.numbering, control)?),
            Kind::General(general) => general.build_next(&self.numbering, control),
            Kind::Settler(settler) => settler.build_next(&self.numbering, control),
        }
    }

    /// Takes the next layer as finished, for instance from a file that was built before.
    ///
    /// # Panics
    /// If the number of values is not the size of the layer.
    pub fn adopt(&mut self, values: Vec<i8>) {
        assert_eq!(values.len() as u64, self.numbering.layer(self.next()).size());
        match &mut self.builder {
            Kind::Rows(rows) => rows.adopt(&self.numbering, values),
            Kind::CyclicRows(rows) => rows.adopt([values]),
            Kind::General(general) => general.adopt(values),
            Kind::Settler(settler) => settler.adopt([values]),
        }
    }

    /// The finished layers, without what only a builder needs.
    pub fn into_layers(self) -> Vec<Vec<i8>> {
        match self.builder {
            Kind::Rows(rows) => rows.into_layers(),
            Kind::CyclicRows(rows) => {
                let [values] = rows.into_layers();
                values
            }
            Kind::General(general) => general.into_layers(),
            Kind::Settler(settler) => settler.into_layers().into_iter().flatten().collect(),
        }
    }
}

/// The engine and the numbering for layers up to `top` seeds.
fn check(rules: &Rules, top: u32) -> Result<(Ring, Numbering), Unbuildable> {
    let ring = Ring::new(rules)?;
    if !has_layers(rules) {
        return Err(Unbuildable::NoLayers { game: rules.title() });
    }
    if top > MAX_LAYER {
        return Err(Unbuildable::TooManySeeds { seeds: top });
    }
    Ok((ring, Numbering::new(rules.pits.into(), top)?))
}

fn refuse_path_dependent(rules: &Rules) -> Result<(), Unbuildable> {
    if is_path_dependent(rules) { Err(Unbuildable::PathDependent { game: rules.title() }) } else { Ok(()) }
}

/// Whether the positions of a game fall into layers by the seeds in two rows, each of which depends on lower
/// ones only.
pub fn has_layers(rules: &Rules) -> bool {
    rules.switches.quan == 0 && rules.switches.refill == Refill::None
}

/// Whether the value of a position may depend on the play before it.
pub fn is_path_dependent(rules: &Rules) -> bool {
    rules.switches.cycle == Cycle::OwnSide && !is_acyclic(rules)
}

/// The value of a position from those of its successors, which `value` gives.
#[inline(always)]
pub(crate) fn worth<G: Numbered>(
    game: &G,
    half_boards: &HalfBoards,
    position: &G::Position,
    value: impl Fn(&Halves) -> i8,
) -> i8 {
    let mut best = i32::MIN;
    game.for_each_move(position, |played| {
        let next = value(&game.halves(half_boards, &played.next));
        best = best.max(played.worth(next.into()));
    });
    if best == i32::MIN {
        best = game.end_value(position).expect("a position without moves is over");
    }
    best as i8
}

/// Whether no position of a layer can come back.
///
/// A turn that never leaves the mover's row only moves seeds forward in it and so lowers the sum
/// of seeds times distance to the row's end. A turn that leaves the row has fed the own store, and
/// one that captures has taken seeds out of the pits. So a turn that keeps all seeds in the pits lowers
/// that sum, and a pass keeps it but cannot be answered by a pass.
pub fn is_acyclic(rules: &Rules) -> bool {
    let s = &rules.switches;
    s.own_store == Store::Sow && s.direction == Direction::Fixed
}
