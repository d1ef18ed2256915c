//! The faulty versions in folders, with a name for each.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use dodona_workbench::LabError;

/// The versions in these folders, each with a name that no other has.
///
/// # Errors
/// When a folder does not exist or has no version, or a version is there twice.
pub(super) fn versions(paths: &[PathBuf]) -> Result<Vec<(String, PathBuf)>, LabError> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(in_path(path)?);
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = found.iter().find(|path| !seen.insert(whole(path))) {
        let twice = twice.display();
        return Err(LabError::Sources(format!(
            "faulty version {twice} is named twice: name each folder once"
        )));
    }
    let names: Vec<String> = found.iter().map(|path| name(path)).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let named = |(path, name): (PathBuf, &String)| match is_unique(name) {
        true => (name.clone(), path),
        false => (path.display().to_string(), path),
    };
    Ok(found.into_iter().zip(&names).map(named).collect())
}

/// The versions in a folder, in the order of their paths; what is no folder, and a folder with a manifest, is a version itself.
fn in_path(path: &Path) -> Result<Vec<PathBuf>, LabError> {
    if !path.exists() {
        let path = path.display();
        return Err(LabError::Sources(format!("there is no faulty version in {path}: it does not exist")));
    }
    if !path.is_dir() || is_subject(path) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = modules(path);
    for folder in entries(path).into_iter().filter(|entry| entry.is_dir()) {
        match is_subject(&folder) {
            true => found.push(folder),
            false => found.extend(modules(&folder)),
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(LabError::Sources(format!(
            "there is no faulty version in {}: no folder with a dodona.toml, and no module",
            path.display()
        ))),
        false => Ok(found),
    }
}

fn is_subject(folder: &Path) -> bool {
    folder.join("dodona.toml").is_file()
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let is_module = |path: &PathBuf| path.extension().is_some_and(|e| e == "wasm") && path.is_file();
    entries(folder).into_iter().filter(is_module).collect()
}

/// What lies in a folder, without what is hidden, such as `.dodona`.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let is_shown = |path: &PathBuf| !path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
    let all = fs::read_dir(folder).into_iter().flatten();
    all.filter_map(|entry| Some(entry.ok()?.path())).filter(is_shown).collect()
}

/// The path without links and without `..`.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The name of a folder, or of a file without its ending. A manifest named as a file has the name of its folder.
fn name(path: &Path) -> String {
    let whole = whole(path);
    let is_manifest = whole.file_name() == Some(OsStr::new("dodona.toml"));
    let part = match (whole.is_dir(), is_manifest) {
        (true, _) => whole.file_name(),
        (false, true) => whole.parent().and_then(Path::file_name),
        (false, false) => whole.file_stem(),
    };
    part.map_or_else(|| path.display().to_string(), |part| part.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, which are empty.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        folder
    }

    /// The names of the versions, without the path of the folder.
    fn found(folder: &Path, paths: &[&str]) -> Result<Vec<String>, String> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| folder.join(path)).collect();
        let named = versions(&paths).map_err(|error| error.to_string())?;
        let root = format!("{}/", folder.display());
        Ok(named.into_iter().map(|(name, _)| name.replace(&root, "")).collect())
    }

    #[test]
    fn a_folder_is_a_version_or_has_versions_in_it() {
        let files =
            ["one/dodona.toml", "one/inner/dodona.toml", "two/a.wasm", "three/notes.txt", "four.wasm"];
        let all = folder(&files);
        let names = |names: &[&str]| Ok(names.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(found(all.path(), &["one"]), names(&["one"]), "what lies in it is its own");
        assert_eq!(found(all.path(), &["one/dodona.toml"]), names(&["one"]));
        assert_eq!(found(all.path(), &["."]), names(&["four", "one", "a"]));
        assert_eq!(found(all.path(), &["four.wasm", "two"]), names(&["four", "a"]));
    }

    #[test]
    fn versions_of_one_name_are_told_apart_by_their_paths() {
        let all = folder(&["a/faulty/dodona.toml", "b/faulty/dodona.toml", "c/other/dodona.toml"]);
        let expected = ["a/faulty", "b/faulty", "other"].map(str::to_owned);
        assert_eq!(found(all.path(), &["a/faulty", "b", "c"]), Ok(expected.to_vec()));
    }

    #[test]
    fn what_is_no_version_is_refused() {
        let all = folder(&["three/notes.txt", "one/dodona.toml"]);
        let refused = |paths: &[&str]| found(all.path(), paths).expect_err("refused");
        assert!(refused(&["three"]).contains("no folder with a dodona.toml, and no module"));
        assert!(refused(&["nowhere"]).ends_with("nowhere: it does not exist"));
        assert!(refused(&["one", "."]).ends_with("is named twice: name each folder once"));
    }
}
