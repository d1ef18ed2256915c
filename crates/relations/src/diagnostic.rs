//! Messages about what is wrong with a relation, and where.

use std::fmt;

/// "did you mean …", if one of the known names is similar enough that `name` may be a typing error.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let letters = |name: &str| name.chars().count();
    // Any one-letter name is one edit away from every other one-letter name, so a suggestion for it would mean
    // nothing.
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

/// Prints names in backquotes with commas between them: `` `a`, `b` ``.
pub(crate) struct Quoted<'a, T>(pub(crate) &'a [T]);

impl<T: AsRef<str>> fmt::Display for Quoted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            write!(f, "{}`{}`", if i > 0 { ", " } else { "" }, name.as_ref())?;
        }
        Ok(())
    }
}
