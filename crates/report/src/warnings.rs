//! Warnings below a report.

use std::fmt;

use crate::Styles;
use crate::text::Styled;

/// Warnings on the first screen, where the rest is one flag away.
pub(crate) const MOST_WARNINGS: usize = 2;

/// Writes at most so many warnings, a line each, and how many more there are.
pub(crate) fn write_warnings(
    f: &mut fmt::Formatter<'_>,
    warnings: &[String],
    most: usize,
    styles: Styles,
) -> fmt::Result {
    for warning in warnings.iter().take(most) {
        writeln!(f, "  {} {warning}", Styled(styles.doubtful, "warning:"))?;
    }
    match warnings.len().saturating_sub(most) {
        0 => Ok(()),
        1 => writeln!(f, "  and 1 more warning (--explain)"),
        more => writeln!(f, "  and {more} more warnings (--explain)"),
    }
}
