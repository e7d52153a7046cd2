//! Values, layer by layer.

use super::by_move::{Engine, GeneralBuilder, Settler};
use super::rows::{CyclicRows, RowBuilder, supports};
use super::{Unbuildable, Unfinished, check, is_acyclic, refuse_path_dependent};
use crate::board::ChainLap;
use crate::control::Control;
use crate::index::{Numbering, TooLarge};
use crate::rules::Rules;

/// The finished layers of a game, from 0 up.
pub struct Layers {
    numbering: Numbering,
    builder: ValueBuilder,
}

enum ValueBuilder {
    Rows(RowBuilder),
    CyclicRows(Box<CyclicRows<1>>),
    General(GeneralBuilder),
    Settler(Settler<1>),
}

impl ValueBuilder {
    /// A builder that asks an engine for every move.
    fn by_moves(engine: Engine, rules: &Rules) -> ValueBuilder {
        if is_acyclic(rules) {
            ValueBuilder::General(GeneralBuilder::new(engine))
        } else {
            ValueBuilder::Settler(Settler::new(engine))
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
        let builder = if supports(rules) {
            ValueBuilder::Rows(RowBuilder::new(&ring, &numbering)?)
        } else if let Ok(game) = ChainLap::new(rules) {
            ValueBuilder::CyclicRows(Box::new(CyclicRows::new(&ring, game, &numbering)?))
        } else {
            ValueBuilder::by_moves(Engine::fastest(ring), rules)
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
        Ok(Layers { numbering, builder: ValueBuilder::by_moves(Engine::plain(ring), rules) })
    }

    /// Bytes of memory that building the layers 0..=`top` takes, the finished ones included.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn memory(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (_, numbering) = check(rules, top)?;
        let bytes = if supports(rules) {
            RowBuilder::memory(&numbering)
        } else if ChainLap::new(rules).is_ok() {
            CyclicRows::<1>::memory(&numbering)
        } else {
            return Self::memory_general(rules, top);
        };
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits().into(), seeds: top }))
    }

    /// As [`Layers::memory`], for the builder of [`Layers::new_general`].
    ///
    /// # Errors
    /// As [`Layers::memory`].
    pub fn memory_general(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (_, numbering) = check(rules, top)?;
        let bytes = if is_acyclic(rules) {
            GeneralBuilder::memory(&numbering)
        } else {
            Settler::<1>::memory(rules, &numbering)
        };
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits().into(), seeds: top }))
    }

    /// As [`Layers::memory`], but what stays taken once the layers are built, in games whose positions
    /// can repeat.
    pub(crate) fn memory_kept(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        refuse_path_dependent(rules)?;
        let (_, numbering) = check(rules, top)?;
        let bytes = if ChainLap::new(rules).is_ok() {
            CyclicRows::<1>::memory_kept(&numbering)
        } else {
            Settler::<1>::memory_kept(&numbering)
        };
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits().into(), seeds: top }))
    }

    /// The numbering of the layers' positions.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Seeds of the layer that comes next, which is also the number of finished layers.
    pub fn next(&self) -> u32 {
        match &self.builder {
            ValueBuilder::Rows(rows) => rows.next(),
            ValueBuilder::CyclicRows(rows) => rows.next(),
            ValueBuilder::General(general) => general.next(),
            ValueBuilder::Settler(settler) => settler.next(),
        }
    }

    /// A finished layer: the value of each position by index.
    ///
    /// # Panics
    /// If the layer is not finished.
    pub fn layer(&self, seeds: u32) -> &[i8] {
        match &self.builder {
            ValueBuilder::Rows(rows) => rows.layer(seeds),
            ValueBuilder::CyclicRows(rows) => rows.layer(0, seeds),
            ValueBuilder::General(general) => general.layer(seeds),
            ValueBuilder::Settler(settler) => &settler.layer(seeds)[0],
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
            ValueBuilder::Rows(rows) => Ok(rows.build_next(&self.numbering, control)?),
            ValueBuilder::CyclicRows(rows) => Ok(rows.build_next(&self.numbering, control)?),
            ValueBuilder::General(general) => general.build_next(&self.numbering, control),
            ValueBuilder::Settler(settler) => settler.build_next(&self.numbering, control),
        }
    }

    /// Takes the next layer as finished, for instance from a file that was built before.
    ///
    /// # Panics
    /// If the number of values is not the size of the layer.
    pub fn adopt(&mut self, values: Vec<i8>) {
        assert_eq!(values.len() as u64, self.numbering.layer(self.next()).size());
        match &mut self.builder {
            ValueBuilder::Rows(rows) => rows.adopt(&self.numbering, values),
            ValueBuilder::CyclicRows(rows) => rows.adopt([values]),
            ValueBuilder::General(general) => general.adopt(values),
            ValueBuilder::Settler(settler) => settler.adopt([values]),
        }
    }

    /// The finished layers, without what only a builder needs.
    pub fn into_layers(self) -> Vec<Vec<i8>> {
        match self.builder {
            ValueBuilder::Rows(rows) => rows.into_layers(),
            ValueBuilder::CyclicRows(rows) => {
                let [values] = rows.into_layers();
                values
            }
            ValueBuilder::General(general) => general.into_layers(),
            ValueBuilder::Settler(settler) => settler.into_layers().into_iter().flatten().collect(),
        }
    }
}
