//! Options that several commands share, and the reading of their values.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use sowbase::machine::free_memory;
pub use sowbase::machine::size_text;
use sowbase::rules::Rules;
use sowbase::solve::{Means, TableSource};
use sowbase::tables::{Access, TableError, TableSet};

/// Less memory than this is refused: the smallest table of positions would not fit.
const LEAST_MEMORY: u64 = 16 << 20;

/// The folder that is looked into for tables, and that they are built in, unless one is named.
pub const DATABASES: &str = "databases";

/// How the program reads tables.
// SAFETY: the program writes tables by `build` alone, which never touches a finished file: it is made read-only
// under another name, moved to its own by a rename, and replaced by a rename too, which leaves a mapped file as it
// was. Who overrides the permission and edits a table in place while a program uses it breaks the contract, and
// `docs/FORMAT.md` says so.
pub const ACCESS: Access = unsafe { Access::map() };

/// Options of every command.
#[derive(Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// A folder with tables; repeatable; replaces the default `databases`
    #[arg(long, global = true, value_name = "DIR")]
    pub tables: Vec<PathBuf>,
    /// Threads to work with [default: one per processor]
    #[arg(long, global = true, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Memory to use, such as 4GiB or 1.5GB [default: half of the free memory]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Answer in JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no plan on stderr
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Common {
    /// Threads to work with.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// Bytes of memory to use, by default half of what is free.
    pub fn memory(&self) -> anyhow::Result<u64> {
        Ok(self.memory_asked()?.unwrap_or_else(|| (free_memory() / 2).max(LEAST_MEMORY)))
    }

    /// Bytes of memory that `--memory` allows. More than there is would end in a crash, not in an
    /// error, so it is refused.
    pub fn memory_asked(&self) -> anyhow::Result<Option<u64>> {
        let (asked, free) = (self.memory, free_memory());
        if asked.is_some_and(|asked| asked > free) {
            bail!("--memory asks for more than the {} that are free; give less", size_text(free));
        }
        Ok(asked)
    }

    /// What a solver may use.
    pub fn means(&self, no_tables: bool) -> anyhow::Result<Means> {
        let tables = match (no_tables, self.tables.is_empty()) {
            (true, _) => TableSource::Nothing,
            (false, true) => TableSource::Default(DATABASES.into()),
            (false, false) => TableSource::Folders(self.tables.clone()),
        };
        let means = Means::default().with_threads(self.threads()).with_memory(self.memory()?);
        let mut means = means.with_tables(tables);
        means.access = ACCESS;
        Ok(means)
    }

    /// Makes the parallel loops use the threads asked for.
    pub fn start_threads(&self) -> anyhow::Result<()> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads())
            .build_global()
            .context("cannot start the threads; give a smaller --threads")
    }

    /// The tables of a rule set in the folders asked for.
    pub fn open_tables(&self, rules: &Rules) -> Result<TableSet, TableError> {
        match self.tables.is_empty() {
            true => TableSet::open_default_with(Path::new(DATABASES), rules, ACCESS),
            false => TableSet::open_with(&self.tables, rules, ACCESS),
        }
    }

    /// Refuses `--tables` for a command that reads none.
    pub fn refuse_tables(&self, instead: &str) -> anyhow::Result<()> {
        if !self.tables.is_empty() {
            bail!("--tables has no meaning here; {instead}");
        }
        Ok(())
    }
}

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("threads are a number from 1 to 1024".into()),
    }
}

/// Reads bytes, such as `4GiB`, `1.5GB` or `1000000`.
fn parse_size(text: &str) -> Result<u64, String> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => {
            return Err(
                "a size is a number of bytes, or one with a unit such as 512MiB, 4GiB or 1.5GB".into()
            );
        }
    };
    let number: f64 = number.parse().map_err(|_| "a size begins with a number, as in 4GiB")?;
    // The conversion saturates, so no number is too large for it.
    let bytes = (number * factor) as u64;
    if bytes < LEAST_MEMORY {
        return Err(format!("at least {} are needed", size_text(LEAST_MEMORY)));
    }
    Ok(bytes)
}

/// Reads a time in seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a time is a number of seconds from 0, such as 60 or 0.5".into())
}

/// A rough number as people read it.
pub fn count_text(count: f64) -> String {
    match count {
        0.0..1e3 => format!("{count:.0}"),
        1e3..1e6 => format!("{:.0} thousand", count / 1e3),
        1e6..1e9 => format!("{:.1} million", count / 1e6),
        1e9..1e15 => format!("{:.1} billion", count / 1e9),
        _ => format!("{count:.0e}"),
    }
}

/// A rough time as people read it.
pub fn time_text(seconds: f64) -> String {
    match seconds {
        0.0..100.0 => format!("{:.1} s", seconds.max(0.1)),
        100.0..6e3 => format!("{:.0} minutes", seconds / 60.0),
        6e3..1.7e5 => format!("{:.0} hours", seconds / 3600.0),
        1.7e5..6e7 => format!("{:.0} days", seconds / 86400.0),
        _ => "years".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        assert_eq!(parse_size("4GiB"), Ok(4 << 30));
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1.5GB"), Ok(1_500_000_000));
        assert_eq!(parse_size("20000000"), Ok(20_000_000));
        for wrong in ["", "GiB", "4 giga", "-4GiB", "1.2.3GB", "1KiB", "nan", "4GiBs"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_size("99999999999999TiB"), Ok(u64::MAX));
    }

    #[test]
    fn times_are_finite() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "-1", "inf", "nan", "1e300", "soon"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
