//! The package whose functions are meant, as cargo knows it.

use std::path::{Path, PathBuf};
use std::process::Command;

use dodona_subject::quoted;
use serde_json::Value;

use super::PackageArgs;
use crate::crate_functions::{head, relative};
use crate::exit::Exit;
use crate::failure::Failure;

/// A package with a library whose functions can be called.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    /// The folder of its Cargo.toml.
    pub(super) folder: PathBuf,
    features: Vec<String>,
}

/// Kinds of libraries that other crates can use.
const USABLE: [&str; 3] = ["lib", "rlib", "dylib"];

/// Finds the package: the one that is named, that of the folder, or the only one.
///
/// # Errors
/// When cargo does not know it, or it has no library that can be used.
pub(super) fn find(args: &PackageArgs) -> Result<Package, Failure> {
    let said = cargo(args, &["metadata", "--no-deps", "--format-version", "1"])?;
    let said: Value = serde_json::from_str(&said).unwrap_or_default();
    let members = said["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let member = match &args.package {
        Some(name) => members.iter().find(|member| member["name"] == name.as_str()).ok_or_else(|| {
            Failure::usage(format!(
                "no member of the workspace is called `{name}`; its members are: {}",
                names(members)
            ))
        })?,
        None => here(args, members)?,
    };
    package(member)
}

/// The member whose Cargo.toml is the nearest one; the only one of a workspace that has one.
fn here<'m>(args: &PackageArgs, members: &'m [Value]) -> Result<&'m Value, Failure> {
    let nearest = cargo(args, &["locate-project", "--message-format", "plain"])?;
    let own = members.iter().find(|member| member["manifest_path"] == nearest.trim_end());
    match (own, members) {
        (Some(own), _) => Ok(own),
        (None, [only]) => Ok(only),
        (None, members) => Err(Failure::usage(format!(
            "this is a workspace, and which of its members is meant? Its members are: {}\n  cargo dodona --package {}",
            names(members),
            members.first().and_then(|member| member["name"].as_str()).unwrap_or("NAME"),
        ))),
    }
}

fn names(members: &[Value]) -> String {
    let names: Vec<&str> = members.iter().filter_map(|member| member["name"].as_str()).collect();
    names.join(", ")
}

fn package(member: &Value) -> Result<Package, Failure> {
    let name = member["name"].as_str().unwrap_or_default().to_owned();
    let manifest = Path::new(member["manifest_path"].as_str().unwrap_or_default());
    let targets = member["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has = |kinds: &[&str]| {
        let of = |target: &Value| target["kind"].as_array().cloned().unwrap_or_default();
        targets.iter().any(|target| of(target).iter().any(|kind| kinds.iter().any(|known| kind == known)))
    };
    if has(&["proc-macro"]) {
        return Err(Failure::usage(format!(
            "{name} is a crate of procedural macros: these run in the compiler, and no function of it can be called; move what they compute with into a \
             library crate"
        )));
    }
    if !has(&USABLE) {
        let why = match has(&["cdylib", "staticlib"]) {
            true => "its library is for other languages alone: add \"lib\" to crate-type in its Cargo.toml",
            false => {
                "it has no library, and functions of a program cannot be called: move them to src/lib.rs, which src/main.rs uses"
            }
        };
        return Err(Failure::usage(format!("no function of {name} can be called: {why}")));
    }
    let folder = manifest.parent().unwrap_or(Path::new(".")).to_owned();
    let features = member["features"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
    Ok(Package { name, folder, features: features.collect() })
}

/// Asks cargo; what it prints.
fn cargo(args: &PackageArgs, words: &[&str]) -> Result<String, Failure> {
    // Cargo says where it is to the commands that it runs.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(words);
    if let Some(path) = &args.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.stdin(std::process::Stdio::null()).output().map_err(|error| {
        Failure::new(Exit::Subject, format!("cargo cannot be run: {error}; https://rustup.rs installs it"))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().trim_start_matches("error: ");
    // A path that names nothing is the user's, and a Cargo.toml that cargo refuses is the crate's.
    let exit = if said.starts_with("failed to parse") || said.starts_with("failed to load") {
        Exit::Subject
    } else {
        Exit::Usage
    };
    Err(Failure::new(exit, said))
}

impl Package {
    /// The lines of a manifest in a folder that name the crate.
    pub(super) fn head(&self, args: &PackageArgs, folder: &Path) -> String {
        let path = relative(&self.folder, folder).display().to_string();
        let features = if args.all_features { &self.features } else { &args.features };
        head(vec![format!("path = {}", quoted(&path))], features, args.no_default_features)
    }
}
