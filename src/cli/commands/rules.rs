//! `sowbase rules`: the games, and what exactly their rules are.

use std::fmt::Write;

use clap::{Args, Subcommand};
use serde_json::json;
use sowbase::rules;

use crate::cli::game::GameArgs;
use crate::cli::options::Common;
use crate::cli::text::output::{Exit, json_line, print, print_json};

/// The games; one game's complete rule set as TOML
#[derive(Args)]
pub struct RulesCommand {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// The games, with one sentence each
    List,
    /// The complete rule set of a game, in the form that `--rules FILE` reads
    Show(GameArgs),
}

impl RulesCommand {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("`sowbase info DIR` shows the rules of tables")?;
        match self.what.unwrap_or(What::List) {
            What::List => list(common.json)?,
            What::Show(game) => {
                let rules = game.rules()?;
                if common.json { print_json(&rules)? } else { print(&rules.to_toml())? }
            }
        }
        Ok(Exit::Done)
    }
}

fn list(as_json: bool) -> anyhow::Result<()> {
    let mut text = String::new();
    let width = rules::names().map(str::len).max().unwrap_or(0);
    for rules in rules::names().filter_map(rules::preset) {
        if as_json {
            text += &json_line(&json!({ "game": rules.title(), "about": rules.about() }));
        } else {
            let _ = writeln!(
                text,
                "{:width$}  {}x{:<3} {}",
                rules.name(),
                rules.pits(),
                rules.seeds(),
                rules.about()
            );
        }
    }
    print(&text)
}
