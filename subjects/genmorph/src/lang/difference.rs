//! `StringUtils.difference(String, String)`.

use crate::text::from;

/// What follows in `str2` from the first character in which it differs from `str1`; nothing where they are equal.
pub fn difference(str1: &str, str2: &str) -> String {
    let common = str1.chars().zip(str2.chars()).take_while(|(a, b)| a == b).count();
    from(str2, common as i32).to_owned()
}
