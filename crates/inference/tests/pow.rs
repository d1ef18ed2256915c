//! The running example of GenMorph (section 4): `pow(k, e)`, whose follow-up has an exponent less by one.

use dodona_inference::discovery::{
    Candidate, EnumerateOptions, Origin, Pairs, Place, Search, Settings, Variable,
};
use dodona_relations::{ast::Expression, plan::Ty};
use dodona_target::{Column, Value};

/// `pow` as in Listing 1 of GenMorph, with one of its statements changed.
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

/// Executions for these inputs, of the original and of its mutants; those that the original refuses (Listing 1 throws for an
/// exponent below 0) are kept apart.
fn pairs(inputs: &[(i64, i64)]) -> Pairs {
    let run = |mutant, (k, e): (i64, i64)| [k, e, pow(mutant, k, e), pow(mutant, k, e - 1)];
    let (accepted, refused): (Vec<_>, Vec<_>) = inputs.iter().partition(|(_, e)| *e >= 1);
    let mut rows: Vec<[i64; 4]> = accepted.iter().map(|&x| run(0, x)).collect();
    let (correct, mut mutants) = (rows.len(), Vec::new());
    for mutant in 1..=MUTANTS {
        let all = accepted.iter().map(|&x| run(mutant, x)).enumerate();
        let wrong: Vec<_> = all.filter(|(i, row)| *row != rows[*i]).map(|(_, row)| row).collect();
        mutants.extend(wrong.iter().map(|_| mutant as u32 - 1));
        rows.extend(wrong);
    }
    let refused: Vec<_> = refused.iter().map(|&x| run(0, x)).collect();
    let variable = |place, name| Variable { place, ty: Ty::Int, expression: Expression::name(name) };
    Pairs {
        variables: vec![
            variable(Place::SourceInput(0), "k"),
            variable(Place::SourceInput(1), "e"),
            variable(Place::SourceOutput(0), "s"),
            variable(Place::FollowUpOutput(0), "f"),
        ],
        columns: columns(&rows, 4),
        correct,
        mutants,
        mutant_count: MUTANTS,
        refused: columns(&refused, 3),
        crashed: Vec::new(),
        constants: vec![(Value::Int(-1), 1), (Value::Int(1), 2), (Value::Int(0), 1)],
    }
}

fn columns(rows: &[[i64; 4]], count: usize) -> Vec<Column> {
    (0..count).map(|i| Column::Int(rows.iter().map(|row| i128::from(row[i])).collect())).collect()
}

fn inputs(exponents: std::ops::RangeInclusive<i64>) -> Vec<(i64, i64)> {
    (-5..=5).flat_map(|k| exponents.clone().map(move |e| (k, e))).collect()
}

fn written(candidates: &[Candidate]) -> Vec<String> {
    let expect = |c: &Candidate| c.parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    let write = |c: &Candidate| match &c.condition {
        Some(condition) => format!("when {condition}: {}", expect(c)),
        None => expect(c),
    };
    candidates.iter().map(write).collect()
}

/// Whether one of them says that the follow-up output times `k` is the source output.
fn has_step(candidates: &[Candidate]) -> bool {
    let forms = ["s == f * k", "s == k * f", "f * k == s", "k * f == s", "k == s / f"];
    candidates.iter().any(|c| forms.contains(&c.parts[0].to_string().as_str()))
}

fn small() -> Settings {
    Settings { population: 100, migrants: 16, ..Settings::default() }
}

#[test]
fn evolution_alone_finds_that_the_follow_up_times_k_is_the_source() {
    let found = |seed| {
        let mut search = Search::new(pairs(&inputs(1..=9)), &Settings::default(), seed);
        search.evolve(40, &|| true);
        has_step(&search.candidates(60))
    };
    let successes = (0..6).filter(|&seed| found(seed)).count();
    assert!(successes >= 5, "{successes} of 6 seeds");
}

#[test]
fn enumeration_finds_it_always() {
    for seed in 0..2 {
        let mut search = Search::new(pairs(&inputs(1..=9)), &small(), seed);
        search.enumerate(&EnumerateOptions::default(), &|| true);
        let found = search.candidates(60);
        assert!(has_step(&found), "{:?}", written(&found));
        assert!(found.iter().all(|c| c.origin == Origin::Enumeration));
        let state = search.state();
        assert!(state.enumerated > 1000 && state.complete_to == 7 && state.generation == 0, "{state:?}");
    }
}

