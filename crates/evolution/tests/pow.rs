//! The running example of the study (section 4): `pow(k, e)`, whose follow-up has an exponent less by one.

use dodona_evolution::discovery::{Candidate, Pairs, Place, Search, Settings, Variable};
use dodona_relations::ast::Expression;
use dodona_relations::plan::Ty;
use dodona_subject::{Column, Value};

/// `pow` as in Listing 1 of the study, with one of its statements changed.
fn pow(mutant: usize, k: i64, mut e: i64) -> i64 {
    let mut result: i64 = if mutant == 2 { 0 } else { 1 };
    let mut k2p = if mutant == 3 { k.wrapping_add(1) } else { k };
    let last = if mutant == 4 { 1 } else { 0 };
    while e > last {
        let odd = if mutant == 5 { 0 } else { 1 };
        if e & 1 == odd {
            result = if mutant == 6 { result.wrapping_add(k2p) } else { result.wrapping_mul(k2p) };
        }
        if mutant != 1 {
            k2p = k2p.wrapping_mul(k2p);
        }
        e >>= if mutant == 7 { 2 } else { 1 };
    }
    result
}

const MUTANTS: usize = 7;

/// The executions with `k` in -5..=5 and `e` in 1..=9, of the original and of its mutants.
fn pairs() -> Pairs {
    let inputs = || (-5..=5).flat_map(|k| (1..=9).map(move |e| (k, e)));
    let run = |mutant| inputs().map(move |(k, e)| [k, e, pow(mutant, k, e), pow(mutant, k, e - 1)]);
    let mut rows: Vec<[i64; 4]> = run(0).collect();
    let (correct, mut mutants) = (rows.len(), Vec::new());
    for mutant in 1..=MUTANTS {
        let wrong: Vec<_> = run(mutant).filter(|row| !rows[..correct].contains(row)).collect();
        mutants.extend(wrong.iter().map(|_| mutant as u32 - 1));
        rows.extend(wrong);
    }
    let column = |i: usize| Column::Int(rows.iter().map(|row| i128::from(row[i])).collect());
    let variable = |place, name| Variable { place, ty: Ty::Int, expression: Expression::name(name) };
    Pairs {
        variables: vec![
            variable(Place::SourceInput(0), "k"),
            variable(Place::SourceInput(1), "e"),
            variable(Place::SourceOutput(0), "s"),
            variable(Place::FollowUpOutput(0), "f"),
        ],
        columns: (0..4).map(column).collect(),
        correct,
        mutants,
        mutant_count: MUTANTS,
        refused: Vec::new(),
        crashed: Vec::new(),
        constants: vec![(Value::Int(-1), 1), (Value::Int(1), 2), (Value::Int(0), 1)],
    }
}

fn written(candidates: &[Candidate]) -> Vec<String> {
    candidates.iter().map(|c| format!("{} (misses {})", c.expect, c.false_negatives)).collect()
}

#[test]
fn evolution_alone_finds_that_the_follow_up_times_k_is_the_source() {
    let settings = Settings::default();
    let found = |seed| {
        let mut search = Search::new(pairs(), &settings, seed);
        search.evolve(40, &|| true);
        let best = search.candidates(5);
        println!("{seed}: {:?} {:?}", search.state(), written(&best));
        best.iter().any(|c| {
            ["f * k == s", "k * f == s", "s == f * k", "s == k * f"].contains(&&*c.expect.to_string())
        })
    };
    let successes = (0..6).filter(|&seed| found(seed)).count();
    assert!(successes >= 5, "{successes} of 6 seeds");
}
