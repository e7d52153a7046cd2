//! Transposing a matrix of bytes.

use rayon::prelude::*;

use super::square::{SIDE, turn};

/// Side of the square that is turned in the first-level cache.
const TILE: usize = 64;

/// Writes to `to` the transpose of `from`, whose rows have `length` cells.
pub(super) fn transpose(from: &[i8], to: &mut [i8], length: usize) {
    assert_eq!(from.len(), to.len());
    if from.is_empty() {
        return;
    }
    let rows = from.len() / length;
    to.par_chunks_mut(TILE * rows).enumerate().for_each(|(strip, to)| {
        let first = strip * TILE;
        let width = to.len() / rows;
        for row in (0..rows).step_by(TILE) {
            let height = TILE.min(rows - row);
            if width == TILE && height == TILE {
                full_tile(&from[row * length + first..], length, &mut to[row..], rows);
            } else {
                for column in 0..width {
                    for row in row..row + height {
                        to[column * rows + row] = from[row * length + first + column];
                    }
                }
            }
        }
    });
}

/// Turns the tile that starts both slices; lines lie `from_step` and `to_step` cells apart.
fn full_tile(from: &[i8], from_step: usize, to: &mut [i8], to_step: usize) {
    for (row, column) in
        (0..TILE).step_by(SIDE).flat_map(|row| (0..TILE).step_by(SIDE).map(move |at| (row, at)))
    {
        let mut square = [[0; SIDE]; SIDE];
        for (at, line) in square.iter_mut().enumerate() {
            let cells = &from[(row + at) * from_step + column..][..SIDE];
            *line = cells.try_into().expect("a line of a square");
        }
        for (at, line) in turn(square).iter().enumerate() {
            to[(column + at) * to_step + row..][..SIDE].copy_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_change_places() {
        for (rows, length) in [(1, 1), (3, 7), (64, 64), (130, 70), (200, 129)] {
            let from: Vec<i8> = (0..rows * length).map(|cell| (cell * 31 % 251) as i8).collect();
            let mut to = vec![0; from.len()];
            transpose(&from, &mut to, length);
            for row in 0..rows {
                for column in 0..length {
                    assert_eq!(to[column * rows + row], from[row * length + column]);
                }
            }
        }
    }
}
