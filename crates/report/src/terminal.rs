//! The report of a check for people.

use std::fmt;

use dodona_records::{Binding, CheckRecord, Counterexample, FORMAT_VERSION, RelationRecord, RelationVerdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check_words::{counts, never_tested, scheduled, stopped, sum, word};
use crate::format::pretty;
use crate::github::github;
use crate::junit::junit;
use crate::text::{Styled, bindings, heading, name, one_line, short, widest};
use crate::{Format, Report as _, Styles};

/// What the check of one or more subjects found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Document<'a> {
    /// [`FORMAT_VERSION`].
    format_version: u32,
    /// One record a subject, in the order given.
    subjects: &'a [CheckRecord],
}

struct Report<'a> {
    records: &'a [CheckRecord],
    styles: Styles,
}

impl crate::Report for [CheckRecord] {
    const OTHERS: &'static [Format] = &[Format::Junit, Format::Github];

    /// The report of one or more subjects, with a summary line at the end.
    fn terminal(&self, styles: Styles) -> String {
        Report { records: self, styles }.to_string()
    }

    fn json(&self) -> String {
        pretty(&Document { format_version: FORMAT_VERSION, subjects: self })
    }

    fn other(&self, format: Format) -> Option<String> {
        match format {
            Format::Junit => Some(junit(self)),
            Format::Github => Some(github(self)),
            _ => None,
        }
    }
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
    writeln!(f, "{}", heading(subject, &format!("{manifest}, seed {seed}"), styles))?;
    let width = widest(record.relations.iter().map(|r| &r.name));
    for relation in &record.relations {
        relation_line(f, relation, width, styles)?;
    }
    for adequacy in &record.adequacy {
        write!(f, "  {}", adequacy.terminal(styles))?;
    }
    for warning in &record.warnings {
        writeln!(f, "  {} {warning}", Styled(styles.doubtful, "warning:"))?;
    }
    if let Some(words) = stopped(record) {
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    if let Some(spent) = &record.schedule {
        writeln!(f, "  {}", scheduled(spent))?;
    }
    Ok(())
}

fn relation_line(
    f: &mut fmt::Formatter<'_>,
    relation: &RelationRecord,
    width: usize,
    styles: Styles,
) -> fmt::Result {
    let style = match relation.verdict() {
        RelationVerdict::Holds => styles.good,
        RelationVerdict::Violated => styles.bad,
        RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed | RelationVerdict::NotRun => {
            styles.doubtful
        }
    };
    let word = word(relation.verdict());
    let name = &relation.name;
    writeln!(f, "  {}  {name:<width$}  {}", Styled(style, format!("{word:<8}")), counts(relation))?;
    if matches!(relation.verdict(), RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed) {
        writeln!(f, "            {}", never_tested(relation))?;
        if let Some(outside) = &relation.outside {
            writeln!(f, "            the first of them: {outside}")?;
        }
    }
    match &relation.counterexample {
        Some(counterexample) => write!(f, "{}", CounterexampleView { relation, counterexample, styles }),
        None => Ok(()),
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
        let place = format!("{}:{}", name(&self.relation.file), self.relation.line);
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

/// How many outputs of a call are shown whether or not a relation speaks of them: status, output and error of a command.
const GLANCE: usize = 3;

impl CounterexampleView<'_> {
    fn calls(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = &self.counterexample.calls;
        let width = calls.iter().map(|c| c.text.chars().count()).max().unwrap_or(0).min(40);
        for call in calls {
            let came = match call.outputs.as_slice() {
                [] => call.ended(),
                outputs => bindings(&self.told(outputs)),
            };
            let inputs = Styled(self.styles.faint, format!("({})", bindings(&call.arguments)));
            writeln!(f, "        {:<width$}  → {came}  {inputs}", call.text)?;
            if let Some(shell) = &call.shell {
                writeln!(f, "          $ {}", one_line(shell))?;
            }
        }
        Ok(())
    }

    /// Of more outputs than one sees at a glance, those that the relation speaks of.
    fn told(&self, outputs: &[Binding]) -> Vec<Binding> {
        let text = &self.relation.text;
        let speaks =
            |output: &&Binding| output.name.is_empty() || text.contains(&format!(".{}", output.name));
        let told: Vec<Binding> = outputs.iter().filter(speaks).cloned().collect();
        if told.is_empty() || outputs.len() <= GLANCE { outputs.to_vec() } else { told }
    }

    fn origin(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterexample { found, shrink_steps, shrink_stopped, provenance, .. } = self.counterexample;
        let shrunk = match shrink_steps {
            0 => String::new(),
            1 => format!(", shrunk in 1 step from {}", bindings(found)),
            steps => format!(", shrunk in {steps} steps from {}", bindings(found)),
        };
        writeln!(
            f,
            "      {}",
            Styled(self.styles.faint, format!("{}{shrunk}", name(&provenance.to_string())))
        )?;
        match shrink_stopped {
            Some(why) => writeln!(f, "      there may be a simpler one: {why}"),
            None => Ok(()),
        }
    }
}

fn summary(f: &mut fmt::Formatter<'_>, records: &[CheckRecord], styles: Styles) -> fmt::Result {
    let mut relations = records.iter().flat_map(|r| &r.relations);
    let is_good = relations.all(|r| r.verdict() == RelationVerdict::Holds);
    let is_good = is_good && records.iter().all(|record| record.unread == 0);
    let style = if is_good { styles.good } else { styles.bad };
    writeln!(f, "{}", Styled(style, sum(records)))
}
