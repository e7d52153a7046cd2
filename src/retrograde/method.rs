//! Which builder the layers of a rule set get, what it needs and how fast it is. All that is decided here only.

use super::by_move::{Engine, GeneralBuilder, Settler};
use super::layer_builder::LayerBuilder;
use super::rows::{self, CyclicRows, RowBuilder};
use super::whole_board;
use super::{MAX_LAYER, Unbuildable, has_layers, is_acyclic, is_path_dependent, is_won_by_blocking};
use crate::board::{ChainLap, Game, PackedRings, RelayLap, Ring};
use crate::index::{Numbering, TooLarge};
use crate::rules::Rules;

/// How the layers of a rule set are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    builder: Builder,
    fields: Fields,
    /// Pits of a player.
    pits: u8,
    /// Directions in which a pit can be sown.
    ways: usize,
}

/// What fills a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Builder {
    /// Whole rows of positions at a time, each once: games of Kalah's kind.
    AcyclicRows,
    /// Whole rows of positions at a time until nothing changes: games of Oware's kind.
    CyclicRows,
    /// An engine makes every move, in an order in which no position can come back; each position once.
    InOrder(MovesBy),
    /// An engine makes every move once, then positions are computed until nothing changes.
    Settled(MovesBy),
    /// Sweeps by rising distance to the end, over a board that no seed leaves.
    WholeBoard,
}

/// The engine that a builder asks for moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MovesBy {
    /// The kernel of relays.
    RelayLap,
    /// The plain ring.
    Ring,
}

/// What is built of every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fields {
    /// Its value.
    Values,
    /// A lower and an upper bound that hold whatever a repetition is worth.
    Bounds,
}

impl Method {
    /// The fastest one for what a rule set has in tables: values, or bounds where a value depends on the play
    /// before its position.
    ///
    /// # Errors
    /// [`Unbuildable`] if the rule set has no layers, with the reason.
    pub fn of(rules: &Rules) -> Result<Method, Unbuildable> {
        let fields = if is_path_dependent(rules) { Fields::Bounds } else { Fields::Values };
        Method::of_fields(rules, fields)
    }

    /// The fastest one for bounds.
    ///
    /// # Errors
    /// As [`Method::of`].
    pub fn of_bounds(rules: &Rules) -> Result<Method, Unbuildable> {
        Method::of_fields(rules, Fields::Bounds)
    }

    /// As [`Method::of`], but position by position with the plain engine: a check on the fast ones.
    ///
    /// # Errors
    /// As [`Method::of`].
    pub fn plain(rules: &Rules) -> Result<Method, Unbuildable> {
        Ok(Method::of(rules)?.plainly())
    }

    pub(super) fn of_fields(rules: &Rules, fields: Fields) -> Result<Method, Unbuildable> {
        let method = |builder| Method { builder, fields, pits: rules.player_pits(), ways: rules.ways() };
        if fields == Fields::Values && rules.four_rows().is_some() {
            PackedRings::new(rules)?;
            if !is_won_by_blocking(rules) {
                return Err(Unbuildable::Hands { game: rules.title() });
            }
            return Ok(method(Builder::WholeBoard));
        }
        Ring::new(rules)?;
        if !has_layers(rules) {
            return Err(Unbuildable::NoLayers { game: rules.title() });
        }
        let engine = || if RelayLap::new(rules).is_ok() { MovesBy::RelayLap } else { MovesBy::Ring };
        Ok(method(match fields {
            Fields::Values if rows::supports(rules) => Builder::AcyclicRows,
            Fields::Values if is_acyclic(rules) => Builder::InOrder(engine()),
            _ if ChainLap::new(rules).is_ok() => Builder::CyclicRows,
            _ => Builder::Settled(engine()),
        }))
    }

    /// The same position by position with the plain engine.
    #[must_use]
    pub fn plainly(self) -> Method {
        let builder = match self.builder {
            Builder::AcyclicRows | Builder::InOrder(_) => Builder::InOrder(MovesBy::Ring),
            Builder::CyclicRows | Builder::Settled(_) => Builder::Settled(MovesBy::Ring),
            Builder::WholeBoard => Builder::WholeBoard,
        };
        Method { builder, ..self }
    }