#[test]
fn what_enumeration_found_is_developed() {
    let mut search = Search::new(pairs(&inputs(1..=9)), &small(), 3);
    search.enumerate(&EnumerateOptions::default(), &|| true);
    let before = search.candidates(1)[0].false_negatives;
    search.evolve(3, &|| true);
    let best = search.state().fewest_false_positives.expect("a relation");
    let rows = pairs(&inputs(1..=9)).mutants.len() as f64;
    assert!(best.false_positives == 0.0 && best.false_negatives <= f64::from(before) / rows);
}

#[test]
fn relations_hold_where_the_follow_up_call_returns() {
    let mut search = Search::new(pairs(&inputs(-2..=6)), &small(), 1);
    search.evolve(5, &|| true);
    search.enumerate(&EnumerateOptions::default(), &|| true);
    let found = search.candidates(60);
    assert!(has_step(&found), "{:?}", written(&found));
    assert!(found.iter().all(|c| c.condition.is_some()), "{:?}", written(&found));
    let step = found.iter().find(|c| has_step(std::slice::from_ref(c))).expect("found above");
    let condition = step.condition.as_ref().expect("a condition").to_string();
    assert!(["e > 0", "0 < e", "e >= 1", "1 <= e"].contains(&condition.as_str()), "{condition}");
}

#[test]
fn one_seed_finds_the_same_and_another_something_else() {
    let found = |seed, rest: bool| {
        let mut search = Search::new(pairs(&inputs(1..=6)), &small(), seed);
        for _ in 0..3 {
            search.evolve(4, &|| true);
            if rest {
                search.rest();
            }
        }
        (written(&search.candidates(40)), search.state().evaluated)
    };
    assert_eq!(found(7, false), found(7, false));
    assert_ne!(found(7, false).0, found(8, false).0);
    // What a rest forgets is computed again.
    assert_eq!(found(7, true).1, found(7, false).1);
}

#[test]
fn a_counterexample_takes_the_relation_away() {
    let mut search = Search::new(pairs(&inputs(1..=1)), &small(), 2);
    search.evolve(10, &|| true);
    search.enumerate(&EnumerateOptions::default(), &|| true);
    let narrow = written(&search.candidates(200));
    assert!(!narrow.is_empty());
    let more = pairs(&inputs(1..=9));
    let rows: Vec<u32> = (0..more.correct as u32).collect();
    let joined: Vec<Column> = more.columns.iter().map(|c| c.select(&rows)).collect();
    search.refute(&joined, &[]);
    let refuted = written(&search.candidates(200));
    // With an exponent of 1 the source output is k, and that of the follow-up is 1.
    assert!(narrow.iter().any(|c| !refuted.contains(c)), "{refuted:?}");
    assert!(refuted.iter().all(|c| c != "s == k" && c != "f == 1"), "{refuted:?}");
    search.enumerate(&EnumerateOptions::default(), &|| true);
    search.evolve(5, &|| true);
    let left = search.candidates(200);
    assert!(has_step(&left), "{:?}", written(&left));
}

#[test]
fn refused_executions_make_a_condition() {
    let mut search = Search::new(pairs(&inputs(1..=6)), &small(), 2);
    search.enumerate(&EnumerateOptions::default(), &|| true);
    assert!(search.candidates(60).iter().any(|c| c.condition.is_none()));
    search.refute(&[], &pairs(&inputs(-3..=0)).refused);
    let left = search.candidates(60);
    assert!(has_step(&left) && left.iter().all(|c| c.condition.is_some()), "{:?}", written(&left));
}

#[test]
fn a_stopped_search_goes_on_from_where_it_was() {
    let asked = std::cell::Cell::new(0);
    let a_while = || {
        asked.set(asked.get() + 1);
        asked.get() < 20
    };
    let mut search = Search::new(pairs(&inputs(1..=6)), &small(), 5);
    search.evolve(50, &a_while);
    let generation = search.state().generation;
    assert!(generation < 50, "{generation}");
    search.evolve(2, &|| true);
    assert_eq!(search.state().generation, generation + 2);
}

#[test]
fn memory_is_bounded_by_the_arena() {
    let settings = Settings { arena: 10_000, ..small() };
    let mut search = Search::new(pairs(&inputs(1..=4)), &settings, 5);
    for _ in 0..30 {
        search.evolve(5, &|| true);
        assert!(search.state().terms < 20_000, "{:?}", search.state());
    }
    assert!(search.state().evaluated > 20_000 && !search.candidates(5).is_empty());
}

#[test]
fn what_every_follow_up_refuses_has_no_relation() {
    for nothing in [pairs(&inputs(-3..=0)), pairs(&[])] {
        let mut search = Search::new(nothing, &small(), 5);
        search.enumerate(&EnumerateOptions::default(), &|| true);
        search.evolve(2, &|| true);
        assert!(search.candidates(5).is_empty());
        assert_eq!(search.state().fewest_false_positives, None);
    }
}
