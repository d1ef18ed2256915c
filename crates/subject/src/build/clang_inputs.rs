//! The files that clang read, and those that it would have taken instead of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::dependencies::{asked, header_folders, missing, prerequisites, shadows, shown_words};
use super::inputs::Inputs;
use super::response_files::Expanded;
use super::thin_archives;

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
    inputs.read.extend(programs_and_settings(folder, said));
    inputs.extend(of_commands(folder, said));
    inputs
}

/// The files that the commands of a compilation name in the end: what stands in settings and in files of further arguments is there
/// too.
fn of_commands(folder: &Path, said: &str) -> Inputs {
    let words: Vec<String> = commands(said).flatten().collect();
    of_flags(folder, &words.iter().map(String::as_str).collect::<Vec<_>>())
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

/// The compiler itself, and files of settings with all files that these name, as `-v` shows them.
fn programs_and_settings(folder: &Path, said: &str) -> BTreeSet<PathBuf> {
    let settings = said.lines().filter_map(|line| line.strip_prefix("Configuration file: "));
    let expanded = settings.map(|file| Expanded::settings(folder, file.into()));
    programs(said).chain(expanded.flat_map(|expanded| expanded.files)).collect()
}

/// The words of each command that clang runs, as `-v` shows it.
fn commands(said: &str) -> impl Iterator<Item = Vec<String>> {
    said.lines().filter(|line| line.starts_with(" \"")).map(shown_words)
}

/// The programs that clang runs.
fn programs(said: &str) -> impl Iterator<Item = PathBuf> {
    commands(said).filter_map(|words| words.into_iter().next()).map(PathBuf::from)
}

/// Of the linker: itself, the objects and libraries of its command with all that these name, and the folders where it looks for libraries.
pub(super) fn of_linking(folder: &Path, said: &str) -> Inputs {
    let Expanded { words, files } = Expanded::command(folder, shown_words(said));
    let mut inputs = Inputs { read: files, ..Inputs::default() };
    let folders: Vec<PathBuf> = values(&words, "-L").map(Into::into).collect();
    for library in values(&words, "-l") {
        // Newer linkers look for shared libraries too, and for a name as it is behind a colon.
        let names = match library.strip_prefix(':') {
            Some(name) => vec![name.to_owned()],
            None => vec![format!("lib{library}.so"), format!("lib{library}.a")],
        };
        for at in &folders {
            names.iter().for_each(|name| inputs.look(folder, at.join(name)));
        }
    }
    inputs.read.extend(files_among(folder, words.iter().map(String::as_str)));
    add_what_libraries_name(&mut inputs, folder);
    inputs.read.extend(programs_and_settings(folder, said));
    inputs.programs.extend(programs(said).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())));
    inputs
}

/// What stands behind a flag of one letter, in the same word or the next one, each time.
fn values<'a>(words: &'a [String], flag: &'static str) -> impl Iterator<Item = &'a str> {
    let value = move |place: usize| match words[place].strip_prefix(flag)? {
        "" => words.get(place + 1).map(String::as_str),
        rest => Some(rest),
    };
    (0..words.len()).filter_map(value)
}

/// Adds the members of thin archives, which may be thin archives again, and the lists of imports that the linker looks for beside libraries.
fn add_what_libraries_name(inputs: &mut Inputs, folder: &Path) {
    let mut open: Vec<PathBuf> = inputs.read.iter().cloned().collect();
    while let Some(file) = open.pop() {
        for member in thin_archives::members(folder, &file) {
            if inputs.read.insert(member.clone()) {
                open.push(member);
            }
        }
        if file.extension().is_some_and(|end| end == "a") {
            inputs.look(folder, file.with_extension("imports"));
        }
    }
}

/// The files that flags name: lists of symbols, profiles, files of further arguments and what these name.
pub(super) fn of_flags(folder: &Path, flags: &[&str]) -> Inputs {
    let expanded = Expanded::command(folder, flags.iter().map(|flag| (*flag).to_owned()));
    let parts = expanded.words.iter().flat_map(|flag| flag.split([',', '=']));
    let named = files_among(folder, parts.map(|part| part.trim_start_matches('@')));
    let mut inputs = Inputs { read: named.chain(expanded.files.clone()).collect(), ..Inputs::default() };
    if expanded.words.iter().any(|word| word.contains("__has_include")) {
        inputs.untold.insert("__has_include in a flag".to_owned());
    }
    inputs
}

/// The words that are names of files, wholly or behind an equals sign.
fn files_among<'a>(folder: &Path, words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = PathBuf> {
    let parts = words.flat_map(|word| [word, word.rsplit('=').next().unwrap_or(word)]);
    parts.filter(move |part| folder.join(part).is_file()).map(PathBuf::from)
}
