//! The final choice: by what relations catch on new inputs. What recorded executions show of a relation promises more than it
//! keeps, most of all where it has a condition.

use std::collections::{HashMap, HashSet};

use dodona_evidence::{MutantId, RelationVerdict};
use dodona_relations::ast::{File, Name, Relation};
use dodona_sources::Seed;
use fixedbitset::FixedBitSet;

use super::DiscoverOptions;
use super::choose::{Chosen, PRICE};
use super::collect::Budget;
use super::evidence::{analysed, catches};
use super::search::Searches;
use crate::{LabError, MutateOutcome, Workbench};
use dodona_evolution::discovery::Choice;

/// A relation is chosen for what it adds where that is more than one in so many of the mutants that all catch together.
const WORTH: usize = 16;

/// Where there is room, a relation of another transformation is added if it catches as many as the best but for one part in so many.
const FURTHER: usize = 3;

/// What relations catch of the mutants that the search saw.
#[derive(Default)]
pub(super) struct Measures {
    known: Vec<Measured>,
    /// Those that turned out to be none, as text.
    dropped: HashSet<String>,
}

struct Measured {
    chosen: Chosen,
    /// The mutants, by their index among those that the search saw.
    caught: FixedBitSet,
}

impl Measures {
    /// Measures the chosen relations that are not measured yet.
    pub(super) fn measure(
        &mut self,
        searches: &Searches<'_>,
        searched: &[MutantId],
        budget: &Budget,
    ) -> Result<(), LabError> {
        let is_new = |one: &&Chosen| {
            self.known.iter().all(|known| known.chosen.relation != one.relation)
                && !self.dropped.contains(&one.relation.to_string())
        };
        let mut new: Vec<Chosen> = searches.chosen.iter().filter(is_new).cloned().collect();
        while !new.is_empty() {
            let caught = match searched.is_empty() {
                true => Ok(vec![FixedBitSet::new(); new.len()]),
                false => caught(searches, &new, searched, budget)?,
            };
            match caught {
                Ok(caught) => {
                    let all = new.into_iter().zip(caught);
                    self.known.extend(all.map(|(chosen, caught)| Measured { chosen, caught }));
                    return Ok(());
                }
                // They do not hold on these inputs: the others are measured without them.
                Err(violated) => {
                    let mut place = 0;
                    new.retain(|one| {
                        place += 1;
                        let is_violated = violated.contains(&(place - 1));
                        if is_violated {
                            self.dropped.insert(one.relation.to_string());
                        }
                        !is_violated
                    });
                }
            }
        }
        Ok(())
    }

    /// Relations that turned out to be none.
    pub(super) fn drop(&mut self, relations: impl Iterator<Item = String>) {
        self.dropped.extend(relations);
    }

    /// The best small set of all that are measured.
    pub(super) fn best(&self, most: usize) -> Vec<Chosen> {
        let open = |m: &&Measured| !self.dropped.contains(&m.chosen.relation.to_string());
        let pool: Vec<&Measured> = self.known.iter().filter(open).collect();
        let mut together = FixedBitSet::new();
        pool.iter().for_each(|measured| together.union_with(&measured.caught));
        if together.is_clear() {
            // Nothing tells them apart.
            return pool.iter().take(most).map(|measured| measured.chosen.clone()).collect();
        }
        let least = together.count_ones(..) / WORTH;
        let weight = |m: &Measured| m.chosen.candidate.size + m.chosen.candidate.condition_size;
        let mut choice = Choice::new(pool.iter().map(|m| (m.caught.clone(), weight(m))).collect(), PRICE);
        let mut picked: Vec<usize> = Vec::new();
        while picked.len() < most
            && let Some(next) = choice.propose()
        {
            if choice.gain(next) > least {
                choice.accept(next);
                picked.push(next);
            }
        }
        self.fill(&pool, &mut picked, most);
        picked.into_iter().map(|i| pool[i].chosen.clone()).collect()
    }

    /// Adds the best of each further transformation: it says something else of the function.
    fn fill(&self, pool: &[&Measured], picked: &mut Vec<usize>, most: usize) {
        let count = |i: usize| pool[i].caught.count_ones(..);
        let best = picked.iter().map(|&i| count(i)).max().unwrap_or(0);
        let mut rest: Vec<usize> = (0..pool.len()).filter(|&i| count(i) >= best - best / FURTHER).collect();
        rest.sort_by_key(|&i| (std::cmp::Reverse(count(i)), i));
        for i in rest {
            let is_further = picked.iter().all(|&p| pool[p].chosen.tried != pool[i].chosen.tried);
            if picked.len() < most && is_further {
                picked.push(i);
            }
        }
    }
}

/// What each relation catches, or which do not hold on the original.
fn caught(
    searches: &Searches<'_>,
    chosen: &[Chosen],
    searched: &[MutantId],
    budget: &Budget,
) -> Result<Result<Vec<FixedBitSet>, Vec<usize>>, LabError> {
    let (workbench, function): (&Workbench, usize) = (searches.workbench, searches.function);
    let names: Vec<String> = (0..chosen.len()).map(|i| format!("measured_{i}")).collect();
    let named = |(one, name): (&Chosen, &String)| Relation { name: Name::new(name), ..one.relation.clone() };
    let text = File { relations: chosen.iter().zip(&names).map(named).collect() }.to_string();
    // Other inputs than those of the evidence, so that the choice does not flatter it.
    let options = DiscoverOptions { seed: Seed(searches.options.seed.0 ^ 1), ..searches.options.clone() };
    let place: HashMap<MutantId, usize> = searched.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let inputs = budget.analysed(searched.len(), chosen.len());
    let outcome = analysed(workbench, function, (&text, inputs), &|id| place.contains_key(&id), &options)?;
    Ok(match outcome {
        MutateOutcome::BaselineViolated(check) => {
            let is_violated = |name: &String| {
                let relation = check.relations.iter().find(|r| r.name == *name);
                relation.is_some_and(|r| r.verdict() == RelationVerdict::Violated)
            };
            Err((0..names.len()).filter(|&i| is_violated(&names[i])).collect())
        }
        MutateOutcome::Analysed(analysis) => {
            let of = |name: &String| {
                let mut caught = FixedBitSet::with_capacity(searched.len());
                caught.extend(catches(Some(&analysis.record), name).iter().map(|id| place[id]));
                caught
            };
            Ok(names.iter().map(of).collect())
        }
    })
}
