//! The first screen of coverage: the totals, and the places that no input reaches.

use std::collections::BTreeMap;
use std::fmt;

use dodona_records::{BranchCoverage, CoverageRecord, FileCoverage};

use super::coverage_terminal::{Branches, interruption, summary};
use crate::Styles;
use crate::text::{Styled, clipped, counted, grouped, heading, widest};

/// The most places that are shown.
pub(super) const PLACES: usize = 10;

/// Functions that are shown, where there are many: those first of which least is covered.
const FUNCTIONS: usize = 5;

/// The first screen of the coverage of one or more functions.
pub(super) struct Brief<'a> {
    pub(super) records: &'a [CoverageRecord],
    pub(super) styles: Styles,
    /// The most places that are shown.
    pub(super) most: usize,
}

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.records.first() else { return Ok(()) };
        let place = format!("{}, seed {}", first.manifest, first.seed);
        writeln!(f, "{}", heading(&first.subject, &place, self.styles))?;
        self.functions(f)?;
        self.missed(f)?;
        let rest = "the whole source with the count of each line and branch: --all";
        writeln!(f, "  {}", Styled(self.styles.faint, rest))
    }
}

impl Brief<'_> {
    fn functions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut records: Vec<&CoverageRecord> = self.records.iter().collect();
        if records.len() > FUNCTIONS {
            let open = |record: &CoverageRecord| {
                let missing = record.statements.total - record.statements.covered;
                (missing, record.branches.total - record.branches.covered)
            };
            records.sort_by_key(|record| std::cmp::Reverse(open(record)));
        }
        for record in records.iter().take(FUNCTIONS) {
            interruption(f, record, self.styles)?;
            summary(f, record)?;
        }
        match records.len().saturating_sub(FUNCTIONS) {
            0 => Ok(()),
            more => writeln!(
                f,
                "and {}, of which as much or more is covered",
                counted(more as u64, "more function")
            ),
        }
    }

    /// Lines and blocks that nothing runs, and branches of which a direction is never taken.
    fn missed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missed: Vec<Missed> = places(self.records).into_iter().filter(Missed::is_missed).collect();
        if missed.is_empty() {
            return writeln!(
                f,
                "  {}",
                Styled(self.styles.good, "every statement is run, and every branch edge is taken")
            );
        }
        let never = missed.iter().filter(|place| place.hits == 0).count() as u64;
        let edges: usize = missed.iter().map(Missed::edges).sum();
        let noun =
            if self.records.iter().all(|record| record.files.is_empty()) { "block" } else { "statement" };
        let parts: Vec<String> = [(never, noun, "never run"), (edges as u64, "branch edge", "never taken")]
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, noun, how)| {
                format!("{} {} {how}", counted(count, noun), if count == 1 { "is" } else { "are" })
            })
            .collect();
        let spots = joined(&missed);
        let these = match spots.len() > self.most {
            true => format!("; the first {} of {} places", self.most, grouped(spots.len() as u64)),
            false => String::new(),
        };
        writeln!(f, "  {}{these}:", parts.join(" and "))?;
        let spots = &spots[..spots.len().min(self.most)];
        let width = widest(spots.iter().map(|(place, _)| place)).min(40);
        spots.iter().try_for_each(|(place, of)| self.spot(f, place, of, width))
    }

    fn spot(&self, f: &mut fmt::Formatter<'_>, place: &str, of: &Missed, width: usize) -> fmt::Result {
        let how = match of.hits {
            0 => "never run".to_owned(),
            _ => format!("{}", Branches(&of.open(), Styles::plain())).trim_start().to_owned(),
        };
        let left = self.styles.width.saturating_sub(width.max(place.chars().count()) + how.len().max(9) + 6);
        let code = clipped(&of.text, left);
        let line = format!("  {place:<width$}  {}  {code}", Styled(self.styles.bad, format!("{how:<9}")));
        writeln!(f, "{}", line.trim_end())
    }
}

/// A line of source, or a block of code without lines, with what the inputs of all functions run of it.
struct Missed {
    place: String,
    /// The number of the line, and how many lines with code of its file stand before it: those that nothing runs are joined where no other stands between.
    line: Option<(u32, usize)>,
    hits: u64,
    branches: Vec<BranchCoverage>,
    text: String,
}

impl Missed {
    fn is_missed(&self) -> bool {
        self.hits == 0 || self.edges() > 0
    }

    /// The directions that are never taken.
    fn edges(&self) -> usize {
        self.branches.iter().flat_map(|branch| &branch.taken).filter(|taken| **taken == 0).count()
    }

    /// The branches of which a direction is never taken.
    fn open(&self) -> Vec<BranchCoverage> {
        self.branches.iter().filter(|branch| branch.taken.contains(&0)).cloned().collect()
    }

    fn add(&mut self, hits: u64, branches: &[BranchCoverage]) {
        self.hits += hits;
        for branch in branches {
            let is_same = |one: &&mut BranchCoverage| {
                (&one.function, one.instruction) == (&branch.function, branch.instruction)
            };
            match self.branches.iter_mut().find(is_same) {
                Some(one) => one.taken.iter_mut().zip(&branch.taken).for_each(|(sum, taken)| *sum += taken),
                None => self.branches.push(branch.clone()),
            }
        }
    }
}

/// Every line and block, once: several functions may call the same code.
fn places(records: &[CoverageRecord]) -> Vec<Missed> {
    let mut all: BTreeMap<(String, u32), Missed> = BTreeMap::new();
    for record in records {
        record.files.iter().for_each(|file| lines(&mut all, file));
        for block in &record.blocks {
            let place = format!("{}+{}", block.function, block.instruction);
            let new = || Missed { place, line: None, hits: 0, branches: Vec::new(), text: String::new() };
            let key = (block.function.clone(), block.instruction);
            all.entry(key).or_insert_with(new).add(block.hits, &block.branches);
        }
    }
    all.into_values().collect()
}

fn lines(all: &mut BTreeMap<(String, u32), Missed>, file: &FileCoverage) {
    let texts: Vec<&str> = file.source.iter().flat_map(|text| text.lines()).collect();
    for (before, line) in file.lines.iter().enumerate() {
        let text = texts.get((line.line as usize).saturating_sub(1)).map_or("", |text| text.trim());
        let new = || Missed {
            place: file.path.clone(),
            line: Some((line.line, before)),
            hits: 0,
            branches: Vec::new(),
            text: text.to_owned(),
        };
        all.entry((file.path.clone(), line.line)).or_insert_with(new).add(line.hits, &line.branches);
    }
}

/// The places with their names. Lines that nothing runs are one place if no line that is run stands between them.
fn joined(missed: &[Missed]) -> Vec<(String, &Missed)> {
    let mut spots: Vec<(String, &Missed)> = Vec::new();
    let mut last: Option<&Missed> = None;
    for one in missed {
        let follows = |before: &&Missed| match (before.line, one.line) {
            (Some((_, a)), Some((_, b))) => {
                before.place == one.place && before.hits + one.hits == 0 && a + 1 == b
            }
            _ => false,
        };
        match (last.filter(follows), one.line) {
            (Some(_), Some((line, _))) => {
                let (place, first) = spots.last_mut().unwrap_or_else(|| unreachable!("one stands before"));
                let from = first.line.map_or(0, |(line, _)| line);
                *place = format!("{}:{from}-{line}", one.place);
            }
            (_, Some((line, _))) => spots.push((format!("{}:{line}", one.place), one)),
            (_, None) => spots.push((one.place.clone(), one)),
        }
        last = Some(one);
    }
    spots
}
