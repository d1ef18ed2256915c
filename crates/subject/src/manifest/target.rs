//! `[target]`: functions outside of WebAssembly.

mod found;
mod http;
mod json_template;
mod request;
mod setup;
mod template;

use std::ops::Range;
use std::path::Path;

use dodona_target::{Diagnostic, Output, Predicate, Type, on_one_line};

use super::ModuleSource;
use super::functions::Entry;
use super::section::{Item, Section};
use crate::outside::{
    CommandCall, Found, NamedOutput, Outside, OutsideKind, Template, TemplatePart, WorkerLanguage,
    WorkerSource,
};
use found::{Searched, is_plain_name, named_outputs, values};
use template::template;

/// The kinds of targets, each with an example.
const KINDS: [(&str, &str); 6] = [
    ("command", "command = [\"./price\", \"{strike}\"]"),
    ("python", "python = \"pricing\""),
    ("node", "node = \"./pricing.mjs\""),
    ("java", "java = \"pricing.Model\""),
    ("worker", "worker = [\"./my-worker\"]"),
    ("http", "http = \"http://127.0.0.1:8000\""),
];

/// What `[target]` says.
pub(super) fn source(target: &Section<'_>, folder: &Path, entries: &mut [Entry<'_>]) -> Option<ModuleSource> {
    let given: Vec<(&str, Item<'_>)> =
        KINDS.iter().filter_map(|(kind, _)| Some((*kind, target.get(kind)?))).collect();
    let environment = target.section("a table of variables", "environment").map_or_else(Vec::new, variables);
    let passed = target.get("pass").and_then(|item| item.texts()).unwrap_or_default();
    let kind = match given.as_slice() {
        [(kind, item)] => match *kind {
            "command" => command(target, *item, folder, entries).map(OutsideKind::Command),
            "http" => http::service(target, *item, entries).map(OutsideKind::Http),
            kind => worker(target, kind, *item, folder, entries).map(OutsideKind::Worker),
        },
        [] => {
            no_kind(target);
            return None;
        }
        [_, (_, second), ..] => {
            let kinds: Vec<String> = KINDS.iter().map(|(kind, _)| format!("`{kind}`")).collect();
            let problem = Diagnostic::new(second.span(), "[target] has two kinds of target");
            second.problem(problem.hint(format!("keep one of {}", kinds.join(", "))));
            None
        }
    };
    Some(ModuleSource::Outside(Outside { kind: kind?, environment, passed }))
}

/// Tells that no kind of target is named. A key that is none is the mistake, if there is one.
fn no_kind(target: &Section<'_>) {
    let examples: Vec<&str> = KINDS.iter().map(|(_, example)| *example).collect();
    let hint = format!(
        "write one of {}; a module is declared with module = \"NAME.wasm\" or [build]",
        examples.join(", ")
    );
    let mut unknown = target.named().filter(|(key, _, _)| !["environment", "pass"].contains(key)).peekable();
    if unknown.peek().is_none() {
        target.problems.add(Diagnostic::new(target.span(), "[target] names no kind of target").hint(&*hint));
    }
    for (kind, span, _) in unknown {
        let problem = Diagnostic::new(span, format!("`{}` is not a kind of target", on_one_line(kind)));
        target.problems.add(problem.label("unknown kind of target").hint(&*hint));
    }
}

fn variables(section: Section<'_>) -> Vec<(String, String)> {
    section.named().filter_map(|(name, _, item)| Some((name.to_owned(), item.text()?))).collect()
}

/// A worker, its words, and what it calls the functions.
fn worker(
    target: &Section<'_>,
    kind: &str,
    item: Item<'_>,
    folder: &Path,
    entries: &[Entry<'_>],
) -> Option<WorkerSource> {
    for entry in entries {
        refuse_program_keys(entry, target, kind);
        refuse_lowerings(entry, target);
    }
    let shape =
        |entry: &Entry<'_>| entry.types.get(entry.function.parameters.len()).map(|returned| returned.shape());
    let shapes = entries.iter().map(shape).collect();
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let (language, command, names) = match kind {
        "worker" => (WorkerLanguage::Own, words(item)?, own_names(entries)),
        kind => shipped_worker(target, (kind, item), &folder, entries)?,
    };
    Some(WorkerSource { language, command, names, shapes, folder, version: None })
}

/// What a worker of the user calls the functions.
fn own_names(entries: &[Entry<'_>]) -> Vec<String> {
    let name = |entry: &Entry<'_>| match &entry.path {
        Some((path, _)) => path.clone(),
        None => entry.function.name.clone(),
    };
    entries.iter().map(name).collect()
}

/// A worker that ships with Dodona: its language, its words, and what it calls the functions.
fn shipped_worker(
    target: &Section<'_>,
    (kind, item): (&str, Item<'_>),
    folder: &Path,
    entries: &[Entry<'_>],
) -> Option<(WorkerLanguage, Vec<String>, Vec<String>)> {
    let (language, usual) = match kind {
        "python" => (WorkerLanguage::Python, "python3"),
        "java" => (WorkerLanguage::Java, "java"),
        _ => (WorkerLanguage::Node, "node"),
    };
    let (module, function) = module_and_function(&item.text()?);
    let mut command = interpreter(target, usual)?;
    if language == WorkerLanguage::Java {
        command.extend(["-cp".to_owned(), classpath(target, folder)]);
    }
    if let (Some(_), [_, second, ..]) = (&function, entries) {
        let problem = Diagnostic::new(second.span.clone(), "[target] names one function, and there are two");
        target.problems.add(problem.hint(format!("write {kind} = \"{module}\", and beside each signature whose function has another name path = \"{module}:NAME\"")));
    }
    let name = |entry: &Entry<'_>| match (&entry.path, &function) {
        (Some((path, _)), _) if path.contains(':') => path.clone(),
        (Some((path, _)), _) => format!("{module}:{path}"),
        (None, Some(function)) => format!("{module}:{function}"),
        (None, None) => format!("{module}:{}", entry.function.name),
    };
    Some((language, command, entries.iter().map(name).collect()))
}

/// The words that start the interpreter of a worker.
fn interpreter(target: &Section<'_>, usual: &str) -> Option<Vec<String>> {
    match target.get("interpreter") {
        None => Some(vec![usual.to_owned()]),
        Some(item) if item.is_list() => words(item),
        Some(item) => Some(vec![item.text()?]),
    }
}

/// Where Java looks for classes. Paths are from the manifest's folder, as all paths in it are.
fn classpath(target: &Section<'_>, folder: &Path) -> String {
    let paths = target.get("classpath").and_then(|item| item.texts()).unwrap_or_else(|| vec![".".to_owned()]);
    let paths = paths.iter().map(|path| folder.join(path));
    std::env::join_paths(paths).unwrap_or_default().to_string_lossy().into_owned()
}

/// A worker is handed values, and gives a value back.
fn refuse_lowerings(entry: &Entry<'_>, target: &Section<'_>) {
    if entry.function.is_command() {
        let problem = Diagnostic::new(
            entry.span.clone(),
            "a worker calls functions, and this signature is of a command",
        );
        target
            .problems
            .add(problem.hint("write -> text in place of -> command, or [target] with command = [\"…\"]"));
    }
    if entry.function.lowerings.iter().any(crate::Lowering::is_in_out) {
        let problem =
            Diagnostic::new(entry.span.clone(), "what a worker changes in place does not come back");
        target.problems.add(problem.hint("return the changed value"));
    }
}

/// `pricing:black_scholes` is a function of a module; without a colon it is a module.
fn module_and_function(text: &str) -> (String, Option<String>) {
    match text.rsplit_once(':') {
        Some((module, function)) => (module.to_owned(), Some(function.to_owned())),
        None => (text.to_owned(), None),
    }
}

/// Words of which there is at least one.
fn words(item: Item<'_>) -> Option<Vec<String>> {
    let words = item.texts()?;
    if words.is_empty() {
        item.problem(
            Diagnostic::new(item.span(), "no program is named").hint("write [\"./program\", \"a word\"]"),
        );
        return None;
    }
    Some(words)
}

fn refuse_program_keys(entry: &Entry<'_>, target: &Section<'_>, kind: &str) {
    refuse_request_keys(entry, target, kind);
    for (key, item) in entry.program.given() {
        if entry.program.of_request().iter().all(|(known, _)| *known != key) {
            let hint =
                format!("`{key}` is for programs that are run for each call, of [target] with `command`");
            no_effect(target, kind, key, &item, &hint);
        }
    }
}

/// Keys of requests, and answers, are for web services.
fn refuse_request_keys(entry: &Entry<'_>, target: &Section<'_>, kind: &str) {
    for (key, item) in entry.program.of_request() {
        let hint = format!("`{key}` is for requests to a web service, of [target] with `http`");
        no_effect(target, kind, key, &item, &hint);
    }
    if entry.is_answer {
        let said = format!("`-> http` is the answer of a web service, and [target] is a `{kind}`");
        let problem = Diagnostic::new(entry.span.clone(), said);
        target.problems.add(problem.hint("write the type of the value: -> f64"));
    }
}

fn no_effect(target: &Section<'_>, kind: &str, key: &str, item: &Item<'_>, hint: &str) {
    let problem = Diagnostic::new(item.span(), format!("`{key}` has no effect here: [target] is a `{kind}`"));
    target.problems.add(problem.hint(hint));
}

/// How a program is run for each function.
fn command(
    target: &Section<'_>,
    item: Item<'_>,
    folder: &Path,
    entries: &mut [Entry<'_>],
) -> Option<Vec<CommandCall>> {
    let all = Keys { command: Some(item), stdin: target.get("stdin"), files: target.get("files") };
    let mut calls = Vec::new();
    for entry in entries {
        if let Some((_, span)) = &entry.path {
            let problem = Diagnostic::new(span.clone(), "`path` has no effect here: [target] is a `command`");
            target
                .problems
                .add(problem.hint("write command = [\"…\"] beside the signature if it is another program"));
        }
        refuse_request_keys(entry, target, "command");
        calls.push(call(&all, folder, entry));
    }
    calls.into_iter().collect()
}

/// The keys that say how a program is run; those of a function stand for those of the target.
#[derive(Clone, Copy)]
struct Keys<'a> {
    command: Option<Item<'a>>,
    stdin: Option<Item<'a>>,
    files: Option<Item<'a>>,
}

fn call(all: &Keys<'_>, folder: &Path, entry: &mut Entry<'_>) -> Option<CommandCall> {
    let own = entry.program;
    let names: Vec<String> = entry.function.parameters.iter().map(|p| p.name.clone()).collect();
    let item = own.command.or(all.command)?;
    let bound = |item: &Item<'_>| template(item, &names);
    let words = item.list()?.iter().map(bound).collect::<Option<Vec<Template>>>()?;
    if words.is_empty() {
        let problem = Diagnostic::new(item.span(), "no program is named");
        item.problem(problem.hint("write [\"./program\", \"{parameter}\"]"));
        return None;
    }
    let stdin = own.stdin.or(all.stdin).map_or(Some(Template::default()), |item| bound(&item))?;
    let files = own.files.or(all.files).map_or(Some(Vec::new()), |item| files(&item, &names))?;
    let all_templates = || words.iter().chain([&stdin]).chain(files.iter().map(|(_, file)| file));
    for (index, name) in names.iter().enumerate() {
        if !all_templates().flat_map(Template::parameters).any(|used| used == index) {
            let span = entry.span.clone();
            let problem = Diagnostic::new(span, format!("nothing that is run takes `{name}`"));
            let hint = format!("write {{{name}}} in a word of `command`, in `stdin` or in a file of `files`");
            item.problem(problem.hint(hint));
        }
    }
    without_nul(&words, entry);
    let usual = entry.function.is_command().then(|| Found::of_command().to_vec());
    let found = outputs(entry, usual, (Searched::Run, "command"), Vec::new())?;
    Some(CommandCall { words: with_paths(words, folder), stdin, files, found })
}

/// Where the outputs of a function are found; the outputs that have names become outputs of its signature. `usual` are those of a signature that ends in `-> command` or `-> http`,
/// `others` those that are found elsewhere; they follow.
fn outputs(
    entry: &mut Entry<'_>,
    usual: Option<Vec<Found>>,
    (searched, result): (Searched, &str),
    others: Vec<Output>,
) -> Option<Vec<Found>> {
    let is_taken = |name: &str| others.iter().any(|output| output.name.selector() == Some(name));
    let named = named_outputs(entry, entry.program.outputs, searched, &is_taken)?;
    let mut found = match (usual, entry.program.output) {
        (Some(usual), None) => usual,
        (Some(_), Some(item)) => {
            let said = "`output` says where the value of a call is found, and this signature has none";
            let hint = format!(
                "write -> f64 in place of -> {result}, or name outputs: outputs.total = {{ type = \"f64\", json = \"/total\" }}"
            );
            item.problem(Diagnostic::new(item.span(), said).hint(hint));
            return None;
        }
        (None, _) => values(entry, searched)?,
    };
    found.extend(named.iter().map(|one| one.found.clone()));
    entry.function.signature.outputs.extend(named.iter().map(NamedOutput::output).chain(others));
    Some(found)
}

/// Files of the working directory.
fn files(item: &Item<'_>, names: &[String]) -> Option<Vec<(String, Template)>> {
    let section = item.section("a table of files")?;
    let file = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        if !is_plain_name(name) {
            let said = format!("`{}` is no name of a file in the working directory", on_one_line(name));
            item.problem(Diagnostic::new(span, said).hint("write a relative path without `..`"));
            return None;
        }
        Some((name.to_owned(), template(&item, names)?))
    };
    section.named().map(file).collect()
}

/// A word of a command ends at a NUL, so that a text in one has none.
fn without_nul(words: &[Template], entry: &mut Entry<'_>) {
    for index in words.iter().flat_map(Template::parameters) {
        let parameter = &mut entry.function.signature.parameters[index];
        if parameter.ty == Type::Text && !parameter.domain.predicates.contains(&Predicate::NoNul) {
            parameter.domain.predicates.push(Predicate::NoNul);
        }
    }
}

/// Words that name a file in the folder of the manifest as absolute paths: the program runs in another folder.
fn with_paths(words: Vec<Template>, folder: &Path) -> Vec<Template> {
    let whole = |word: Template| {
        let Some(text) = word.fixed().filter(|text| !text.is_empty()) else { return word };
        let path = folder.join(text);
        match path.is_file() && !Path::new(text).is_absolute() {
            true => {
                let path = std::path::absolute(&path).unwrap_or(path).display().to_string();
                Template { parts: vec![TemplatePart::Text(path)] }
            }
            false => word,
        }
    };
    words.into_iter().map(whole).collect()
}
