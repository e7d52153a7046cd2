//! The builders of values and of bounds, by the files they fill.

use crate::control::Control;
use crate::index::Numbering;
use crate::retrograde::{
    BoundLayers, Layers, Unbuildable, Unfinished, WholeBoard, is_path_dependent, is_won_by_blocking,
};
use crate::rules::{Cycle, Rules};
use crate::tables::TableSet;
use crate::tables::error::TableError;
use crate::tables::format::{LayerName, Quantity};

/// The files of a layer that one builder fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tables) enum TableKind {
    Values,
    Bounds,
}

impl TableKind {
    pub(in crate::tables) const ALL: [TableKind; 2] = [TableKind::Values, TableKind::Bounds];

    /// The files of a layer.
    pub(in crate::tables) fn files(self, seeds: u32) -> impl Iterator<Item = LayerName> {
        let quantities: &[Quantity] = match self {
            TableKind::Values => &[Quantity::Value],
            TableKind::Bounds => &[Quantity::Lower, Quantity::Upper],
        };
        quantities.iter().map(move |&quantity| LayerName { seeds, quantity })
    }

    /// Whether a file is of this kind.
    pub(in crate::tables) fn has(self, name: LayerName) -> bool {
        self.files(name.seeds).any(|file| file == name)
    }

    /// Bytes of memory that building the layers 0..=`top` takes.
    pub(in crate::tables) fn memory(self, rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        match self {
            TableKind::Values if rules.four_rows().is_some() => Ok(WholeBoard::new(rules)?.memory()),
            TableKind::Values => Layers::memory(&tabled(rules), top),
            TableKind::Bounds => BoundLayers::memory(rules, top),
        }
    }

    /// As [`TableKind::memory`], position by position.
    pub(in crate::tables) fn memory_general(self, rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
        match self {
            TableKind::Values => Layers::memory_general(&tabled(rules), top),
            TableKind::Bounds => BoundLayers::memory_general(rules, top),
        }
    }

    /// A builder without a layer yet.
    pub(in crate::tables) fn builder(self, rules: &Rules, top: u32) -> Result<TableBuilder, Unbuildable> {
        Ok(match self {
            TableKind::Values if rules.four_rows().is_some() => {
                TableBuilder::Board { layer: WholeBoard::new(rules)?, codes: Vec::new() }
            }
            TableKind::Values => TableBuilder::Values(Layers::new(&tabled(rules), top)?),
            TableKind::Bounds => TableBuilder::Bounds(BoundLayers::new(rules, top)?),
        })
    }

    /// As [`TableKind::builder`], position by position.
    pub(in crate::tables) fn general_builder(
        self,
        rules: &Rules,
        top: u32,
    ) -> Result<TableBuilder, Unbuildable> {
        Ok(match self {
            TableKind::Values => TableBuilder::Values(Layers::new_general(&tabled(rules), top)?),
            TableKind::Bounds => TableBuilder::Bounds(BoundLayers::new_general(rules, top)?),
        })
    }
}

/// Bytes of memory that the values of the layers 0..=`top` take when they are built and those of bounds
/// are not.
pub(in crate::tables) fn values_kept(rules: &Rules, top: u32) -> Result<u64, Unbuildable> {
    Layers::memory_kept(&tabled(rules), top)
}

/// The rules that the values in a table hold under: what a repetition is worth is no part of a
/// table's identity, and tables say what endless play without a gain is worth.
fn tabled(rules: &Rules) -> Rules {
    match rules.switches() {
        Some(switches) if switches.cycle != Cycle::Split => {
            rules.clone().with("cycle", "split").expect("it is a switch of games of two rows")
        }
        _ => rules.clone(),
    }
}

/// Fills the layers of a kind, from 0 up, or the only one of a whole board.
pub(in crate::tables) enum TableBuilder {
    Values(Layers),
    Bounds(BoundLayers),
    Board { layer: WholeBoard, codes: Vec<i8> },
}

impl TableBuilder {
    /// Allows so many bytes of memory to a builder that can make use of more than it needs.
    pub(in crate::tables) fn allow(self, memory: u64) -> TableBuilder {
        match self {
            TableBuilder::Board { layer, codes } => {
                TableBuilder::Board { layer: layer.within(memory), codes }
            }
            needs_all => needs_all,
        }
    }

