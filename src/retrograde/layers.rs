//! Values, layer by layer.

use std::fmt;

use super::layer_builder::LayerBuilder;
use super::method::{Builder, Fields, Method};
use super::{MAX_LAYER, Unbuildable, Unfinished, Values, is_path_dependent};
use crate::board::Ring;
use crate::control::Control;
use crate::index::Numbering;
use crate::rules::Rules;

/// The finished layers of a game, from 0 up.
pub struct Layers {
    fingerprint: u128,
    numbering: Numbering,
    builder: Box<dyn LayerBuilder<1>>,
}

impl fmt::Debug for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layers below {} seeds by {:?}", self.next(), self.builder())
    }
}

impl Layers {
    /// No layer yet; layers up to `top` seeds can be added.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn new(rules: &Rules, top: u32) -> Result<Layers, Unbuildable> {
        Layers::by(method(rules)?, rules, top)
    }

    /// As [`Layers::new`], but position by position with the plain engine, also where whole rows or a
    /// faster engine would do: slower by far, and a check on the fast way.
    ///
    /// # Errors
    /// As [`Layers::new`].
    pub fn new_general(rules: &Rules, top: u32) -> Result<Layers, Unbuildable> {
        Layers::by(method(rules)?.plainly(), rules, top)
    }

    fn by(method: Method, rules: &Rules, top: u32) -> Result<Layers, Unbuildable> {
        let numbering = method.numbering(top)?;
        let builder = method.values(rules, &numbering)?;
        Ok(Layers { fingerprint: rules.fingerprint(), numbering, builder })
    }

    /// Bytes of memory that building the layers 0..=`top` takes, the finished ones included.
    ///
    /// # Errors
    /// [`Unbuildable`], with the reason.
    pub fn memory(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        method(rules)?.memory(top)
    }

    /// As [`Layers::memory`], for the builder of [`Layers::new_general`].
    ///
    /// # Errors
    /// As [`Layers::memory`].
    pub fn memory_general(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        method(rules)?.plainly().memory(top)
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

    /// A finished layer: the value of each position by index.
    ///
    /// # Panics
    /// If the layer is not finished.
    pub fn layer(&self, seeds: u32) -> &[i8] {
        self.builder.layer(0, seeds)
    }

    /// All finished layers, for a search.
    pub fn values(&self) -> Values<'_> {
        let layers = (0..self.next()).map(|seeds| Some(self.layer(seeds))).collect();
        Values::new(self.fingerprint, &self.numbering, layers)
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
    /// If the number of values is not the size of the layer.
    pub fn adopt(&mut self, values: Vec<i8>) {
        assert_eq!(values.len() as u64, self.numbering.layer(self.next()).size());
        self.builder.adopt(&self.numbering, [values]);
    }

    /// The finished layers, without what only a builder needs.
    pub fn into_layers(self) -> Vec<Vec<i8>> {
        self.builder.into_layers().into_iter().flatten().collect()
    }
}

/// The method for values of a game of two rows.
fn method(rules: &Rules) -> Result<Method, Unbuildable> {
    if is_path_dependent(rules) {
        return Err(Unbuildable::PathDependent { game: rules.title() });
    }
    // Refuses games of four rows, which have no layers.
    Ring::new(rules)?;
    Method::of_fields(rules, Fields::Values)
}
