//! The report of a mutation analysis for people.

use std::collections::BTreeMap;
use std::fmt;

use dodona_records::{Mode, MutationRecord, NoScore, OperatorRow, RelationScore, VersionRecord};

use super::csv::csv_mutation;
use super::mutation_json::json_mutation;
use super::sarif::sarif;
use super::{stopped, version};
use crate::table::Table;
use crate::text::{Styled, counted, grouped, heading, name, ranges, widest};
use crate::{Format, Styles};

/// How many of the mutated functions are named.
const FUNCTIONS: usize = 8;

struct Report<'a> {
    records: &'a [MutationRecord],
    styles: Styles,
}

impl crate::Report for [MutationRecord] {
    const OTHERS: &'static [Format] = &[Format::Csv, Format::Sarif];

    /// The report of one or more subjects: the mutants alive with what became of their fault, tables by operator and by
    /// relation, the other mutants by number, and the mutation score of each subject in its last line.
    fn terminal(&self, styles: Styles) -> String {
        Report { records: self, styles }.to_string()
    }

    fn json(&self) -> String {
        json_mutation(self)
    }

    fn other(&self, format: Format) -> Option<String> {
        match format {
            Format::Csv => Some(csv_mutation(self)),
            Format::Sarif => Some(sarif(self)),
            _ => None,
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, record) in self.records.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            Subject { record, styles: self.styles, totals: record.totals() }.fmt(f)?;
        }
        Ok(())
    }
}

/// The list of all mutants of one or more subjects, none of which need have been run: a line each.
pub fn terminal_mutants(records: &[MutationRecord], styles: Styles) -> impl fmt::Display {
    List { records, styles }
}

struct List<'a> {
    records: &'a [MutationRecord],
    styles: Styles,
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in self.records {
            let subject = Subject { record, styles: self.styles, totals: record.totals() };
            subject.heading(f)?;
            subject.every(f)?;
            subject.skipped(f)?;
            subject.stale(f)?;
            match subject.totals.mutants {
                0 => writeln!(f, "  {}", subject.nothing())?,
                _ => {
                    writeln!(f, "  {}", subject.origins())?;
                    subject.mutated(f)?;
                }
            }
        }
        Ok(())
    }
}

/// One record on its way to the page.
pub(super) struct Subject<'a> {
    pub(super) record: &'a MutationRecord,
    pub(super) styles: Styles,
    pub(super) totals: OperatorRow,
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        writeln!(f, "  {}", self.counts())?;
        self.mutated(f)?;
        self.versions(f)?;
        self.alive(f)?;
        writeln!(f)?;
        if self.record.versions.is_empty() || self.totals.mutants > 0 {
            self.by_operator(f)?;
            writeln!(f)?;
        }
        self.by_relation(f)?;
        self.others(f)?;
        self.skipped(f)?;
        self.remarks(f)?;
        if let Some(words) = version::detected(self.record) {
            writeln!(f, "{words}")?;
        }
        self.score(f)
    }
}

