//! What people see on a terminal: colours, and escapes in place of characters that nobody sees.

use std::borrow::Cow;
use std::io::IsTerminal;

use dodona_target::with_escapes;

/// Whether a stream is given colours: a person looks at it and has not asked for none.
pub(crate) fn is_coloured(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Text with escapes in place of characters that nobody sees. Where there are colours, the codes that switch them stay.
pub(crate) fn visible(text: &str, is_coloured: bool) -> Cow<'_, str> {
    // Lines of a file that somebody wrote may end in both characters.
    if text.contains("\r\n") {
        return Cow::Owned(visible(&text.replace("\r\n", "\n"), is_coloured).into_owned());
    }
    if !is_coloured || !text.contains(COLOUR) {
        return with_escapes(text);
    }
    let mut pieces = text.split(COLOUR);
    let mut out = with_escapes(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let code = piece.find(|c: char| !c.is_ascii_digit() && c != ';');
        let end = code.filter(|&end| piece[end..].starts_with('m')).map(|end| end + 1);
        let (code, rest) = piece.split_at(end.unwrap_or(0));
        out += if end.is_some() { COLOUR } else { "\\u{1b}[" };
        out += code;
        out += &with_escapes(rest);
    }
    Cow::Owned(out)
}

/// How a code begins that switches a colour.
const COLOUR: &str = "\x1b[";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stay_and_nothing_else_that_nobody_sees() {
        let text = "\x1b[1;31mbad\x1b[0m \x1b[2Jgone\u{202e} \x1b]0;title\x07\r\nnext\r";
        assert_eq!(
            visible(text, true),
            "\x1b[1;31mbad\x1b[0m \\u{1b}[2Jgone\\u{202e} \\u{1b}]0;title\\u{7}\nnext\\r"
        );
        assert_eq!(visible("\x1b[1mbad\x1b[0m", false), "\\u{1b}[1mbad\\u{1b}[0m");
        assert!(matches!(visible("→ plain\n\ttext", false), Cow::Borrowed(_)));
    }
}
