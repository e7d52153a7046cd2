//! `sowbase completions`: completion scripts for shells.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use super::options::Common;
use super::output::{Exit, print};

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
