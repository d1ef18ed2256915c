//! Words of a command as they are pasted into a shell.

use std::fmt::Write as _;
use std::path::Path;

use dodona_target::seen;

/// A word that a shell reads back as these bytes. Quotes stand around it only where they are needed.
pub(crate) fn word(bytes: &[u8]) -> String {
    let is_plain = |text: &str| {
        // `zsh` replaces a word that begins with an equals sign.
        let plain = |c: char| c.is_alphanumeric() || "-_./=,+:@%".contains(c);
        !text.is_empty() && !text.starts_with('=') && text.chars().all(plain)
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if is_plain(text) => text.to_owned(),
        Ok(text) if seen(text).all(|(_, is_seen)| is_seen) => {
            // Only a zero byte cannot be quoted, and it is not seen.
            shlex::try_quote(text).map_or_else(|_| escaped(bytes), Into::into)
        }
        _ => escaped(bytes),
    }
}

/// A path as a word, which no command takes for an option.
pub(crate) fn path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    match bytes.starts_with(b"-") {
        true => word(&[b"./", bytes].concat()),
        false => word(bytes),
    }
}

/// `$'…'`, with the bytes of characters that nobody sees as numbers.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::from("$'");
    // Writing to a `String` cannot fail.
    let numbers = |out: &mut String, bytes: &[u8]| {
        bytes.iter().for_each(|byte| _ = write!(out, "\\x{byte:02x}"));
    };
    for chunk in bytes.utf8_chunks() {
        for (c, is_seen) in seen(chunk.valid()) {
            match c {
                '\'' | '\\' => out.extend(['\\', c]),
                c if is_seen => out.push(c),
                c => numbers(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        numbers(&mut out, chunk.invalid());
    }
    out + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay() {
        for text in ["s/dodona-regressions/opposite-51c499.json", "--relations", "a=b,c:d"] {
            assert_eq!(word(text.as_bytes()), text);
        }
        assert_eq!(path(Path::new("-x/a.json")), "./-x/a.json");
    }

    #[cfg(unix)]
    #[test]
    fn bash_reads_every_word_back() {
        use std::os::unix::ffi::OsStrExt as _;

        let words: [&[u8]; 9] = [
            b"my dir (v2) & co",
            b"",
            b"a'b\"c$d`e\\f!g*",
            b"new\nline\ttab\r",
            "zero\u{200b}1 width \u{202e}".as_bytes(),
            "\u{301}mark".as_bytes(),
            b"not\xffutf8 'q'",
            "$'x' \u{200b}'\\".as_bytes(),
            b"~/#a;b|c<d>e",
        ];
        for bytes in words {
            let line = format!("printf %s {}", word(bytes));
            let Ok(output) = std::process::Command::new("bash").args(["-c", &line]).output() else {
                return eprintln!("skipped: bash_reads_every_word_back: there is no bash");
            };
            assert_eq!(output.stdout, bytes, "{line}");
        }
        assert_eq!(word(std::ffi::OsStr::from_bytes(b"a b").as_encoded_bytes()), "'a b'");
    }
}
