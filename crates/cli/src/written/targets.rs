//! Chooses the names of the files that relations are written to, so that no existing file is overwritten unasked.
//!
//! Files that exist are kept: new ones get a number, and tests have the number of their relations.

use std::path::{Path, PathBuf};

use dodona_emit::Language;
use dodona_sources::is_special;

use crate::args::WrittenArgs;

/// A file of relations, and tests beside it with the same stem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Targets {
    pub(super) relations: PathBuf,
    pub(super) tests: Vec<(Language, PathBuf)>,
}

impl Targets {
    /// Those that are asked for: `name` beside the manifest where they are not named.
    pub(super) fn wanted(args: &WrittenArgs, manifest: &Path, name: &str) -> Targets {
        let relations = args.output.clone().unwrap_or_else(|| manifest.with_file_name(name));
        let languages: Vec<Language> = args.emit.iter().map(|emit| emit.language).collect();
        Targets::beside(relations, &languages)
    }

    /// Two files that are to have the same name: the one would be written over the other.
    pub(super) fn clash(&self) -> Option<&Path> {
        let all: Vec<&PathBuf> = self.tests.iter().map(|(_, path)| path).chain([&self.relations]).collect();
        let is_twice = |place: usize| all[..place].contains(&all[place]);
        (1..all.len()).find(|&place| is_twice(place)).map(|place| all[place].as_path())
    }

    fn beside(relations: PathBuf, languages: &[Language]) -> Targets {
        let tests = languages.iter().map(|&l| (l, relations.with_extension(l.extension()))).collect();
        Targets { relations, tests }
    }

    /// These, and then `discovered-2.mr`, `discovered-3.mr`, …: those of which no file exists.
    pub(super) fn free(&self) -> impl Iterator<Item = Targets> {
        let languages: Vec<Language> = self.tests.iter().map(|&(language, _)| language).collect();
        let numbered = move |n: u32| Targets::beside(numbered(&self.relations, n), &languages);
        std::iter::once(self.clone()).chain((2..).map(numbered)).filter(Targets::are_free)
    }

    fn are_free(&self) -> bool {
        let tests = self.tests.iter().map(|(_, path)| path);
        // A link to nowhere is something that stands there, too; a device or a pipe is nothing that could be lost.
        let is_free = |path: &PathBuf| path.symlink_metadata().is_err() || is_special(path);
        tests.chain([&self.relations]).all(is_free)
    }
}

/// `discovered.mr` → `discovered-2.mr`
fn numbered(path: &Path, n: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(format!("-{n}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_there_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let wanted =
            Targets::beside(folder.path().join("discovered.mr"), &[Language::Rust, Language::Python]);
        assert_eq!(wanted.free().next().as_ref(), Some(&wanted));
        std::fs::write(folder.path().join("discovered.py"), "").expect("written");
        std::fs::write(folder.path().join("discovered-2.mr"), "").expect("written");
        let third = wanted.free().next().expect("numbers go on");
        assert_eq!(third.relations, folder.path().join("discovered-3.mr"));
        let names: Vec<_> = third.tests.iter().map(|(_, path)| path.file_name()).collect();
        assert_eq!(names, [Some("discovered-3.rs".as_ref()), Some("discovered-3.py".as_ref())]);
    }

    #[test]
    fn no_file_is_written_over_another() {
        let of = |name: &str, languages: &[Language]| Targets::beside(PathBuf::from(name), languages);
        assert_eq!(of("a.mr", &[Language::Rust, Language::C]).clash(), None);
        assert_eq!(of("a.rs", &[Language::C]).clash(), None);
        assert_eq!(of("a.rs", &[Language::C, Language::Rust]).clash(), Some(Path::new("a.rs")));
        assert_eq!(of("a.mr", &[Language::C, Language::C]).clash(), Some(Path::new("a.c")));
    }

    #[test]
    fn only_the_name_is_numbered() {
        assert_eq!(numbered(Path::new("a.b/c.d.mr"), 2), Path::new("a.b/c.d-2.mr"));
        assert_eq!(numbered(Path::new("a.b/c"), 10), Path::new("a.b/c-10"));
    }
}
