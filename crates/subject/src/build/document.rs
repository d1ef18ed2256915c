//! What rustdoc knows of a crate, as its JSON.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::glue::GlueKind;
use super::products::{cache_folder, put};
use super::programs::run;
use super::rust::without_flags_of_host;
use super::{BuildError, file, glue_package};
use crate::CrateSource;
use dodona_target::fnv1a;

/// Has rustdoc document a crate, and returns the JSON that it writes. Dependencies of the crate are checked once, which may take a while.
///
/// # Errors
/// When cargo or rustdoc is missing or fails, or a file cannot be read or written.
pub fn document(source: &CrateSource) -> Result<String, BuildError> {
    let crate_file = glue_package::cargo_toml(source, GlueKind::Module)?;
    let key = fnv1a(crate_file.as_bytes());
    let folder = cache_folder().join("documents").join(format!("{}-{key:016x}", source.package));
    let code = folder.join("src");
    std::fs::create_dir_all(&code).map_err(file("create", &code))?;
    put(&folder.join("Cargo.toml"), crate_file.as_bytes())?;
    put(&code.join("lib.rs"), b"")?;
    glue_package::lock(source, &folder)?;
    let target = folder.join("target");
    let documents = target.join("doc");
    // Only the crate's own is to be found there.
    for old in documents_in(&documents) {
        let _ = std::fs::remove_file(old);
    }
    let mut command = Command::new("cargo");
    command.current_dir(&folder).args(["rustdoc", "--quiet", "--lib", "--package", &source.package]);
    command.arg("--target-dir").arg(&target);
    command.args(["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"]);
    // The format is not stable; the variable lets a release compiler write it.
    command.env("RUSTC_BOOTSTRAP", "1");
    without_flags_of_host(&mut command);
    run(command, "https://rustup.rs installs it", str::to_owned)?;
    let found = documents_in(&documents);
    let [document] = found.as_slice() else {
        return Err(BuildError::Unsupported(format!(
            "rustdoc wrote {} documents of {} into {}",
            found.len(),
            source.package,
            documents.display()
        )));
    };
    std::fs::read_to_string(document).map_err(file("read", document))
}

fn documents_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect()
}
