//! The exit code of a run, and which of its violations an earlier run had too.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dodona_records::{RelationVerdict, RunRecord, RunRelation, SubjectRun};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::{SessionArgs, failure};

/// The accepted relations that the last run found violated, or the run of a name, by the subject and what they say.
pub(super) fn violated_before(
    session: &SessionArgs,
    name: Option<&str>,
) -> Result<BTreeSet<(PathBuf, String)>, Failure> {
    if !dodona_session::file_in(&session.folder).exists() {
        return Ok(BTreeSet::new());
    }
    let runs = match name {
        Some(name) => {
            let run = dodona_session::named_run(&session.folder, name).map_err(failure)?;
            let none =
                || Failure::usage(format!("no run is kept as {name}; `dodona run --name {name}` keeps one"));
            vec![run.ok_or_else(none)?]
        }
        None => dodona_session::runs_with_records(&session.folder).map_err(failure)?,
    };
    // Of each subject the last run that judged it.
    let (mut seen, mut known) = (BTreeSet::new(), BTreeSet::new());
    for record in runs.into_iter().filter_map(|run| run.record) {
        let judged = record.subjects.iter().filter(|subject| subject.relations().next().is_some());
        let new: BTreeSet<PathBuf> = judged.map(|subject| whole_path(&subject.manifest)).collect();
        let of_new = |(manifest, _): &(&str, &RunRelation)| !seen.contains(&whole_path(manifest));
        let said =
            |(manifest, relation): (&str, &RunRelation)| (whole_path(manifest), relation.check.text.clone());
        known.extend(violated(&record).filter(of_new).map(said));
        seen.extend(new);
    }
    Ok(known)
}

/// The path of a manifest, however it is spelled.
fn whole_path(manifest: &str) -> PathBuf {
    std::fs::canonicalize(manifest).unwrap_or_else(|_| PathBuf::from(manifest))
}

/// The accepted relations that are violated, with the manifests of their subjects.
fn violated(record: &RunRecord) -> impl Iterator<Item = (&str, &RunRelation)> {
    record.subjects.iter().flat_map(|subject| subject.violated().map(|one| (subject.manifest.as_str(), one)))
}

/// What the accepted relations and what is left say, where these violations are known. Relations that were found are nobody's promise yet.
pub(super) fn verdict(record: &RunRecord, known: &BTreeSet<(PathBuf, String)>) -> Exit {
    let relations = || record.subjects.iter().flat_map(SubjectRun::relations);
    let accepted = || record.subjects.iter().flat_map(SubjectRun::accepted);
    let untested = [RelationVerdict::NeverEligible, RelationVerdict::OnlyAllowed];
    let is_new = |(manifest, relation): &(&str, &RunRelation)| {
        !known.contains(&(whole_path(manifest), relation.check.text.clone()))
    };
    let against = || record.subjects.iter().filter_map(|subject| subject.against.as_ref());
    if violated(record).any(|one| is_new(&one)) {
        Exit::Violated
    } else if record.subjects.iter().any(|subject| !subject.left.is_empty()) {
        Exit::Budget
    } else if relations().next().is_none()
        || accepted().any(|r| untested.contains(&r.verdict()))
        || record.subjects.iter().any(|subject| subject.unread > 0)
        || against().any(|against| against.compared == 0)
    {
        Exit::Usage
    } else {
        Exit::Success
    }
}
