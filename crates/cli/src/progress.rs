//! Progress of work that takes longer: a bar on a terminal, and a line now and then where standard error goes elsewhere.
//!
//! # Decisions
//! The lines are written by one thread, from the beginning of a verb to its end, so that no verb and no part of one is silent for longer than it takes to the
//! next line: not while a subject is built, and not between two counts. What is counted is told to it by a [`Progress`], where the verb has one. The price is
//! that a part without a `Progress` is told by the verb's name alone.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
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
    Lines { noun: &'static str },
    Nothing,
}

/// How a person hears of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Bar,
    Lines { between: Duration },
    Nothing,
}

impl Way {
    /// The way of this process.
    fn here() -> Way {
        let seconds = std::env::var("DODONA_PROGRESS").ok();
        Way::of(output::is_captured(), std::io::stderr().is_terminal(), seconds.as_deref())
    }

    fn of(is_captured: bool, is_terminal: bool, seconds: Option<&str>) -> Way {
        let said = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.trim().parse().ok()?).ok());
        match said.unwrap_or(BETWEEN_LINES) {
            _ if is_captured => Way::Nothing,
            _ if is_terminal => Way::Bar,
            Duration::ZERO => Way::Nothing,
            between => Way::Lines { between },
        }
    }
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
        let shown = match Way::here() {
            Way::Bar => Shown::bar(style),
            Way::Lines { .. } => Shown::Lines { noun },
            Way::Nothing => Shown::Nothing,
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
            Shown::Lines { noun } => count(noun, subject, done, total),
            Shown::Nothing => {}
        }
    }

    /// Takes a bar away; lines tell no count any more.
    pub(crate) fn finish(&self) {
        match &self.shown {
            Shown::Bar { bar, .. } => bar.finish_and_clear(),
            Shown::Lines { .. } => told().count = None,
            Shown::Nothing => {}
        }
    }
}

/// Work that ended with an error is not counted any more either.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Shown::Lines { .. } = self.shown {
            told().count = None;
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

/// What the next line tells.
#[derive(Clone, Debug)]
struct Told {
    count: Option<Count>,
    /// How many wait for a person: nothing goes on, and there is nothing to tell.
    waiting: usize,
}

/// How far the work is.
#[derive(Clone, Debug)]
struct Count {
    noun: &'static str,
    subject: String,
    done: u64,
    total: u64,
}

static TOLD: Mutex<Told> = Mutex::new(Told { count: None, waiting: 0 });

fn told() -> MutexGuard<'static, Told> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn count(noun: &'static str, subject: &str, done: u64, total: u64) {
    let mut told = told();
    match &mut told.count {
        Some(count) if count.noun == noun && count.subject == subject => {
            (count.done, count.total) = (done, total);
        }
        count => *count = Some(Count { noun, subject: subject.to_owned(), done, total }),
    }
}

/// While it is there, no lines are written, for nothing goes on before somebody does something.
pub(crate) struct Waiting(());

/// A person is asked, or a file is waited for.
pub(crate) fn waiting() -> Waiting {
    told().waiting += 1;
    Waiting(())
}

impl Drop for Waiting {
    fn drop(&mut self) {
        told().waiting -= 1;
    }
}

/// Writes lines from a thread of its own, so that work which tells nothing for long is seen to go on too. The thread ends when this is dropped.
pub(crate) struct Lines {
    _end: Option<Sender<()>>,
}

/// Begins to write lines of a verb, where they are wanted.
pub(crate) fn lines(doing: &'static str) -> Lines {
    let Way::Lines { between } = Way::here() else { return Lines { _end: None } };
    let (end, ended) = channel();
    let started = Instant::now();
    let write = move || {
        while ended.recv_timeout(between) == Err(RecvTimeoutError::Timeout) {
            let told = told().clone();
            if let Some(line) = line(&told, doing, started.elapsed()) {
                // Nobody may be listening any more.
                let _ = std::io::stderr().write_all(line.as_bytes());
            }
        }
    };
    // Without a thread there are no lines, and the work is done all the same.
    let _ = std::thread::Builder::new().name("dodona-progress".into()).spawn(write);
    Lines { _end: Some(end) }
}

/// `progress: triangle, 3 alive: 120 of 306 mutants after 20 s`; `progress: generating after 20 s` where nothing is counted.
fn line(told: &Told, doing: &str, elapsed: Duration) -> Option<String> {
    if told.waiting > 0 {
        return None;
    }
    let so_far = match &told.count {
        None => by_itself(doing).to_owned(),
        Some(Count { subject, total: 0, .. }) => format!("{}preparing", before(subject)),
        Some(Count { noun: "", subject, done, total }) => format!("{}{done} of {total}", before(subject)),
        Some(Count { noun, subject, done, total }) => format!("{}{done} of {total} {noun}", before(subject)),
    };
    Some(format!("progress: {so_far} after {} s\n", elapsed.as_secs()))
}

fn before(subject: &str) -> String {
    if subject.is_empty() { String::new() } else { format!("{}: ", on_one_line(subject)) }
}

/// `selecting` of `selecting from`, behind which messages have a subject.
fn by_itself(doing: &str) -> &str {
    let ends = [" of", " from", " at"];
    ends.iter().find_map(|end| doing.strip_suffix(end)).unwrap_or(doing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: Duration = Duration::from_millis(20_999);

    fn counted(noun: &'static str, subject: &str, done: u64, total: u64) -> Told {
        Told { count: Some(Count { noun, subject: subject.to_owned(), done, total }), waiting: 0 }
    }

    #[test]
    fn a_line_says_how_far_the_work_is() {
        let at = |noun, subject, done, total| line(&counted(noun, subject, done, total), "mutating", AFTER);
        assert_eq!(
            at("mutants", "gcd, 3 alive", 120, 306).as_deref(),
            Some("progress: gcd, 3 alive: 120 of 306 mutants after 20 s\n")
        );
        assert_eq!(at("", "gcd", 1, 3).as_deref(), Some("progress: gcd: 1 of 3 after 20 s\n"));
        assert_eq!(at("mutants", "", 0, 0).as_deref(), Some("progress: preparing after 20 s\n"));
    }

    #[test]
    fn work_that_counts_nothing_is_told_by_its_verb() {
        let nothing = Told { count: None, waiting: 0 };
        assert_eq!(line(&nothing, "generating", AFTER).as_deref(), Some("progress: generating after 20 s\n"));
        assert_eq!(
            line(&nothing, "ordering mutants of", AFTER).as_deref(),
            Some("progress: ordering mutants after 20 s\n")
        );
    }

    #[test]
    fn nothing_is_told_while_a_person_is_waited_for() {
        let waiting = Told { waiting: 1, ..counted("pairs", "", 1, 2) };
        assert_eq!(line(&waiting, "identifying", AFTER), None);
    }

    #[test]
    fn lines_are_written_where_no_terminal_shows_a_bar() {
        let every = |seconds| Way::Lines { between: Duration::from_secs_f64(seconds) };
        assert_eq!(Way::of(false, false, None), every(10.0));
        assert_eq!(Way::of(false, false, Some("60")), every(60.0));
        assert_eq!(Way::of(false, false, Some("0.5")), every(0.5));
        assert_eq!(Way::of(false, false, Some("often")), every(10.0));
        assert_eq!(Way::of(false, false, Some("-1")), every(10.0));
        assert_eq!(Way::of(false, false, Some("0")), Way::Nothing);
        assert_eq!(Way::of(false, true, None), Way::Bar);
        assert_eq!(Way::of(true, false, None), Way::Nothing);
        assert_eq!(Way::of(true, true, Some("1")), Way::Nothing);
    }
}
