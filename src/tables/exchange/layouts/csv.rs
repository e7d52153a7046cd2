//! One line of text a position.

use std::fmt::Write;

use rayon::prelude::*;

use crate::index::Numbering;

/// Values turned into text at a time.
pub(super) const BATCH: usize = 1 << 20;
/// Values a thread turns into text at a time.
const PART: usize = 1 << 14;

/// The names of the columns.
pub(super) fn header(pits: usize) -> String {
    let names = |who: &'static str| (1..=pits).map(move |pit| format!(",{who}{pit}"));
    format!("index{}{},value\n", names("own").collect::<String>(), names("opponent").collect::<String>())
}

/// The line of a position, without its end.
pub(super) fn line(numbering: &Numbering, seeds: u32, index: u64, value: i8) -> String {
    let mut text = String::new();
    push(&mut text, numbering, seeds, index, value);
    text.truncate(text.len() - 1);
    text
}

/// The lines of positions from an index on.
pub(super) fn lines(numbering: &Numbering, seeds: u32, first: u64, values: &[u8]) -> Vec<String> {
    let part = |(part, values): (usize, &[u8])| {
        let first = first + (part * PART) as u64;
        let mut text = String::with_capacity(values.len() * 4 * numbering.half_boards().pits());
        for (index, value) in (first..).zip(values) {
            push(&mut text, numbering, seeds, index, *value as i8);
        }
        text
    };
    values.par_chunks(PART).enumerate().map(part).collect()
}

fn push(text: &mut String, numbering: &Numbering, seeds: u32, index: u64, value: i8) {
    let position = numbering.position(seeds, index);
    // Writing to a string does not fail.
    let _ = write!(text, "{index}");
    for pit in position.own.iter().chain(position.opponent.iter()) {
        let _ = write!(text, ",{pit}");
    }
    let _ = writeln!(text, ",{value}");
}
