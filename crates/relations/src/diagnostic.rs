//! What is wrong with a relation, and where.

use std::fmt;
use std::ops::Range;

/// One thing that is wrong with a text of the relation language.
///
/// It holds no text of its own source, so that whoever read the file can render it with the line and a caret.
///
/// ```
/// let problems = dodona_relations::parse("relation odd: sin(-x ~= 1").unwrap_err();
/// assert_eq!(problems[0].message, "expected `,` or `)`, found the end");
/// assert_eq!(problems[0].span, 25..25);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Diagnostic {
    /// What is wrong, as a lower-case fragment.
    pub message: String,
    /// Where: bytes of the text that was parsed.
    pub span: Range<usize>,
    /// A few words to write under the caret; may be empty.
    pub label: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without label or hint.
    pub(crate) fn new(span: impl Into<Range<usize>>, message: impl Into<String>) -> Self {
        Diagnostic { message: message.into(), span: span.into(), label: String::new(), hint: None }
    }

    /// The same with words under the caret.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a hint where there is one.
    pub(crate) fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }
}

/// "did you mean …", where one of the known names is near enough to be a slip of the pen.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let letters = |name: &str| name.chars().count();
    // Any letter is one slip away from any other: a single one says nothing.
    if letters(name) < 2 {
        return None;
    }
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (letters(name).max(letters(candidate)) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}

/// Names in backquotes with commas: `` `a`, `b` ``.
pub(crate) struct Quoted<'a, T>(pub(crate) &'a [T]);

impl<T: AsRef<str>> fmt::Display for Quoted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            write!(f, "{}`{}`", if i > 0 { ", " } else { "" }, name.as_ref())?;
        }
        Ok(())
    }
}
