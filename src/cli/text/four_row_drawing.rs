//! The board of a game of four rows, drawn with characters.
//!
//! The mover sits below: the lowest row is his back row, the next one his front row, and above lie the
//! opponent's front row and back row. A pit, the one that faces it and those behind both stand in one column.
//! Numbers stand over and under the board for the back rows and between the front rows for these. There are at
//! most 8 columns, so a board is never cut.

use sowbase::board::{HOUSE, Position};
use sowbase::rules::{FourRows, Rules};

use super::drawing::{FAINT, MOVER, PLAIN, painted, seeds};

/// The pits of each row, from 0, as they lie from left to right: the opponent's back row and front row, the
/// mover's front row and back row.
fn rows(rules: &Rules) -> [Vec<usize>; 4] {
    let front = usize::from(rules.pits());
    let reversed = |row: &[usize]| row.iter().rev().copied().collect::<Vec<_>>();
    // From the mover's left to his right where rising numbers go clockwise, as in Bao.
    let [rising, falling] = [(0..front).collect::<Vec<_>>(), (front..2 * front).rev().collect::<Vec<_>>()];
    let rows = [reversed(&falling), reversed(&rising), rising, falling];
    match rules.four_rows() {
        Some(FourRows::Omweso(_)) => rows.map(|row| reversed(&row)),
        _ => rows,
    }
}

/// Draws a position. The text has ANSI styles, for a writer to take out where there are no colours.
pub fn board(rules: &Rules, position: &Position) -> String {
    let rows = rows(rules);
    let stage = &position.stage;
    let (opponent, own) = (&position.opponent, &position.own);
    let longest = own.iter().chain(&**opponent).map(|&pit| pit.to_string().len()).max();
    let width = longest.unwrap_or_default().max(2);
    let captions = ["opponent", "player to move"];
    let captions: [String; 2] = std::array::from_fn(|side| match rules.four_rows() {
        Some(four_rows) if four_rows.has_hands() => {
            format!("{}: {} in hand", captions[side], stage.hand[1 - side])
        }
        _ => captions[side].into(),
    });
    let numbers = |row: &[usize]| row.iter().map(|pit| format!("  {:>width$} ", pit + 1)).collect::<String>();
    let outside =
        |row: usize, side: usize| painted(FAINT, &format!("{}   {}", numbers(&rows[row]), captions[side]));
    let inside = |row: usize| painted(FAINT, &format!("│{}│", &numbers(&rows[row])[1..]));
    let line = |[first, inner, last]: [char; 3]| {
        let cell = "─".repeat(width + 2);
        let cells = vec![cell.as_str(); usize::from(rules.pits())].join(&inner.to_string());
        painted(FAINT, &format!("{first}{cells}{last}"))
    };
    let held = |row: usize| {
        let (side, is_mine) = (if row < 2 { opponent } else { own }, row >= 2);
        let mut line = painted(FAINT, "│");
        for &pit in &rows[row] {
            let is_house = pit == HOUSE && stage.house[usize::from(!is_mine)];
            let is_blocked = is_mine && pit + 1 == usize::from(stage.blocked);
            let [before, after] = match (is_house, is_blocked) {
                (true, false) => ["[", "]"],
                (false, true) => ["(", ")"],
                (true, true) => ["[", ")"],
                (false, false) => [" ", " "],
            };
            let style = match (side[pit], is_mine) {
                (0, _) => FAINT,
                (_, true) => MOVER,
                _ => PLAIN,
            };
            line += &painted(style, &format!("{before}{:>width$}{after}", seeds(side[pit])));
            line += &painted(FAINT, "│");
        }
        line
    };
    let lines = [
        outside(0, 0),
        line(['╭', '┬', '╮']),
        held(0),
        line(['├', '┼', '┤']),
        held(1),
        line(['├', '┴', '┤']),
        inside(1),
        inside(2),
        line(['├', '┬', '┤']),
        held(2),
        line(['├', '┼', '┤']),
        held(3),
        line(['╰', '┴', '╯']),
        outside(3, 1),
    ];
    lines.map(|line| line + "\n").concat()
}

#[cfg(test)]
mod tests {
    use sowbase::board::{Game, PlainRings};

