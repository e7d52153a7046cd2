//! `sowbase verify`: whether tables are what was written, and whether they are true.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use sowbase::tables::{TableError, verify_within};

use super::interrupt::Interrupt;
use super::options::Common;
use super::output::{Exit, is_closed_pipe, note, print, print_json};
use super::progress::Progress;

/// Checks tables against their checksums
#[derive(Args)]
pub struct Verify {
    /// A folder with tables
    dir: PathBuf,
    /// Compares every entry with the rules too
    #[arg(long)]
    deep: bool,
}

impl Verify {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("give the folder as the argument of verify")?;
        let memory = common.memory_asked()?;
        let interrupt = Interrupt::listen()?;
        let control = interrupt.control();
        let result = {
            let _progress = Progress::start(&control, common.quiet);
            verify_within(&self.dir, self.deep, memory, &control)
        };
        let report = match result {
            Err(TableError::Stopped(_)) => {
                note("stopped: not all files were read, so nothing is said about them");
                return Ok(interrupt.exit());
            }
            result => result?,
        };
        let printed = if common.json {
            let fault = |found: &sowbase::tables::Finding| json!({ "file": found.file.display().to_string(), "fault": found.fault.to_string() });
            let faults: Vec<_> = report.faults.iter().map(fault).collect();
            print_json(&json!({ "ok": faults.is_empty(), "files": report.files, "faults": faults }))
        } else {
            let mut text = String::new();
            for found in &report.faults {
                let _ = writeln!(text, "{}: {}", found.file.display(), found.fault);
            }
            let faults = match report.faults.len() {
                0 if self.deep => "every entry follows from the rules".to_owned(),
                0 => "no fault".to_owned(),
                1 => "1 fault".to_owned(),
                faults => format!("{faults} faults"),
            };
            let _ = writeln!(text, "{} files: {faults}", report.files);
            print(&text)
        };
        match printed {
            // The code tells what was found even if nobody reads the text.
            Err(error) if is_closed_pipe(&error) => {}
            printed => printed?,
        }
        Ok(if report.faults.is_empty() { Exit::Done } else { Exit::Negative })
    }
}
