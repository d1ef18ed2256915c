//! Every verb as a whole: whatever stands in the manifest, the relations, the module, the inputs and the options, the command ends
//! with a documented exit code, says why where it failed, and leaves nothing half-written and nothing outside of the subject's folder.

mod files;
mod options;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Case, Choices, Defect};
use dodona_cli::Captured;

use files::Files;

/// The documented exit codes of what went as it should.
const EXITS: [u8; 6] = [0, 1, 2, 3, 4, 130];

/// The most commands in one folder: later ones find what earlier ones wrote.
const COMMANDS: usize = 3;

/// Runs one case.
///
/// # Errors
/// When a command ends in a way that is not documented, says nothing of a failure, or writes where it should not.
///
/// # Panics
/// When a command does: that is the defect.
pub fn verbs(bytes: &[u8]) -> Result<Case, Defect> {
    let (mut written, mut choices) = Choices::split(bytes);
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("subject");
    let files = Files::draw(&mut written);
    if !files.are_safe() {
        return Ok(Case::Dropped("it could run another program, or without end"));
    }
    files.write(&folder);
    let mut worked = false;
    for _ in 0..1 + choices.below(COMMANDS) {
        let words = options::command(&mut choices, &folder);
        let told = dodona_cli::run_captured(words.clone());
        judge(&words, &told, root.path()).map_err(|defect| defect.with(&files.to_string()))?;
        worked |= matches!(told.exit, 0 | 1 | 3);
    }
    Ok(Case::Checked(if worked { "a verb did its work" } else { "a verb refused, and said why" }))
}

fn judge(words: &[OsString], told: &Captured, root: &Path) -> Result<(), Defect> {
    let said = format!("{}{}", told.stdout, told.stderr);
    let line: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let defect = |what: String| Err(Defect::new(format!("{what}\n{}\n{said}", line.join(" "))));
    if !EXITS.contains(&told.exit) {
        return defect(format!("exit code {}", told.exit));
    }
    if matches!(told.exit, 2 | 4) && said.trim().is_empty() {
        return defect(format!("exit code {} without a word", told.exit));
    }
    if said.contains("panicked at") || said.contains("mistake in Dodona") {
        return defect("Dodona contradicts itself".to_owned());
    }
    match stray(root) {
        Some(path) => defect(format!("{} was left", path.display())),
        None => Ok(()),
    }
}

/// A file beside the subject's folder, or one that is only half there.
fn stray(root: &Path) -> Option<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let subject = root.join("subject");
    let beside = entries(root).into_iter().find(|path| *path != subject);
    let is_half = |path: &PathBuf| path.extension().is_some_and(|e| e == "tmp");
    beside.or_else(|| entries(&subject).into_iter().find(is_half))
}
