//! The innermost loops over a row of positions, compiled for several instruction sets.
//!
//! All of them are plain loops that the compiler vectorises; which instructions it may use is
//! decided once at run time, around the filling of a pair of rows.

use super::acyclic::RowsOf;
use super::half_moves::MAX_ROW;

/// Less than any value of a position.
pub(super) const NO_VALUE: i8 = i8::MIN;

/// Most seeds that one capture can find in a pit: a layer has no more.
pub(super) const MAX_CAPTURED: usize = super::MAX_LAYER as usize;

/// A row of successors and how their values count for the mover.
#[derive(Clone, Copy, Default)]
pub(super) struct Pull<'a> {
    values: &'a [i8],
    gain: i8,
    /// 0 if the mover goes on, -1 if the values are the opponent's.
    sign: i8,
}

impl<'a> Pull<'a> {
    /// The turn goes on.
    pub fn keep(values: &'a [i8], gain: u8) -> Pull<'a> {
        Pull { values, gain: gain as i8, sign: 0 }
    }

    /// The opponent moves next.
    pub fn pass(values: &'a [i8], gain: u8) -> Pull<'a> {
        Pull { values, gain: gain as i8, sign: -1 }
    }

    /// What a successor's value is worth for the mover. Nothing overflows: values and gains add
    /// up to at most [`super::MAX_LAYER`].
    #[inline(always)]
    fn worth(&self, value: i8) -> i8 {
        self.gain.wrapping_add((value ^ self.sign).wrapping_sub(self.sign))
    }
}

/// Instruction sets for which the loops are compiled.
#[derive(Clone, Copy, Debug)]
pub(super) enum Simd {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// The best that this machine has.
    pub fn detect() -> Simd {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
                return Simd::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Simd::Avx2;
            }
        }
        Simd::Plain
    }
}

/// Fills both rows of a half board.
pub(super) fn fill(simd: Simd, rows: &RowsOf, buffer: &mut Vec<i8>) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(rows: &RowsOf, buffer: &mut Vec<i8>) {
        rows.fill(buffer);
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512vl")]
    fn avx512(rows: &RowsOf, buffer: &mut Vec<i8>) {
        rows.fill(buffer);
    }
    match simd {
        Simd::Plain => rows.fill(buffer),
        // SAFETY: `Simd::detect` found the instructions on this machine.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { avx2(rows, buffer) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { avx512(rows, buffer) },
    }
}

/// Raises each value to what a move is worth; `place` tells where its successor stands in the
/// row, if not at the same place.
#[inline(always)]
pub(super) fn improve(out: &mut [i8], pull: Pull, place: Option<&[u32]>) {
    match place {
        None => {
            for (best, &value) in out.iter_mut().zip(pull.values) {
                *best = (*best).max(pull.worth(value));
            }
        }
        Some(place) => {
            for (best, &place) in out.iter_mut().zip(place) {
                *best = (*best).max(pull.worth(pull.values[place as usize]));
            }
        }
    }
}

/// As [`improve`], with a row of successors for each number of captured seeds. `held` and `rows`
/// tell that number and the place of the successor; `place` tells where to look in these two.
#[inline(always)]
pub(super) fn improve_by_captured(
    out: &mut [i8],
    pulls: &[Pull; MAX_CAPTURED + 1],
    held: &[u8],
    rows: &[u32],
    place: Option<&[u32]>,
) {
    let worth = |at: usize| {
        let pull = &pulls[usize::from(held[at]) & MAX_CAPTURED];
        pull.worth(pull.values[rows[at] as usize])
    };
    match place {
        None => out.iter_mut().enumerate().for_each(|(at, best)| *best = (*best).max(worth(at))),
        Some(place) => {
            out.iter_mut().zip(place).for_each(|(best, &at)| *best = (*best).max(worth(at as usize)));
        }
    }
}

/// Sets each value to what a move is worth.
#[inline(always)]
pub(super) fn set(out: &mut [i8], pull: Pull) {
    for (out, &value) in out.iter_mut().zip(pull.values) {
        *out = pull.worth(value);
    }
}

/// Sets the values at some places to what a move is worth; pairs of place and successor.
#[inline(always)]
pub(super) fn set_at(out: &mut [i8], pull: Pull, places: &[(u32, u32)]) {
    for &(place, successor) in places {
        out[place as usize] = pull.worth(pull.values[successor as usize]);
    }
}

/// The best of the values at the places of each row's moves, `pits` of them a row.
///
/// # Safety
/// All places lie within the buffer.
#[inline(always)]
pub(super) unsafe fn choose_best(buffer: &[i8], places: &[u32], pits: usize, out: &mut [i8]) {
    macro_rules! by_pits {
        ($($pits:literal)+) => {
            match pits {
                $($pits => {
                    for (out, places) in out.iter_mut().zip(places.as_chunks::<$pits>().0) {
                        let mut best = NO_VALUE;
                        for &place in places {
                            // SAFETY: the caller's promise.
                            best = best.max(unsafe { *buffer.get_unchecked(place as usize) });
                        }
                        *out = best;
                    }
                })+
                _ => unreachable!("rows have at most {MAX_ROW} pits here"),
            }
        };
    }
    by_pits!(1 2 3 4 5 6 7 8 9 10);
}
