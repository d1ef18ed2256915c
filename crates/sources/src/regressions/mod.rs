//! Violations found before, kept as files beside the manifest and tried first.

mod error;

use std::io;
use std::path::{Path, PathBuf};

use dodona_subject::{Value, fnv1a};
use serde::{Deserialize, Serialize};

pub use error::{LoadError, SaveError};

use crate::atomic::{lock, write_atomically_with};
use crate::{NamedValue, Seed};

/// The folder of regressions, beside the manifest.
pub const FOLDER: &str = "dodona-regressions";

/// The version of a regression's JSON; it grows when a reader of the older form would misread the newer.
pub const FORMAT_VERSION: u32 = 1;

/// A violation to be tried again: one pretty JSON file, made to be committed with the relations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// [`FORMAT_VERSION`] of the writer.
    pub format_version: u32,
    /// The manifest, as a path from the regression's folder: `../dodona.toml`.
    pub subject: String,
    /// The relation's name.
    pub relation: String,
    /// The relation as it was when it was violated.
    pub text: String,
    /// The metamorphic group.
    pub group: Group,
    /// The source input: a value for each variable.
    pub inputs: Vec<NamedValue>,
    /// The seed of the run that found it.
    pub seed: Seed,
    /// What was observed, in words.
    pub observed: String,
}

/// Which metamorphic group of a source input, where `for` makes several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its place among the groups of one source input, counted from 0.
    pub index: usize,
    /// The constants that make it, such as `k = 2`; empty where there is one group.
    pub label: String,
}

impl Regression {
    /// What makes two regressions the same: relation, group and source input, bit for bit.
    fn identity(&self) -> Vec<u8> {
        let mut out = format!("{}\n{}\n", self.relation, self.group.index).into_bytes();
        for input in &self.inputs {
            // Lengths keep names and texts from running into one another.
            let value = crate::json::to_json(&input.value).to_string();
            let name = &input.name;
            out.extend(format!("{} {name} {} {} {value}\n", name.len(), input.ty, value.len()).bytes());
        }
        out
    }

    /// The file's name: the relation and a stable hash of this many hexadecimal digits.
    fn file_name(&self, digits: usize) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let relation: String = self.relation.chars().map(plain).take(64).collect();
        let hash = format!("{:016x}", fnv1a(&self.identity()));
        format!("{relation}-{}.json", &hash[..digits])
    }

    /// The value of a variable.
    pub fn input(&self, variable: &str) -> Option<&Value> {
        self.inputs.iter().find(|input| input.name == variable).map(|input| &input.value)
    }
}

/// Keeps a regression in a folder, which is made where it is missing, and tells the file.
///
/// Saving the same one again (same relation, group and source input) rewrites the same file. The
/// file is written beside its place, synced and renamed, so that it is there whole or not at all.
///
/// # Errors
/// [`SaveError`] when the folder cannot be made or the file cannot be written; nothing half-written stays.
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
    // Another process may keep one of the same short hash.
    let _held = lock(folder);
    let path =
        free_path(folder, regression).map_err(|path| fails(&path, io::ErrorKind::AlreadyExists.into()))?;
    let json = serde_json::to_vec_pretty(regression).map_err(|e| fails(&path, e.into()))?;
    let lines = [json.as_slice(), b"\n"].concat();
    write_atomically_with(&path, |file| write(file, &lines)).map_err(|e| {
        if made {
            // Only ours to remove where it is still empty, which this checks by itself.
            let _ = std::fs::remove_dir(folder);
        }
        fails(&path, e)
    })?;
    Ok(path)
}

/// The file of a regression: the shortest name that nothing else has. What cannot be read may be anything, and is kept. The
/// longest name where all are taken.
fn free_path(folder: &Path, regression: &Regression) -> Result<PathBuf, PathBuf> {
    const DIGITS: [usize; 2] = [6, 16];
    let is_ours = |path: &Path| {
        path.symlink_metadata().is_err()
            || load(path).is_ok_and(|found| found.identity() == regression.identity())
    };
    let [short, long] = DIGITS.map(|digits| folder.join(regression.file_name(digits)));
    if is_ours(&short) {
        return Ok(short);
    }
    if is_ours(&long) { Ok(long) } else { Err(long) }
}

/// Reads one regression.
///
/// # Errors
/// [`LoadError`] when the file cannot be read, is not JSON, is of another version, or lacks a field.
pub fn load(path: &Path) -> Result<Regression, LoadError> {
    let fails = |kind| LoadError { path: path.to_owned(), kind };
    let text = std::fs::read(path).map_err(|e| fails(error::Kind::Read(e)))?;
    parse(&text).map_err(fails)
}

fn parse(text: &[u8]) -> Result<Regression, error::Kind> {
    let json: serde_json::Value = serde_json::from_slice(text).map_err(error::Kind::Json)?;
    let Some(version) = json.get("format_version") else { return Err(error::Kind::NoVersion) };
    if version.as_u64() != Some(FORMAT_VERSION.into()) {
        return Err(error::Kind::Version(version.to_string()));
    }
    // Read again from the text, so that a mistake has its line and column.
    serde_json::from_slice(text).map_err(error::Kind::Json)
}

/// A file of the folder of regressions, and what it holds or why that cannot be read.
pub type Kept = (PathBuf, Result<Regression, LoadError>);

/// Reads every regression of a folder (`*.json`, by name); none where there is no folder.
///
/// Each file is read apart: one that is damaged does not hide the others.
///
/// # Errors
/// [`LoadError`] when the folder cannot be listed.
pub fn load_all(folder: &Path) -> Result<Vec<Kept>, LoadError> {
    let fails = |e| LoadError { path: folder.to_owned(), kind: error::Kind::Read(e) };
    let entries = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fails)?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(fails)?;
    // A leading dot is a temporary file of a run that was killed.
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
