//! `sowbase import`: files of other programs against our own tables.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use sowbase::tables::compare;

use super::export::LayerArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, is_closed_pipe, note, print, print_json};
use crate::cli::text::progress::Progress;

/// Compares a file of another program with a layer
#[derive(Args)]
pub struct Import {
    #[command(flatten)]
    which: LayerArgs,
    /// The file to compare
    #[arg(long, value_name = "FILE")]
    check: PathBuf,
}

impl Import {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        let (rules, set) = self.which.open(common)?;
        let (seeds, layout) = (self.which.layer, self.which.format);
        let layer = self.which.file(&set)?;
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let begun = Instant::now();
        let result = {
            let _progress = Progress::start(&control, common.quiet);
            compare(layer, &rules, layout, &self.check, &control)
        };
        let compared = match result {
            Err(error) if error.is_stop() => {
                note("stopped: not all of the file was read, so nothing is said about it");
                return Ok(interrupt.exit());
            }
            result => result?,
        };
        let (file, game) = (self.check.display().to_string(), rules.title());
        let (entries, different) = (compared.entries, compared.different);
        let printed = if common.json {
            let mut answer = json!({
                "game": game, "rules": rules.id(), "layer": seeds, "format": layout.name(), "file": file,
                "equal": different == 0, "entries": entries, "different": different,
            });
            if let Some(first) = &compared.first {
                answer["first"] = json!({
                    "entry": first.entry, "position": first.position.to_string(), "found": first.found,
                    "expected": first.expected,
                });
            }
            answer["seconds"] = begun.elapsed().as_secs_f64().into();
            print_json(&answer)
        } else {
            print(&match &compared.first {
                None => format!("{file}: all {entries} values are those of layer {seeds} of {game}\n"),
                Some(first) => format!(
                    "{file}: {different} of {entries} values are not those of layer {seeds} of {game}; the first is \
                     entry {}, {}: {} in the file, {} in the table\n",
                    first.entry, first.position, first.found, first.expected
                ),
            })
        };
        match printed {
            // The code tells what was found even if nobody reads the text.
            Err(error) if is_closed_pipe(&error) => {}
            printed => printed?,
        }
        Ok(if different == 0 { Exit::Done } else { Exit::Negative })
    }
}
