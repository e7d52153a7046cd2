//! The builders of values and of bounds, by the files they fill.

use super::TableSet;
use super::error::TableError;
use super::name::{LayerName, Quantity};
use crate::control::Control;
use crate::index::Numbering;
use crate::retrograde::{
    BoundLayers, Layers, StalemateLayer, Unbuildable, Unfinished, is_path_dependent, is_stalemate_game,
};
use crate::rules::{Cycle, Rules};

/// The files of a layer that one builder fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Values,
    Bounds,
}

impl Kind {
    pub(super) const ALL: [Kind; 2] = [Kind::Values, Kind::Bounds];

    /// The files of a layer.
    pub(super) fn files(self, seeds: u32) -> impl Iterator<Item = LayerName> {
        let quantities: &[Quantity] = match self {
            Kind::Values => &[Quantity::Value],
            Kind::Bounds => &[Quantity::Lower, Quantity::Upper],
        };
        quantities.iter().map(move |&quantity| LayerName { seeds, quantity })
    }

    /// Whether a file is of this kind.
    pub(super) fn has(self, name: LayerName) -> bool {
        self.files(name.seeds).any(|file| file == name)
    }

    /// Bytes of memory that building the layers 0..=`top` takes.
    pub(super) fn memory(self, rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        match self {
            Kind::Values if rules.four_rows.is_some() => Ok(StalemateLayer::new(rules)?.memory()),
            Kind::Values => Layers::memory(&tabled(rules), top),
            Kind::Bounds => BoundLayers::memory(rules, top),
        }
    }

    /// As [`Kind::memory`], position by position.
    pub(super) fn memory_general(self, rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        match self {
            Kind::Values => Layers::memory_general(&tabled(rules), top),
            Kind::Bounds => BoundLayers::memory_general(rules, top),
        }
    }

    /// A builder without a layer yet.
    pub(super) fn builder(self, rules: &Rules, top: u32) -> Result<Builder, Unbuildable> {
        Ok(match self {
            Kind::Values if rules.four_rows.is_some() => {
                Builder::Board { layer: StalemateLayer::new(rules)?, codes: Vec::new() }
            }
            Kind::Values => Builder::Values(Layers::new(&tabled(rules), top)?),
            Kind::Bounds => Builder::Bounds(BoundLayers::new(rules, top)?),
        })
    }

    /// As [`Kind::builder`], position by position.
    pub(super) fn general_builder(self, rules: &Rules, top: u32) -> Result<Builder, Unbuildable> {
        Ok(match self {
            Kind::Values => Builder::Values(Layers::new_general(&tabled(rules), top)?),
            Kind::Bounds => Builder::Bounds(BoundLayers::new_general(rules, top)?),
        })
    }
}

/// Bytes of memory that the values of the layers 0..=`top` take when they are built and those of bounds
/// are not.
pub(super) fn values_kept(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
    Layers::memory_kept(&tabled(rules), top)
}

/// The rules that the values in a table hold under: what a repetition is worth is no part of a
/// table's identity, and tables say what endless play without a gain is worth.
fn tabled(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    rules.switches.cycle = Cycle::Split;
    rules
}

/// Fills the layers of a kind, from 0 up, or the only one of a whole board.
pub(super) enum Builder {
    Values(Layers),
    Bounds(BoundLayers),
    Board { layer: StalemateLayer, codes: Vec<i8> },
}

impl Builder {
    /// Allows so many bytes of memory to a builder that can make use of more than it needs.
    pub(super) fn allow(self, memory: u64) -> Builder {
        match self {
            Builder::Board { layer, codes } => Builder::Board { layer: layer.within(memory), codes },
            needs_all => needs_all,
        }
    }

    /// The numbering of the layers' positions.
    pub(super) fn numbering(&self) -> &Numbering {
        match self {
            Builder::Values(layers) => layers.numbering(),
            Builder::Bounds(layers) => layers.numbering(),
            Builder::Board { layer, .. } => layer.numbering(),
        }
    }

    /// Positions of a layer.
    pub(super) fn positions(&self, seeds: u32) -> u64 {
        self.numbering().layer(seeds).size()
    }

