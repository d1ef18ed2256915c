//! The lock of a session: one process writes at a time, and others wait for it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::SessionError;

/// How often a process that waits looks again.
const PAUSE: Duration = Duration::from_millis(100);

/// The lock of a session, until it is dropped. It is the operating system's, so that a killed process holds nothing.
pub(crate) struct Holder(File);

impl Holder {
    /// Waits until nobody else holds the session, but not longer than `patience`. `waits` is told once who holds it.
    ///
    /// # Errors
    /// [`SessionError::Held`] when somebody still does, and when the lock cannot be made.
    pub(crate) fn take(
        path: &Path,
        patience: Duration,
        waits: &mut dyn FnMut(&str),
    ) -> Result<Holder, SessionError> {
        let failed = |error| SessionError::File { action: "open", path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let begun = Instant::now();
        let mut is_told = false;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                // A file system without locks has none to wait for.
                Err(TryLockError::Error(_)) => break,
                Err(TryLockError::WouldBlock) => {}
            }
            let holder = holder(&mut file);
            if begun.elapsed() >= patience {
                return Err(SessionError::Held { path: PathBuf::from(path), holder });
            }
            if !is_told {
                waits(&holder);
                is_told = true;
            }
            std::thread::sleep(PAUSE);
        }
        note(&mut file).map_err(failed)?;
        Ok(Holder(file))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        _ = self.0.set_len(0);
        _ = self.0.unlock();
    }
}

/// Notes who holds the lock, for those who wait.
fn note(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {}", std::process::id())
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
    match text.trim() {
        words if read.is_ok() && !words.is_empty() => words.to_owned(),
        _ => "another process".to_owned(),
    }
}
