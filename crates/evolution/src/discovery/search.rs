//! The search for output relations under one input transformation (section 6 of the study).

use dodona_relations::ast::Expression;
use dodona_subject::Column;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::archive::{Archive, Entry, Origin};
use super::elite::{elites, migrate};
use super::grammar::Grammar;
use super::grow::Grower;
use super::judge::Judge;
use super::population::{Fitness, Individual};
use super::random::Random;
use super::select::parents;
use super::vary::{cross, mutate};
use super::{Choice, EnumerateOptions, Operator, Pairs, Settings, TermId};

/// After how many offspring the caller is asked whether to go on.
const ASK_EVERY: usize = 64;
/// How many tries a population has for each of its places, before it is left smaller: there may be few distinct trees.
const TRIES: usize = 8;
/// For how many refuted relations a condition is looked for.
const MOST_REPAIRS: usize = 40;

/// The search under one input transformation. It can be left at any time and goes on from where it was.
#[derive(Debug)]
pub struct Search {
    settings: Settings,
    judge: Judge,
    random: Random,
    grower: Grower,
    populations: [(Fitness, Vec<Individual>); 2],
    /// What enumeration found and no population has yet.
    seeds: Vec<TermId>,
    archive: Archive,
    generation: u32,
    enumeration: Enumerated,
    /// Trees that a condition was looked for.
    repaired: FxHashSet<TermId>,
}

/// What became of enumeration.
#[derive(Clone, Copy, Debug, Default)]
struct Enumerated {
    /// Whether the executions are still those that it saw.
    is_current: bool,
    evaluated: u64,
    complete_to: usize,
}

/// A relation that the search found: it holds on all correct executions and on no refused one.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What has to hold of the source execution for the relation to speak of it.
    pub condition: Option<Expression>,
    /// The expectation.
    pub expect: Expression,
    /// The mutants it catches, as indices below [`Pairs::mutant_count`]; those that crash are caught by every relation.
    pub caught: FixedBitSet,
    /// Incorrect executions that it misses.
    pub false_negatives: u32,
    /// Nodes of the condition and the expectation.
    pub size: usize,
    /// How it was found.
    pub origin: Origin,
}

/// The rates of one relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The share of correct executions on which it does not hold.
    pub false_positives: f64,
    /// The share of incorrect executions on which it does.
    pub false_negatives: f64,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchState {
    /// Generations of genetic programming so far.
    pub generation: u32,
    /// Trees judged so far by genetic programming.
    pub evaluated: u64,
    /// Terms tried so far by enumeration.
    pub enumerated: u64,
    /// The size up to which enumeration was complete; 0 before it.
    pub complete_to: usize,
    /// Terms in memory.
    pub terms: usize,
    /// The relation with the fewest false positives, of these the one with the fewest false negatives.
    pub fewest_false_positives: Option<Rates>,
    /// The relation with the fewest false negatives, of these the one with the fewest false positives.
    pub fewest_false_negatives: Option<Rates>,
}

impl Search {
    /// A search over recorded executions. The same pairs, settings, seed and calls find the same.
    ///
    /// # Panics
    /// For settings that do not pass [`Settings::check`].
    pub fn new(pairs: Pairs, settings: &Settings, seed: u64) -> Search {
        assert_eq!(settings.check(), Ok(()), "settings that were not checked");
        Search {
            settings: settings.clone(),
            grower: Grower::new(Grammar::new(&pairs)),
            judge: Judge::new(pairs),
            random: Random::new(seed),
            populations: [Fitness::FalsePositives, Fitness::FalseNegatives].map(|f| (f, Vec::new())),
            seeds: Vec::new(),
            archive: Archive::default(),
            generation: 0,
            enumeration: Enumerated::default(),
            repaired: FxHashSet::default(),
        }
    }

    /// Enumerates small terms, until it is done or `go_on` says no. What it finds joins both populations. Does nothing while the
    /// executions are those of the enumeration before.
    pub fn enumerate(&mut self, go_on: &dyn Fn() -> bool) {
        if !self.judge.is_possible || self.enumeration.is_current {
            return;
        }
        let options = EnumerateOptions { size: self.settings.enumerate_size, ..EnumerateOptions::default() };
        let enumeration = self.judge.enumerate(&options, go_on);
        self.enumeration.is_current = !enumeration.was_stopped;
        self.enumeration.evaluated += enumeration.evaluated;
        self.enumeration.complete_to = enumeration.complete_to;
        for found in enumeration.found {
            self.keep(found.condition, found.expect, Origin::Enumeration);
            self.seed(found.condition, found.expect);
        }
    }

