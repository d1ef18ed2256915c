//! The report of a check for people.

use std::fmt;

use dodona_evidence::{CheckRecord, Counterexample, RelationRecord, RelationVerdict, StopReason, Tally};

use crate::Styles;
use crate::adequacy::terminal_adequacy;
use crate::text::{Styled, bindings, counted, grouped, one_line, short, widest};

struct Report<'a> {
    records: &'a [CheckRecord],
    styles: Styles,
}

/// The report of one or more subjects, with a summary line at the end.
pub fn terminal(records: &[CheckRecord], styles: Styles) -> impl fmt::Display {
    Report { records, styles }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in self.records {
            subject(f, record, self.styles)?;
        }
        summary(f, self.records, self.styles)
    }
}

fn subject(f: &mut fmt::Formatter<'_>, record: &CheckRecord, styles: Styles) -> fmt::Result {
    let CheckRecord { subject, manifest, seed, .. } = record;
    writeln!(
        f,
        "{} {}",
        Styled(styles.strong, subject),
        Styled(styles.faint, format!("{manifest}, seed {seed}"))
    )?;
    let width = widest(record.relations.iter().map(|r| &r.name));
    for relation in &record.relations {
        relation_line(f, relation, width, styles)?;
    }
    for adequacy in &record.adequacy {
        write!(f, "  {}", terminal_adequacy(adequacy, styles))?;
    }
    for warning in &record.warnings {
        writeln!(f, "  {} {warning}", Styled(styles.doubtful, "warning:"))?;
    }
    if let StopReason::Interrupted { run, planned } = record.stop {
        let words = format!("interrupted after {run} of {planned} sources; the counts are of those");
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    Ok(())
}

fn relation_line(
    f: &mut fmt::Formatter<'_>,
    relation: &RelationRecord,
    width: usize,
    styles: Styles,
) -> fmt::Result {
    let (style, word) = match relation.verdict() {
        RelationVerdict::Holds => (styles.good, "holds"),
        RelationVerdict::Violated => (styles.bad, "VIOLATED"),
        RelationVerdict::NeverEligible => (styles.doubtful, "UNTESTED"),
        RelationVerdict::NotRun => (styles.doubtful, "not run"),
    };
    let name = &relation.name;
    writeln!(f, "  {}  {name:<width$}  {}", Styled(style, format!("{word:<8}")), counts(relation))?;
    if relation.verdict() == RelationVerdict::NeverEligible {
        writeln!(
            f,
            "            no source input was eligible, so nothing was tested: {}",
            untested_hint(&relation.tally)
        )?;
        if let Some(outside) = &relation.outside {
            writeln!(f, "            the first of them: {outside}")?;
        }
    }
    match &relation.counterexample {
        Some(counterexample) => write!(f, "{}", CounterexampleView { relation, counterexample, styles }),
        None => Ok(()),
    }
}

fn counts(relation: &RelationRecord) -> String {
    let tally = &relation.tally;
    let eligible = tally.eligible();
    let mut text = match tally.violated {
        0 => format!("{} groups", grouped(tally.held)),
        violated => format!("{} of {} groups violate it", grouped(violated), grouped(eligible)),
    };
    let mut notes = Vec::new();
    let mut note = |count: u64, words: &str| {
        if count > 0 {
            notes.push(format!("{} {words}", grouped(count)));
        }
    };
    note(tally.undefined, "undefined");
    note(tally.follow_up_failed, "by a follow-up that did not return");
    note(tally.condition_false, "ineligible by `when`");
    note(tally.condition_undefined, "ineligible by an undefined `when`");
    note(tally.out_of_domain, "out of domain");
    for (ended, count) in relation.skipped() {
        note(count, &format!("skipped ({ended})"));
    }
    if !notes.is_empty() {
        text += &format!("; {}", notes.join(", "));
    }
    text
}

fn untested_hint(tally: &Tally) -> &'static str {
    let skipped = tally.skipped.values().sum::<u64>();
    if tally.groups() == 0 {
        "give it sources with --sources, or columns for its variables in --from"
    } else if skipped >= tally.out_of_domain && skipped >= tally.condition_false {
        "its source calls never return; look at the domains, or at the function"
    } else if tally.out_of_domain >= tally.condition_false {
        "its inputs are never in the domain; look at domain.NAME and `requires`, or narrow sample.NAME"
    } else {
        "its `when` condition is never true of the sampled inputs; narrow sample.NAME towards it"
    }
}

