//! The other version that `--against` names: a revision of git, a folder, or a module.

use std::collections::BTreeSet;
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
    let archive = git(&top, &["archive", "--format=tar", &commit]).map_err(|why| nothing(revision, &why))?;
    let failed = |error: std::io::Error| Failure::usage(format!("cannot unpack {revision}: {error}"));
    let unpacked = tempfile::tempdir().map_err(failed)?;
    tar::Archive::new(&archive[..]).unpack(unpacked.path()).map_err(failed)?;
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
    let output = Command::new("git").arg("-C").arg(folder).args(words).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}
