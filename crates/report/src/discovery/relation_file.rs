//! The relations that were found, as a file of the relation language with their evidence in comments.

use std::fmt::Write as _;

use dodona_records::{DiscoveredRelation, DiscoveryRecord, FoundBy};

use super::discovery_words::{NOT_MEASURED, caught_of_revealed, data, found_by, held, proof, sources, stop};
use super::version_words::{together, versions};
use crate::text::comment;
use crate::unconfirmed::comment_unconfirmed;

/// A file of relations (`.mr`): a comment on how it was made, then each relation under a comment with its evidence.
///
/// `command` is how the discovery was asked for: with the same one the same file is written, unless a clock decided, which the
/// comment says.
pub fn discovered_file(record: &DiscoveryRecord, command: &str) -> String {
    // Writing to a `String` cannot fail.
    let mut out = String::new();
    for line in header(record) {
        comment(&mut out, &line);
    }
    // Not broken into lines, so that it can be copied.
    let _ = writeln!(out, "#   {}", command.replace(char::is_control, " "));
    for relation in &record.relations {
        out.push('\n');
        for line in evidence(record, relation) {
            comment(&mut out, &line);
        }
        let _ = writeln!(out, "{}", relation.text.trim_end());
    }
    comment_unconfirmed(&mut out, &record.unconfirmed);
    out
}

fn header(record: &DiscoveryRecord) -> Vec<String> {
    let DiscoveryRecord { function, subject, seed, .. } = record;
    let mut lines = vec![
        format!(
            "Relations of {function} of {subject}, discovered with seed {seed}: read before they are relied on."
        ),
        format!("{}; {}.", sources(&record.sources), data(record)),
        format!("Ended: {}.", stop(record)),
    ];
    if record.time_decided {
        lines.push("A clock ended the search, so that another run may find other relations.".to_owned());
    }
    lines.push(match together(record) {
        Some(caught) => format!("Together they catch {caught}."),
        None => format!("It is known that they hold; {NOT_MEASURED}."),
    });
    lines.extend(
        caught_of_revealed(record).map(|caught| format!("Of those that inputs reveal, they catch {caught}.")),
    );
    lines.extend(versions(record).iter().map(|(name, became)| format!("Faulty version {name}: {became}.")));
    lines
}

fn evidence(record: &DiscoveryRecord, relation: &DiscoveredRelation) -> Vec<String> {
    let caught = relation.caught.len();
    // Which they are stands in the record: their names mean nothing to readers of the file.
    let only = match relation.only.len() {
        0 => String::new(),
        only => format!(", {only} of them alone"),
    };
    let mutants = record.caught().total;
    let versions = match relation.caught_versions.as_slice() {
        [] => None,
        names => Some(format!("catches the faulty versions {}", names.join(", "))),
    };
    let told = [
        match relation.found_by {
            FoundBy::Form => format!("{}: {}", relation.transformation, relation.words),
            by => format!("{}; found by {}", relation.words, found_by(by)),
        },
        format!("{}; {}", proof(relation.proof), held(relation)),
    ];
    let mutants = match mutants {
        0 if versions.is_some() => None,
        0 => Some("what it catches was not measured".to_owned()),
        _ => Some(format!("catches {caught} of {mutants} mutants{only}")),
    };
    told.into_iter().chain(mutants).chain(versions).collect()
}
