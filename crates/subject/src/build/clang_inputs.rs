//! The files that clang read, and those that it would have taken instead of them.

use std::path::{Path, PathBuf};

use super::dependencies::{asked, header_folders, missing, prerequisites, shadows, shown_words};
use super::inputs::Inputs;

/// The target of the rules that clang writes for make.
pub(super) const TARGET: &str = "object";

/// Of a source: the files of the rule that clang wrote for it, and all places where a header would be found earlier than it was.
pub(super) fn of_compilation(folder: &Path, source: &Path, rule: &Path, said: &str) -> Inputs {
    let mut inputs = Inputs::default();
    // Of assembly there is no rule.
    let rule = std::fs::read(folder.join(rule)).unwrap_or_default();
    inputs.read = prerequisites(&rule, TARGET);
    inputs.read.insert(source.to_owned());
    if inputs.read.iter().any(|path| !folder.join(path).exists()) {
        inputs.untold.insert("a name that rules for make cannot have".to_owned());
    }
    let folders = header_folders(said);
    inputs.absent = shadows(&inputs.read, &folders, folder);
    for asked in
        inputs.read.clone().iter().filter_map(|path| std::fs::read(folder.join(path)).ok()).map(|t| asked(&t))
    {
        inputs.untold.extend(asked.untold.map(str::to_owned));
        asked.headers.iter().for_each(|words| look_everywhere(&mut inputs, folder, &folders, words));
    }
    inputs.read.extend(programs_and_settings(said));
    inputs
}

/// Notes where a header is and where it is not: `__has_include` asks no more.
fn look_everywhere(inputs: &mut Inputs, folder: &Path, folders: &[PathBuf], words: &Path) {
    let including = inputs.read.iter().filter_map(|path| path.parent().map(Path::to_owned));
    let places: Vec<PathBuf> = including.chain(folders.iter().cloned()).collect();
    for place in places {
        match missing(&place, words, folder) {
            Some(absent) => inputs.absent.insert(absent),
            None => inputs.read.insert(place.join(words)),
        };
    }
}

/// The compiler itself and files of settings, as `-v` names them.
fn programs_and_settings(said: &str) -> impl Iterator<Item = PathBuf> {
    said.lines().filter_map(|line| match line.strip_prefix("Configuration file: ") {
        Some(file) => Some(PathBuf::from(file)),
        None => line.starts_with(" \"").then(|| shown_words(line).swap_remove(0).into()),
    })
}

/// Of the linker: itself, the objects and libraries of its command, and the folders where it looks for libraries.
pub(super) fn of_linking(folder: &Path, said: &str) -> Inputs {
    let mut inputs = Inputs::default();
    let words = shown_words(said);
    let behind = |flag: &str, place: usize| match words[place].strip_prefix(flag)? {
        "" => words.get(place + 1).cloned(),
        word => Some(word.to_owned()),
    };
    let folders: Vec<PathBuf> =
        (0..words.len()).filter_map(|place| behind("-L", place)).map(Into::into).collect();
    for library in (0..words.len()).filter_map(|place| behind("-l", place)) {
        folders.iter().for_each(|at| inputs.look(folder, at.join(format!("lib{library}.a"))));
    }
    inputs.read.extend(files_among(folder, words.iter().map(String::as_str)));
    inputs.read.extend(programs_and_settings(said));
    let linkers = programs_and_settings(said).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    inputs.programs.extend(linkers);
    inputs
}

/// The files that flags name: lists of symbols, profiles, files of further arguments.
pub(super) fn of_flags(folder: &Path, flags: &[&str]) -> Inputs {
    let parts = flags.iter().flat_map(|flag| flag.split([',', '=']));
    let read = files_among(folder, parts.map(|part| part.trim_start_matches('@'))).collect();
    Inputs { read, ..Inputs::default() }
}

/// The words that are names of files, wholly or behind an equals sign.
fn files_among<'a>(folder: &Path, words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = PathBuf> {
    let parts = words.flat_map(|word| [word, word.rsplit('=').next().unwrap_or(word)]);
    parts.filter(move |part| folder.join(part).is_file()).map(PathBuf::from)
}
