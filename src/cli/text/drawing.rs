//! The board as the two players see it, drawn with characters.
//!
//! The mover's pits lie below, from left to right; the opponent's above, from right to left, so that
//! opposite pits stand over each other. The ends hold the stores, the mover's at the right, or the quan
//! cells of a game that has them: above the piece, below the seeds. A long board is cut into parts. Boards of
//! four rows are drawn in `four_row_drawing`.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::Range;

use anstyle::Style;
use anyhow::bail;
use clap::Args;
use sowbase::board::{Position, Row};
use sowbase::rules::Rules;

use super::four_row_drawing;
use crate::cli::options::Common;

/// Columns that a drawing keeps to, if a pit, the ends and the words beside them leave room.
const WIDTH: usize = 80;
/// Columns between the contents of two cells.
const BETWEEN: usize = 3;

pub(super) const PLAIN: Style = Style::new();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const MOVER: Style = Style::new().bold();

/// Whether the text shows the board.
#[derive(Args)]
pub struct BoardArgs {
    /// Draws the board also where the text goes to no terminal
    #[arg(long)]
    board: bool,
}

impl BoardArgs {
    /// Refuses a board where there is no text.
    pub fn check(&self, is_json: bool) -> anyhow::Result<()> {
        if self.board && is_json {
            bail!("--board draws into the text for people, and the answer asked for is JSON; leave it out");
        }
        Ok(())
    }

