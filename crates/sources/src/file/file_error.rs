//! Errors of files with source inputs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::json::NotOfType;

/// A file of source inputs could not be read. The message starts with `file:line`.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", path.display())]
pub struct FileError {
    /// The file, as the caller named it.
    pub path: PathBuf,
    problem: Problem,
}

impl FileError {
    pub(super) fn new(path: &Path, problem: Problem) -> Self {
        FileError { path: path.to_owned(), problem }
    }

    /// The line of the error, counted from 1, if a single line is at fault.
    pub fn line(&self) -> Option<u64> {
        match &self.problem {
            Problem::Cells { line, .. }
            | Problem::Json { line, .. }
            | Problem::NotObject { line }
            | Problem::Missing { line, .. }
            | Problem::Value { line, .. }
            | Problem::Utf8 { line, .. } => Some(*line),
            Problem::Column { .. } | Problem::Twice(_) => Some(1),
            Problem::Format | Problem::Io(_) | Problem::Empty | Problem::NoRows => None,
        }
    }
}

#[derive(Debug)]
pub(super) enum Problem {
    Format,
    Io(io::Error),
    Empty,
    NoRows,
    Column { name: String, has: Vec<String> },
    Twice(String),
    Cells { line: u64, cells: u64, wanted: u64 },
    Json { line: u64, column: usize, what: String },
    NotObject { line: u64 },
    Missing { line: u64, name: String },
    Value { line: u64, name: String, error: NotOfType },
    Utf8 { line: u64, name: Option<String> },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Format => f.write_str(": source inputs are read from files that end in .csv or .jsonl"),
            Problem::Io(e) => write!(f, ": cannot read the source inputs: {e}"),
            Problem::Empty => f.write_str(
                ": no source inputs in an empty file; write a header of variables (.csv) or an object a line (.jsonl)",
            ),
            Problem::NoRows => f.write_str(": no source inputs after the header; write one a line"),
            Problem::Column { name, has } => {
                write!(f, ":1: no column `{name}`; the header has {}", has.join(", "))
            }
            Problem::Twice(name) => write!(f, ":1: column `{name}` stands there twice; rename one"),
            Problem::Cells { line, cells, wanted } => write!(
                f,
                ":{line}: {cells} cells where the header has {wanted}; quote cells that hold commas, such as \"[1, 2]\""
            ),
            Problem::Json { line, column, what } => write!(f, ":{line}:{column}: {what}"),
            Problem::NotObject { line } => {
                write!(f, ":{line}: not an object; write one a line, such as {{\"x\": 1}}")
            }
            Problem::Missing { line, name } => write!(f, ":{line}: no value for `{name}`"),
            Problem::Value { line, name, error } => write!(f, ":{line}: column `{name}`: {error}"),
            Problem::Utf8 { line, name: Some(name) } => {
                write!(f, ":{line}: column `{name}`: not UTF-8; save the file as UTF-8")
            }
            Problem::Utf8 { line, name: None } => write!(f, ":{line}: not UTF-8; save the file as UTF-8"),
        }
    }
}
