//! What the compiler told of a program: the files that it is made of, and what its entry exports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::build::{BuildError, file};

/// What the compiler told.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    /// The files that it read, from the folder that it ran in.
    pub(super) read: BTreeSet<PathBuf>,
    /// Where it looked for a file in vain.
    pub(super) absent: BTreeSet<PathBuf>,
    /// What the entry exports.
    pub(super) exports: Vec<Exported>,
}

/// Something that a file exports.
#[derive(Debug, Deserialize)]
pub(super) struct Exported {
    /// By which name.
    pub(super) name: String,
    /// What it is.
    pub(super) kind: Kind,
    /// The parameters of a function.
    #[serde(default)]
    pub(super) parameters: Vec<ExportedParameter>,
    /// The type of a function's result.
    #[serde(default)]
    pub(super) result: String,
}

/// What a file exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A function that can be called by its name.
    Function,
    /// A function with parameters for types.
    Generic,
    /// A class, a variable, a type.
    Other,
}

/// A parameter of an exported function.
#[derive(Debug, Deserialize)]
pub(super) struct ExportedParameter {
    /// Its name in the source.
    pub(super) name: String,
    /// Its type as the compiler writes it.
    #[serde(rename = "type")]
    pub(super) ty: String,
    /// Whether a call may leave it out.
    pub(super) is_optional: bool,
}

impl Told {
    /// Reads what the compiler told.
    ///
    /// # Errors
    /// When it told nothing that is understood: of another version, its program may be another one.
    pub(super) fn read(path: &Path) -> Result<Told, BuildError> {
        let text = std::fs::read_to_string(path).map_err(file("read", path))?;
        serde_json::from_str(&text).map_err(|error| {
            BuildError::Unsupported(format!(
                "this version of asc does not tell what a module exports ({error}); npm install -g assemblyscript installs the newest"
            ))
        })
    }
}
