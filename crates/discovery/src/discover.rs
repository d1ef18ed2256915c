//! One discovery from its first source input to its record.

use std::sync::Arc;

use dodona_evidence::{
    Binding, DiscoveryPairs, DiscoveryProof, DiscoveryRecord, DiscoverySearch, DiscoveryStop, DiscoveryWork,
    FORMAT_VERSION, FilterStep,
};
use dodona_evolution::discovery::{Pairs, Transformation};
use dodona_generation::constants;
use dodona_subject::splitmix64;
use dodona_workbench::{Interruption, LabError, Workbench};

use crate::chosen::Chosen;
use crate::collect::{Budget, CollectOptions, Collected, Mutated, collect, useful};
use crate::confirm::{Confirmed, Steps, confirm};
use crate::evidence::Evidence;
use crate::measure::Measures;
use crate::search::{Searches, Tried};
use crate::sources::Sources;
use crate::target::Target;
use crate::watch::{END, EXECUTIONS_SHARE, SOURCES_SHARE, Watch};
use crate::{DiscoverOptions, DiscoverProgress, Stage, evidence, measure, sources};

/// After how many rounds without a gain the search ends.
const PATIENCE: u64 = 8;

const NOTHING_TO_SEARCH: &str = "no input transformation has a pair of executions in which both calls return: the domains hold \
    nothing to change an input to, or every follow-up call fails";

const NO_TIME_TO_SEARCH: &str = "the time was up before the search could begin: running the function and its mutants took all of \
    it; give more with --time, or fewer --mutants, --inputs or --executions";