    /// A relation as a tree of the populations, its condition as an implication where there is room for it.
    fn seed(&mut self, condition: Option<TermId>, expect: TermId) {
        let whole = condition
            .filter(|_| condition != self.judge.guard)
            .and_then(|c| self.judge.terms.apply(Operator::Implies, &[c, expect]))
            .filter(|&whole| self.judge.terms.size(whole) <= self.settings.most_nodes);
        let seed = whole.unwrap_or(expect);
        if self.judge.terms.size(seed) <= self.settings.most_nodes {
            self.seeds.push(seed);
        }
    }

    /// Develops both populations for so many generations, or until `go_on` says no: then the generation that was begun is
    /// dropped. The first call makes the random populations.
    pub fn evolve(&mut self, generations: u32, go_on: &dyn Fn() -> bool) {
        if !self.judge.is_possible {
            return;
        }
        self.begin(go_on);
        for _ in 0..generations {
            if !go_on() || !self.next_generation(go_on) {
                return;
            }
            self.bound_memory();
        }
    }

    fn begin(&mut self, go_on: &dyn Fn() -> bool) {
        for which in [0, 1] {
            if self.populations[which].1.is_empty() {
                let mut individuals = Vec::new();
                self.fill(&mut individuals, go_on);
                self.populations[which].1 = individuals;
            }
        }
        self.sow();
    }

