//! Positions from stdin, one a line, and answers as soon as they are known.

use std::io::{self, BufRead, BufReader, BufWriter, Read, StdinLock, StdoutLock, Write};

use anyhow::Context;
use serde_json::json;
use sowbase::board::Position;
use sowbase::rules::Rules;

use super::text::output::{CANNOT_WRITE, json_line};
use super::text::remedy::said;

/// Longest line read, in bytes: many times what a position of the largest board takes.
const LONGEST: usize = 1 << 16;

/// Reads positions and writes JSON lines. Answers are held back only while further input is at
/// hand, never while it waits for more.
pub struct Batch<'a> {
    rules: &'a Rules,
    input: BufReader<StdinLock<'static>>,
    output: BufWriter<StdoutLock<'static>>,
}

impl<'a> Batch<'a> {
    /// A batch of positions of a game.
    pub fn new(rules: &'a Rules) -> Batch<'a> {
        Batch {
            rules,
            input: BufReader::new(io::stdin().lock()),
            output: BufWriter::new(io::stdout().lock()),
        }
    }

    /// The next position; lines that are none are answered on the way. `None` at the end.
    /// `waiting` is told when the wait for input begins (true) and ends.
    pub fn read(&mut self, waiting: impl Fn(bool)) -> anyhow::Result<Option<Position>> {
        loop {
            if !self.input.buffer().contains(&b'\n') {
                self.output.flush().context(CANNOT_WRITE)?;
            }
            waiting(true);
            let line = self.line();
            waiting(false);
            let parsed = match line.context("cannot read positions from the standard input")? {
                None => return self.output.flush().context(CANNOT_WRITE).map(|()| None),
                Some(Line::Text(line)) => {
                    Position::parse(self.rules, &line).map_err(|error| said(&error.into()))
                }
                Some(Line::TooLong) => Err(format!("the line is longer than {LONGEST} bytes")),
            };
            match parsed {
                Ok(position) => return Ok(Some(position)),
                Err(error) => self.write_error(&error)?,
            }
        }
    }

    /// Writes the answer to the position read last.
    pub fn write(&mut self, answer: &impl serde::Serialize) -> anyhow::Result<()> {
        self.output.write_all(json_line(answer).as_bytes()).context(CANNOT_WRITE)
    }

    /// Writes why the line read last has no answer.
    pub fn write_error(&mut self, error: &str) -> anyhow::Result<()> {
        self.write(&json!({ "error": error }))
    }

    fn line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        (&mut self.input).take(LONGEST as u64).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.len() == LONGEST && line.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(Line::Text(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())))
    }
}

enum Line {
    Text(String),
    TooLong,
}
