//! `sowbase completions`: completion scripts for shells.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, print};

/// A completion script for a shell, on stdout
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("completions are the same for all tables")?;
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "sowbase", &mut script);
        print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
