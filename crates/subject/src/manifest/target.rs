//! `[target]`: functions outside of WebAssembly.

use std::ops::Range;
use std::path::Path;

use dodona_target::{Diagnostic, Predicate, Type, nearest, on_one_line};

use super::ModuleSource;
use super::functions::Entry;
use super::section::{Item, Section};
use crate::outside::{
    CommandCall, Found, FoundBy, FoundIn, NamedOutput, Outside, OutsideKind, Template, TemplatePart,
    WorkerLanguage, WorkerSource,
};

/// The kinds of targets, each with an example.
const KINDS: [(&str, &str); 4] = [
    ("command", "command = [\"./price\", \"{strike}\"]"),
    ("python", "python = \"pricing\""),
    ("node", "node = \"./pricing.mjs\""),
    ("worker", "worker = [\"./my-worker\"]"),
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
    if kind == "worker" {
        let command = words(item)?;
        let name = |entry: &Entry<'_>| match &entry.path {
            Some((path, _)) => path.clone(),
            None => entry.function.name.clone(),
        };
        let names = entries.iter().map(name).collect();
        return Some(WorkerSource { language: WorkerLanguage::Own, command, names, shapes, folder });
    }
    let (language, usual) = match kind {
        "python" => (WorkerLanguage::Python, "python3"),
        _ => (WorkerLanguage::Node, "node"),
    };
    let (module, function) = module_and_function(&item.text()?);
    let interpreter = match target.get("interpreter") {
        None => vec![usual.to_owned()],
        Some(item) if item.is_list() => words(item)?,
        Some(item) => vec![item.text()?],
    };
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
    let names = entries.iter().map(name).collect();
    Some(WorkerSource { language, command: interpreter, names, shapes, folder })
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
    for (key, item) in entry.program.given() {
        let problem =
            Diagnostic::new(item.span(), format!("`{key}` has no effect here: [target] is a `{kind}`"));
        target.problems.add(
            problem.hint(format!(
                "`{key}` is for programs that are run for each call, of [target] with `command`"
            )),
        );
    }
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
    let own = &entry.program;
    let names: Vec<&str> = entry.function.parameters.iter().map(|p| p.name.as_str()).collect();
    let words = own.command.or(all.command)?;
    let bound = |item: &Item<'_>| template(item, &names);
    let words_list = words.list()?.iter().map(bound).collect::<Option<Vec<Template>>>()?;
    if words_list.is_empty() {
        words.problem(
            Diagnostic::new(words.span(), "no program is named")
                .hint("write [\"./program\", \"{parameter}\"]"),
        );
        return None;
    }
    let stdin = own.stdin.or(all.stdin).map_or(Some(Template::default()), |item| template(&item, &names))?;
    let files = match own.files.or(all.files) {
        None => Vec::new(),
        Some(item) => {
            let section = item.section("a table of files")?;
            let file = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
                if !is_plain_name(name) {
                    let problem = Diagnostic::new(
                        span,
                        format!("`{}` is no name of a file in the working directory", on_one_line(name)),
                    );
                    item.problem(problem.hint("write a relative path without `..`"));
                    return None;
                }
                Some((name.to_owned(), template(&item, &names)?))
            };
            section.named().map(file).collect::<Option<Vec<_>>>()?
        }
    };
    let used: Vec<usize> = words_list
        .iter()
        .chain([&stdin])
        .chain(files.iter().map(|(_, file)| file))
        .flat_map(Template::parameters)
        .collect();
    for (index, name) in names.iter().enumerate() {
        if !used.contains(&index) {
            let problem = Diagnostic::new(entry.span.clone(), format!("nothing that is run takes `{name}`"));
            words.problem(problem.hint(format!(
                "write {{{name}}} in a word of `command`, in `stdin` or in a file of `files`"
            )));
        }
    }
    // A word of a command ends at a NUL.
    for index in words_list.iter().flat_map(Template::parameters) {
        let parameter = &mut entry.function.signature.parameters[index];
        if parameter.ty == Type::Text && !parameter.domain.predicates.contains(&Predicate::NoNul) {
            parameter.domain.predicates.push(Predicate::NoNul);
        }
    }
    let named = named_outputs(entry)?;
    let mut found = match (entry.function.is_command(), own.output) {
        (true, None) => Found::of_command().to_vec(),
        (true, Some(item)) => {
            let problem = Diagnostic::new(
                item.span(),
                "`output` says where the value of a call is found, and this signature has none",
            );
            item.problem(problem.hint("write -> f64 in place of -> command, or name outputs: outputs.total = { type = \"f64\", json = \"/total\" }"));
            return None;
        }
        (false, item) => values(entry, item)?,
    };
    found.extend(named.iter().map(|one| one.found.clone()));
    entry.function.signature.outputs.extend(named.iter().map(NamedOutput::output));
    Some(CommandCall { words: with_paths(words_list, folder), stdin, files, found })
}

