//! What the linker says of C files, in the words of the manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{BuildError, Refused};
use crate::{Manifest, ModuleSource};
use dodona_target::nearest;

/// An error of the linker whose cause stands in the manifest or in its list of files becomes a sentence about that; any other
/// error stays as it is.
pub(super) fn explained(error: BuildError, manifest: &Manifest, files: &[PathBuf]) -> BuildError {
    let BuildError::Failed { output, .. } = &error else { return error };
    if let Some(refused) = undefined_in_calls(output, manifest) {
        return BuildError::Refused(refused);
    }
    let sentences: BTreeSet<String> =
        output.lines().filter_map(|line| sentence(line, manifest, files)).collect();
    match sentences.is_empty() {
        true => error,
        false => BuildError::Unsupported(sentences.into_iter().collect::<Vec<_>>().join("\n")),
    }
}

/// The functions whose calls name what nothing defines, if that is all that is wrong.
fn undefined_in_calls(output: &str, manifest: &Manifest) -> Option<Vec<Refused>> {
    let ModuleSource::C(source) = &manifest.source else { return None };
    let mut refused = BTreeMap::new();
    for line in output.lines().filter(|line| line.contains("error: ") && line.contains("wasm-ld")) {
        let (_, symbol) = line.split_once("undefined symbol: ")?;
        // Of C++ it is shown with its parameters.
        let name = symbol.trim().split('(').next()?;
        let last = name.rsplit("::").next()?;
        let calls = manifest.functions.iter().zip(&source.calls);
        let calling = calls.filter(|(_, call)| call.as_ref().is_some_and(|call| has_word(call, last)));
        let named: Vec<&str> = calling.map(|(function, _)| function.name.as_str()).collect();
        if named.is_empty() {
            return None;
        }
        for function in named {
            let words = format!(
                "the `call` of `{function}` needs `{name}`, which no file of `c` defines; add the file that does, or its library to `flags`, as in flags = \
                 [\"-lm\"]"
            );
            refused.entry(function).or_insert(Refused { function: function.to_owned(), words });
        }
    }
    (!refused.is_empty()).then(|| refused.into_values().collect())
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|one| one == word)
}

fn sentence(line: &str, manifest: &Manifest, files: &[PathBuf]) -> Option<String> {
    if let Some((_, export)) = line.split_once("symbol exported via --export not found: ") {
        return Some(no_such_export(export.trim(), manifest, files));
    }
    let (_, symbol) = line.split_once("undefined symbol: ")?;
    let (symbol, listed) = (symbol.trim(), listed(files));
    // A manifest that is only being drafted is not there.
    let what_to_do = match manifest.path.exists() {
        true => format!(
            "add the file that does to `c = [...]` of {}, or its library to `flags`, as in flags = [\"-lm\"]",
            manifest.path.display()
        ),
        false => "name the file that does too".to_owned(),
    };
    Some(format!("`{symbol}` is called, but none of {listed} defines it; {what_to_do}"))
}

fn no_such_export(export: &str, manifest: &Manifest, files: &[PathBuf]) -> String {
    let listed = listed(files);
    let words = words_of(files);
    let hint = match nearest(export, words.iter().map(String::as_str).filter(|word| *word != export)) {
        _ if words.contains(export) && files.iter().any(|file| is_cpp(file)) => {
            "C++ gives functions other names in the module: declare it as extern \"C\"".to_owned()
        }
        _ if words.contains(export) => {
            "it stands there, but not as a function with external linkage: is it `static`, `inline`, a macro, or switched off by \
             an `#if`?"
                .to_owned()
        }
        Some(near) => format!("did you mean `{near}`? `export = \"{near}\"` names it where the signature says otherwise"),
        None => "name the function as the source does, or add its file to `c = [...]`".to_owned(),
    };
    format!("{} exports `{export}`, but none of {listed} defines it; {hint}", manifest.path.display())
}

/// The names of some files, for a sentence: of a library they would fill the screen.
fn listed(files: &[PathBuf]) -> String {
    const MOST: usize = 4;
    let names = files.iter().map(|file| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy());
    let shown = names.take(MOST).collect::<Vec<_>>().join(", ");
    match files.len() {
        more if more > MOST => format!("{shown} and {} more files", more - MOST),
        _ => shown,
    }
}

fn is_cpp(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "cc" || e == "cpp" || e == "cxx" || e == "C")
}

/// The words of the sources that stand before an opening parenthesis, as the names of functions do.
fn words_of(files: &[PathBuf]) -> BTreeSet<String> {
    let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    texts.flat_map(|text| words_before_parentheses(&text)).collect()
}

fn words_before_parentheses(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.split('(').map(str::trim_end);
    let word = |part: &str| {
        let start = part
            .rfind(|c| !is_part(c))
            .map_or(0, |at| at + part[at..].chars().next().map_or(1, char::len_utf8));
        part[start..].to_owned()
    };
    before.map(word).filter(|word| !word.is_empty()).collect()
}
