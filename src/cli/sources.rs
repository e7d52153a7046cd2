//! The tables a session answers from: those on disk and the layers built in memory.

use anyhow::Context;
use sowbase::control::Control;
use sowbase::retrograde::Layers;
use sowbase::rules::Rules;
use sowbase::tables::Values;

use super::options::{Common, size_text};
use super::output::note;
use super::plan::{self, Limits, Plan};
use super::session::SearchArgs;

/// Tables of one rule set.
pub struct Sources<'a> {
    rules: &'a Rules,
    args: &'a SearchArgs,
    common: &'a Common,
    limits: Limits,
    memory: Vec<Vec<i8>>,
}

impl<'a> Sources<'a> {
    /// The tables on disk that the options name.
    pub fn open(rules: &'a Rules, args: &'a SearchArgs, common: &'a Common) -> anyhow::Result<Sources<'a>> {
        let limits = Limits { memory: common.memory(), time: args.time.map(|time| time.as_secs_f64()) };
        Ok(Sources { rules, args, common, limits, memory: Vec::new() })
    }

    /// The layers to look into.
    pub fn values(&self) -> Values<'_> {
        Values { layers: self.memory.iter().map(|layer| Some(layer.as_slice())).collect() }
    }

    /// Whether a table holds the positions with a number of seeds.
    pub fn has_layer(&self, seeds: u32) -> bool {
        (seeds as usize) < self.memory.len()
    }

    /// Why the tables on disk do not answer a position with a number of seeds, if they do not.
    pub fn uncovered(&self, seeds: u32) -> Option<String> {
        let _ = seeds;
        None
    }

    /// Builds what pays before a position with a number of seeds is solved, and returns the bytes
    /// for the search's table of positions.
    pub fn prepare(&mut self, seeds: u32, is_over: bool, control: &Control) -> anyhow::Result<u64> {
        let present = self.memory.len() as u32;
        let plan = if self.args.no_tables {
            plan::without_tables(self.rules, seeds, &self.limits)
        } else {
            plan::choose(self.rules, seeds, present, &self.limits)
        };
        if is_over || (self.args.no_search && plan.nodes > 0.0) {
            return Ok(0);
        }
        if !self.common.quiet {
            note(&self.describe(&plan));
        }
        self.build(plan.layers, control)?;
        Ok(plan.hash_bytes)
    }

    fn describe(&self, plan: &Plan) -> String {
        let layers = match plan.layers {
            0 => "no layers in memory".to_owned(),
            layers => format!(
                "layers 0 to {} in memory ({}, about {:.1} s)",
                layers - 1,
                size_text(plan.layer_bytes),
                plan.build_seconds
            ),
        };
        if plan.nodes == 0.0 {
            return format!("plan: {layers}, no search");
        }
        format!(
            "plan: {layers}, then a search of about {:.0} positions ({:.1} s) with a hash of {}",
            plan.nodes,
            plan.search_seconds,
            size_text(plan.hash_bytes)
        )
    }

    /// Builds the layers 0..layers as far as the control allows; those built before are kept.
    fn build(&mut self, layers: u32, control: &Control) -> anyhow::Result<()> {
        if layers as usize <= self.memory.len() {
            return Ok(());
        }
        let mut builder = Layers::new(self.rules, layers - 1).context("cannot build layers in memory")?;
        for values in std::mem::take(&mut self.memory) {
            builder.adopt(values);
        }
        let positions = (builder.next()..layers).map(|seeds| builder.numbering().layer(seeds).size()).sum();
        control.begin(format!("building layers up to {} seeds", layers - 1), positions);
        while builder.next() < layers {
            if builder.build_next(control).is_err() {
                break;
            }
        }
        self.memory = builder.into_layers();
        control.begin("searching", 0);
        Ok(())
    }
}
