//! One repeat of the genetic algorithm (Algorithm 1) and one of simulated annealing (section 4.2).

use super::annealing::{acceptance, temperatures};
use super::memo::{Evaluator, Memo};
use super::{SearchError, Sequence, Settings};
use crate::random::Random;

/// What one repeat needs besides the memo.
pub(super) struct Repeat<'a> {
    pub(super) settings: &'a Settings,
    /// How many basic relations there are.
    pub(super) relations: usize,
    pub(super) random: &'a mut Random,
}

impl Repeat<'_> {
    fn draw(&mut self) -> Sequence {
        let relations: Vec<usize> =
            (0..self.settings.layers).map(|_| self.random.index(self.relations)).collect();
        Sequence::new(&relations)
    }

    /// The sequence with one relation, chosen at random, replaced by another.
    fn mutated(&mut self, sequence: &Sequence) -> Sequence {
        let place = self.random.index(sequence.layers());
        let old = sequence.relations().nth(place).unwrap_or(0);
        sequence.mutated(place, self.random.other(self.relations, old))
    }

    /// Two children of two parents.
    fn children(&mut self, parents: [&Sequence; 2]) -> [Sequence; 2] {
        let [a, b] = parents;
        let children = if self.random.chance(self.settings.crossover) {
            // A point behind the last relation would exchange nothing.
            a.crossed(b, 1 + self.random.index(self.settings.layers - 1))
        } else {
            [a.clone(), b.clone()]
        };
        let mutate =
            |c: Sequence| if self.random.chance(self.settings.mutation) { self.mutated(&c) } else { c };
        children.map(mutate)
    }

    /// Roulette-wheel selection (section 3.3.2): an index with a probability in proportion to its weight. Where all weights are 0,
    /// all indices are equally likely.
    fn roulette(&mut self, weights: &[u64]) -> usize {
        let chosen = self.random.weighted(weights.iter().copied());
        chosen.unwrap_or_else(|| self.random.index(weights.len()))
    }

    /// The population that follows another.
    fn next<E: Evaluator>(&mut self, population: &[Sequence], memo: &Memo<'_, E>) -> Vec<Sequence> {
        let weights: Vec<u64> = population.iter().map(|s| memo.fitness(s)).collect();
        let mut next = Vec::with_capacity(population.len() + 1);
        while next.len() < population.len() {
            let mut parent = || &population[self.roulette(&weights)];
            let parents = [parent(), parent()];
            next.extend(self.children(parents));
        }
        next.truncate(population.len());
        next
    }

    /// Runs the genetic algorithm once; the best individual of all generations, the earliest among equals.
    pub(super) fn evolve<E: Evaluator>(
        &mut self,
        memo: &mut Memo<'_, E>,
    ) -> Result<Sequence, SearchError<E::Error>> {
        let mut population: Vec<Sequence> = (0..self.settings.population()).map(|_| self.draw()).collect();
        memo.learn(&population)?;
        let mut best = fittest(&population[0], &population, memo);
        for _ in 0..self.settings.generations {
            if memo.is_over() {
                break;
            }
            population = self.next(&population, memo);
            memo.learn(&population)?;
            best = fittest(&best, &population, memo);
        }
        Ok(best)
    }

    /// Runs simulated annealing once; the best sequence on the way, the earliest among equals.
    pub(super) fn anneal<E: Evaluator>(
        &mut self,
        memo: &mut Memo<'_, E>,
    ) -> Result<Sequence, SearchError<E::Error>> {
        let mut current = self.draw();
        memo.learn(std::slice::from_ref(&current))?;
        let mut best = current.clone();
        for temperature in temperatures(self.settings) {
            if memo.is_over() {
                break;
            }
            let candidate = self.mutated(&current);
            memo.learn(std::slice::from_ref(&candidate))?;
            let (from, to) = (memo.share(&current), memo.share(&candidate));
            let probability = acceptance(from, to, self.settings.inputs, temperature);
            if probability >= 1.0 || self.random.chance(probability) {
                current = candidate;
                best = fittest(&best, std::slice::from_ref(&current), memo);
            }
        }
        Ok(best)
    }
}

/// The fittest of a sequence and others, the earliest among equals.
fn fittest<E: Evaluator>(first: &Sequence, others: &[Sequence], memo: &Memo<'_, E>) -> Sequence {
    let better = |best: &'_ Sequence, other: &'_ Sequence| memo.fitness(other) > memo.fitness(best);
    others.iter().fold(first, |best, other| if better(best, other) { other } else { best }).clone()
}
