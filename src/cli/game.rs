//! Naming a game on the command line.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use sowbase::rules::{self, Rules};

/// Longest rule file read, in bytes: many times what a complete rule set takes.
const LONGEST: u64 = 1 << 16;

/// The game and its rules.
#[derive(Args)]
pub struct GameArgs {
    /// NAME or NAME:PITSxSEEDS, such as kalah or kalah:6x4
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Sets one rule switch; repeatable
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    pub switches: Vec<String>,
    /// A file with a complete rule set, as `sowbase rules show` prints it
    #[arg(long = "rules", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

impl GameArgs {
    /// The rule set asked for.
    pub fn rules(&self) -> anyhow::Result<Rules> {
        let mut rules = match &self.file {
            Some(file) => from_file(file, &self.game)?,
            None => rules::game(&self.game)?,
        };
        for switch in &self.switches {
            let Some((key, value)) = switch.split_once('=') else {
                bail!("--rule {switch} has no value; write it as KEY=VALUE, such as empty-capture=yes");
            };
            rules.set(key.trim(), value.trim())?;
        }
        Ok(rules)
    }
}

/// A game as it is named on the command line, of [`Rules::full_title`]: `kalah:6x4 --rule empty-capture=yes`.
pub fn as_typed(full_title: &str) -> String {
    let (game, changes) = full_title.split_once(" with ").unwrap_or((full_title, ""));
    let changes = changes.split(", ").filter(|change| !change.is_empty());
    game.to_owned() + &changes.map(|change| format!(" --rule {change}")).collect::<String>()
}

fn from_file(file: &Path, game: &str) -> anyhow::Result<Rules> {
    let shown = file.display();
    let mut text = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut text));
    let read = read.with_context(|| format!("cannot read the rule file {shown}"))?;
    if read as u64 > LONGEST {
        bail!("{shown} is longer than {LONGEST} bytes; a rule file is what `sowbase rules show GAME` prints");
    }
    let Ok(text) = String::from_utf8(text) else {
        bail!("{shown} is no text; a rule file is what `sowbase rules show GAME` prints");
    };
    let mut rules = rules::from_toml(&text).with_context(|| shown.to_string())?;
    let (name, size) = game.split_once(':').map_or((game, None), |(name, size)| (name, Some(size)));
    if name != rules.name() {
        bail!(
            "{shown} holds the rules of {}, not of {name}; name that game, with or without a size",
            rules.name()
        );
    }
    if let Some(size) = size {
        rules.resize(size)?;
    }
    Ok(rules)
}
