//! `Strings.padStart(String, int, char)`.

use crate::text::{cycled, length};

/// `string` with `pad_char` before it as often as it takes to be `min_length` characters long.
///
/// # Panics
/// When `pad_char` is not one character.
pub fn pad_start(string: &str, min_length: i32, pad_char: &str) -> String {
    assert!(length(pad_char) == 1, "padding is one character");
    let missing = min_length.max(0) - length(string);
    cycled(pad_char, missing).chain(string.chars()).collect()
}
