//! Rust crates with cargo for wasm32-unknown-unknown.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cargo_inputs::{self, Record};
use super::inputs::Inputs;
use super::products::{cache_folder, put};
use super::programs::run;
use super::{BuildError, Rebuild, file, panics};
use dodona_target::{fnv1a, user_file};

pub(super) const TARGET: &str = "wasm32-unknown-unknown";
const HINT: &str = "`rustup target add wasm32-unknown-unknown` installs it; on Debian or Ubuntu without rustup's server: \
                    apt-get install rustc-web cargo-web rust-web-src lld";

/// A Rust toolchain that can build for WebAssembly.
#[derive(Clone, PartialEq, Eq)]
enum Toolchain {
    /// Its standard library for the target is installed, in this folder.
    Installed { libraries: PathBuf },
    /// It has the standard library's source, which is then built too (about a minute and a half, once a crate).
    FromSource { cargo: PathBuf, rustc: PathBuf },
}

/// What cargo made.
pub(super) struct Compiled {
    /// The module.
    pub(super) module: Vec<u8>,
    /// The files of the crate, and of crates beside it, that went into it; no packages of the registry.
    pub(super) inputs: Inputs,
}

/// Builds a crate. Cargo decides what of it is out of date.
///
/// Cargo compares times, which is wrong where a file was replaced by an older one. So what was read is compared here with the
/// contents of the last build, and where cargo would not see a change it is made to forget what it built.
pub(super) fn compile(folder: &Path, flags: &[String], rebuild: Rebuild) -> Result<Compiled, BuildError> {
    let crate_file = folder.join("Cargo.toml");
    user_file::open(&crate_file).map_err(file("read", &crate_file))?;
    let place = Place::of(folder, rebuild)?;
    let wasm = build(&Crate { folder, target: &place.target, flags })?;
    let module = std::fs::read(&wasm).map_err(file("read", &wasm))?;
    let inputs = cargo_inputs::of_module(&wasm);
    place.record.write(&inputs)?;
    Ok(Compiled { module, inputs })
}

/// Builds a program for the host, with the flags of its environment: the code is the one that its owner ships. Returns where the program lies.
pub(super) fn compile_program(folder: &Path) -> Result<PathBuf, BuildError> {
    let place = Place::of(folder, Rebuild::WhenStale)?;
    let mut command = Command::new("cargo");
    command.current_dir(folder);
    command.args(["build", "--release", "--message-format=json-render-diagnostics"]);
    command.args(["--manifest-path", "Cargo.toml"]).arg("--target-dir").arg(&place.target);
    for name in ["CARGO_BUILD_TARGET", "CARGO_TARGET_DIR"] {
        command.env_remove(name);
    }
    let output = run(command, "cargo builds Rust crates: https://rustup.rs installs it", str::to_owned)?;
    let executable = |message: serde_json::Value| message["executable"].as_str().map(PathBuf::from);
    let program = messages(&output.stdout).filter_map(executable).last();
    let program = program.ok_or_else(|| {
        BuildError::Unsupported(format!("cargo named no program that it built in {}", folder.display()))
    })?;
    place.record.write(&cargo_inputs::of_module(&program))?;
    Ok(program)
}

/// Where a crate is built, by nobody else as long as this is there.
struct Place {
    target: PathBuf,
    record: Record,
    /// It ends with the file.
    _lock: std::fs::File,
}

impl Place {
    /// The place of a crate, where cargo knows of all that has changed.
    fn of(folder: &Path, rebuild: Rebuild) -> Result<Place, BuildError> {
        let target = target_folder(folder);
        let lock = locked(&target)?;
        let record = Record::of(&target);
        if rebuild == Rebuild::Always || record.hides_a_change() {
            cargo_inputs::forget(&target, TARGET)?;
        }
        Ok(Place { target, record, _lock: lock })
    }
}

/// A crate to be built.
struct Crate<'a> {
    folder: &'a Path,
    target: &'a Path,
    flags: &'a [String],
}

/// Runs cargo with the toolchain that can build for WebAssembly; returns where the module lies. The toolchain is not looked for where it has
/// built here before: that takes as long as cargo takes to see that there is nothing to do.
fn build(this: &Crate<'_>) -> Result<PathBuf, BuildError> {
    let mark = this.target.join("dodona.installed");
    let before = std::fs::read_to_string(&mark)
        .ok()
        .map(|libraries| Toolchain::Installed { libraries: libraries.into() });
    let built_before = before.as_ref().map(|toolchain| this.with_hook(toolchain));
    if let Some(Ok(wasm)) = built_before {
        return Ok(wasm);
    }
    let toolchain = toolchain(this.folder)?;
    let wasm = match built_before {
        Some(Err(error)) if before.as_ref() == Some(&toolchain) => return Err(error),
        _ => this.with_hook(&toolchain)?,
    };
    match &toolchain {
        Toolchain::Installed { libraries } => put(&mark, libraries.as_os_str().as_encoded_bytes())?,
        Toolchain::FromSource { .. } => drop(std::fs::remove_file(&mark)),
    }
    Ok(wasm)
}

