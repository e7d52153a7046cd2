//! `sowbase man`: manual pages.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, print};

/// The manual page on stdout, or the pages of all commands in a folder
#[derive(Args)]
pub struct Man {
    /// Writes one page a command into this folder
    dir: Option<PathBuf>,
}

impl Man {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("manual pages are the same for all tables")?;
        match self.dir {
            Some(dir) => fs::create_dir_all(&dir)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), &dir))
                .with_context(|| format!("cannot write manual pages into {}", dir.display()))?,
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(Cli::command()).render(&mut page)?;
                print(&String::from_utf8_lossy(&page))?;
            }
        }
        Ok(Exit::Done)
    }
}