/// Where the value of a call is found: one place, or one for each part of a tuple.
fn values(entry: &Entry<'_>, item: Option<Item<'_>>) -> Option<Vec<Found>> {
    let wanted = entry.function.outputs.len();
    let places: Vec<Found> = match item {
        None => vec![Found { place: FoundIn::Stdout, how: FoundBy::Whole }],
        Some(item) if item.is_list() => {
            item.list()?.iter().map(|item| found(&item.section("an output")?, true)).collect::<Option<_>>()?
        }
        Some(item) => vec![found(&item.section("an output")?, true)?],
    };
    if places.len() != wanted {
        let span = item.map_or(entry.span.clone(), |item| item.span());
        let problem =
            Diagnostic::new(span, format!("a call has {wanted} values, and {} are looked for", places.len()));
        entry
            .problems
            .add(problem.hint("write output = [{ … }, { … }] with one place for each part of the result"));
        return None;
    }
    Some(places)
}

/// The outputs under `outputs`.
fn named_outputs(entry: &Entry<'_>) -> Option<Vec<NamedOutput>> {
    let Some(item) = entry.program.outputs else { return Some(Vec::new()) };
    let section = item.section("a table of outputs")?;
    let one = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        let taken = |output: &dodona_target::Output| output.name.selector() == Some(name);
        if !super::signature::is_name(name) || entry.function.outputs.iter().any(taken) {
            let name = on_one_line(name);
            item.problem(Diagnostic::new(span, format!("`{name}` cannot be the name of an output")));
            return None;
        }
        let section = item.section("an output")?;
        let Some((ty, at)) = section.text("type") else {
            let problem = Diagnostic::new(section.span(), "this output has no type");
            section.problems.add(problem.hint("write type = \"f64\""));
            return None;
        };
        let ty: Type = match ty.parse() {
            Ok(ty) => ty,
            Err(unknown) => {
                section.problems.add(Diagnostic::new(at, format!("{unknown}")));
                return None;
            }
        };
        Some(NamedOutput { name: name.to_owned(), ty, found: found(&section, false)? })
    };
    section.named().map(one).collect()
}

/// Where an output is found.
fn found(section: &Section<'_>, is_whole_table: bool) -> Option<Found> {
    let place = match (section.text("file"), section.text("stream")) {
        (Some((file, span)), None) => {
            if !is_plain_name(&file) {
                let problem = Diagnostic::new(span, "this is no name of a file in the working directory");
                section.problems.add(problem.hint("write a relative path without `..`"));
                return None;
            }
            FoundIn::File(file)
        }
        (None, None) => FoundIn::Stdout,
        (None, Some((stream, span))) => match stream.as_str() {
            "stdout" => FoundIn::Stdout,
            "stderr" => FoundIn::Stderr,
            _ => {
                let problem = Diagnostic::new(span, format!("`{}` is no stream", on_one_line(&stream)));
                section.problems.add(problem.hint("write \"stdout\" or \"stderr\""));
                return None;
            }
        },
        (Some(_), Some((_, span))) => {
            section
                .problems
                .add(Diagnostic::new(span, "an output is found in a file or in a stream; keep one"));
            return None;
        }
    };
    let ways = [section.get("pattern"), section.get("json"), section.get("column")];
    let how = match ways {
        [None, None, None] => FoundBy::Whole,
        [Some(item), None, None] => {
            let pattern = item.text()?;
            if let Err(error) = regex::bytes::Regex::new(&pattern) {
                let why = on_one_line(error.to_string().lines().last().unwrap_or_default()).into_owned();
                item.problem(Diagnostic::new(item.span(), format!("this is no regular expression: {why}")));
                return None;
            }
            FoundBy::Pattern(pattern)
        }
        [None, Some(item), None] => {
            let pointer = item.text()?;
            if !pointer.is_empty() && !pointer.starts_with('/') {
                let problem = Diagnostic::new(item.span(), "this is no JSON Pointer");
                item.problem(problem.hint(format!("write json = \"/{pointer}\"")));
                return None;
            }
            FoundBy::Json(pointer)
        }
        [None, None, Some(item)] => FoundBy::Column(item.text()?),
        _ => {
            let problem = Diagnostic::new(section.span(), "an output is found in one way");
            section.problems.add(problem.hint("keep one of `pattern`, `json` and `column`"));
            return None;
        }
    };
    if is_whole_table {
        refuse_others(section, &["file", "stream", "pattern", "json", "column"]);
    } else {
        refuse_others(section, &["type", "file", "stream", "pattern", "json", "column"]);
    }
    Some(Found { place, how })
}

