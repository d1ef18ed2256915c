//! The report of a check for people.

use std::fmt;

use dodona_records::{Binding, CheckRecord, Counterexample, FORMAT_VERSION, RelationRecord, RelationVerdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check_words::{counts, never_tested, scheduled, stopped, sum, word};
use crate::format::pretty;
use crate::github::github;
use crate::junit::junit;
use crate::layout::fitted;
use crate::pieces::{Piece, on_a_screen};
use crate::text::{Styled, bindings, counted, heading, name, one_line, short, widest};
use crate::{Format, Report as _, Styles};

/// What the check of one or more subjects found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Document<'a> {
    /// [`FORMAT_VERSION`].
    format_version: u32,
    /// One record a subject, in the order given.
    subjects: &'a [CheckRecord],
}

impl crate::Report for [CheckRecord] {
    const OTHERS: &'static [Format] = &[Format::Junit, Format::Github];

    /// The report of one or more subjects, with a summary line at the end: where it is longer than a screen, what does not hold, and how much is left out.
    fn terminal(&self, styles: Styles) -> String {
        let shorter = || pieces(self, styles, true);
        on_a_screen(&pieces(self, styles, false), shorter, &summary(self, styles), styles)
    }

    /// The same with every relation, counterexample and warning.
    fn whole(&self, styles: Styles) -> String {
        let all: String = pieces(self, styles, false).into_iter().map(|piece| piece.text).collect();
        fitted(&(all + &summary(self, styles)), styles.width)
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

/// The lines of a report: what does not hold comes before what does where there is no room for both. In a shorter one the relations that hold are a line.
fn pieces(records: &[CheckRecord], styles: Styles, is_shorter: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for record in records {
        let CheckRecord { subject, manifest, seed, .. } = record;
        let at = pieces.len();
        let is_good = record.relations.iter().all(|one| one.verdict() == RelationVerdict::Holds);
        let text = format!("{}\n", heading(subject, &format!("{manifest}, seed {seed}"), styles));
        pieces.push(Piece {
            rank: if is_good { 4 } else { 0 },
            noun: ["subject", "subjects"],
            text,
            below: None,
        });
        let width = widest(record.relations.iter().map(|r| &r.name));
        let holds = |one: &&RelationRecord| one.verdict() == RelationVerdict::Holds;
        let held = record.relations.iter().filter(holds).count() as u64;
        let is_told = |one: &&RelationRecord| !is_shorter || !holds(one);
        for relation in record.relations.iter().filter(is_told) {
            relation_pieces(&mut pieces, at, relation, width, styles);
        }
        if is_shorter && held > 0 {
            let text = format!("  {}  {}\n", Styled(styles.good, "holds   "), counted(held, "relation"));
            let noun = ["count of relations that hold", "counts of relations that hold"];
            pieces.push(Piece { rank: 4, noun, text, below: Some(at) });
        }
        pieces.extend(remarks(record, styles).into_iter().map(|(rank, noun, text)| Piece {
            rank,
            noun,
            text,
            below: Some(at),
        }));
    }
    pieces
}

/// A line of a relation, and its counterexample.
fn relation_pieces(
    pieces: &mut Vec<Piece>,
    heading: usize,
    relation: &RelationRecord,
    width: usize,
    styles: Styles,
) {
    let (rank, noun) = match relation.verdict() {
        RelationVerdict::Holds => (6, ["relation that holds", "relations that hold"]),
        RelationVerdict::Violated => (1, ["violated relation", "violated relations"]),
        _ => (2, ["untested relation", "untested relations"]),
    };
    let text = relation_line(relation, width, styles);
    let at = pieces.len();
    pieces.push(Piece { rank, noun, text, below: Some(heading) });
    if let Some(counterexample) = &relation.counterexample {
        let text = CounterexampleView { relation, counterexample, styles }.to_string();
        pieces.push(Piece { rank: 3, noun: ["counterexample", "counterexamples"], text, below: Some(at) });
    }
}

/// What is said of a subject besides its relations.
fn remarks(record: &CheckRecord, styles: Styles) -> Vec<(u8, [&'static str; 2], String)> {
    let mut out = Vec::new();
    let adequacy = |adequacy: &dodona_records::AdequacyRecord| format!("  {}", adequacy.terminal(styles));
    let noun = ["measure of adequacy", "measures of adequacy"];
    out.extend(record.adequacy.iter().map(|one| (5, noun, adequacy(one))));
    let doubtful = |words: &str| Styled(styles.doubtful, words.to_owned());
    let warning = |words: &String| format!("  {} {words}\n", doubtful("warning:"));
    out.extend(record.warnings.iter().map(|words| (5, ["warning", "warnings"], warning(words))));
    let notes = stopped(record).map(|words| doubtful(&words).to_string());
    let notes = notes.into_iter().chain(record.schedule.as_ref().map(scheduled));
    out.extend(notes.map(|words| (1, ["note", "notes"], format!("  {words}\n"))));
    out
}

fn relation_line(relation: &RelationRecord, width: usize, styles: Styles) -> String {
    let style = match relation.verdict() {
        RelationVerdict::Holds => styles.good,
        RelationVerdict::Violated => styles.bad,
        RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed | RelationVerdict::NotRun => {
            styles.doubtful
        }
    };
    let word = Styled(style, format!("{:<8}", word(relation.verdict())));
    let mut out = format!("  {word}  {:<width$}  {}\n", relation.name, counts(relation));
    if matches!(relation.verdict(), RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed) {
        out += &format!("            {}\n", never_tested(relation));
        if let Some(outside) = &relation.outside {
            out += &format!("            the first of them: {outside}\n");
        }
    }
    out
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
        if !source.is_empty() || group.is_some() {
            writeln!(f, "      {}{with}", Styled(self.styles.strong, bindings(source)))?;
        }
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

fn summary(records: &[CheckRecord], styles: Styles) -> String {
    let mut relations = records.iter().flat_map(|r| &r.relations);
    let is_good = relations.all(|r| r.verdict() == RelationVerdict::Holds);
    let is_good = is_good && records.iter().all(|record| record.unread == 0);
    let style = if is_good { styles.good } else { styles.bad };
    format!("{}\n", Styled(style, sum(records)))
}
