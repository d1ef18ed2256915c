//! Pieces of text that reports for people share.

use std::fmt;

use anstyle::Style;
use dodona_records::{Binding, MutantId, Share};

use crate::Styles;

/// Text in a style; the codes that switch it off are left out where there is none.
pub(crate) struct Styled<T>(pub(crate) Style, pub(crate) T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), self.1, self.0.render_reset())
    }
}

/// Digits in groups of three, as the language's literals allow.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `p = 1, q = 2`; a return value has no name.
pub(crate) fn bindings(bindings: &[Binding]) -> String {
    let one = |b: &Binding| match b.name.as_str() {
        "" => short(&b.value),
        name => format!("{name} = {}", short(&b.value)),
    };
    bindings.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// [`bindings`] within a sentence: `()` where nothing is taken.
pub(crate) fn arguments(of: &[Binding]) -> String {
    if of.is_empty() { "()".to_owned() } else { bindings(of) }
}

/// Values as long as a terminal line can hold; records keep them whole.
pub(crate) fn short(value: &str) -> String {
    const MOST: usize = 160;
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} characters)", &value[..end], value.chars().count()),
        None => value.to_owned(),
    }
}

/// How wide a column of texts is made. A longer text stands out of its column: the formatter knows widths of 16 bits only, and
/// nobody reads a line in which a name takes several of the terminal's.
pub(crate) fn widest<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> usize {
    const WIDEST: usize = 200;
    texts.map(|text| text.as_ref().chars().count()).max().unwrap_or(0).min(WIDEST)
}

/// A name or a path, which may hold a line break: what stands after it would read like a line of its own, or like a command to the program that shows the
/// report. Whoever writes the report escapes all else that nobody sees.
pub(crate) fn name(text: &str) -> String {
    text.replace('\n', "\\n").replace('\t', "\\t")
}

/// The first line of a report: what it is about, and where that comes from.
pub(crate) fn heading(what: &str, origin: &str, styles: Styles) -> String {
    format!("{} {}", Styled(styles.strong, name(what)), Styled(styles.faint, name(origin)))
}

/// Code or words on one line, with one space between words. What stands in quotation marks is a text of the code, whose spaces mean something; what is quoted to
/// no end is none.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(begin) = rest.find('"')
        && let Some(length) = quoted(&rest[begin..])
    {
        words_of(&rest[..begin], &mut line);
        line.push_str(&rest[begin..begin + length]);
        rest = &rest[begin + length..];
    }
    words_of(rest, &mut line);
    line
}

/// Adds a text with one space in place of each run of spaces and line breaks.
fn words_of(text: &str, line: &mut String) {
    for c in text.chars() {
        match c.is_whitespace() {
            true if line.ends_with(' ') || line.is_empty() => {}
            true => line.push(' '),
            false => line.push(c),
        }
    }
}

/// The bytes of the text in quotation marks that some code begins with, if it ends on its line.
fn quoted(code: &str) -> Option<usize> {
    let mut is_escaped = false;
    let inside = code.char_indices().skip(1).take_while(|(_, c)| *c != '\n');
    let mut end = inside.filter(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    end.next().map(|(at, _)| at + 1)
}

/// `p = 1; q = 2` with values of any length, for machines.
pub(crate) fn plain_bindings(bindings: &[Binding]) -> String {
    bindings.iter().map(Binding::to_string).collect::<Vec<_>>().join("; ")
}

/// At most so many characters, the last a `…` where something was cut.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// `1 input`, `2 inputs`, `1,000 inputs`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// `2 of 3 statements (66%)`
pub(crate) fn share(share: Share, noun: &str) -> String {
    let percent = share.percent().map(|percent| format!(" ({percent}%)")).unwrap_or_default();
    format!("{} of {}{percent}", grouped(share.covered), counted(share.total, noun))
}

/// `M1-M5 M9`: ascending numbers, those that follow one another as a range.
pub(crate) fn ranges(ids: &[MutantId]) -> String {
    let mut runs: Vec<(MutantId, MutantId)> = Vec::new();
    for &id in ids {
        match runs.last_mut() {
            Some((_, last)) if last.0.checked_add(1) == Some(id.0) => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let run = |(first, last): &(MutantId, MutantId)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(" ")
}

/// Adds a comment of the relation language, broken between words where it is too long.
pub(crate) fn comment(out: &mut String, words: &str) {
    /// The characters of a line.
    const LINE: usize = 120;
    let mut line = String::from("#");
    for word in words.split_whitespace() {
        if line.len() > 1 && line.chars().count() + 1 + word.chars().count() > LINE {
            out.push_str(&line);
            out.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    out.push_str(&line);
    out.push('\n');
}

/// A word of a command for a shell.
pub(crate) fn shell_word(text: &str) -> String {
    // What no shell can be told is shown as it is.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), |word| word.into_owned())
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn spaces_within_texts_of_code_are_kept() {
        assert_eq!(one_line("  f(x)\n   ==  g(x) "), "f(x) == g(x)");
        assert_eq!(
            one_line(r#"slug(concat(a,  "  "))  ==   "a  \"  b""#),
            r#"slug(concat(a, "  ")) == "a  \"  b""#
        );
        assert_eq!(one_line("it\n said   \" and  no more"), "it said \" and no more");
        assert_eq!(one_line(" \n "), "");
    }
}
