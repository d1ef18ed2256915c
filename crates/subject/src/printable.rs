//! Texts of others, as a terminal shows them.

/// A text in which every character that is not shown as it is stands escaped: those that move the cursor, change colours or the
/// direction, or are invisible. Quotes and backslashes stay.
///
/// ```
/// use dodona_subject::printable;
/// assert_eq!(printable("it's é\u{1b}[31m\u{202e}"), "it's é\\u{1b}[31m\\u{202e}");
/// ```
pub fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '"' | '\'' | '\\' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    text.chars().map(shown).collect()
}
