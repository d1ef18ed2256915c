//! Signatures: `gcd(p: i32, q: i32) -> i32`.

use std::ops::Range;

use dodona_target::Type;
use dodona_target::names::RESERVED;

use super::written::{Written, named_parts};

/// A signature as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSignature {
    /// The function's name in relations.
    pub name: String,
    /// Names and types of the parameters.
    pub parameters: Vec<(String, Type)>,
    /// What comes back.
    pub result: SignatureResult,
}

/// What a signature promises to come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureResult {
    /// Nothing is written after the parameters.
    Nothing,
    /// A value.
    Value(Type),
    /// A value of several parts, or one that may be missing.
    Parts(Written),
    /// Standard output, standard error and an exit code.
    Command,
    /// The status and the body of an answer of a web service.
    Http,
}

/// What is wrong in a signature: a message and the place in it.
type Wrong = (String, Range<usize>);

impl WrittenSignature {
    /// Reads a signature.
    ///
    /// # Errors
    /// What is wrong, and where in `text` (bytes).
    pub fn parse(text: &str) -> Result<WrittenSignature, (String, Range<usize>)> {
        let whole = 0..text.len();
        let open = text
            .find('(')
            .ok_or(("a signature needs `(`: gcd(p: i32, q: i32) -> i32".to_owned(), whole.clone()))?;
        let close = closing(text, open).ok_or(("a signature needs `)`".to_owned(), whole))?;
        let name = identifier(text, 0..open, FUNCTION)?;
        let parameters = parameters(text, open + 1..close)?;
        Ok(WrittenSignature { name, parameters, result: result(text, close + 1..text.len())? })
    }
}

impl WrittenSignature {
    /// The types in a signature that was read, as they are written: those of the parameters, then that of the result.
    pub(super) fn types(text: &str) -> Vec<Written> {
        let Some((open, close)) = text.find('(').and_then(|open| Some((open, closing(text, open)?))) else {
            return Vec::new();
        };
        let parameters = split(text, open + 1..close).into_iter().filter_map(|part| {
            let part = &text[part];
            Some(&part[part.find(':')? + 1..])
        });
        let result = text[close + 1..].trim().strip_prefix("->");
        parameters.chain(result).filter_map(|ty| Written::parse(ty).ok()).collect()
    }
}

pub(super) fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let part = &text[span.clone()];
    let start = span.start + (part.len() - part.trim_start().len());
    start..start.max(span.start + part.trim_end().len())
}

/// What the name before the parentheses is called in messages.
const FUNCTION: &str = "a function name";

/// Whether a text can be the name of an output: letters, digits and `_`, and no word of the relation language.
pub(super) fn is_name(text: &str) -> bool {
    identifier(text, 0..text.len(), "a name").is_ok()
}

/// Whether a word of the relation language cannot name a function or a parameter.
pub(crate) fn is_word(name: &str) -> bool {
    RESERVED.contains(&name)
}

fn identifier(text: &str, span: Range<usize>, what: &str) -> Result<String, Wrong> {
    let span = trimmed(text, span);
    let name = &text[span.clone()];
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if let Some((_, last)) = name.rsplit_once("::") {
        let path = "beside the signature write path = \"CRATE::MODULE::FUNCTION\"";
        return Err((
            format!("a signature has the last name of a path only: write `{last}(…)`, and {path}"),
            span,
        ));
    }
    if !starts || !chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err((format!("expected {what} (letters, digits and `_`), found `{name}`"), span));
    }
    if is_word(name) {
        let way_out = match what {
            FUNCTION => {
                format!("write another name, such as `{name}_`, and export = \"{name}\" beside the signature")
            }
            _ => format!("write another, such as `{name}_`: the names of parameters are free"),
        };
        return Err((
            format!("`{name}` is a word of the relation language and cannot be {what}; {way_out}"),
            span,
        ));
    }
    Ok(name.to_owned())
}

fn parameters(text: &str, span: Range<usize>) -> Result<Vec<(String, Type)>, Wrong> {
    let mut found: Vec<(String, Type)> = Vec::new();
    if text[span.clone()].trim().is_empty() {
        return Ok(found);
    }
    for here in split(text, span) {
        let part = &text[here.clone()];
        let colon = part.find(':').ok_or_else(|| {
            (format!("a parameter needs its type: `{}: i32`", part.trim()), trimmed(text, here.clone()))
        })?;
        let name = identifier(text, here.start..here.start + colon, "a parameter name")?;
        if found.iter().any(|(n, _)| *n == name) {
            return Err((format!("parameter `{name}` stands twice"), trimmed(text, here)));
        }
        let here = here.start + colon + 1..here.end;
        let Written::Value(spelling) = ty(text, here.clone())? else {
            let written = &text[trimmed(text, here.clone())];
            return Err((
                format!(
                    "a parameter is one value, and `{written}` has several parts; write a small crate around the function whose \
                     parameters are these parts"
                ),
                trimmed(text, here),
            ));
        };
        found.push((name, spelling.ty));
    }
    Ok(found)
}

fn ty(text: &str, span: Range<usize>) -> Result<Written, Wrong> {
    let span = trimmed(text, span);
    let mut names: Vec<String> = Vec::new();
    for (name, _) in named_parts(&text[span.clone()]).unwrap_or_default() {
        let at = span.start + name.start..span.start + name.end;
        let name = identifier(text, at.clone(), "the name of an output")?;
        if names.contains(&name) {
            return Err((format!("output `{name}` stands twice"), at));
        }
        names.push(name);
    }
    Written::parse(&text[span.clone()]).map_err(|e| (e.to_string(), span))
}

/// The parenthesis that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().skip_while(|(at, _)| *at < open).find_map(|(at, c)| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        (depth == 0).then_some(at)
    })
}

/// The parts between the commas that stand in no brackets.
pub(super) fn split(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (span.start, 0_i32);
    let mut before = ' ';
    for (at, c) in text[span.clone()].char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            // The head of an arrow closes nothing.
            '>' if before == '-' => {}
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(start..span.start + at);
                start = span.start + at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(start..span.end);
    parts
}

fn result(text: &str, span: Range<usize>) -> Result<SignatureResult, Wrong> {
    let span = trimmed(text, span);
    let rest = &text[span.clone()];
    if rest.is_empty() {
        return Ok(SignatureResult::Nothing);
    }
    let Some(after) = rest.strip_prefix("->") else {
        return Err((format!("expected `-> TYPE`, found `{rest}`"), span));
    };
    if after.trim() == "command" {
        return Ok(SignatureResult::Command);
    }
    if after.trim() == "http" {
        return Ok(SignatureResult::Http);
    }
    Ok(match ty(text, span.start + 2..span.end)? {
        Written::Value(spelling) => SignatureResult::Value(spelling.ty),
        parts => SignatureResult::Parts(parts),
    })
}

impl std::fmt::Display for WrittenSignature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(|(n, t)| format!("{n}: {t}")).collect();
        write!(f, "{}({})", self.name, parameters.join(", "))?;
        match &self.result {
            SignatureResult::Nothing => Ok(()),
            SignatureResult::Value(ty) => write!(f, " -> {ty}"),
            SignatureResult::Parts(parts) => write!(f, " -> {parts}"),
            SignatureResult::Command => f.write_str(" -> command"),
            SignatureResult::Http => f.write_str(" -> http"),
        }
    }
}
