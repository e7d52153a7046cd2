//! Sixteen rows side by side: the bytes of one column together, so that one fetch serves sixteen
//! positions.

use super::square::{SIDE, turn};
use super::vector_loops::{Places, RowWork};

/// Rows that are taken together.
pub(super) const LANES: usize = SIDE;

/// A byte of each row.
pub(super) type Lanes = [i8; LANES];

/// The higher of both, lane by lane.
#[inline(always)]
fn higher(mut one: Lanes, other: Lanes) -> Lanes {
    for lane in 0..LANES {
        one[lane] = one[lane].max(other[lane]);
    }
    one
}

/// What a move that does not exist is worth: no more than any value, and the opposite of a byte. With
/// 127 seeds a value may be as low; such positions are computed again by the rules.
pub(super) const NO_MOVE: i8 = -127;

/// Sixteen rows of successors of equal length, and what their moves gain; the opponent is next.
#[derive(Clone, Copy)]
pub(super) struct Successors<'a> {
    rows: [&'a [i8]; LANES],
    gains: Lanes,
}

impl<'a> Successors<'a> {
    /// No moves, given a row that [`no_moves`] made.
    pub fn none(row: &'a [i8]) -> Successors<'a> {
        Successors { rows: [row; LANES], gains: [0; LANES] }
    }

    /// Sets the row of one lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, row: &'a [i8], gain: u8) {
        (self.rows[lane], self.gains[lane]) = (row, gain as i8);
    }

    /// Asks the memory for the rows.
    #[inline(always)]
    pub fn prefetch(&self) {
        for row in self.rows {
            (0..row.len()).step_by(64).for_each(|at| crate::machine::prefetch(row, at));
        }
    }
}

/// Makes a row of successors of moves that do not exist.
pub(super) fn no_moves(row: &mut Vec<i8>, length: usize) {
    row.resize(length.max(row.len()), -NO_MOVE);
}

/// Sets columns to what successors are worth.
pub(super) struct Zip<'a>(pub &'a Successors<'a>, pub &'a mut [Lanes]);

impl RowWork for Zip<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Zip(Successors { rows, gains }, columns) = self;
        let worth = |column: &mut Lanes| {
            for (value, gain) in column.iter_mut().zip(gains) {
                *value = gain.wrapping_sub(*value);
            }
        };
        let (squares, rest) = columns.as_chunks_mut::<LANES>();
        let whole = squares.len() * LANES;
        for (at, square) in (0..).step_by(LANES).zip(squares) {
            let mut values = [[0; LANES]; LANES];
            for (values, row) in values.iter_mut().zip(rows) {
                *values = row[at..at + LANES].try_into().expect("as many values as lanes");
            }
            *square = turn(values);
            square.iter_mut().for_each(worth);
        }
        for (at, column) in (whole..).zip(rest) {
            column.iter_mut().zip(rows).for_each(|(cell, row)| *cell = row[at]);
            worth(column);
        }
    }
}

/// Raises each column to what a move is worth, successors at given places.
pub(super) struct ImproveAt<'a>(pub &'a mut [Lanes], pub &'a [Lanes], pub &'a Places);

impl RowWork for ImproveAt<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let ImproveAt(columns, worths, places) = self;
        assert!(worths.len() >= places.limit());
        for (best, &place) in columns.iter_mut().zip(places.all()) {
            // SAFETY: every place is below the limit, which the successors reach.
            *best = higher(*best, unsafe { *worths.get_unchecked(place as usize) });
        }
    }
}

/// Raises the cells of sixteen rows to those of the columns.
pub(super) struct ImproveRows<'a>(pub &'a mut [Vec<i8>; LANES], pub &'a [Lanes]);

impl RowWork for ImproveRows<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let ImproveRows(rows, columns) = self;
        let (squares, rest) = columns.as_chunks::<LANES>();
        for (row, lane) in rows.iter_mut().zip(0..) {
            let (_, cells) = row.as_chunks_mut::<LANES>();
            cells.iter_mut().zip(rest).for_each(|(cell, column)| *cell = (*cell).max(column[lane]));
        }
        for (at, square) in squares.iter().enumerate() {
            for (row, best) in rows.iter_mut().zip(turn(*square)) {
                let cells = &mut row.as_chunks_mut().0[at];
                *cells = higher(*cells, best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrograde::rows::vector_loops::Simd;

    #[test]
    fn rows_become_columns_and_rows_again() {
        for length in [1, 16, 17, 100] {
            let rows: [Vec<i8>; LANES] =
                std::array::from_fn(|row| (0..length).map(|at| ((row * 37 + at * 11) % 100) as i8).collect());
            let mut columns = vec![[0; LANES]; length];
            let mut successors = Successors::none(&rows[0]);
            rows.iter().enumerate().for_each(|(lane, row)| successors.set(lane, row, lane as u8));
            Simd::detect().run(Zip(&successors, &mut columns));
            for (at, column) in columns.iter().enumerate() {
                assert!((0..LANES).all(|lane| column[lane] == lane as i8 - rows[lane][at]));
            }
            let mut found: [Vec<i8>; LANES] = std::array::from_fn(|_| vec![-3; length]);
            Simd::detect().run(ImproveRows(&mut found, &columns));
            for (lane, (found, row)) in found.iter().zip(rows).enumerate() {
                assert!(found.iter().zip(row).all(|(found, value)| *found == (lane as i8 - value).max(-3)));
            }
        }
    }
}
