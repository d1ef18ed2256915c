//! Reads the source files that a record names, for a page or a report that shows them.

use std::path::Path;

/// Sources that are larger were written by machines.
const LARGEST: u64 = 2 << 20;

/// The text of a source file, which records name from the folder of its manifest; `None` where it is not at hand.
pub(crate) fn source_text(manifest: &str, file: &str) -> Option<String> {
    let path = Path::new(manifest).parent()?.join(file);
    let known = std::fs::metadata(&path).ok()?;
    if !known.is_file() || known.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
