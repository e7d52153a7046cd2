//! Moves that never end.
//!
//! A move is endless exactly when a state of its laps, the board and the cell to be lifted next, comes
//! a second time. Brent's method (Brent 1980) finds that in constant memory: one state is remembered
//! for longer and longer, so once the laps are in the circle and the memory outlasts it, it is met
//! again. It is met after at most about three times the laps before the first repetition.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Laps after which a move is given up. Most circles met on boards of 2x8 pits have fewer than some
/// millions of laps, but pit 7 of `0 3 13 1 9 6 3 5 / 10 7 0 9 0 1 2 16` in Sadeqa has one of 8,224,203,200.
pub const MOST_LAPS: u64 = 1 << 27;

/// A move was given up after [`MOST_LAPS`] laps: it is neither known to end nor to be endless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a move was still going on after {MOST_LAPS} laps without repeating itself, so nothing can be said here; take a board with fewer pits or seeds"
)]
pub struct Overlong;

/// The same once a move was given up: nothing that is found counts then, so it should be over soon.
const FEW_LAPS: u64 = 1 << 16;

/// Watches the states of a move's laps.
pub(super) struct Brent<S> {
    saved: S,
    most: u64,
    laps: u64,
    next_save: u64,
}

/// What a watcher says of a state.
#[derive(PartialEq, Eq)]
pub(super) enum Seen {
    New,
    /// It has come before.
    Again,
    /// The move is too long to tell.
    Overlong,
}

impl<S: Copy + Eq> Brent<S> {
    /// Begins with the first state; `most` laps are looked at or some more.
    #[inline(always)]
    pub fn new(first: S, most: u64) -> Brent<S> {
        Brent { saved: first, most, laps: 0, next_save: 1 }
    }

    /// The next state.
    #[inline(always)]
    pub fn see(&mut self, state: &S) -> Seen {
        if *state == self.saved {
            return Seen::Again;
        }
        self.laps += 1;
        if self.laps == self.next_save {
            self.saved = *state;
            self.next_save *= 2;
            if self.laps >= self.most {
                return Seen::Overlong;
            }
        }
        Seen::New
    }
}

/// The first state that comes twice when `step` is repeated from `first`, whose play is known to be
/// endless.
pub(super) fn first_repeated<S: Copy + Eq>(first: S, step: impl Fn(S) -> S) -> S {
    let mut brent = Brent::new(first, MOST_LAPS);
    let mut state = step(first);
    while brent.see(&state) == Seen::New {
        state = step(state);
    }
    // How long the circle is.
    let (mut length, mut ahead) = (1_u64, step(state));
    while ahead != state {
        (length, ahead) = (length + 1, step(ahead));
    }
    let (mut behind, mut ahead) = (first, (0..length).fold(first, |state, _| step(state)));
    while behind != ahead {
        (behind, ahead) = (step(behind), step(ahead));
    }
    behind
}

/// Remembers that a move was given up, for all clones of an engine.
#[derive(Clone, Debug)]
pub(in crate::board) struct Guard {
    is_tripped: Arc<AtomicBool>,
    /// Laps after which a move is to be given up.
    most: u64,
}

impl Default for Guard {
    fn default() -> Guard {
        Guard { is_tripped: Arc::default(), most: MOST_LAPS }
    }
}

impl Guard {
    /// One that is told apart from this, of moves given up after so many laps if this does not give up sooner.
    pub fn sooner(&self, most_laps: u64) -> Guard {
        Guard { is_tripped: Arc::default(), most: most_laps.min(self.most) }
    }

    /// A move was given up.
    pub fn trip(&self) {
        self.is_tripped.store(true, Relaxed);
    }

    /// Laps after which a move is to be given up.
    #[inline(always)]
    pub fn most_laps(&self) -> u64 {
        if self.is_tripped.load(Relaxed) { self.most.min(FEW_LAPS) } else { self.most }
    }

    /// Whether a move was given up since this was last asked.
    pub fn take(&self) -> Result<(), Overlong> {
        // A read alone is cheap, and nearly always enough.
        if self.is_tripped.load(Relaxed) && self.is_tripped.swap(false, Relaxed) {
            return Err(Overlong);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_repeated_state_is_where_the_circle_is_entered() {
        for (tail, circle) in [(0, 1), (0, 5), (1, 1), (3, 7), (10, 4), (100, 3), (2, 100)] {
            let step = move |state: u32| if state + 1 < tail + circle { state + 1 } else { tail };
            assert_eq!(first_repeated(0, step), tail, "{tail} {circle}");
            let (mut brent, mut state, mut laps) = (Brent::new(0, MOST_LAPS), 0, 0);
            loop {
                state = step(state);
                laps += 1;
                if brent.see(&state) == Seen::Again {
                    break;
                }
            }
            assert!(laps <= 3 * (tail + circle) + 2, "{laps} laps for {tail} {circle}");
        }
    }

    #[test]
    fn a_guard_tells_once() {
        let guard = Guard::default();
        assert_eq!(guard.take(), Ok(()));
        assert_eq!(guard.most_laps(), MOST_LAPS);
        guard.clone().trip();
        assert_eq!(guard.most_laps(), FEW_LAPS);
        assert_eq!((guard.take(), guard.take()), (Err(Overlong), Ok(())));
        assert_eq!(guard.most_laps(), MOST_LAPS);
    }
}