    /// What fills the layers.
    pub fn builder(&self) -> Builder {
        self.builder
    }

    /// What is built of every position.
    pub fn fields(&self) -> Fields {
        self.fields
    }

    /// Positions a second on two threads of an ordinary server: the order of magnitude, rather too low than
    /// too high.
    pub fn rate(&self) -> f64 {
        match (self.builder, self.fields) {
            (Builder::AcyclicRows, _) => 3.5e8,
            (Builder::CyclicRows, Fields::Values) => 4e7,
            (Builder::CyclicRows, Fields::Bounds) => 2e7,
            (Builder::InOrder(MovesBy::RelayLap), _) => 1e7,
            (Builder::InOrder(MovesBy::Ring), _) => 2e6,
            (Builder::Settled(MovesBy::RelayLap), _) => 5e6,
            (Builder::Settled(MovesBy::Ring), Fields::Values) => 1e6,
            (Builder::Settled(MovesBy::Ring), Fields::Bounds) => 5e5,
            (Builder::WholeBoard, _) => 5e6,
        }
    }

    /// Bytes of memory that building the layers 0..=`top` takes, the finished ones included; of a whole board
    /// that is the layer of `top` seeds alone.
    ///
    /// # Errors
    /// [`Unbuildable`] if layers end below `top`.
    pub fn memory(&self, top: u32) -> Result<u64, Unbuildable> {
        let numbering = self.numbering(top)?;
        let bytes = match (self.builder, self.fields) {
            (Builder::AcyclicRows, _) => RowBuilder::memory(&numbering),
            (Builder::CyclicRows, Fields::Values) => CyclicRows::<1>::memory(&numbering),
            (Builder::CyclicRows, Fields::Bounds) => CyclicRows::<2>::memory(&numbering),
            (Builder::InOrder(_), _) => GeneralBuilder::memory(&numbering),
            (Builder::Settled(_), Fields::Values) => Settler::<1>::memory(self.ways, &numbering),
            (Builder::Settled(_), Fields::Bounds) => Settler::<2>::memory(self.ways, &numbering),
            (Builder::WholeBoard, _) => Some(whole_board::memory(&numbering)),
        };
        self.counted(bytes, top)
    }

    /// As [`Method::memory`], but what stays taken once the layers are built.
    ///
    /// # Errors
    /// As [`Method::memory`].
    pub fn memory_kept(&self, top: u32) -> Result<u64, Unbuildable> {
        let numbering = self.numbering(top)?;
        let bytes = match (self.builder, self.fields) {
            (Builder::AcyclicRows, _) => RowBuilder::memory_kept(&numbering),
            (Builder::CyclicRows, Fields::Values) => CyclicRows::<1>::memory_kept(&numbering),
            (Builder::CyclicRows, Fields::Bounds) => CyclicRows::<2>::memory_kept(&numbering),
            (Builder::InOrder(_), _) => GeneralBuilder::memory_kept(&numbering),
            (Builder::Settled(_), Fields::Values) => Settler::<1>::memory_kept(&numbering),
            (Builder::Settled(_), Fields::Bounds) => Settler::<2>::memory_kept(&numbering),
            (Builder::WholeBoard, _) => Some(numbering.layer(top).size()),
        };
        self.counted(bytes, top)
    }

    fn counted(&self, bytes: Option<u64>, top: u32) -> Result<u64, Unbuildable> {
        bytes.ok_or(Unbuildable::TooLarge(TooLarge { pits: self.pits.into(), seeds: top }))
    }

    /// The numbering of positions of up to `top` seeds.
    pub(super) fn numbering(&self, top: u32) -> Result<Numbering, Unbuildable> {
        if top > MAX_LAYER {
            return Err(Unbuildable::TooManySeeds { seeds: top });
        }
        Ok(Numbering::new(self.pits.into(), top)?)
    }

