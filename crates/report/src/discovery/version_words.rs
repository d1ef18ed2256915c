//! What is said of faulty versions in a discovery.

use dodona_records::{DiscoveryRecord, DiscoveryVersion};

use super::discovery_words::{caught, score};
use crate::text::name;

/// `7 of 8 faulty versions (0.87)`; `None` where none that is a fault of its own was run.
fn versions_caught(record: &DiscoveryRecord) -> Option<String> {
    let share = record.versions_caught();
    (share.total > 0).then(|| score(share, "faulty version"))
}

/// What the relations together catch: [`caught`], and of the faulty versions; `None` where nothing was run.
pub(super) fn together(record: &DiscoveryRecord) -> Option<String> {
    match (caught(record), versions_caught(record)) {
        (Some(mutants), Some(versions)) => Some(format!("{mutants}, and {versions}")),
        (mutants, versions) => mutants.or(versions),
    }
}

/// Each faulty version with what became of it: `caught by gcd_swapped, gcd_negated`.
pub(super) fn versions(record: &DiscoveryRecord) -> Vec<(String, String)> {
    record.versions.iter().map(|version| (name(&version.name), became(record, version))).collect()
}

fn became(record: &DiscoveryRecord, version: &DiscoveryVersion) -> String {
    let has = |names: &[String]| names.contains(&version.name);
    let by = record.relations.iter().filter(|relation| has(&relation.caught_versions));
    let by: Vec<&str> = by.map(|relation| relation.name.as_str()).collect();
    match version {
        DiscoveryVersion { is_fault: false, .. } => {
            "has the code of the subject or of a version before it, and is not counted".to_owned()
        }
        DiscoveryVersion { was_run: false, .. } => "no relation was run on it".to_owned(),
        DiscoveryVersion { is_caught: true, .. } => format!("caught by {}", by.join(", ")),
        DiscoveryVersion { is_revealed: true, .. } => "not caught, but inputs reveal it".to_owned(),
        _ => "not caught: it does as the subject on all inputs of the evidence".to_owned(),
    }
}
