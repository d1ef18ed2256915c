//! Coverage for people: the source with the count of each line, and of each branch beside it.

use std::fmt;

use dodona_records::{BlockCoverage, BranchCoverage, CoverageRecord, FileCoverage, LineCoverage, StopReason};

use crate::Styles;
use crate::text::{Styled, counted, grouped, heading, share};

/// Lines without code are shown where no more than so many stand together.
const MOST_BETWEEN: u32 = 4;

/// The source of each function with the count of each line and branch.
pub(super) struct Sources<'a> {
    pub(super) records: &'a [CoverageRecord],
    pub(super) styles: Styles,
}

impl fmt::Display for Sources<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.records.iter().try_for_each(|record| function(f, record, self.styles))
    }
}

fn function(f: &mut fmt::Formatter<'_>, record: &CoverageRecord, styles: Styles) -> fmt::Result {
    let CoverageRecord { subject, manifest, seed, .. } = record;
    let place = format!("{manifest}, seed {seed}");
    writeln!(f, "{}", heading(subject, &place, styles))?;
    interruption(f, record, styles)?;
    record.files.iter().try_for_each(|file| lines(f, file, styles))?;
    blocks(f, &record.blocks, styles)?;
    summary(f, record)
}

/// That not all inputs were run, if that is so.
pub(super) fn interruption(
    f: &mut fmt::Formatter<'_>,
    record: &CoverageRecord,
    styles: Styles,
) -> fmt::Result {
    let StopReason::Interrupted { run, planned } = record.stop else { return Ok(()) };
    let words = format!("interrupted after {run} of {planned} inputs; the counts are of those");
    writeln!(f, "  {}", Styled(styles.doubtful, words))
}

/// `gcd: 1,000 inputs cover 15 of 15 statements (100%), 12 of 14 branch edges (85%), 900 paths`.
pub(super) fn summary(f: &mut fmt::Formatter<'_>, record: &CoverageRecord) -> fmt::Result {
    let inputs = match record.stop {
        StopReason::SourcesRun { sources } => sources,
        StopReason::Interrupted { run, .. } => run,
        StopReason::MutantsJudged { .. }
        | StopReason::MutantsListed { .. }
        | StopReason::RunsSpent { .. }
        | StopReason::NothingLeft { .. }
        | StopReason::NotStarted => 0,
    };
    let noun = if record.files.is_empty() { "block" } else { "statement" };
    writeln!(
        f,
        "{}: {} {} {}, {}, {}",
        record.function,
        counted(inputs, "input"),
        if inputs == 1 { "covers" } else { "cover" },
        share(record.statements, noun),
        share(record.branches, "branch edge"),
        counted(record.paths, "path"),
    )
}

fn lines(f: &mut fmt::Formatter<'_>, file: &FileCoverage, styles: Styles) -> fmt::Result {
    writeln!(f, "  {}", Styled(styles.strong, &file.path))?;
    let texts: Vec<&str> = file.source.iter().flat_map(|text| text.lines()).collect();
    let hits = file.lines.iter().map(|line| grouped(line.hits).len()).max().unwrap_or(1);
    let number = file.lines.last().map_or(1, |line| line.line.to_string().len());
    let text = |line: u32| texts.get(line as usize - 1).map(|text| text.trim_end()).unwrap_or_default();
    let mut last = None;
    for line in &file.lines {
        let next = last.map_or(line.line, |last: u32| last + 1);
        if line.line - next > MOST_BETWEEN {
            writeln!(f, "  {:>hits$}  {}", "", Styled(styles.faint, "..."))?;
        } else {
            for between in next..line.line {
                let text = format!("  {:>hits$}  {between:>number$}  {}", "", text(between));
                writeln!(f, "{}", text.trim_end())?;
            }
        }
        let count = count(line.hits, hits, styles);
        let branches = Branches(&line.branches, styles);
        let LineCoverage { line, .. } = line;
        let text = format!("{line:>number$}  {}", text(*line));
        writeln!(f, "  {count}  {}{branches}", text.trim_end())?;
        last = Some(*line);
    }
    Ok(())
}

fn blocks(f: &mut fmt::Formatter<'_>, blocks: &[BlockCoverage], styles: Styles) -> fmt::Result {
    let hits = blocks.iter().map(|block| grouped(block.hits).len()).max().unwrap_or(1);
    for block in blocks {
        let BlockCoverage { function, instruction, .. } = block;
        let branches = Branches(&block.branches, styles);
        writeln!(f, "  {}  {function}+{instruction}{branches}", count(block.hits, hits, styles))?;
    }
    Ok(())
}

/// A count to the right of its column; none at all stands out.
fn count(hits: u64, width: usize, styles: Styles) -> impl fmt::Display {
    let style = if hits == 0 { styles.bad } else { styles.good };
    Styled(style, format!("{:>width$}", grouped(hits)))
}

/// `  [12|0] [-]`: how often each direction of each branch was taken; a dash for one that was never decided.
pub(super) struct Branches<'a>(pub(super) &'a [BranchCoverage], pub(super) Styles);

impl fmt::Display for Branches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Branches(branches, styles) = self;
        for (number, branch) in branches.iter().enumerate() {
            let taken: Vec<String> = branch.taken.iter().map(|count| grouped(*count)).collect();
            let missed = branch.taken.contains(&0);
            let is_reached = branch.taken.iter().any(|count| *count > 0);
            let words = if is_reached { taken.join("|") } else { "-".to_owned() };
            let style = if missed { styles.bad } else { styles.faint };
            let space = if number == 0 { "  " } else { " " };
            write!(f, "{space}{}", Styled(style, format!("[{words}]")))?;
        }
        Ok(())
    }
}
