//! How wide the lines of reports for people are.
//!
//! # Decisions
//! There is one rule. A line takes at most the columns of [`Styles::width`](crate::Styles::width): on a terminal those of the terminal, and [`WIDTH`] everywhere
//! else, so that a pipe and a file get the same bytes wherever a command runs. Tables make themselves fit ([`crate::table`]); any other line that is too long is
//! broken between words, and goes on below its last column. The price is that a word search in a report may miss words that stand in two lines; JSON has
//! everything in one piece. Three kinds of lines stay whole: the score of a mutation analysis, which programs read; a command, which people copy; and a word
//! that is longer than a line, such as a path.

use std::borrow::Cow;

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, wrap};

/// The columns of a line where no terminal says another number.
pub const WIDTH: usize = 100;

/// The columns of the narrowest line: on a terminal of fewer, lines are broken by the terminal.
const NARROWEST: usize = 40;

/// How far a line that goes on stands below its beginning, where it has no columns.
const HANGING: usize = 4;

/// How the lines begin that programs read.
const READ_BY_PROGRAMS: [&str; 2] = ["mutation score ", "no mutation score: "];

/// A report whose lines fit into so many columns.
pub fn fitted(text: &str, width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        out += &broken(line, width);
        out += end;
    }
    out
}

/// A line, broken where it is too long.
fn broken(line: &str, width: usize) -> Cow<'_, str> {
    let plain = without_colours(line);
    if line.len() <= width || display_width(line) <= width {
        return Cow::Borrowed(line);
    }
    if READ_BY_PROGRAMS.iter().any(|words| plain.starts_with(words)) {
        return Cow::Borrowed(line);
    }
    if let Some(end) = command_end(&plain) {
        return match plain.len() == line.len() {
            true => Cow::Owned(below_command(line, end, width)),
            false => Cow::Borrowed(line),
        };
    }
    Cow::Owned(hanging(line, hang(&plain, width), width))
}

/// A line, broken between words, that goes on at a column.
pub(crate) fn hanging(line: &str, column: usize, width: usize) -> String {
    let indent = " ".repeat(column);
    let options = Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    wrap(line, options).join("\n")
}

/// Parts of a line, none of which is broken: where one more does not fit, a line begins that stands two columns to the right of the first, which stands at a
/// column itself. The blanks before the first part are not written.
pub(crate) fn packed(parts: &[String], column: usize, width: usize) -> String {
    let next = column + 2;
    let mut text = String::new();
    let mut length = column;
    for (index, part) in parts.iter().enumerate() {
        let added = display_width(part);
        if index > 0 && length + 1 + added > width {
            text += &format!("\n{}", " ".repeat(next));
            length = next;
        } else if index > 0 {
            text.push(' ');
            length += 1;
        }
        text += part;
        length += added;
    }
    text
}

/// The column at which a line goes on: that of its last column, if at least half of the line is right of it.
fn hang(plain: &str, width: usize) -> usize {
    let text = plain.trim_start();
    let indent = plain.len() - text.len();
    let columns = text.match_indices("  ").map(|(at, _)| {
        let rest = text[at..].trim_start();
        display_width(&plain[..plain.len() - rest.len()])
    });
    columns.filter(|column| *column <= width / 2).last().unwrap_or((indent + HANGING).min(width / 2))
}

/// Where the command ends that stands at the beginning of a line, if one does: at its end, or before what is said of it.
fn command_end(plain: &str) -> Option<usize> {
    let text = plain.trim_start();
    let is_command =
        ["dodona ", "cargo dodona ", "$ ", "replay: dodona "].iter().any(|start| text.starts_with(start));
    let indent = plain.len() - text.len();
    is_command.then(|| text.find("  ").map_or(plain.len(), |at| indent + at))
}

/// A command in a line of its own, and below it what is said of it.
fn below_command(line: &str, end: usize, width: usize) -> String {
    let (command, said) = line.split_at(end);
    let indent = command.len() - command.trim_start().len() + HANGING;
    match said.trim_start() {
        "" => command.to_owned(),
        said => format!("{command}\n{}", hanging(&format!("{}{said}", " ".repeat(indent)), indent, width)),
    }
}

/// The text without the codes that switch colours.
fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.contains('\x1b') {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split("\x1b[");
    let first = pieces.next().unwrap_or_default().to_owned();
    Cow::Owned(pieces.fold(first, |out, piece| out + piece.split_once('m').map_or(piece, |(_, rest)| rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Styles;
    use crate::text::Styled;

    #[test]
    fn a_line_that_fits_stays_as_it_is() {
        let line = format!("  {}\n", "x ".repeat(20).trim_end());
        assert_eq!(fitted(&line, 41), line);
        assert_ne!(fitted(&line, 40), line);
    }

    #[test]
    fn a_long_line_goes_on_below_its_last_column() {
        let line = "  unknown  commutative  its time was up; no violation on one way through it\n";
        assert_eq!(
            fitted(line, 60),
            "  unknown  commutative  its time was up; no violation on one\n                        way through it\n"
        );
        let line = "  thirteen words that say what was found of this relation and of others\n";
        assert_eq!(
            fitted(line, 40),
            "  thirteen words that say what was found\n      of this relation and of others\n"
        );
    }

    #[test]
    fn what_programs_read_and_people_copy_stays_whole() {
        let score = format!("mutation score 0.89 = 478 killed / ({})\n", "643 - 9 ".repeat(20));
        assert_eq!(fitted(&score, 60), score);
        let command = format!("      replay: dodona replay {}\n", "a folder/".repeat(10));
        assert_eq!(fitted(&command, 60), command);
        let next = "  dodona discover gcd gcd --time 120    looks for relations that catch some\n";
        assert_eq!(
            fitted(next, 60),
            "  dodona discover gcd gcd --time 120\n      looks for relations that catch some\n"
        );
        let path = format!("  wrote {}\n", "x".repeat(90));
        assert_eq!(fitted(&path, 60), format!("  wrote\n      {}\n", "x".repeat(90)));
    }

    #[test]
    fn colours_take_no_columns() {
        let styles = Styles::coloured();
        let line = format!("  {}  {}\n", Styled(styles.bad, "VIOLATED"), "word ".repeat(10).trim_end());
        assert_eq!(fitted(&line, 61), line);
        let broken = fitted(&line, 60);
        assert_eq!(without_colours(&broken).lines().nth(1), Some("            word"));
    }
}
