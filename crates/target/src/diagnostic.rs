//! A problem in a text that a person wrote, with its place.

use std::ops::Range;

/// A problem in a manifest or a relation file: what is wrong, where, and what to do.
///
/// It holds no text of its own source, so that whoever read the file can render it with the line and a caret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Diagnostic {
    /// What is wrong, a lower-case fragment.
    pub message: String,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What stands at the span, in a few words; may be empty.
    pub label: String,
    /// What to do.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A problem at a place.
    pub fn new(span: impl Into<Range<usize>>, message: impl Into<String>) -> Self {
        Diagnostic { message: message.into(), span: span.into(), label: String::new(), hint: None }
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With another hint, where there is one.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// With words for the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The line and column (both from 1, the column in characters) where the span starts.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let mut start = self.span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// The known name nearest to a misspelt one, when it is near enough to be what was meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&name.to_lowercase(), &k.to_lowercase()), k))
        .filter(|(distance, k)| *distance <= 1 + name.len().max(k.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k)
}
