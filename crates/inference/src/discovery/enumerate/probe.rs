//! The probes: a few rows of a data set on which terms are told apart.

use dodona_target::{Column, Value};

use crate::discovery::Pairs;
use crate::discovery::tuning::PROBES;

/// The pairs reduced to the probes: correct rows spread over the data, correct rows with special values of a variable, and
/// incorrect rows spread over the data.
pub(super) fn probe(pairs: &Pairs) -> Pairs {
    let correct = correct_rows(pairs);
    let incorrect = spread(pairs.mutants.len(), PROBES);
    let first = pairs.correct as u32;
    let rows: Vec<u32> = correct.iter().copied().chain(incorrect.iter().map(|row| row + first)).collect();
    Pairs {
        variables: pairs.variables.clone(),
        columns: pairs.columns.iter().map(|column| column.select(&rows)).collect(),
        correct: correct.len(),
        mutants: incorrect.iter().map(|&row| pairs.mutants[row as usize]).collect(),
        mutant_count: pairs.mutant_count,
        refused: Vec::new(),
        crashed: Vec::new(),
        constants: pairs.constants.clone(),
    }
}

/// Spread rows come first, so that a candidate is not tried on special values only.
fn correct_rows(pairs: &Pairs) -> Vec<u32> {
    let mut rows = spread(pairs.correct, PROBES / 2);
    for column in &pairs.columns {
        rows.extend(special(column, pairs.correct));
    }
    rows.extend(spread(pairs.correct, PROBES));
    let mut seen = std::collections::BTreeSet::new();
    rows.retain(|row| seen.insert(*row));
    rows.truncate(PROBES);
    rows
}

/// At most `count` row indices below `rows`, evenly spread.
fn spread(rows: usize, count: usize) -> Vec<u32> {
    let count = count.min(rows);
    (0..count).map(|i| (i * rows / count) as u32).collect()
}

/// The first rows at which a column has its least or greatest value, 0, 1 or -1; for texts and sequences, the length counts.
fn special(column: &Column, rows: usize) -> Vec<u32> {
    let measures: Vec<f64> = (0..rows).map(|row| measure(&column.value(row))).collect();
    let order = |a: &usize, b: &usize| measures[*a].total_cmp(&measures[*b]).then(a.cmp(b));
    let ends = [(0..rows).min_by(order), (0..rows).max_by(order)];
    let small = [0.0, 1.0, -1.0].map(|x| measures.iter().position(|m| *m == x));
    ends.into_iter().chain(small).flatten().map(|row| row as u32).collect()
}

/// A number by which values are ordered: the length for a text or sequence.
fn measure(value: &Value) -> f64 {
    match value {
        Value::Bool(b) => f64::from(u8::from(*b)),
        Value::Int(i) => *i as f64,
        Value::Float(x) => *x,
        Value::Text(t) => t.len() as f64,
        Value::Sequence(s) => s.len() as f64,
    }
}
