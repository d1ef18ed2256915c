//! The choice of a small set of relations from the candidates of all searches. Each relation is run on new inputs before it counts.

use std::sync::Arc;

use dodona_evolution::discovery::{Candidate, Choice};
use dodona_relations::ast::{self, Expression};
use dodona_simplify::equivalent;
use dodona_workbench::LabError;

use crate::chosen::{Chosen, Known};
use crate::search::Searches;
use crate::watch::Pace;
use crate::{DiscoverProgress, Stage, candidate};

/// How many new inputs every relation is run on before it counts: the first number if calls are quick, and never fewer than the
/// second. With a fresh instance for each call, it is a quarter of the first. Chosen relations are run on many more inputs.
const SCREENED: u64 = 20_000;
const LEAST_SCREENED: u64 = 500;

/// The fewest metamorphic groups on which a relation must have held if slow calls left no time for more. The report says on how
/// many groups it was tested.
const LEAST_TESTED: u64 = 16;

/// How many times as many relations are chosen as are wanted. What they kill on new inputs decides between them.
pub(super) const POOL: usize = 3;

/// A relation is chosen for what it adds if it adds more than 1/`WORTH` of the mutants that can be killed.
const WORTH: usize = 60;

/// The number of nodes that halves the worth of a relation.
pub(super) const HALF: usize = 16;

/// If there is room, a relation that adds nothing is chosen too, if it kills all but 1/`FURTHER` as many mutants as the best
/// relation: half as many.
const FURTHER: usize = 2;

/// How many relations of one search may be refuted before the search is asked again: the same inputs refute most of its others.
const REFUTED_AT_ONCE: usize = 4;

/// A candidate, with the index of its transformation.
type Numbered = (usize, Arc<Candidate>);

/// The state of one choice.
struct Trial {
    chosen: Vec<Chosen>,
    /// How many relations were refuted, for each transformation.
    refuted: Vec<usize>,
    /// Whether a search dropped a relation, so that it may have other relations to offer.
    was_dismissed: bool,
}

impl Trial {
    fn new(transformations: usize) -> Trial {
        Trial { chosen: Vec::new(), refuted: vec![0; transformations], was_dismissed: false }
    }

    fn drop_needless(&mut self) {
        let all = self.chosen.clone();
        self.chosen.retain(|one| !all.iter().any(|other| one.is_needless_beside(other)));
    }

    /// Whether no relation of a transformation was chosen, and all `tried` relations were refuted.
    fn is_open(&self, transformation: usize, tried: usize) -> bool {
        self.refuted[transformation] >= tried && self.chosen.iter().all(|c| c.tried != transformation)
    }
}

