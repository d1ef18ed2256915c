//! `[build] c`: C and C++ files, with how they are compiled and called.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::functions::Entry;
use super::included::leave_included;
use super::section::{Item, Section};
use super::{CSource, calls, compile_commands};
use crate::ResultLowering;
use dodona_target::Diagnostic;

/// What the keys of C say; `flags` are those of the manifest.
pub(super) fn source(
    build: &Section<'_>,
    folder: &Path,
    entries: &[Entry<'_>],
    flags: Vec<String>,
) -> Option<CSource> {
    let texts = |key| build.get(key).and_then(|item| item.texts()).unwrap_or_default();
    let include = texts("include").into_iter().map(|folder| format!("-I{folder}"));
    let define = texts("define").into_iter().map(|name| format!("-D{name}"));
    let given = include.chain(define).chain(flags).collect();
    let headers = texts("headers");
    let prelude = build.text("prelude").map(|(code, _)| code).unwrap_or_default();
    let exclude = build.get("exclude").and_then(|item| item.list()).unwrap_or_default();
    let excluded: Vec<glob::Pattern> = exclude.iter().filter_map(pattern).collect();
    let commands = build.get("compile-commands").map(|item| commands(&item, folder));
    let files = match build.get("c") {
        Some(item) => item.list()?.iter().flat_map(|item| named(item, folder)).collect(),
        None => commands.iter().flatten().map(|(file, _)| file.clone()).collect::<Vec<PathBuf>>(),
    };
    let is_left_out = |file: &Path| {
        let near = file.strip_prefix(folder).unwrap_or(file);
        excluded.iter().any(|pattern| pattern.matches_path(near) || pattern.matches_path(file))
    };
    let mut seen = BTreeSet::new();
    let files: Vec<PathBuf> =
        files.into_iter().filter(|file| !is_left_out(file) && seen.insert(normal(file))).collect();
    let commands: BTreeMap<PathBuf, Vec<String>> =
        commands.unwrap_or_default().into_iter().map(|(file, flags)| (normal(&file), flags)).collect();
    let own = |file: &PathBuf| Some((file.clone(), commands.get(&normal(file))?.clone()));
    let own_flags = files.iter().filter_map(own).collect();
    let calls: Vec<Option<String>> = entries.iter().map(|entry| calls::call(entry, build, "C")).collect();
    entries.iter().zip(&calls).filter(|(_, call)| call.is_none()).for_each(|(entry, _)| refuse_parts(entry));
    let types = entries.iter().map(|entry| entry.types.clone()).collect();
    Some(CSource { files, flags: given, own_flags, headers, prelude, calls, types })
}

/// Refuses several outputs of a function that is called as it is: a struct of C has a layout of its own.
fn refuse_parts(entry: &Entry<'_>) {
    let function = &entry.function;
    if matches!(function.result, ResultLowering::Record(_)) {
        let message = format!("a function of C gives one value, and `{}` gives several here", function.name);
        let hint = "beside the signature write a `call` whose statements set the outputs, as in call = \"struct pair p = f(x); q = p.q; r = p.r;\"";
        entry.problems.add(Diagnostic::new(entry.span.clone(), message).hint(hint));
    }
}

/// A path without links and detours, as far as it exists.
fn normal(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn commands(item: &Item<'_>, folder: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let Some(path) = item.text() else { return Vec::new() };
    let read = compile_commands::read(&folder.join(path));
    read.unwrap_or_else(|message| {
        let hint = "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and `bear -- make` for make";
        item.problem(Diagnostic::new(item.span(), message).hint(hint));
        Vec::new()
    })
}

fn pattern(item: &Item<'_>) -> Option<glob::Pattern> {
    let text = item.text()?;
    if text.is_empty() {
        item.problem(Diagnostic::new(item.span(), "an empty pattern names no file").hint("remove it"));
    }
    glob::Pattern::new(&text).inspect_err(|error| no_pattern(item, &text, error)).ok()
}

fn no_pattern(item: &Item<'_>, text: &str, error: &glob::PatternError) {
    item.problem(Diagnostic::new(item.span(), format!("`{text}` is no pattern of files: {error}")));
}

/// The files that an entry of `c` names: one, or all that a pattern has, in the order of their names.
fn named(item: &Item<'_>, folder: &Path) -> Vec<PathBuf> {
    let Some(text) = item.text() else { return Vec::new() };
    let full = folder.join(&text);
    // A file that is there is meant, whatever characters its name has.
    if !text.contains(['*', '?', '[']) || full.exists() {
        return vec![full];
    }
    let pattern = match Path::new(&text).is_absolute() {
        true => text.clone(),
        false => format!("{}/{text}", glob::Pattern::escape(&folder.to_string_lossy())),
    };
    let found = match glob::glob(&pattern) {
        Ok(found) => found,
        Err(error) => {
            no_pattern(item, &text, &error);
            return Vec::new();
        }
    };
    let mut files: Vec<PathBuf> = found.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    files.sort();
    leave_included(&mut files, &Path::to_owned);
    if files.is_empty() {
        let problem = Diagnostic::new(item.span(), format!("no file is named as `{text}` says"));
        item.problem(
            problem.hint(format!("patterns begin in {}; `**` stands for any folders", folder.display())),
        );
    }
    files
}
