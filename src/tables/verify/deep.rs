//! Whether the entries of layers are true.
//!
//! Where no position can repeat, values are true if all agree with those of the positions that the
//! moves lead to. Where positions can repeat that is not enough: in a forced loop c, -c, c, ...
//! agrees for every c. Such layers are settled again and compared. In games won by blocking agreement is
//! enough again, since the entries tell how far the end is away ([`verdict_by_moves`]).

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::board::{Game, PlainRings, Position, Ring, Verdict};
use crate::control::{Control, Stopped};
use crate::index::{Numbered, Numbering};
use crate::retrograde::{Unbuildable, is_won_by_blocking, verdict_by_moves};
use crate::rules::Rules;
use crate::tables::build::{TableBuilder, TableKind};
use crate::tables::error::{Fault, TableError, Unchecked};
use crate::tables::format::LayerName;
use crate::tables::layer::Layer;
use crate::tables::storage::as_values;

/// Positions computed between two looks at the control.
const CHUNK: u64 = 1 << 12;

/// Layers of one rule set whose files are intact, and the engine that knows the moves.
pub(super) struct DeepCheck<'a> {
    ring: Ring,
    numbering: Numbering,
    layers: &'a BTreeMap<u32, Cow<'a, [i8]>>,
}

/// The first wrong value of some positions, and how many there are.
#[derive(Clone, Copy, Default)]
struct Wrong {
    count: u64,
    first: Option<(u64, i32, i32)>,
}

impl Wrong {
    fn join(self, other: Wrong) -> Wrong {
        let first = match (self.first, other.first) {
            (Some(one), Some(other)) => Some(if one.0 < other.0 { one } else { other }),
            (one, other) => one.or(other),
        };
        Wrong { count: self.count + other.count, first }
    }

    /// Of one position.
    fn of(index: u64, found: i32, expected: i32) -> Wrong {
        match found == expected {
            true => Wrong::default(),
            false => Wrong { count: 1, first: Some((index, found, expected)) },
        }
    }

    /// Of the positions below a number, `check` telling of each.
    fn of_all(size: u64, control: &Control, check: impl Fn(u64) -> Wrong + Sync) -> Result<Wrong, Stopped> {
        (0..size.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                control.check()?;
                let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
                control.advance(range.end - range.start);
                Ok(range.map(&check).fold(Wrong::default(), Wrong::join))
            })
            .try_reduce(Wrong::default, |one, other| Ok(one.join(other)))
    }

    fn fault(self, numbering: &Numbering, seeds: u32) -> Option<Fault> {
        self.first.map(|(index, found, expected)| Fault::WrongValue {
            position: numbering.position(seeds, index).to_string(),
            index,
            found,
            expected,
            wrong: self.count,
        })
    }

    /// As [`Wrong::fault`], of codes of verdicts.
    fn fault_of_verdicts(self, numbering: &Numbering, seeds: u32) -> Option<Fault> {
        self.first.map(|(index, found, expected)| Fault::WrongVerdict {
            position: numbering.position(seeds, index).to_string(),
            index,
            found: Verdict::of_code(found),
            expected: Verdict::of_code(expected),
            wrong: self.count,
        })
    }
}

impl DeepCheck<'_> {
    /// A check of layers by their values.
    ///
    /// # Errors
    /// If there is no engine for the rules.
    pub(super) fn new<'a>(
        rules: &Rules,
        layers: &'a BTreeMap<u32, Cow<'a, [i8]>>,
    ) -> Result<DeepCheck<'a>, Unbuildable> {
        let top = layers.keys().next_back().copied().unwrap_or(0);
        let ring = Ring::new(rules)?;
        let numbering = Numbering::new(rules.player_pits().into(), top)?;
        Ok(DeepCheck { ring, numbering, layers })
    }

    /// Compares each value of a layer with its successors, all of whose layers must be there.
    /// `None` if they agree.
    pub(super) fn layer(&self, seeds: u32, control: &Control) -> Result<Option<Fault>, Stopped> {
        let mut values: Vec<&[i8]> = Vec::new();
        for lower in 0..=seeds {
            match self.layers.get(&lower) {
                Some(layer) => values.push(layer),
                None => return Ok(Some(Unchecked::MissingLayer { seeds: lower }.into())),
            }
        }
        let size = self.numbering.layer(seeds).size();
        control.begin(format!("checking layer {seeds} against its successors"), size);
        let wrong = Wrong::of_all(size, control, |index| self.position(&values, seeds, index))?;
        Ok(wrong.fault(&self.numbering, seeds))
    }

    /// Compares one value.
    fn position(&self, values: &[&[i8]], seeds: u32, index: u64) -> Wrong {
        let position = self.numbering.position(seeds, index);
        let expected = value_by_moves(&self.ring, &position, |next| {
            let halves = self.ring.halves(self.numbering.half_boards(), next);
            values[halves.seeds() as usize][self.numbering.layer(halves.seeds()).index(&halves) as usize]
                .into()
        });
        Wrong::of(index, values[seeds as usize][index as usize].into(), expected)
    }
}

/// The value of a position from those of the positions that its moves lead to. No builder uses this: what they
/// have computed is compared with it.
#[inline(always)]
fn value_by_moves(ring: &Ring, position: &Position, value: impl Fn(&Position) -> i32) -> i32 {
    let mut best = i32::MIN;
    ring.for_each_move(position, |played| {
        let next = value(&played.next);
        let later = if played.again { next } else { -next };
        best = best.max(played.gain - played.opponent_gain + later);
    });
    if best == i32::MIN { ring.end_value(position).expect("a position without moves is over") } else { best }
}

