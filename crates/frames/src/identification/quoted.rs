//! Maps the characters of a TOML string to their places in the file. Because of escapes and joined lines, the string is shorter
//! than its text in the file.

use std::ops::Range;

/// The text of a string, with its place in the file.
pub(crate) struct Written {
    pub(crate) text: String,
    span: Range<usize>,
    /// The place of each byte of the text, and of its end; `None` if it is not known.
    places: Option<Vec<usize>>,
}

impl Written {
    /// The value of a string at a place in a file.
    pub(crate) fn new(file: &str, value: &str, span: Range<usize>) -> Written {
        let places = file.get(span.clone()).and_then(|raw| places(raw, span.start, value));
        Written { text: value.to_owned(), span, places }
    }

    /// The place of a part of the text; the whole string if it is not known.
    pub(crate) fn at(&self, part: &Range<usize>) -> Range<usize> {
        self.places.as_ref().map_or_else(|| self.span.clone(), |places| within(places, part))
    }
}

/// For each byte of a string's value, and for its end, the place where it is written. `raw` is the string with its quotes,
/// which begins at `start`. `None` if the two do not agree.
fn places(raw: &str, start: usize, value: &str) -> Option<Vec<usize>> {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let quotes = if raw.len() >= 6 && raw.starts_with(&triple) { 3 } else { 1 };
    let end = raw.len().checked_sub(quotes)?;
    let mut at = quotes;
    // A line break after three quotes does not belong to the text.
    if quotes == 3 {
        at += ["\r\n", "\n"].iter().find(|line| raw[at..].starts_with(**line)).map_or(0, |line| line.len());
    }
    let mut places = Vec::with_capacity(value.len() + 1);
    while at < end {
        let (read, written) = unit(&raw[at..end], quote == '"')?;
        // All bytes of a character are at the place where it begins.
        places.extend(std::iter::repeat_n(start + at, read));
        at += written;
    }
    places.push(start + end);
    (places.len() == value.len() + 1).then_some(places)
}

/// The length of the next character in bytes, and the length of its text in the file.
fn unit(rest: &str, has_escapes: bool) -> Option<(usize, usize)> {
    let first = rest.chars().next()?;
    if first != '\\' || !has_escapes {
        return Some((first.len_utf8(), first.len_utf8()));
    }
    let kind = rest[1..].chars().next()?;
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        // A backslash at the end of a line joins it with the next word.
        c if c.is_whitespace() => {
            return Some((0, 1 + rest[1..].len() - rest[1..].trim_start().len()));
        }
        _ => return Some((1, 2)),
    };
    let code = u32::from_str_radix(rest.get(2..2 + digits)?, 16).ok()?;
    Some((char::from_u32(code)?.len_utf8(), 2 + digits))
}

/// A part of a string's value as a part of the file.
fn within(places: &[usize], part: &Range<usize>) -> Range<usize> {
    let last = places.len() - 1;
    places[part.start.min(last)]..places[part.end.min(last)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_line_ends_are_counted() {
        for (raw, value, part) in [
            (r#""a == b""#, "a == b", "b"),
            (r"'a \ b'", r"a \ b", "b"),
            (r#""s contains \"\n\" and b""#, "s contains \"\n\" and b", "b"),
            (r#""\u00e9 \U0001F600 \x41 b""#, "é 😀 A b", "b"),
            ("\"\"\"\na ==\n b\"\"\"", "a ==\n b", "b"),
            ("\"\"\"a == \\\n   b\"\"\"", "a == b", "b"),
            ("'''\r\nb'''", "b", "b"),
        ] {
            let places = places(raw, 10, value).unwrap_or_else(|| panic!("{raw}"));
            let at = value.rfind(part).expect("it is there");
            let shown = within(&places, &(at..at + part.len()));
            assert_eq!(&raw[shown.start - 10..shown.end - 10], part, "{raw}");
        }
        assert_eq!(places("\"ab\"", 0, "abc"), None);
        assert_eq!(places("", 0, ""), None);
    }

    #[test]
    fn the_end_of_the_value_stands_at_the_closing_quotes() {
        assert_eq!(within(&places("\"\"", 5, "").expect("a string"), &(0..0)), 6..6);
        assert_eq!(within(&places("\"a and\"", 0, "a and").expect("a string"), &(5..5)), 6..6);
    }
}
