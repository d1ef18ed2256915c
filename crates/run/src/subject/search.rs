//! The relations that are found: by a search of functions that nobody wrote one for, of pairs of frames, and by composition.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_records::{
    CompositionRecord, CompositionStop, DiscoveryRecord, Finder, IdentificationRecord, IdentifiedRelation,
    MutantId, RelationVerdict,
};
use dodona_session::{Key, KeyBuilder};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, called};
use serde::{Deserialize, Serialize};

use super::{Judged, OfFrames, Run, unless_interrupted};
use crate::found::{Found, Gathered};
use crate::kept::{Made, Piece};
use crate::steps::{composed, discovered, identified};
use crate::{DISCOVERY_SLACK, RunError, RunOptions, Step};

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

/// How long the searches for relations may take.
#[derive(Clone, Copy)]
struct Times {
    /// The counted work of a search of one function.
    share: Duration,
    /// The clock that ends a search, whatever its share.
    clock: Duration,
}

/// The counted work of the search of one function, of so many. All functions have a share: what was found of one is found again, whichever of the others have relations by then.
pub(crate) fn search_share(options: &RunOptions, functions: usize) -> Duration {
    let time = options.time.mul_f64(DISCOVERY_SHARE);
    (time / functions.max(1) as u32).max(LEAST_SEARCH)
}

impl Run<'_, '_, '_> {
    /// The relations that are found of these functions: where no accepted relation calls one, and compositions of accepted relations that hold.
    pub(super) fn found(
        &mut self,
        wanted: &BTreeSet<usize>,
        accepted: &[Judged],
    ) -> Result<Vec<Found>, RunError> {
        let has_relation: BTreeSet<usize> =
            self.workbench.relations.iter().flat_map(|loaded| called(&loaded.relation)).collect();
        let functions = self.workbench.functions().len();
        let share = search_share(self.how.options, functions);
        let clock = (share * DISCOVERY_SLACK).min(self.how.options.time.mul_f64(LONGEST_SEARCH)).max(share);
        let times = Times { share, clock };
        self.planned += wanted.difference(&has_relation).count() as u64;
        let mut gathered = Gathered::beside(&self.workbench.relations);
        for &function in wanted {
            self.discover(function, times, has_relation.contains(&function), &mut gathered)?;
        }
        self.identify(times, wanted, &has_relation, &mut gathered)?;
        for &function in wanted {
            self.compose(function, times, accepted, &mut gathered)?;
        }
        self.planned += gathered.found.len() as u64;
        Ok(gathered.found)
    }

    /// Looks for relations of one function.
    fn discover(
        &mut self,
        function: usize,
        Times { share, clock }: Times,
        is_kept_only: bool,
        gathered: &mut Gathered,
    ) -> Result<(), RunError> {
        let (workbench, how) = (self.workbench, self.how);
        let key = self.depends.begin(Step::Discover.name()).with(self.depends.code(function).bytes());
        let key = key.with(share.as_nanos().to_le_bytes()).with(clock.as_nanos().to_le_bytes());
        let record = self.discovered(function, key, is_kept_only, || {
            discovered(workbench, function, [share, clock], how)
        })?;
        let Some(record) = record else { return Ok(()) };
        if record.time_decided {
            self.clock_decided(Step::Discover, &record.function);
        }
        self.record.contradictions.extend(record.contradictions.iter().cloned());
        for relation in record.relations {
            let text = (relation.text.as_str(), relation.name.as_str());
            gathered.add(workbench.functions(), text, Some(relation.words), Finder::Discovery);
        }
        Ok(())
    }

    /// Looks for relations of pairs of frames, where the function has categories and choices.
    fn identify(
        &mut self,
        Times { clock, .. }: Times,
        wanted: &BTreeSet<usize>,
        has_relation: &BTreeSet<usize>,
        gathered: &mut Gathered,
    ) -> Result<(), RunError> {
        let is_wanted = |frames: &Arc<OfFrames>| wanted.contains(&frames.framed.function);
        let Some(frames) = self.frames.clone().filter(is_wanted) else { return Ok(()) };
        let (function, how) = (frames.framed.function, self.how);
        let name = self.name(function);
        let key = self.depends.begin(Step::Identify.name()).with(self.depends.code(function).bytes());
        let key = key.with(&frames.text).with(clock.as_nanos().to_le_bytes()).key();
        let record: Option<IdentificationRecord> = match has_relation.contains(&function) {
            // As of a search: what was found once is still found.
            true => self.kept.find(key)?,
            false => {
                self.planned += 1;
                self.piece(Step::Identify, &name, key, || identified(&frames.framed, clock, how))?
            }
        };
        let Some(record) = record else { return Ok(()) };
        if record.relations.iter().any(|relation| !relation.confirmed) {
            self.clock_decided(Step::Identify, &name);
        }
        for IdentifiedRelation { text, name, .. } in &record.relations {
            gathered.add(self.workbench.functions(), (text, name), None, Finder::Identification);
        }
        Ok(())
    }

    /// Composes the accepted relations of a function that hold. Of the compositions those are found that catch a mutant which no relation before caught.
    fn compose(
        &mut self,
        function: usize,
        Times { clock, .. }: Times,
        accepted: &[Judged],
        gathered: &mut Gathered,
    ) -> Result<(), RunError> {
        let holds =
            |one: &&Judged| one.function == function && one.relation.verdict() == RelationVerdict::Holds;
        let names: Vec<String> =
            accepted.iter().filter(holds).map(|one| one.relation.name().to_owned()).collect();
        if names.len() < 2 {
            return Ok(());
        }
        let mut key = self.depends.begin(Step::Compose.name()).with(self.depends.code(function).bytes());
        key = key.with(clock.as_nanos().to_le_bytes());
        for loaded in self.workbench.relations.iter() {
            if names.iter().any(|name| name == loaded.relation.name()) {
                key = key.with(self.depends.relation(loaded).bytes());
            }
        }
        self.planned += 1;
        let (workbench, how, name) = (self.workbench, self.how, self.name(function));
        let make = || composed(workbench, function, names, clock, how);
        let record: Option<Option<CompositionRecord>> = self.piece(Step::Compose, &name, key.key(), make)?;
        let Some(record) = record.flatten() else { return Ok(()) };
        if matches!(record.stop, CompositionStop::TimeSpent { .. }) {
            self.clock_decided(Step::Compose, &name);
        }
        self.record.contradictions.extend(record.contradictions.iter().cloned());
        let mut known: BTreeSet<MutantId> = record.given.killed.iter().copied().collect();
        let chosen = record.relations.iter().filter(|relation| record.chosen.contains(&relation.name));
        for relation in chosen {
            let before = known.len();
            known.extend(&relation.killed);
            if known.len() > before {
                let of = |place: &u64| record.basics.get((*place as usize).saturating_sub(1));
                let parts: Vec<&str> =
                    relation.sequence.iter().filter_map(of).map(|basic| basic.name.as_str()).collect();
                let words = format!("composed of {}", parts.join(" and then "));
                let text = (relation.text.as_str(), relation.name.as_str());
                gathered.add(workbench.functions(), text, Some(words), Finder::Composition);
            }
        }
        Ok(())
    }

    /// Notes that the result of a search depends on the machine.
    fn clock_decided(&mut self, step: Step, about: &str) {
        let why = "the clock ended it, so that another run may find others";
        self.record.warnings.push(format!("{} of {about}: {why}", step.name()));
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
