//! The names of imports and of types of exceptions, as small values that can be copied.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::on_one_line;

/// The name of an import with its module, `env.abort`, or of a type of exceptions, `ValueError`.
///
/// Outcomes of calls contain it, and there is one of them for each row of a column. So it is a number, and the names stand in a table
/// of the process. The table keeps them until the process ends; there are as many as the modules that were loaded have imports that
/// are not offered, and as code has types of exceptions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(from = "String", into = "String")]
pub struct ImportName(u32);

static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn names() -> MutexGuard<'static, Vec<String>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ImportName {
    /// The name of an import of a module. Equal names are equal values.
    ///
    /// ```
    /// use dodona_target::ImportName;
    /// let abort = ImportName::new("env", "abort");
    /// assert_eq!(abort.to_string(), "env.abort");
    /// assert_eq!(abort, ImportName::new("env", "abort"));
    /// assert!(abort < ImportName::new("env", "now"));
    /// ```
    pub fn new(module: &str, name: &str) -> ImportName {
        ImportName::of(&format!("{module}.{name}"))
    }

    /// A name without a module: of a type of exceptions.
    pub fn of(name: &str) -> ImportName {
        // Anything may stand in a name.
        let full = on_one_line(name).into_owned();
        let mut names = names();
        let place = names.iter().position(|known| *known == full).unwrap_or_else(|| {
            names.push(full);
            names.len() - 1
        });
        ImportName(place as u32)
    }

    fn text(self) -> String {
        names().get(self.0 as usize).cloned().unwrap_or_default()
    }
}

impl fmt::Display for ImportName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for ImportName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Its name is written, for another process has other numbers.
impl From<ImportName> for String {
    fn from(name: ImportName) -> String {
        name.text()
    }
}

impl From<String> for ImportName {
    fn from(name: String) -> ImportName {
        ImportName::of(&name)
    }
}

/// By name: the numbers depend on what was loaded before.
impl Ord for ImportName {
    fn cmp(&self, other: &ImportName) -> Ordering {
        self.text().cmp(&other.text())
    }
}

impl PartialOrd for ImportName {
    fn partial_cmp(&self, other: &ImportName) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