    use super::*;

    /// A drawing without styles, after the end of a line, since indented lines cannot begin a literal.
    fn drawn(game: &str, position: &str) -> String {
        let rules = sowbase::rules::game(game).unwrap();
        let text = board(&rules, &Position::parse(&rules, position).unwrap());
        format!("\n{}", anstream::adapter::strip_str(&text))
    }

    #[test]
    fn omweso_runs_from_right_to_left_in_front() {
        let expected = "
   8    7    6    5    opponent
╭────┬────┬────┬────╮
│ 30 │  · │  · │  · │
├────┼────┼────┼────┤
│ 12 │  · │  · │  · │
├────┴────┴────┴────┤
│  1    2    3    4 │
│  4    3    2    1 │
├────┬────┬────┬────┤
│  1 │  · │  · │  · │
├────┼────┼────┼────┤
│  3 │  · │  · │  2 │
╰────┴────┴────┴────╯
   5    6    7    8    player to move
";
        assert_eq!(drawn("omweso:4x2", "0 0 0 1 3 0 0 2 / 12 0 0 0 0 0 0 30"), expected);
    }

    #[test]
    fn bao_runs_from_left_to_right_in_front() {
        let expected = "
    6     7     8     9    10    opponent
╭─────┬─────┬─────┬─────┬─────╮
│   · │   · │   · │   · │ 300 │
├─────┼─────┼─────┼─────┼─────┤
│   · │   · │   · │   · │  12 │
├─────┴─────┴─────┴─────┴─────┤
│   5     4     3     2     1 │
│   1     2     3     4     5 │
├─────┬─────┬─────┬─────┬─────┤
│   · │   · │   · │   · │   1 │
├─────┼─────┼─────┼─────┼─────┤
│   2 │   · │   · │   · │   3 │
╰─────┴─────┴─────┴─────┴─────╯
   10     9     8     7     6    player to move
";
        assert_eq!(drawn("bao-kujifunza:5x2", "0 0 0 0 1 3 0 0 0 2 / 12 0 0 0 0 0 0 0 0 300"), expected);
    }

    #[test]
    fn hands_houses_and_the_blocked_pit_are_shown() {
        let expected = "
   9   10   11   12   13   14   15   16    opponent: 22 in hand
╭────┬────┬────┬────┬────┬────┬────┬────╮
│  · │  · │  · │  · │  · │  · │  · │  · │
├────┼────┼────┼────┼────┼────┼────┼────┤
│  · │  2 │  2 │[ 6]│  · │  · │  · │  · │
├────┴────┴────┴────┴────┴────┴────┴────┤
│  8    7    6    5    4    3    2    1 │
│  1    2    3    4    5    6    7    8 │
├────┬────┬────┬────┬────┬────┬────┬────┤
│  · │  · │  · │  · │[ 6]│  2 │  2 │  · │
├────┼────┼────┼────┼────┼────┼────┼────┤
│  · │  · │  · │  · │  · │  · │  · │  · │
╰────┴────┴────┴────┴────┴────┴────┴────╯
  16   15   14   13   12   11   10    9    player to move: 22 in hand
";
        assert_eq!(drawn("bao-kiswahili", "start"), expected);
        let expected = "
   9   10   11   12   13   14   15   16    opponent: 0 in hand
╭────┬────┬────┬────┬────┬────┬────┬────╮
│  · │  · │  · │  · │  · │  · │  · │  1 │
├────┼────┼────┼────┼────┼────┼────┼────┤
│  · │  · │  2 │[10]│  · │  · │  · │  · │
├────┴────┴────┴────┴────┴────┴────┴────┤
│  8    7    6    5    4    3    2    1 │
│  1    2    3    4    5    6    7    8 │
├────┬────┬────┬────┬────┬────┬────┬────┤
│  · │  · │  · │( 4)│  6 │  · │  · │  1 │
├────┼────┼────┼────┼────┼────┼────┼────┤
│  2 │  · │  · │  · │  · │  · │  · │  · │
╰────┴────┴────┴────┴────┴────┴────┴────╯
  16   15   14   13   12   11   10    9    player to move: 0 in hand
";
        let position =
            "0 0 0 4 6 0 0 1 0 0 0 0 0 0 0 2 / 0 0 0 0 10 2 0 0 0 0 0 0 0 0 0 1 ; house opp ; blocked 4";
        assert_eq!(drawn("bao-kiswahili", position), expected);
        let both = drawn("bao-kiswahili", &position.replace("opp ; blocked 4", "own ; blocked 5"));
        assert!(both.contains("│[ 6)│") && both.contains("│ 10 │"), "{both}");
    }