impl Crate<'_> {
    /// Builds it with a hook for panics, if one can be linked. Without the hook, the module does the same but for the messages of
    /// panics.
    fn with_hook(&self, toolchain: &Toolchain) -> Result<PathBuf, BuildError> {
        // Cargo would build everything again each time if both ways were tried each time.
        let unlinkable = self.target.join("dodona.no-panic-hook");
        if let Toolchain::Installed { libraries } = toolchain
            && !unlinkable.exists()
            && let Some(hook) = panics::object(TARGET, libraries)
        {
            let hooked = self.built(toolchain, Some(&hook));
            if let Ok(wasm) = hooked
                && panics::is_linked(&wasm)
            {
                return Ok(wasm);
            }
            let plain = self.built(toolchain, None)?;
            put(&unlinkable, b"")?;
            return Ok(plain);
        }
        self.built(toolchain, None)
    }

    fn built(&self, toolchain: &Toolchain, hook: Option<&Path>) -> Result<PathBuf, BuildError> {
        let output = run(self.command(toolchain, hook), HINT, str::to_owned)?;
        artifact(&output.stdout, self.folder)
    }

    fn command(&self, toolchain: &Toolchain, hook: Option<&Path>) -> Command {
        let mut command = cargo(toolchain);
        // In the crate's folder, where its settings and its toolchain are looked for, from wherever Dodona is run.
        command.current_dir(self.folder);
        let verb: &[&str] = if hook.is_some() { &["rustc", "--lib"] } else { &["build"] };
        // Not in the crate's own target folder: the subject's folder stays clean, and the flags differ from its usual ones.
        command.args(verb).args([
            "--release",
            "--target",
            TARGET,
            "--message-format=json-render-diagnostics",
        ]);
        command.args(["--manifest-path", "Cargo.toml"]).arg("--target-dir").arg(self.target).args(self.flags);
        command.env("CARGO_PROFILE_RELEASE_DEBUG", "1").env("CARGO_PROFILE_RELEASE_PANIC", "abort");
        without_flags_of_host(&mut command);
        if let Some(hook) = hook {
            let export = format!("-Clink-arg=--export={}", panics::PANIC_HOOK);
            command.args(["--", &export]).arg(format!("-Clink-arg={}", hook.display()));
        }
        command
    }
}

/// Takes away flags that are meant for the host (a coverage run, a faster linker): they would break or change what is built.
pub(super) fn without_flags_of_host(command: &mut Command) {
    for name in
        ["RUSTFLAGS", "RUSTDOCFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_TARGET_DIR"]
    {
        command.env_remove(name);
    }
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

fn cargo(toolchain: &Toolchain) -> Command {
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

fn toolchain(folder: &Path) -> Result<Toolchain, BuildError> {
    let libraries = print(folder, Path::new("rustc"), &["--print", "target-libdir", "--target", TARGET]);
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
    let sysroot = print(folder, &rustc, &["--print", "sysroot"]);
    let has_source = |root: &str| Path::new(root).join("lib/rustlib/src/rust/library/std").exists();
    if cargo.exists() && sysroot.is_some_and(|root| has_source(&root)) {
        return Ok(Toolchain::FromSource { cargo, rustc });
    }
    Err(BuildError::ToolMissing {
        tool: format!("Rust's standard library for {TARGET}"),
        hint: HINT.to_owned(),
    })
}

fn print(folder: &Path, rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc)
        .current_dir(folder)
        .args(arguments)
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok().map(|s| s.trim().to_owned())
}

/// The compilers behind the names on the search path, which rustup replaces when it updates a toolchain.
pub(super) fn compilers(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let sysroot = |rustc: &str| print(folder, Path::new(rustc), &["--print", "sysroot"]);
    ["rustc", "/usr/bin/rustc"].into_iter().filter_map(sysroot).map(|root| Path::new(&root).join("bin/rustc"))
}

/// What cargo says of the artifacts that it made. Dependencies come before the crate itself.
fn messages(output: &[u8]) -> impl Iterator<Item = serde_json::Value> {
    let lines = output.split(|b| *b == b'\n');
    let read = lines.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    read.filter(|message| message["reason"] == "compiler-artifact")
}

/// The module among cargo's messages.
fn artifact(output: &[u8], folder: &Path) -> Result<PathBuf, BuildError> {
    let wasm = messages(output).flat_map(|m| {
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
