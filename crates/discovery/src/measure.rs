//! The final choice, by the mutants that relations kill on new inputs. Recorded executions promise more than a relation keeps, most
//! of all if it has a condition.

use std::collections::{HashMap, HashSet};

use dodona_evidence::{Binding, MutantId, MutationRecord, StopReason};
use dodona_evolution::discovery::Choice;
use dodona_mutation::MutateOutcome;
use dodona_sources::Seed;
use dodona_subject::Value;
use dodona_workbench::LabError;
use dodona_workbench::inputs::columns;
use fixedbitset::FixedBitSet;

use crate::choose::{HALF, POOL};
use crate::chosen::Chosen;
use crate::counterexample::values;
use crate::evidence::{Violation, analysed, catches, text, violated};
use crate::search::{MEASURED, Searches};
use crate::watch::{Pace, TEST_END};
use crate::{DiscoverOptions, candidate};

/// A relation is chosen for what it adds if it adds more than 1/`WORTH` of the mutants that all relations kill together.
const WORTH: usize = 16;

/// If there is room, a relation of another transformation is added if it kills all but 1/`FURTHER` as many mutants as the best
/// relation: two thirds as many.
const FURTHER: usize = 3;

/// The mutants that relations kill, among those that the search saw.
#[derive(Default)]
pub(super) struct Measures {
    known: Vec<Measured>,
}

struct Measured {
    chosen: Chosen,
    /// The mutants that it kills, by their index among those that the search saw.
    caught: FixedBitSet,
}

