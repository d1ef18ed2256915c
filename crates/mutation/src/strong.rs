//! The tests that every mutant is put through first: those that infect many of them.
//!
//! A test and the mutants that it kills are a class (Kapoor 2011, Definition "Mutant Class"), and a few classes hold most mutants that are killed at all. Which
//! mutants a test infects is known from the observing run, before any of them is run. Whether it kills them, each is asked with that one test: the
//! condition is necessary and not sufficient, and a score that counted what it only promises would be too high.

use dodona_evidence::SectionKind;
use dodona_mutants::Notes;

use crate::baseline::Baseline;
use crate::observe::BatchNotes;
use crate::suite::{Suite, TestKind};

/// How many tests of each kind go first. A longer list costs each mutant that survives a call a test, a shorter one leaves more to be run through all
/// tests: with 12 of them `subjects/hierarchy/selection` took three times as long as with 24, and with 32 `path-directed/math` longer than without.
const STRONG: usize = 24;

/// The tests among which they are chosen, of each kind: the first ones of each batch. Looking at 1,024 cost a twentieth of the time of an analysis of
/// `subjects/mymethod`, and chose no better.
const CANDIDATES: usize = 256;

/// A test, as its batch and its row.
pub(crate) type Test = (u32, u32);

/// The tests that go first, inputs and groups apart, in the order of their choice: each time the one that infects most mutants, where one that was
/// infected before counts half as much with each time.
pub(crate) fn strong_tests(
    suite: &Suite,
    baselines: &[Baseline],
    observed: &[BatchNotes],
    mutants: &[Notes],
) -> Vec<Test> {
    let mut chosen = Vec::new();
    for kind in [SectionKind::Inputs, SectionKind::Relation] {
        let candidates = candidates(suite, baselines, kind);
        let infected: Vec<Vec<u32>> =
            candidates.iter().map(|test| infected(&observed[test.0 as usize], test.1, mutants)).collect();
        chosen.extend(cover(&infected, mutants.len()).into_iter().map(|place| candidates[place]));
    }
    chosen
}

/// Tests of a kind that can kill, the same share of each batch.
fn candidates(suite: &Suite, baselines: &[Baseline], kind: SectionKind) -> Vec<Test> {
    let of_kind = |batch: &usize| {
        let is_input = matches!(suite.batches[*batch].kind, TestKind::Inputs { .. });
        is_input == (kind == SectionKind::Inputs)
    };
    let batches: Vec<usize> = (0..suite.batches.len()).filter(of_kind).collect();
    let share = CANDIDATES.div_ceil(batches.len().max(1));
    let tests = batches.into_iter().flat_map(|batch| {
        let rows = (0..suite.batches[batch].rows).filter(move |row| baselines[batch].can_kill(*row));
        rows.take(share).map(move |row| (batch as u32, row as u32))
    });
    tests.collect()
}

/// The mutants that a test infects.
fn infected(observed: &BatchNotes, row: u32, mutants: &[Notes]) -> Vec<u32> {
    let infects = |(_, notes): &(u32, &Notes)| observed.infects(row as usize, notes);
    (0..).zip(mutants).filter(infects).map(|(mutant, _)| mutant).collect()
}

/// The places of the tests that are chosen.
fn cover(infected: &[Vec<u32>], mutants: usize) -> Vec<usize> {
    let mut weights = vec![1.0_f64; mutants];
    let mut chosen = Vec::new();
    while chosen.len() < STRONG {
        let gain = |mutants: &[u32]| mutants.iter().map(|mutant| weights[*mutant as usize]).sum::<f64>();
        let gains = infected.iter().map(|mutants| gain(mutants)).enumerate();
        let open = gains.filter(|(place, gain)| *gain > 0.0 && !chosen.contains(place));
        // Of equal ones the first.
        let Some((best, _)) = open.max_by(|(p, a), (q, b)| a.total_cmp(b).then(q.cmp(p))) else { break };
        infected[best].iter().for_each(|mutant| weights[*mutant as usize] /= 2.0);
        chosen.push(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_for_many_comes_first_and_then_one_for_the_others() {
        let infected = [vec![0], vec![0, 1, 2], vec![1, 2, 3], vec![3, 4], vec![]];
        // Tests 1 and 2 infect three each, and the first is taken. Then test 2 has two halves and a whole, as much as test 3 has.
        assert_eq!(cover(&infected, 5), [1, 2, 3, 0]);
    }
}
