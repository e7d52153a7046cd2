//! The tables a session answers from: those on disk and the layers built in memory.

use std::time::Instant;

use sowbase::board::Position;
use sowbase::index::{Numbered, TooLarge};
use sowbase::retrograde::{is_acyclic, is_path_dependent};
use sowbase::rules::{Lap, Rules};
use sowbase::search::{Bounds, Resources, Solver};
use sowbase::tables::{TableError, TableSet};

use super::interrupt::Interrupt;
use super::options::{Common, count_text, size_text, time_text};
use super::plan::{self, Limits, Plan};
use super::session::SearchArgs;
use super::text::output::Notes;
use super::text::progress::Progress;

/// Tables of one rule set.
pub struct Sources<'a> {
    rules: &'a Rules,
    args: &'a SearchArgs,
    common: &'a Common,
    limits: Limits,
    set: TableSet,
    /// Whether the rules have bounds in tables and no values.
    by_bounds: bool,
    /// Bytes of the layers in memory.
    bytes: u64,
    /// No tables.
    nothing: TableSet,
    /// Whether the values of the files have been compared with their checksums.
    checked: bool,
    /// Whether that was stopped, so that no search may read them.
    is_cut: bool,
    plans: Notes,
}

impl<'a> Sources<'a> {
    /// The tables on disk that the options name.
    pub fn open(rules: &'a Rules, args: &'a SearchArgs, common: &'a Common) -> anyhow::Result<Sources<'a>> {
        let time = args.time.map(|time| time.as_secs_f64());
        let limits = Limits { memory: common.memory()?, time, moves: !args.value_only };
        let set = if args.no_tables { TableSet::empty(rules)? } else { common.open_tables(rules)? };
        let by_bounds = is_path_dependent(rules);
        Ok(Sources {
            rules,
            args,
            common,
            limits,
            set,
            by_bounds,
            bytes: 0,
            nothing: TableSet::empty(rules)?,
            checked: false,
            is_cut: false,
            plans: Notes::new(common.quiet),
        })
    }

    /// A solver over the layers that are there, for positions of up to `max_seeds` seeds.
    pub fn solver<G: Numbered>(
        &self,
        game: G,
        max_seeds: u32,
        hash_bytes: u64,
    ) -> Result<Solver<'_, G>, TooLarge> {
        let resources = Resources { threads: self.common.threads(), hash_bytes };
        let set = if self.is_cut { &self.nothing } else { &self.set };
        match self.by_bounds {
            true => Solver::with_bounds(game, set.bound_values(), max_seeds, &resources),
            false => Solver::new(game, set.values(), max_seeds, &resources),
        }
    }

    /// Whether a table answers for the positions with a number of seeds.
    pub fn has_layer(&self, seeds: u32) -> bool {
        match self.by_bounds {
            true => self.set.has_bounds(seeds),
            false => self.set.layers().any(|layer| layer == seeds),
        }
    }

    /// Number of such layers from 0 up without a gap.
    fn complete_below(&self) -> u32 {
        if self.by_bounds { self.set.bounds_complete_below() } else { self.set.complete_below() }
    }

    /// Whether tables tell all that is asked about positions with a number of seeds: their layer is
    /// there, and those below for their moves and the line.
    pub fn covers(&self, seeds: u32) -> bool {
        self.has_layer(seeds) && (self.args.value_only || self.complete_below() > seeds)
    }

    /// Whether a search ends by itself after a while: it seldom proves a value.
    pub fn is_repeating(&self) -> bool {
        !is_acyclic(self.rules)
    }

    /// Bounds of a position with empty stores that hold whatever a repetition is worth, where a table
    /// of a game with repetitions has them.
    pub fn cycle_bounds(&self, position: &Position) -> Result<Option<Bounds>, TableError> {
        let has_bounds = self.is_repeating() && self.set.has_bounds(position.seeds());
        has_bounds.then(|| self.set.probe_bounds(position)).transpose()
    }

    /// The tables whose values tell which moves keep the value where positions can repeat, if there are
    /// such under the rules.
    pub fn repeating_values(&self) -> Option<&TableSet> {
        (self.is_repeating() && !self.by_bounds).then_some(&self.set)
    }