    /// The drawing that the text gets: on a terminal, and where it is asked for.
    pub fn drawing(&self, rules: &Rules, position: &Position, common: &Common) -> Option<String> {
        let wanted = self.board || (!common.json && io::stdout().is_terminal());
        wanted.then(|| board(rules, position))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Pit,
    End,
}

/// A part of the board that is as wide as one cell.
struct Column {
    kind: ColumnKind,
    /// Columns of the terminal for what it holds.
    width: usize,
    /// What stands over and under the board: the numbers of the pits, the letters of the quan cells.
    names: [String; 2],
    /// What lies in the opponent's row and in the mover's.
    rows: [String; 2],
    /// What stands between the rows of an end.
    middle: String,
}

/// Draws a position. The text has ANSI styles, for a writer to take out where there are no colours.
pub fn board(rules: &Rules, position: &Position) -> String {
    let Some(switches) = rules.switches() else { return four_row_drawing::board(rules, position) };
    let pits = position.own.len();
    let has_quan = switches.quan > 0;
    let names = ["opponent", "player to move"];
    let captions: [String; 2] = match has_quan {
        true => std::array::from_fn(|side| format!("{}: {}", names[side], position.stores[1 - side])),
        false => names.map(String::from),
    };
    let mut columns: Vec<Column> = (0..pits)
        .map(|pit| {
            let opposite = pits - 1 - pit;
            Column {
                kind: ColumnKind::Pit,
                width: 0,
                names: [opposite, pit].map(|pit| (pit + 1).to_string()),
                rows: [held(&position.opponent, opposite), held(&position.own, pit)],
                middle: String::new(),
            }
        })
        .collect();
    let mut ends = [1, 0].map(|side| end(has_quan, position, side));
    let widest = |columns: &[Column]| {
        let texts =
            columns.iter().flat_map(|column| column.names.iter().chain(&column.rows).chain([&column.middle]));
        texts.map(|text| text.chars().count()).fold(2, usize::max)
    };
    let widths = [widest(&columns), widest(&ends)];
    columns.iter_mut().for_each(|column| column.width = widths[0]);
    ends.iter_mut().for_each(|column| column.width = widths[1]);
    let caption = captions.iter().map(String::len).fold(0, usize::max) + BETWEEN;
    let room = WIDTH.saturating_sub(2 * (widths[1] + BETWEEN) + caption);
    let parts = pits.div_ceil((room / (widths[0] + BETWEEN)).max(1));
    let [left, right] = ends;
    columns.insert(0, left);
    columns.push(right);
    let mut text = String::new();
    for part in 0..parts {
        // Pits stand in the columns from 1.
        let cut = |part: usize| 1 + part * pits / parts;
        let first = if part == 0 { 0 } else { cut(part) };
        let end = if part + 1 == parts { columns.len() } else { cut(part + 1) };
        if part > 0 {
            text.push('\n');
        }
        draw(&mut text, &columns, first..end, &captions);
    }
    text
}

/// What lies in a pit, from 0.
fn held(row: &Row, pit: usize) -> String {
    if row.is_closed(pit) { "x".into() } else { seeds(row[pit]) }
}

pub(super) fn seeds(seeds: u16) -> String {
    if seeds == 0 { "·".into() } else { seeds.to_string() }
}

/// The end cell on a player's right, 0 for the mover and 1 for the opponent: his store, or the quan cell A
/// and B.
fn end(has_quan: bool, position: &Position, side: usize) -> Column {
    let store = Column {
        kind: ColumnKind::End,
        width: 0,
        names: Default::default(),
        rows: Default::default(),
        middle: position.stores[side].to_string(),
    };
    if !has_quan {
        return store;
    }
    let name = ["A", "B"][side].into();
    let piece = if position.quan.pieces[side] { "Q" } else { "" }.into();
    let rows = [piece, seeds(position.quan.seeds[side])];
    Column { names: [name, String::new()], rows, middle: String::new(), ..store }
}

/// Draws the columns of a part of the board.
fn draw(text: &mut String, columns: &[Column], part: Range<usize>, captions: &[String; 2]) {
    let shown = &columns[part.clone()];
    // The kinds on both sides of each border, outermost ones too.
    let kind = |at: Option<usize>| at.and_then(|at| columns.get(at)).map(|column| column.kind);
    let borders: Vec<_> =
        (part.start..=part.end).map(|at| (kind(at.checked_sub(1)), kind(Some(at)))).collect();
    let names = [0, 1].map(|side| {
        let names = shown.iter().map(|column| format!("  {:>1$} ", column.names[side], column.width));
        names.collect::<String>().trim_end().to_owned()
    });
    let longest = names.iter().map(String::len).fold(0, usize::max);
    let names = |side: usize| format!("{:longest$}    {}", names[side], captions[side]);
    let line = |outer: [char; 2], inner: char| {
        let border = |sides: &(Option<ColumnKind>, Option<ColumnKind>)| match sides {
            (None, _) => outer[0],
            (_, None) => outer[1],
            _ => inner,
        };
        let mut line = String::from(border(&borders[0]));
        for (column, sides) in shown.iter().zip(&borders[1..]) {
            line.extend(std::iter::repeat_n('─', column.width + BETWEEN - 1));
            line.push(border(sides));
        }
        line
    };
    let row = |side: usize| {
        let mut line = painted(FAINT, "│");
        for column in shown {
            let held = format!(" {:>1$} ", column.rows[side], column.width);
            let style = match (column.rows[side].as_str(), side) {
                ("·" | "x", _) => FAINT,
                (_, 1) if column.kind == ColumnKind::Pit => MOVER,
                _ => PLAIN,
            };
            line += &painted(style, &held);
            line += &painted(FAINT, "│");
        }
        line
    };
    let mut between = String::new();
    for (at, sides) in borders.iter().enumerate() {
        let border = match sides {
            (Some(ColumnKind::Pit), Some(ColumnKind::Pit)) => "┼",
            (_, Some(ColumnKind::Pit)) => "├",
            (Some(ColumnKind::Pit), _) => "┤",
            _ => "│",
        };
        between += &painted(FAINT, border);
        match shown.get(at) {
            Some(Column { kind: ColumnKind::End, width, middle, .. }) => {
                let _ = write!(between, " {middle:>width$} ");
            }
            Some(column) => between += &painted(FAINT, &"─".repeat(column.width + BETWEEN - 1)),
            None => (),
        }
    }
    let lines = [
        painted(FAINT, &names(0)),
        painted(FAINT, &line(['╭', '╮'], '┬')),
        row(0),
        between,
        row(1),
        painted(FAINT, &line(['╰', '╯'], '┴')),
        painted(FAINT, &names(1)),
    ];
    for line in lines {
        *text += &line;
        text.push('\n');
    }
}

pub(super) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing without styles, after the end of a line, since indented lines cannot begin a literal.
    fn drawn(game: &str, position: &str) -> String {
        let rules = sowbase::rules::game(game).unwrap();
        let text = board(&rules, &Position::parse(&rules, position).unwrap());
        format!("\n{}", anstream::adapter::strip_str(&text))
    }

