//! Where the outputs of a program, or of an answer of a web service, are found.

use std::ops::Range;
use std::path::Path;

use dodona_target::{Diagnostic, Type, nearest, on_one_line};

use super::super::functions::Entry;
use super::super::section::{Item, Section};
use super::super::signature::is_name;
use crate::outside::{Found, FoundBy, FoundIn, NamedOutput};

/// What the outputs are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// What a run of a program left.
    Run,
    /// The answer of a web service.
    Answer,
}

/// Where the value of a call is found: one place, or one for each part of a tuple.
pub(super) fn values(entry: &Entry<'_>, searched: Searched) -> Option<Vec<Found>> {
    let item = entry.program.output;
    let wanted = entry.function.outputs.len();
    let one = |(index, item): (usize, &Item<'_>)| {
        let ty = entry.function.outputs.get(index).map(|output| output.ty);
        found(&item.section("an output")?, searched, false, ty)
    };
    let places: Vec<Found> = match item {
        None => {
            let place = if searched == Searched::Run { FoundIn::Stdout } else { FoundIn::Body };
            vec![Found { place, how: FoundBy::Whole }]
        }
        Some(item) if item.is_list() => item.list()?.iter().enumerate().map(one).collect::<Option<_>>()?,
        Some(item) => vec![one((0, &item))?],
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

/// The outputs under `outputs`. Those of the signature have their names already, and so have others, which `is_taken` says.
pub(super) fn named_outputs(
    entry: &Entry<'_>,
    outputs: Option<Item<'_>>,
    searched: Searched,
    is_taken: &dyn Fn(&str) -> bool,
) -> Option<Vec<NamedOutput>> {
    let Some(item) = outputs else { return Some(Vec::new()) };
    let section = item.section("a table of outputs")?;
    let one = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        let taken = |output: &dodona_target::Output| output.name.selector() == Some(name);
        if !is_name(name) || is_taken(name) || entry.function.outputs.iter().any(taken) {
            let name = on_one_line(name);
            item.problem(Diagnostic::new(span, format!("`{name}` cannot be the name of an output")));
            return None;
        }
        let section = item.section("an output")?;
        let Some(ty) = type_beside(&section)? else {
            let problem = Diagnostic::new(section.span(), "this output has no type");
            section.problems.add(problem.hint("write type = \"f64\""));
            return None;
        };
        Some(NamedOutput { name: name.to_owned(), ty, found: found(&section, searched, true, Some(ty))? })
    };
    section.named().map(one).collect()
}

/// The `type` beside a place, if there is one; `None` where it is no type, which is told.
pub(super) fn type_beside(section: &Section<'_>) -> Option<Option<Type>> {
    let Some((ty, at)) = section.text("type") else { return Some(None) };
    match ty.parse() {
        Ok(ty) => Some(Some(ty)),
        Err(unknown) => {
            section.problems.add(Diagnostic::new(at, format!("{unknown}")));
            None
        }
    }
}

/// Where an output is found. Its type stands beside that where it is one of several that have names.
pub(super) fn found(
    section: &Section<'_>,
    searched: Searched,
    has_type: bool,
    ty: Option<Type>,
) -> Option<Found> {
    let (place, how) = match searched {
        Searched::Run => (place(section), way(section)),
        Searched::Answer => (place_in_answer(section), way(section)),
    };
    let known: &[&str] = match searched {
        Searched::Run => &["type", "file", "stream", "pattern", "json", "column"],
        Searched::Answer => &["type", "status", "header", "pattern", "json", "column"],
    };
    refuse_others(section, &known[usize::from(!has_type)..]);
    let found = Found { place: place?, how: how? };
    if let (FoundBy::Json(pointer), Some(ty @ Type::Scalar(_))) = (&found.how, ty)
        && pointer.split('/').any(|step| step == "*")
    {
        let problem = Diagnostic::new(section.span(), format!("`*` finds several values, and a {ty} is one"));
        section.problems.add(problem.hint(format!("write -> [{ty}], or the number of the element")));
        return None;
    }
    Some(found)
}

/// What of an answer is looked at: its status, a header, or its body.
fn place_in_answer(section: &Section<'_>) -> Option<FoundIn> {
    match (section.get("status"), section.text("header")) {
        (None, None) => Some(FoundIn::Body),
        (None, Some((name, span))) => {
            if !is_header_name(&name) {
                let problem =
                    Diagnostic::new(span, format!("`{}` is no name of a header", on_one_line(&name)));
                section.problems.add(problem);
                return None;
            }
            Some(FoundIn::Header(name))
        }
        (Some(item), None) => {
            if item.boolean()? && ["pattern", "json", "column"].iter().all(|key| !has(section, key)) {
                return Some(FoundIn::Status);
            }
            let problem = Diagnostic::new(item.span(), "the status is a whole number");
            item.problem(problem.hint("write status = true alone, or leave it out to look at the body"));
            None
        }
        (Some(item), Some(_)) => {
            item.problem(Diagnostic::new(
                item.span(),
                "an output is found in the status or in a header; keep one",
            ));
            None
        }
    }
}

fn has(section: &Section<'_>, key: &str) -> bool {
    section.keys().any(|known| known == key)
}

/// Whether a text can be the name of a header: a token of RFC 9110.
pub(super) fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
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