    /// Reads the entry of a position once with its checksum, if a table holds it: a value is not
    /// said on the word of a damaged file.
    pub fn check(&self, position: &Position) -> Result<(), TableError> {
        if self.has_layer(position.seeds()) { self.probe(position) } else { Ok(()) }
    }

    fn probe(&self, position: &Position) -> Result<(), TableError> {
        match self.by_bounds {
            true => self.set.probe_bounds(position).map(drop),
            false => self.set.probe(position).map(drop),
        }
    }

    /// Why the tables do not answer a position, if they do not: the layer of its seeds must be
    /// there, and those below for its moves and the line.
    pub fn uncovered(&self, position: &Position) -> Option<TableError> {
        let missing = self.probe(position).err();
        missing.filter(|_| !self.has_layer(position.seeds())).or_else(|| {
            let gap = self.complete_below();
            (!self.args.value_only && gap <= position.seeds()).then(|| match self.by_bounds {
                true => self.set.missing_bounds(gap),
                false => self.set.missing(gap),
            })
        })
    }

    /// Builds what pays before a position with a number of seeds is solved, and returns the bytes
    /// for the search's table of positions. The time that reading files takes is added to the deadline.
    pub fn prepare(
        &mut self,
        seeds: u32,
        deadline: &mut Option<Instant>,
        interrupt: &Interrupt,
    ) -> Result<u64, TableError> {
        let memory = self.limits.memory.saturating_sub(self.bytes);
        let limits = Limits { memory, ..self.limits };
        let present = if self.covers(seeds) { seeds + 1 } else { self.complete_below() };
        let plan = if self.args.no_tables || self.args.no_search {
            plan::without_layers(self.rules, seeds, present, &limits)
        } else {
            plan::choose(self.rules, seeds, present, &limits)
        };
        if plan.layers > 0 || plan.nodes > 0.0 {
            let described = self.describe(&plan, present);
            self.plans.tell(described);
        }
        if !self.checked && plan.nodes > 0.0 {
            let begun = Instant::now();
            let control = interrupt.control();
            let _progress = Progress::start(&control, self.common.quiet);
            // A search reads table entries by the million, so damage is looked for once and before.
            match self.set.check_values(&control) {
                Err(TableError::Stopped(_)) => (),
                checked => {
                    checked?;
                    self.checked = true;
                }
            }
            *deadline = deadline.and_then(|deadline| deadline.checked_add(begun.elapsed()));
        }
        self.is_cut = plan.nodes > 0.0 && !self.checked;
        if plan.layers > present {
            let control = interrupt.control();
            // Building that takes longer than was reckoned leaves half of the time to the search.
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let kept = left.filter(|_| plan.nodes > 0.0).unwrap_or_default() / 2;
            control.set_deadline(deadline.and_then(|deadline| deadline.checked_sub(kept)));
            let _progress = Progress::start(&control, self.common.quiet);
            self.bytes += self.set.build(plan.layers, &control)?;
        }
        Ok(plan.hash_bytes)
    }

    fn describe(&self, plan: &Plan, present: u32) -> String {
        let layers = match (plan.layers, present) {
            (0, 0) => "no tables".to_owned(),
            (0, present) => format!("the tables up to {} seeds that are at hand", present - 1),
            (layers, present) => format!(
                "layers {present} to {} are built in memory ({}, about {})",
                layers - 1,
                size_text(plan.layer_bytes),
                time_text(plan.build_seconds)
            ),
        };
        if plan.nodes == 0.0 {
            return format!("plan: {layers}; they hold the position");
        }
        if self.is_repeating() {
            return format!(
                "plan: {layers}; then a search of at most {} with a hash of {} (--time sets another limit, building included)",
                time_text(plan.search_seconds),
                size_text(plan.hash_bytes)
            );
        }
        let hash = size_text(plan.hash_bytes);
        if self.rules.switches().is_some_and(|s| s.lap != Lap::Single) {
            return format!("plan: {layers}; then a search of unknown length with a hash of {hash}");
        }
        format!(
            "plan: {layers}; then a search of about {} positions ({}) with a hash of {hash}",
            count_text(plan.nodes),
            time_text(plan.search_seconds)
        )
    }
}
