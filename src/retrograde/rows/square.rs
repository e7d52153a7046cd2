//! Transposing squares of bytes.

/// Side of a square.
pub(super) const SIDE: usize = 16;

/// A row of a square.
type Line = [i8; SIDE];

/// Both halves of two rows, byte by byte in turn. (As plain arrays the compiler takes the squares
/// apart, which makes them three times as slow.)
#[cfg(target_arch = "x86_64")]
mod mix {
    use super::Line;
    use std::arch::x86_64::{__m128i, _mm_unpackhi_epi8, _mm_unpacklo_epi8};

    pub type Row = __m128i;

    #[inline(always)]
    pub fn row(line: Line) -> Row {
        // SAFETY: both are sixteen bytes, and any bits are valid.
        unsafe { std::mem::transmute::<Line, Row>(line) }
    }

    #[inline(always)]
    pub fn line(row: Row) -> Line {
        // SAFETY: both are sixteen bytes, and any bits are valid.
        unsafe { std::mem::transmute::<Row, Line>(row) }
    }

    #[inline(always)]
    pub fn mix(a: Row, b: Row) -> [Row; 2] {
        // SAFETY: the instructions are part of the base instruction set.
        unsafe { [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)] }
    }
}

/// Both halves of two rows, byte by byte in turn.
#[cfg(not(target_arch = "x86_64"))]
mod mix {
    use super::{Line, SIDE};

    pub type Row = Line;

    pub fn row(line: Line) -> Row {
        line
    }

    pub fn line(row: Row) -> Line {
        row
    }

    #[inline(always)]
    pub fn mix(a: Row, b: Row) -> [Row; 2] {
        [0, SIDE / 2].map(|first| {
            std::array::from_fn(|at| if at % 2 == 0 { a[first + at / 2] } else { b[first + at / 2] })
        })
    }
}

/// Mixes the upper with the lower half of a square.
#[inline(always)]
fn mixed(square: [mix::Row; SIDE]) -> [mix::Row; SIDE] {
    let mut mixed = square;
    for row in 0..SIDE / 2 {
        [mixed[2 * row], mixed[2 * row + 1]] = mix::mix(square[row], square[row + SIDE / 2]);
    }
    mixed
}

/// Transposes a square. Mixing its halves rotates the bits of a byte's place by one; after four times
/// row and column have changed places.
#[inline(always)]
pub(super) fn turn(mut square: [Line; SIDE]) -> [Line; SIDE] {
    let mut rows = [mix::row([0; SIDE]); SIDE];
    for (row, line) in rows.iter_mut().zip(square) {
        *row = mix::row(line);
    }
    // Not as a loop, which would go through memory each time.
    let rows = mixed(mixed(mixed(mixed(rows))));
    for (line, row) in square.iter_mut().zip(rows) {
        *line = mix::line(row);
    }
    square
}
