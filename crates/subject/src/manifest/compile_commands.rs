//! `compile_commands.json`: how the build of a project itself compiles each of its files. CMake, Meson and Bear write it.
//!
//! Of a command, what decides about the meaning of the code is taken: where headers are, what is defined, and the language. Optimisation, warnings and
//! the target are Dodona's own.

use std::path::{Path, PathBuf};

use dodona_target::user_file;
use serde::Deserialize;

/// Flags with a value in the same word or the next one, by which a file or folder is named.
const OF_PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// The same with other values.
const OF_WORDS: [&str; 3] = ["-D", "-U", "-x"];

/// Beginnings of flags that change what code means.
const MEANING: [&str; 8] = [
    "-std=",
    "-ansi",
    "-fsigned-char",
    "-funsigned-char",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fshort-enums",
    "-ffast-math",
];

/// An entry of the file (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// The files that a project compiles, as absolute paths, each with its flags.
///
/// # Errors
/// When there is no such file, or it is no list of commands.
pub(super) fn read(path: &Path) -> Result<Vec<(PathBuf, Vec<String>)>, String> {
    let text = user_file::text(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|error| format!("{} is no list of commands: {error}", path.display()))?;
    let folder = std::path::absolute(path.parent().unwrap_or(Path::new("."))).unwrap_or_default();
    let one = |entry: Entry| {
        let directory = folder.join(&entry.directory);
        let words = match entry.arguments.is_empty() {
            false => entry.arguments,
            true => shlex::split(&entry.command)
                .ok_or_else(|| format!("{}: a quote has no end in `{}`", path.display(), entry.command))?,
        };
        Ok((directory.join(entry.file), meaning(&words, &directory)))
    };
    entries.into_iter().map(one).collect()
}

/// The flags of a command that change what code means, with their paths from everywhere.
fn meaning(words: &[String], directory: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let flag = |known: &[&'static str]| known.iter().copied().find(|flag| word.starts_with(flag));
        let mut value = |flag: &str| match &word[flag.len()..] {
            "" => rest.next().cloned().unwrap_or_default(),
            value => value.to_owned(),
        };
        // `-include` begins as `-I` does not, but `-isystem` and others begin alike: the longest one is meant.
        if let Some(flag) = flag(&OF_PATHS) {
            let path = directory.join(value(flag));
            flags.extend([flag.to_owned(), path.display().to_string()]);
        } else if let Some(flag) = flag(&OF_WORDS) {
            flags.extend([flag.to_owned(), value(flag)]);
        } else if flag(&MEANING).is_some() {
            flags.push(word.clone());
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_the_meaning_of_code_is_taken_from_commands_and_from_lists_of_words() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("compile_commands.json");
        let text = r#"[
            {"directory": "/p/build", "file": "../a.c", "output": "a.o",
             "command": "cc -O3 -Wall -I../include -D 'NAME=\"a b\"' -DN=1 -isystem /usr/include/x -std=c99 -o a.o -c ../a.c"},
            {"directory": "src", "file": "/q/b.cpp", "arguments": ["c++", "-include", "config.h", "-UX", "-march=native", "-c", "/q/b.cpp"]}
        ]"#;
        std::fs::write(&path, text).expect("written");
        let found = read(&path).expect("read");
        let words = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(found[0].0, Path::new("/p/build/../a.c"));
        assert_eq!(
            found[0].1,
            words("-I|/p/build/../include|-D|NAME=\"a b\"|-D|N=1|-isystem|/usr/include/x|-std=c99")
        );
        let config = format!("-include|{}|-U|X", folder.path().join("src/config.h").display());
        assert_eq!((found[1].0.as_path(), &found[1].1), (Path::new("/q/b.cpp"), &words(&config)));
        for wrong in ["{}", "[{}]", "", "[{\"directory\": \"/\", \"file\": \"a.c\", \"command\": \"cc 'x\"}]"]
        {
            std::fs::write(&path, wrong).expect("written");
            assert!(read(&path).is_err(), "{wrong}");
        }
    }
}
