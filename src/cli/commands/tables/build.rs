//! `sowbase build`: endgame tables on disk.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde_json::json;
use sowbase::tables::{BuildEvent, BuildPlan, build};

use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{Common, DATABASES};
use crate::cli::text::output::{Exit, counted, note, print, print_json};
use crate::cli::text::progress::Progress;
use crate::cli::text::remedy::said_of_fault;

/// Builds the endgame tables of every layer 0..N, or of the whole board of a game of four rows
#[derive(Args)]
pub struct Build {
    #[command(flatten)]
    game: GameArgs,
    /// The highest layer: positions with up to N seeds in the pits. Left out where no seed leaves the board
    #[arg(long, value_name = "N")]
    seeds_up_to: Option<u32>,
    /// The folder for the tables; each game gets one of its own in it
    #[arg(long, value_name = "DIR", default_value = DATABASES)]
    out: PathBuf,
    /// Builds bounds too, which hold whatever a repetition is worth
    #[arg(long)]
    bounds: bool,
}

impl Build {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("name the folder to build in with --out")?;
        let rules = self.game.rules()?;
        let (game, id) = (rules.title(), rules.id());
        let memory = common.memory_asked()?;
        let up_to = match self.seeds_up_to {
            Some(seeds) => seeds,
            None if rules.four_rows().is_some() => rules.start_seeds(),
            None => bail!("--seeds-up-to is missing; give the seeds of the highest layer to build"),
        };
        let plan = BuildPlan::new(&rules, up_to, self.out).memory(memory).bounds(self.bounds);
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let begun = Instant::now();
        let result = {
            let progress = Progress::start(&control, common.quiet);
            build(&plan, &control, |event| describe(event, &progress))
        };
        let report = match result {
            Err(error) if error.is_stop() => {
                let folder = plan.folder().display().to_string();
                note(&match plan.rules.four_rows() {
                    Some(_) => {
                        format!("stopped: a board is built as a whole, so nothing of it is kept in {folder}")
                    }
                    None => format!(
                        "stopped: the layers finished so far are kept in {folder}; the same command goes on from there"
                    ),
                });
                return Ok(interrupt.exit());
            }
            result => result?,
        };
        let (folder, seconds) = (report.folder.display().to_string(), begun.elapsed().as_secs_f64());
        if common.json {
            print_json(&json!({
                "game": game, "rules": id, "folder": folder, "kept": report.kept, "built": report.built,
                "repaired": report.repaired, "positions": report.positions, "seconds": seconds,
            }))?;
        } else {
            let repaired = match report.repaired {
                0 => String::new(),
                repaired => format!(" ({repaired} in place of damaged ones)"),
            };
            let [one, more] = if self.bounds { ["file", "files"] } else { ["layer", "layers"] };
            print(&format!(
                "{folder}: {} built{repaired} with {} positions, {} kept, {seconds:.2} s\n",
                counted(report.built.into(), one, more),
                report.positions,
                report.kept
            ))?;
        }
        Ok(interrupt.exit())
    }
}

fn describe(event: &BuildEvent, progress: &Progress) {
    match event {
        BuildEvent::Built { name, positions, .. } => {
            progress.note(format!("layer {name}: built, {positions} positions"));
        }
        BuildEvent::Kept { name } => progress.note(format!("layer {name}: kept")),
        BuildEvent::Damaged { file, fault, .. } => {
            progress.note(format!("{} is built again: {}", file.display(), said_of_fault(fault)));
        }
        BuildEvent::ManifestRepaired { fault } => {
            let fault = said_of_fault(fault);
            progress.note(format!("the record of the folder is written again: {fault}"));
        }
        _ => (),
    }
}
