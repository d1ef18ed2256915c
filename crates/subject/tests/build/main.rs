//! Modules that are built: nothing that a build reads may change without a new build.

#![cfg(unix)]

mod assemblyscript;
mod c_calls;
mod c_sources;
mod named_files;
mod odd_paths;
mod rust_crates;

use std::path::{Path, PathBuf};

use dodona_subject::build::{BuildError, Rebuild, load};
use dodona_subject::{Manifest, wasmparser::Operator};

/// A folder of files, and a subject in it.
struct Files {
    folder: tempfile::TempDir,
    subject: PathBuf,
}

impl Files {
    /// Files by their paths and texts; the subject's manifest is in `subject`.
    fn new(files: &[(&str, &str)]) -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        let files_of = Files { subject: folder.path().join("subject/dodona.toml"), folder };
        files.iter().for_each(|(path, text)| files_of.write(path, text));
        files_of
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    /// Replaces a text by another one that is as old, which nobody sees who looks at times.
    fn replace_unseen(&self, path: &str, text: &str) {
        let time = std::fs::metadata(self.path(path)).and_then(|about| about.modified()).expect("a time");
        self.write(path, text);
        let file = std::fs::File::options().write(true).open(self.path(path)).expect("opens");
        file.set_modified(time).expect("set back");
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).expect("removed");
    }

    /// The number that the function `f` of the module has as its only constant, after a build where one is needed.
    fn number(&self) -> i32 {
        self.built().unwrap_or_else(|error| panic!("{error}"))
    }

    fn built(&self) -> Result<i32, BuildError> {
        number_of(&self.subject)
    }
}

/// [`Files::number`] of the subject of a manifest.
fn number_of(manifest: &Path) -> Result<i32, BuildError> {
    let module = load(&Manifest::read(manifest).expect("a manifest"), Rebuild::WhenStale)?;
    let operators = module.operators(module.export_function("f").expect("an export"));
    let mut numbers = operators.iter().filter_map(|(operator, _)| match operator {
        Operator::I32Const { value } => Some(*value),
        _ => None,
    });
    Ok(numbers.next().expect("a constant"))
}

/// A manifest with a function `f` without parameters.
fn manifest(build: &str) -> String {
    format!("name = \"subject\"\n[build]\n{build}\n[[function]]\nsignature = \"f() -> i32\"\n")
}
