//! Violations found earlier, stored as files beside the manifest and tested first.

mod owner;
mod regressions_error;

use std::io;
use std::path::{Path, PathBuf};

use dodona_target::{Value, fnv1a, user_file};
use serde::{Deserialize, Serialize};

pub use owner::{Owner, path_from};
pub use regressions_error::{RegressionError, SaveError};

use crate::atomic::{lock, write_atomically_with};
use crate::{NamedValue, Seed};

/// The name of the folder of regressions, which is beside the manifest.
pub const FOLDER: &str = "dodona-regressions";

/// The version of a regression's JSON; it is increased when a reader of the older format would misread the newer one.
pub const FORMAT_VERSION: u32 = 1;

/// A violation to be tested again, stored as a pretty-printed JSON file that is meant to be committed with the
/// relations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// The [`FORMAT_VERSION`] with which the file was written.
    pub format_version: u32,
    /// The manifest, as a path from the regression's folder: `../dodona.toml`.
    pub subject: String,
    /// The relation's name.
    pub relation: String,
    /// The file of the relation, as a path from the regression's folder, if the manifest does not name this file: the
    /// relation is then only checked when somebody asks for the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation_file: Option<String>,
    /// The text of the relation when it was violated.
    pub text: String,
    /// The metamorphic group.
    pub group: Group,
    /// The source input: one value for each variable.
    pub inputs: Vec<NamedValue>,
    /// The seed of the run that found the violation.
    pub seed: Seed,
    /// What was observed, in words.
    pub observed: String,
}

/// The metamorphic group of a source input, which has several groups if the relation has `for`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The index among the groups of one source input, counted from 0.
    pub index: usize,
    /// The constants of the group, such as `k = 2`; empty if there is only one group.
    pub label: String,
}

impl Regression {
    /// What the names of the files come from: the relation, the number of the group and the source input.
    fn identity(&self) -> Vec<u8> {
        let mut out = format!("{}\n{}\n", self.relation, self.group.index).into_bytes();
        for input in &self.inputs {
            // The lengths keep a name and a following text apart.
            let value = crate::json::to_json(&input.value).to_string();
            let name = &input.name;
            out.extend(format!("{} {name} {} {} {value}\n", name.len(), input.ty, value.len()).bytes());
        }
        out
    }

    /// Two regressions are the same if their subject, relation, group and source input are the same, bit for bit. The constants of `for` may be written
    /// in another order, so that a number stands for another group than before.
    fn is_same(&self, other: &Regression) -> bool {
        self.subject == other.subject
            && self.group.label == other.group.label
            && self.identity() == other.identity()
    }

    /// The names that the file may have, the preferred one first: the relation, and a stable hash with few hexadecimal
    /// digits or with all. The hash of the last name includes the subject and the group's constant, because manifests of one folder may have the
    /// same relations and violate them with the same input, and a group's number may stand for several constants one after the other.
    fn file_names(&self) -> [String; 3] {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let relation: String = self.relation.chars().map(plain).take(64).collect();
        let hash = fnv1a(&self.identity());
        let own =
            fnv1a(&[self.subject.as_bytes(), b"\n", &self.identity(), self.group.label.as_bytes()].concat());
        let short = &format!("{hash:016x}")[..6];
        [
            format!("{relation}-{short}.json"),
            format!("{relation}-{hash:016x}.json"),
            format!("{relation}-{own:016x}.json"),
        ]
    }

    /// The value of a variable.
    pub fn input(&self, variable: &str) -> Option<&Value> {
        self.inputs.iter().find(|input| input.name == variable).map(|input| &input.value)
    }
}

/// Saves a regression in a folder, which is created if it is missing, and returns the path of the file.
///
/// Saving the same regression again (same subject, relation, group and source input) overwrites the same file. The content is
/// written to a temporary file, synced and renamed, so that the file is either complete or missing.
///
/// # Errors
/// [`SaveError`] when the folder cannot be created or the file cannot be written; no partly written file is left.
pub fn save(folder: &Path, regression: &Regression) -> Result<PathBuf, SaveError> {
    save_with(folder, regression, |file, json| file.write_all(json))
}

