//! The step from one generation to the next (Algorithm 1 of GenMorph).

use rustc_hash::FxHashSet;

use super::TermId;
use super::archive::Origin;
use super::elite::{elites, migrate};
use super::population::Individual;
use super::search::Search;
use super::select::parents;
use super::vary::{cross, mutate};
use crate::discovery::tuning::{TRIES_A_PLACE, TRIES_BETWEEN_QUESTIONS};

impl Search {
    /// Makes the random populations, if there are none yet, and adds the relations that enumeration found.
    pub(super) fn begin(&mut self, go_on: &dyn Fn() -> bool) {
        for which in [0, 1] {
            if self.populations[which].1.is_empty() {
                let mut individuals = Vec::new();
                self.fill(&mut individuals, go_on);
                self.populations[which].1 = individuals;
            }
        }
        self.sow();
    }

    /// Adds the relations that enumeration found to both populations, but only the best of them if they exceed half a population.
    fn sow(&mut self) {
        for term in std::mem::take(&mut self.seeds).into_iter().take(self.settings.population / 2) {
            let individual = self.judge.individual(term);
            self.populations.iter_mut().for_each(|p| p.1.push(individual.clone()));
        }
    }

    /// Fills a population up with random individuals.
    fn fill(&mut self, individuals: &mut Vec<Individual>, go_on: &dyn Fn() -> bool) {
        let mut trees: FxHashSet<TermId> = individuals.iter().map(|i| i.term).collect();
        let room = self.settings.population.saturating_sub(individuals.len());
        for tried in 0..TRIES_A_PLACE * room {
            if individuals.len() >= self.settings.population
                || (tried % TRIES_BETWEEN_QUESTIONS == 0 && !go_on())
            {
                return;
            }
            let most = self.settings.most_nodes;
            let tree = self.grower.expectation(&mut self.judge.terms, &mut self.random, most);
            if trees.insert(tree) {
                individuals.push(self.individual(tree));
            }
        }
    }

    /// Judges a tree and keeps it in the archive if it is a relation worth keeping.
    pub(super) fn individual(&mut self, tree: TermId) -> Individual {
        let individual = self.judge.individual(tree);
        let is_relation = individual.is_metamorphic && individual.score.false_positives == 0;
        if is_relation && self.archive.is_wanted(individual.score.missed, tree, individual.size) {
            let origin = Origin::Evolution { generation: self.generation };
            self.keep(self.judge.guard, tree, origin);
        }
        individual
    }

    /// Keeps a relation in the archive; `false` if it is no relation, for example because it has false positives.
    pub(super) fn keep(&mut self, condition: Option<TermId>, expect: TermId, origin: Origin) -> bool {
        let entry = self.judge.entry(condition, expect, origin);
        entry.map(|entry| self.archive.add(entry)).is_some()
    }

    /// Makes the next generation of both populations. `false` if it was stopped; then the old generation stays.
    pub(super) fn next_generation(&mut self, go_on: &dyn Fn() -> bool) -> bool {
        self.generation += 1;
        let next = [0, 1].map(|which| self.reproduce(which, go_on));
        let [Some(first), Some(second)] = next else {
            self.generation -= 1;
            return false;
        };
        self.populations[0].1 = first;
        self.populations[1].1 = second;
        if self.generation.is_multiple_of(self.settings.migrate_every) {
            migrate(&mut self.populations, self.settings.migrants);
            self.repair();
        }
        true
    }

