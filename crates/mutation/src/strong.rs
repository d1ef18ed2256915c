//! Strong tests: the tests that infect many mutants. Every mutant is run on these first.
//!
//! A test together with the mutants that it kills is a mutant class (Kapoor 2011, Definition "Mutant Class"), and a few classes
//! contain most of the mutants that are killed at all. The observing run shows which mutants a test infects, before any mutant
//! is run. Whether the test kills an infected mutant is found by running the mutant on this test: infection is necessary for a
//! kill but not sufficient, and a score that counted infected mutants as killed would be too high.
//!
//! The tests that infect the most mutants go first, and each mutant is run on them one by one.

use dodona_mutants::Notes;
use dodona_records::SectionKind;

use crate::baseline::Baseline;
use crate::observe::BatchNotes;
use crate::suite::{Suite, TestBatch, TestKind};

/// The number of strong tests of each kind. With a longer list, each mutant that survives costs one more call for each test;
/// with a shorter one, more mutants have to be run on all tests. With 12 tests `subjects/hierarchy/selection` took three times
/// as long as with 24, and with 32 `path-directed/math` took longer than without strong tests.
const STRONG: usize = 24;

/// The number of tests of each kind from which strong tests are chosen: the first ones of each batch. With 1,024 the choice
/// took a twentieth of the time of an analysis of `subjects/mymethod`, and was no better.
const CANDIDATES: usize = 256;

/// A test, given by its batch and its row.
pub(crate) type Test = (u32, u32);

/// The strong tests of the mutants of some modules, inputs and groups separately, in the order of their choice. The next test
/// is always the one that infects the most mutants, where a mutant counts half as much for each time that a chosen test infects
/// it.
pub(crate) fn strong_tests(
    suite: &Suite,
    baselines: &[Baseline],
    modules: &[(&[BatchNotes], &[Notes])],
) -> Vec<Test> {
    let mut chosen = Vec::new();
    let count = modules.iter().map(|(_, mutants)| mutants.len()).sum();
    for kind in [SectionKind::Inputs, SectionKind::Relation] {
        let candidates = candidates(suite, baselines, kind);
        let infected: Vec<Vec<u32>> = candidates.iter().map(|test| infected(*test, modules)).collect();
        chosen.extend(cover(&infected, count).into_iter().map(|place| candidates[place]));
    }
    chosen
}

/// The tests of one kind that can kill, the same number of each batch.
fn candidates(suite: &Suite, baselines: &[Baseline], kind: SectionKind) -> Vec<Test> {
    let of_kind = |batch: &usize| {
        let is_input = matches!(suite.batches[*batch].kind, TestKind::Inputs { .. });
        is_input == (kind == SectionKind::Inputs)
    };
    let batches: Vec<usize> = (0..suite.batches.len()).filter(of_kind).collect();
    let share = CANDIDATES.div_ceil(batches.len().max(1));
    let tests = batches.into_iter().flat_map(|batch| {
        let TestBatch { rows, repeated, .. } = &suite.batches[batch];
        let rows = (0..*rows).filter(move |row| baselines[batch].can_kill(*row) && !repeated.contains(*row));
        rows.take(share).map(move |row| (batch as u32, row as u32))
    });
    tests.collect()
}

/// The mutants that a test infects, numbered over all modules.
fn infected((batch, row): Test, modules: &[(&[BatchNotes], &[Notes])]) -> Vec<u32> {
    let of_module = |(observed, mutants): &(&[BatchNotes], &[Notes])| {
        let observed = &observed[batch as usize];
        mutants.iter().map(|notes| observed.infects(row as usize, notes)).collect::<Vec<bool>>()
    };
    let infects = (0..).zip(modules.iter().flat_map(of_module));
    infects.filter(|(_, infects)| *infects).map(|(mutant, _)| mutant).collect()
}

/// The indices of the tests that are chosen.
fn cover(infected: &[Vec<u32>], mutants: usize) -> Vec<usize> {
    let mut weights = vec![1.0_f64; mutants];
    let mut chosen = Vec::new();
    while chosen.len() < STRONG {
        let gain = |mutants: &[u32]| mutants.iter().map(|mutant| weights[*mutant as usize]).sum::<f64>();
        let gains = infected.iter().map(|mutants| gain(mutants)).enumerate();
        let open = gains.filter(|(place, gain)| *gain > 0.0 && !chosen.contains(place));
        // Of several equally good tests, the first.
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
        // Tests 1 and 2 infect three mutants each, and the first of them is taken. Then test 2 counts two halves and one, which
        // is two, as much as test 3.
        assert_eq!(cover(&infected, 5), [1, 2, 3, 0]);
    }
}
