//! The innermost loops over a row of positions, compiled for several instruction sets.
//!
//! All of them are plain loops that the compiler vectorises; which instructions it may use is
//! decided at run time, around work on whole rows.

/// Less than any value of a position.
pub(super) const NO_VALUE: i8 = i8::MIN;

/// A row of successors and how their values count for the mover.
#[derive(Clone, Copy)]
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

    /// Values already as they count for the mover.
    pub fn plain(values: &'a [i8]) -> Pull<'a> {
        Pull::keep(values, 0)
    }

    /// What a successor's value is worth for the mover. Nothing overflows: values and gains add
    /// up to at most [`super::MAX_LAYER`].
    #[inline(always)]
    fn worth(&self, value: i8) -> i8 {
        self.gain.wrapping_add((value ^ self.sign).wrapping_sub(self.sign))
    }
}

/// An instruction set for which the loops are compiled and that this machine has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd(InstructionSet);

#[derive(Clone, Copy, Debug)]
enum InstructionSet {
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
                return Simd(InstructionSet::Avx512);
            }
            if is_x86_feature_detected!("avx2") {
                return Simd(InstructionSet::Avx2);
            }
        }
        Simd(InstructionSet::Plain)
    }
}

/// Work on rows. Its code and all that it calls is to be inlined, so that it is compiled for each
/// instruction set.
pub(super) trait RowWork {
    /// What it finds.
    type Result;
    /// Does it.
    fn run(self) -> Self::Result;
}

impl Simd {
    /// Does work with the instructions chosen.
    pub fn run<W: RowWork>(self, work: W) -> W::Result {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn avx2<W: RowWork>(work: W) -> W::Result {
            work.run()
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512bw,avx512vl")]
        fn avx512<W: RowWork>(work: W) -> W::Result {
            work.run()
        }
        match self.0 {
            InstructionSet::Plain => work.run(),
            // SAFETY: only `Simd::detect` makes one, and it found the instructions on this machine.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512(work) },
        }
    }
}

/// For each position of a row, where in a row of successors its own stands.
#[derive(Clone, Debug)]
pub(super) struct Places {
    places: Vec<u32>,
    /// Every place is below this.
    limit: usize,
}

impl Places {
    /// # Panics
    /// If a place is not below the limit.
    pub fn new(places: Vec<u32>, limit: usize) -> Places {
        assert!(places.iter().all(|&place| (place as usize) < limit));
        Places { places, limit }
    }

    #[inline(always)]
    pub fn get(&self, at: usize) -> usize {
        self.places[at] as usize
    }

    #[inline(always)]
    pub fn all(&self) -> &[u32] {
        &self.places
    }

    /// What every place is below.
    #[inline(always)]
    pub fn limit(&self) -> usize {
        self.limit
    }
}

/// Positions whose successors are fetched before they are compared: few enough to stay in
/// registers and the first-level cache, many enough that no fetch waits for a comparison.
const CHUNK: usize = 256;

/// Raises each value to what a move is worth, successors at the same places.
#[inline(always)]
pub(super) fn improve(out: &mut [i8], pull: Pull) {
    for (best, &value) in out.iter_mut().zip(pull.values) {
        *best = (*best).max(pull.worth(value));
    }
}

/// As [`improve`], as work by itself.
pub(super) struct Improve<'a>(pub &'a mut [i8], pub Pull<'a>);

impl RowWork for Improve<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        improve(self.0, self.1);
    }
}

/// Raises each value to what a move is worth, successors at given places.
#[inline(always)]
pub(super) fn improve_at(out: &mut [i8], pull: Pull, places: &Places) {
    assert!(pull.values.len() >= places.limit);
    let mut fetched = [0_i8; CHUNK];
    for (out, places) in out.chunks_mut(CHUNK).zip(places.places.chunks(CHUNK)) {
        for (fetched, place) in fetched.iter_mut().zip(places) {
            // SAFETY: a plain read. It is volatile because places that are loaded as vectors only have
            // to be taken apart again, which costs more than it saves.
            let place = unsafe { std::ptr::read_volatile(place) };
            // SAFETY: every place is below the limit, which the row reaches.
            *fetched = unsafe { *pull.values.get_unchecked(place as usize) };
        }
        improve(out, Pull { values: &fetched, ..pull });
    }
}

/// Replaces a row by another one and counts the cells that change.
pub(super) struct Replace<'a>(pub &'a mut [i8], pub &'a [i8]);

impl RowWork for Replace<'_> {
    type Result = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        // Few enough cells for a count in one byte.
        let parts = self.0.chunks_mut(128).zip(self.1.chunks(128));
        let changed = parts.map(|(old, new)| {
            let changed: u8 = old.iter().zip(new).map(|(old, new)| u8::from(old != new)).sum();
            old.copy_from_slice(new);
            u64::from(changed)
        });
        changed.sum()
    }
}

/// Whether a row has a cell that is at most this.
pub(super) struct HasAtMost<'a>(pub &'a [i8], pub i8);

impl RowWork for HasAtMost<'_> {
    type Result = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.0.iter().fold(i8::MAX, |lowest, &cell| lowest.min(cell)) <= self.1
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