fn refuse_others(section: &Section<'_>, known: &[&str]) {
    for (key, span, _) in section.named().filter(|(key, _, _)| !known.contains(key)) {
        let problem = Diagnostic::new(span, format!("unknown key `{}` in an output", on_one_line(key)));
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known keys: {}", known.join(", ")),
        };
        section.problems.add(problem.hint(hint));
    }
}

fn is_plain_name(name: &str) -> bool {
    let path = Path::new(name);
    !name.is_empty()
        && path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir))
        && path.file_name().is_some()
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

/// Reads `--vol={vol}`: names of parameters stand in braces, a brace itself twice; `{xs...}` is a word for each element.
fn template(item: &Item<'_>, names: &[&str]) -> Option<Template> {
    let text = item.text()?;
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        plain += &rest[..at];
        let brace = &rest[at..at + 1];
        let behind = &rest[at + 1..];
        if behind.starts_with(brace) {
            plain += brace;
            rest = &behind[1..];
            continue;
        }
        let offset = text.len() - rest.len() + at;
        let end = if brace == "{" { behind.find('}') } else { None };
        let Some(end) = end else {
            let place = within(item, offset..offset + 1);
            let problem = Diagnostic::new(place, format!("this `{brace}` has no other one"));
            item.problem(
                problem.hint(format!("write {{parameter}}, or {brace}{brace} for the brace itself")),
            );
            return None;
        };
        let name = &behind[..end];
        let (bare, is_words) = match name.strip_suffix("...") {
            Some(bare) => (bare, true),
            None => (name, false),
        };
        let Some(index) = names.iter().position(|known| *known == bare) else {
            let place = within(item, offset + 1..offset + 1 + bare.len().max(1));
            let problem =
                Diagnostic::new(place, format!("`{}` is no parameter of this function", on_one_line(bare)));
            let hint = match nearest(bare, names.iter().copied()) {
                Some(near) => format!("did you mean {{{near}}}?"),
                None => format!("its parameters: {}; a brace itself is written twice", names.join(", ")),
            };
            item.problem(problem.hint(hint));
            return None;
        };
        if !plain.is_empty() {
            parts.push(TemplatePart::Text(std::mem::take(&mut plain)));
        }
        parts.push(if is_words { TemplatePart::Words(index) } else { TemplatePart::Parameter(index) });
        rest = &behind[end + 1..];
    }
    plain += rest;
    if !plain.is_empty() {
        parts.push(TemplatePart::Text(plain));
    }
    let has_words = parts.iter().any(|part| matches!(part, TemplatePart::Words(_)));
    if has_words && parts.len() > 1 {
        let problem = Diagnostic::new(item.span(), "what becomes several words stands alone in its word");
        item.problem(problem.hint("write \"{xs...}\", or {xs} for one word with commas"));
        return None;
    }
    Some(Template { parts })
}

/// A place inside the quotes of a string.
fn within(item: &Item<'_>, at: Range<usize>) -> Range<usize> {
    let start = item.span().start + 1;
    start + at.start..start + at.end
}

/// The keys of a function that say how a program is run for it.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgramKeys<'a> {
    pub(super) command: Option<Item<'a>>,
    pub(super) stdin: Option<Item<'a>>,
    pub(super) files: Option<Item<'a>>,
    pub(super) output: Option<Item<'a>>,
    pub(super) outputs: Option<Item<'a>>,
}

impl<'a> ProgramKeys<'a> {
    /// Those of an entry.
    pub(super) fn of(section: &Section<'a>) -> ProgramKeys<'a> {
        ProgramKeys {
            command: section.get("command"),
            stdin: section.get("stdin"),
            files: section.get("files"),
            output: section.get("output"),
            outputs: section.get("outputs"),
        }
    }

    /// Those that are there.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, Item<'a>)> {
        let ProgramKeys { command, stdin, files, output, outputs } = *self;
        let all = [
            ("command", command),
            ("stdin", stdin),
            ("files", files),
            ("output", output),
            ("outputs", outputs),
        ];
        all.into_iter().filter_map(|(key, item)| Some((key, item?)))
    }
}
