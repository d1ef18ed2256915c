//! Dominators of 10,000 mutants by 10,000 tests, the tests that suffice, and the edges of the order, on one core, in the shapes of kill
//! matrices that are worst for the comparison of sets. Processor time, the best of several runs.
//!
//! `cargo bench --package dodona-benches --bench hierarchy` runs it.

use cpu_time::ThreadTime;
use dodona_mutation::orders::{KillSets, Subsumption};

const MUTANTS: usize = 10_000;
const TESTS: usize = 10_000;
const RUNS: u32 = 3;

/// What each mutant's row is made of, as words.
type Shape = fn(mutant: usize, row: &mut [u64]);

const SHAPES: [(&str, Shape); 10] = [
    ("random, 1 test in 1,000", |mutant, row| random(mutant, row, 10)),
    ("random, 1 test in 100", |mutant, row| random(mutant, row, 100)),
    ("random, 1 test in 10", |mutant, row| random(mutant, row, 1000)),
    ("random, half of the tests", |mutant, row| random(mutant, row, 5000)),
    ("one chain", |mutant, row| (0..=mutant).for_each(|test| set(row, test))),
    ("all incomparable: each its own test and its neighbour's", |mutant, row| {
        set(row, mutant);
        set(row, (mutant + 1) % TESTS);
    }),
    ("all tests but one or two", |mutant, row| {
        row_of_all(row);
        unset(row, mutant);
        if mutant.is_multiple_of(2) {
            unset(row, (mutant * 7 + 1) % TESTS);
        }
    }),
    ("half of the tests in common, and a chain, but one test of the common ones", |mutant, row| {
        (0..TESTS / 2).chain(TESTS / 2..TESTS / 2 + mutant / 2 + 1).for_each(|test| set(row, test));
        unset(row, (mutant * 7 + 1) % (TESTS / 2));
    }),
    ("random sizes up to all", |mutant, row| {
        random(mutant, row, 1 + mutant);
    }),
    ("three levels of 1,365, each mutant under all of the level above, the rest alive", |mutant, row| {
        if mutant < 3 * 1365 {
            (0..mutant / 1365 * 1365).for_each(|test| set(row, test));
            set(row, mutant);
        }
    }),
];

fn main() {
    for (name, shape) in SHAPES {
        let rows = (0..MUTANTS).map(|mutant| {
            let mut row = vec![0; TESTS.div_ceil(64)];
            shape(mutant, &mut row);
            row
        });
        let kills = KillSets::new(TESTS, rows.collect()).expect("rows of that many tests");
        let (mut dominators, mut suite, mut order) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let mut found = (0, 0, 0);
        for _ in 0..RUNS {
            let start = ThreadTime::now();
            let subsumption = Subsumption::of(&kills);
            dominators = dominators.min(start.elapsed().as_secs_f64());
            let start = ThreadTime::now();
            let tests = subsumption.sufficient_tests().len();
            suite = suite.min(start.elapsed().as_secs_f64());
            let start = ThreadTime::now();
            let edges = subsumption.order().edges.len();
            order = order.min(start.elapsed().as_secs_f64());
            found = (subsumption.dominators().len(), tests, edges);
        }
        let (minimal, tests, edges) = found;
        println!(
            "{name}: {minimal} dominators in {dominators:.2} s, {tests} tests that suffice in {suite:.2} s, \
             {edges} edges in {order:.2} s"
        );
    }
}

/// About so many tests of 10,000, each as likely as the other.
fn random(mutant: usize, row: &mut [u64], of_ten_thousand: usize) {
    // SplitMix64 (Steele, Lea, Flood 2014).
    let mut state = mutant as u64 + 1;
    for test in 0..TESTS {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state.wrapping_mul(mutant as u64 * 2 + 1);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (bits ^ (bits >> 31)) % 10_000 < of_ten_thousand as u64 {
            set(row, test);
        }
    }
}

fn row_of_all(row: &mut [u64]) {
    (0..TESTS).for_each(|test| set(row, test));
}

fn set(row: &mut [u64], test: usize) {
    row[test / 64] |= 1 << (test % 64);
}

fn unset(row: &mut [u64], test: usize) {
    row[test / 64] &= !(1 << (test % 64));
}
