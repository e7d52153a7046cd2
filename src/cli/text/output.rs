//! Where results and errors go, and how the program ends.

use std::io::{self, Write};

use anyhow::Context;
use serde::Serialize;

/// How the program ends; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// The answer is negative.
    Negative = 1,
    /// Wrong usage or an error.
    Refused = 2,
    /// Ended by Ctrl-C.
    Interrupted = 130,
}

/// Writes a whole result to stdout.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context(CANNOT_WRITE)
}

/// Writes a whole text for people to stdout, with its styles if the terminal has colours and nobody asks
/// to leave them out (`NO_COLOR`).
pub fn print_styled(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::AutoStream::auto(io::stdout().lock());
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context(CANNOT_WRITE)
}

/// Writes one JSON object and the end of the line to stdout.
pub fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print(&json_line(object))
}

/// One JSON object and the end of the line.
pub fn json_line(object: &impl Serialize) -> String {
    let mut line = serde_json::to_string(object).expect("the records have only text keys");
    line.push('\n');
    line
}

/// Whether the reader of the output has gone, which is no error.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_closed))
}

/// What a failed write to stdout is called.
pub const CANNOT_WRITE: &str = "cannot write the result to the standard output";

/// Writes `error: ...` to stderr, in one line whatever the text quotes.
pub fn print_error(sentence: &str) {
    note(&format!("error: {sentence}"));
}

/// Writes one line to stderr. A closed stderr is no reason to fail.
pub fn note(line: &str) {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(io::stderr(), "{line}");
}

/// Notes about one position after the other, of which each is told once in a row.
pub struct Notes {
    quiet: bool,
    last: String,
}

impl Notes {
    /// None was told yet, and if it is to be quiet none will be.
    pub fn new(quiet: bool) -> Notes {
        Notes { quiet, last: String::new() }
    }

    /// Tells a note, unless it is the last one again.
    pub fn tell(&mut self, line: String) {
        if !self.quiet && line != self.last {
            note(&line);
            self.last = line;
        }
    }
}

/// A number with the word for one or for more.
pub fn counted(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
