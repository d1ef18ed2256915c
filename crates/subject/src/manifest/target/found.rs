//! Where the outputs of a program are found.

use std::ops::Range;
use std::path::Path;

use dodona_target::{Diagnostic, Type, nearest, on_one_line};

use super::super::functions::Entry;
use super::super::section::{Item, Section};
use super::super::signature::is_name;
use crate::outside::{Found, FoundBy, FoundIn, NamedOutput};

/// Where the value of a call is found: one place, or one for each part of a tuple.
pub(super) fn values(entry: &Entry<'_>, item: Option<Item<'_>>) -> Option<Vec<Found>> {
    let wanted = entry.function.outputs.len();
    let places: Vec<Found> = match item {
        None => vec![Found { place: FoundIn::Stdout, how: FoundBy::Whole }],
        Some(item) if item.is_list() => item
            .list()?
            .iter()
            .map(|item| found(&item.section("an output")?, false))
            .collect::<Option<_>>()?,
        Some(item) => vec![found(&item.section("an output")?, false)?],
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
pub(super) fn named_outputs(entry: &Entry<'_>) -> Option<Vec<NamedOutput>> {
    let Some(item) = entry.program.outputs else { return Some(Vec::new()) };
    let section = item.section("a table of outputs")?;
    let one = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        let taken = |output: &dodona_target::Output| output.name.selector() == Some(name);
        if !is_name(name) || entry.function.outputs.iter().any(taken) {
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
        Some(NamedOutput { name: name.to_owned(), ty, found: found(&section, true)? })
    };
    section.named().map(one).collect()
}

/// Where an output is found. Its type stands beside that where it is one of several that have names.
fn found(section: &Section<'_>, has_type: bool) -> Option<Found> {
    let (place, how) = (place(section), way(section));
    let known = ["type", "file", "stream", "pattern", "json", "column"];
    refuse_others(section, &known[usize::from(!has_type)..]);
    Some(Found { place: place?, how: how? })
}

/// What is looked at: a file, or a stream.
fn place(section: &Section<'_>) -> Option<FoundIn> {
    match (section.text("file"), section.text("stream")) {
        (Some((file, span)), None) => {
            if !is_plain_name(&file) {
                let problem = Diagnostic::new(span, "this is no name of a file in the working directory");
                section.problems.add(problem.hint("write a relative path without `..`"));
                return None;
            }
            Some(FoundIn::File(file))
        }
        (None, None) => Some(FoundIn::Stdout),
        (None, Some((stream, span))) => match stream.as_str() {
            "stdout" => Some(FoundIn::Stdout),
            "stderr" => Some(FoundIn::Stderr),
            _ => {
                let problem = Diagnostic::new(span, format!("`{}` is no stream", on_one_line(&stream)));
                section.problems.add(problem.hint("write \"stdout\" or \"stderr\""));
                None
            }
        },
        (Some(_), Some((_, span))) => {
            section
                .problems
                .add(Diagnostic::new(span, "an output is found in a file or in a stream; keep one"));
            None
        }
    }
}

/// How it is found there.
fn way(section: &Section<'_>) -> Option<FoundBy> {
    match [section.get("pattern"), section.get("json"), section.get("column")] {
        [None, None, None] => Some(FoundBy::Whole),
        [Some(item), None, None] => {
            let pattern = item.text()?;
            if let Err(error) = regex::bytes::Regex::new(&pattern) {
                let why = on_one_line(error.to_string().lines().last().unwrap_or_default()).into_owned();
                item.problem(Diagnostic::new(item.span(), format!("this is no regular expression: {why}")));
                return None;
            }
            Some(FoundBy::Pattern(pattern))
        }
        [None, Some(item), None] => {
            let pointer = item.text()?;
            if !pointer.is_empty() && !pointer.starts_with('/') {
                let problem = Diagnostic::new(item.span(), "this is no JSON Pointer");
                item.problem(problem.hint(format!("write json = \"/{pointer}\"")));
                return None;
            }
            Some(FoundBy::Json(pointer))
        }
        [None, None, Some(item)] => Some(FoundBy::Column(item.text()?)),
        _ => {
            let problem = Diagnostic::new(section.span(), "an output is found in one way");
            section.problems.add(problem.hint("keep one of `pattern`, `json` and `column`"));
            None
        }
    }
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

pub(super) fn is_plain_name(name: &str) -> bool {
    let path = Path::new(name);
    !name.is_empty()
        && path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir))
        && path.file_name().is_some()
}
