//! The files that cargo read, and what it is told where comparing their times is not enough.
//!
//! Cargo is asked each time about a crate of one's own. This takes 30 ms, and nobody else knows what build scripts and settings want.
//! About a released crate it is not asked. Cargo compares times, so that a file that was replaced by an older one is noticed here, by its
//! contents.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::dependencies::prerequisites;
use super::inputs::Inputs;
use super::products::replace;
use super::programs::environment;
use super::{BuildError, file};

/// The files of a module that cargo built, from the list that it writes beside it: those of the crate and of crates in folders, with
/// included ones and those that build scripts name.
pub(super) fn of_module(wasm: &Path) -> Inputs {
    let list = std::fs::read(wasm.with_extension("d")).unwrap_or_default();
    Inputs { read: prerequisites(&list, ".wasm"), ..Inputs::default() }
}

/// What a crate of the registry depends on besides its own code, which never changes: the versions that cargo has chosen, its
/// settings, and the compiler.
pub(super) fn of_surroundings(folder: &Path) -> Inputs {
    let mut inputs = Inputs::default();
    inputs.look(folder, folder.join("Cargo.lock"));
    for above in folder.ancestors() {
        for name in [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"] {
            inputs.look(folder, above.join(name));
        }
    }
    let home = |variable: &str, usual: &str| {
        let set = std::env::var_os(variable).filter(|home| !home.is_empty()).map(PathBuf::from);
        set.or_else(|| Some(std::env::home_dir()?.join(usual)))
    };
    for (home, name) in [
        (home("CARGO_HOME", ".cargo"), "config.toml"),
        (home("CARGO_HOME", ".cargo"), "config"),
        (home("RUSTUP_HOME", ".rustup"), "settings.toml"),
    ] {
        inputs.look(folder, home.unwrap_or_default().join(name));
    }
    inputs.programs.extend(["cargo", "rustc"].map(str::to_owned));
    inputs
}

/// The variables of the environment from which cargo and rustc take settings.
pub(super) fn variables() -> String {
    let starts = [
        "CARGO_PROFILE_RELEASE",
        "CARGO_BUILD_",
        "CARGO_TARGET_WASM32",
        "CARGO_UNSTABLE",
        "RUSTC",
        "RUSTUP_TOOLCHAIN",
    ];
    // Two of them are not handed on.
    let is_removed = |name: &str| ["CARGO_BUILD_TARGET"].contains(&name);
    environment(|name| !is_removed(name) && starts.iter().any(|start| name.starts_with(start)))
}

/// The contents that cargo read when it built last, kept beside what it built.
pub(super) struct Record {
    path: PathBuf,
    text: String,
    written: Option<SystemTime>,
}

impl Record {
    pub(super) fn of(target: &Path) -> Record {
        let path = target.join("dodona.read");
        let written = std::fs::metadata(&path).and_then(|about| about.modified()).ok();
        Record { text: std::fs::read_to_string(&path).unwrap_or_default(), path, written }
    }

    /// Whether a file has other contents than it had, and no time that would tell cargo.
    pub(super) fn hides_a_change(&self) -> bool {
        let inputs = Inputs::parse(&self.text);
        self.written.is_some_and(|written| inputs.replaced_by_older(Path::new(""), &self.text, written))
    }

    /// Written after each build, also where it says the same: its time counts.
    pub(super) fn write(&self, inputs: &Inputs) -> Result<(), BuildError> {
        replace(&self.path, inputs.state(Path::new("")).as_bytes())
    }
}

/// Makes cargo forget what it has built, for the host too: its next build is a full one.
pub(super) fn forget(target: &Path, triple: &str) -> Result<(), BuildError> {
    for profile in [target.join(triple).join("release"), target.join("release")] {
        let known = profile.join(".fingerprint");
        match std::fs::remove_dir_all(&known) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(file("remove", &known)(error));
            }
            _ => {}
        }
    }
    Ok(())
}