/// A counterexample as people read it.
pub struct CounterexampleView<'a> {
    /// The relation that is violated.
    pub relation: &'a RelationRecord,
    /// The group that violates it.
    pub counterexample: &'a Counterexample,
    /// Colours.
    pub styles: Styles,
}

impl fmt::Display for CounterexampleView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterexample { source, group, sides, why, kept, .. } = self.counterexample;
        let place = format!("{}:{}", self.relation.file, self.relation.line);
        writeln!(f, "      {}  {}", one_line(&self.relation.text), Styled(self.styles.faint, place))?;
        let with = group.iter().map(|g| format!("  for {g}")).collect::<String>();
        writeln!(f, "      {}{with}", Styled(self.styles.strong, bindings(source)))?;
        self.calls(f)?;
        if let [left, right] = sides.as_slice() {
            writeln!(f, "        left:  {} = {}", left.text, short(&left.value))?;
            writeln!(f, "        right: {} = {}", right.text, short(&right.value))?;
        }
        writeln!(f, "      {}", Styled(self.styles.bad, why))?;
        self.origin(f)?;
        match kept {
            Some(file) => writeln!(f, "      replay: dodona replay {file}"),
            None => Ok(()),
        }
    }
}

impl CounterexampleView<'_> {
    fn calls(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = &self.counterexample.calls;
        let width = calls.iter().map(|c| c.text.chars().count()).max().unwrap_or(0).min(40);
        for call in calls {
            let came = match call.outputs.as_slice() {
                [] => call.ended(),
                outputs => bindings(outputs),
            };
            let inputs = Styled(self.styles.faint, format!("({})", bindings(&call.arguments)));
            writeln!(f, "        {:<width$}  → {came}  {inputs}", call.text)?;
        }
        Ok(())
    }

    fn origin(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterexample { found, shrink_steps, provenance, .. } = self.counterexample;
        let shrunk = match shrink_steps {
            0 => String::new(),
            1 => format!(", shrunk in 1 step from {}", bindings(found)),
            steps => format!(", shrunk in {steps} steps from {}", bindings(found)),
        };
        writeln!(f, "      {}", Styled(self.styles.faint, format!("{provenance}{shrunk}")))
    }
}

fn summary(f: &mut fmt::Formatter<'_>, records: &[CheckRecord], styles: Styles) -> fmt::Result {
    let relations: Vec<_> = records.iter().flat_map(|r| &r.relations).collect();
    let count = |v: RelationVerdict| relations.iter().filter(|r| r.verdict() == v).count();
    let groups: u64 = relations.iter().map(|r| r.tally.eligible()).sum();
    let mut parts = vec![format!("{} hold", count(RelationVerdict::Holds))];
    let others = [
        (RelationVerdict::Violated, "violated"),
        (RelationVerdict::NeverEligible, "untested"),
        (RelationVerdict::NotRun, "not run"),
    ];
    for (verdict, word) in others {
        if count(verdict) > 0 {
            parts.push(format!("{} {word}", count(verdict)));
        }
    }
    let style = if count(RelationVerdict::Holds) == relations.len() { styles.good } else { styles.bad };
    let line = format!(
        "{}: {}; {} metamorphic groups",
        counted(relations.len() as u64, "relation"),
        parts.join(", "),
        grouped(groups)
    );
    writeln!(f, "{}", Styled(style, line))
}
