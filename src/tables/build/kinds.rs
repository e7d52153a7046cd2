//! The builders of values and of bounds, by the files they fill.

use crate::control::Control;
use crate::index::Numbering;
use crate::retrograde::{BoundLayers, Builder, Layers, Method, Unbuildable, Unfinished, WholeBoard};
use crate::rules::{Cycle, Rules};
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

    /// How the layers are built.
    pub(in crate::tables) fn method(self, rules: &Rules) -> Result<Method, Unbuildable> {
        match self {
            TableKind::Values => Method::of(&tabled(rules)),
            TableKind::Bounds => Method::of_bounds(rules),
        }
    }

    /// Bytes of the entries of a layer; `None` if they cannot be counted.
    pub(in crate::tables) fn bytes(self, rules: &Rules, seeds: u32) -> Option<u64> {
        let numbering = Numbering::new(rules.player_pits().into(), seeds).ok()?;
        numbering.layer(seeds).size().checked_mul(self.files(seeds).count() as u64)
    }

    /// A builder without a layer yet.
    pub(in crate::tables) fn builder(
        self,
        rules: &Rules,
        top: u32,
    ) -> Result<Box<dyn TableBuilder>, Unbuildable> {
        Ok(match self {
            TableKind::Values if self.method(rules)?.builder() == Builder::WholeBoard => {
                Box::new(BoardInWork { layer: WholeBoard::new(rules)?, codes: Vec::new() })
            }
            TableKind::Values => Box::new(Layers::new(&tabled(rules), top)?),
            TableKind::Bounds => Box::new(BoundLayers::new(rules, top)?),
        })
    }

    /// As [`TableKind::builder`], position by position with the plain engine, for layers below each other.
    pub(in crate::tables) fn plain_builder(
        self,
        rules: &Rules,
        top: u32,
    ) -> Result<Box<dyn TableBuilder>, Unbuildable> {
        Ok(match self {
            TableKind::Values => Box::new(Layers::new_general(&tabled(rules), top)?),
            TableKind::Bounds => Box::new(BoundLayers::new_general(rules, top)?),
        })
    }
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
pub(in crate::tables) trait TableBuilder: Send + Sync {
    /// Allows so many bytes of memory to a builder that can make use of more than it needs.
    fn allow(&mut self, _memory: u64) {}

    /// The numbering of the layers' positions.
    fn numbering(&self) -> &Numbering;

    /// Positions of a layer.
    fn positions(&self, seeds: u32) -> u64 {
        self.numbering().layer(seeds).size()
    }

    /// Seeds of the layer that comes next.
    fn next(&self) -> u32;

    /// Fills the next layer.
    fn build_next(&mut self, control: &Control) -> Result<(), Unfinished>;

    /// Makes room for layers of up to `top` seeds.
    fn raise(&mut self, rules: &Rules, top: u32) -> Result<(), Unbuildable>;

    /// Takes the next layer from its files, whose entries `load` gives.
    fn adopt(&mut self, load: &mut Load) -> Result<(), TableError>;

    /// The entries of a file of a finished layer.
    fn entries(&self, name: LayerName) -> &[i8];

    /// The entries of all finished layers.
    fn into_entries(self: Box<Self>) -> Vec<(LayerName, Vec<i8>)>;
}

/// Gives the entries of a file.
type Load<'a> = dyn FnMut(LayerName) -> Result<Vec<i8>, TableError> + 'a;

impl TableBuilder for Layers {
    fn numbering(&self) -> &Numbering {
        self.numbering()
    }

    fn next(&self) -> u32 {
        self.next()
    }

    fn build_next(&mut self, control: &Control) -> Result<(), Unfinished> {
        self.build_next(control)
    }

    fn raise(&mut self, rules: &Rules, top: u32) -> Result<(), Unbuildable> {
        self.raise(&tabled(rules), top)
    }

    fn adopt(&mut self, load: &mut Load) -> Result<(), TableError> {
        let values = load(LayerName::values(self.next()))?;
        self.adopt(values);
        Ok(())
    }

    fn entries(&self, name: LayerName) -> &[i8] {
        self.layer(name.seeds)
    }

    fn into_entries(self: Box<Self>) -> Vec<(LayerName, Vec<i8>)> {
        (0..).map(LayerName::values).zip(self.into_layers()).collect()
    }
}

impl TableBuilder for BoundLayers {
    fn numbering(&self) -> &Numbering {
        self.numbering()
    }

    fn next(&self) -> u32 {
        self.next()
    }

    fn build_next(&mut self, control: &Control) -> Result<(), Unfinished> {
        self.build_next(control)
    }

    fn raise(&mut self, rules: &Rules, top: u32) -> Result<(), Unbuildable> {
        self.raise(rules, top)
    }

    fn adopt(&mut self, load: &mut Load) -> Result<(), TableError> {
        let seeds = self.next();
        let mut bound = |quantity| load(LayerName { seeds, quantity });
        let (lower, upper) = (bound(Quantity::Lower)?, bound(Quantity::Upper)?);
        self.adopt(lower, upper);
        Ok(())
    }

    fn entries(&self, name: LayerName) -> &[i8] {
        match name.quantity {
            Quantity::Upper => self.upper(name.seeds),
            Quantity::Lower | Quantity::Value => self.lower(name.seeds),
        }
    }

    fn into_entries(self: Box<Self>) -> Vec<(LayerName, Vec<i8>)> {
        let names = (0..).flat_map(|seeds| TableKind::Bounds.files(seeds));
        names.zip(self.into_layers().into_iter().flatten()).collect()
    }
}

/// A whole board; no codes before it is built.
struct BoardInWork {
    layer: WholeBoard,
    codes: Vec<i8>,
}

impl TableBuilder for BoardInWork {
    fn allow(&mut self, memory: u64) {
        self.layer.allow(memory);
    }

    fn numbering(&self) -> &Numbering {
        self.layer.numbering()
    }

    fn next(&self) -> u32 {
        self.layer.seeds() + u32::from(!self.codes.is_empty())
    }

    fn build_next(&mut self, control: &Control) -> Result<(), Unfinished> {
        self.codes = self.layer.build(control)?;
        Ok(())
    }

    /// A board has its one layer.
    fn raise(&mut self, _: &Rules, _: u32) -> Result<(), Unbuildable> {
        Ok(())
    }

    fn adopt(&mut self, load: &mut Load) -> Result<(), TableError> {
        self.codes = load(LayerName::values(self.layer.seeds()))?;
        Ok(())
    }

    fn entries(&self, _: LayerName) -> &[i8] {
        &self.codes
    }

    fn into_entries(self: Box<Self>) -> Vec<(LayerName, Vec<i8>)> {
        let built = Some(self.codes).filter(|codes| !codes.is_empty());
        built.into_iter().map(|codes| (LayerName::values(self.layer.seeds()), codes)).collect()
    }
}
