//! `sowbase export`: layers in the forms of other programs.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use sowbase::rules::Rules;
use sowbase::tables::{Layer, Layout, TableError, TableSet, export};

use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, note, print, print_json};
use crate::cli::text::progress::Progress;

/// Writes the values of a layer for other programs
#[derive(Args)]
pub struct Export {
    #[command(flatten)]
    which: LayerArgs,
    /// The file, or a folder for a file of the usual name
    #[arg(long, value_name = "FILE_OR_DIR", default_value = ".")]
    out: PathBuf,
    /// Replaces a file that is there
    #[arg(long)]
    force: bool,
}

/// A layer of a game and how it is laid out.
#[derive(Args)]
pub struct LayerArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The layer: positions with N seeds in the pits
    #[arg(long, value_name = "N")]
    pub layer: u32,
    /// The layout of the file
    #[arg(long, value_name = "FORMAT", value_parser = layout_parser())]
    pub format: Layout,
}

fn layout_parser() -> impl TypedValueParser<Value = Layout> {
    PossibleValuesParser::new(Layout::ALL.map(Layout::name)).try_map(|name| name.parse::<Layout>())
}

impl LayerArgs {
    /// The rules and the tables that the options name.
    pub fn open(&self, common: &Common) -> anyhow::Result<(Rules, TableSet)> {
        let rules = self.game.rules()?;
        let set = common.open_tables(&rules)?;
        Ok((rules, set))
    }

    /// The file of the layer.
    pub fn file<'a>(&self, set: &'a TableSet) -> Result<&'a Layer, TableError> {
        set.file(self.layer).ok_or_else(|| set.missing(self.layer))
    }
}

impl Export {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        let (rules, set) = self.which.open(common)?;
        let (seeds, layout) = (self.which.layer, self.which.format);
        let layer = self.which.file(&set)?;
        let file = match self.out.is_dir() {
            true => self.out.join(layout.file_name(&rules, seeds)),
            false => self.out,
        };
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let begun = Instant::now();
        let result = {
            let _progress = Progress::start(&control, common.quiet);
            export(layer, &rules, layout, &file, self.force, &control)
        };
        let exported = match result {
            Err(error) if error.is_stop() => {
                note("stopped: the file was not finished, so it was not kept");
                return Ok(interrupt.exit());
            }
            result => result?,
        };
        let (file, record) = (exported.file.display().to_string(), exported.record.display().to_string());
        let (game, seconds) = (rules.title(), begun.elapsed().as_secs_f64());
        if common.json {
            print_json(&json!({
                "game": game, "rules": rules.id(), "layer": seeds, "format": layout.name(), "file": file,
                "record": record, "entries": exported.entries, "bytes": exported.bytes,
                "checksum": format!("{:032x}", exported.checksum), "seconds": seconds,
            }))?;
        } else {
            print(&format!(
                "{file}: {} values of layer {seeds} of {game}, described in {record}, {seconds:.2} s\n",
                exported.entries
            ))?;
        }
        Ok(interrupt.exit())
    }
}
