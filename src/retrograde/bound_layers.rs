//! Bounds that hold whatever a repetition is worth.

use std::fmt;

use super::layer_builder::LayerBuilder;
use super::method::{Builder, Method};
use super::{MAX_LAYER, Unbuildable, Unfinished, Values};
use crate::board::Ring;
use crate::control::Control;
use crate::index::Numbering;
use crate::rules::Rules;

/// The finished layers of bounds of a game, from 0 up.
///
/// The lower bound of a position is what its player to move gets at least, whatever a cycle rule
/// gives to whom for a repetition in a game whose record begins at the position; the upper bound is
/// the most he gets. Where both are equal, they are the value under every cycle rule. Without
/// repetitions they are equal everywhere, and [`super::Layers`] builds the same with less.
pub struct BoundLayers {
    fingerprint: u128,
    numbering: Numbering,
    builder: Box<dyn LayerBuilder<2>>,
}

impl fmt::Debug for BoundLayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundLayers below {} seeds by {:?}", self.next(), self.builder())
    }
}

impl BoundLayers {
    /// No layer yet; layers up to `top` seeds can be added.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn new(rules: &Rules, top: u32) -> Result<BoundLayers, Unbuildable> {
        BoundLayers::by(Method::of_bounds(rules)?, rules, top)
    }

    /// As [`BoundLayers::new`], but always position by position with the plain engine.
    ///
    /// # Errors
    /// As [`BoundLayers::new`].
    pub fn new_general(rules: &Rules, top: u32) -> Result<BoundLayers, Unbuildable> {
        BoundLayers::by(Method::of_bounds(rules)?.plainly(), rules, top)
    }

    fn by(method: Method, rules: &Rules, top: u32) -> Result<BoundLayers, Unbuildable> {
        let numbering = method.numbering(top)?;
        let builder = method.bounds(rules, &numbering)?;
        Ok(BoundLayers { fingerprint: rules.fingerprint(), numbering, builder })
    }

    /// Bytes of memory that building the layers 0..=`top` takes, the finished ones included.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn memory(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        Method::of_bounds(rules)?.memory(top)
    }

    /// As [`BoundLayers::memory`], for the builder of [`BoundLayers::new_general`].
    ///
    /// # Errors
    /// As [`BoundLayers::memory`].
    pub fn memory_general(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        Method::of_bounds(rules)?.plainly().memory(top)
    }

    /// What fills them.
    pub fn builder(&self) -> Builder {
        self.builder.builder()
    }

    /// The numbering of the layers' positions.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Seeds of the layer that comes next, which is also the number of finished layers.
    pub fn next(&self) -> u32 {
        self.builder.next()
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
        self.builder.layer(side, seeds)
    }

    /// The lower and the upper bounds of all finished layers, for a search.
    pub fn values(&self) -> [Values<'_>; 2] {
        [0, 1].map(|side| {
            let layers = (0..self.next()).map(|seeds| Some(self.side(seeds, side))).collect();
            Values::new(self.fingerprint, &self.numbering, layers)
        })
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
        self.builder.build_next(&self.numbering, control)
    }

    /// Makes room for layers of up to `top` seeds, if there is less; the finished ones stay.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason; then nothing has changed.
    ///
    /// # Panics
    /// If the rules are others than those that the layers belong to.
    pub fn raise(&mut self, rules: &Rules, top: u32) -> Result<(), Unbuildable> {
        assert_eq!(self.fingerprint, rules.fingerprint(), "the layers belong to other rules");
        if top > MAX_LAYER {
            return Err(Unbuildable::TooManySeeds { seeds: top });
        }
        if top > self.numbering.max_seeds() {
            let numbering = Numbering::new(rules.pits().into(), top)?;
            self.builder.raise(&Ring::new(rules)?, &numbering)?;
            self.numbering = numbering;
        }
        Ok(())
    }

    /// Takes the next layer as finished, for instance from a file that was built before.
    ///
    /// # Panics
    /// If the number of lower or of upper bounds is not the size of the layer.
    pub fn adopt(&mut self, lower: Vec<i8>, upper: Vec<i8>) {
        let size = self.numbering.layer(self.next()).size();
        assert_eq!([lower.len() as u64, upper.len() as u64], [size; 2]);
        self.builder.adopt(&self.numbering, [lower, upper]);
    }

    /// The lower and the upper bounds of the finished layers, without what only a builder needs.
    pub fn into_layers(self) -> Vec<[Vec<i8>; 2]> {
        self.builder.into_layers()
    }
}
