//! Rust crates with cargo for wasm32-unknown-unknown.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{BuildError, cache_folder, file, panics, run};
use crate::fnv1a;

const TARGET: &str = "wasm32-unknown-unknown";
const HINT: &str = "`rustup target add wasm32-unknown-unknown` installs it; on Debian or Ubuntu without rustup's server: \
                    apt-get install rustc-web cargo-web rust-web-src lld";

/// A Rust toolchain that can build for WebAssembly.
enum Toolchain {
    /// Its standard library for the target is installed, in this folder.
    Installed { libraries: PathBuf },
    /// It has the standard library's source, which is then built too (about a minute and a half, once a crate).
    FromSource { cargo: PathBuf, rustc: PathBuf },
}

/// Builds a crate and copies its module.
pub(super) fn compile(folder: &Path, flags: &[String], output: &Path) -> Result<(), BuildError> {
    let toolchain = toolchain()?;
    let target = target_folder(folder);
    // Until the module is copied nobody else builds there; the lock ends with the file.
    let _lock = locked(&target)?;
    let with_hook = match &toolchain {
        Toolchain::Installed { libraries } => panics::object(TARGET, libraries)
            .and_then(|hook| build(&toolchain, folder, flags, Some(&hook)).ok())
            .filter(|wasm| panics::is_linked(wasm)),
        Toolchain::FromSource { .. } => None,
    };
    // Without the hook, the build has the same result but for the messages of panics.
    let wasm = match with_hook {
        Some(wasm) => wasm,
        None => build(&toolchain, folder, flags, None)?,
    };
    std::fs::copy(&wasm, output).map_err(file("write", output))?;
    Ok(())
}

/// Builds a crate, with a hook for panics if there is one; returns where the module lies.
fn build(
    toolchain: &Toolchain,
    folder: &Path,
    flags: &[String],
    hook: Option<&Path>,
) -> Result<PathBuf, BuildError> {
    let mut command = command(toolchain);
    let verb: &[&str] = if hook.is_some() { &["rustc", "--lib"] } else { &["build"] };
    // Not in the crate's own target folder: the subject's folder stays clean, and the flags differ from its usual ones.
    command.args(verb);
    command.args(["--release", "--target", TARGET, "--message-format=json-render-diagnostics"]);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(target_folder(folder));
    command.args(flags).env("CARGO_PROFILE_RELEASE_DEBUG", "1").env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    // Flags meant for the host (a coverage run, a faster linker) would break or change the module.
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_TARGET_DIR"] {
        command.env_remove(name);
    }
    if let Some(hook) = hook {
        let export = format!("-Clink-arg=--export={}", panics::PANIC_HOOK);
        command.args(["--", &export]).arg(format!("-Clink-arg={}", hook.display()));
    }
    let messages = run(command, HINT)?;
    artifact(&messages, folder)
}

/// The folder that cargo builds a crate in: one for each. In a common one cargo takes a crate of the same name in another folder for this
/// one where that was built later than this one was edited, and another subject would be tested.
fn target_folder(folder: &Path) -> PathBuf {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let key = fnv1a(folder.as_os_str().as_encoded_bytes());
    cache_folder().join("rust").join(format!("{key:016x}"))
}

/// Waits until nobody builds in a folder; it is free when what comes back is dropped.
fn locked(folder: &Path) -> Result<std::fs::File, BuildError> {
    let path = folder.join("dodona.lock");
    std::fs::create_dir_all(folder).map_err(file("create", folder))?;
    let lock = std::fs::File::create(&path).map_err(file("create", &path))?;
    lock.lock().map_err(file("lock", &path))?;
    Ok(lock)
}

fn command(toolchain: &Toolchain) -> Command {
    match toolchain {
        Toolchain::Installed { .. } => Command::new("cargo"),
        Toolchain::FromSource { cargo, rustc } => {
            let mut command = Command::new(cargo);
            command.arg("-Zbuild-std=std,panic_abort");
            // build-std is not stable; the variable lets a release compiler use it.
            command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
            command
        }
    }
}

fn toolchain() -> Result<Toolchain, BuildError> {
    let libraries = print(Path::new("rustc"), &["--print", "target-libdir", "--target", TARGET]);
    let has_std = |dir: &str| {
        std::fs::read_dir(dir).is_ok_and(|mut d| {
            d.any(|f| f.is_ok_and(|f| f.file_name().to_string_lossy().starts_with("libstd")))
        })
    };
    if let Some(libraries) = libraries.filter(|dir| has_std(dir)) {
        return Ok(Toolchain::Installed { libraries: libraries.into() });
    }
    // The distribution's toolchain, which may stand behind rustup's on the path.
    let (cargo, rustc) = (PathBuf::from("/usr/bin/cargo"), PathBuf::from("/usr/bin/rustc"));
    let sysroot = print(&rustc, &["--print", "sysroot"]);
    let has_source = |root: &str| Path::new(root).join("lib/rustlib/src/rust/library/std").exists();
    if cargo.exists() && sysroot.is_some_and(|root| has_source(&root)) {
        return Ok(Toolchain::FromSource { cargo, rustc });
    }
    Err(BuildError::ToolMissing {
        tool: format!("Rust's standard library for {TARGET}"),
        hint: HINT.to_owned(),
    })
}

fn print(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok().filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok().map(|s| s.trim().to_owned())
}

/// The module among cargo's messages.
fn artifact(messages: &[u8], folder: &Path) -> Result<PathBuf, BuildError> {
    let lines = messages.split(|b| *b == b'\n');
    let artifacts = lines.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    // Dependencies come before the crate itself, so its module is the last.
    let wasm = artifacts.filter(|m| m["reason"] == "compiler-artifact").flat_map(|m| {
        let names: Vec<String> = serde_json::from_value(m["filenames"].clone()).unwrap_or_default();
        names.into_iter().filter(|n| n.ends_with(".wasm"))
    });
    wasm.last().map(PathBuf::from).ok_or_else(|| {
        let crate_file = folder.join("Cargo.toml");
        BuildError::Unsupported(format!(
            "{} builds no module; add\n\n[lib]\ncrate-type = [\"cdylib\"]",
            crate_file.display()
        ))
    })
}
