//! Keeps a list of the temporary files that are being written, for a process that must end at once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary file that is on the list until this value is dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    pub(crate) fn note(path: &Path) -> Unfinished {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Unfinished(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Removes the temporary files that any thread is writing. For a process that ends without returning from its
/// functions.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // The file may already have been renamed; then there is nothing to remove.
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_written_is_removed_and_nothing_else() {
        let home = tempfile::tempdir().expect("a folder");
        let paths = ["done", "begun"].map(|name| home.path().join(name));
        for path in &paths {
            std::fs::write(path, "half").expect("written");
        }
        drop(Unfinished::note(&paths[0]));
        let begun = Unfinished::note(&paths[1]);
        remove_unfinished();
        assert!(paths[0].exists() && !paths[1].exists());
        drop(begun);
    }
}
