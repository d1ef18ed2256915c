//! The report of a discovery as a terminal shows it: on the first screen the relations and what they catch, and where it is asked for also how they were found.

use std::fmt;

use dodona_records::{DiscoveredRelation, DiscoveryProof, DiscoveryRecord, DiscoveryStop, FoundBy, MutantId};

use super::discovery_words::{NOT_MEASURED, caught_of_revealed, data, found_by, held, proof, sources, stop};
use super::version_words::{together, versions};
use crate::Styles;
use crate::first_screen::{MOST_SHOWN, others, shown};
use crate::pieces::as_many_as_fit;
use crate::table::Table;
use crate::text::{Styled, clipped, counted, grouped, heading, one_line, widest};
use crate::unconfirmed::{unconfirmed_count, write_unconfirmed};
use crate::warnings::{MOST_WARNINGS, write_warnings};

/// Refuted candidates that are shown; the record has more.
const MOST_REFUTED: usize = 5;
/// In place of a count that was not made.
const UNKNOWN: &str = "-";
/// Characters of a refuted candidate and its counterexample.
const LONGEST: usize = 110;

struct Report<'a> {
    record: &'a DiscoveryRecord,
    styles: Styles,
    /// Whether it tells all, and not only what the first screen has room for.
    is_explained: bool,
    /// The most relations that it shows.
    most: usize,
}

impl crate::Report for DiscoveryRecord {
    /// The first screen: the relations that say the most with a sentence each, what all relations together catch, and what would raise that.
    fn terminal(&self, styles: Styles) -> String {
        let report = |most| Report { record: self, styles, is_explained: false, most }.to_string();
        as_many_as_fit(MOST_SHOWN, styles, report)
    }
}

impl crate::Explained for DiscoveryRecord {
    /// All relations, then a table of what each catches, the steps of the filter, some of what was refuted, and what was computed.
    fn explained(&self, styles: Styles) -> String {
        Report { record: self, styles, is_explained: true, most: usize::MAX }.to_string()
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles, is_explained, .. } = self;
        let origin = format!("{}, seed {}", record.manifest, record.seed);
        let name = format!("{} of {}", record.function, record.subject);
        writeln!(f, "{}", heading(&name, &origin, *styles))?;
        self.relations(f)?;
        if *is_explained {
            self.explanation(f)?;
        } else {
            self.versions(f)?;
        }
        if *is_explained || record.relations.is_empty() {
            write_unconfirmed(f, &record.unconfirmed, *styles)?;
        } else if let Some(some) = unconfirmed_count(&record.unconfirmed, "more relation") {
            writeln!(f, "  {some}")?;
        }
        let most = if *is_explained { usize::MAX } else { MOST_WARNINGS };
        write_warnings(f, &record.warnings, most, *styles)?;
        self.summary(f)?;
        self.raise(f)
    }
}

