//! The manifest of what is named on the command line; where there is none yet, it is written.

use std::path::{Path, PathBuf};

use dodona_subject::Manifest;

use super::super::init::{self, InitArgs};
use crate::failure::Failure;
use crate::output::{captured, complain};
use crate::{memory, open};

/// The manifest; for a module or a crate without one, it is written first.
pub(super) fn manifest(path: &Path) -> Result<Manifest, Failure> {
    let mut path = path.to_owned();
    let is_module = path.extension().is_some_and(|end| end == "wasm" || end == "wat");
    if is_module && path.is_file() && !path.with_extension("toml").exists() {
        drafted(&InitArgs::of_module(&path))?;
    }
    if path.join("Cargo.toml").is_file() && !path.join("dodona.toml").is_file() {
        path = of_crate(&path)?;
    }
    memory::subject(&path.display().to_string());
    open::manifest(&path)
}

/// The manifest in the folder `dodona` of a crate, where `cargo dodona` keeps it too.
fn of_crate(folder: &Path) -> Result<PathBuf, Failure> {
    let home = folder.join("dodona");
    let entries = std::fs::read_dir(&home).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut manifests: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    manifests.sort();
    match manifests.as_slice() {
        [] => {
            drafted(&InitArgs::of_crate(folder, &home))?;
            Ok(home.join("dodona.toml"))
        }
        [one] => Ok(one.clone()),
        several => {
            let several: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(Failure::usage(format!("which of these manifests is meant? {}", several.join(", "))))
        }
    }
}

/// Writes a first manifest. What that tells goes to standard error: the result is that of the run.
fn drafted(args: &InitArgs) -> Result<(), Failure> {
    let mut failure = None;
    let told = captured(|| match init::run(args) {
        Ok(exit) => exit as u8,
        Err(why) => {
            let exit = why.exit as u8;
            failure = Some(why);
            exit
        }
    });
    complain(&told.stdout);
    complain(&told.stderr);
    failure.map_or(Ok(()), Err)
}
