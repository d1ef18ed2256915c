//! A progress bar on a terminal, when the work takes longer than a second; none when piped.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use dodona_subject::on_one_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that shows itself only when it is worth it.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: bool,
}

impl Progress {
    /// A bar that is not shown yet; it counts these.
    pub(crate) fn new(noun: &str) -> Self {
        Progress::styled(&format!("{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {noun}, {{eta}} left"))
    }

    /// A bar of one stage after the other: what is counted and how long it takes is told in its words.
    pub(crate) fn of_stages() -> Self {
        Progress::styled("{msg} {wide_bar} {human_pos}/{human_len}")
    }

    fn styled(style: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.set_style(
                ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar
        });
        Progress { bar, started: Instant::now(), shown: false }
    }

    /// Tells how far the work is.
    pub(crate) fn update(&mut self, subject: &str, done: u64, total: u64) {
        let Some(bar) = &self.bar else { return };
        if !self.shown && self.started.elapsed() > PATIENCE {
            self.shown = true;
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_length(total);
        bar.set_message(on_one_line(subject).into_owned());
        bar.set_position(done);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
