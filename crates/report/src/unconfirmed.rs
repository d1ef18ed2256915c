//! Relations whose tests did not come to their end: apart from those that were found, and in files in comments alone.

use std::fmt::{self, Write as _};

use dodona_records::UnconfirmedRelation;

use crate::Styles;
use crate::text::{Styled, comment, counted, grouped, one_line};

/// Relations that are shown on a terminal; the record has more.
const MOST_SHOWN: usize = 10;

/// Writes the relations under a line that says what they are; nothing if there are none.
pub(crate) fn write_unconfirmed(
    f: &mut fmt::Formatter<'_>,
    relations: &[UnconfirmedRelation],
    styles: Styles,
) -> fmt::Result {
    if relations.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {} no input refuted these, and their tests did not end:", heading(styles))?;
    for relation in relations.iter().take(MOST_SHOWN) {
        writeln!(f, "    {}", one_line(&relation.text))?;
        writeln!(f, "      {}", Styled(styles.faint, evidence(relation)))?;
    }
    match relations.len().saturating_sub(MOST_SHOWN) {
        0 => writeln!(f),
        more => writeln!(f, "    and {more} more in the record (--format json)\n"),
    }
}

fn heading(styles: Styles) -> impl fmt::Display {
    Styled(styles.doubtful, "not confirmed:")
}

/// Adds the relations to a file, in comments.
pub(crate) fn comment_unconfirmed(out: &mut String, relations: &[UnconfirmedRelation]) {
    for relation in relations {
        out.push('\n');
        comment(out, &format!("Not confirmed, and no relation of this file: {}", evidence(relation)));
        // Not broken into lines, so that it can be copied. Writing to a `String` cannot fail.
        let _ = writeln!(out, "#   {}", one_line(&relation.text));
    }
}

/// `gcd is symmetric; held on 2,000 groups, 12 ineligible`
fn evidence(relation: &UnconfirmedRelation) -> String {
    let held = counted(relation.held, "group");
    match relation.ineligible {
        0 => format!("{}; held on {held}", relation.words),
        n => format!("{}; held on {held}, {} ineligible", relation.words, grouped(n)),
    }
}

/// `2 relations are not confirmed`; nothing if there are none.
pub(crate) fn unconfirmed_count(relations: &[UnconfirmedRelation], noun: &str) -> Option<String> {
    let count = relations.len() as u64;
    let verb = if count == 1 { "is" } else { "are" };
    (count > 0)
        .then(|| format!("{} {verb} not confirmed (--time gives more time for tests)", counted(count, noun)))
}
