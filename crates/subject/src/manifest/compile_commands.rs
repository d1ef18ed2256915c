//! `compile_commands.json`: how the build of a project itself compiles each of its files. CMake, Meson and Bear write it.
//!
//! Of a command, what decides about the meaning of the code is taken: where headers are, what is defined, and the language. Optimisation, warnings and
//! the target are Dodona's own.

use std::path::{Path, PathBuf};

use dodona_target::user_file;
use serde::Deserialize;

/// Flags with a value in the same word or the next one, by which a file or folder is named.
const OF_PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// Those of them whose file may also stand in a folder of headers.
const OF_HEADERS: [&str; 2] = ["-include", "-imacros"];

/// Begins as another flag, and names what a compiler has made for itself.
const PRECOMPILED: &str = "-include-pch";

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
    // What is handed to the compiler proper are flags as any others: CMake names headers so that it has compiled before.
    let mut rest = words.iter().filter(|word| *word != "-Xclang");
    while let Some(word) = rest.next() {
        let flag = |known: &[&'static str]| known.iter().copied().find(|flag| word.starts_with(flag));
        let mut value = |flag: &str| match &word[flag.len()..] {
            "" => rest.next().cloned(),
            value => Some(value.to_owned()),
        };
        // `-include` begins as `-I` does not, but `-isystem` and others begin alike: the longest one is meant.
        if word.as_str() == PRECOMPILED {
            value(PRECOMPILED);
        } else if let Some(flag) = flag(&OF_PATHS) {
            let path = value(flag).map(|named| match directory.join(&named) {
                path if OF_HEADERS.contains(&flag) && !path.exists() => named,
                path => path.display().to_string(),
            });
            flags.extend(path.into_iter().flat_map(|path| [flag.to_owned(), path]));
        } else if let Some(flag) = flag(&OF_WORDS) {
            flags.extend(value(flag).into_iter().flat_map(|value| [flag.to_owned(), value]));
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
        // One that does not stand there is looked for in the folders of headers.
        assert_eq!(
            (found[1].0.as_path(), &found[1].1),
            (Path::new("/q/b.cpp"), &words("-include|config.h|-U|X"))
        );
        std::fs::create_dir(folder.path().join("src")).expect("made");
        std::fs::write(folder.path().join("src/config.h"), "").expect("written");
        let config = format!("-include|{}|-U|X", folder.path().join("src/config.h").display());
        assert_eq!(read(&path).expect("read")[1].1, words(&config));
        let text = r#"[{"directory": "/p", "file": "a.cpp", "arguments": ["c++", "-Xclang", "-include-pch", "-Xclang", "/p/a.pch", "-Xclang", "-include",
            "-Xclang", "/p/a.hxx", "-c", "a.cpp", "-x"]}]"#;
        std::fs::write(&path, text).expect("written");
        assert_eq!(read(&path).expect("read")[0].1, words("-include|/p/a.hxx"));
        for wrong in ["{}", "[{}]", "", "[{\"directory\": \"/\", \"file\": \"a.c\", \"command\": \"cc 'x\"}]"]
        {
            std::fs::write(&path, wrong).expect("written");
            assert!(read(&path).is_err(), "{wrong}");
        }
    }
}
