//! What all builders of layers have in common.

use super::Unfinished;
use super::method::Builder;
use crate::board::Ring;
use crate::control::Control;
use crate::index::{Numbering, TooLarge};

/// A builder that fills `F` fields of each layer, from 0 up: values, or lower and upper bounds in this order. It is
/// called once a layer, so that all below is compiled for each.
pub(super) trait LayerBuilder<const F: usize>: Send + Sync {
    /// Which one it is.
    fn builder(&self) -> Builder;

    /// Seeds of the layer that comes next.
    fn next(&self) -> u32;

    /// A field of a finished layer by index.
    fn layer(&self, field: usize, seeds: u32) -> &[i8];

    /// Fills the next layer.
    fn build_next(&mut self, numbering: &Numbering, control: &Control) -> Result<(), Unfinished>;

    /// Makes room for the layers of a larger numbering; the finished ones stay.
    fn raise(&mut self, ring: &Ring, numbering: &Numbering) -> Result<(), TooLarge>;

    /// Takes the next layer as finished.
    fn adopt(&mut self, numbering: &Numbering, fields: [Vec<i8>; F]);

    /// The fields of all finished layers.
    fn into_layers(self: Box<Self>) -> Vec<[Vec<i8>; F]>;
}
