//! The first screen of a mutation analysis: the source lines whose faults matter most, and in a line each what else there is.

use std::collections::BTreeMap;
use std::fmt;

use dodona_records::{Against, Fate, Judgement, MutantRecord, MutationRecord, RelationScore, VersionRecord};

use super::change::change;
use super::mutation_terminal::Subject;
use super::survivor::why_alive;
use super::{stopped, version};
use crate::Styles;
use crate::layout::{fitted, packed};
use crate::text::{Styled, arguments, clipped, counted, grouped, name, short, widest};

/// Source lines that are shown: with two lines of text each they leave five of 25 for the counts and the score.
const LINES: usize = 10;

/// Faulty versions, and warnings, that are shown.
const VERSIONS: usize = 8;
const WARNINGS: usize = 3;

/// The first screen of the analysis of one or more subjects.
pub fn brief_mutation(records: &[MutationRecord], styles: Styles) -> String {
    fitted(&Brief { records, styles }.to_string(), styles.width)
}

struct Brief<'a> {
    records: &'a [MutationRecord],
    styles: Styles,
}

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, record) in self.records.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            Subject { record, styles: self.styles, totals: record.totals() }.brief(f)?;
        }
        Ok(())
    }
}

impl Subject<'_> {
    /// Everything that a reader needs who reads nothing else.
    fn brief(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        let counts = packed(&self.parts_of_counts(), 2, self.styles.width);
        writeln!(f, "  {counts}")?;
        self.brief_versions(f)?;
        let alive: Vec<&MutantRecord> = self.with(|judgement| *judgement == Judgement::Alive);
        let (revealed, hidden): (Vec<_>, Vec<_>) =
            alive.into_iter().partition(|mutant| mutant.revealed_by.is_some());
        // Where no outcome was compared, nobody knows which of the alive are faults.
        let is_compared = self.record.against != Against::Relations;
        let shown = if is_compared { &revealed } else { &hidden };
        self.lines_that_matter(f, shown, LINES - counts.matches('\n').count(), is_compared)?;
        let untested = self.with(|judgement| *judgement == Judgement::Untested).len();
        if untested > 0 {
            let mutants = counted(untested as u64, "mutant");
            writeln!(f, "  {mutants} on which no relation was tested, for no group is eligible there")?;
        }
        self.alone(f)?;
        self.brief_remarks(f)?;
        self.rest(f, if is_compared { &hidden } else { &[] })?;
        if let Some(words) = version::detected(self.record) {
            writeln!(f, "{words}")?;
        }
        self.score(f)
    }

    fn with(&self, wanted: impl Fn(&Judgement) -> bool) -> Vec<&MutantRecord> {
        self.record.mutants.iter().filter(|mutant| wanted(&mutant.judgement)).collect()
    }

    /// The versions that are not detected, for what is detected is a count.
    fn brief_versions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missed: Vec<&VersionRecord> = self
            .record
            .versions
            .iter()
            .filter(|version| version.is_counted() && !version.is_detected())
            .collect();
        let names = widest(missed.iter().take(VERSIONS).map(|version| name(&version.name)));
        for one in missed.iter().take(VERSIONS) {
            let because = version::because(self.record, one);
            let line = format!("  {:names$}  {:8} {because}", name(&one.name), version::status(one));
            writeln!(f, "{}", line.trim_end())?;
        }
        match missed.len().saturating_sub(VERSIONS) {
            0 => Ok(()),
            more => writeln!(f, "  and {} (--all)", counted(more as u64, "more version")),
        }
    }

    /// Source lines, those with the most mutants first; of each the mutant that the fewest inputs reveal, for a test of that one most often catches the others.
    fn lines_that_matter(
        &self,
        f: &mut fmt::Formatter<'_>,
        mutants: &[&MutantRecord],
        most: usize,
        is_compared: bool,
    ) -> fmt::Result {
        let mut by_line: BTreeMap<(String, u32), Vec<&MutantRecord>> = BTreeMap::new();
        for mutant in mutants {
            by_line.entry(line_of(mutant)).or_default().push(mutant);
        }
        if by_line.is_empty() {
            return Ok(());
        }
        let mut lines: Vec<(String, Vec<&MutantRecord>)> = by_line
            .into_iter()
            .map(|((file, number), mutants)| {
                (if number > 0 { format!("{file}:{number}") } else { file }, mutants)
            })
            .collect();
        lines.sort_by_key(|(_, mutants)| {
            (std::cmp::Reverse(is_readable(strongest(mutants))), std::cmp::Reverse(mutants.len()))
        });
        let what = match is_compared {
            true => {
                let faults = counted(mutants.len() as u64, "fault");
                let verb = if mutants.len() == 1 { "is" } else { "are" };
                format!("{faults} {verb} revealed by inputs and caught by no relation")
            }
            false => format!("{} alive", counted(mutants.len() as u64, "mutant")),
        };
        let places = counted(lines.len() as u64, "line");
        let these = if lines.len() > most { format!(", {most} of which are") } else { String::new() };
        writeln!(f, "  {what}, in {places}{these}:")?;
        let widest = widest(lines.iter().take(most).map(|(line, _)| line.as_str())).min(40);
        for (line, mutants) in lines.iter().take(most) {
            let one = strongest(mutants);
            let count = if mutants.len() > 1 {
                format!("  and {} more", grouped(mutants.len() as u64 - 1))
            } else {
                String::new()
            };
            let code = clipped(&change(one), self.styles.width.saturating_sub(widest + 14 + count.len()));
            let number = Styled(self.styles.bad, format!("{:<5}", one.id));
            writeln!(f, "  {line:<widest$}  {number}  {code}{}", Styled(self.styles.faint, count))?;
            writeln!(f, "      {}", clipped(&self.why(one), self.styles.width.saturating_sub(6)))?;
        }
        Ok(())
    }

    /// `a = 1 gives 0, not 3`, or how far it came.
    fn why(&self, mutant: &MutantRecord) -> String {
        match &mutant.revealed_by {
            Some(revealed) => {
                let (found, expected) = (short(&revealed.found), short(&revealed.expected));
                // What is cut off is the end of a long input.
                format!("gives {found}, not {expected}, for {}", arguments(&revealed.first))
            }
            None => why_alive(self.record, mutant),
        }
    }

    /// The mutants that stand nowhere here, and how to see them.
    fn rest(&self, f: &mut fmt::Formatter<'_>, hidden: &[&MutantRecord]) -> fmt::Result {
        if self.totals.mutants == 0 {
            return self.skipped(f);
        }
        let faint = self.styles.faint;
        if hidden.is_empty() {
            return writeln!(
                f,
                "  {}",
                Styled(faint, "every mutant, and tables by operator and relation: --all")
            );
        }
        let unreached = hidden.iter().filter(|mutant| mutant.fate == Fate::Unreached).count();
        let never = match unreached {
            0 => String::new(),
            all if all == hidden.len() => ", for none reaches them".to_owned(),
            some => format!(", {} of them reached by none", grouped(some as u64)),
        };
        let mutants = counted(hidden.len() as u64, "mutant");
        let all = Styled(faint, "(all: --all)");
        writeln!(f, "  {mutants} alive that no input tells from the original{never} {all}")
    }

    /// Which relations catch what no other one does, and how many catch nothing so.
    fn alone(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut alone: Vec<&RelationScore> =
            self.record.relations.iter().filter(|one| one.only > 0).collect();
        if alone.is_empty() || self.record.relations.len() < 2 || self.totals.mutants == 0 {
            return Ok(());
        }
        alone.sort_by_key(|one| std::cmp::Reverse(one.only));
        let named: Vec<String> =
            alone.iter().take(4).map(|one| format!("{} {}", one.name, grouped(one.only))).collect();
        let others = self.record.relations.len() - alone.len();
        let others = match others {
            0 => String::new(),
            1 => "; the other one none".to_owned(),
            others => format!("; the {others} others none"),
        };
        let more = if alone.len() > 4 { ", …" } else { "" };
        let last = named.len().saturating_sub(1);
        let ended =
            |(index, one): (usize, &String)| format!("{one}{}", if index < last { "," } else { more });
        let named = named.iter().enumerate().map(ended);
        let parts: Vec<String> =
            std::iter::once("caught by one relation alone:".to_owned()).chain(named).collect();
        writeln!(f, "  {}{others}", packed(&parts, 2, self.styles.width))
    }

    /// Warnings, an interruption, and where everything else is.
    fn brief_remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubtful = self.styles.doubtful;
        let stale =
            self.record.stale.iter().map(|one| format!("accepted mutant {}: {}", one.entry, one.reason));
        let warnings: Vec<String> = self.record.warnings.iter().cloned().chain(stale).collect();
        for warning in warnings.iter().take(WARNINGS) {
            writeln!(f, "  {} {warning}", Styled(doubtful, "warning:"))?;
        }
        if warnings.len() > WARNINGS {
            writeln!(f, "  {} {} more (--all)", Styled(doubtful, "warning:"), warnings.len() - WARNINGS)?;
        }
        if let Some(words) = stopped(self.record) {
            writeln!(f, "  {}", Styled(doubtful, words))?;
        }
        Ok(())
    }
}

