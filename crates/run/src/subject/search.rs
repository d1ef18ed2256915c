//! The relations that are found of functions that nobody wrote one for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_records::{DiscoveryRecord, statement};
use dodona_session::{Key, KeyBuilder};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, called};
use serde::{Deserialize, Serialize};

use super::{Run, unless_interrupted};
use crate::kept::{Made, Piece};
use crate::steps::discovered;
use crate::{DISCOVERY_SLACK, RunError, Step};

/// The part of the time that searches for relations share as counted work.
const DISCOVERY_SHARE: f64 = 0.25;

/// The part of the time after which the clock ends one search, whatever its share.
const LONGEST_SEARCH: f64 = 0.75;

/// The least time of one search: in less hardly anything is found.
const LEAST_SEARCH: Duration = Duration::from_secs(2);

/// Which other functions the relations of a search call.
#[derive(Debug, Deserialize, Serialize)]
struct Others {
    functions: Vec<String>,
}

impl Piece for Others {}

/// A relation that was found, until it is checked.
pub(super) struct Found {
    text: String,
    pub(super) words: String,
}

impl Run<'_, '_, '_> {
    /// The relations that are found of functions that no accepted relation calls.
    pub(super) fn found(&mut self) -> Result<Vec<Found>, RunError> {
        let has_relation: BTreeSet<usize> =
            self.workbench.relations.iter().flat_map(|loaded| called(&loaded.relation)).collect();
        let functions = self.workbench.functions().len();
        // Of all functions: what was found of one is found again, whichever of the others have relations by then.
        let time = self.how.options.time.mul_f64(DISCOVERY_SHARE);
        let share = (time / functions.max(1) as u32).max(LEAST_SEARCH);
        let clock = (share * DISCOVERY_SLACK).min(self.how.options.time.mul_f64(LONGEST_SEARCH)).max(share);
        self.planned += (0..functions).filter(|function| !has_relation.contains(function)).count() as u64;
        let (mut names, mut said) = (BTreeSet::new(), BTreeSet::new());
        for loaded in self.workbench.relations.iter() {
            names.insert(loaded.relation.name().to_owned());
            said.insert(statement(loaded.relation.text(), loaded.relation.name()).to_owned());
        }
        let mut found = Vec::new();
        for function in 0..functions {
            let (workbench, how) = (self.workbench, self.how);
            let key = self.depends.begin(Step::Discover.name()).with(self.depends.code(function).bytes());
            let key = key.with(share.as_nanos().to_le_bytes()).with(clock.as_nanos().to_le_bytes());
            let record = self.discovered(function, key, has_relation.contains(&function), || {
                discovered(workbench, function, [share, clock], how)
            })?;
            let Some(record) = record else { continue };
            if record.time_decided {
                let why = "the clock ended the search, so that another run may find others";
                self.record.warnings.push(format!("{}: {why}", record.function));
            }
            self.record.contradictions.extend(record.contradictions.iter().cloned());
            for relation in record.relations {
                // A law that calls a function which has another name or type by now is none.
                let is_valid = self.workbench.with_relations(&relation.text).is_ok();
                if is_valid && said.insert(statement(&relation.text, &relation.name).to_owned()) {
                    let text = named(&relation.text, &relation.name, &mut names);
                    found.push(Found { text, words: relation.words });
                }
            }
        }
        self.planned += found.len() as u64;
        Ok(found)
    }

    /// What a search finds of a function. It depends on the function's own code, and on that of the other functions that its relations call: which these are is known when it
    /// has ended, and is kept beside it.
    fn discovered(
        &mut self,
        function: usize,
        key: KeyBuilder,
        is_kept_only: bool,
        search: impl FnOnce() -> Result<Made<DiscoveryRecord>, LabError>,
    ) -> Result<Option<DiscoveryRecord>, RunError> {
        let name = self.name(function);
        let others_key = key.clone().with("others").key();
        let others: Option<Others> = self.kept.find(others_key)?;
        let whole = |run: &mut Self, others: &Others| {
            let mut key = key.clone();
            for name in &others.functions {
                let code = run.workbench.function(name).ok().map(|other| run.depends.code(other));
                key = key.with(name).with(code.as_ref().map(Key::bytes).unwrap_or_default());
            }
            key.key()
        };
        if let Some(others) = &others {
            let key = whole(self, others);
            if let Some(record) = self.kept.find(key)? {
                self.done += u64::from(!is_kept_only);
                return Ok(Some(record));
            }
        }
        // What an earlier run found and nobody accepted is still found; nothing more is looked for where relations are accepted.
        if is_kept_only {
            return Ok(None);
        }
        let begun = Instant::now();
        self.begin(Step::Discover, &name);
        let made = unless_interrupted(self.how.interrupted, search);
        if let Ok(Made { result, is_whole: true }) = &made {
            let others = Others { functions: self.others(function, result) };
            let key = whole(self, &others);
            self.kept.keep(key, Step::Discover.name(), &name, begun.elapsed(), result);
            self.kept.replace(others_key, "others", &name, &others);
        }
        self.settle(Step::Discover, &name, made.map_err(RunError::from))
    }

    /// The other functions that the relations of a search call, by name.
    fn others(&self, function: usize, record: &DiscoveryRecord) -> Vec<String> {
        let mut others = BTreeSet::new();
        for relation in &record.relations {
            if let Ok(workbench) = self.workbench.with_relations(&relation.text) {
                others.extend(workbench.relations.iter().flat_map(|loaded| called(&loaded.relation)));
            }
        }
        others.remove(&function);
        others.into_iter().map(|other| self.name(other)).collect()
    }

    /// The subject with the accepted relations and those that were found.
    pub(super) fn together(&self, found: &[Found]) -> Result<Arc<Workbench>, LabError> {
        let accepted = self.workbench.relations.iter().map(|loaded| loaded.relation.text());
        let texts: Vec<&str> = accepted.chain(found.iter().map(|one| one.text.as_str())).collect();
        Ok(Arc::new(self.workbench.with_relations(&texts.join("\n"))?))
    }
}

/// The text of a relation, with another name if its own is taken.
fn named(text: &str, name: &str, taken: &mut BTreeSet<String>) -> String {
    if taken.insert(name.to_owned()) {
        return text.to_owned();
    }
    let numbered = (2..).map(|number| format!("{name}_{number}")).find(|name| taken.insert(name.clone()));
    match (numbered, text.trim_start().strip_prefix(&format!("relation {name}"))) {
        (Some(numbered), Some(rest)) => format!("relation {numbered}{rest}"),
        _ => text.to_owned(),
    }
}
