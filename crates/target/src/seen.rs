//! Which characters people see as they are. The others are written as escapes, so that two texts which differ also look
//! different, and so that no text changes the order in which a terminal shows another.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// The characters of a text, each with whether it is seen as it is where it stands.
///
/// Not seen are control and format characters (zero width, changes of the direction), separators of lines and paragraphs,
/// spaces other than the usual one, characters without a shape or a meaning, and marks without a letter or digit to stand on.
///
/// ```
/// let of = |text| dodona_target::seen(text).map(|(_, is_seen)| is_seen).collect::<Vec<_>>();
/// assert_eq!(of("a\u{301} \u{200b}"), [true, true, true, false]);
/// assert_eq!(of("\u{301}a"), [false, true]);
/// ```
pub fn seen(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut carries_marks = false;
    text.chars().map(move |c| {
        let is_seen = is_seen(c, carries_marks);
        carries_marks = is_seen && (c.is_alphanumeric() || is_mark(c));
        (c, is_seen)
    })
}

/// The text with `\u{…}` in place of the characters that are [not seen](seen). Line breaks and tabs are kept.
pub fn with_escapes(text: &str) -> Cow<'_, str> {
    escaped_but(text, |c| matches!(c, '\n' | '\t'))
}

/// The text on one line: `\u{…}` in place of all characters that are [not seen](seen), and `\n` and `\t`.
///
/// ```
/// assert_eq!(dodona_target::on_one_line("a\nb\u{202e}"), r"a\nb\u{202e}");
/// ```
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    escaped_but(text, |_| false)
}

/// The most characters that a message shows of each of two texts.
const SHOWN: usize = 160;

/// How many of them stand before the first difference, so that one sees where it is.
const BEFORE: usize = 40;

/// Two texts that differ, as a message has them: of long ones the part around their first difference.
///
/// ```
/// let (a, b) = (format!("[{}1]", "0, ".repeat(100)), format!("[{}2]", "0, ".repeat(100)));
/// let (a, b) = dodona_target::where_they_differ(&a, &b);
/// assert_eq!(a, format!("…{} 1]", " 0,".repeat(13)));
/// assert!(b.ends_with(" 2]") && b.chars().count() == a.chars().count());
/// assert_eq!(dodona_target::where_they_differ("1", "2"), ("1".to_owned(), "2".to_owned()));
/// ```
pub fn where_they_differ(first: &str, second: &str) -> (String, String) {
    let same = first.chars().zip(second.chars()).take_while(|(a, b)| a == b).count();
    let is_short = |text: &str| text.chars().nth(SHOWN).is_none();
    let from = if is_short(first) && is_short(second) { 0 } else { same.saturating_sub(BEFORE) };
    let part = |text: &str| {
        let shown: String = text.chars().skip(from).take(SHOWN).collect();
        let (before, behind) = (from > 0, text.chars().nth(from + SHOWN).is_some());
        format!("{}{shown}{}", if before { "…" } else { "" }, if behind { "…" } else { "" })
    };
    (part(first), part(second))
}

fn escaped_but(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if seen(text).all(|(c, is_seen)| is_seen || is_kept(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (c, is_seen) in seen(text) {
        match c {
            c if is_seen || is_kept(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a `String` cannot fail.
            c => _ = write!(out, "\\u{{{:x}}}", c as u32),
        }
    }
    Cow::Owned(out)
}

fn is_seen(c: char, carries_marks: bool) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    if is_blank(c) {
        return false;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Mark => carries_marks,
        GeneralCategoryGroup::Separator | GeneralCategoryGroup::Other => false,
        _ => true,
    }
}

fn is_mark(c: char) -> bool {
    !c.is_ascii()
        && matches!(
            c.general_category(),
            GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark | GeneralCategory::EnclosingMark
        )
}

/// Letters, marks and symbols that have no shape, which no general category says: the other ones of the property
/// Default_Ignorable_Code_Point of Unicode 16 (fillers, joiners, selectors of variations), and the Braille pattern without dots.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_written_as_an_escape() {
        for c in [
            '\0',
            '\x1b',
            '\x7f',
            '\u{85}',
            '\u{a0}',
            '\u{ad}',
            '\u{61c}',
            '\u{115f}',
            '\u{180e}',
            '\u{2000}',
            '\u{200b}',
            '\u{200d}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{2800}',
            '\u{3000}',
            '\u{3164}',
            '\u{e000}',
            '\u{fdd0}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{fffe}',
            '\u{e0001}',
            '\u{e0100}',
            '\u{f0000}',
            '\u{10ffff}',
        ] {
            let text = format!("a{c}b");
            assert_eq!(with_escapes(&text), format!("a\\u{{{:x}}}b", c as u32));
        }
    }

    #[test]
    fn what_is_seen_stays() {
        for text in [
            "",
            "plain\n\ttext",
            "Grüße, žluťoučký, e\u{301}",
            "日本語 한국어 ไทย หนี้ हिन्दी",
            "→ … ≠ 👍",
            "\u{fffd}",
        ] {
            assert!(matches!(with_escapes(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn a_mark_needs_something_to_stand_on() {
        for (text, shown) in [
            ("\u{301}", "\\u{301}"),
            ("\"\u{301}a\"", "\"\\u{301}a\""),
            ("a\u{301}\u{302}", "a\u{301}\u{302}"),
            ("\u{200b}\u{301}\u{301}", "\\u{200b}\\u{301}\\u{301}"),
            ("1\u{fe0f}\u{20e3}", "1\\u{fe0f}\\u{20e3}"),
        ] {
            assert_eq!(with_escapes(text), shown);
        }
    }

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(on_one_line("a\r\n\tb\u{2028}"), "a\\r\\n\\tb\\u{2028}");
    }
}
