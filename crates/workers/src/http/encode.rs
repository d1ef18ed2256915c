//! Percent-encoding of the values that stand in paths, queries and forms.

/// A value of a path. A segment of dots alone would name a folder above, so that its dots are encoded too.
pub(super) fn encoded_in_path(bytes: &[u8]) -> String {
    match bytes {
        b"." | b".." => "%2E".repeat(bytes.len()),
        _ => encoded(bytes),
    }
}

/// Every byte but those that RFC 3986 calls unreserved as `%` and two digits. It is right in a segment of a path, in a query and in a form alike: there is no space that could become `+`.
pub(super) fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(byte.into()),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
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
