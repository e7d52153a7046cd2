//! `sowbase verify`: whether tables are what was written, and whether they are true.

use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use sowbase::search::{ProofError, check_proof};
use sowbase::tables::{Finding, TableError, verify_within};

use crate::cli::game::as_typed;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{ACCESS, Common};
use crate::cli::text::output::{Exit, counted, is_closed_pipe, note, print, print_json};
use crate::cli::text::progress::Progress;
use crate::cli::text::remedy::{said, said_of_fault};

/// Checks tables against their checksums and the rules, or replays a proof
#[derive(Args)]
pub struct Verify {
    /// A folder with tables
    dir: Option<PathBuf>,
    /// Compares every entry with the rules too
    #[arg(long)]
    deep: bool,
    /// Replays a proof that `solve --proof` has written, instead of a folder
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "deep"])]
    proof: Option<PathBuf>,
}

impl Verify {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("give the folder as the argument of verify")?;
        let memory = common.memory_asked()?;
        let interrupt = Interrupt::listen()?;
        let dir = match (&self.proof, &self.dir) {
            (Some(file), _) => return replay(file, &interrupt, common),
            (_, Some(dir)) => dir,
            (None, None) => bail!("name a folder with tables, or a proof with --proof"),
        };
        let control = interrupt.control();
        let result = {
            let _progress = Progress::start(&control, common.quiet);
            verify_within(dir, self.deep, memory, ACCESS, &control)
        };
        let report = match result {
            Err(TableError::Stopped(_)) => {
                note("stopped: not all files were read, so nothing is said about them");
                return Ok(interrupt.exit());
            }
            result => result?,
        };
        let printed = if common.json {
            let fault = |found: &Finding| json!({ "file": found.file.display().to_string(), "fault": said_of_fault(&found.fault) });
            let faults: Vec<_> = report.faults.iter().map(fault).collect();
            print_json(&json!({ "ok": faults.is_empty(), "files": report.files, "faults": faults }))
        } else {
            let mut text = String::new();
            for found in &report.faults {
                let _ = writeln!(text, "{}: {}", found.file.display(), said_of_fault(&found.fault));
            }
            let faults = match report.faults.len() {
                0 if self.deep => "every entry follows from the rules".to_owned(),
                0 => "no fault".to_owned(),
                faults => counted(faults as u64, "fault", "faults"),
            };
            let _ = writeln!(text, "{}: {faults}", counted(report.files, "file", "files"));
            print(&text)
        };
        told(printed, if report.faults.is_empty() { Exit::Done } else { Exit::Negative })
    }
}

/// The code that tells what was found, even if nobody reads the text.
fn told(printed: anyhow::Result<()>, exit: Exit) -> anyhow::Result<Exit> {
    match printed {
        Err(error) if !is_closed_pipe(&error) => Err(error),
        _ => Ok(exit),
    }
}

/// Replays a proof.
fn replay(file: &Path, interrupt: &Interrupt, common: &Common) -> anyhow::Result<Exit> {
    let control = interrupt.control();
    let shown = file.display();
    let from = File::open(file).with_context(|| format!("cannot read the proof {shown}"))?;
    let checked = {
        let _progress = Progress::start(&control, common.quiet);
        check_proof(BufReader::new(from), &control)
    };
    let (answer, text, exit) = match checked {
        Ok(checked) => {
            let rules = &checked.rules;
            let (position, within) = (checked.position.to_text(rules), checked.claim.within);
            let (outcome, steps) = (checked.claim.outcome(), checked.steps);
            let text = format!(
                "{}  {position}\nProven in {}: a {outcome} within {}.\n",
                as_typed(&rules.full_title()),
                counted(steps, "step", "steps"),
                counted(within.into(), "ply", "plies")
            );
            let answer = json!({
                "ok": true, "file": shown.to_string(), "game": rules.title(), "rules": rules.id(),
                "position": position, "value": outcome.name(), "within": within, "steps": steps, "faults": [],
            });
            (answer, text, Exit::Done)
        }
        Err(ProofError::Stopped(_)) => {
            note("stopped: not all steps were replayed, so nothing is said about the proof");
            return Ok(interrupt.exit());
        }
        Err(ProofError::Io(error)) => {
            return Err(error).with_context(|| format!("cannot read the proof {shown}"));
        }
        Err(fault) => {
            let fault = said(&fault.into());
            let answer = json!({
                "ok": false, "file": shown.to_string(), "faults": [{ "file": shown.to_string(), "fault": &fault }],
            });
            (answer, format!("{shown}: {fault}\n"), Exit::Negative)
        }
    };
    told(if common.json { print_json(&answer) } else { print(&text) }, exit)
}
