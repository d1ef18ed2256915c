//! The searches under all input transformations, and the set of relations that is chosen from what they find.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use dodona_evidence::{DiscoveryRecord, FilterStep, RefutedRelation};
use dodona_evolution::discovery::{Candidate, Choice, Origin, Search, SearchKind, Transformation};
use dodona_relations::ast;
use dodona_sources::Seed;
use dodona_subject::Value;
use fixedbitset::FixedBitSet;

use super::candidate;
use super::counterexample::{Observed, Probe};
use super::filter::Fresh;
use super::parallel::each_while;
use super::watch::Watch;
use super::{DiscoverOptions, DiscoverProgress, Stage};
use crate::{LabError, LoadedRelation, SubjectCaller, Workbench, explain};

/// New inputs on which every relation is run before it counts; those that are chosen are run on many more.
/// A tenth where each call gets a fresh instance.
const SCREENED: u64 = 20_000;

/// Relations of one search that take part in a choice.
const CANDIDATES: usize = 60;

/// A relation is chosen for what it adds where that is more than one in so many of the mutants that could be caught.
const WORTH: usize = 100;

/// Where there is room, a relation is chosen that adds nothing, if it catches more than one in so many of what the best does.
const FURTHER: usize = 3;

/// Relations of one search that are refuted, before it is asked again: most of its others fall to the same inputs.
const REFUTED_AT_ONCE: usize = 4;

/// Generations of a search before others have their turn.
const TURN: u32 = 10;

/// The most nodes of the terms that are enumerated under every transformation before any search has a turn.
const FIRST_SIZE: usize = 5;

/// Searches that have a turn in one round: those that may gain most.
const TURNS: usize = 6;

/// One input transformation with its search.
pub(super) struct Tried {
    pub(super) transformation: Transformation,
    pub(super) search: Search,
    probe: Probe,
    /// Mutants with an incorrect execution under this transformation: those that a relation could catch.
    pub(super) within_reach: FixedBitSet,
    /// Executions that refuted relations, which the search does not know yet.
    learned: Observed,
    /// Turns without a gain.
    idle: u32,
    /// Whether enumeration went as far as it was asked to.
    is_enumerated: bool,
}

/// A relation that was chosen.
#[derive(Clone)]
pub(super) struct Chosen {
    /// The number of its transformation.
    pub(super) tried: usize,
    pub(super) relation: ast::Relation,
    pub(super) origin: Origin,
    /// The mutants that it catches in the recorded executions.
    caught: FixedBitSet,
}

/// A choice being made.
struct Trial {
    chosen: Vec<Chosen>,
    /// For each transformation how many relations were refuted.
    refuted: Vec<usize>,
}

impl Trial {
    fn new(transformations: usize) -> Trial {
        Trial { chosen: Vec::new(), refuted: vec![0; transformations] }
    }

    /// Drops each relation that a later one of its transformation makes needless: that catches all it catches, and half as many
    /// again. Where it is less, the simpler one stays beside it.
    fn drop_needless(&mut self) {
        let all = self.chosen.clone();
        let is_needless = |one: &Chosen| {
            let count = one.caught.count_ones(..);
            let covers = |c: &&Chosen| c.tried == one.tried && one.caught.is_subset(&c.caught);
            all.iter().filter(covers).any(|c| 2 * c.caught.count_ones(..) > 3 * count)
        };
        self.chosen.retain(|one| !is_needless(one));
    }

    /// Whether no relation of a transformation was chosen, and as many as were tried were refuted.
    fn is_open(&self, transformation: usize, tried: usize) -> bool {
        self.refuted[transformation] >= tried && self.chosen.iter().all(|c| c.tried != transformation)
    }
}

/// What is known of a relation by its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Passed,
    Refuted,
    /// No input was eligible.
    Vacuous,
}

/// The place of the candidate that comes next after so many of one search were refuted; where there are no mutants to tell them
/// apart by, the smaller come first.
fn nth_of(mine: &[&(usize, Candidate)], refuted: usize, no_mutants: bool) -> Option<usize> {
    if no_mutants {
        let mut order: Vec<usize> = (0..mine.len()).collect();
        order.sort_by_key(|&place| mine[place].1.size);
        return order.get(refuted).copied();
    }
    let mut choice = Choice::new(mine.iter().map(|(_, c)| (c.caught.clone(), c.size)).collect());
    (0..=refuted).filter_map(|_| choice.propose()).last()
}

