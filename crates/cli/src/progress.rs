//! Progress of work that takes longer: a bar on a terminal, and a line now and then where standard error goes elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dodona_target::on_one_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;

const PATIENCE: Duration = Duration::from_secs(1);

/// How often a line is written. Whoever reads a log of continuous integration wants to know that it goes on, and not much more;
/// some of them end what is silent for minutes. `DODONA_PROGRESS` says another number of seconds, 0 for no lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Progress that shows itself only when it is worth it.
pub(crate) struct Progress {
    shown: Shown,
}

enum Shown {
    Bar { bar: ProgressBar, started: Instant, is_drawn: bool },
    Lines(Lines),
    Nothing,
}

impl Progress {
    /// Progress of which nothing is shown yet; it counts these.
    pub(crate) fn new(noun: &'static str) -> Self {
        let bar = format!("{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {noun}, {{eta}} left");
        Progress::styled(&bar, noun)
    }

    /// Progress of one stage after the other: what is counted and how long it takes is told in its words.
    pub(crate) fn of_stages() -> Self {
        Progress::styled("{msg} {wide_bar} {human_pos}/{human_len}", "")
    }

    fn styled(style: &str, noun: &'static str) -> Self {
        let shown = match between_lines() {
            _ if output::is_captured() => Shown::Nothing,
            _ if std::io::stderr().is_terminal() => Shown::bar(style),
            Some(between) => Shown::Lines(Lines::every(between, noun)),
            None => Shown::Nothing,
        };
        Progress { shown }
    }

    /// Tells how far the work is.
    pub(crate) fn update(&mut self, subject: &str, done: u64, total: u64) {
        match &mut self.shown {
            Shown::Bar { bar, started, is_drawn } => {
                if !*is_drawn && started.elapsed() > PATIENCE {
                    *is_drawn = true;
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_length(total);
                bar.set_message(on_one_line(subject).into_owned());
                bar.set_position(done);
            }
            Shown::Lines(lines) => lines.note(subject, done, total),
            Shown::Nothing => {}
        }
    }

    /// Takes a bar away.
    pub(crate) fn finish(&self) {
        if let Shown::Bar { bar, .. } = &self.shown {
            bar.finish_and_clear();
        }
    }
}

impl Shown {
    fn bar(style: &str) -> Shown {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Shown::Bar { bar, started: Instant::now(), is_drawn: false }
    }
}

fn between_lines() -> Option<Duration> {
    let seconds = std::env::var("DODONA_PROGRESS").ok().and_then(|seconds| seconds.parse().ok());
    let between = seconds.map_or(BETWEEN_LINES, Duration::from_secs);
    (between > Duration::ZERO).then_some(between)
}

/// How far the work is.
#[derive(Clone, Debug, Default)]
struct State {
    subject: String,
    done: u64,
    total: u64,
}

/// Writes lines from a thread of its own, so that work which tells nothing for long is seen to go on too.
struct Lines {
    state: Arc<Mutex<State>>,
    /// The thread ends when this is dropped.
    _end: Sender<()>,
}

impl Lines {
    fn every(between: Duration, noun: &'static str) -> Lines {
        let state = Arc::new(Mutex::new(State::default()));
        let (end, ended) = channel();
        let (seen, started) = (Arc::clone(&state), Instant::now());
        let write = move || {
            while ended.recv_timeout(between) == Err(RecvTimeoutError::Timeout) {
                let state = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // Nobody may be listening any more.
                let _ = std::io::stderr().write_all(line(&state, noun, started.elapsed()).as_bytes());
            }
        };
        // Without a thread there are no lines, and the work is done all the same.
        let _ = std::thread::Builder::new().name("dodona-progress".into()).spawn(write);
        Lines { state, _end: end }
    }

    fn note(&self, subject: &str, done: u64, total: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.subject != subject {
            subject.clone_into(&mut state.subject);
        }
        (state.done, state.total) = (done, total);
    }
}

/// `progress: triangle, 3 alive: 120 of 306 mutants after 20 s`.
fn line(State { subject, done, total }: &State, noun: &str, elapsed: Duration) -> String {
    let subject = if subject.is_empty() { String::new() } else { format!("{subject}: ") };
    let noun = if noun.is_empty() { String::new() } else { format!(" {noun}") };
    let so_far = match total {
        0 => "preparing".to_owned(),
        _ => format!("{done} of {total}{noun}"),
    };
    format!("progress: {}{so_far} after {} s\n", on_one_line(&subject), elapsed.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_the_work_is() {
        let at = |done, total| State { subject: "gcd, 3 alive".into(), done, total };
        let after = Duration::from_millis(20_999);
        assert_eq!(
            line(&at(120, 306), "mutants", after),
            "progress: gcd, 3 alive: 120 of 306 mutants after 20 s\n"
        );
        assert_eq!(line(&at(1, 3), "", after), "progress: gcd, 3 alive: 1 of 3 after 20 s\n");
        assert_eq!(line(&State::default(), "mutants", after), "progress: preparing after 20 s\n");
    }

    #[test]
    fn the_last_state_is_told() {
        let lines = Lines::every(Duration::from_secs(1000), "sources");
        lines.note("gcd", 1, 2);
        lines.note("gcd", 2, 2);
        let state = lines.state.lock().expect("no thread panics").clone();
        assert_eq!((state.subject.as_str(), state.done, state.total), ("gcd", 2, 2));
    }
}
