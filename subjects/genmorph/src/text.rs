//! Text by characters, as the originals see it by code units.

/// The number of characters, as a Java `int`.
pub(crate) fn length(text: &str) -> i32 {
    i32::try_from(text.chars().count()).expect("text of at most 2^31 - 1 characters")
}

/// The byte at which a character starts, or the end of the text for the character behind the last.
///
/// # Panics
/// When there are fewer characters, or `index` is negative (Java: `StringIndexOutOfBoundsException`).
fn byte_of(text: &str, index: i32) -> usize {
    let index = usize::try_from(index).expect("an index is not negative");
    let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.nth(index).expect("an index is at most the length")
}

/// The characters from `start` on.
pub(crate) fn from(text: &str, start: i32) -> &str {
    &text[byte_of(text, start)..]
}

/// The characters before `end`.
pub(crate) fn until(text: &str, end: i32) -> &str {
    &text[..byte_of(text, end)]
}

/// The characters of `pad` over and over, `count` of them.
pub(crate) fn cycled(pad: &str, count: i32) -> impl Iterator<Item = char> + '_ {
    pad.chars().cycle().take(usize::try_from(count).unwrap_or(0))
}
