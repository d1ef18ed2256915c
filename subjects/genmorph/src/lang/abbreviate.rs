//! `StringUtils.abbreviate(String, String, int, int)`.

use crate::text::{from, length, until};

/// `str` shortened to at most `max_width` characters, with `abbrev_marker` where something was left out;
/// the character at `offset` is in the result. A negative offset is 0, one behind the end is the end.
///
/// # Panics
/// When the width leaves no room for the marker and one character, or with a marker on both sides for both.
pub fn abbreviate(str: &str, abbrev_marker: &str, offset: i32, max_width: i32) -> String {
    if !str.is_empty() && abbrev_marker.is_empty() && max_width > 0 {
        return until(str, max_width.min(length(str))).to_owned();
    }
    if str.is_empty() || abbrev_marker.is_empty() {
        return str.to_owned();
    }
    let marker = marker_length(abbrev_marker);
    assert!(max_width > marker, "the least width is {}", marker + 1);
    if length(str) <= max_width {
        return str.to_owned();
    }
    shorten(str, abbrev_marker, marker, offset.clamp(0, length(str)), max_width)
}

/// `str` is longer than the width.
fn shorten(str: &str, abbrev_marker: &str, marker: i32, offset: i32, max_width: i32) -> String {
    let room = max_width - marker;
    let last_start = length(str) - room;
    let start = offset.min(last_start);
    if start <= marker + 1 {
        return until(str, room).to_owned() + abbrev_marker;
    }
    assert!(max_width > 2 * marker, "the least width with an offset is {}", 2 * marker + 1);
    if start < last_start {
        return abbrev_marker.to_owned() + &abbreviate(from(str, start), abbrev_marker, 0, room);
    }
    abbrev_marker.to_owned() + from(str, last_start)
}

fn marker_length(abbrev_marker: &str) -> i32 {
    if cfg!(feature = "faulty") {
        // Seeded fault: bytes are counted where everything else counts characters.
        return abbrev_marker.len() as i32;
    }
    length(abbrev_marker)
}