/// Compares each entry of a layer of a game of four rows with those that the moves lead to. `None` if they agree.
pub(super) fn check_board(
    rules: &Rules,
    layer: &Layer,
    memory: u64,
    control: &Control,
) -> Result<Option<Fault>, Stopped> {
    let seeds = layer.header().seeds();
    match engine_of_board(rules, seeds) {
        Ok((game, numbering)) => match entries(layer, seeds, memory, control)? {
            Ok(codes) => check_codes(&game, &numbering, seeds, &codes, control),
            Err(fault) => Ok(Some(fault)),
        },
        Err(error) => Ok(Some(Unchecked::from(error).into())),
    }
}

fn engine_of_board(rules: &Rules, seeds: u32) -> Result<(PlainRings, Numbering), Unbuildable> {
    if !is_won_by_blocking(rules) {
        return Err(Unbuildable::Hands { game: rules.name().into() });
    }
    Ok((PlainRings::new(rules)?, Numbering::new(rules.player_pits().into(), seeds)?))
}

/// The entries of a layer, one of those up to `top`: those of a mapped file, or loaded into memory that allows so
/// many bytes.
pub(super) fn entries<'a>(
    layer: &'a Layer,
    top: u32,
    memory: u64,
    control: &Control,
) -> Result<Result<Cow<'a, [i8]>, Fault>, Stopped> {
    if let Some(values) = layer.values() {
        return Ok(Ok(Cow::Borrowed(values)));
    }
    let needed = layer.header().positions();
    if needed > memory {
        return Ok(Err(Unchecked::Memory { settles: false, up_to: top, needed, allowed: memory }.into()));
    }
    match layer.load(control) {
        Ok(values) => Ok(Ok(Cow::Owned(values))),
        Err(TableError::Stopped(stopped)) => Err(stopped),
        Err(error) => Ok(Err(error.into_fault())),
    }
}

fn check_codes(
    game: &PlainRings,
    numbering: &Numbering,
    seeds: u32,
    codes: &[i8],
    control: &Control,
) -> Result<Option<Fault>, Stopped> {
    let index = numbering.layer(seeds);
    control.begin(format!("checking layer {seeds} against its successors"), index.size());
    let wrong = Wrong::of_all(index.size(), control, |number| {
        let position = game.pack(&numbering.position(seeds, number));
        let expected = verdict_by_moves(game, &position, |next| {
            codes[index.index(&game.halves(numbering.half_boards(), next)) as usize].into()
        });
        Wrong::of(number, codes[number as usize].into(), expected.code())
    })?;
    match game.check_laps() {
        Ok(()) => Ok(wrong.fault_of_verdicts(numbering, seeds)),
        Err(error) => Ok(Some(Unchecked::from(error).into())),
    }
}

/// Settles the layers of a kind again, all from 0 seeds up and position by position, and tells `found`
/// which intact files hold anything else. Nothing is taken from the files, so a wrong one does not
/// hide behind another.
///
/// # Errors
/// [`TableError::Stopped`]. What is in the way of a check is told as a fault of the highest layer.
pub(super) fn settle_again(
    rules: &Rules,
    kind: TableKind,
    intact: &BTreeMap<LayerName, Layer>,
    memory: u64,
    control: &Control,
    found: &mut impl FnMut(&Layer, Fault),
) -> Result<(), TableError> {
    let Some((&LayerName { seeds: top, .. }, last)) = intact.iter().rfind(|(name, _)| kind.has(**name))
    else {
        return Ok(());
    };
    let mut builder = match plain_builder(rules, kind, top, memory) {
        Ok(builder) => builder,
        Err(reason) => {
            found(last, reason.into());
            return Ok(());
        }
    };
    for seeds in 0..=top {
        control.begin(format!("settling layer {seeds} again"), builder.positions(seeds));
        builder.build_next(control)?;
        for name in kind.files(seeds) {
            let Some(layer) = intact.get(&name) else { continue };
            match compare(layer, builder.entries(name), control) {
                Ok(wrong) => {
                    wrong.fault(builder.numbering(), seeds).into_iter().for_each(|fault| found(layer, fault))
                }
                Err(TableError::Stopped(stopped)) => return Err(stopped.into()),
                Err(error) => found(layer, error.into_fault()),
            }
        }
    }
    Ok(())
}

fn plain_builder(
    rules: &Rules,
    kind: TableKind,
    top: u32,
    memory: u64,
) -> Result<Box<dyn TableBuilder>, Unchecked> {
    let needed = kind.method(rules)?.plainly().memory(top)?;
    if needed > memory {
        return Err(Unchecked::Memory { settles: true, up_to: top, needed, allowed: memory });
    }
    Ok(kind.plain_builder(rules, top)?)
}

/// Compares the entries of a file with what they should be.
fn compare(layer: &Layer, expected: &[i8], control: &Control) -> Result<Wrong, TableError> {
    let mut wrong = Wrong::default();
    layer.scan(control, |first, bytes| {
        let expected = &expected[first as usize..];
        for ((index, &found), &expected) in (first..).zip(as_values(bytes)).zip(expected) {
            if found != expected {
                let first = Some((index, found.into(), expected.into()));
                wrong = wrong.join(Wrong { count: 1, first });
            }
        }
        Ok::<(), TableError>(())
    })?;
    Ok(wrong)
}
