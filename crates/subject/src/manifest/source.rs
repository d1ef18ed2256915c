//! Where the module comes from: `module` or `[build]`; or that there is none: `[target]`.

use std::path::Path;

use super::functions::Entry;
use super::library;
use super::section::{Item, Section};
use super::target;
use super::{ModuleSource, assemblyscript_source, c_source};
use dodona_target::Diagnostic;

/// What `module`, `[build]` or `[target]` says.
pub(super) fn source(
    section: &Section<'_>,
    folder: &Path,
    entries: &mut [Entry<'_>],
) -> Option<ModuleSource> {
    if let Some(target) = section.section("[target]", "target") {
        let others = [section.get("module"), section.get("build")];
        for other in others.iter().flatten() {
            let problem =
                Diagnostic::new(other.span(), "[target] declares what is under test, and this does too");
            other.problem(problem.hint("keep one of them"));
        }
        let source = target::source(&target, as_directory(folder), entries);
        target.finish();
        return source.filter(|_| others.iter().all(Option::is_none));
    }
    if section.get("target").is_some() {
        let _ = (section.get("module"), section.get("build"));
        return None;
    }
    entries.iter().for_each(refuse_program_keys);
    let module = section.text("module");
    let build = section.section("[build]", "build");
    match (module, build) {
        (Some((file, _)), None) => {
            refuse_paths(section, entries, false);
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
            section.problems.add(problem.hint("write module = \"NAME.wasm\", or [build] with c = [\"NAME.c\"], rust = \".\", crate = \"NAME\" or assemblyscript = \"NAME.ts\""));
            None
        }
    }
}

/// Keys of programs and requests say nothing of a module.
fn refuse_program_keys(entry: &Entry<'_>) {
    if entry.is_answer {
        let problem = Diagnostic::new(entry.span.clone(), "a module gives no answer of a web service");
        let hint = "[target] with http = \"http://127.0.0.1:8000\" declares a web service";
        entry.problems.add(problem.hint(hint));
    }
    let of_request = entry.program.of_request();
    for (key, item) in &of_request {
        let problem = Diagnostic::new(item.span(), format!("`{key}` has no effect on a module"));
        item.problem(problem.hint("[target] with http = \"http://127.0.0.1:8000\" declares a web service"));
    }
    let is_other = |key: &str| of_request.iter().all(|(known, _)| *known != key);
    for (key, item) in entry.program.given().into_iter().filter(|(key, _)| is_other(key)) {
        let problem = Diagnostic::new(item.span(), format!("`{key}` has no effect on a module"));
        item.problem(problem.hint("[target] with command = [\"./program\", \"{parameter}\"] declares a program that is run for each call"));
    }
}

fn build_source(build: Section<'_>, folder: &Path, entries: &[Entry<'_>]) -> Option<ModuleSource> {
    let is_c = build.get("c").is_some() || build.get("compile-commands").is_some();
    let rust = build.text("rust");
    let from_crate = build.get("crate");
    let assemblyscript = build.get("assemblyscript");
    if from_crate.is_none() && (is_c || rust.is_some() || assemblyscript.is_some()) {
        library::refuse_keys(&build);
        refuse_paths(&build, entries, is_c || assemblyscript.is_some());
    }
    let flags = build.get("flags");
    let texts = || flags.and_then(|i| i.texts()).unwrap_or_default();
    let source = match (is_c, rust, from_crate, assemblyscript) {
        (true, None, None, None) => c_source::source(&build, folder, entries, texts()).map(ModuleSource::C),
        (false, Some((crate_folder, _)), None, None) => {
            Some(ModuleSource::Rust { folder: folder.join(crate_folder), flags: texts() })
        }
        (false, None, Some(item), None) => {
            refuse_flags(flags);
            library::source(&build, item, folder, entries).map(ModuleSource::Crate)
        }
        (false, None, None, Some(item)) => {
            assemblyscript_source::source(&build, item, folder, entries, texts())
                .map(ModuleSource::AssemblyScript)
        }
        _ => {
            let words = "[build] takes exactly one of `c`, `rust`, `crate` and `assemblyscript`";
            let problem = Diagnostic::new(build.span(), words);
            build.problems.add(problem);
            None
        }
    };
    build.finish();
    source
}

/// Refuses what says how a function of a crate is called, where none is built. C and AssemblyScript may have a `call` too.
fn refuse_paths(section: &Section<'_>, entries: &[Entry<'_>], has_calls: bool) {
    let given = entries.iter().flat_map(|entry| [("path", &entry.path), ("call", &entry.call)]);
    let given = given.filter(|(key, _)| !(has_calls && *key == "call"));
    for (key, span) in given.filter_map(|(key, item)| Some((key, &item.as_ref()?.1))) {
        let problem =
            Diagnostic::new(span.clone(), format!("`{key}` has no effect here: no `crate` is built"));
        let hint = "write `export = \"…\"` where the module has another name for the function";
        section.problems.add(problem.hint(hint));
    }
}

fn refuse_flags(flags: Option<Item<'_>>) {
    if let Some(item) = flags {
        let problem = Diagnostic::new(item.span(), "`flags` have no effect on a `crate`");
        let hint = "remove them; a crate of your own that calls it, built with `rust`, can have flags";
        item.problem(problem.hint(hint));
    }
}

/// The folder of a manifest as something that can be listed and entered. The folder of the bare name `dodona.toml` is the
/// empty path, which is not: the current folder is `.` to compilers and to the system.
fn as_directory(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}
