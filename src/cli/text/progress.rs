//! Progress on stderr, drawn by a thread of its own that reads a [`Control`].

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{
    self,
    RecvTimeoutError::{Disconnected, Timeout},
    Sender,
};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use sowbase::control::{Control, WorkStage};

use super::output::note;
use crate::cli::options::{count_text, time_text};

/// Time between two lines where stderr is no terminal.
const LINE: Duration = Duration::from_secs(5);
/// Time between two drawings of the bar.
const TICK: Duration = Duration::from_millis(200);

/// Draws progress until it is dropped.
pub struct Progress {
    running: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts drawing, unless it is to be quiet.
    pub fn start(control: &Arc<Control>, quiet: bool) -> Progress {
        if quiet {
            return Progress { running: None };
        }
        let control = Arc::clone(control);
        let (sender, receiver) = mpsc::channel::<String>();
        let drawing = move || {
            let mut display = Display::new();
            loop {
                match receiver.recv_timeout(display.pause()) {
                    Ok(line) => display.print(&line),
                    Err(Timeout) => display.draw(&control),
                    Err(Disconnected) => break,
                }
            }
        };
        // Without a thread to draw it the work goes on unseen.
        let thread = thread::Builder::new().spawn(drawing).ok();
        Progress { running: thread.map(|thread| (sender, thread)) }
    }

    /// Writes a line to stderr beside the bar, unless it is to be quiet.
    pub fn note(&self, line: String) {
        if let Some((sender, _)) = &self.running {
            // The thread ends only when this sender is dropped.
            let _ = sender.send(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            // A thread that failed to draw is no reason to fail.
            let _ = thread.join();
        }
    }
}

struct Display {
    bar: Option<ProgressBar>,
    stage: WorkStage,
    begun: Instant,
    done_before: u64,
}

impl Display {
    fn new() -> Display {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::no_length();
            bar.set_style(spinner());
            bar
        });
        Display { bar, stage: WorkStage::default(), begun: Instant::now(), done_before: 0 }
    }

    fn pause(&self) -> Duration {
        if self.bar.is_some() { TICK } else { LINE }
    }

    fn print(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note(line)),
            None => note(line),
        }
    }

    fn draw(&mut self, control: &Control) {
        let (stage, done, total) = control.progress();
        if stage.number == 0 {
            return;
        }
        let is_new = stage != self.stage;
        match &self.bar {
            Some(bar) => {
                if is_new {
                    bar.reset();
                    bar.set_message(stage.name.clone());
                    bar.set_style(if total > 0 { gauge() } else { spinner() });
                    bar.set_length(total);
                }
                bar.set_position(done);
                bar.tick();
            }
            None => {
                // The work began at some moment since the last line.
                let time = if is_new { LINE } else { self.begun.elapsed() };
                let before = if is_new { 0 } else { self.done_before };
                note(&line(&stage.name, done, total, done.saturating_sub(before), time));
            }
        }
        if is_new {
            (self.stage, self.begun, self.done_before) = (stage, Instant::now(), done);
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn gauge() -> ProgressStyle {
    style("{msg} [{bar:30}] {percent}%  {human_pos}/{human_len}  {rate}  {eta} left").progress_chars("=> ")
}

fn spinner() -> ProgressStyle {
    style("{spinner} {msg}  {human_pos}  {rate}  {elapsed}")
}

fn style(template: &'static str) -> ProgressStyle {
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // A bar that cannot be written is no reason to fail.
        let _ = write!(text, "{}/s", count_text(state.per_sec()));
    };
    ProgressStyle::with_template(template).expect("a fixed template").with_key("rate", rate)
}

/// One line of progress: the stage, how far it is, its rate over `steps` in `time`, and what
/// remains at that rate.
fn line(stage: &str, done: u64, total: u64, steps: u64, time: Duration) -> String {
    let rate = steps as f64 / time.as_secs_f64().max(1e-3);
    let per_second = format!("{}/s", count_text(rate));
    if total == 0 {
        return format!("{stage}: {done} done, {per_second}");
    }
    let percent = 100.0 * done as f64 / total as f64;
    let left = match rate {
        0.0 => String::new(),
        rate => format!(", about {} left", time_text(total.saturating_sub(done) as f64 / rate)),
    };
    format!("{stage}: {done} of {total} ({percent:.0} %), {per_second}{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_rate_and_remaining_time() {
        let text = line("layer 20", 30_000_000, 90_000_000, 30_000_000, Duration::from_secs(5));
        assert_eq!(text, "layer 20: 30000000 of 90000000 (33 %), 6.0 million/s, about 10.0 s left");
        assert_eq!(line("search", 500, 0, 500, Duration::from_secs(5)), "search: 500 done, 100/s");
        assert_eq!(line("wait", 0, 5, 0, Duration::ZERO), "wait: 0 of 5 (0 %), 0/s");
    }
}
