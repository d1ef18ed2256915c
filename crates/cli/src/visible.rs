//! What people see on a terminal: colours, as many columns as there are, and escapes in place of characters that nobody sees.

use std::borrow::Cow;
use std::io::IsTerminal;

use dodona_report::WIDTH;
use dodona_target::with_escapes;
use terminal_size::{Width, terminal_size_of};

/// Whether a stream is given colours: a person looks at it and has not asked for none, or asked for them wherever they go. The help, which clap prints,
/// follows the same variables: `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, the first of them that says something.
pub(crate) fn is_coloured(stream: &impl IsTerminal) -> bool {
    let (refused, forced) = (anstyle_query::no_color(), anstyle_query::clicolor_force());
    has_colours(refused, forced, anstyle_query::clicolor(), stream.is_terminal())
}

/// `NO_COLOR`, then `CLICOLOR_FORCE`, then `CLICOLOR`, which switches colours of terminals off and brings none anywhere else.
fn has_colours(refused: bool, forced: bool, wanted: Option<bool>, is_terminal: bool) -> bool {
    !refused && (forced || is_terminal && wanted != Some(false))
}

/// The columns of a line on a stream.
#[cfg(unix)]
pub(crate) fn width(stream: &(impl IsTerminal + std::os::fd::AsFd)) -> usize {
    let terminal = || terminal_size_of(stream).map(|(Width(columns), _)| usize::from(columns));
    columns(stream.is_terminal().then(terminal), std::env::var("COLUMNS").ok().as_deref())
}

/// The columns of a line on a stream.
#[cfg(windows)]
pub(crate) fn width(stream: &(impl IsTerminal + std::os::windows::io::AsHandle)) -> usize {
    let terminal = || terminal_size_of(stream).map(|(Width(columns), _)| usize::from(columns));
    columns(stream.is_terminal().then(terminal), std::env::var("COLUMNS").ok().as_deref())
}

/// The columns of a line. The terminal's own count, where the stream is one, and `COLUMNS` before it; in a pipe or a file both say nothing, so that the same
/// command writes the same bytes.
fn columns(terminal: Option<Option<usize>>, said: Option<&str>) -> usize {
    let Some(of_terminal) = terminal else { return WIDTH };
    let said = said.and_then(|columns| columns.trim().parse().ok());
    said.or(of_terminal).filter(|columns| *columns > 0).unwrap_or(WIDTH)
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
    fn colours_are_for_terminals_and_for_whoever_asks() {
        assert!(has_colours(false, false, None, true) && has_colours(false, false, Some(true), true));
        assert!(!has_colours(false, false, Some(false), true), "CLICOLOR=0");
        assert!(!has_colours(false, false, None, false) && !has_colours(false, false, Some(true), false));
        assert!(has_colours(false, true, Some(false), false), "CLICOLOR_FORCE=1");
        assert!(!has_colours(true, true, Some(true), true), "NO_COLOR=1");
    }

    #[test]
    fn a_line_is_as_wide_as_the_terminal_or_a_hundred_columns() {
        assert_eq!(columns(Some(Some(60)), None), 60);
        assert_eq!(columns(Some(Some(60)), Some("72")), 72, "it is what the person says");
        assert_eq!(columns(Some(Some(60)), Some("wide")), 60);
        assert_eq!(columns(Some(None), None), WIDTH, "the terminal does not know");
        assert_eq!(columns(Some(Some(0)), Some("0")), WIDTH);
        assert_eq!(columns(None, Some("72")), WIDTH, "a pipe gets the same bytes everywhere");
    }

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
