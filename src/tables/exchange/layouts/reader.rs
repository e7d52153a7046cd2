//! Reading what another program may have written.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use super::{ExchangeError, Layout, csv, npy};
use crate::index::Numbering;
use crate::rules::Rules;
use crate::tables::error::TableError;

/// Values in a file that another program may have written, read one batch after the other.
pub(in crate::tables) struct Reader<R> {
    file: R,
    path: PathBuf,
    layout: Layout,
    /// Lines read so far.
    line: u64,
    buffer: Vec<u8>,
}

/// No line of text is longer: 82 numbers and their commas.
const MAX_LINE: u64 = 1024;

impl<R: BufRead> Reader<R> {
    /// Begins to read a file of some length and compares what can be told at once.
    pub(in crate::tables) fn new(
        file: R,
        path: &Path,
        layout: Layout,
        layer: LayerOf<'_>,
        length: u64,
    ) -> Result<Self, ExchangeError> {
        let mut reader = Reader { file, path: path.into(), layout, line: 0, buffer: Vec::new() };
        match layout {
            Layout::Vu | Layout::Raw => layer.expect(path, "bytes", length)?,
            Layout::Npy => {
                let (header, values) = npy::read_header(&mut reader.file).map_err(|fault| match fault {
                    npy::BadHeader::Unreadable(error) => reader.unreadable(error),
                    npy::BadHeader::Wrong(reason) => reader.wrong(reason),
                })?;
                layer.expect(path, "values", values)?;
                layer.expect(path, "bytes of values", length.saturating_sub(header))?;
            }
            Layout::Csv => {
                reader.read_line()?;
                let header = csv::header(layer.rules.player_pits().into());
                if reader.buffer != header.trim_end().as_bytes() {
                    return Err(reader.wrong(format!("its first line is not `{}`", header.trim_end())));
                }
            }
        }
        Ok(reader)
    }

    fn unreadable(&self, error: io::Error) -> ExchangeError {
        TableError::io("read", &self.path)(error).into()
    }

    fn wrong(&self, reason: String) -> ExchangeError {
        ExchangeError::Contents { path: self.path.clone(), layout: self.layout, reason }
    }

    /// The next values, as many as `ours` has, whose first one is the entry `first`. Lines of text
    /// must be those of our positions.
    pub(in crate::tables) fn next(
        &mut self,
        numbering: &Numbering,
        layer: LayerOf<'_>,
        first: u64,
        ours: &[u8],
        values: &mut Vec<u8>,
    ) -> Result<(), ExchangeError> {
        values.clear();
        if self.layout != Layout::Csv {
            values.resize(ours.len(), 0);
            return self.file.read_exact(values).map_err(|error| self.unreadable(error));
        }
        let lines = csv::lines(numbering, layer.seeds, first, ours);
        let expected = lines.iter().flat_map(|text| text.lines());
        for ((index, &value), expected) in (first..).zip(ours).zip(expected) {
            if !self.read_line()? {
                layer.expect(&self.path, "lines of values", index)?;
            }
            if self.buffer == expected.as_bytes() {
                values.push(value);
                continue;
            }
            let Some(found) = value_of(&self.buffer, expected) else {
                let line = csv::line(numbering, layer.seeds, index, 0);
                let start = line.trim_end_matches('0');
                return Err(
                    self.wrong(format!("line {} is not `{start}` and a value from -128 to 127", self.line))
                );
            };
            values.push(found as u8);
        }
        Ok(())
    }

    /// Fails if there is more after the last entry.
    pub(in crate::tables) fn finish(mut self, layer: LayerOf<'_>) -> Result<(), ExchangeError> {
        if self.layout == Layout::Csv {
            while self.read_line()? {}
            // The names of the columns are one line more.
            layer.expect(&self.path, "lines of values", self.line - 1)?;
        }
        Ok(())
    }

    /// Reads a line without its end into the buffer; false at the end of the file.
    fn read_line(&mut self) -> Result<bool, ExchangeError> {
        self.buffer.clear();
        let read = (&mut self.file).take(MAX_LINE).read_until(b'\n', &mut self.buffer);
        if read.map_err(|error| self.unreadable(error))? == 0 {
            return Ok(false);
        }
        self.line += 1;
        if self.buffer.len() as u64 == MAX_LINE {
            return Err(self.wrong(format!("line {} is too long", self.line)));
        }
        for end in [b'\n', b'\r'] {
            if self.buffer.last() == Some(&end) {
                self.buffer.pop();
            }
        }
        Ok(true)
    }
}

/// The value of a line that is the expected one in all but that.
fn value_of(line: &[u8], expected: &str) -> Option<i8> {
    let line = str::from_utf8(line).ok()?;
    let ((start, value), (expected, _)) = (line.rsplit_once(',')?, expected.rsplit_once(',')?);
    if start == expected { value.parse().ok() } else { None }
}

/// The layer that a file should hold.
#[derive(Clone, Copy)]
pub(in crate::tables) struct LayerOf<'a> {
    pub(in crate::tables) rules: &'a Rules,
    pub(in crate::tables) seeds: u32,
    /// Entries in the layout.
    pub(in crate::tables) entries: u64,
}

impl LayerOf<'_> {
    /// Fails unless there is one of something for each entry.
    fn expect(self, path: &Path, unit: &'static str, found: u64) -> Result<(), ExchangeError> {
        if found == self.entries {
            return Ok(());
        }
        let (game, seeds, expected) = (self.rules.full_title(), self.seeds, self.entries);
        Err(ExchangeError::Length { path: path.into(), unit, found, expected, game, seeds })
    }
}