impl Report<'_> {
    fn relations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.record.relations.is_empty() {
            return Ok(());
        }
        let all = &self.record.relations;
        let catches: Vec<&[MutantId]> = all.iter().map(|relation| relation.caught.as_slice()).collect();
        let shown = shown(&catches, self.most);
        let of_shown = all.iter().enumerate().filter(|(place, _)| shown.contains(place));
        for (_, relation) in of_shown {
            writeln!(f, "  {}", Styled(self.styles.strong, relation.text.trim_end()))?;
            writeln!(f, "      {}", Styled(self.styles.faint, self.sentence(relation)))?;
        }
        match others(&catches, &shown) {
            Some(others) => writeln!(f, "  {others}"),
            None => Ok(()),
        }
    }

    /// `gcd is symmetric; proved; catches 12, 3 of them alone`
    fn sentence(&self, relation: &DiscoveredRelation) -> String {
        let DiscoveredRelation { transformation, words, .. } = relation;
        if self.is_explained {
            return match relation.found_by {
                FoundBy::Form => format!("{transformation}: {words}; {}", held(relation)),
                by => format!("{words}; by {}; {}", found_by(by), held(relation)),
            };
        }
        let evidence = match relation.proof {
            DiscoveryProof::TestedOn { .. } => held(relation),
            proved => proof(proved),
        };
        // Of mutants that were not run nothing is known: that is not the same as catching none.
        let catches = match (self.record.caught().total, relation.only.len()) {
            (0, _) => String::new(),
            (_, 0) => format!("; catches {}", relation.caught.len()),
            (_, only) => format!("; catches {}, {only} of them alone", relation.caught.len()),
        };
        format!("{words}; {evidence}{catches}")
    }

    /// What was tried, refuted and computed.
    fn explanation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.record.relations.is_empty() {
            writeln!(f)?;
            self.table(f)?;
            writeln!(f)?;
        }
        writeln!(f, "  {}", sources(&self.record.sources))?;
        writeln!(f, "  {}", data(self.record))?;
        self.filter(f)?;
        self.refuted(f)?;
        self.work(f)
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["relation", "catches", "only it", "of held out", "versions", "evidence"])
                .flexible("relation");
        // Of mutants that were not run nothing is known: that is not the same as catching none.
        let searched = self.record.caught().total > 0;
        let held_out = self.record.held_out.is_empty() || self.record.held_out_score().total > 0;
        let versions = self.record.versions.is_empty() || self.record.versions_caught().total > 0;
        for relation in &self.record.relations {
            let of_versions = relation.caught_versions.len() as u64;
            let caught = [relation.caught.len() as u64, relation.only.len() as u64];
            let mut row = vec![relation.name.clone()];
            row.extend(caught.map(|count| if searched { grouped(count) } else { UNKNOWN.to_owned() }));
            row.push(if held_out { grouped(relation.held_out_caught) } else { UNKNOWN.to_owned() });
            row.push(if versions { grouped(of_versions) } else { UNKNOWN.to_owned() });
            row.push(proof(relation.proof));
            table.push(row);
        }
        let absent: Vec<&str> =
            [(self.record.held_out.is_empty(), "of held out"), (self.record.versions.is_empty(), "versions")]
                .into_iter()
                .filter_map(|(is_absent, column)| is_absent.then_some(column))
                .collect();
        table.without_zeros(&absent).write(f, self.styles)?;
        self.versions(f)
    }

    /// The faulty versions, a line each.
    fn versions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let versions = versions(self.record);
        let names = widest(versions.iter().map(|(name, _)| name));
        versions.iter().try_for_each(|(name, became)| writeln!(f, "  version {name:names$}  {became}"))
    }

    /// `filter: fresh inputs passed 9 of 12 candidates, counterexample search 9 of 9`
    fn filter(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = |(i, step): (usize, &dodona_records::FilterStep)| {
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
            stop(self.record),
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
        let Report { record, styles, .. } = self;
        let found = record.relations.len() as u64;
        let is_interrupted = matches!(record.stop, DiscoveryStop::Interrupted { .. });
        if !self.is_explained && (found == 0 || is_interrupted) {
            writeln!(f, "  ended: {}", stop(record))?;
        }
        if found == 0 {
            let words = unconfirmed_count(&record.unconfirmed, "relation")
                .map_or("no relation was found".to_owned(), |some| {
                    format!("no relation was confirmed; {some}")
                });
            return writeln!(f, "{}", Styled(styles.doubtful, words));
        }
        let verb = if found == 1 { "catches" } else { "catch" };
        let relations = counted(found, "relation");
        match together(record) {
            Some(caught) => writeln!(f, "{} {verb} {caught}", Styled(styles.good, relations))?,
            None => writeln!(f, "{}; {NOT_MEASURED}", Styled(styles.good, relations))?,
        }
        match caught_of_revealed(record) {
            Some(caught) => writeln!(f, "  of those that inputs reveal {caught}"),
            None => Ok(()),
        }
    }

    /// What would find more, as far as it is known.
    fn raise(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DiscoveryRecord { left_out, .. } = self.record;
        let mut ways = Vec::new();
        if left_out.unreadable > 0 {
            ways.push(format!(
                "--all lists {} that hardly anybody would write, for {}",
                counted(left_out.unreadable, "more relation"),
                counted(left_out.unreadable_catch, "further mutant")
            ));
        }
        if left_out.without_room > 0 {
            ways.push(format!("--relations lists more than {}", self.record.relations.len()));
        }
        if self.record.time_decided {
            ways.push("more --time may find others".to_owned());
        }
        if !ways.is_empty() {
            writeln!(f, "  to catch more: {}", ways.join("; "))?;
        }
        match self.is_explained {
            true => Ok(()),
            false => {
                writeln!(f, "  {}", Styled(self.styles.faint, "--explain tells what was tried and refuted"))
            }
        }
    }
}