    #[test]
    fn rows_run_against_each_other_between_the_stores() {
        let expected = "
        6    5    4    3    2    1    opponent
╭────┬────┬────┬────┬────┬────┬────┬────╮
│    │ 12 │  · │  1 │  · │  · │  3 │    │
│  9 ├────┼────┼────┼────┼────┼────┤ 17 │
│    │  · │  1 │  · │  2 │  5 │  · │    │
╰────┴────┴────┴────┴────┴────┴────┴────╯
        1    2    3    4    5    6    player to move
";
        assert_eq!(drawn("kalah", "0 1 0 2 5 0 / 3 0 0 1 0 12 ; stores 17 9"), expected);
        assert_eq!(drawn("oware", "0 1 0 2 5 0 / 3 0 0 1 0 12 ; stores 17 9"), expected);
    }

    #[test]
    fn cells_are_as_wide_as_the_largest_number() {
        let expected = "
             2       1    opponent
╭──────┬───────┬───────┬──────╮
│      │     4 │    30 │      │
│    0 ├───────┼───────┤ 1000 │
│      │ 10000 │     · │      │
╰──────┴───────┴───────┴──────╯
             1       2    player to move
";
        assert_eq!(drawn("congklak:2x2", "10000 0 / 30 4 ; stores 1000 0"), expected);
        let expected = "
        1    opponent
╭────┬────┬────╮
│    │  7 │    │
│  0 ├────┤  0 │
│    │  7 │    │
╰────┴────┴────╯
        1    player to move
";
        assert_eq!(drawn("kalah:1x7", "start"), expected);
    }

    #[test]
    fn closed_pits_are_crossed_out() {
        let expected = "
        4    3    2    1    opponent
╭────┬────┬────┬────┬────┬────╮
│    │  x │  2 │  · │  1 │    │
│  0 ├────┼────┼────┼────┤ 12 │
│    │  3 │  x │  x │  · │    │
╰────┴────┴────┴────┴────┴────╯
        1    2    3    4    player to move
";
        assert_eq!(drawn("pallanguzhi:4x4", "3 x x 0 / 1 0 2 x ; stores 12 0"), expected);
    }

    #[test]
    fn quan_cells_are_the_ends_of_their_board() {
        let expected = "
   B    5    4    3    2    1    A    opponent: -2
╭────┬────┬────┬────┬────┬────┬────╮
│    │  6 │  6 │  6 │  6 │  · │  Q │
│    ├────┼────┼────┼────┼────┤    │
│  1 │  · │  · │  6 │ 16 │  6 │ 13 │
╰────┴────┴────┴────┴────┴────┴────╯
        1    2    3    4    5         player to move: 6
";
        let position = "0 0 6 16 6 / 0 6 6 6 6 ; stores 6 -2 ; quan 1 0 ; quan-dan 13 1";
        assert_eq!(drawn("o-an-quan", position), expected);
    }

    #[test]
    fn a_long_board_is_cut_into_parts_that_fit() {
        let text = drawn("kalah:40x1", "start");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        let parts: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(parts.len(), 4);
        let last = "  10    9    8    7    6    5    4    3    2    1    opponent
┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────╮
│  1 │  1 │  1 │  1 │  1 │  1 │  1 │  1 │  1 │  1 │    │
┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┤  0 │
│  1 │  1 │  1 │  1 │  1 │  1 │  1 │  1 │  1 │  1 │    │
┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────╯
  31   32   33   34   35   36   37   38   39   40    player to move
";
        assert_eq!(parts[3], last);
        assert!(parts[0].starts_with("\n       40   39   38 "), "{}", parts[0]);
        for pit in 2..=40 {
            let named = text.split_whitespace().filter(|word| *word == pit.to_string()).count();
            assert_eq!(named, 2, "pit {pit} is named once a row");
        }
    }

    #[test]
    fn styles_change_nothing_but_the_looks() {
        let rules = sowbase::rules::game("kalah").unwrap();
        let text = board(&rules, &Position::start(&rules));
        assert!(text.contains("\u{1b}[1m  4 \u{1b}[0m"), "the mover's pits stand out");
        assert!(
            text.lines().all(|line| line.matches("\u{1b}[").count() % 2 == 0),
            "styles end with the line"
        );
    }
}
