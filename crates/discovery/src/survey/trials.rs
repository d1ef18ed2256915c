//! Relations are tried on random inputs: guesses on some, and whatever holds on many others.

use dodona_inference::known_forms::KnownForm;
use dodona_records::{BrokenPromise, CheckRecord, RelationRecord, RelationVerdict, StopReason};
use dodona_relations::ast::Relation;
use dodona_sources::Seed;
use dodona_target::{Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Relations, check::check_until};

use super::candidate::{Candidate, Origin};
use super::survey_options::SurveyOptions;
use super::survey_tuning::{ALMOST, LAST, LEAST_FRESH, LONG, NEARLY, SHRINK_FUEL, TRIED};
use crate::hard_inputs::{HardInputs, HardVerdict};
use crate::relation_of::aside;
use crate::tuning::FEWEST;

/// What became of a relation that was tried.
pub(super) enum Tried {
    /// It held on all inputs.
    Holds(Box<Candidate>),
    /// An input violates it.
    Refuted(Option<BrokenPromise>),
    /// Hardly an input is eligible.
    HardlyEligible,
    /// The time was up.
    Open,
}

/// Tries relations.
pub(super) struct Trials<'a> {
    pub(super) workbench: &'a Workbench,
    /// The same subject with longer data, where its domains allow some.
    pub(super) longer: Option<&'a dodona_workbench::Workbench>,
    pub(super) hard: HardInputs,
    pub(super) options: &'a SurveyOptions,
    pub(super) interrupted: &'a Interruption,
}

impl Trials<'_> {
    /// Tries a relation that nobody has tried, and, if it holds, on as many fresh inputs as any other.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(super) fn guess(&self, candidate: Candidate, until: &Until) -> Result<Tried, LabError> {
        let seed = self.options.seed;
        let fuel = if promised(&candidate).is_some() { SHRINK_FUEL } else { 0 };
        let relation = candidate.relation.clone();
        match self.run(&self.workbench.any(), &relation, (TRIED, seed, fuel), until)? {
            Ended::Record(record) if violates(&record) => Ok(self.refuted(&candidate, &record)),
            Ended::Record(record) if record.hardly_tested(FEWEST).is_some() || record.tally.held == 0 => {
                Ok(Tried::HardlyEligible)
            }
            Ended::Record(_) => self.confirm(candidate, until),
            Ended::Stopped => Ok(Tried::Open),
        }
    }

    /// Runs a relation on a few inputs, whatever comes of it; nothing where the time was up.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(super) fn tally(
        &self,
        relation: &Relation,
        until: &Until,
    ) -> Result<Option<Box<RelationRecord>>, LabError> {
        match self.run(&self.workbench.any(), relation, (TRIED, self.options.seed, 0), until)? {
            Ended::Record(record) => Ok(Some(record)),
            Ended::Stopped => Ok(None),
        }
    }

    /// Runs a relation on inputs that nobody has run it on, some of them with longer data.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(super) fn confirm(&self, mut candidate: Candidate, until: &Until) -> Result<Tried, LabError> {
        // Other inputs than any search has.
        let seed = Seed(self.options.seed.0 ^ 0x7375_7276_6579_0000);
        let fresh = self.options.fresh.max(LEAST_FRESH);
        let fuel = if promised(&candidate).is_some() { SHRINK_FUEL } else { 0 };
        let relation = candidate.relation.clone();
        let record = match self.run(&self.workbench.any(), &relation, (fresh, seed, fuel), until)? {
            Ended::Record(record) => record,
            Ended::Stopped => return Ok(Tried::Open),
        };
        if violates(&record) {
            return Ok(self.refuted(&candidate, &record));
        }
        if record.tally.held == 0 || record.hardly_tested(FEWEST / 10.0).is_some() {
            return Ok(Tried::HardlyEligible);
        }
        if let Some(longer) = self.longer {
            match self.run(&longer.any(), &relation, (LONG, seed, fuel), until)? {
                Ended::Record(long) if violates(&long) => return Ok(self.refuted(&candidate, &long)),
                Ended::Record(_) => {}
                Ended::Stopped => return Ok(Tried::Open),
            }
        }
        match self.hard.judge(&relation, until)? {
            HardVerdict::Holds => {}
            HardVerdict::Violated(hard) => return Ok(self.refuted(&candidate, &hard)),
            HardVerdict::Special => return Ok(Tried::HardlyEligible),
        }
        (candidate.held, candidate.ineligible) = (record.tally.held, record.tally.ineligible());
        Ok(Tried::Holds(Box::new(candidate)))
    }

    /// Runs a relation that would be listed on many more inputs; what became of it, if one violates it.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(super) fn last(&self, candidate: &mut Candidate, until: &Until) -> Result<Option<Tried>, LabError> {
        let seed = Seed(self.options.seed.0 ^ 0x6c61_7374_0000_0000);
        let sources = self.options.fresh.saturating_mul(LAST);
        let relation = candidate.relation.clone();
        let fuel = if promised(candidate).is_some() { SHRINK_FUEL } else { 0 };
        Ok(match self.run(&self.workbench.any(), &relation, (sources, seed, fuel), until)? {
            Ended::Record(record) if violates(&record) => Some(self.refuted(candidate, &record)),
            Ended::Record(record) => {
                candidate.held += record.tally.held;
                candidate.ineligible += record.tally.ineligible();
                None
            }
            Ended::Stopped => None,
        })
    }

    fn refuted(&self, candidate: &Candidate, record: &RelationRecord) -> Tried {
        let tally = &record.tally;
        let is_almost = |least: f64| tally.held as f64 >= least * tally.eligible() as f64;
        let counterexample = record.counterexample.as_ref();
        let promise = counterexample.filter(|_| promised(candidate).is_some_and(is_almost));
        Tried::Refuted(promise.map(|counterexample| BrokenPromise {
            text: candidate.says(),
            functions: names(self.workbench, &candidate.functions),
            held: tally.held,
            violated: tally.violated,
            source: counterexample.source.clone(),
            sides: counterexample.sides.clone(),
            why: counterexample.why.clone(),
        }))
    }

    fn run(
        &self,
        workbench: &dodona_workbench::Workbench,
        relation: &Relation,
        (sources, seed, shrink_fuel): (u64, Seed, u64),
        until: &Until,
    ) -> Result<Ended, LabError> {
        let relations = Relations::of_trees(std::slice::from_ref(relation), workbench.functions())?;
        let options = aside(sources, seed, self.options.jobs, shrink_fuel);
        let record: CheckRecord = match check_until(workbench.about(relations), &options, until, &mut |_| {})
        {
            Ok(record) => record,
            Err(error) if error.is_stopped() => return Ok(Ended::Stopped),
            Err(error) => return Err(error),
        };
        let is_whole = matches!(record.stop, StopReason::SourcesRun { .. }) && !self.interrupted.is_raised();
        let first = record.relations.into_iter().next();
        // A violation is one however little was run.
        Ok(match first {
            Some(first) if is_whole || violates(&first) => Ended::Record(Box::new(first)),
            _ => Ended::Stopped,
        })
    }
}