    /// Seeks conditions for the individuals that have false positives but are good otherwise.
    fn repair(&mut self) {
        let (correct, incorrect) = (self.judge.evaluator.correct(), self.judge.evaluator.incorrect());
        let rates =
            |i: &Individual| i.score.false_positive_rate(correct) + i.score.false_negative_rate(incorrect);
        let mut all: Vec<&Individual> = self.populations.iter().flat_map(|p| &p.1).collect();
        all.retain(|i| i.is_metamorphic && i.score.false_positives > 0 && rates(i) < 1.0);
        all.sort_by(|a, b| rates(a).total_cmp(&rates(b)).then(a.size.cmp(&b.size)));
        let mut missed = FxHashSet::default();
        let is_new = |i: &&&Individual| missed.insert(i.score.missed) && !self.repaired.contains(&i.term);
        let chosen: Vec<TermId> =
            all.iter().filter(is_new).take(self.settings.elites).map(|i| i.term).collect();
        for tree in chosen {
            self.repaired.insert(tree);
            if let Some(condition) = self.judge.condition(tree) {
                self.keep(condition, tree, Origin::Evolution { generation: self.generation });
            }
        }
    }

    /// A new population: the elites of the old one, and children until it is full. All its trees are distinct.
    fn reproduce(&mut self, which: usize, go_on: &dyn Fn() -> bool) -> Option<Vec<Individual>> {
        let (fitness, old) = (self.populations[which].0, &self.populations[which].1);
        let mut new = elites(old, fitness, self.settings.elites);
        let mut trees: FxHashSet<TermId> = new.iter().map(|i| i.term).collect();
        for tried in 0..TRIES_A_PLACE * self.settings.population {
            if new.len() >= self.settings.population {
                break;
            }
            if tried % TRIES_BETWEEN_QUESTIONS == 0 && !go_on() {
                return None;
            }
            for child in self.offspring(which).into_iter().flatten() {
                if new.len() < self.settings.population && trees.insert(child) {
                    new.push(self.individual(child));
                }
            }
        }
        self.fill(&mut new, go_on);
        Some(new)
    }

    fn offspring(&mut self, which: usize) -> [Option<TermId>; 2] {
        let (fitness, individuals) = &self.populations[which];
        if individuals.is_empty() {
            return [None, None];
        }
        let parents = parents(&mut self.random, individuals, *fitness, &self.settings).map(|p| p.term);
        let (terms, most) = (&mut self.judge.terms, self.settings.most_nodes);
        let children = match self.random.chance(self.settings.crossover) {
            true => cross(terms, &mut self.random, parents, most),
            false => parents.map(Some),
        };
        children.map(|child| child.and_then(|child| self.perhaps_mutated(child)))
    }

    fn perhaps_mutated(&mut self, child: TermId) -> Option<TermId> {
        if !self.random.chance(self.settings.mutation) {
            return Some(child);
        }
        mutate(&mut self.judge.terms, &mut self.random, &self.grower, &self.settings, child)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::super::judge::tests::{pairs, quotient};
    use super::*;

    fn search() -> Search {
        let settings = Settings { population: 40, migrants: 6, elites: 4, ..Settings::default() };
        Search::new(pairs(), &settings, 1)
    }

    #[test]
    fn a_population_stays_as_large_and_keeps_its_elites() {
        let mut search = search();
        search.begin(&|| true);
        for generation in 1..=20 {
            let [first, second] = search.populations.clone().map(|(f, all)| elites(&all, f, 4));
            assert!(search.next_generation(&|| true));
            // After a migration a population is larger by the migrants for one generation.
            let expected = if generation % 10 == 0 { 46 } else { 40 };
            for (which, old) in [first, second].into_iter().enumerate() {
                let new: Vec<TermId> = search.populations[which].1.iter().map(|i| i.term).collect();
                assert_eq!(new.len(), expected, "generation {generation}");
                assert!(old.iter().all(|elite| new.contains(&elite.term)));
            }
        }
    }

    #[test]
    fn a_relation_that_fails_on_few_executions_gets_a_condition() {
        let mut search = search();
        let step = quotient(&mut search.judge.terms);
        let individual = search.individual(step);
        assert!(search.candidates(1).is_empty());
        search.populations[1].1.push(individual);
        search.repair();
        let found = search.candidates(1);
        assert_eq!(found[0].condition.as_ref().map(ToString::to_string).as_deref(), Some("k != 0"));
        assert_eq!(found[0].parts[0].to_string(), "f == s / k");
    }
}
