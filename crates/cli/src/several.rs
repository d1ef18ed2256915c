//! Several subjects or files of one command: what can be done is done and reported, then it is told what failed.

use dodona_target::on_one_line;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::complain;
use crate::{ending, interrupt};

/// The items of a command that failed.
pub(crate) struct Failed {
    /// What the items are, in the plural: `subjects`.
    items: &'static str,
    run: usize,
    failures: Vec<(String, Failure)>,
}

impl Failed {
    /// Runs each item and keeps what comes of those that succeed. An interruption ends it after the item that is being run.
    pub(crate) fn run<T, R>(
        items: &'static str,
        all: &[T],
        name: impl Fn(&T) -> String,
        mut run: impl FnMut(&T) -> Result<R, Failure>,
    ) -> (Vec<R>, Failed) {
        let (mut done, mut failed) = (Vec::new(), Failed { items, run: 0, failures: Vec::new() });
        for item in all {
            failed.run += 1;
            match run(item) {
                Ok(result) => done.push(result),
                Err(failure) => failed.failures.push((name(item), failure)),
            }
            if interrupt::is_raised() {
                break;
            }
        }
        (done, failed)
    }

    /// The items that failed, by name, with the failures that a report for programs tells. Nothing is reported of an item on which
    /// Dodona itself failed.
    pub(crate) fn reported(&self) -> impl Iterator<Item = &(String, Failure)> {
        self.failures.iter().filter(|(_, why)| why.exit != Exit::Mistake)
    }

    /// How many items failed.
    pub(crate) fn count(&self) -> usize {
        self.failures.len()
    }

    /// The items that were not begun, because of an interruption.
    pub(crate) fn left<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        all.get(self.run..).unwrap_or_default()
    }

    /// Tells what failed, each reason once; the worst of the exit codes.
    pub(crate) fn or(self, exit: Exit) -> Exit {
        let mut told: Vec<String> = Vec::new();
        for (_, failure) in &self.failures {
            let words = failure.render();
            if !told.contains(&words) {
                ending::answer();
                complain(&words);
                told.push(words);
            }
        }
        if self.run > 1 && !self.failures.is_empty() {
            let names: Vec<&str> = self.failures.iter().map(|(name, _)| name.as_str()).collect();
            let (failed, all, items) = (names.len(), self.run, self.items);
            complain(&format!(
                "error: {failed} of {all} {items} failed: {}\n",
                on_one_line(&names.join(", "))
            ));
        }
        self.failures.iter().fold(exit, |worst, (_, failure)| worst.or_worse(failure.exit))
    }
}
