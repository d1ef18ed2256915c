//! The other version that `--against` names: a revision of git, a folder, or a module.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use dodona_subject::build::{self, Rebuild};
use dodona_subject::{ExportKind, Manifest, ModuleSource};
use tempfile::TempDir;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;

/// Another version of a subject.
pub(super) struct OtherVersion {
    /// The manifest of this version, for the module of the other one: both are called with the same inputs.
    pub(super) manifest: Manifest,
    /// Where a revision was unpacked, as long as it is needed.
    _unpacked: Option<TempDir>,
}

impl OtherVersion {
    /// The names of the functions that its module exports.
    ///
    /// # Errors
    /// When the module cannot be read.
    pub(super) fn exported(&self) -> Result<BTreeSet<String>, Failure> {
        let ModuleSource::File(path) = &self.manifest.source else { return Ok(BTreeSet::new()) };
        let module = build::read_module(path).map_err(open::input_failure)?;
        let functions =
            module.exports().iter().filter(|export| matches!(export.kind, ExportKind::Function(_)));
        Ok(functions.map(|export| export.name.clone()).collect())
    }
}

/// Finds another version of a subject, and builds its module.
///
/// # Errors
/// When there is no such file, folder or revision, or it cannot be built.
pub(super) fn other_version(manifest: &Manifest, named: &str) -> Result<OtherVersion, Failure> {
    let path = Path::new(named);
    if path.is_file() && path.extension().is_some_and(|end| end == "wasm" || end == "wat") {
        return Ok(of_module(manifest, path.to_owned(), None));
    }
    if path.exists() {
        let folder = std::path::absolute(manifest.folder()).unwrap_or_default();
        let wanted = format!("{named}^{{commit}}");
        // Whoever writes a path with a separator means a path.
        let is_revision =
            || git(&folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]).is_ok();
        if !named.contains(['/', '\\', '.']) && is_revision() {
            return Err(Failure::usage(format!(
                "{named} is a folder and a revision; write ./{named} for the folder, or refs/heads/{named} for the branch"
            )));
        }
        let other = open::manifest(path)?;
        let module = build::build(&other, Rebuild::WhenStale).map_err(open::build_failure)?;
        return Ok(of_module(manifest, module, None));
    }
    of_revision(manifest, named)
}

fn of_module(manifest: &Manifest, module: PathBuf, unpacked: Option<TempDir>) -> OtherVersion {
    let manifest = Manifest { source: ModuleSource::File(module), ..manifest.clone() };
    OtherVersion { manifest, _unpacked: unpacked }
}

/// A revision of the repository that the manifest lies in. It is unpacked elsewhere: the working copy stays as it is.
fn of_revision(manifest: &Manifest, revision: &str) -> Result<OtherVersion, Failure> {
    let folder = std::path::absolute(manifest.folder()).map_err(|error| Failure::usage(error.to_string()))?;
    let prefix = git(&folder, &["rev-parse", "--show-prefix"]).map_err(|why| nothing(revision, &why))?;
    let prefix = String::from_utf8_lossy(&prefix).trim_end_matches('\n').to_owned();
    let wanted = format!("{revision}^{{commit}}");
    let commit = git(&folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]);
    let commit = commit.map_err(|why| nothing(revision, &why))?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let top = git(&folder, &["rev-parse", "--show-toplevel"]).map_err(|why| nothing(revision, &why))?;
    let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches('\n').to_owned());
    let unpacked =
        unpack(&top, &commit).map_err(|why| Failure::usage(format!("cannot unpack {revision}: {why}")))?;
    let file = manifest.path.file_name().unwrap_or_default();
    let then = unpacked.path().join(prefix).join(file);
    if !then.exists() {
        let file = manifest.path.display();
        return Err(Failure::usage(format!(
            "{file} is not part of {revision}; --against takes a revision that has it"
        )));
    }
    let other = open::manifest(&then)?;
    let module = build::build(&other, Rebuild::WhenStale).map_err(open::build_failure)?;
    Ok(of_module(manifest, module, Some(unpacked)))
}

/// All files of a revision, in a folder of their own. An archive would leave out what the repository keeps out of its archives.
fn unpack(top: &Path, commit: &str) -> Result<TempDir, String> {
    let unpacked = tempfile::tempdir().map_err(|error| error.to_string())?;
    // Git reads a revision into an index, and writes the files of an index. It is not that of the working copy, which stays as it is.
    let index = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut prefix = std::ffi::OsString::from("--prefix=");
    prefix.push(unpacked.path().join(""));
    let run = |words: &[&OsStr]| {
        let mut command = command(top, words);
        output(command.env("GIT_INDEX_FILE", index.path().join("index")))
    };
    run(&["read-tree".as_ref(), commit.as_ref()])?;
    run(&["checkout-index".as_ref(), "--all".as_ref(), &prefix])?;
    Ok(unpacked)
}

fn nothing(named: &str, why: &str) -> Failure {
    let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
    Failure::new(
        Exit::Usage,
        format!(
            "{named} is no file, no folder and no revision of git here{why}; --against takes one of them"
        ),
    )
}

/// What git prints; its complaint where it fails.
fn git(folder: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    output(&mut command(folder, words))
}

fn command(folder: &Path, words: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(words);
    command
}

/// What a command of git prints; its complaint where it fails.
fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("git cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}