/// The file and line that a mutant changes first; the function and instruction, and 0, where there are no lines.
fn line_of(mutant: &MutantRecord) -> (String, u32) {
    match mutant.places.first() {
        Some(place) => match (&place.file, place.line) {
            (Some(file), Some(line)) => (file.clone(), line),
            _ => (place.to_string(), 0),
        },
        None => ("?".to_owned(), 0),
    }
}

/// Whether the code that a mutant changes stands in its source line, and is not only what a compiler made of it.
fn is_readable(mutant: &MutantRecord) -> bool {
    mutant.source_line.as_ref().is_some_and(|line| line.contains(mutant.before.as_str()))
}

/// The mutant of a line that is hardest to catch, and of several the one whose change reads best.
fn strongest<'m>(mutants: &[&'m MutantRecord]) -> &'m MutantRecord {
    let inputs =
        |mutant: &MutantRecord| mutant.revealed_by.as_ref().map_or(u64::MAX, |revealed| revealed.inputs);
    let length = |mutant: &MutantRecord| mutant.before.chars().count() + mutant.after.chars().count();
    let hardest = mutants.iter().min_by_key(|mutant| (!is_readable(mutant), inputs(mutant), length(mutant)));
    hardest.unwrap_or_else(|| unreachable!("a line has a mutant"))
}
