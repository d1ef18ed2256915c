//! How inputs were generated, for people and for programs.

use std::fmt;

use dodona_records::{GenerationRecord, SearchRecord, Unreached};

use crate::Styles;
use crate::pieces::as_many_as_fit;
use crate::text::{Styled, counted, share};

/// Uncovered branches that are listed one by one.
const MOST_LISTED: usize = 20;

struct Report<'a> {
    record: &'a GenerationRecord,
    styles: Styles,
    most: usize,
}

impl crate::Report for GenerationRecord {
    /// How a generation went.
    fn terminal(&self, styles: Styles) -> String {
        as_many_as_fit(MOST_LISTED, styles, |most| Report { record: self, styles, most }.to_string())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles, most } = self;
        writeln!(
            f,
            "{}: {} by {}, on {}, run {} and take {}",
            Styled(styles.strong, &record.function),
            counted(record.inputs, "input"),
            record.technique,
            counted(record.paths, "path"),
            share(record.statements, "statement"),
            share(record.branches, "branch direction"),
        )?;
        if let Some(search) = &record.search {
            self::search(f, search, *styles)?;
        }
        uncovered(f, record, *styles, *most)?;
        for warning in &record.warnings {
            writeln!(f, "  {}", Styled(styles.doubtful, format!("warning: {warning}")))?;
        }
        for mismatch in record.mismatches.iter().take(MOST_LISTED) {
            let words = format!(
                "mistake in Dodona, please report it: input {}: {}",
                mismatch.input + 1,
                mismatch.what
            );
            writeln!(f, "  {}", Styled(styles.bad, words))?;
        }
        Ok(())
    }
}

fn search(f: &mut fmt::Formatter<'_>, search: &SearchRecord, styles: Styles) -> fmt::Result {
    let words = format!(
        "{}, {} proved infeasible, {} to {}, {} stepped; ended: {}",
        counted(search.paths, "path"),
        counted(search.infeasible, "side"),
        counted(search.queries, "question"),
        search.solver,
        counted(search.steps, "instruction"),
        search.stop,
    );
    writeln!(f, "  {}", Styled(styles.faint, words))?;
    for (why, count) in &search.cuts {
        writeln!(f, "  {} left: {why}", counted(*count, "path"))?;
    }
    for (why, count) in &search.unended {
        writeln!(f, "  {} with an input and without an end: {why}", counted(*count, "path"))?;
    }
    if search.left > 0 {
        writeln!(f, "  {} unfinished when it ended", counted(search.left, "path"))?;
    }
    if !search.all_shapes {
        writeln!(f, "  sequences and texts up to {} long (--max-len)", search.longest)?;
    }
    Ok(())
}

fn uncovered(
    f: &mut fmt::Formatter<'_>,
    record: &GenerationRecord,
    styles: Styles,
    most: usize,
) -> fmt::Result {
    if record.uncovered.is_empty() {
        return Ok(());
    }
    let proved = record.uncovered.iter().filter(|branch| branch.why == Unreached::Infeasible).count() as u64;
    let open = record.uncovered.len() as u64 - proved;
    if proved > 0 {
        writeln!(f, "  {} proved infeasible", counted(proved, "branch direction"))?;
    }
    if open > 0 {
        let words = format!("{} not taken, and not proved infeasible", counted(open, "branch direction"));
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    for branch in record.uncovered.iter().take(most) {
        let why = match branch.why {
            Unreached::Infeasible => "infeasible",
            Unreached::Lengths => "by no input up to --max-len",
            Unreached::Count => "not reached before --count",
            Unreached::Bound => "beyond a bound",
            Unreached::NotSearched => "not searched for",
        };
        writeln!(f, "    {} direction {}: {why}", branch.place, branch.direction)?;
    }
    if let Some(more) = record.uncovered.len().checked_sub(most).filter(|more| *more > 0) {
        writeln!(f, "    and {more} more (--summary json)")?;
    }
    Ok(())
}
