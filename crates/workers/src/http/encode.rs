//! Percent-encoding of the values that stand in paths, queries and forms.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// A value of a path. A segment of dots alone would name a folder above, so that its dots are encoded too.
pub(super) fn encoded_in_path(bytes: &[u8]) -> String {
    match bytes {
        b"." | b".." => "%2E".repeat(bytes.len()),
        _ => encoded(bytes),
    }
}

/// All but what RFC 3986 calls unreserved. It is right in a segment of a path, in a query and in a form alike: there is no space that could become `+`.
const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A value with each byte that is reserved as `%` and two digits.
pub(super) fn encoded(bytes: &[u8]) -> String {
    percent_encode(bytes, &RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_text_holds_can_be_told_from_what_divides_a_request() {
        assert_eq!(encoded(b"aZ09-._~"), "aZ09-._~");
        assert_eq!(encoded(b"a b/c?d=e&f#g%h+"), "a%20b%2Fc%3Fd%3De%26f%23g%25h%2B");
        assert_eq!(encoded("\u{e9}\u{1f600}\0\r\n".as_bytes()), "%C3%A9%F0%9F%98%80%00%0D%0A");
        assert_eq!(encoded(&[0xff]), "%FF");
        assert_eq!(
            [encoded_in_path(b".."), encoded_in_path(b"..."), encoded_in_path(b"a.")],
            ["%2E%2E", "...", "a."]
        );
    }
}