impl Subject<'_> {
    pub(super) fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MutationRecord { subject, manifest, seed, .. } = self.record;
        let origin = format!("{manifest}, seed {seed}");
        writeln!(f, "{}", heading(subject, &origin, self.styles))
    }

    /// `112 mutants of triangle by 3 operators`.
    fn origins(&self) -> String {
        let MutationRecord { functions, operators, .. } = self.record;
        let mutants = counted(self.totals.mutants, "mutant");
        format!("{mutants} of {} by {}", functions.join(", "), counted(operators.len() as u64, "operator"))
    }

    /// The functions that the mutants are in, where these are not just those under test.
    fn mutated(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MutationRecord { functions, mutated, .. } = self.record;
        if mutated.iter().all(|one| functions.contains(&one.function)) {
            return Ok(());
        }
        // A function may have code of several files, as that of macros.
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        mutated.iter().for_each(|one| *counts.entry(&one.function).or_default() += one.mutants);
        let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, mutants)| std::cmp::Reverse(*mutants));
        let shown = counts.iter().take(FUNCTIONS);
        let mut words: Vec<String> =
            shown.map(|(function, mutants)| format!("{function} {}", grouped(*mutants))).collect();
        if let Some(rest) = counts.get(FUNCTIONS..).filter(|rest| !rest.is_empty()) {
            let mutants = rest.iter().map(|(_, mutants)| mutants).sum();
            let functions = counted(rest.len() as u64, "other function");
            words.push(format!("{functions} {}", grouped(mutants)));
        }
        writeln!(f, "  in {}", words.join(", "))
    }

    fn nothing(&self) -> String {
        let MutationRecord { functions, operators, .. } = self.record;
        if operators.is_empty() {
            return format!("no mutants of {}: no operator was asked for", functions.join(", "));
        }
        format!("no mutants: nothing in {} that {} could change", functions.join(", "), operators.join(", "))
    }

    /// `112 mutants of triangle by 3 operators: 87 killed, 13 alive, …; 1,000 inputs, 4 relations`.
    fn counts(&self) -> String {
        self.parts_of_counts().join(" ")
    }

    /// The same, in parts between which a line may be broken.
    pub(super) fn parts_of_counts(&self) -> Vec<String> {
        let MutationRecord { inputs, relations, .. } = self.record;
        if self.totals.mutants == 0 {
            return vec![self.nothing()];
        }
        let made_of = [
            (self.totals.killed, "killed"),
            (self.totals.crashed, "crashed"),
            (self.totals.timed_out, "timed out"),
            (self.totals.alive, "alive"),
            (self.totals.untested, "untested"),
            (self.totals.equivalent, "equivalent"),
            (self.totals.duplicates, "duplicate"),
            (self.totals.accepted, "accepted"),
            (self.totals.not_run, "not run"),
        ];
        let parts = terms(&made_of);
        let last = parts.len().saturating_sub(1);
        let ended =
            |(index, part): (usize, &String)| format!("{part}{}", if index < last { "," } else { ";" });
        let parts = parts.iter().enumerate().map(ended);
        let tests = [(*inputs, "input"), (relations.len() as u64, "relation")];
        let tests: Vec<String> =
            tests.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| counted(*n, noun)).collect();
        std::iter::once(format!("{}:", self.origins())).chain(parts).chain([tests.join(", ")]).collect()
    }

    /// The faulty versions, a line each.
    fn versions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let versions = &self.record.versions;
        if versions.is_empty() {
            return Ok(());
        }
        writeln!(f, "  {}:", counted(versions.len() as u64, "faulty version"))?;
        let names = widest(versions.iter().map(|version| name(&version.name)));
        for one in versions {
            let because = version::because(self.record, one);
            let line = format!("    {:names$}  {:10} {because}", name(&one.name), version::status(one));
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn by_operator(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            "operator",
            "mutants",
            "killed",
            "crashed",
            "timed out",
            "alive",
            "untested",
            "equivalent",
            "duplicate",
            "accepted",
            "not run",
            "revealed",
            "score",
        ]);
        let all = OperatorRow { operator: "all".to_owned(), ..self.totals.clone() };
        for row in self.record.by_operator().iter().chain([&all]) {
            let counts = [
                row.mutants,
                row.killed,
                row.crashed,
                row.timed_out,
                row.alive,
                row.untested,
                row.equivalent,
                row.duplicates,
                row.accepted,
                row.not_run,
                row.revealed,
            ];
            let mut cells = vec![row.operator.clone()];
            cells.extend(counts.map(grouped));
            // A share of mutants that were not all run, or of those that no relation was run on, would read like a score.
            let of_row = || score(row.detected(), row.scored());
            cells.push(if self.record.no_score().is_some() { "-".to_owned() } else { of_row() });
            table.push(cells);
        }
        match self.totals.mutants {
            0 => table.write(f, self.styles),
            _ => table
                .without_zeros(&[
                    "crashed",
                    "timed out",
                    "untested",
                    "equivalent",
                    "duplicate",
                    "accepted",
                    "not run",
                    "revealed",
                ])
                .write(f, self.styles),
        }
    }

    fn by_relation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let versions = &self.record.versions;
        if self.record.relations.is_empty() || self.totals.mutants == 0 && versions.is_empty() {
            return Ok(());
        }
        let mut table =
            Table::new(&["relation", "groups", "kills", "only it", "versions"]).flexible("relation");
        for RelationScore { name, groups, kills, only, .. } in &self.record.relations {
            let is_killed = |v: &&VersionRecord| v.killed_by.iter().any(|kill| kill.relation == *name);
            let of_versions = versions.iter().filter(|v| v.is_counted()).filter(is_killed).count() as u64;
            let counts = [*groups, *kills, *only, of_versions].map(grouped);
            table.push([vec![name.clone()], counts.to_vec()].concat());
        }
        let absent: &[&str] = match (versions.is_empty(), self.totals.mutants) {
            (true, _) => &["versions"],
            (false, 0) => &["kills", "only it"],
            (false, _) => &[],
        };
        table.without_zeros(absent).write(f, self.styles)?;
        for relation in self.record.relations.iter().filter(|r| !r.sole.is_empty()) {
            let more = if relation.only > relation.sole.len() as u64 { " …" } else { "" };
            writeln!(f, "  only {} kills {}{more}", relation.name, ranges(&relation.sole))?;
        }
        writeln!(f)
    }

    /// Stale entries of accepted mutants, and warnings.
    fn stale(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubtful = self.styles.doubtful;
        for stale in &self.record.stale {
            let place = format!("{}:{}", stale.file, stale.line);
            writeln!(f, "  {} {place}: {}: {}", Styled(doubtful, "stale:"), stale.entry, stale.reason)?;
        }
        for warning in &self.record.warnings {
            writeln!(f, "  {} {warning}", Styled(doubtful, "warning:"))?;
        }
        Ok(())
    }

    /// Stale entries, warnings, an interruption, and the work that was done.
    fn remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stale(f)?;
        let doubtful = self.styles.doubtful;
        if let Some(words) = stopped(self.record) {
            writeln!(f, "  {}", Styled(doubtful, words))?;
        }
        if self.record.mode == Mode::Classes && !self.record.relations.is_empty() {
            let words =
                "each mutant was run to its first kill: what a relation kills is the least that it kills";
            writeln!(f, "  {}", Styled(self.styles.faint, words))?;
        }
        let work = self.record.work;
        if work.pairs == 0 {
            return Ok(());
        }
        let share = u128::from(work.executed) * 100 / u128::from(work.pairs);
        let (executed, pairs) = (grouped(work.executed), grouped(work.pairs));
        let words = format!("executed {executed} of {pairs} pairs of a mutant and a test ({share}%)");
        writeln!(f, "  {}", Styled(self.styles.faint, words))
    }

    /// `mutation score 0.87 = (80 killed + 7 timed out) / (112 - 9 equivalent - 3 duplicates)`.
    pub(super) fn score(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(why) = self.record.no_score() {
            return writeln!(f, "{}", Styled(self.styles.doubtful, self.without_score(why)));
        }
        let row = &self.totals;
        let detected = [(row.killed, "killed"), (row.crashed, "crashed"), (row.timed_out, "timed out")];
        let left_out =
            [(row.equivalent, "equivalent"), (row.duplicates, "duplicate"), (row.accepted, "accepted")];
        let detected = match terms(&detected).as_slice() {
            [] => "0 killed".to_owned(),
            [one] => one.clone(),
            more => format!("({})", more.join(" + ")),
        };
        let whole: Vec<String> = [grouped(row.mutants)].into_iter().chain(terms(&left_out)).collect();
        let whole = if whole.len() == 1 { whole.concat() } else { format!("({})", whole.join(" - ")) };
        let sum = format!("mutation score {} = {detected} / {whole}", score(row.detected(), row.scored()));
        let style = if row.detected() == row.scored() { self.styles.good } else { self.styles.bad };
        write!(f, "{}", Styled(style, sum))?;
        match self.record.suite_score() {
            Some(_) if !self.record.relations.is_empty() => {
                let revealed = score(row.revealed, row.scored());
                writeln!(f, "; {revealed} by the inputs with the original as oracle")
            }
            _ => writeln!(f),
        }
    }

    /// Why there is no score, with what is known instead.
    fn without_score(&self, why: NoScore) -> String {
        let row = &self.totals;
        let of_scored = |n| format!("{} of {}", grouped(n), counted(row.scored(), "mutant"));
        let known = match why {
            NoScore::Unfinished { .. } if row.scored() > 0 => {
                format!("; of those that were, {} are detected so far", of_scored(row.detected()))
            }
            NoScore::NoRelation | NoScore::NoneEligible if self.record.suite_score().is_some() => {
                format!("; the inputs with the original as oracle reveal {}", of_scored(row.revealed))
            }
            _ => String::new(),
        };
        format!("no mutation score: {why}{known}")
    }
}

/// Counts that are not 0, with their words.
fn terms(counts: &[(u64, &str)]) -> Vec<String> {
    let some = counts.iter().filter(|(n, _)| *n > 0);
    some.map(|(n, word)| format!("{} {word}", grouped(*n))).collect()
}

/// Two digits, rounded down: only what is complete is 1.00.
fn score(part: u64, whole: u64) -> String {
    let Some(hundredths) = (u128::from(part) * 100).checked_div(u128::from(whole)) else {
        return "-".to_owned();
    };
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
