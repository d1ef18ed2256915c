//! Discoveries of several functions: on the first screen what was found of each, and where it is asked for the report of each.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dodona_records::{DiscoveryRecord, FORMAT_VERSION, MutantId, statement};
use schemars::JsonSchema;
use serde::Serialize;

use super::discovery_words::{NOT_MEASURED, stop};
use super::relation_file::discovered_file;
use super::version_words::together;
use crate::Styles;
use crate::first_screen::shown;
use crate::format::pretty;
use crate::pieces::LINES;
use crate::text::{Styled, counted, heading, name};

/// What discoveries of several functions are as JSON.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DiscoveriesRecord")]
pub(crate) struct Document<'a> {
    /// The version of the format.
    format_version: u32,
    /// The discovery of each function.
    functions: &'a [DiscoveryRecord],
}

/// The lines of a screen that are no function's: the heading, what is left out, how many there are, and where more is told.
const OTHER_LINES: usize = 4;

impl crate::Report for Vec<DiscoveryRecord> {
    /// A line for each function and, where a screen has room for it, the relation that catches most.
    fn terminal(&self, styles: Styles) -> String {
        let Some(first) = self.first() else { return String::new() };
        let origin = format!("{}, seed {}", first.manifest, first.seed);
        let mut out = heading(&first.subject, &origin, styles) + "\n";
        let room = LINES - OTHER_LINES;
        let has_best = self.len() * 2 <= room;
        let listed = self.len().min(room);
        for record in &self[..listed] {
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                out,
                "  {} {}",
                Styled(styles.strong, name(&record.function)),
                found(record, styles)
            );
            if let Some(best) = best(record).filter(|_| has_best) {
                let _ = writeln!(out, "      {}", Styled(styles.faint, best));
            }
        }
        let more = (self.len() - listed) as u64;
        if more > 0 {
            let _ = writeln!(out, "  and {}", counted(more, "more function"));
        }
        let relations: usize = self.iter().map(|record| record.relations.len()).sum();
        let without = self.iter().filter(|record| record.relations.is_empty()).count() as u64;
        let style = if relations == 0 { styles.doubtful } else { styles.good };
        let of = format!(
            "{} of {}",
            counted(relations as u64, "relation"),
            counted(self.len() as u64, "function")
        );
        let none = if without == 0 { String::new() } else { format!("; none of {without}") };
        let _ = writeln!(out, "{}{none}", Styled(style, of));
        let _ = writeln!(
            out,
            "  {}",
            Styled(styles.faint, "--explain tells of each function what was tried and refuted")
        );
        out
    }

    fn json(&self) -> String {
        pretty(&Document { format_version: FORMAT_VERSION, functions: self })
    }
}

impl crate::Explained for Vec<DiscoveryRecord> {
    /// All of each function.
    fn explained(&self, styles: Styles) -> String {
        self.iter().map(|record| record.explained(styles)).collect::<Vec<_>>().join("\n")
    }
}

/// `3 relations catch 20 of 30 mutants`
fn found(record: &DiscoveryRecord, styles: Styles) -> String {
    match record.relations.len() as u64 {
        0 => Styled(styles.doubtful, format!("no relation; ended: {}", stop(record))).to_string(),
        count => {
            let verb = if count == 1 { "catches" } else { "catch" };
            match together(record) {
                Some(caught) => format!("{} {verb} {caught}", counted(count, "relation")),
                None => format!("{}; {NOT_MEASURED}", counted(count, "relation")),
            }
        }
    }
}

/// The relation that catches most.
fn best(record: &DiscoveryRecord) -> Option<&str> {
    let catches: Vec<&[MutantId]> =
        record.relations.iter().map(|relation| relation.caught.as_slice()).collect();
    let place = shown(&catches, 1).first().copied()?;
    Some(record.relations[place].text.trim_end())
}

/// Gives relations of several functions names of their own, so that they can stand in one file: of two with one name the second one gets a number.
pub fn name_apart(records: &mut [DiscoveryRecord]) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for relation in records.iter_mut().flat_map(|record| &mut record.relations) {
        let name = relation.name.clone();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let Some(free) = [name.clone()].into_iter().chain(numbered).find(|name| taken.insert(name.clone()))
        else {
            continue;
        };
        if free != name {
            relation.text = format!("relation {free}{}", statement(&relation.text, &name));
            relation.name = free;
        }
    }
}

/// The file of the relations of several functions, whose names differ.
pub fn discoveries_file(records: &[DiscoveryRecord], command: &str) -> String {
    let found = records.iter().filter(|record| !record.relations.is_empty());
    found.map(|record| discovered_file(record, command)).collect::<Vec<_>>().join("\n")
}