    /// The columns in which the pits of each row stand, by pit from 0, as the numbers say.
    fn columns(rules: &Rules, text: &str) -> [Vec<Option<usize>>; 4] {
        let lines: Vec<&str> = text.lines().collect();
        [1, 7, 8, 14].map(|line| {
            let numbers = lines[line].replace('│', " ");
            let pits = numbers.split_whitespace().map_while(|number| number.parse::<usize>().ok());
            let mut columns = vec![None; rules.player_pits().into()];
            pits.enumerate().for_each(|(column, pit)| columns[pit - 1] = Some(column));
            columns
        })
    }

    #[test]
    fn pits_that_face_each_other_stand_in_one_column() {
        for game in ["omweso:2x1", "omweso:8x2", "bao-kujifunza:4x2", "bao-kujifunza:7x2", "bao-kiswahili"] {
            let rules = sowbase::rules::game(game).unwrap();
            let front = usize::from(rules.pits());
            let [their_back, their_front, own_front, own_back] = columns(&rules, &drawn(game, "start"));
            for pit in 0..front {
                let facing = front - 1 - pit;
                assert!(own_front[pit].is_some() && own_front[pit] == their_front[facing], "{game} {pit}");
                // Behind a front pit lies the one that is as far from the turn of the ring.
                let behind = 2 * front - 1 - pit;
                assert_eq!((own_front[pit], their_front[pit]), (own_back[behind], their_back[behind]));
            }
            // The players sit across each other, so either sees the same when the board is turned.
            for (own, theirs) in [(&own_front, &their_front), (&own_back, &their_back)] {
                let turned = theirs.iter().map(|column| column.map(|column| front - 1 - column));
                assert!(own.iter().copied().eq(turned), "{game}");
            }
        }
    }

    /// What is captured lies in the column of the pit that captures, by the engine too.
    #[test]
    fn captures_are_made_within_a_column() {
        for (game, switch) in [("omweso", "reverse=off"), ("bao-kujifunza", "hus=no")] {
            let mut rules = sowbase::rules::game(game).unwrap();
            let (key, value) = switch.split_once('=').unwrap();
            rules.set(key, value).unwrap();
            let engine = PlainRings::new(&rules).unwrap();
            let [their_back, their_front, own_front, _] = columns(&rules, &drawn(game, "start"));
            for (pit, column) in (0..8).flat_map(|pit| (0..8).map(move |column| (pit, column))) {
                let mut position = Position::of_rows(&[0; 16], &[0; 16]);
                position.own[pit] = 1;
                // A lap of two seeds that ends in the pit.
                position.own[(pit + 14) % 16] = 2;
                for row in [&their_back, &their_front] {
                    position.opponent[row.iter().position(|at| *at == Some(column)).unwrap()] = 1;
                }
                let mut gain = 0;
                engine.for_each_move(&engine.pack(&position), |played| gain = gain.max(played.gain));
                assert_eq!(gain > 0, own_front[pit] == Some(column), "{game} {position}");
            }
        }
    }

    #[test]
    fn the_board_fits_a_terminal_and_styles_end_with_the_line() {
        let rules = sowbase::rules::game("bao-kiswahili").unwrap();
        let text = drawn(
            "bao-kiswahili",
            "999 0 0 0 6 0 0 0 0 0 0 0 0 0 0 0 / 0 0 0 0 6 0 0 0 0 0 0 0 0 0 0 9 ; hand 99 99",
        );
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let text = board(&rules, &Position::start(&rules));
        assert!(text.contains("\u{1b}[1m[ 6]\u{1b}[0m"), "the mover's pits stand out");
        assert!(text.lines().all(|line| line.matches("\u{1b}[").count() % 2 == 0));
    }
}
