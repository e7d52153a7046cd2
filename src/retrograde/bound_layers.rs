//! Bounds that hold whatever a repetition is worth.

use super::by_move::{Engine, Settler};
use super::rows::CyclicRows;
use super::{Unbuildable, Unfinished, check};
use crate::board::ChainLap;
use crate::control::Control;
use crate::index::{Numbering, TooLarge};
use crate::rules::Rules;

/// The finished layers of bounds of a game, from 0 up.
///
/// The lower bound of a position is what its player to move gets at least, whatever a cycle rule
/// gives to whom for a repetition in a game whose record begins at the position; the upper bound is
/// the most he gets. Where both are equal, they are the value under every cycle rule. Without
/// repetitions they are equal everywhere, and [`super::Layers`] builds the same with less.
pub struct BoundLayers {
    numbering: Numbering,
    builder: BoundBuilder,
}

enum BoundBuilder {
    Rows(Box<CyclicRows<2>>),
    General(Settler<2>),
}

impl BoundLayers {
    /// No layer yet; layers up to `top` seeds can be added.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn new(rules: &Rules, top: u32) -> Result<BoundLayers, Unbuildable> {
        let (ring, numbering) = check(rules, top)?;
        let builder = match ChainLap::new(rules) {
            Ok(game) => BoundBuilder::Rows(Box::new(CyclicRows::new(&ring, game, &numbering)?)),
            Err(_) => BoundBuilder::General(Settler::new(Engine::fastest(ring))),
        };
        Ok(BoundLayers { numbering, builder })
    }

    /// As [`BoundLayers::new`], but always position by position with the plain engine.
    ///
    /// # Errors
    /// As [`BoundLayers::new`].
    pub fn new_general(rules: &Rules, top: u32) -> Result<BoundLayers, Unbuildable> {
        let (ring, numbering) = check(rules, top)?;
        Ok(BoundLayers { numbering, builder: BoundBuilder::General(Settler::new(Engine::plain(ring))) })
    }

    /// Bytes of memory that building the layers 0..=`top` takes, the finished ones included.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn memory(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        if ChainLap::new(rules).is_err() {
            return Self::memory_general(rules, top);
        }
        let (_, numbering) = check(rules, top)?;
        let bytes = CyclicRows::<2>::memory(&numbering);
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits().into(), seeds: top }))
    }

    /// As [`BoundLayers::memory`], for the builder of [`BoundLayers::new_general`].
    ///
    /// # Errors
    /// As [`BoundLayers::memory`].
    pub fn memory_general(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        let (_, numbering) = check(rules, top)?;
        let bytes = Settler::<2>::memory(rules, &numbering);
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: rules.pits().into(), seeds: top }))
    }

    /// The numbering of the layers' positions.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Seeds of the layer that comes next, which is also the number of finished layers.
    pub fn next(&self) -> u32 {
        match &self.builder {
            BoundBuilder::Rows(rows) => rows.next(),
            BoundBuilder::General(settler) => settler.next(),
        }
    }

    /// The lower bound of each position of a finished layer by index.
    ///
    /// # Panics
    /// If the layer is not finished.
    pub fn lower(&self, seeds: u32) -> &[i8] {
        self.side(seeds, 0)
    }

    /// The upper bound of each position of a finished layer by index.
    ///
    /// # Panics
    /// If the layer is not finished.
    pub fn upper(&self, seeds: u32) -> &[i8] {
        self.side(seeds, 1)
    }

    fn side(&self, seeds: u32, side: usize) -> &[i8] {
        match &self.builder {
            BoundBuilder::Rows(rows) => rows.layer(side, seeds),
            BoundBuilder::General(settler) => &settler.layer(seeds)[side],
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
            BoundBuilder::Rows(rows) => Ok(rows.build_next(&self.numbering, control)?),
            BoundBuilder::General(settler) => settler.build_next(&self.numbering, control),
        }
    }

    /// Takes the next layer as finished, for instance from a file that was built before.
    ///
    /// # Panics
    /// If the number of lower or of upper bounds is not the size of the layer.
    pub fn adopt(&mut self, lower: Vec<i8>, upper: Vec<i8>) {
        let size = self.numbering.layer(self.next()).size();
        assert_eq!([lower.len() as u64, upper.len() as u64], [size; 2]);
        match &mut self.builder {
            BoundBuilder::Rows(rows) => rows.adopt([lower, upper]),
            BoundBuilder::General(settler) => settler.adopt([lower, upper]),
        }
    }

    /// The lower and the upper bounds of the finished layers, without what only a builder needs.
    pub fn into_layers(self) -> Vec<[Vec<i8>; 2]> {
        match self.builder {
            BoundBuilder::Rows(rows) => {
                let [lower, upper] = rows.into_layers();
                lower.into_iter().zip(upper).map(|(lower, upper)| [lower, upper]).collect()
            }
            BoundBuilder::General(settler) => settler.into_layers(),
        }
    }
}
