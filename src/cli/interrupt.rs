//! Ctrl-C: the work in hand is asked to stop, and the program then says what it has.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use anyhow::Context;
use sowbase::control::Control;

use super::text::output::Exit;

/// Listens for Ctrl-C (and a request to terminate).
pub struct Interrupt {
    shared: Arc<SharedState>,
}

#[derive(Default)]
struct SharedState {
    hit: AtomicBool,
    /// Nothing is in work, so there is nothing to be said before the end.
    idle: AtomicBool,
    control: Mutex<Arc<Control>>,
}

impl Interrupt {
    /// Starts to listen. A second Ctrl-C ends the program at once.
    pub fn listen() -> anyhow::Result<Interrupt> {
        let shared = Arc::new(SharedState::default());
        let of_handler = Arc::clone(&shared);
        ctrlc::set_handler(move || {
            if of_handler.hit.swap(true, SeqCst) || of_handler.idle.load(SeqCst) {
                process::exit(Exit::Interrupted as i32);
            }
            of_handler.control.lock().expect("no panic while held").stop();
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(Interrupt { shared })
    }

    /// A fresh control for the next piece of work.
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::default());
        *self.shared.control.lock().expect("no panic while held") = Arc::clone(&control);
        if self.was_hit() {
            control.stop();
        }
        control
    }

    /// Whether there is nothing in work from now on.
    pub fn set_idle(&self, idle: bool) {
        self.shared.idle.store(idle, SeqCst);
        if idle && self.was_hit() {
            process::exit(Exit::Interrupted as i32);
        }
    }

    /// Whether Ctrl-C was pressed.
    pub fn was_hit(&self) -> bool {
        self.shared.hit.load(SeqCst)
    }

    /// How the program ends when the work is done or stopped.
    pub fn exit(&self) -> Exit {
        if self.was_hit() { Exit::Interrupted } else { Exit::Done }
    }
}
