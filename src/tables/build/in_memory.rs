//! Building in memory, layer by layer, beside what lies on disk.

use std::collections::HashMap;
use std::time::Duration;

use super::kinds::{TableBuilder, TableKind};
use crate::clock::Instant;
use crate::control::Control;
use crate::retrograde::{is_path_dependent, is_won_by_blocking};
use crate::rules::Rules;
use crate::tables::TableSet;
use crate::tables::error::TableError;

/// A builder at work on the layers of a set, and the highest layer that it has room for. It holds the layers
/// that the set calls grown.
pub(in crate::tables) struct Growing {
    pub(in crate::tables) builder: Box<dyn TableBuilder>,
    top: u32,
}

impl TableSet {
    /// Bytes of memory that building the layers 0..=`top` takes with [`TableSet::grow`]; `None` if such layers
    /// cannot be built.
    pub fn memory_to_grow(rules: &Rules, top: u32) -> Option<u64> {
        // A builder that can go on keeps what the next layer needs of the last one.
        let kind = kind(rules);
        let bytes = kind.method(rules).ok()?.memory(top).ok()?;
        bytes.checked_add(kind.bytes(rules, top)?)
    }

    /// Builds the first layer that is missing from 0 up, on those that are there: values, or bounds under rules
    /// whose values are no function of the position. Returns the time that making its tables over half boards and
    /// filling it took, or `None` if it is not there: the control asked for a stop, or a move is too long to be
    /// played out.
    ///
    /// # Errors
    /// [`TableError::Unbuildable`] for rules without layers; [`TableError::Corrupt`] and [`TableError::Io`] if a
    /// layer that is there cannot be read.
    pub fn grow(&mut self, control: &Control) -> Result<Option<Duration>, TableError> {
        let kind = kind(self.rules());
        let next = match kind {
            TableKind::Values => self.complete_below(),
            TableKind::Bounds => self.bounds_complete_below(),
        };
        let rules = self.rules().clone();
        let begun = Instant::now();
        let mut raising = Duration::ZERO;
        match &mut self.growing {
            Some(growing) if growing.top < next => {
                growing.builder.raise(&rules, next)?;
                growing.top = next;
                raising = begun.elapsed();
            }
            Some(_) => (),
            None => self.growing = Some(Growing { builder: kind.builder(&rules, next)?, top: next }),
        }
        match self.fill(kind, next, control) {
            Ok(filling) => Ok(Some(raising + filling)),
            Err(TableError::Stopped(_) | TableError::Overlong(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Takes over the layers that are there, and builds the next one. Returns the time that this one took.
    fn fill(&mut self, kind: TableKind, next: u32, control: &Control) -> Result<Duration, TableError> {
        let mut growing = self.growing.take().expect("a builder was just made");
        let mut filled = Ok(());
        while filled.is_ok() && growing.builder.next() < next {
            filled = self.hand_over(kind, &mut *growing.builder, control);
        }
        let begun = Instant::now();
        if filled.is_ok() {
            control.begin(format!("building layer {next}"), growing.builder.positions(next));
            filled = growing.builder.build_next(control).map_err(TableError::from);
        }
        let time = begun.elapsed();
        if filled.is_ok() {
            kind.files(next).try_for_each(|name| self.put_grown(name))?;
        }
        self.growing = Some(growing);
        filled.map(|()| time)
    }

    /// Gives the next layer of a builder to it: one that is not mapped is in the builder from then on.
    fn hand_over(
        &mut self,
        kind: TableKind,
        builder: &mut dyn TableBuilder,
        control: &Control,
    ) -> Result<(), TableError> {
        let seeds = builder.next();
        let mut given = HashMap::new();
        for name in kind.files(seeds) {
            given.insert(name, self.load_entries(name, control)?);
        }
        builder.adopt(&mut |name| given.remove(&name).ok_or_else(|| self.missing(seeds)))?;
        for name in kind.files(seeds) {
            if self.file_of(name).is_none_or(|layer| layer.values().is_none()) {
                self.put_grown(name)?;
            }
        }
        Ok(())
    }

    /// Adds the layers below `layers` that are missing from 0 up, as [`TableSet::grow`] does. Of a game won by
    /// blocking that is the layer with the seeds of its board. If the control asks for a
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
                true => builder.adopt(&mut |name| self.load_entries(name, control)),
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

/// What the layers of a rule set hold in memory.
fn kind(rules: &Rules) -> TableKind {
    if is_path_dependent(rules) { TableKind::Bounds } else { TableKind::Values }
}