/// Discovers relations of a function under test, given by its index.
///
/// Source inputs are generated and run. Mutants provide incorrect executions, and input transformations provide follow-up inputs.
/// Under each transformation output relations are enumerated and evolved, chosen by the mutants that they kill, and tested on
/// inputs that the search has not seen. An input that refutes a relation joins the executions, and the search goes on.
///
/// # Errors
/// When the function has no output or parameter, is not deterministic, no input returns, files cannot be read, or the host fails.
///
/// # Panics
/// When there is no such function, or for settings that do not pass [`Settings::check`](dodona_evolution::discovery::Settings::check).
pub fn discover(
    workbench: &Arc<Workbench>,
    function: usize,
    options: &DiscoverOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<DiscoveryRecord, LabError> {
    let watch = Watch::start(options.time, interrupted);
    progress(&DiscoverProgress::of(Stage::Sources, watch.left()));
    let until = watch.until(SOURCES_SHARE);
    let sources = match sources::sources(workbench, function, options, &until) {
        // After an interruption the user waits for a record, so there is one even if it is empty.
        Err(error) if error.is_stopped() && watch.is_interrupted() => {
            Sources::none(&workbench.manifest.functions[function])
        }
        sources => sources?,
    };
    let target = Target::new(workbench, function, options)?;
    let mut collected = match sources.len() {
        0 => Executions::none(workbench, function, &sources),
        _ => executions(&target, options, &sources, &watch, progress)?,
    };
    let pairs = collected.count();
    let tried = tried(workbench, options, &mut collected)?;
    let Executions { collected, .. } = collected;
    let searches = Searches::new(&target, options, (&watch, interrupted), tried, collected.budget);
    let (mutated, warnings) = (collected.mutated, collected.warnings);
    let (steps, measures) = (Steps::new(), Measures::default());
    let mut discovery =
        Discovery { searches, mutated, pairs, steps, measures, sources: &sources, warnings, progress };
    let (stop, confirmed) = discovery.run()?;
    discovery.record(stop, confirmed)
}

/// The transformations, and the executions under each.
struct Executions {
    transformations: Vec<Transformation>,
    collected: Collected,
}

impl Executions {
    /// No executions.
    fn none(workbench: &Workbench, function: usize, sources: &Sources) -> Executions {
        let budget = Budget::new(workbench, function, sources, 0, 0.0);
        let collected =
            Collected { mutated: Mutated::default(), pairs: Vec::new(), budget, warnings: Vec::new() };
        Executions { transformations: Vec::new(), collected }
    }

    fn count(&self) -> DiscoveryPairs {
        let pairs = &self.collected.pairs;
        DiscoveryPairs {
            correct: pairs.iter().map(|p| p.correct as u64).sum(),
            incorrect: pairs.iter().map(|p| p.mutants.len() as u64).sum(),
        }
    }
}

/// Makes the follow-up inputs, and runs the original and its mutants on all inputs.
fn executions(
    target: &Target<'_>,
    options: &DiscoverOptions,
    sources: &Sources,
    watch: &Watch<'_>,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<Executions, LabError> {
    let (workbench, function) = (target.workbench, target.function);
    let constants = constants(workbench, function);
    let most = options.transformations;
    let transformations = useful(workbench, function, sources, &constants, most, options.seed.0)?;
    let mut transformations = named(transformations, &options.only)?;
    transformations
        .truncate(Budget::new(workbench, function, sources, 0, options.effort()).transformations());
    let how = CollectOptions {
        executions: options.executions,
        hold_out: options.hold_out,
        mutants: options.mutants,
        analysis: target.mutate_options(options),
        constants,
        seed: options.seed,
        effort: options.effort(),
    };
    let mut told = |done, planned| {
        progress(&DiscoverProgress {
            done,
            planned,
            ..DiscoverProgress::of(Stage::Executions, watch.left())
        });
    };
    let until = watch.until(EXECUTIONS_SHARE);
    let collected = collect(target, sources, &transformations, &how, &until, &mut told)?;
    if until.is_up() {
        watch.decides();
    }
    Ok(Executions { transformations, collected })
}

/// The transformations with these names; all if no name is given.
fn named(all: Vec<Transformation>, names: &[String]) -> Result<Vec<Transformation>, LabError> {
    if let Some(name) = names.iter().find(|name| !all.iter().any(|t| t.name == **name)) {
        let known = all.into_iter().take(8).map(|t| t.name).collect();
        return Err(LabError::UnknownTransformation { name: name.clone(), known });
    }
    Ok(all.into_iter().filter(|t| names.is_empty() || names.contains(&t.name)).collect())
}

/// The progress of the search under one transformation.
fn reached(tried: &Tried) -> DiscoverySearch {
    DiscoverySearch {
        transformation: tried.transformation.name.clone(),
        generations: tried.search.state().generation.into(),
        false_negatives: tried.false_negatives(),
    }
}

/// The message that a run contradicts a proof.
fn contradiction(chosen: &Chosen, source: &[Binding]) -> String {
    let relation = chosen.relation.to_string();
    format!("a relation was proved, and {} violates it: {}", Binding::list(source), relation.trim())
}

/// Makes a search for each transformation; moves the executions into the searches.
fn tried(
    workbench: &Workbench,
    options: &DiscoverOptions,
    executions: &mut Executions,
) -> Result<Vec<Tried>, LabError> {
    let all = std::mem::take(&mut executions.transformations);
    let pairs = std::mem::take(&mut executions.collected.pairs);
    let mut tried = Vec::new();
    let mut too_many = 0;
    for (index, (transformation, pairs)) in all.into_iter().zip(pairs).enumerate() {
        if pairs.variables.len() > Pairs::MOST_VARIABLES {
            too_many += 1;
            continue;
        }
        // Without a correct execution, nothing shows which relations hold.
        if pairs.correct > 0 {
            let seed = splitmix64(options.seed.0 ^ splitmix64(index as u64));
            tried.extend(Tried::new(workbench, transformation, pairs, options, seed)?);
        }
    }
    if too_many > 0 {
        executions.collected.warnings.push(format!(
            "{too_many} input transformations are left out: with what they change there are more than {} variables",
            Pairs::MOST_VARIABLES
        ));
    }
    Ok(tried)
}

/// The state of a running discovery.
struct Discovery<'a, 'p> {
    searches: Searches<'a>,
    mutated: Mutated,
    /// How many executions were recorded.
    pairs: DiscoveryPairs,
    steps: Steps,
    measures: Measures,
    sources: &'a Sources,
    warnings: Vec<String>,
    progress: &'p mut dyn FnMut(&DiscoverProgress),
}

impl Discovery<'_, '_> {
    /// Searches, chooses and confirms, until there is nothing more to find.
    fn run(&mut self) -> Result<(DiscoveryStop, Vec<Confirmed>), LabError> {
        self.searches.watch.begin_search();
        self.searches.enumerate(self.progress)?;
        let mut stop = self.search()?;
        loop {
            let dropped = self.searches.dropped.len();
            let best = self.best()?;
            if self.searches.dropped.len() > dropped && self.searches.watch.searches() {
                // Other relations take the places of those that the mutation analysis refuted.
                self.searches.learn();
                stop = self.search()?;
                continue;
            }
            let starts = &self.sources.columns;
            let confirmed = confirm(&mut self.searches, &best, starts, &mut self.steps, self.progress)?;
            if confirmed.len() == best.len() {
                return Ok((stop, confirmed));
            }
            let is_refuted = |one: &&Chosen| confirmed.iter().all(|c| c.chosen.relation != one.relation);
            self.searches.dropped.extend(best.iter().filter(is_refuted).map(|one| one.relation.to_string()));
            self.searches.learn();
            // Without time for a search, other measured relations take their places.
            if self.searches.watch.goes_on() {
                stop = self.search()?;
            }
        }
    }

    /// The best of the chosen relations, by the mutants that they kill on new inputs.
    fn best(&mut self) -> Result<Vec<Chosen>, LabError> {
        let chosen = self.searches.chosen.len() as u64;
        (self.progress)(&self.searches.told(Stage::Filter, 0, chosen));
        self.measures.measure(&mut self.searches, &self.mutated.searched)?;
        Ok(self.measures.best(&self.searches.dropped, self.searches.options.relations))
    }

    /// Chooses relations and evolves populations in turns, as long as that gains something.
    fn search(&mut self) -> Result<DiscoveryStop, LabError> {
        let mut rounds = 0;
        let mut best = 0;
        loop {
            self.searches.choose(self.progress)?;
            let caught = self.searches.caught.count_ones(..);
            if caught > best {
                (best, rounds) = (caught, 0);
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
        let searches = &self.searches;
        let reach = &searches.reach;
        let options = searches.options;
        if searches.watch.is_interrupted() {
            Some(DiscoveryStop::Interrupted { generations: self.generations() })
        } else if reach.is_subset(&searches.caught) && reach.count_ones(..) > 0 {
            Some(DiscoveryStop::EverythingCaught { mutants: reach.count_ones(..) as u64 })
        } else if !searches.watch.searches() {
            Some(DiscoveryStop::TimeSpent { seconds: options.time.unwrap_or_default().as_secs_f64() })
        } else if rounds >= PATIENCE {
            Some(DiscoveryStop::NothingGained { rounds })
        } else {
            None
        }
    }

    fn generations(&self) -> u64 {
        self.searches.tried.iter().map(|t| u64::from(t.search.state().generation)).sum()
    }

    /// The relations with their evidence. A relation that mutation analysis finds violated on the original is withdrawn, and the others are
    /// run again.
    fn evidence(&mut self, mut confirmed: Vec<Confirmed>) -> Result<Evidence, LabError> {
        let (target, options, watch) = (self.searches.target, self.searches.options, self.searches.watch);
        loop {
            let bounds = (&self.mutated, &self.searches.budget);
            let tried = &self.searches.tried;
            let found = evidence::evidence(target, &confirmed, tried, bounds, options, &watch.until(END))?;
            if found.violated.is_empty() {
                return Ok(found);
            }
            for violation in found.violated.into_iter().rev() {
                let one = confirmed.remove(violation.place);
                self.searches.withdraw();
                measure::refute(&mut self.searches, &one.chosen, &violation.source)?;
                if matches!(one.proof, DiscoveryProof::ProvedWithin { .. }) {
                    self.steps.contradictions.push(contradiction(&one.chosen, &violation.source));
                }
            }
        }
    }

    /// What went wrong, or was left out, beside the relations.
    fn told_beside(&self, evidence: &Evidence) -> Vec<String> {
        let watch = self.searches.watch;
        let mut warnings = [self.sources.warnings.as_slice(), &self.warnings].concat();
        if evidence.left > 0 {
            warnings.push(format!(
                "there was no time to run the relations on {} of the mutants: they may catch more",
                evidence.left
            ));
        }
        if self.searches.tried.is_empty() && !watch.is_interrupted() {
            let why = if watch.has_decided() { NO_TIME_TO_SEARCH } else { NOTHING_TO_SEARCH };
            warnings.push(why.to_owned());
        }
        warnings
    }

    /// The steps of the filter, in their order. Steps that nothing was put to are left out.
    fn filter(&self) -> Vec<FilterStep> {
        let (searches, steps) = (&self.searches, &self.steps);
        let mut filter = vec![searches.screened.clone()];
        filter.extend((searches.measured.tried > 0).then(|| searches.measured.clone()));
        filter.extend([steps.fresh.clone(), steps.search.clone()]);
        // Without time or without a solver, there was no attempt to prove anything.
        filter.extend((steps.symbolic.tried > 0).then(|| steps.symbolic.clone()));
        filter
    }

    fn work(&self) -> DiscoveryWork {
        let states = || self.searches.tried.iter().map(|t| t.search.state());
        DiscoveryWork {
            enumerated: states().map(|s| s.enumerated).sum(),
            evaluated: states().map(|s| s.evaluated).sum(),
            generations: self.generations(),
            seconds: self.searches.watch.elapsed().as_secs_f64(),
        }
    }

    /// The record: the relations with their evidence.
    fn record(mut self, stop: DiscoveryStop, confirmed: Vec<Confirmed>) -> Result<DiscoveryRecord, LabError> {
        let evidence = self.evidence(confirmed)?;
        let watch = self.searches.watch;
        if evidence.left > 0 {
            watch.decides();
        }
        // The user may have interrupted after the end of the search.
        let stop = match watch.is_interrupted() {
            true => DiscoveryStop::Interrupted { generations: self.generations() },
            false => stop,
        };
        let (warnings, filter, work) = (self.told_beside(&evidence), self.filter(), self.work());
        let Searches { target, options, tried, refuted, .. } = self.searches;
        let manifest = &target.workbench.manifest;
        Ok(DiscoveryRecord {
            format_version: FORMAT_VERSION,
            subject: manifest.name.clone(),
            manifest: manifest.path.display().to_string(),
            function: manifest.functions[target.function].name.clone(),
            seed: options.seed.0,
            stop,
            time_decided: self.sources.time_decided || watch.has_decided(),
            sources: self.sources.from.clone(),
            transformations: tried.len() as u64,
            searched_mutants: self.mutated.searched,
            held_out: self.mutated.held_out,
            held_out_caught: evidence.held_out_caught,
            pairs: self.pairs,
            work,
            searches: tried.iter().map(reached).collect(),
            filter,
            relations: evidence.relations,
            refuted,
            warnings,
            contradictions: [self.sources.contradictions.clone(), self.steps.contradictions].concat(),
        })
    }
}
