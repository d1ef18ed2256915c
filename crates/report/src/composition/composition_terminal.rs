//! The report of a composition for people.

use std::collections::BTreeSet;
use std::fmt;

use dodona_records::{CompositionRecord, MutantId};

use super::composition_words::{basics, chosen, given, held, layer, left_out, smallest, stop, together};
use crate::Styles;
use crate::discovery::discovery_words::proof;
use crate::pieces::as_many_as_fit;
use crate::table::Table;
use crate::text::{Styled, clipped, counted, grouped, heading, one_line};

/// Relations that are shown in full where no mutant tells which are worth more, and refuted ones; the record has all.
const MOST_SHOWN: usize = 10;
const MOST_REFUTED: usize = 3;
/// Points of the front that are shown.
const MOST_POINTS: usize = 8;
/// Characters of a refuted relation and its counterexample.
const LONGEST: usize = 110;

struct Report<'a> {
    record: &'a CompositionRecord,
    styles: Styles,
    /// The most relations that are shown in full.
    most: usize,
}

impl crate::Report for CompositionRecord {
    /// What a composition found: what became of the sequences, the chosen composite relations, a table of what each chosen relation kills,
    /// what more runs would kill, and what all kill together in the last line.
    fn terminal(&self, styles: Styles) -> String {
        as_many_as_fit(MOST_SHOWN, styles, |most| Report { record: self, styles, most }.to_string())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles, .. } = self;
        let origin = format!("{}, seed {}", record.manifest, record.seed);
        writeln!(f, "{}", heading(&record.subject, &origin, *styles))?;
        writeln!(f, "  {}", basics(record))?;
        if let Some(left_out) = left_out(record) {
            let words = format!("{left_out} (--format json says why)");
            writeln!(f, "    {}", Styled(styles.faint, words))?;
        }
        if let Some(given) = given(record) {
            writeln!(f, "  {given}")?;
        }
        for one in &record.layers {
            writeln!(f, "  {}", layer(one, record.inputs))?;
            for refused in &one.refused {
                let words = format!("{} refused: {}", grouped(refused.sequences), refused.why);
                writeln!(f, "    {}", Styled(styles.faint, words))?;
            }
        }
        self.relations(f)?;
        self.front(f)?;
        self.refuted(f)?;
        if let Some(words) = stop(record.stop) {
            let words = Styled(styles.doubtful, words);
            writeln!(f, "  {words}: what was not tested to the end is left out")?;
        }
        for warning in &record.warnings {
            writeln!(f, "  {} {warning}", Styled(styles.doubtful, "warning:"))?;
        }
        self.summary(f)
    }
}

impl Report<'_> {
    fn relations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = chosen(self.record);
        if shown.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        for relation in shown.iter().take(self.most) {
            writeln!(f, "  {}", Styled(self.styles.strong, relation.text.trim_end()))?;
            writeln!(f, "      {}", Styled(self.styles.faint, held(relation)))?;
        }
        if let Some(more @ 1..) = shown.len().checked_sub(self.most) {
            let words = format!("and {} (--format json)", counted(more as u64, "more relation"));
            writeln!(f, "  {}", Styled(self.styles.faint, words))?;
        }
        writeln!(f)?;
        match self.record.chosen.is_empty() {
            true => Ok(()),
            false => self.table(f),
        }
    }

    /// Each chosen relation with what it is worth.
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["chosen", "layers", "runs", "kills", "only it", "evidence"]).flexible("chosen");
        for name in &self.record.chosen {
            let only = grouped(self.only(name));
            if let Some(basic) = self.record.basics.iter().find(|basic| basic.name == *name) {
                let (runs, kills) = (grouped(basic.runs), grouped(basic.killed.len() as u64));
                table.push(vec![name.clone(), "basic".to_owned(), runs, kills, only, "given".to_owned()]);
            } else if let Some(one) = self.record.relations.iter().find(|relation| relation.name == *name) {
                let (runs, kills) = (grouped(one.runs), grouped(one.killed.len() as u64));
                let layers = one.sequence.len().to_string();
                table.push(vec![name.clone(), layers, runs, kills, only, proof(one.proof)]);
            }
        }
        table.write(f, self.styles)?;
        writeln!(f, "  {}", Styled(self.styles.faint, smallest(self.record)))?;
        writeln!(f)
    }

    /// How many mutants a chosen relation kills that no other chosen one does.
    fn only(&self, name: &str) -> u64 {
        let others = self.record.chosen.iter().filter(|other| *other != name);
        let killed: BTreeSet<MutantId> = others.flat_map(|other| self.killed(other)).copied().collect();
        self.killed(name).iter().filter(|id| !killed.contains(id)).count() as u64
    }

    fn killed(&self, name: &str) -> &[MutantId] {
        let basic = self.record.basics.iter().find(|basic| basic.name == name).map(|basic| &basic.killed);
        let composite = || self.record.relations.iter().find(|one| one.name == name).map(|one| &one.killed);
        basic.or_else(composite).map_or(&[], Vec::as_slice)
    }

    /// `runs for a group of each, and mutants killed: 2: 31, 4: 50, 7: 54`
    fn front(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let front = &self.record.front;
        if front.len() < 2 {
            return Ok(());
        }
        let step = front.len().div_ceil(MOST_POINTS);
        // Every so many points, and always the last, which kills most.
        let shown = front.iter().rev().step_by(step).collect::<Vec<_>>();
        let points: Vec<String> =
            shown.into_iter().rev().map(|p| format!("{}: {}", grouped(p.runs), grouped(p.killed))).collect();
        writeln!(f, "  the most mutants killed in so many runs: {}", points.join(", "))
    }

    fn refuted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for refuted in self.record.refuted.iter().take(MOST_REFUTED) {
            let text = one_line(&refuted.text);
            let text = clipped(text.strip_prefix("relation ").unwrap_or(&text), LONGEST);
            writeln!(f, "    {} {text}", Styled(self.styles.faint, "refuted"))?;
            writeln!(
                f,
                "      by {}: {}",
                refuted.step,
                clipped(&one_line(&refuted.counterexample), LONGEST)
            )?;
        }
        match self.record.refuted.len().saturating_sub(MOST_REFUTED) {
            0 => Ok(()),
            more => writeln!(f, "    and {more} more in the record (--format json)"),
        }
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles, .. } = self;
        let found = counted(record.relations.len() as u64, "composite relation");
        if record.relations.is_empty() {
            return writeln!(f, "{}", Styled(styles.doubtful, "no composite relation was found"));
        }
        match record.killed_by_all().covered {
            0 => writeln!(f, "{}", Styled(styles.good, found)),
            _ => writeln!(f, "{}: {}", Styled(styles.good, found), together(record)),
        }
    }
}
