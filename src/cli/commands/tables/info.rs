//! `sowbase info`: what tables there are.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use sowbase::tables::{Contents, Header, Layer, Quantity, contents};

use crate::cli::options::{Common, size_text};
use crate::cli::text::output::{Exit, json_line, print};
use crate::cli::text::remedy::said_of_fault;

/// What is there: rules, layers, sizes, checksums
#[derive(Args)]
pub struct Info {
    /// A folder with tables
    dir: PathBuf,
}

impl Info {
    /// Runs the command.
    pub fn run(self, common: &Common) -> anyhow::Result<Exit> {
        common.refuse_tables("give the folder as the argument of info")?;
        let found = contents(&self.dir)?;
        let tell = if common.json { as_json } else { as_text };
        print(&found.iter().map(tell).collect::<String>())?;
        Ok(Exit::Done)
    }
}

fn as_json(found: &Contents) -> String {
    let (values, bounds): (Vec<_>, Vec<_>) =
        found.layers.iter().map(Layer::header).partition(|header| header.quantity() == Quantity::Value);
    let file = |header: &&Header| {
        json!({
            "seeds": header.seeds(), "positions": header.positions(), "bytes": header.file_length(),
            "checksum": format!("{:032x}", header.values_checksum()), "generator": header.generator(),
        })
    };
    let of = |quantity| -> Vec<_> {
        bounds.iter().filter(|header| header.quantity() == quantity).map(file).collect()
    };
    let faults = found.faults.iter();
    let faults = faults
        .map(|(file, fault)| json!({ "file": file.display().to_string(), "fault": said_of_fault(fault) }));
    let mut told = json!({
        "game": found.game, "rules": found.rules, "folder": found.folder.display().to_string(),
        "rule_text": found.rule_text, "layers": values.iter().map(file).collect::<Vec<_>>(),
    });
    if !bounds.is_empty() {
        told["bounds"] = json!({ "lower": of(Quantity::Lower), "upper": of(Quantity::Upper) });
    }
    told["faults"] = faults.collect();
    json_line(&told)
}

fn as_text(found: &Contents) -> String {
    let mut text = format!("{}: tables of {}, rules {}\n", found.folder.display(), found.game, found.rules);
    let rules: Vec<&str> = found.rule_text.lines().collect();
    let bounds = found.layers.iter().any(|layer| layer.header().quantity() != Quantity::Value);
    let (width, first) = if bounds { (9, "layer") } else { (5, "seeds") };
    let _ = writeln!(
        text,
        "{}\n\n{first:<width$}  {:>15}  {:>10}  checksum of the values",
        rules.join(", "),
        "positions",
        "size"
    );
    for layer in &found.layers {
        let header = layer.header();
        let size = size_text(header.file_length());
        let _ = writeln!(
            text,
            "{:>width$}  {:>15}  {size:>10}  {:032x}",
            header.name(),
            header.positions(),
            header.values_checksum()
        );
    }
    for (file, fault) in &found.faults {
        let _ = writeln!(text, "{}: {}", file.display(), said_of_fault(fault));
    }
    text
}