impl Measures {
    /// Measures the chosen relations that are not measured yet. Measured ones are run on inputs that have refuted other relations since.
    pub(super) fn measure(
        &mut self,
        searches: &mut Searches<'_>,
        searched: &[MutantId],
    ) -> Result<(), LabError> {
        self.recheck(searches)?;
        let is_new = |one: &&Chosen| {
            self.known.iter().all(|known| known.chosen.relation != one.relation)
                && !searches.dropped.contains(&one.relation.to_string())
        };
        let mut new: Vec<Chosen> = searches.chosen.iter().filter(is_new).cloned().collect();
        while !new.is_empty() {
            let Some(inputs) = affordable(searches, searched, new.len()) else {
                // No time to measure: the mutants that they kill in the recorded executions have to suffice.
                let recorded = |chosen: Chosen| Measured { caught: chosen.candidate.caught.clone(), chosen };
                self.known.extend(new.into_iter().map(recorded));
                return Ok(());
            };
            match caught(searches, &new, searched, inputs)? {
                Ok(caught) => {
                    searches.measured.tried += new.len() as u64;
                    searches.measured.passed += new.len() as u64;
                    let all = new.into_iter().zip(caught);
                    self.known.extend(all.map(|(chosen, caught)| Measured { chosen, caught }));
                    return Ok(());
                }
                // Some do not hold on these inputs: the others are measured without them.
                Err(violated) => {
                    searches.measured.tried += violated.len() as u64;
                    for Violation { place, source } in violated.iter().rev() {
                        refute(searches, &new.remove(*place), source)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Drops relations that an input violates which refuted another relation of the same transformation.
    fn recheck(&mut self, searches: &mut Searches<'_>) -> Result<(), LabError> {
        let new = std::mem::take(&mut searches.counterexamples);
        let pace = Pace::start(searches.watch, None);
        for Measured { chosen, .. } in &self.known {
            let inputs: Vec<&[Value]> = new
                .iter()
                .filter(|(tried, _)| *tried == chosen.tried)
                .map(|(_, values)| &values[..])
                .collect();
            let text = chosen.relation.to_string();
            if inputs.is_empty() || searches.dropped.contains(&text) {
                continue;
            }
            let loaded = candidate::load(searches.target.workbench, &chosen.relation)?;
            let inputs =
                columns(&searches.target.workbench.manifest.functions[searches.target.function], inputs);
            let ran = searches.fresh("recheck").run_on(&loaded, &inputs, &mut searches.caller, &pace)?;
            if ran.refuted.is_some() {
                searches.dropped.insert(text);
                searches.withdraw();
            }
        }
        Ok(())
    }

    /// The best small set of measured relations, without those that were dropped.
    pub(super) fn best(&self, dropped: &HashSet<String>, most: usize) -> Vec<Chosen> {
        let open = |m: &&Measured| !dropped.contains(&m.chosen.relation.to_string());
        let pool: Vec<&Measured> = self.known.iter().filter(open).collect();
        let mut together = FixedBitSet::new();
        pool.iter().for_each(|measured| together.union_with(&measured.caught));
        if together.is_clear() {
            // No mutant tells the relations apart.
            return pool.iter().take(most).map(|measured| measured.chosen.clone()).collect();
        }
        let least = together.count_ones(..) / WORTH;
        let sets = pool.iter().map(|m| (m.caught.clone(), m.chosen.candidate.weight())).collect();
        let mut choice = Choice::new(sets, HALF);
        let mut picked: Vec<usize> = Vec::new();
        while picked.len() < most
            && let Some(next) = choice.propose()
        {
            if choice.gain(next) > least {
                choice.accept(next);
                picked.push(next);
            }
        }
        let is_needless =
            |i: usize| picked.iter().any(|&other| pool[i].chosen.is_needless_beside(&pool[other].chosen));
        let mut picked: Vec<usize> = picked.iter().copied().filter(|&i| !is_needless(i)).collect();
        fill(&pool, &mut picked, most);
        picked.into_iter().map(|i| pool[i].chosen.clone()).collect()
    }
}

/// Adds the best relation of each further transformation, because it says something else about the function.
fn fill(pool: &[&Measured], picked: &mut Vec<usize>, most: usize) {
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

/// Records that a relation does not hold on the original.
pub(super) fn refute(
    searches: &mut Searches<'_>,
    chosen: &Chosen,
    source: &[Binding],
) -> Result<(), LabError> {
    searches.dropped.insert(chosen.relation.to_string());
    let loaded = candidate::load(searches.target.workbench, &chosen.relation)?;
    match values(searches.target.workbench, &loaded, source) {
        Some(values) => searches.refute(chosen.tried, &loaded, &values, MEASURED),
        None => Ok(()),
    }
}

/// On how many inputs each of these relations is measured. `None` after an interruption, without mutants, or if the function is so
/// slow that even a few inputs would take minutes.
fn affordable(searches: &Searches<'_>, searched: &[MutantId], relations: usize) -> Option<u64> {
    let wanted = searches.options.relations.saturating_mul(POOL);
    let inputs = searches.budget.analysed(searched.len(), wanted.max(relations));
    inputs.filter(|_| searches.watch.goes_on() && !searched.is_empty())
}

/// Records that the clock ended an analysis, if it did.
fn note_end(searches: &Searches<'_>, record: &MutationRecord) {
    if matches!(record.stop, StopReason::Interrupted { .. }) && !searches.watch.is_interrupted() {
        searches.watch.decides();
    }
}

/// The mutants that each relation kills, or the relations that do not hold on the original.
fn caught(
    searches: &Searches<'_>,
    chosen: &[Chosen],
    searched: &[MutantId],
    inputs: u64,
) -> Result<Result<Vec<FixedBitSet>, Vec<Violation>>, LabError> {
    let names: Vec<String> = (0..chosen.len()).map(|i| format!("measured_{i}")).collect();
    let text = text(chosen.iter(), &names);
    // Other inputs than those of the evidence, so that the choice does not make the evidence look better than it is.
    let options = DiscoverOptions { seed: Seed(searches.options.seed.0 ^ 1), ..searches.options.clone() };
    let place: HashMap<MutantId, usize> = searched.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let outcome =
        analysed(searches.target, (&text, inputs), searched, &options, &searches.watch.until(TEST_END))?;
    Ok(match outcome {
        MutateOutcome::BaselineViolated(check) => Err(violated(&check, &names)),
        MutateOutcome::Analysed(analysis) => {
            note_end(searches, &analysis.record);
            let of = |name: &String| {
                let mut caught = FixedBitSet::with_capacity(searched.len());
                caught.extend(catches(Some(&analysis.record), name).iter().map(|id| place[id]));
                caught
            };
            Ok(names.iter().map(of).collect())
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dodona_evolution::discovery::{Candidate, Origin};
    use dodona_relations::parse;

    use super::*;

    /// A relation of a transformation; `number` makes its text unique.
    fn measured(number: usize, tried: usize, size: usize, caught: impl Iterator<Item = usize>) -> Measured {
        let mut file = parse(&format!("relation r: f(x) == {number}")).expect("a relation");
        let candidate = Candidate {
            condition: None,
            parts: Vec::new(),
            caught: FixedBitSet::new(),
            false_negatives: 0,
            size,
            condition_size: 0,
            origin: Origin::Enumeration,
        };
        let chosen = Chosen { tried, relation: file.relations.remove(0), candidate: Arc::new(candidate) };
        Measured { chosen, caught: caught.collect() }
    }

    fn best(measures: &Measures, most: usize) -> Vec<String> {
        let text =
            |chosen: &Chosen| chosen.relation.to_string().trim().rsplit(' ').next().unwrap_or("").to_owned();
        measures.best(&HashSet::new(), most).iter().map(text).collect()
    }

    #[test]
    fn what_adds_most_for_its_size_is_first_and_what_adds_little_is_not_chosen() {
        let known = vec![
            measured(0, 0, 5, 0..30),
            measured(1, 0, 5, 20..60),
            measured(2, 0, 40, 0..60),
            // Adds one of sixty mutants.
            measured(3, 0, 3, 60..61),
        ];
        let measures = Measures { known };
        assert_eq!(best(&measures, 8), ["1", "0"]);
        assert_eq!(best(&measures, 1), ["1"]);
    }

    #[test]
    fn other_transformations_join_when_they_catch_nearly_as_much() {
        let known = vec![
            measured(0, 0, 5, 0..30),
            measured(1, 0, 5, 0..29),
            measured(2, 1, 5, 0..20),
            measured(3, 2, 5, 0..19),
            measured(4, 3, 5, 0..29),
        ];
        let measures = Measures { known };
        assert_eq!(best(&measures, 8), ["0", "4", "2"]);
        assert_eq!(best(&measures, 2), ["0", "4"]);
    }

    #[test]
    fn what_was_dropped_is_not_chosen_again() {
        let known = vec![measured(0, 0, 5, 0..9), measured(1, 0, 5, 0..3)];
        let measures = Measures { known };
        let dropped = HashSet::from([measures.known[0].chosen.relation.to_string()]);
        let best = measures.best(&dropped, 8);
        assert_eq!(best.len(), 1);
        assert!(best[0].relation == measures.known[1].chosen.relation);
    }

    #[test]
    fn without_mutants_the_first_are_the_best() {
        let known = (0..3).map(|i| measured(i, 0, 5, 0..0)).collect();
        assert_eq!(best(&Measures { known }, 2), ["0", "1"]);
    }
}
