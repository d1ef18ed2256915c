//! Text with the values of parameters in it: `--vol={vol}`.

use std::ops::Range;

use dodona_target::{Diagnostic, nearest, on_one_line};

use super::super::section::Item;
use crate::outside::{Template, TemplatePart};

/// Reads `--vol={vol}`: names of parameters stand in braces, a brace itself twice; `{xs...}` is a word for each element.
pub(super) fn template(item: &Item<'_>, names: &[String]) -> Option<Template> {
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
        let part = parameter(item, offset + 1, &behind[..end], names)?;
        if !plain.is_empty() {
            parts.push(TemplatePart::Text(std::mem::take(&mut plain)));
        }
        parts.push(part);
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

/// What stands between braces, at a place of the text: the name of a parameter, with three dots for a word for each of its elements.
fn parameter(item: &Item<'_>, offset: usize, name: &str, names: &[String]) -> Option<TemplatePart> {
    let bare = name.strip_suffix("...").unwrap_or(name);
    let Some(index) = names.iter().position(|known| known == bare) else {
        let place = within(item, offset..offset + bare.len().max(1));
        let problem =
            Diagnostic::new(place, format!("`{}` is no parameter of this function", on_one_line(bare)));
        let hint = match nearest(bare, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {{{near}}}?"),
            None => format!("its parameters: {}; a brace itself is written twice", names.join(", ")),
        };
        item.problem(problem.hint(hint));
        return None;
    };
    Some(if bare == name { TemplatePart::Parameter(index) } else { TemplatePart::Words(index) })
}

/// A place inside the quotes of a string.
fn within(item: &Item<'_>, at: Range<usize>) -> Range<usize> {
    let start = item.span().start + 1;
    start + at.start..start + at.end
}
