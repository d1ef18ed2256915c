//! The report of a discovery as a terminal shows it: the relations, what each catches, and how the filter judged.

use std::fmt;

use dodona_evidence::{DiscoveredRelation, DiscoveryRecord, FoundBy};

use super::discovery_words::{caught, caught_of_revealed, data, found_by, held, proof, sources, stop};
use crate::Styles;
use crate::table::Table;
use crate::text::{Styled, clipped, counted, grouped, one_line};
use crate::unconfirmed::{unconfirmed_count, write_unconfirmed};

/// Refuted candidates that are shown; the record has more.
const MOST_REFUTED: usize = 5;
/// Characters of a refuted candidate and its counterexample.
const LONGEST: usize = 110;

struct Report<'a> {
    record: &'a DiscoveryRecord,
    styles: Styles,
}

/// What a discovery found: each relation with where it comes from, a table of what each catches, the steps of the filter, and
/// what all relations together catch in the last line.
pub fn terminal_discovery(record: &DiscoveryRecord, styles: Styles) -> impl fmt::Display {
    Report { record, styles }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles } = self;
        let origin = format!("{}, seed {}", record.manifest, record.seed);
        let name = format!("{} of {}", record.function, record.subject);
        writeln!(f, "{} {}", Styled(styles.strong, name), Styled(styles.faint, origin))?;
        writeln!(f, "  {}", sources(&record.sources))?;
        writeln!(f, "  {}", data(record))?;
        self.relations(f)?;
        write_unconfirmed(f, &record.unconfirmed, *styles)?;
        self.filter(f)?;
        self.refuted(f)?;
        self.work(f)?;
        for warning in &record.warnings {
            writeln!(f, "  {} {warning}", Styled(styles.doubtful, "warning:"))?;
        }
        self.summary(f)
    }
}

impl Report<'_> {
    fn relations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.record.relations.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        for relation in &self.record.relations {
            writeln!(f, "  {}", Styled(self.styles.strong, relation.text.trim_end()))?;
            let DiscoveredRelation { transformation, words, .. } = relation;
            let words = match relation.found_by {
                FoundBy::Form => format!("{transformation}: {words}; {}", held(relation)),
                by => format!("{words}; by {}; {}", found_by(by), held(relation)),
            };
            writeln!(f, "      {}", Styled(self.styles.faint, words))?;
        }
        writeln!(f)?;
        self.table(f)?;
        writeln!(f)
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&["relation", "catches", "only it", "of held out", "evidence"]);
        for relation in &self.record.relations {
            let counts = [relation.caught.len() as u64, relation.only.len() as u64, relation.held_out_caught];
            let mut row = vec![relation.name.clone()];
            row.extend(counts.map(grouped));
            row.push(proof(relation.proof));
            table.push(row);
        }
        match self.record.held_out.is_empty() {
            true => table.without_zeros(&["of held out"]).write(f, self.styles),
            false => table.write(f, self.styles),
        }
    }

    /// `filter: fresh inputs passed 9 of 12 candidates, counterexample search 9 of 9`
    fn filter(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = |(i, step): (usize, &dodona_evidence::FilterStep)| {
            let noun = if i == 0 { " candidates" } else { "" };
            format!("{} passed {} of {}{noun}", step.name, grouped(step.passed), grouped(step.tried))
        };
        let used = self.record.filter.iter().filter(|step| step.tried > 0);
        let steps: Vec<String> = used.enumerate().map(step).collect();
        if steps.is_empty() { Ok(()) } else { writeln!(f, "  filter: {}", steps.join(", ")) }
    }

    fn refuted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for refuted in self.record.refuted.iter().take(MOST_REFUTED) {
            let text = one_line(&refuted.text);
            let text = clipped(text.strip_prefix("relation ").unwrap_or(&text), LONGEST);
            let counterexample = clipped(&one_line(&refuted.counterexample), LONGEST);
            writeln!(f, "    {} {text}", Styled(self.styles.faint, "refuted"))?;
            writeln!(f, "      by {}: {counterexample}", refuted.step)?;
        }
        match self.record.refuted.len().saturating_sub(MOST_REFUTED) {
            0 => Ok(()),
            more => writeln!(f, "    and {more} more in the record (--format json)"),
        }
    }

    fn work(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let work = self.record.work;
        let words = format!(
            "{} enumerated, {} evaluated in {}, {:.1} s; ended: {}",
            counted(work.enumerated, "term"),
            counted(work.evaluated, "tree"),
            counted(work.generations, "generation"),
            work.seconds,
            stop(self.record.stop),
        );
        writeln!(f, "  {}", Styled(self.styles.faint, words))?;
        match self.record.time_decided {
            true => writeln!(
                f,
                "  a clock ended the search: another run may find other relations (--generations)"
            ),
            false => Ok(()),
        }
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles } = self;
        let found = record.relations.len() as u64;
        if found == 0 {
            let words = unconfirmed_count(&record.unconfirmed, "relation")
                .map_or("no relation was found".to_owned(), |some| {
                    format!("no relation was confirmed; {some}")
                });
            return writeln!(f, "{}", Styled(styles.doubtful, words));
        }
        let verb = if found == 1 { "catches" } else { "catch" };
        let relations = counted(found, "relation");
        writeln!(f, "{} {verb} {}", Styled(styles.good, relations), caught(record))?;
        match caught_of_revealed(record) {
            Some(caught) => writeln!(f, "  of those that inputs reveal {caught}"),
            None => Ok(()),
        }
    }
}
