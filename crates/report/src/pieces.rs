//! A report that fits on one screen: as it is if it is short enough, and else the pieces of it that say most.

use crate::Styles;
use crate::layout::fitted;
use crate::text::{Styled, grouped};

/// The lines of a screen.
pub(crate) const LINES: usize = 25;

/// A few lines of a report.
pub(crate) struct Piece {
    /// Those of the smallest rank are shown first.
    pub(crate) rank: u8,
    /// What it is called where it is left out: `relation that holds`, and of several `relations that hold`.
    pub(crate) noun: [&'static str; 2],
    /// The lines, each with its end.
    pub(crate) text: String,
    /// The piece below which it stands, and without which it is not shown.
    pub(crate) below: Option<usize>,
}

/// The report that consists of these pieces and, behind them, of its last lines: all of it if it fits on one screen, and else as many of the shorter ones as
/// there is room for, with what is left out.
pub(crate) fn on_a_screen(
    pieces: &[Piece],
    shorter: impl FnOnce() -> Vec<Piece>,
    last: &str,
    styles: Styles,
) -> String {
    let lines = |text: &str| fitted(text, styles.width).lines().count();
    let all: usize = pieces.iter().map(|piece| lines(&piece.text)).sum::<usize>() + lines(last);
    if all <= LINES {
        return pieces.iter().map(|piece| piece.text.as_str()).chain([last]).collect();
    }
    let pieces = &shorter()[..];
    // A line says what is left out.
    let shown = chosen(pieces, LINES.saturating_sub(lines(last) + 1), &lines);
    let mut out: String = pieces
        .iter()
        .zip(&shown)
        .filter(|(_, shown)| **shown)
        .map(|(piece, _)| piece.text.as_str())
        .collect();
    let left = pieces.iter().zip(&shown).filter(|(_, shown)| !**shown).map(|(piece, _)| piece);
    let words = match left_out(left) {
        nothing if nothing.is_empty() => "each relation: --all".to_owned(),
        some => format!("and {some} (--all)"),
    };
    out += &format!("  {}\n", Styled(styles.faint, words));
    out + last
}

/// Which pieces are shown: of the smallest ranks first, and of one rank the first. A piece for which there is no room is passed over.
fn chosen(pieces: &[Piece], most: usize, lines: &impl Fn(&str) -> usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&place| pieces[place].rank);
    let mut shown = vec![false; pieces.len()];
    let mut left = most;
    for place in order {
        let piece = &pieces[place];
        let needed = lines(&piece.text);
        if needed <= left && piece.below.is_none_or(|heading| shown[heading]) {
            shown[place] = true;
            left -= needed;
        }
    }
    shown
}

/// `10 relations that hold, 1 warning`, in the order in which they come.
fn left_out<'a>(left: impl Iterator<Item = &'a Piece>) -> String {
    let mut counts: Vec<([&str; 2], u64)> = Vec::new();
    for piece in left {
        match counts.iter_mut().find(|(noun, _)| *noun == piece.noun) {
            Some((_, count)) => *count += 1,
            None => counts.push((piece.noun, 1)),
        }
    }
    let words = counts
        .iter()
        .map(|([one, more], count)| format!("{} {}", grouped(*count), if *count == 1 { one } else { more }));
    words.collect::<Vec<_>>().join(", ")
}

/// What is written below some reports: which file was written.
const BELOW: usize = 1;

/// A report that shows so many of a list as fit on one screen: at most as many as is said, and at least one.
pub(crate) fn as_many_as_fit(most: usize, styles: Styles, report: impl Fn(usize) -> String) -> String {
    let fits = |text: &String| fitted(text, styles.width).lines().count() + BELOW <= LINES;
    (1..=most).rev().map(&report).find(fits).unwrap_or_else(|| report(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_shown_as_fit() {
        let report = |shown: usize| format!("{}sum\n", "relation\n  sentence\n".repeat(shown));
        let lines = |most| as_many_as_fit(most, Styles::plain(), report).lines().count();
        assert_eq!((lines(3), lines(11), lines(20)), (7, 23, 23));
        let long = |shown: usize| "line\n".repeat(30 + shown);
        assert_eq!(as_many_as_fit(9, Styles::plain(), long).lines().count(), 31, "one is shown in any case");
    }

    fn piece(rank: u8, noun: [&'static str; 2], text: &str) -> Piece {
        Piece { rank, noun, text: text.to_owned(), below: (rank > 0).then_some(0) }
    }

    fn report(holds: usize) -> Vec<Piece> {
        let mut pieces = vec![piece(0, ["subject", "subjects"], "gcd\n")];
        let hold = ["relation that holds", "relations that hold"];
        pieces.extend((0..holds).map(|n| piece(3, hold, &format!("  holds {n}\n"))));
        pieces.push(piece(1, ["violated relation", "violated relations"], "  VIOLATED\n"));
        pieces.push(piece(2, ["counterexample", "counterexamples"], &"      a = 1\n".repeat(30)));
        pieces
    }

    #[test]
    fn a_short_report_is_whole() {
        let mut pieces = report(22);
        pieces.pop();
        let text = on_a_screen(&pieces, Vec::new, "all\n", Styles::plain());
        assert_eq!(text.lines().count(), LINES);
        assert!(text.ends_with("  holds 21\n  VIOLATED\nall\n"), "{text}");
    }

    #[test]
    fn of_a_long_report_what_says_most_is_shown_and_the_rest_is_counted() {
        let text = on_a_screen(&report(40), || report(40), "all\n", Styles::plain());
        assert_eq!(text.lines().count(), LINES);
        assert!(text.starts_with("gcd\n  holds 0\n") && text.contains("  holds 20\n  VIOLATED\n"), "{text}");
        assert!(text.ends_with("  and 19 relations that hold, 1 counterexample (--all)\nall\n"), "{text}");
    }

    #[test]
    fn where_shorter_pieces_fit_it_is_said_that_there_is_more() {
        let short = || report(0).into_iter().take(2).collect();
        let text = on_a_screen(&report(40), short, "all\n", Styles::plain());
        assert_eq!(text, "gcd\n  VIOLATED\n  each relation: --all\nall\n");
    }

    #[test]
    fn nothing_is_shown_without_what_it_stands_below() {
        let mut pieces = report(1);
        pieces[0].text = "gcd\n".repeat(30);
        let all = [Piece { text: "gcd\n".repeat(30), ..piece(0, ["subject", "subjects"], "") }];
        let text = on_a_screen(&all, || pieces, "all\n", Styles::plain());
        assert_eq!(
            text,
            "  and 1 subject, 1 relation that holds, 1 violated relation, 1 counterexample (--all)\nall\n"
        );
    }
}
