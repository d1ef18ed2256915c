//! What suites detect, and how soon.

use crate::statistics::{Summary, Undetected, apfd, cohens_d, fault_detection_rate, mutation_score, t_test};
use dodona_records::{
    ComparisonRecord, Difference, DifferenceRow, FORMAT_VERSION, FaultRow, Spread, SuiteRow, TechniqueRow,
};
use dodona_subject::Manifest;

use super::faults::{Candidate, DetectionResults};
use super::suites::Suite;
use super::{CompareOptions, Contender};

const PERCENT: [u32; 10] = ComparisonRecord::PERCENT;

/// What the comparison was of.
pub(super) struct About<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) function: usize,
    pub(super) options: &'a CompareOptions,
    pub(super) count: usize,
    pub(super) different_inputs: usize,
    pub(super) relations: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) contradictions: Vec<String>,
}

impl About<'_> {
    /// The record of all of it.
    pub(super) fn record(self, suites: Vec<Suite>, found: DetectionResults) -> ComparisonRecord {
        let candidates = found.candidates.len() as u64;
        let faults: Vec<&Candidate> =
            found.candidates.iter().filter(|candidate| !candidate.detected_by.is_clear()).collect();
        // Shares are of all faulty versions: of those that these suites detect, they would be other shares beside other techniques. Without
        // any fault there is nothing to have a share of.
        let versions: &[Candidate] = if faults.is_empty() { &[] } else { &found.candidates };
        let rows: Vec<SuiteRow> = suites.iter().map(|suite| suite_row(suite, versions)).collect();
        let techniques = &self.options.techniques;
        let row = |&technique: &Contender| {
            let order = self.options.order_of(technique).to_string();
            technique_row(technique, order, &rows, candidates)
        };
        let others = techniques.iter().skip(1);
        ComparisonRecord {
            format_version: FORMAT_VERSION,
            subject: self.manifest.name.clone(),
            manifest: self.manifest.path.display().to_string(),
            function: self.manifest.functions[self.function].name.clone(),
            seed: self.options.generate.seed.0,
            repeats: self.options.repeats.get() as u64,
            count: self.count as u64,
            different_inputs: self.different_inputs as u64,
            relations: self.relations,
            versions: found.versions,
            candidates,
            faults: faults.iter().map(|fault| fault_row(fault, &suites, techniques)).collect(),
            techniques: techniques.iter().map(row).collect(),
            differences: others.map(|&other| difference_row(techniques[0], other, &rows)).collect(),
            suites: rows,
            warnings: self.warnings,
            contradictions: self.contradictions,
        }
    }
}

/// The number of the first input, from 1, that detects a fault.
fn first(suite: &Suite, fault: &Candidate) -> Option<u64> {
    let detects = |&input: &usize| fault.detected_by.contains(input);
    suite.inputs.iter().position(detects).map(|position| position as u64 + 1)
}

fn suite_row(suite: &Suite, versions: &[Candidate]) -> SuiteRow {
    let inputs = suite.inputs.len() as u64;
    let first: Vec<Option<u64>> = versions.iter().map(|version| first(suite, version)).collect();
    SuiteRow {
        technique: suite.contender.to_string(),
        repeat: suite.repeat,
        seed: suite.seed.0,
        inputs,
        detected: first.iter().flatten().count() as u64,
        // A fault that this suite does not detect counts as if an input behind its last did, so that a suite cannot gain by
        // missing what is hard.
        apfd: apfd(inputs, &first, Undetected::Last),
        rates: PERCENT.iter().filter_map(|&percent| fault_detection_rate(inputs, &first, percent)).collect(),
        generation: suite.generation.as_secs_f64() * 1e3,
        ordering: suite.ordering.as_secs_f64() * 1e3,
    }
}

fn fault_row(fault: &Candidate, suites: &[Suite], techniques: &[Contender]) -> FaultRow {
    let share = |&technique: &Contender| {
        let own: Vec<&Suite> = suites.iter().filter(|suite| suite.contender == technique).collect();
        let detecting = own.iter().filter(|suite| first(suite, fault).is_some()).count();
        detecting as f64 / own.len().max(1) as f64
    };
    FaultRow { fault: fault.name.clone(), detected: techniques.iter().map(share).collect() }
}

fn of(technique: Contender, rows: &[SuiteRow]) -> impl Iterator<Item = &SuiteRow> + Clone {
    let name = technique.to_string();
    rows.iter().filter(move |row| row.technique == name)
}

fn technique_row(technique: Contender, order: String, rows: &[SuiteRow], candidates: u64) -> TechniqueRow {
    let own = of(technique, rows);
    let all =
        |figure: &dyn Fn(&SuiteRow) -> Option<f64>| own.clone().filter_map(figure).collect::<Vec<f64>>();
    let generation = all(&|row| Some(row.generation));
    let ordering = all(&|row| Some(row.ordering));
    let time = generation.iter().chain(&ordering).sum::<f64>();
    TechniqueRow {
        technique: technique.to_string(),
        order,
        inputs: spread(&all(&|row| Some(row.inputs as f64))).unwrap_or(Spread { mean: 0.0, sd: None }),
        rates: (0..PERCENT.len())
            .filter_map(|step| spread(&all(&|row| row.rates.get(step).copied())))
            .map(|spread| spread.mean)
            .collect(),
        apfd: spread(&all(&|row| row.apfd)),
        score: spread(&all(&|row| mutation_score(row.detected, candidates))),
        overhead: (time > 0.0).then(|| ordering.iter().sum::<f64>() / time),
        generation: spread(&generation).unwrap_or(Spread { mean: 0.0, sd: None }),
        ordering: spread(&ordering).unwrap_or(Spread { mean: 0.0, sd: None }),
    }
}

fn spread(values: &[f64]) -> Option<Spread> {
    Summary::of(values).map(|summary| Spread { mean: summary.mean, sd: summary.sd })
}

fn difference_row(one: Contender, other: Contender, rows: &[SuiteRow]) -> DifferenceRow {
    let figures = |technique, figure: &dyn Fn(&SuiteRow) -> Option<f64>| -> Vec<f64> {
        of(technique, rows).filter_map(figure).collect()
    };
    let between = |figure: &dyn Fn(&SuiteRow) -> Option<f64>| {
        difference(&figures(one, figure), &figures(other, figure))
    };
    DifferenceRow {
        technique: one.to_string(),
        against: other.to_string(),
        apfd: between(&|row| row.apfd),
        rates: (0..PERCENT.len()).map(|step| between(&|row| row.rates.get(step).copied())).collect(),
    }
}

fn difference(one: &[f64], other: &[f64]) -> Option<Difference> {
    let test = t_test(one, other)?;
    Some(Difference { t: test.t, df: test.df, p: test.p, d: cohens_d(one, other)? })
}
