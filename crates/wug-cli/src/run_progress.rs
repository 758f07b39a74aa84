//! Progress over many runs, on standard error: a bar with the time left on a terminal, a line for each finished run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};
use wug_reproduce::{PlannedRun, RunOutcome, RunResult};

use crate::messages::Messages;

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);
/// Steps of the bar.
const STEPS: f64 = 1000.0;

/// How far all runs are.
pub(crate) struct RunProgress {
    messages: Messages,
    bar: ProgressBar,
    /// What each run costs as a share of all, and what of it is done.
    runs: BTreeMap<String, Share>,
    finished: usize,
    started: Instant,
    drawn: Instant,
    told: Instant,
}

struct Share {
    cost: f64,
    /// What was done when this process took the run up.
    first: Option<f64>,
    now: f64,
}

impl RunProgress {
    pub(crate) fn new(runs: &[PlannedRun], messages: Messages) -> Self {
        let total: f64 = runs.iter().map(PlannedRun::cost).sum();
        let share =
            |run: &PlannedRun| (run.name(), Share { cost: run.cost() / total, first: None, now: 0.0 });
        let bar = messages.bar(Some(STEPS as u64), "{bar:30} {percent}%  {msg}");
        let now = Instant::now();
        let runs = runs.iter().map(share).collect();
        Self { messages, bar, runs, finished: 0, started: now, drawn: now, told: now }
    }

    /// A run has come to this share of its work.
    pub(crate) fn set(&mut self, run: &PlannedRun, share: f64) {
        if let Some(own) = self.runs.get_mut(&run.name()) {
            own.first.get_or_insert(share);
            own.now = share;
        }
        if self.drawn.elapsed() > Duration::from_millis(200) {
            self.drawn = Instant::now();
            self.bar.set_position((STEPS * self.share()) as u64);
            self.bar.set_message(self.standing());
            if self.bar.is_hidden() && self.told.elapsed() > LINE_EVERY {
                self.tell(&format!("{:.0}%, {}", 100.0 * self.share(), self.standing()));
            }
        }
    }

    /// Writes a line where there is no bar.
    fn tell(&mut self, line: &str) {
        self.told = Instant::now();
        self.messages.note(line);
    }

    /// A run is done.
    pub(crate) fn done(&mut self, run: &PlannedRun, result: &RunResult) {
        self.set(run, 1.0);
        self.finished += 1;
        let outcome = match &result.outcome {
            RunOutcome::Measured(found) => {
                let filter = found.metrics.log_probability.as_ref();
                let gap =
                    filter.and_then(|filter| filter.gap_closed).map(|gap| format!(", gap closed {gap:.3}"));
                let test = filter.map_or(f64::NAN, |filter| filter.test.mean);
                format!("H {test:.2} nats per word{}", gap.unwrap_or_default())
            }
            RunOutcome::Diverged(_) => "diverged".to_owned(),
        };
        let seconds = result.seconds.training + result.seconds.evaluation;
        let line = format!("{:<22} {seconds:>6.0} s  {outcome}", run.name());
        if self.bar.is_hidden() {
            self.tell(&format!("{line}  ({:.0}%, {})", 100.0 * self.share(), self.standing()));
        } else {
            self.bar.println(line);
        }
    }

    fn share(&self) -> f64 {
        self.runs.values().map(|own| own.cost * own.now).sum()
    }

    /// Runs done and time left, from what this process has done so far.
    fn standing(&self) -> String {
        let done: f64 = self.runs.values().map(|own| own.cost * (own.now - own.first.unwrap_or(0.0))).sum();
        let runs = format!("{} of {} runs", self.finished, self.runs.len());
        if done <= 0.0 {
            return runs;
        }
        let left = self.started.elapsed().mul_f64((1.0 - self.share()).max(0.0) / done);
        format!("{runs}, {} left", HumanDuration(left))
    }
}

/// The bar goes with the work, however it ends.
impl Drop for RunProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
