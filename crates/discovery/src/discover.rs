//! One discovery from its first source input to its record.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use dodona_inference::discovery::relation_words;
use dodona_mutation::stand_in_for;
use dodona_records::{Binding, DiscoveryPairs, DiscoveryProof, DiscoveryRecord, DiscoveryStop, LeftOut};
use dodona_target::{Interruption, Until, Value, nearest_float};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, pool::is_asked_for};

use crate::bounded::bounded;
use crate::chosen::Chosen;
use crate::collect::{Budget, MutantSplit};
use crate::confirm::Confirmations;
use crate::evidence::{self, Evidence, evidence};
use crate::executions::{Executions, PreparedSearches};
use crate::forms::{forms, laws};
use crate::generalise::generalised;
use crate::measure::Measures;
use crate::order::Ordered;
use crate::relation_test::Confirmed;
use crate::search::Searches;
use crate::snapshot::{begun, untested};
use crate::sources::{SourceInputs, sources};
use crate::target::DiscoveryTarget;
use crate::tuning::{COMPARISONS_SHARE, FORMS_SHARE, LEAST_FORMS_SHARE, PATIENCE, SOURCES_SHARE};
use crate::watch::Watch;
use crate::{DiscoverOptions, DiscoverProgress, Stage};

/// Discovers relations of a function under test, given by its index.
///
/// Source inputs are generated and run. Mutants provide incorrect executions, and input transformations provide follow-up inputs.
/// Under each transformation output relations are enumerated and evolved, chosen by the mutants that they kill, and tested on
/// inputs that the search has not seen. An input that refutes a relation joins the executions, and the search goes on.
///
/// # Errors
/// When the function has no output or parameter, a faulty version lacks it, is not deterministic, no input returns, files cannot be read, or the host fails.
///
/// # Panics
/// When there is no such function, or for settings that do not pass [`Settings::check`](dodona_inference::discovery::Settings::check).
pub fn discover(
    workbench: &Arc<Workbench>,
    function: usize,
    options: &DiscoverOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<DiscoveryRecord, LabError> {
    stand_in_for(&options.versions, &BTreeSet::from([function]))?;
    let watch = Watch::start(options.time, interrupted);
    progress(&DiscoverProgress::of(Stage::Sources, watch.left()));
    let sources = source_inputs(workbench, function, options, &watch)?;
    let target = target(workbench, function, options, &watch)?;
    let budget = budget(&target, options, &sources);
    let begun = begun(&target, options, &sources);
    options.so_far.note(begun.clone());
    let laws = laws(&target, options, &budget, &watch, progress)?;
    options.so_far.note(DiscoveryRecord { unconfirmed: untested(&laws), ..begun });
    // With this fault, tests see what is told of a discovery that is ended in the middle of a step.
    while is_asked_for("stuck") {
        std::thread::sleep(Duration::from_secs(1));
    }
    let executions = match sources.len() {
        0 => Executions::none(budget),
        _ => Executions::collect(&target, options, &sources, &budget, &watch, progress)?,
    };
    let PreparedSearches { searches, mutated, pairs, budget, warnings } =
        executions.into_searches(workbench.functions(), function, options)?;
    let mut searches = Searches::new(&target, options, &watch, &sources, searches, budget);
    searches.find_steep()?;
    let (confirmations, measures) = (Confirmations::default(), Measures::default());
    let mut discovery = Discovery {
        searches,
        laws,
        mutated,
        pairs,
        confirmations,
        measures,
        left_out: LeftOut::default(),
        warnings,
        progress,
    };
    let (stop, tested) = discovery.run()?;
    let (confirmed, unconfirmed): (Vec<Confirmed>, Vec<Confirmed>) =
        tested.into_iter().partition(|one| one.is_confirmed);
    let evidence = discovery.evidence(confirmed)?;
    let unconfirmed = evidence::unconfirmed(&discovery.searches, &unconfirmed, &evidence.relations);
    Ok(discovery.record(stop, evidence, unconfirmed))
}

/// The source inputs; none after an interruption, because the user waits for a record even if it is empty, and none where not one call ended in its share of the
/// time: laws need no source inputs.
fn source_inputs(
    workbench: &Workbench,
    function: usize,
    options: &DiscoverOptions,
    watch: &Watch<'_>,
) -> Result<SourceInputs, LabError> {
    match sources(workbench, function, options, &watch.until(SOURCES_SHARE)) {
        Err(error) if error.is_stopped() => {
            if !watch.is_interrupted() {
                watch.clock_decided();
            }
            Ok(SourceInputs::none(&workbench.functions()[function]))
        }
        sources => sources,
    }
}

/// The function with its mutants and its constants.
fn target<'w>(
    workbench: &'w Arc<Workbench>,
    function: usize,
    options: &DiscoverOptions,
    watch: &Watch<'_>,
) -> Result<DiscoveryTarget<'w>, LabError> {
    // After an interruption the user waits, and no constants are looked for.
    let until = match watch.is_interrupted() {
        true => Until::default().within(Duration::ZERO),
        false => watch.until(COMPARISONS_SHARE),
    };
    let target = DiscoveryTarget::new(workbench, function, options, &until)?;
    if options.forms.patterns && until.is_up() && !watch.is_interrupted() {
        watch.clock_decided();
    }
    Ok(target)
}

