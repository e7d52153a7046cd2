//! What long work and its caller share: a request to stop, and counters of progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crate::clock::Instant;

/// The work was asked to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;

/// A cancel flag, an optional deadline and progress counters. The work writes the counters by
/// chunks, anybody may read them or ask for a stop.
#[derive(Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    /// Of those whose part this is the control of.
    above: Vec<Arc<AtomicBool>>,
    deadline: Mutex<Option<Instant>>,
    progress: Arc<Progress>,
}

/// How far the work is.
#[derive(Debug, Default)]
struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    stage: Mutex<WorkStage>,
    bounds: Mutex<Option<[i32; 2]>>,
}

/// A stage of work.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkStage {
    /// How many stages began before it and with it; 0 before the first.
    pub number: u64,
    /// What is done.
    pub name: String,
}

impl Control {
    /// Asks the work to stop; it does so within a fraction of a second.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Lets the work end by itself at a moment.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        *self.deadline.lock().expect("no panic while held") = deadline;
    }

    /// When the work is to end by itself, if it is.
    pub fn deadline(&self) -> Option<Instant> {
        *self.deadline.lock().expect("no panic while held")
    }

    /// The control of a part of the work that is to end by itself at a moment, if not before: a stop of the whole
    /// stops the part, and the progress of the part is that of the whole.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>) -> Control {
        let above = self.above.iter().chain([&self.stop]).map(Arc::clone).collect();
        let deadline = [self.deadline(), deadline].into_iter().flatten().min();
        let progress = Arc::clone(&self.progress);
        Control { stop: Arc::default(), above, deadline: Mutex::new(deadline), progress }
    }

    /// Fails once a stop was asked for or the deadline has passed.
    ///
    /// # Errors
    /// [`Stopped`], from then on at every call.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() {
            return Err(Stopped);
        }
        if self.deadline().is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    /// Whether a stop was asked for; cheap enough for every node of a search.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.above.iter().any(|stop| stop.load(Relaxed))
    }

    /// Begins a stage of work: its name and its number of steps (0: unknown).
    pub fn begin(&self, stage: impl Into<String>, total: u64) {
        let mut current = self.progress.stage.lock().expect("no panic while held");
        *current = WorkStage { number: current.number + 1, name: stage.into() };
        self.progress.done.store(0, Relaxed);
        self.progress.total.store(total, Relaxed);
    }

    /// Counts steps as done.
    pub fn advance(&self, steps: u64) {
        self.progress.done.fetch_add(steps, Relaxed);
    }

    /// The stage at work, its steps done, and their total (0: unknown).
    pub fn progress(&self) -> (WorkStage, u64, u64) {
        let stage = self.progress.stage.lock().expect("no panic while held").clone();
        (stage, self.progress.done.load(Relaxed), self.progress.total.load(Relaxed))
    }

    /// Says between which two values, in points of the player to move, the answer is proven to lie so far.
    pub fn set_bounds(&self, bounds: [i32; 2]) {
        *self.progress.bounds.lock().expect("no panic while held") = Some(bounds);
    }

    /// The bounds that were proven so far, the lower one first, if any were told.
    pub fn bounds(&self) -> Option<[i32; 2]> {
        *self.progress.bounds.lock().expect("no panic while held")
    }
}