    /// The numbering of the layers' positions.
    pub(in crate::tables) fn numbering(&self) -> &Numbering {
        match self {
            TableBuilder::Values(layers) => layers.numbering(),
            TableBuilder::Bounds(layers) => layers.numbering(),
            TableBuilder::Board { layer, .. } => layer.numbering(),
        }
    }

    /// Positions of a layer.
    pub(in crate::tables) fn positions(&self, seeds: u32) -> u64 {
        self.numbering().layer(seeds).size()
    }

    /// Fills the next layer.
    pub(in crate::tables) fn build_next(&mut self, control: &Control) -> Result<(), Unfinished> {
        match self {
            TableBuilder::Values(layers) => layers.build_next(control),
            TableBuilder::Bounds(layers) => layers.build_next(control),
            TableBuilder::Board { layer, codes } => {
                *codes = layer.build(control)?;
                Ok(())
            }
        }
    }

    /// Takes the next layer from its files, whose entries `load` gives.
    pub(in crate::tables) fn adopt<E>(
        &mut self,
        mut load: impl FnMut(LayerName) -> Result<Vec<i8>, E>,
    ) -> Result<(), E> {
        match self {
            TableBuilder::Values(layers) => layers.adopt(load(LayerName::values(layers.next()))?),
            TableBuilder::Bounds(layers) => {
                let mut bound = |quantity| load(LayerName { seeds: layers.next(), quantity });
                let (lower, upper) = (bound(Quantity::Lower)?, bound(Quantity::Upper)?);
                layers.adopt(lower, upper);
            }
            TableBuilder::Board { layer, codes } => *codes = load(LayerName::values(layer.seeds()))?,
        }
        Ok(())
    }

    /// The entries of a file of a finished layer.
    pub(in crate::tables) fn entries(&self, name: LayerName) -> &[i8] {
        match (self, name.quantity) {
            (TableBuilder::Values(layers), _) => layers.layer(name.seeds),
            (TableBuilder::Bounds(layers), Quantity::Upper) => layers.upper(name.seeds),
            (TableBuilder::Bounds(layers), _) => layers.lower(name.seeds),
            (TableBuilder::Board { codes, .. }, _) => codes,
        }
    }

    /// Seeds of the layer that comes next.
    fn next(&self) -> u32 {
        match self {
            TableBuilder::Values(layers) => layers.next(),
            TableBuilder::Bounds(layers) => layers.next(),
            TableBuilder::Board { layer, codes } if codes.is_empty() => layer.seeds(),
            TableBuilder::Board { layer, .. } => layer.seeds() + 1,
        }
    }

    /// The entries of all finished layers.
    fn into_entries(self) -> Vec<(LayerName, Vec<i8>)> {
        match self {
            TableBuilder::Values(layers) => (0..).map(LayerName::values).zip(layers.into_layers()).collect(),
            TableBuilder::Bounds(layers) => (0..)
                .flat_map(|seeds| TableKind::Bounds.files(seeds))
                .zip(layers.into_layers().into_iter().flatten())
                .collect(),
            TableBuilder::Board { codes, .. } if codes.is_empty() => Vec::new(),
            TableBuilder::Board { layer, codes } => vec![(LayerName::values(layer.seeds()), codes)],
        }
    }
}

/// Building in memory.
impl TableSet {
    /// Adds the layers below `layers` that are missing from 0 up, built on those that are there: values,
    /// or bounds under rules whose values are no function of the position. Of a game won by blocking that is
    /// the layer with the seeds of its board. If the control asks for a
    /// stop, or a move is too long to be played out, only the layers finished by then are added. Returns the bytes
    /// of what was added.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] and [`TableError::Io`] if a layer that is there cannot be read. Rules of
    /// which no layers can be built are no error: then nothing is added.
    pub fn build(&mut self, layers: u32, control: &Control) -> Result<u64, TableError> {
        let (kind, present) = match is_path_dependent(self.rules()) {
            true => (TableKind::Bounds, self.bounds_complete_below()),
            false if is_won_by_blocking(self.rules()) => (TableKind::Values, self.board_complete_below()),
            false => (TableKind::Values, self.complete_below()),
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