/// How much may be run before transformations are chosen. Without a source input it is the least.
fn budget(target: &DiscoveryTarget<'_>, options: &DiscoverOptions, sources: &SourceInputs) -> Budget {
    let effort = if sources.len() == 0 { 0.0 } else { options.effort() };
    Budget::new(target.workbench, target.function, sources, 0, effort)
}

/// A constant of the code, if it is a number.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(nearest_float(*number)),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// The message that a run contradicts a proof.
fn contradiction(chosen: &Chosen, source: &[Binding]) -> String {
    let relation = chosen.relation.to_string();
    format!("a relation was proved, and {} violates it: {}", Binding::list(source), relation.trim())
}

/// The state of a running discovery.
pub(super) struct Discovery<'a, 'p> {
    pub(super) searches: Searches<'a>,
    /// The laws that were found before executions were collected, until they are measured.
    laws: Vec<Chosen>,
    pub(super) mutated: MutantSplit,
    /// How many executions were recorded.
    pub(super) pairs: DiscoveryPairs,
    confirmations: Confirmations,
    measures: Measures,
    /// What the last choice did not list.
    pub(super) left_out: LeftOut,
    pub(super) warnings: Vec<String>,
    progress: &'p mut dyn FnMut(&DiscoverProgress),
}

impl Discovery<'_, '_> {
    /// Searches, chooses and confirms, until there is nothing more to find.
    fn run(&mut self) -> Result<(DiscoveryStop, Vec<Confirmed>), LabError> {
        self.forms()?;
        self.searches.watch.begin_search(self.searches.options.for_evolution());
        self.searches.enumerate(self.progress)?;
        // The first choice runs candidates on new inputs, and could take what enumeration left of the time.
        if !self.searches.watch.may_enumerate() {
            self.searches.turn(self.progress)?;
        }
        let mut stop = self.search()?;
        loop {
            let dropped = self.searches.ledger.dropped_count();
            let best = self.best()?;
            if self.searches.ledger.dropped_count() > dropped && self.searches.watch.may_search() {
                // Other relations take the places of those that the mutation analysis refuted.
                self.searches.learn();
                self.count_forms();
                stop = self.search()?;
                continue;
            }
            let confirmed = self.confirm(&best)?;
            if confirmed.len() == best.len() {
                return Ok((stop, confirmed));
            }
            self.searches.learn();
            self.count_forms();
            // Without time for a search, other measured relations take their places.
            if self.searches.watch.may_go_on() {
                stop = self.search()?;
            }
        }
    }

    /// Looks for relations of known forms, and measures what they kill: the search has to find others.
    fn forms(&mut self) -> Result<(), LabError> {
        (self.progress)(&self.searches.told(Stage::Forms, 0, 0));
        let found = forms(&self.searches, &self.mutated.searched, std::mem::take(&mut self.laws))?;
        if found.is_empty() {
            return Ok(());
        }
        self.note(&[], untested(&found));
        self.searches.forms = found.iter().map(|form| form.relation.clone()).collect();
        let until = self.searches.watch.until_or_for(FORMS_SHARE, LEAST_FORMS_SHARE);
        self.measures.measure_all(&mut self.searches, &self.mutated.searched, found, &until)?;
        self.count_forms();
        Ok(())
    }

    /// The kills of relations of known forms are counted as long as none of these relations is refuted.
    fn count_forms(&mut self) {
        let killed = self.measures.killed_by_forms(&self.searches.ledger);
        self.searches.forms_kill.clear();
        self.searches.forms_kill.union_with(&killed);
    }

