//! The package of generated glue: it depends on one crate, where that is, with the features that are asked for.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::products::{put, replace};
use super::programs::run;
use super::{BuildError, file};
use crate::{CrateHome, CrateSource};
use dodona_target::user_file;

/// The text of the glue's `Cargo.toml`.
///
/// The crate goes by the name that its paths begin with, whatever its library is called.
pub(super) fn cargo_toml(source: &CrateSource) -> Result<String, BuildError> {
    let mut dependency = toml::Table::new();
    dependency.insert("package".to_owned(), source.package.as_str().into());
    match &source.home {
        CrateHome::Registry(version) => {
            // What is no requirement is told by cargo in words that say nothing of the manifest.
            let is_plain = |c: char| c.is_ascii_alphanumeric() || ".*^~<>=+-, ".contains(c);
            if version.is_empty() || !version.chars().all(is_plain) {
                return Err(BuildError::Unsupported(format!(
                    "`{version}` is not a requirement of a version; write version = \"1.2\""
                )));
            }
            dependency.insert("version".to_owned(), version.as_str().into());
        }
        CrateHome::Folder(folder) => {
            let folder = member(folder, &source.package)?;
            let Some(path) = folder.to_str() else {
                return Err(BuildError::Unsupported(format!(
                    "the path {} is not Unicode, which a Cargo.toml has to be",
                    folder.display()
                )));
            };
            dependency.insert("path".to_owned(), path.into());
        }
    }
    if !source.features.is_empty() {
        let features: toml::value::Array = source.features.iter().map(|name| name.as_str().into()).collect();
        dependency.insert("features".to_owned(), features.into());
    }
    if !source.default_features {
        dependency.insert("default-features".to_owned(), false.into());
    }
    let dependency = toml::Table::from_iter([(source.root.clone(), dependency.into())]);
    Ok(format!(
        "[package]\nname = \"dodona-glue\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [lib]\ncrate-type = [\"cdylib\"]\n\n[profile.release]\npanic = \"abort\"\n\n[workspace]\n\n{}",
        toml::Table::from_iter([("dependencies".to_owned(), dependency.into())])
    ))
}

/// The folder of a package: the folder that is named, or that of a member of the workspace there.
fn member(folder: &Path, package: &str) -> Result<PathBuf, BuildError> {
    let crate_file = folder.join("Cargo.toml");
    let text = user_file::text(&crate_file).map_err(file("read", &crate_file))?;
    let declared: Option<toml::Table> = text.parse().ok();
    let own = declared.as_ref().and_then(|table| table.get("package")?.get("name")?.as_str());
    if own == Some(package) {
        return Ok(folder.to_owned());
    }
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
    let CrateHome::Folder(folder) = &source.home else { return Ok(()) };
    let lock = folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|path| path.is_file());
    let Some(locked) = lock.and_then(|path| std::fs::read(path).ok()) else { return Ok(()) };
    let copied = glue.join("dodona.locked");
    if std::fs::read(&copied).is_ok_and(|before| before == locked) {
        return Ok(());
    }
    put(&glue.join("Cargo.lock"), &locked)?;
    replace(&copied, &locked)
}
