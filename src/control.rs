//! What long work and its caller share: a request to stop, and counters of progress.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// The work was asked to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;

/// A cancel flag, an optional deadline and progress counters. The work writes the counters by
/// chunks, anybody may read them or ask for a stop.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    deadline: Mutex<Option<Instant>>,
    done: AtomicU64,
    total: AtomicU64,
    stage: Mutex<WorkStage>,
}

/// A stage of work.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
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

    /// Fails once a stop was asked for or the deadline has passed.
    ///
    /// # Errors
    /// [`Stopped`], from then on at every call.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) {
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
        self.stop.load(Relaxed)
    }

    /// Begins a stage of work: its name and its number of steps (0: unknown).
    pub fn begin(&self, stage: impl Into<String>, total: u64) {
        let mut current = self.stage.lock().expect("no panic while held");
        *current = WorkStage { number: current.number + 1, name: stage.into() };
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
    }

    /// Counts steps as done.
    pub fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    /// The stage at work, its steps done, and their total (0: unknown).
    pub fn progress(&self) -> (WorkStage, u64, u64) {
        let stage = self.stage.lock().expect("no panic while held").clone();
        (stage, self.done.load(Relaxed), self.total.load(Relaxed))
    }
}
