//! Reports of how techniques of making source inputs compare.

mod comparison_terminal;

use csv::WriterBuilder;
use dodona_records::{ComparisonRecord, SuiteRow};

/// Comma-separated values: a line of column names, then a line a suite. What is not defined is empty.
///
/// `faults` are those that some suite detects, `candidates` all faulty versions that were run, `score` the share of these that the
/// suite detects, `milliseconds` the time of generation and ordering together, `rate10` … `rate100` shares of `faults`.
///
/// # Panics
/// Never: writing to memory does not fail.
fn csv_comparison(record: &ComparisonRecord) -> String {
    let mut out = WriterBuilder::new().from_writer(Vec::new());
    let head = [
        "technique",
        "repeat",
        "seed",
        "inputs",
        "candidates",
        "faults",
        "detected",
        "score",
        "apfd",
        "milliseconds",
        "generation_milliseconds",
        "ordering_milliseconds",
    ];
    let rates = ComparisonRecord::PERCENT.iter().map(|percent| format!("rate{percent}"));
    let head: Vec<String> = head.into_iter().map(str::to_owned).chain(rates).collect();
    let lines = record.suites.iter().map(|suite| line(record, suite));
    for line in [head].into_iter().chain(lines) {
        out.write_record(&line).expect("memory takes every line");
    }
    String::from_utf8(out.into_inner().expect("memory takes every line")).expect("fields are text")
}

fn line(record: &ComparisonRecord, suite: &SuiteRow) -> Vec<String> {
    let number = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
    let score = (record.candidates > 0).then(|| suite.detected as f64 / record.candidates as f64);
    let rate = |step: usize| number(suite.rates.get(step).copied());
    let mut line = vec![
        suite.technique.clone(),
        suite.repeat.to_string(),
        suite.seed.to_string(),
        suite.inputs.to_string(),
        record.candidates.to_string(),
        record.faults.len().to_string(),
        suite.detected.to_string(),
        number(score),
        number(suite.apfd),
        (suite.generation + suite.ordering).to_string(),
        suite.generation.to_string(),
        suite.ordering.to_string(),
    ];
    line.extend((0..ComparisonRecord::PERCENT.len()).map(rate));
    line
}
