//! C with clang for wasm32-wasi.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{BuildError, linker, run};
use crate::{Argument, Manifest};

const HINT: &str = "on Debian or Ubuntu: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32; \
                    elsewhere install wasi-sdk and set CLANG to its clang";

/// Compiles and links. `-O1 -g` gives code that still looks like the source, with its lines.
pub(super) fn compile(
    manifest: &Manifest,
    files: &[PathBuf],
    flags: &[String],
    output: &Path,
) -> Result<(), BuildError> {
    let clang = std::env::var("CLANG").unwrap_or_else(|_| "clang".to_owned());
    let mut command = Command::new(clang);
    // In the subject's folder and with the paths as the manifest has them: they go into the line table.
    command.current_dir(manifest.folder()).args(["--target=wasm32-wasi", "-O1", "-g"]);
    if !manifest.functions.iter().any(|f| f.is_command()) {
        command.args(["-mexec-model=reactor", "-Wl,--no-entry"]);
    }
    for export in exports(manifest) {
        command.arg(format!("-Wl,--export={export}"));
    }
    command.arg("-o").arg(std::path::absolute(output).unwrap_or_else(|_| output.to_owned()));
    for file in files {
        command.arg(file.strip_prefix(manifest.folder()).unwrap_or(file));
    }
    if files.is_empty() {
        // A library's own function, with no code of the subject's: clang still wants one input.
        command.args(["-x", "c", "/dev/null", "-x", "none"]);
    }
    command.args(flags);
    run(command, HINT).map(|_| ()).map_err(|error| linker::explained(error, manifest, files))
}

/// What must be kept by the linker: the functions under test and those passed as function pointers.
fn exports(manifest: &Manifest) -> Vec<&str> {
    let mut exports: Vec<&str> = Vec::new();
    for function in manifest.functions.iter().filter(|f| !f.is_command()) {
        exports.push(&function.export);
        exports.extend(function.arguments.iter().filter_map(|a| match a {
            Argument::FunctionPointer(export) => Some(export.as_str()),
            _ => None,
        }));
    }
    exports.extend(manifest.allocator.as_deref());
    exports.sort_unstable();
    exports.dedup();
    exports
}
