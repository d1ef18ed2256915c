//! `Ascii.truncate(CharSequence, int, String)`.

use crate::text::{length, until};

/// `seq` itself where it has at most `max_length` characters, else its start and `truncation_indicator`,
/// together `max_length` characters.
///
/// # Panics
/// When the indicator is longer than `max_length`, even where nothing is truncated.
pub fn truncate(seq: &str, max_length: i32, truncation_indicator: &str) -> String {
    let room = max_length - length(truncation_indicator);
    assert!(room >= 0, "the indicator is longer than {max_length}");
    // Seeded fault: text of just the greatest length is truncated too.
    let greatest = if cfg!(feature = "faulty") { max_length - 1 } else { max_length };
    if length(seq) <= greatest {
        return seq.to_owned();
    }
    until(seq, room.min(length(seq))).to_owned() + truncation_indicator
}