fn save_with(
    folder: &Path,
    regression: &Regression,
    write: impl FnOnce(&mut dyn io::Write, &[u8]) -> io::Result<()>,
) -> Result<PathBuf, SaveError> {
    let made = !folder.exists();
    let fails = |path: &Path, source| SaveError { path: path.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(|e| fails(folder, e))?;
    // Another process may be saving a regression with the same short hash.
    let _held = lock(folder);
    let path =
        free_path(folder, regression).map_err(|path| fails(&path, io::ErrorKind::AlreadyExists.into()))?;
    let json = serde_json::to_vec_pretty(regression).map_err(|e| fails(&path, e.into()))?;
    let lines = [json.as_slice(), b"\n"].concat();
    write_atomically_with(&path, |file| write(file, &lines)).map_err(|e| {
        if made {
            // The folder may be removed only if it is still empty, which `remove_dir` checks.
            let _ = std::fs::remove_dir(folder);
        }
        fails(&path, e)
    })?;
    Ok(path)
}

/// The path for a regression: that of the file which holds it already, otherwise the first name that is free. Files of other
/// regressions, and files that cannot be read, are never overwritten. The error is the last name, when all are taken.
fn free_path(folder: &Path, regression: &Regression) -> Result<PathBuf, PathBuf> {
    let paths = regression.file_names().map(|name| folder.join(name));
    let is_ours = |path: &&PathBuf| load(path).is_ok_and(|found| found.is_same(regression));
    let is_free = |path: &&PathBuf| path.symlink_metadata().is_err();
    let path = paths.iter().find(is_ours).or_else(|| paths.iter().find(is_free));
    path.cloned().ok_or_else(|| paths[2].clone())
}

/// Reads one regression.
///
/// # Errors
/// [`RegressionError`] when the file cannot be read, is not JSON, is of another version, or lacks a field.
pub fn load(path: &Path) -> Result<Regression, RegressionError> {
    let fails = |kind| RegressionError { path: path.to_owned(), kind };
    let text = user_file::bytes(path).map_err(|e| fails(regressions_error::Kind::Read(e)))?;
    parse(&text).map_err(fails)
}

fn parse(text: &[u8]) -> Result<Regression, regressions_error::Kind> {
    let json: serde_json::Value = serde_json::from_slice(text).map_err(regressions_error::Kind::Json)?;
    let Some(version) = json.get("format_version") else { return Err(regressions_error::Kind::NoVersion) };
    if version.as_u64() != Some(FORMAT_VERSION.into()) {
        return Err(regressions_error::Kind::Version(version.to_string()));
    }
    // Parsed again from the text, so that an error has its line and column.
    serde_json::from_slice(text).map_err(regressions_error::Kind::Json)
}

/// A file in the folder of regressions, with its regression or the reason why it cannot be read.
pub type Kept = (PathBuf, Result<Regression, RegressionError>);

/// Reads every regression of a folder (`*.json`, sorted by name); none if the folder does not exist.
///
/// Each file is read separately: a damaged file does not hide the others.
///
/// # Errors
/// [`RegressionError`] when the folder cannot be listed.
pub fn load_all(folder: &Path) -> Result<Vec<Kept>, RegressionError> {
    let fails = |e| RegressionError { path: folder.to_owned(), kind: regressions_error::Kind::Read(e) };
    let entries = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fails)?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(fails)?;
    // A leading dot marks the temporary file of a run that was killed.
    let kept = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".json") && !name.starts_with('.')
    };
    paths.retain(kept);
    paths.sort();
    Ok(paths.into_iter().map(|path| (path.clone(), load(&path))).collect())
}

#[cfg(test)]
mod tests;
