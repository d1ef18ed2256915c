//! What a person answers, line by line.

use std::io::BufRead as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use dodona_target::Interruption;

use crate::progress;

/// How often somebody who is asked may be seen to have interrupted instead.
const LOOK: Duration = Duration::from_millis(50);

/// The lines of standard input, read by a thread of their own: who waits for one could not be interrupted.
pub(super) fn answers() -> Receiver<String> {
    let (lines, answers) = sync_channel(0);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                return;
            }
        }
    });
    answers
}

/// The next line; none where there is no more, or somebody interrupts.
pub(super) fn next(answers: &Receiver<String>, interrupted: &Interruption) -> Option<String> {
    let _waiting = progress::waiting();
    while !interrupted.is_raised() {
        match answers.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) => {}
            line => return line.ok(),
        }
    }
    None
}
