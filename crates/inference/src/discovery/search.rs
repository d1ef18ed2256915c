//! The search for output relations under one input transformation (section 6 of GenMorph).

use dodona_relations::ast::Expression;
use dodona_target::Column;
use rustc_hash::{FxHashMap, FxHashSet};

use super::archive::{Archive, ArchivedRelation, Origin};
use super::candidate;
use super::conjoin::conjunctions;
use super::disguise::is_disguised;
use super::elite::elites;
use super::grammar::TermGrammar;
use super::grow::Grower;
use super::judge::Judge;
use super::population::{Fitness, Individual};
use super::{Candidate, EnumerateOptions, Operator, Pairs, Rates, SearchState, Settings, TermId};
use crate::discovery::tuning::MOST_REPAIRS;
use crate::random::Random;

/// The search under one input transformation. It can be interrupted at any time, and later goes on where it stopped.
#[derive(Debug)]
pub struct Search {
    pub(super) settings: Settings,
    pub(super) judge: Judge,
    pub(super) random: Random,
    pub(super) grower: Grower,
    pub(super) populations: [(Fitness, Vec<Individual>); 2],
    /// Relations that enumeration found and that have not been added to the populations yet.
    pub(super) seeds: Vec<TermId>,
    pub(super) archive: Archive,
    pub(super) generation: u32,
    enumeration: Enumerated,
    /// Trees for which a condition has already been sought.
    pub(super) repaired: FxHashSet<TermId>,
}

/// The progress of enumeration.
#[derive(Clone, Copy, Debug, Default)]
struct Enumerated {
    /// The size and the number of verified relations for which enumeration has run on the current executions; 0 before it has run.
    current: (usize, usize),
    evaluated: u64,
    complete_to: usize,
}

impl Search {
    /// A search over recorded executions. The same pairs, settings, seed and calls always find the same relations.
    ///
    /// # Panics
    /// For settings that do not pass [`Settings::check`].
    pub fn new(pairs: Pairs, settings: &Settings, seed: u64) -> Search {
        assert_eq!(settings.check(), Ok(()), "settings that were not checked");
        Search {
            settings: settings.clone(),
            grower: Grower::new(TermGrammar::new(&pairs)),
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

    /// Enumerates terms, up to the size that the settings allow, until all are tried or `go_on` returns false. The relations found
    /// join both populations. Does nothing if the same enumeration was already done on the same executions.
    pub fn enumerate(&mut self, options: &EnumerateOptions, go_on: &dyn Fn() -> bool) {
        let size = options.size.min(self.settings.enumerate_size);
        let work = (size, options.verified);
        if !self.judge.is_possible || self.enumeration.current >= work {
            return;
        }
        let options = EnumerateOptions { size, ..options.clone() };
        let enumeration = self.judge.enumerate(&options, go_on);
        self.enumeration.current = if enumeration.was_stopped { (0, 0) } else { work };
        self.enumeration.evaluated += enumeration.evaluated;
        self.enumeration.complete_to = self.enumeration.complete_to.max(enumeration.complete_to);
        for found in enumeration.found {
            self.keep(found.condition, found.expect, Origin::Enumeration);
            self.seed(found.condition, found.expect);
        }
    }

    /// Adds a relation to the seeds, with its condition as an implication if there is room for it.
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

    /// Evolves both populations for this many generations, or until `go_on` returns false; then the unfinished generation is
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

    /// Drops all terms that are no longer in use when there are too many terms.
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

    /// Frees memory that can be computed again, while other searches have their turn.
    pub fn rest(&mut self) {
        self.compact();
        self.judge.evaluator.forget();
    }

    /// Adds counterexamples, which are executions of the original: correct ones, with one column for each variable, and refused
    /// ones, with one column for each variable [of the source](super::Place::is_source). All relations and individuals are judged
    /// again, and the search goes on with them.
    ///
    /// # Panics
    /// When the columns are not those of the variables.
    pub fn refute(&mut self, correct: &[Column], refused: &[Column]) {
        let guard = self.judge.guard;
        self.judge.learn(correct, refused);
        (self.enumeration.current, self.enumeration.complete_to) = ((0, 0), 0);
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

    /// Keeps the relations that still hold. If a relation fails on a few executions, a condition may exclude these.
    fn restore(&mut self, old: Vec<ArchivedRelation>, guard: Option<TermId>, has_refused: bool) {
        let mut repairs = 0;
        for ArchivedRelation { condition, expect, origin, .. } in old {
            let is_guard = condition == guard;
            let kept = match condition {
                _ if is_guard => self.keep(self.judge.guard, expect, origin),
                // A condition from before does not exclude the newly refused executions.
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

    /// Relations without false positives. For each condition there is one relation, and the conjunctions that further relations
    /// form with it, up to the largest size of a tree. At most `most` relations take part, no two of which miss the same
    /// executions: those with the fewest false negatives first, then the smaller ones. If there are more, half of the places go to
    /// the smallest relations that together kill the most mutants, chosen in rounds among those without a place. The other half
    /// goes to the Pareto front of false negatives and size, also in rounds.
    pub fn candidates(&mut self, most: usize) -> Vec<Candidate> {
        if self.settings.comparing {
            self.drop_disguised(most);
        }
        let names = self.names();
        let best = self.archive.best();
        let among: Vec<&ArchivedRelation> =
            candidate::chosen(&best, most).into_iter().map(|place| best[place]).collect();
        let mut candidates = Vec::new();
        for places in conjunctions(&among, &self.judge.terms, self.settings.most_nodes) {
            let parts: Vec<&ArchivedRelation> = places.into_iter().map(|place| among[place]).collect();
            let Some(&first) = parts.first() else { continue };
            let mut whole = first.clone();
            for count in 1..=parts.len() {
                if count > 1 && !self.judge.join(&mut whole, parts[count - 1]) {
                    break;
                }
                candidates.push(Candidate::new(&parts[..count], &whole, &self.judge.terms, &names));
            }
        }
        candidates
    }

    /// Removes relations that compare nothing, until none is among the `most` that take part.
    fn drop_disguised(&mut self, most: usize) {
        let mut known: FxHashMap<(Option<TermId>, TermId), bool> = FxHashMap::default();
        loop {
            let best = self.archive.best();
            let among = candidate::chosen(&best, most);
            let ids: Vec<_> =
                among.iter().map(|&place| (best[place].condition, best[place].expect)).collect();
            for &(condition, expect) in &ids {
                let judge = &mut self.judge;
                known
                    .entry((condition, expect))
                    .or_insert_with(|| is_disguised(&mut judge.evaluator, &judge.terms, condition, expect));
            }
            if !ids.iter().any(|id| known[id]) {
                return;
            }
            self.archive.remove(|entry| known.get(&(entry.condition, entry.expect)) == Some(&true));
        }
    }

    /// Removes a relation that was part of a candidate of [`candidates`](Search::candidates), for a reason that the executions do
    /// not show.
    pub fn dismiss(&mut self, condition: Option<&Expression>, part: &Expression) {
        let (names, terms) = (self.names(), &self.judge.terms);
        self.archive.remove(|entry| {
            let written = entry.condition.map(|condition| terms.write(condition, &names));
            written.as_ref() == condition && terms.write(entry.expect, &names) == *part
        });
    }

    fn names(&self) -> Vec<Expression> {
        self.judge.pairs.variables.iter().map(|v| v.expression.clone()).collect()
    }

    /// The progress of the search.
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