impl Searches<'_> {
    /// Chooses relations greedily by the mutants that they kill; each is run on new inputs first. The searches learn from the
    /// inputs that refute a relation, and the choice is made again from what they offer then.
    pub(super) fn choose(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<(), LabError> {
        loop {
            progress(&self.told(Stage::Filter, self.screened.tried, self.screened.tried));
            let is_final = self.choose_once()?;
            self.learn();
            // Relations that passed are chosen even when the time is up; the record says that the search for better ones ended early.
            if is_final || !self.watch.searches() {
                return Ok(());
            }
        }
    }

    /// Chooses once; `true` if no search dropped a relation, so that the choice is final.
    fn choose_once(&mut self) -> Result<bool, LabError> {
        let mut all: Vec<Numbered> = Vec::new();
        for (index, tried) in self.tried.iter_mut().enumerate() {
            all.extend(tried.candidates().iter().map(|candidate| (index, Arc::clone(candidate))));
        }
        let mut trial = Trial::new(self.tried.len());
        let mut choice = choice(all.iter().map(|(_, candidate)| &**candidate));
        let least = self.reach.count_ones(..) / WORTH;
        let most = self.options.relations.saturating_mul(POOL);
        while trial.chosen.len() < most
            && let Some(next) = choice.propose()
        {
            // No break: a larger relation that adds more may come after a small one that adds little.
            if choice.gain(next) > least && self.try_one(&all[next], &mut trial)? {
                choice.accept(next);
            }
        }
        self.caught = choice.caught().clone();
        // As long as `reach`: the difference of two sets stops at the end of the shorter set.
        self.caught.grow(self.reach.len());
        trial.drop_needless();
        self.fill(&all, &mut trial, most)?;
        self.chosen = trial.chosen;
        Ok(!trial.was_dismissed)
    }

    /// If there is room, adds the best relation of each transformation that has none, provided that it kills half as many mutants
    /// as the best of all. The mutants may be the same, but the relation says something else about the function.
    fn fill(&mut self, all: &[Numbered], trial: &mut Trial, most: usize) -> Result<(), LabError> {
        let best = trial.chosen.iter().map(Chosen::count).max().unwrap_or(0);
        let no_mutants = self.reach.is_clear();
        for refuted in 0..REFUTED_AT_ONCE {
            // From each transformation without a chosen relation, the next relation after those that were refuted.
            let mut next: Vec<&Numbered> = Vec::new();
            for index in (0..self.tried.len()).filter(|index| trial.is_open(*index, refuted)) {
                let mine: Vec<&Numbered> = all.iter().filter(|(i, _)| *i == index).collect();
                next.extend(nth_of(&mine, refuted, no_mutants).map(|place| mine[place]));
            }
            next.retain(|(_, one)| no_mutants || one.caught.count_ones(..) >= best - best / FURTHER);
            next.sort_by_key(|(index, one)| (std::cmp::Reverse(one.caught.count_ones(..)), *index));
            for one in next {
                if trial.chosen.len() >= most {
                    return Ok(());
                }
                self.try_one(one, trial)?;
            }
        }
        Ok(())
    }

    /// Chooses a relation if all its parts pass on new inputs.
    fn try_one(&mut self, (index, candidate): &Numbered, trial: &mut Trial) -> Result<bool, LabError> {
        if trial.refuted[*index] >= REFUTED_AT_ONCE {
            return Ok(false);
        }
        for part in &candidate.parts {
            if self.screen_part(*index, candidate, part)? != Known::Passed {
                // The search learns from inputs that refute the part. No execution shows what else may be wrong, for example that
                // it is vacuous, so the search has to drop it.
                self.tried[*index].dismiss(candidate.condition.as_ref(), part);
                trial.refuted[*index] += 1;
                trial.was_dismissed = true;
                return Ok(false);
            }
        }
        let Some(relation) = candidate::relation(candidate, &self.target.workbench.manifest.functions) else {
            return Ok(false);
        };
        let functions = &self.target.workbench.manifest.functions;
        let is_same = |chosen: &Chosen| {
            chosen.relation == relation
                // Only compared if both kill the same mutants, because proving equivalence is work.
                || chosen.tried == *index
                    && chosen.candidate.caught == candidate.caught
                    && equivalent(&chosen.relation, &relation, functions)
        };
        if self.dropped.contains(&relation.to_string()) || trial.chosen.iter().any(is_same) {
            return Ok(false);
        }
        self.tried[*index].passed(candidate);
        trial.chosen.push(Chosen { tried: *index, relation, candidate: Arc::clone(candidate) });
        Ok(true)
    }

    fn screen_part(
        &mut self,
        index: usize,
        candidate: &Candidate,
        part: &Expression,
    ) -> Result<Known, LabError> {
        match candidate::part(candidate, part, &self.target.workbench.manifest.functions) {
            Some(relation) => self.screen(index, &relation),
            // A tautology says nothing.
            None => Ok(Known::Vacuous),
        }
    }

    /// Runs a relation on new inputs, unless its result is already known.
    fn screen(&mut self, tried: usize, relation: &ast::Relation) -> Result<Known, LabError> {
        let text = relation.to_string();
        if let Some(&known) = self.known.get(&text) {
            return Ok(known);
        }
        let loaded = candidate::load(self.target.workbench, relation)?;
        let fresh = self.fresh("screen");
        let is_reused = self.target.workbench.executable.isolation(self.target.function).is_reused();
        let rows = self.budget.screened(if is_reused { SCREENED } else { SCREENED / 4 });
        let pace = Pace::of_candidate(self.watch);
        let rows = (rows.min(self.options.fresh), LEAST_SCREENED);
        let ran = fresh.run(&loaded, rows, &mut self.caller, &pace)?;
        self.screened.tried += 1;
        let known = match ran.refuted {
            Some(values) => {
                self.refute(tried, &loaded, &values, "fresh inputs")?;
                Known::Refuted
            }
            None if ran.held == 0 || (ran.is_cut && ran.held < LEAST_TESTED) => Known::Vacuous,
            None => {
                self.screened.passed += 1;
                Known::Passed
            }
        };
        self.known.insert(text, known);
        Ok(known)
    }
}

fn choice<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Choice {
    Choice::new(candidates.map(|c| (c.caught.clone(), c.weight())).collect(), HALF)
}

/// The index of the next relation of one search after `refuted` others were refuted. Without mutants, nothing else tells relations
/// apart, so smaller relations come first.
fn nth_of(mine: &[&Numbered], refuted: usize, no_mutants: bool) -> Option<usize> {
    if no_mutants {
        let mut order: Vec<usize> = (0..mine.len()).collect();
        order.sort_by_key(|&place| mine[place].1.size);
        return order.get(refuted).copied();
    }
    let mut choice = choice(mine.iter().map(|(_, candidate)| &**candidate));
    (0..=refuted).filter_map(|_| choice.propose()).last()
}
