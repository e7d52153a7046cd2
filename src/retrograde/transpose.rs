//! Transposing a matrix of bytes.

use rayon::prelude::*;

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
    let mut tile = [[0_u64; TILE / 8]; TILE];
    for (row, line) in tile.iter_mut().enumerate() {
        for (word, bytes) in line.iter_mut().zip(from[row * from_step..][..TILE].as_chunks::<8>().0) {
            *word = u64::from_le_bytes(bytes.map(|byte| byte as u8));
        }
    }
    for high in 0..TILE / 8 {
        let mut squares = [[0_u64; 8]; TILE / 8];
        for (low, square) in squares.iter_mut().enumerate() {
            *square = turn(std::array::from_fn(|row| tile[8 * low + row][high]));
        }
        for column in 0..8 {
            let line = &mut to[(8 * high + column) * to_step..][..TILE];
            for (bytes, square) in line.as_chunks_mut::<8>().0.iter_mut().zip(&squares) {
                *bytes = square[column].to_le_bytes().map(|byte| byte as i8);
            }
        }
    }
}

/// Transposes 8 x 8 bytes, a row a word, by exchanging ever smaller quarters.
#[inline(always)]
fn turn(mut rows: [u64; 8]) -> [u64; 8] {
    for (distance, mask) in
        [(4, 0x0000_0000_ffff_ffff_u64), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)]
    {
        for row in (0..8).filter(|row| row & distance == 0) {
            let (low, high) = (rows[row], rows[row + distance]);
            rows[row] = (low & mask) | (high & mask) << (8 * distance);
            rows[row + distance] = (low >> (8 * distance)) & mask | high & !mask;
        }
    }
    rows
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
