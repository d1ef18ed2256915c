//! Where the module comes from: `module` or `[build]`.

use std::path::Path;

use super::ModuleSource;
use super::functions::Entry;
use super::section::{Item, Section};
use dodona_target::{Diagnostic, on_one_line};

/// What `module` or `[build]` says.
pub(super) fn source(section: &Section<'_>, folder: &Path, entries: &[Entry]) -> Option<ModuleSource> {
    if section.keys().any(|key| key == "target") {
        section.section("[target]", "target").iter().for_each(refuse_kinds);
        // What declares the module besides is right as it is.
        let _ = (section.get("module"), section.get("build"));
        return None;
    }
    let module = section.text("module");
    let build = section.section("[build]", "build");
    match (module, build) {
        (Some((file, _)), None) => {
            refuse_paths(section, entries);
            Some(ModuleSource::File(folder.join(file)))
        }
        (None, Some(build)) => build_source(build, as_directory(folder), entries),
        (Some((_, span)), Some(_)) => {
            section.problems.add(Diagnostic::new(span, "both `module` and `[build]` are given; keep one"));
            None
        }
        // What stands there and could not be read has its problem.
        (None, None) if section.get("module").or(section.get("build")).is_some() => None,
        (None, None) => {
            let problem =
                Diagnostic::new(section.span(), "neither `module` nor `[build]` says where the module is");
            section.problems.add(problem.hint("write module = \"NAME.wasm\", or [build] with c = [\"NAME.c\"], rust = \".\" or crate = \"NAME\""));
            None
        }
    }
}

/// A manifest declares a module; other kinds of targets are not declared in one.
fn refuse_kinds(target: &Section<'_>) {
    const HINT: &str = "a manifest declares a WebAssembly module, with module = \"NAME.wasm\" or [build]; Rust functions are tested \
                        natively in their crate's own tests, with `dodona::function!`";
    if target.keys().next().is_none() {
        target.problems.add(Diagnostic::new(target.span(), "[target] names no kind of target").hint(HINT));
    }
    for (kind, span, _) in target.named() {
        let problem = Diagnostic::new(span, format!("`{}` is not a kind of target", on_one_line(kind)));
        target.problems.add(problem.label("unknown kind of target").hint(HINT));
    }
}

fn build_source(build: Section<'_>, folder: &Path, entries: &[Entry]) -> Option<ModuleSource> {
    let c = build.get("c").and_then(|i: Item<'_>| i.texts());
    let rust = build.text("rust");
    let from_crate = build.text("crate");
    if from_crate.is_none() && (c.is_some() || rust.is_some()) {
        refuse_version(&build);
        refuse_paths(&build, entries);
    }
    let version = build.text("version").map(|(v, _)| v);
    let flags = build.get("flags");
    let texts = || flags.and_then(|i| i.texts()).unwrap_or_default();
    let source = match (c, rust, from_crate) {
        (Some(files), None, None) => {
            Some(ModuleSource::C { files: files.iter().map(|f| folder.join(f)).collect(), flags: texts() })
        }
        (None, Some((crate_folder, _)), None) => {
            Some(ModuleSource::Rust { folder: folder.join(crate_folder), flags: texts() })
        }
        (None, None, Some((name, span))) => {
            refuse_flags(flags);
            if !is_crate_name(&name) {
                let problem = Diagnostic::new(span, format!("`{name}` is not the name of a crate"));
                build.problems.add(problem.hint("write crate = \"NAME\", and version = \"1.2\" below it"));
                return None;
            }
            Some(crate_source(name, version, entries, &build))
        }
        _ => {
            let problem =
                Diagnostic::new(build.span(), "[build] takes exactly one of `c`, `rust` and `crate`");
            build.problems.add(problem);
            None
        }
    };
    build.finish();
    source
}

fn crate_source(
    name: String,
    version: Option<String>,
    entries: &[Entry],
    build: &Section<'_>,
) -> ModuleSource {
    let paths = entries.iter().filter_map(|e| crate_path(e, &name, build)).collect();
    let types = entries.iter().map(|e| e.types.clone()).collect();
    ModuleSource::Crate { name, version: version.unwrap_or_else(|| "*".into()), paths, types }
}

fn refuse_paths(section: &Section<'_>, entries: &[Entry]) {
    for (_, span) in entries.iter().filter_map(|entry| entry.path.as_ref()) {
        let problem = Diagnostic::new(span.clone(), "`path` has no effect here: no `crate` is built");
        let hint = "write `export = \"…\"` where the module has another name for the function";
        section.problems.add(problem.hint(hint));
    }
}

fn refuse_version(build: &Section<'_>) {
    if let Some(item) = build.get("version") {
        let problem = Diagnostic::new(item.span(), "`version` has no effect here: no `crate` is built");
        item.problem(problem.hint("remove it, or write crate = \"NAME\" in place of `c` or `rust`"));
    }
}

fn refuse_flags(flags: Option<Item<'_>>) {
    if let Some(item) = flags {
        let problem = Diagnostic::new(item.span(), "`flags` have no effect on a `crate`");
        let hint = "remove them; a crate of your own that calls it, built with `rust`, can have flags";
        item.problem(problem.hint(hint));
    }
}

/// The Rust path of a function of a registry crate: it becomes code, so it must be nothing but a path.
fn crate_path(entry: &Entry, name: &str, build: &Section<'_>) -> Option<String> {
    let usual = || (format!("{}::{}", name.replace('-', "_"), entry.function.name), entry.span.clone());
    let (path, span) = entry.path.clone().unwrap_or_else(usual);
    let is_word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let example = name.replace('-', "_");
    let problem = if !path.split("::").all(is_word) {
        format!("`{path}` is not the path of a Rust function")
    } else if path.split("::").next() != Some(&example) {
        format!("`{path}` does not begin with the crate")
    } else {
        return Some(path);
    };
    let hint = format!("write path = \"{example}::{}\", with the modules between", entry.function.name);
    build.problems.add(Diagnostic::new(span, problem).hint(hint));
    None
}

/// Whether a text is the name of a crate, as Cargo allows them.
fn is_crate_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// The folder of a manifest as something that can be listed and entered. The folder of the bare name `dodona.toml` is the
/// empty path, which is not: the current folder is `.` to compilers and to the system.
fn as_directory(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}