    /// Adds what enumeration found to both populations, the best of it where it would be more than half of them.
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
        for tried in 0..TRIES * room {
            if individuals.len() >= self.settings.population || (tried % ASK_EVERY == 0 && !go_on()) {
                return;
            }
            let most = self.settings.most_nodes;
            let tree = self.grower.expectation(&mut self.judge.terms, &mut self.random, most);
            if trees.insert(tree) {
                individuals.push(self.individual(tree));
            }
        }
    }

    /// Judges a tree and keeps it if it is a relation worth keeping.
    fn individual(&mut self, tree: TermId) -> Individual {
        let individual = self.judge.individual(tree);
        let is_relation = individual.is_metamorphic && individual.score.false_positives == 0;
        if is_relation && self.archive.wants(individual.score.missed, tree, individual.size) {
            let origin = Origin::Evolution { generation: self.generation };
            self.keep(self.judge.guard, tree, origin);
        }
        individual
    }

    /// Keeps a relation; `false` where it is none.
    fn keep(&mut self, condition: Option<TermId>, expect: TermId, origin: Origin) -> bool {
        let entry = self.judge.entry(condition, expect, origin);
        entry.map(|entry| self.archive.add(entry)).is_some()
    }

    /// The next generation of both populations; whether it came to its end.
    fn next_generation(&mut self, go_on: &dyn Fn() -> bool) -> bool {
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

    /// Looks for a condition for individuals that are good but for some false positives.
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

    /// A new population: the elites of the old one, and offspring until it is full. No tree stands in it twice.
    fn reproduce(&mut self, which: usize, go_on: &dyn Fn() -> bool) -> Option<Vec<Individual>> {
        let (fitness, old) = (self.populations[which].0, &self.populations[which].1);
        let mut new = elites(old, fitness, self.settings.elites);
        let mut trees: FxHashSet<TermId> = new.iter().map(|i| i.term).collect();
        for tried in 0..TRIES * self.settings.population {
            if new.len() >= self.settings.population {
                break;
            }
            if tried % ASK_EVERY == 0 && !go_on() {
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

    /// Forgets all terms but the living ones when there are too many.
    fn bound_memory(&mut self) {
        if self.judge.terms.len() > self.settings.arena {
            self.compact();
        }
    }

    fn compact(&mut self) {
        let individuals = self.populations.iter().flat_map(|p| &p.1).map(|i| i.term);
        let wanted = individuals.chain(self.seeds.iter().copied()).chain(self.archive.terms());
        let ids = self.judge.compact(wanted);
        for individual in self.populations.iter_mut().flat_map(|p| &mut p.1) {
            individual.term = ids[&individual.term];
        }
        self.seeds.iter_mut().for_each(|seed| *seed = ids[seed]);
        self.archive.renumber(|old| ids[&old]);
        self.repaired = self.repaired.iter().filter_map(|old| ids.get(old).copied()).collect();
    }

    /// Frees what can be computed again, for the time in which other searches have their turn.
    pub fn rest(&mut self) {
        self.compact();
        self.judge.evaluator.forget();
    }

    /// Counterexamples: executions of the original that join the correct ones, a column a variable, or the refused ones, a
    /// column for each variable [of the source](super::Place::is_source). All is judged anew, and the search goes on from
    /// where it was.
    ///
    /// # Panics
    /// When the columns are not those of the variables.
    pub fn refute(&mut self, correct: &[Column], refused: &[Column]) {
        let guard = self.judge.guard;
        self.judge.learn(correct, refused);
        self.enumeration.is_current = false;
        self.repaired.clear();
        let old = self.archive.take();
        if !self.judge.is_possible {
            return;
        }
        for which in [0, 1] {
            let terms: Vec<TermId> = self.populations[which].1.iter().map(|i| i.term).collect();
            self.populations[which].1 = terms.into_iter().map(|t| self.individual(t)).collect();
        }
        let has_refused = refused.first().is_some_and(|c| !c.is_empty());
        self.restore(old, guard, has_refused);
    }

    /// Keeps what still holds. Where it fails on few executions, a condition may exclude them.
    fn restore(&mut self, old: Vec<Entry>, guard: Option<TermId>, has_refused: bool) {
        let mut repairs = 0;
        for Entry { condition, expect, origin, .. } in old {
            let is_guard = condition == guard;
            let kept = match condition {
                _ if is_guard => self.keep(self.judge.guard, expect, origin),
                // It was not made for what was refused since.
                Some(_) if !has_refused => self.keep(condition, expect, origin),
                _ => false,
            };
            if !kept && repairs < MOST_REPAIRS {
                repairs += 1;
                if let Some(condition) = self.judge.condition(expect) {
                    self.keep(condition, expect, origin);
                }
            }
        }
    }

    /// Relations without false positives, at most `most`, no two of which miss the same executions: those with the fewest
    /// false negatives first, then the smaller ones. Where there are more than `most`, half of the places go to those that
    /// together catch most mutants.
    pub fn candidates(&mut self, most: usize) -> Vec<Candidate> {
        let best = self.archive.best();
        let mut choice = Choice::new(best.iter().map(|e| (e.caught.clone(), e.size)).collect());
        let covering = std::iter::from_fn(|| choice.propose().inspect(|&i| choice.accept(i)));
        let mut places: Vec<usize> = covering.take(most / 2).collect();
        let chosen: FxHashSet<usize> = places.iter().copied().collect();
        places.extend((0..best.len()).filter(|i| !chosen.contains(i)).take(most - places.len()));
        places.sort_unstable();
        places.into_iter().map(|i| self.candidate(best[i])).collect()
    }

    fn candidate(&self, entry: &Entry) -> Candidate {
        let names: Vec<Expression> =
            self.judge.pairs.variables.iter().map(|v| v.expression.clone()).collect();
        let write = |term| self.judge.terms.write(term, &names);
        Candidate {
            condition: entry.condition.map(write),
            expect: write(entry.expect),
            caught: entry.caught.clone(),
            false_negatives: entry.score.false_negatives,
            size: entry.size,
            origin: entry.origin,
        }
    }

    /// Where the search is.
    pub fn state(&self) -> SearchState {
        let best = |which: usize| {
            let (fitness, individuals) = &self.populations[which];
            elites(individuals, *fitness, 1).first().map(|i| self.rates(i.score))
        };
        let found = self.archive.best().first().map(|e| self.rates(e.score));
        SearchState {
            generation: self.generation,
            evaluated: self.judge.judged,
            enumerated: self.enumeration.evaluated,
            complete_to: self.enumeration.complete_to,
            terms: self.judge.terms.len(),
            fewest_false_positives: found.or_else(|| best(0)),
            fewest_false_negatives: best(1).or(found),
        }
    }

    fn rates(&self, score: super::Score) -> Rates {
        Rates {
            false_positives: score.false_positive_rate(self.judge.evaluator.correct()),
            false_negatives: score.false_negative_rate(self.judge.evaluator.incorrect()),
        }
    }
}
