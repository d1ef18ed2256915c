//! Files of further arguments: a word of a command that is an `@` and the name of a file stands for the words of that file, some of which
//! may be such words again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The words of a command, and the files that some of them are from.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Expanded {
    /// All words, with those of the files.
    pub(super) words: Vec<String>,
    /// The files, from the folder that the command runs in.
    pub(super) files: BTreeSet<PathBuf>,
}

impl Expanded {
    /// The words of a command that runs in a folder. Clang and the linker take names behind an `@` from there, also within files.
    pub(super) fn command(folder: &Path, words: impl IntoIterator<Item = String>) -> Expanded {
        let mut expanded = Expanded::default();
        expanded.extend(folder, words, None);
        expanded
    }

    /// The words of a file of settings, which `--config` names. There and in the files that it names, a name behind an `@` is taken from the
    /// folder of the file in which it stands.
    pub(super) fn settings(folder: &Path, file: PathBuf) -> Expanded {
        let mut expanded = Expanded::default();
        expanded.add_file(folder, file, true);
        expanded
    }

    fn extend(&mut self, folder: &Path, words: impl IntoIterator<Item = String>, beside: Option<&Path>) {
        for word in words {
            let named = word.strip_prefix('@').map(|name| match beside {
                Some(beside) => beside.join(name.strip_prefix("<CFGDIR>/").unwrap_or(name)),
                None => PathBuf::from(name),
            });
            match named.filter(|named| folder.join(named).is_file()) {
                Some(named) => self.add_file(folder, named, beside.is_some()),
                None => self.words.push(word),
            }
        }
    }

    /// Adds the words of a file, unless they are there already: a file may name itself.
    fn add_file(&mut self, folder: &Path, file: PathBuf, is_settings: bool) {
        if !self.files.insert(file.clone()) {
            return;
        }
        let text = std::fs::read(folder.join(&file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let beside = is_settings.then(|| file.parent().unwrap_or(Path::new("")));
        match beside {
            // In settings a line goes on behind a backslash at its end.
            Some(_) => self.extend(folder, words(&text.replace("\\\n", "")), beside),
            None => self.extend(folder, words(&text), None),
        }
    }
}

/// The words of a text as compilers of the GNU family and LLVM read them: spaces and ends of lines stand between words, quotes around spaces, and
/// a backslash before any character that means itself.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(end), c) if c == end => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        folder
    }

    fn paths(names: &[&str]) -> BTreeSet<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn words_of_files_are_read_as_compilers_read_them() {
        let text = "-DA=1  '-DB=a b'\n\"-DC=\\\"q\\\"\" -D\\ D ''\t-Ia\\\\b 'it\"s'";
        assert_eq!(words(text), ["-DA=1", "-DB=a b", "-DC=\"q\"", "-D D", "", "-Ia\\b", "it\"s"]);
        assert!(words(" \n").is_empty());
    }

    #[test]
    fn files_that_files_name_are_found_from_the_folder_of_the_command() {
        let files = [("a/o.rsp", "-x @a/p.rsp @p.rsp"), ("a/p.rsp", "-y @nowhere"), ("p.rsp", "-z @a/o.rsp")];
        let folder = folder(&files);
        let words = ["@a/o.rsp", "-w", "@"].map(str::to_owned);
        let expanded = Expanded::command(folder.path(), words);
        assert_eq!(expanded.words, ["-x", "-y", "@nowhere", "-z", "-w", "@"]);
        assert_eq!(expanded.files, paths(&["a/o.rsp", "a/p.rsp", "p.rsp"]));
    }

    #[test]
    fn files_that_settings_name_are_found_beside_these() {
        let files =
            [("a/o.cfg", "# words\n-x \\\n@b/p.cfg"), ("a/b/p.cfg", "@<CFGDIR>/q.cfg"), ("a/b/q.cfg", "-y")];
        let folder = folder(&files);
        let expanded = Expanded::settings(folder.path(), "a/o.cfg".into());
        assert_eq!(expanded.words, ["#", "words", "-x", "-y"]);
        assert_eq!(expanded.files, paths(&["a/o.cfg", "a/b/p.cfg", "a/b/q.cfg"]));
    }
}