    /// Fills the next layer.
    pub(super) fn build_next(&mut self, control: &Control) -> Result<(), Unfinished> {
        match self {
            Builder::Values(layers) => layers.build_next(control),
            Builder::Bounds(layers) => layers.build_next(control),
            Builder::Board { layer, codes } => {
                *codes = layer.build(control)?;
                Ok(())
            }
        }
    }

    /// Takes the next layer from its files, whose entries `load` gives.
    pub(super) fn adopt<E>(
        &mut self,
        mut load: impl FnMut(LayerName) -> Result<Vec<i8>, E>,
    ) -> Result<(), E> {
        match self {
            Builder::Values(layers) => layers.adopt(load(LayerName::values(layers.next()))?),
            Builder::Bounds(layers) => {
                let mut bound = |quantity| load(LayerName { seeds: layers.next(), quantity });
                let (lower, upper) = (bound(Quantity::Lower)?, bound(Quantity::Upper)?);
                layers.adopt(lower, upper);
            }
            Builder::Board { layer, codes } => *codes = load(LayerName::values(layer.seeds()))?,
        }
        Ok(())
    }

    /// The entries of a file of a finished layer.
    pub(super) fn entries(&self, name: LayerName) -> &[i8] {
        match (self, name.quantity) {
            (Builder::Values(layers), _) => layers.layer(name.seeds),
            (Builder::Bounds(layers), Quantity::Upper) => layers.upper(name.seeds),
            (Builder::Bounds(layers), _) => layers.lower(name.seeds),
            (Builder::Board { codes, .. }, _) => codes,
        }
    }

    /// Seeds of the layer that comes next.
    fn next(&self) -> u32 {
        match self {
            Builder::Values(layers) => layers.next(),
            Builder::Bounds(layers) => layers.next(),
            Builder::Board { layer, codes } if codes.is_empty() => layer.seeds(),
            Builder::Board { layer, .. } => layer.seeds() + 1,
        }
    }

    /// The entries of all finished layers.
    fn into_entries(self) -> Vec<(LayerName, Vec<i8>)> {
        match self {
            Builder::Values(layers) => (0..).map(LayerName::values).zip(layers.into_layers()).collect(),
            Builder::Bounds(layers) => (0..)
                .flat_map(|seeds| Kind::Bounds.files(seeds))
                .zip(layers.into_layers().into_iter().flatten())
                .collect(),
            Builder::Board { codes, .. } if codes.is_empty() => Vec::new(),
            Builder::Board { layer, codes } => vec![(LayerName::values(layer.seeds()), codes)],
        }
    }
}

/// Building in memory.
impl TableSet {
    /// Adds the layers below `layers` that are missing from 0 up, built on those that are there: values,
    /// or bounds under rules whose values are no function of the position. Of a game won by stalemate that is
    /// the layer with the seeds of its board. If the control asks for a
    /// stop, or a move is too long to be played out, only the layers finished by then are added. Returns the bytes
    /// of what was added.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] and [`TableError::Io`] if a layer that is there cannot be read. Rules of
    /// which no layers can be built are no error: then nothing is added.
    pub fn build(&mut self, layers: u32, control: &Control) -> Result<u64, TableError> {
        let (kind, present) = match is_path_dependent(self.rules()) {
            true => (Kind::Bounds, self.bounds_complete_below()),
            false if is_stalemate_game(self.rules()) => (Kind::Values, self.board_complete_below()),
            false => (Kind::Values, self.complete_below()),
        };
        let Some(top) = layers.checked_sub(1) else { return Ok(0) };
        let Ok(mut builder) = kind.builder(self.rules(), top) else { return Ok(0) };
        let positions = (present.max(builder.next())..layers).map(|seeds| builder.positions(seeds)).sum();
        control.begin(format!("building layers up to {top} seeds"), positions);
        while builder.next() < layers && control.check().is_ok() {
            let taken = match builder.next() < present {
                true => builder.adopt(|name| self.load_entries(name, control)),
                false => builder.build_next(control).map_err(TableError::from),
            };
            match taken {
                // What is finished by then holds.
                Err(TableError::Stopped(_) | TableError::Overlong(_)) => break,
                taken => taken?,
            }
        }
        let mut bytes = 0;
        for (name, entries) in builder.into_entries() {
            if name.seeds >= present {
                bytes += entries.len() as u64;
                self.put(name, entries)?;
            }
        }
        Ok(bytes)
    }
}
