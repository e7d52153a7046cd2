//! Prints the checksums of all tables in a folder, or compares them with a list.
//!
//! usage: checksums DIR [LIST]
//!
//! Without LIST it prints one line a layer, in the form of `databases/CHECKSUMS`. With LIST it prints
//! the layers whose values differ from it and ends with code 1 if there are any, 2 after an error.
//! Checksums are computed from the values, not taken from the headers.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use sowbase::control::Control;
use sowbase::tables::{compare_checksums, folder_checksums, read_checksums};

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (dir, list) = match &arguments[..] {
        [dir] => (dir, None),
        [dir, list] => (dir, Some(read_checksums(Path::new(list))?)),
        _ => return Err("usage: checksums DIR [LIST]".into()),
    };
    let found = folder_checksums(Path::new(dir), &Control::default())?;
    let mut out = std::io::stdout().lock();
    let Some(list) = list else {
        for line in &found {
            writeln!(out, "{line}")?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let comparison = compare_checksums(&found, &list);
    for (found, listed) in &comparison.different {
        writeln!(out, "{found} differs from the list: {:032x}", listed.checksum)?;
    }
    let (equal, different, unknown) =
        (comparison.equal, comparison.different.len(), comparison.unknown.len());
    writeln!(out, "{equal} equal, {different} different, {unknown} not in the list")?;
    Ok(ExitCode::from(u8::from(different > 0)))
}
