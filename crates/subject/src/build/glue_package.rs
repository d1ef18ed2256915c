//! The package of generated glue: it depends on one crate, where that is, with the features that are asked for.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::BuildError;
use super::glue::GlueKind;
use super::products::{put, replace};
use super::programs::run;
use crate::{CrateHome, CrateSource};

/// The text of the glue's `Cargo.toml`.
///
/// The crate goes by the name that its paths begin with, whatever its library is called.
pub(super) fn cargo_toml(source: &CrateSource, kind: GlueKind) -> Result<String, BuildError> {
    let mut dependency = toml::Table::new();
    dependency.insert("package".to_owned(), source.package.as_str().into());
    match &source.home {
        CrateHome::Registry(version) => {
            dependency.insert("version".to_owned(), requirement(version)?.into());
        }
        CrateHome::Folder(folder) => drop(dependency.insert("path".to_owned(), unicode(folder)?.into())),
        CrateHome::Workspace(root) => {
            let folder = member(root, &source.package)?;
            dependency.insert("path".to_owned(), unicode(&folder)?.into());
        }
    }
    if !source.features.is_empty() {
        let features: toml::value::Array = source.features.iter().map(|name| name.as_str().into()).collect();
        dependency.insert("features".to_owned(), features.into());
    }
    if !source.default_features {
        dependency.insert("default-features".to_owned(), false.into());
    }
    let mut dependencies = toml::Table::from_iter([(source.root.clone(), toml::Value::from(dependency))]);
    for (name, version) in &source.dependencies {
        if dependencies.insert(name.clone(), requirement(version)?.into()).is_some() {
            return Err(BuildError::Unsupported(format!(
                "`{name}` is the crate under test and a dependency beside it; remove that"
            )));
        }
    }
    let made = match kind {
        GlueKind::Module => "[lib]\ncrate-type = [\"cdylib\"]\n\n[profile.release]\npanic = \"abort\"\n",
        // A panic is caught, and the next call is made.
        GlueKind::Worker => "[profile.release]\npanic = \"unwind\"\n",
    };
    // As in a test of the crate; else as in its release.
    let checks = if source.checks { "overflow-checks = true\ndebug-assertions = true\n" } else { "" };
    Ok(format!(
        "[package]\nname = \"dodona-glue\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n{made}{checks}\n[workspace]\n\n{}",
        toml::Table::from_iter([("dependencies".to_owned(), dependencies.into())])
    ))
}

/// A requirement of a version. What is none is told by cargo in words that say nothing of the manifest.
fn requirement(version: &str) -> Result<&str, BuildError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".*^~<>=+-, ".contains(c);
    match version.is_empty() || !version.chars().all(is_plain) {
        true => Err(BuildError::Unsupported(format!(
            "`{version}` is not a requirement of a version; write version = \"1.2\""
        ))),
        false => Ok(version),
    }
}

/// A path as a `Cargo.toml` can have it.
fn unicode(path: &Path) -> Result<&str, BuildError> {
    path.to_str().ok_or_else(|| {
        BuildError::Unsupported(format!(
            "the path {} is not Unicode, which a Cargo.toml has to be",
            path.display()
        ))
    })
}

/// The folder of a member of the workspace in a folder.
fn member(folder: &Path, package: &str) -> Result<PathBuf, BuildError> {
    let mut command = Command::new("cargo");
    command.current_dir(folder).args(["metadata", "--no-deps", "--format-version", "1"]);
    let output = run(command, "cargo builds Rust crates: https://rustup.rs installs it", str::to_owned)?;
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let members = said["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = members.iter().find(|member| member["name"] == package);
    let path = found.and_then(|member| Path::new(member["manifest_path"].as_str()?).parent());
    path.map(Path::to_owned).ok_or_else(|| {
        let names: Vec<&str> = members.iter().filter_map(|member| member["name"].as_str()).collect();
        BuildError::Unsupported(format!(
            "the workspace in {} has no member `{package}`; its members are: {}",
            folder.display(),
            names.join(", ")
        ))
    })
}

/// Gives the glue the versions of dependencies that a crate in a folder is locked to, so that what is tested is what its owner builds.
/// Cargo takes those versions that the glue needs; they are copied again once the crate's own lock file is another.
pub(super) fn lock(source: &CrateSource, glue: &Path) -> Result<(), BuildError> {
    let (CrateHome::Folder(folder) | CrateHome::Workspace(folder)) = &source.home else { return Ok(()) };
    let lock = folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|path| path.is_file());
    let Some(locked) = lock.and_then(|path| std::fs::read(path).ok()) else { return Ok(()) };
    let copied = glue.join("dodona.locked");
    if std::fs::read(&copied).is_ok_and(|before| before == locked) {
        return Ok(());
    }
    put(&glue.join("Cargo.lock"), &locked)?;
    replace(&copied, &locked)
}