    /// The best of the chosen relations, by the mutants that they kill on new inputs.
    fn best(&mut self) -> Result<Vec<Chosen>, LabError> {
        let chosen = self.searches.ledger.chosen().len() as u64;
        (self.progress)(&self.searches.told(Stage::Filter, 0, chosen));
        self.measures.measure(&mut self.searches, &self.mutated.searched)?;
        let Searches { target, options, ledger, .. } = &self.searches;
        let known: Vec<f64> = target.constants.iter().filter_map(|(value, _)| number(value)).collect();
        let functions = target.workbench.functions();
        let held = self.measures.held(ledger);
        let orders: Vec<Ordered> = held.filter_map(|one| Ordered::of(&one.relation, functions)).collect();
        let follows = |chosen: &Chosen| {
            !chosen.is_textbook() && orders.iter().any(|order| order.implies(&chosen.relation, functions))
        };
        let is_told = |chosen: &Chosen| match chosen.transformation() {
            Some(transformation) => {
                let change = self.searches.under[transformation].transformation();
                relation_words(&functions[target.function], change, &chosen.relation).says_all
            }
            None => true,
        };
        let is_listed = |chosen: &Chosen| {
            let reads_well = || chosen.reads_well(functions, &known) && is_told(chosen);
            !follows(chosen) && (options.everything || reads_well())
        };
        let best = self.measures.best(ledger, options.relations, &is_listed);
        self.left_out = self.measures.left_out(ledger, (&best, options.relations), &is_listed);
        let searches = &mut self.searches;
        let improved = |chosen| {
            let general = generalised(searches, chosen)?;
            bounded(searches, general)
        };
        best.into_iter().map(improved).collect()
    }

    /// Tests the best relations; those that a test refutes are dropped.
    fn confirm(&mut self, best: &[Chosen]) -> Result<Vec<Confirmed>, LabError> {
        let confirmed = self.confirmations.confirm(&mut self.searches, best, self.progress)?;
        for one in best {
            if confirmed.iter().all(|passed| passed.chosen.relation != one.relation) {
                self.searches.ledger.dropped(one.relation.to_string());
            }
        }
        let (passed, open): (Vec<Confirmed>, Vec<Confirmed>) =
            confirmed.iter().cloned().partition(|one| one.is_confirmed);
        self.note(&passed, evidence::unconfirmed(&self.searches, &open, &[]));
        Ok(confirmed)
    }

    /// Chooses relations and evolves populations in turns, as long as that gains something.
    fn search(&mut self) -> Result<DiscoveryStop, LabError> {
        let mut rounds = 0;
        let mut best = 0;
        loop {
            self.searches.choose(self.progress)?;
            let killed = self.searches.ledger.killed().count_ones(..);
            if killed > best {
                (best, rounds) = (killed, 0);
                self.searches.gained();
            }
            if let Some(stop) = self.stop(rounds) {
                return Ok(stop);
            }
            rounds += 1;
            if !self.searches.turn(self.progress)? {
                return Ok(DiscoveryStop::GenerationsRun { generations: self.generations() });
            }
        }
    }

    fn stop(&self, rounds: u64) -> Option<DiscoveryStop> {
        let Searches { reach, options, watch, ledger, .. } = &self.searches;
        if watch.is_interrupted() {
            Some(DiscoveryStop::Interrupted { generations: self.generations() })
        } else if reach.is_subset(ledger.killed()) && reach.count_ones(..) > 0 {
            Some(DiscoveryStop::EverythingCaught { mutants: reach.count_ones(..) as u64 })
        } else if !watch.may_search() {
            Some(DiscoveryStop::TimeSpent { seconds: options.time.unwrap_or_default().as_secs_f64() })
        } else if rounds >= PATIENCE {
            Some(DiscoveryStop::NothingGained { rounds })
        } else {
            None
        }
    }

    /// How many generations all searches ran together.
    pub(super) fn generations(&self) -> u64 {
        self.searches.states().map(|state| u64::from(state.generation)).sum()
    }

    /// The relations with their evidence. A relation that mutation analysis finds violated on the original is withdrawn, and the others are
    /// run again.
    fn evidence(&mut self, mut confirmed: Vec<Confirmed>) -> Result<Evidence, LabError> {
        loop {
            let found = evidence(&self.searches, &self.mutated, &confirmed)?;
            if found.violated.is_empty() {
                return Ok(found);
            }
            for violation in found.violated.into_iter().rev() {
                let Confirmed { chosen, proof, .. } = confirmed.remove(violation.place);
                self.searches.ledger.withdrawn(chosen.relation.to_string());
                self.searches.refute_chosen(&chosen, &violation.source)?;
                if matches!(proof, DiscoveryProof::ProvedWithin { .. }) {
                    self.searches.ledger.contradicted([contradiction(&chosen, &violation.source)]);
                }
            }
        }
    }
}