/// All searches of a discovery.
pub(super) struct Searches<'a> {
    pub(super) workbench: &'a Workbench,
    pub(super) function: usize,
    pub(super) options: &'a DiscoverOptions,
    pub(super) watch: &'a Watch<'a>,
    pub(super) interrupted: &'a AtomicBool,
    pub(super) tried: Vec<Tried>,
    pub(super) chosen: Vec<Chosen>,
    pub(super) caught: FixedBitSet,
    /// What became of relations that were run on new inputs.
    known: HashMap<String, Known>,
    pub(super) screened: FilterStep,
    pub(super) refuted: Vec<RefutedRelation>,
    pub(super) caller: SubjectCaller,
}

impl Tried {
    pub(super) fn new(
        workbench: &Workbench,
        transformation: Transformation,
        pairs: dodona_evolution::discovery::Pairs,
        options: &DiscoverOptions,
        seed: u64,
    ) -> Result<Option<Tried>, LabError> {
        let Some(probe) = Probe::new(workbench, &pairs)? else { return Ok(None) };
        let mut within_reach = FixedBitSet::with_capacity(pairs.mutant_count);
        within_reach.extend(pairs.mutants.iter().chain(&pairs.crashed).map(|&m| m as usize));
        let search = Search::new(pairs, &options.settings, seed);
        let learned = Observed::default();
        Ok(Some(Tried {
            transformation,
            search,
            probe,
            within_reach,
            learned,
            idle: 0,
            is_enumerated: false,
        }))
    }
}

impl<'a> Searches<'a> {
    pub(super) fn new(
        workbench: &'a Workbench,
        function: usize,
        options: &'a DiscoverOptions,
        (watch, interrupted): (&'a Watch<'a>, &'a AtomicBool),
        tried: Vec<Tried>,
    ) -> Searches<'a> {
        Searches {
            workbench,
            function,
            options,
            watch,
            interrupted,
            tried,
            chosen: Vec::new(),
            caught: FixedBitSet::new(),
            known: HashMap::new(),
            screened: FilterStep { name: "fresh inputs".into(), tried: 0, passed: 0 },
            refuted: Vec::new(),
            caller: workbench.caller(),
        }
    }