    /// A builder of values of a game of two rows, for the layers of a numbering.
    pub(super) fn values(
        &self,
        rules: &Rules,
        numbering: &Numbering,
    ) -> Result<Box<dyn LayerBuilder<1>>, Unbuildable> {
        let ring = Ring::new(rules)?;
        match self.builder {
            Builder::AcyclicRows => Ok(Box::new(RowBuilder::new(&ring, numbering)?)),
            Builder::InOrder(engine) => Ok(Box::new(GeneralBuilder::new(Engine::new(engine, ring)?))),
            _ => self.repeating(ring, numbering),
        }
    }

    /// A builder of bounds of a game of two rows, for the layers of a numbering.
    pub(super) fn bounds(
        &self,
        rules: &Rules,
        numbering: &Numbering,
    ) -> Result<Box<dyn LayerBuilder<2>>, Unbuildable> {
        self.repeating(Ring::new(rules)?, numbering)
    }

    /// A builder that computes positions until nothing changes.
    fn repeating<const F: usize>(
        &self,
        ring: Ring,
        numbering: &Numbering,
    ) -> Result<Box<dyn LayerBuilder<F>>, Unbuildable> {
        match self.builder {
            Builder::CyclicRows => {
                let game = ChainLap::new(ring.rules())?;
                Ok(Box::new(CyclicRows::<F>::new(&ring, game, numbering)?))
            }
            Builder::Settled(engine) => Ok(Box::new(Settler::<F>::new(Engine::new(engine, ring)?))),
            Builder::AcyclicRows | Builder::InOrder(_) | Builder::WholeBoard => {
                unreachable!("{:?} computes each position once", self.builder)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrograde::{BoundLayers, Layers, WholeBoard};
    use crate::rules;

    fn rules_of(text: &str) -> Rules {
        let mut words = text.split(' ');
        let mut rules = rules::game(words.next().unwrap()).unwrap();
        for (key, value) in words.map(|word| word.split_once('=').unwrap()) {
            rules.set(key, value).unwrap();
        }
        rules
    }

    #[test]
    fn each_rule_set_gets_the_builder_that_is_made_for_it() {
        use Builder::*;
        use Fields::*;
        use MovesBy::*;
        for (text, builder, fields, plain) in [
            ("kalah", AcyclicRows, Values, InOrder(Ring)),
            ("kalah:10x1", AcyclicRows, Values, InOrder(Ring)),
            ("kalah empty-capture=yes extra-move=none rest=nobody", AcyclicRows, Values, InOrder(Ring)),
            ("kalah cycle=own-side", AcyclicRows, Values, InOrder(Ring)),
            ("kalah:11x1", InOrder(Ring), Values, InOrder(Ring)),
            ("kalah mikul=on", InOrder(Ring), Values, InOrder(Ring)),
            ("kalah opponent-store=sow", InOrder(Ring), Values, InOrder(Ring)),
            ("kalah feed=must-feed", InOrder(Ring), Values, InOrder(Ring)),
            ("kalah direction=free", Settled(Ring), Values, Settled(Ring)),
            ("congklak", InOrder(RelayLap), Values, InOrder(Ring)),
            ("sungka", InOrder(RelayLap), Values, InOrder(Ring)),
            ("congklak:9x1", InOrder(Ring), Values, InOrder(Ring)),
            ("oware", CyclicRows, Values, Settled(Ring)),
            ("awari", CyclicRows, Values, Settled(Ring)),
            ("oware cycle=own-side", CyclicRows, Bounds, Settled(Ring)),
            ("oware:7x4", Settled(Ring), Values, Settled(Ring)),
            ("oware:7x4 cycle=own-side", Settled(Ring), Bounds, Settled(Ring)),
            ("sadeqa-iii", Settled(RelayLap), Values, Settled(Ring)),
            ("sadeqa-iii cycle=own-side", Settled(RelayLap), Bounds, Settled(Ring)),
            ("pallanguzhi", Settled(RelayLap), Values, Settled(Ring)),
            ("en-gehe", Settled(Ring), Values, Settled(Ring)),
            ("omweso:2x1", WholeBoard, Values, WholeBoard),
            ("bao-kujifunza", WholeBoard, Values, WholeBoard),
        ] {
            let rules = rules_of(text);
            let method = Method::of(&rules).unwrap();
            assert_eq!((method.builder(), method.fields()), (builder, fields), "{text}");
            assert_eq!(Method::plain(&rules).unwrap().builder(), plain, "{text}");
        }
        let bounds = |text| Method::of_bounds(&rules_of(text)).unwrap().builder();
        assert_eq!(bounds("kalah"), Settled(Ring));
        assert_eq!(bounds("congklak"), Settled(RelayLap));
        assert_eq!(bounds("oware"), CyclicRows);
        for text in ["o-an-quan", "kalah refill=debt", "bao-kiswahili"] {
            assert!(Method::of(&rules_of(text)).is_err(), "{text}");
        }
    }

    /// Values of switches on which a builder or an engine may depend.
    const SWITCHES: &[&str] = &[
        "own-store=skip",
        "own-store=sow",
        "opponent-store=sow",
        "origin=skip",
        "direction=free",
        "lap=single",
        "lap=same-hole",
        "lap=next-hole",
        "capture=none",
        "capture=cross",
        "capture=two-three",
        "capture=next",
        "trigger=leave",
        "empty-capture=yes",
        "mikul=on",
        "chain=yes",
        "after-capture=continue",
        "pasu=4",
        "grand-slam=illegal",
        "feed=must-feed",
        "feed=leave-a-move",
        "extra-move=store-or-capture",
        "no-move=pass",
        "end=stuck",
        "end=all-empty",
        "rest=nobody",
        "refill=debt",
        "endless=draw",
        "cycle=own-side",
    ];

    #[test]
    fn rate_and_memory_are_those_of_the_builder_that_builds() {
        const TOP: u32 = 3;
        let (mut methods, mut refused) = (std::collections::HashSet::new(), 0);
        for game in rules::names().filter(|game| *game != "en-gehe") {
            for switch in [""].iter().chain(SWITCHES) {
                let mut rules = rules::game(game).unwrap();
                if let Some((key, value)) = switch.split_once('=')
                    && rules.set(key, value).is_err()
                {
                    continue;
                }
                let Ok(method) = Method::of(&rules) else {
                    refused += 1;
                    assert!(Layers::new(&rules, TOP).is_err() && BoundLayers::new(&rules, TOP).is_err());
                    continue;
                };
                methods.insert((method.builder(), method.fields()));
                if method.builder() == Builder::WholeBoard {
                    assert!(Layers::new(&rules, TOP).is_err() && BoundLayers::new(&rules, TOP).is_err());
                    let board = WholeBoard::with_seeds(&rules, TOP).unwrap();
                    assert_eq!(method.memory(TOP), Ok(board.memory()), "{game} {switch}");
                    continue;
                }
                let values = Layers::new(&rules, TOP);
                assert_eq!(values.is_ok(), method.fields() == Fields::Values, "{game} {switch}");
                if let Ok(values) = values {
                    assert_eq!(values.builder(), method.builder(), "{game} {switch}");
                    assert_eq!(Layers::memory(&rules, TOP), method.memory(TOP));
                    let general = Layers::new_general(&rules, TOP).unwrap();
                    assert_eq!(general.builder(), method.plainly().builder(), "{game} {switch}");
                    assert_eq!(Layers::memory_general(&rules, TOP), method.plainly().memory(TOP));
                }
                let bounds = Method::of_bounds(&rules).unwrap();
                assert!(method.fields() == Fields::Values || method == bounds, "{game} {switch}");
                assert_eq!(BoundLayers::new(&rules, TOP).unwrap().builder(), bounds.builder());
                assert_eq!(BoundLayers::memory(&rules, TOP), bounds.memory(TOP));
                let general = BoundLayers::new_general(&rules, TOP).unwrap();
                assert_eq!(general.builder(), bounds.plainly().builder(), "{game} {switch}");
                for method in [method, method.plainly(), bounds, bounds.plainly()] {
                    assert!(
                        method.memory_kept(TOP).unwrap() <= method.memory(TOP).unwrap(),
                        "{game} {switch}"
                    );
                    assert!(method.rate() >= method.plainly().rate(), "{game} {switch}");
                }
            }
        }
        assert!(methods.len() >= 8 && refused > 0, "{methods:?}, {refused} refused");
    }
}