/// Parts of names of functions that promise that twice does what once does, and that the order of the arguments does not matter.
const SETTLES: [&str; 14] = [
    "to_", "normal", "canonic", "simplif", "dedent", "trim", "strip", "sanitiz", "clean", "collapse",
    "unfill", "dedup", "round", "slug",
];
const SYMMETRIC: [&str; 14] = [
    "distance",
    "similar",
    "levenshtein",
    "hamming",
    "jaro",
    "dice",
    "gcd",
    "lcm",
    "equal",
    "intersect",
    "union",
    "overlap",
    "max",
    "min",
];

/// The share of the inputs that have to obey a relation which names promise, for it to be told as broken; `None` where no name promises it.
fn promised(candidate: &Candidate) -> Option<f64> {
    match candidate.origin {
        Origin::Name => Some(ALMOST),
        Origin::Shape => name_promises(candidate.name()).then_some(NEARLY),
        _ => None,
    }
}

/// Whether the name of a function promises a relation of a known form.
pub(super) fn is_promised(form: &KnownForm) -> bool {
    name_promises(&form.relation.name.text)
}

fn name_promises(relation: &str) -> bool {
    let says = |end: &str, words: &[&str]| {
        let function = relation.strip_suffix(end);
        function.is_some_and(|function| words.iter().any(|word| function.contains(word)))
    };
    says("_again", &SETTLES) || says("_of_exchanged", &SYMMETRIC)
}

/// How a run on inputs ended.
enum Ended {
    Record(Box<RelationRecord>),
    Stopped,
}

fn violates(record: &RelationRecord) -> bool {
    record.verdict() == RelationVerdict::Violated
}

/// The names of functions.
pub(super) fn names(workbench: &Workbench, functions: &[usize]) -> Vec<String> {
    functions.iter().map(|&function| workbench.functions()[function].name.clone()).collect()
}

/// What guesses and laws became, over a whole survey.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) open: usize,
    pub(super) hardly_eligible: usize,
    pub(super) broken: Vec<BrokenPromise>,
}

impl Counts {
    /// Notes what became of a relation; the candidate, if it holds.
    pub(super) fn note(&mut self, tried: Tried) -> Option<Candidate> {
        match tried {
            Tried::Holds(candidate) => return Some(*candidate),
            Tried::Refuted(promise) => self.broken.extend(promise),
            Tried::HardlyEligible => self.hardly_eligible += 1,
            Tried::Open => self.open += 1,
        }
        None
    }
}