    /// The new inputs of a step of the filter.
    pub(super) fn fresh(&self, step: &str) -> Fresh<'a> {
        Fresh {
            workbench: self.workbench,
            function: self.function,
            // Other streams than those of the inputs that the search has seen.
            seed: Seed(self.options.seed.0 ^ dodona_subject::fnv1a(step.as_bytes())),
        }
    }

    pub(super) fn told(&self, stage: Stage, done: u64, planned: u64) -> DiscoverProgress {
        let states = || self.tried.iter().map(|t| t.search.state());
        let least = |rates: &mut dyn Iterator<Item = f64>| rates.fold(1.0, f64::min);
        DiscoverProgress {
            stage,
            done,
            planned,
            generation: states().map(|s| s.generation).max().unwrap_or(0),
            best_false_positives: least(
                &mut states().filter_map(|s| s.fewest_false_positives).map(|r| r.false_positives),
            ),
            best_false_negatives: least(
                &mut states()
                    .filter_map(|s| s.fewest_false_positives)
                    .filter(|r| r.false_positives == 0.0)
                    .map(|r| r.false_negatives),
            ),
            relations: self.chosen.len(),
            left: self.watch.left(),
        }
    }

    /// Enumerates small terms under every transformation: larger ones are enumerated when a search has its first turn.
    pub(super) fn enumerate(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) {
        if self.options.settings.search == SearchKind::Evolve {
            self.tried.iter_mut().for_each(|tried| tried.is_enumerated = true);
            return;
        }
        let before = self.told(Stage::Enumeration, 0, self.tried.len() as u64);
        let watch = self.watch;
        each_while(
            self.options.jobs.get(),
            &mut self.tried,
            watch,
            |_, tried| {
                tried.search.enumerate(FIRST_SIZE, &|| watch.searches());
                tried.search.rest();
            },
            &mut |done| progress(&DiscoverProgress { done: done as u64, left: watch.left(), ..before }),
        );
    }

    /// Gives the searches that may gain most a turn each: the first is enumeration to its end, further ones generations of
    /// genetic programming. `false` where none has anything left to do.
    pub(super) fn turn(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> bool {
        let size = self.options.settings.enumerate_size;
        let most = match self.options.settings.search {
            SearchKind::Enumerate => 0,
            _ => self.options.generations,
        };
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (index, tried) in self.tried.iter().enumerate() {
            let gain = tried.within_reach.difference_count(&self.caught);
            let is_left = !tried.is_enumerated || tried.search.state().generation < most;
            if is_left && gain > 0 {
                order.push((gain, index));
            }
        }
        // Those that had turns without a gain come behind those that may gain less.
        order.sort_by_key(|&(gain, index)| (self.tried[index].idle, std::cmp::Reverse(gain), index));
        order.truncate(TURNS);
        let is_next: Vec<bool> = (0..self.tried.len()).map(|i| order.iter().any(|o| o.1 == i)).collect();
        let before = self.told(Stage::Evolution, 0, order.len() as u64);
        let watch = self.watch;
        let mut next: Vec<&mut Tried> =
            self.tried.iter_mut().zip(is_next).filter(|(_, is_next)| *is_next).map(|(t, _)| t).collect();
        each_while(
            self.options.jobs.get(),
            &mut next,
            watch,
            |_, tried| {
                if tried.is_enumerated {
                    let turn = TURN.min(most.saturating_sub(tried.search.state().generation));
                    tried.search.evolve(turn, &|| watch.searches());
                } else {
                    tried.search.enumerate(size, &|| watch.searches());
                    tried.is_enumerated = true;
                }
                tried.search.rest();
                tried.idle += 1;
            },
            &mut |done| progress(&DiscoverProgress { done: done as u64, left: watch.left(), ..before }),
        );
        !order.is_empty()
    }

    /// Chooses relations greedily by the mutants that they catch; each is run on new inputs first. What these refute is
    /// learned, and the choice is made again from what the searches hold then.
    pub(super) fn choose(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<(), LabError> {
        loop {
            progress(&self.told(Stage::Filter, self.screened.tried, self.screened.tried));
            let is_final = self.choose_once()?;
            self.learn();
            // What passed is chosen even when the time is over: that nothing better was looked for is told by the record.
            if is_final || !self.watch.goes_on() {
                return Ok(());
            }
        }
    }

    /// One choice; `true` where no relation was refuted, so that it stands.
    fn choose_once(&mut self) -> Result<bool, LabError> {
        let mut all: Vec<(usize, Candidate)> = Vec::new();
        for (index, tried) in self.tried.iter_mut().enumerate() {
            all.extend(tried.search.candidates(CANDIDATES).into_iter().map(|c| (index, c)));
        }
        let sets = all.iter().map(|(_, c)| (c.caught.clone(), c.size)).collect();
        let (mut choice, mut trial) = (Choice::new(sets), Trial::new(self.tried.len()));
        let least = self.within_reach().count_ones(..) / WORTH;
        while trial.chosen.len() < self.options.relations
            && let Some(next) = choice.propose()
            && choice.gain(next) > least
        {
            if self.try_one(&all[next], &mut trial)? {
                choice.accept(next);
            }
        }
        self.caught = choice.caught().clone();
        // The difference of two sets stops at the end of the shorter.
        self.caught.grow(self.within_reach().len());
        trial.drop_needless();
        self.fill(&all, &mut trial)?;
        self.chosen = trial.chosen;
        Ok(trial.refuted.iter().all(|&count| count == 0))
    }

    /// Where there is room, adds the best relation of each further transformation, though the others catch what it catches: it says
    /// something else of the function.
    fn fill(&mut self, all: &[(usize, Candidate)], trial: &mut Trial) -> Result<(), LabError> {
        let best = trial.chosen.iter().map(|c| c.caught.count_ones(..)).max().unwrap_or(0);
        let no_mutants = self.within_reach().is_clear();
        for others in 0..self.tried.len() {
            let mut rest: Vec<(usize, &(usize, Candidate))> = Vec::new();
            for index in (0..self.tried.len()).filter(|i| trial.is_open(*i, others)) {
                let mine: Vec<&(usize, Candidate)> = all.iter().filter(|(i, _)| *i == index).collect();
                let first = nth_of(&mine, others, no_mutants);
                rest.extend(first.map(|place| (mine[place].1.caught.count_ones(..), mine[place])));
            }
            rest.sort_by_key(|(count, (index, _))| (std::cmp::Reverse(*count), *index));
            for (count, one) in rest {
                if trial.chosen.len() >= self.options.relations {
                    return Ok(());
                }
                if count > best / FURTHER || no_mutants {
                    self.try_one(one, trial)?;
                }
            }
            if others + 1 >= REFUTED_AT_ONCE {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Mutants that a relation under some transformation could catch.
    pub(super) fn within_reach(&self) -> FixedBitSet {
        self.tried.iter().fold(FixedBitSet::new(), |mut all, tried| {
            all.union_with(&tried.within_reach);
            all
        })
    }

    /// Chooses a relation if it passes on new inputs.
    fn try_one(
        &mut self,
        (index, candidate): &(usize, Candidate),
        trial: &mut Trial,
    ) -> Result<bool, LabError> {
        if trial.refuted[*index] >= REFUTED_AT_ONCE {
            return Ok(false);
        }
        let Some(relation) = candidate::relation(candidate, &self.workbench.manifest.functions) else {
            return Ok(false);
        };
        if trial.chosen.iter().any(|chosen| chosen.relation == relation) {
            return Ok(false);
        }
        let before = self.screened.tried;
        let known = self.screen(*index, &relation)?;
        if known == Known::Passed {
            let caught = candidate.caught.clone();
            trial.chosen.push(Chosen { tried: *index, relation, origin: candidate.origin, caught });
        } else if known == Known::Refuted && self.screened.tried > before {
            // What was refuted before and is proposed again, the search cannot tell from the executions it has.
            trial.refuted[*index] += 1;
        }
        Ok(known == Known::Passed)
    }

    /// Runs a relation on new inputs, unless that was done before.
    fn screen(&mut self, tried: usize, relation: &ast::Relation) -> Result<Known, LabError> {
        let text = relation.to_string();
        if let Some(&known) = self.known.get(&text) {
            return Ok(known);
        }
        let loaded = candidate::load(self.workbench, relation)?;
        let fresh = self.fresh("screen");
        let is_reused = self.workbench.executable.isolation(self.function).is_reused();
        let rows = if is_reused { SCREENED } else { SCREENED / 10 };
        let ran = fresh.run(&loaded, rows.min(self.options.fresh), &mut self.caller)?;
        self.screened.tried += 1;
        let known = match ran.refuted {
            Some(values) => {
                self.refute(tried, &loaded, &values, "fresh inputs")?;
                Known::Refuted
            }
            None if ran.held == 0 => Known::Vacuous,
            None => {
                self.screened.passed += 1;
                Known::Passed
            }
        };
        self.known.insert(text, known);
        Ok(known)
    }

    /// Takes note of a source input that refutes a relation.
    pub(super) fn refute(
        &mut self,
        tried: usize,
        relation: &LoadedRelation,
        values: &[Value],
        step: &str,
    ) -> Result<(), LabError> {
        self.known.insert(relation.relation.text().to_owned(), Known::Refuted);
        let tried = &mut self.tried[tried];
        tried.probe.observe(values, &mut self.caller, &mut tried.learned)?;
        if self.refuted.len() < DiscoveryRecord::MOST_REFUTED {
            let variables = super::filter::values_by_variable(relation, values);
            let told = explain::tell(self.workbench, relation, 0, &variables, &mut self.caller)?;
            let source = explain::source(relation, &variables);
            let source: Vec<String> = source.iter().map(|b| format!("{} = {}", b.name, b.value)).collect();
            self.refuted.push(RefutedRelation {
                text: relation.relation.text().to_owned(),
                counterexample: format!("{}: {}", source.join(", "), told.why),
                step: step.to_owned(),
            });
        }
        Ok(())
    }

    /// Hands what refuted relations to the searches.
    pub(super) fn learn(&mut self) {
        // Few at a time, and each is work of its own: threads would gain little.
        for tried in self.tried.iter_mut().filter(|t| !t.learned.is_empty()) {
            let (correct, refused) = tried.probe.columns(&std::mem::take(&mut tried.learned));
            tried.search.refute(&correct, &refused);
        }
    }

    /// Counts a gain: the searches that the chosen relations come from go on first.
    pub(super) fn gained(&mut self) {
        for chosen in &self.chosen {
            self.tried[chosen.tried].idle = 0;
        }
    }
}
