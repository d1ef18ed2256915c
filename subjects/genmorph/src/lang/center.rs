//! `StringUtils.center(String, int, String)`.

use crate::text::{cycled, length};

/// `str` in the middle of `size` characters, filled up on both sides with `pad_str` (a space where that is empty);
/// the right side takes the odd one. `str` itself where it is not shorter than `size`.
pub fn center(str: &str, size: i32, pad_str: &str) -> String {
    let pads = size.max(0) - length(str);
    if pads <= 0 {
        return str.to_owned();
    }
    let pad = if pad_str.is_empty() { " " } else { pad_str };
    // Seeded fault: half of the size goes to the left, not half of what is missing.
    let left = if cfg!(feature = "faulty") { size / 2 } else { pads / 2 };
    cycled(pad, left).chain(str.chars()).chain(cycled(pad, pads - left)).collect()
}
