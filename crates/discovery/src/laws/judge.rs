//! Laws put to fresh inputs, in the words that suit their numbers.

use std::sync::Arc;

use dodona_evidence::{Binding, CheckRecord, RefutedLaw, RelationVerdict};
use dodona_evolution::laws::Written;
use dodona_subject::{Function, Kind, Parameter, Scalar, Type};
use dodona_workbench::{
    CheckOptions, Interruption, LabError, Regressions, Seed, Until, Workbench, check::check_until,
};

use super::options::LawsOptions;

/// Inputs of a first test, which most laws that are not true do not pass.
const FIRST: u64 = 2_000;
/// Groups that have to hold: a law that hardly any input is eligible for is not tested.
const LEAST_HELD: u64 = 200;
/// Where outputs are larger, the rounding of arguments is larger than the tolerance: of functions with poles, for one.
const LARGEST_OUTPUT: &str = "1000";

/// A law in words that no input refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    /// Without `relation NAME`.
    pub(super) relation: String,
    /// Which of the ways to write the law it is, from the strictest.
    pub(super) reading: usize,
    pub(super) held: u64,
    pub(super) ineligible: u64,
}

/// Puts laws to fresh inputs.
pub(super) struct Judge<'a> {
    pub(super) workbench: &'a Workbench,
    pub(super) options: &'a LawsOptions,
    pub(super) interrupted: &'a Interruption,
    pub(super) until: &'a Until,
    pub(super) kind: Kind,
    /// The widest result of the functions, in bits.
    pub(super) bits: u32,
    /// The least integer of a type, if it lies in the domain of a parameter: it has no absolute value and no negative in its type.
    pub(super) least: Option<i128>,
}

/// What fresh inputs say of a law.
pub(super) enum Judged {
    Accepted(Accepted),
    Refuted(RefutedLaw),
    /// The time was up.
    Open,
}

impl Judge<'_> {
    /// The law in the strictest words that no fresh input refutes, from the words at `first` of those in which it can be written.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn judge(&self, written: &Written, first: usize) -> Result<Judged, LabError> {
        let mut refuted = None;
        for (reading, relation) in self.readings(written).into_iter().enumerate().skip(first) {
            if !self.until.goes_on() {
                return Ok(Judged::Open);
            }
            match self.test(&relation, FIRST)? {
                Judged::Refuted(first) => refuted = refuted.or(Some(first)),
                Judged::Accepted(accepted) => return Ok(Judged::Accepted(Accepted { reading, ..accepted })),
                Judged::Open => return Ok(Judged::Open),
            }
        }
        Ok(refuted.map_or(Judged::Open, Judged::Refuted))
    }

    /// Runs a law on all the fresh inputs.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn confirm(&self, relation: &str) -> Result<Judged, LabError> {
        self.test(relation, self.options.fresh)
    }

    /// The ways to write a law, the strictest first.
    fn readings(&self, written: &Written) -> Vec<String> {
        let Written { header, left, right, .. } = written;
        if self.kind == Kind::Int {
            let modulus =
                if self.bits >= 32 { "4294967296".to_owned() } else { (1_u64 << self.bits).to_string() };
            let above = self.least.map(|least| {
                let above: Vec<String> = written.arguments.iter().map(|a| format!("{a} > {least}")).collect();
                format!("{header}: when {}: {left} == {right}", above.join(" and "))
            });
            let modular = format!("{header}: ({}) mod {modulus} == 0", written.reduced);
            return std::iter::once(format!("{header}: {left} == {right}"))
                .chain(above)
                .chain([modular])
                .collect();
        }
        let plain = written.is_plain.then(|| format!("{header}: {left} == {right}"));
        let bounded: Vec<String> =
            written.plain_calls.iter().map(|call| format!("abs({call}) < {LARGEST_OUTPUT}")).collect();
        let bounded = (!bounded.is_empty())
            .then(|| format!("{header}: when {}: {left} ~= {right} within 1e-6", bounded.join(" and ")));
        let near = format!("{header}: {left} ~= {right}");
        match &written.magnitude {
            // Large terms that cancel each other have errors that are large beside what is left.
            Some(magnitude) => {
                let is_bounded = format!("{header}: {magnitude} < {LARGEST_OUTPUT}");
                let relative = format!("{header}: abs({left} - ({right})) <= 1e-9 * ({magnitude})");
                match self.test(&is_bounded, FIRST) {
                    Ok(Judged::Accepted(_)) => vec![near, relative],
                    _ => vec![relative],
                }
            }
            None => {
                let wide = format!("{header}: {left} ~= {right} within 1e-6");
                plain.into_iter().chain([near, wide]).chain(bounded).collect()
            }
        }
    }

    fn test(&self, relation: &str, sources: u64) -> Result<Judged, LabError> {
        let text = format!("relation law{relation}");
        let refuted = |why: String| {
            Judged::Refuted(RefutedLaw {
                text: relation.trim_start_matches(": ").to_owned(),
                counterexample: why,
            })
        };
        let loaded = match self.workbench.with_relations(&text) {
            Ok(loaded) => Arc::new(loaded),
            Err(LabError::Relations { problems, .. }) => {
                let why = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
                return Ok(refuted(format!("it cannot be written as a relation: {why}")));
            }
            Err(error) => return Err(error),
        };
        let options = CheckOptions {
            sources,
            files: Vec::new(),
            made: Vec::new(),
            relations: Vec::new(),
            // Another stream than the recorded executions.
            seed: Seed(self.options.seed.0 ^ 0x6672_6573_6800_0000),
            jobs: self.options.jobs,
            regressions: Regressions::Ignore,
        };
        let record = match check_until(&loaded, &options, self.until, &mut |_| {}) {
            Ok(record) => record,
            Err(error) if error.is_stopped() => return Ok(Judged::Open),
            Err(error) => return Err(error),
        };
        if self.interrupted.is_raised() || !self.until.goes_on() {
            return Ok(Judged::Open);
        }
        Ok(verdict(&record, relation, sources, &refuted))
    }
}

fn verdict(record: &CheckRecord, relation: &str, sources: u64, refuted: &dyn Fn(String) -> Judged) -> Judged {
    let Some(first) = record.relations.first() else { return Judged::Open };
    let counterexample = first.counterexample.as_ref().map(|c| Binding::list(&c.source));
    match first.verdict() {
        RelationVerdict::Violated => refuted(counterexample.unwrap_or_default()),
        RelationVerdict::Holds if first.tally.held >= LEAST_HELD.min(sources) => Judged::Accepted(Accepted {
            relation: relation.to_owned(),
            reading: 0,
            held: first.tally.held,
            ineligible: first.tally.groups() - first.tally.held,
        }),
        RelationVerdict::Holds | RelationVerdict::NeverEligible => {
            let held = first.tally.held;
            refuted(format!("only {held} of {} fresh inputs are eligible", first.tally.groups()))
        }
        RelationVerdict::NotRun => Judged::Open,
    }
}

/// The least integer of the type of a parameter, if it lies in its domain.
pub(super) fn least(function: &Function) -> Option<i128> {
    let of = |parameter: &Parameter| {
        let Type::Scalar(scalar) = parameter.ty else { return None };
        let least = match scalar {
            Scalar::I8 => i128::from(i8::MIN),
            Scalar::I16 => i128::from(i16::MIN),
            Scalar::I32 => i128::from(i32::MIN),
            Scalar::I64 => i128::from(i64::MIN),
            _ => return None,
        };
        parameter.domain.contains_int(scalar, least).then_some(least)
    };
    function.parameters.iter().filter_map(of).min()
}

/// The widest result of some functions, in bits; 0 for floats.
pub(super) fn bits(results: impl Iterator<Item = Scalar>) -> u32 {
    let bits = |scalar: Scalar| match scalar {
        Scalar::I8 | Scalar::U8 => 8,
        Scalar::I16 | Scalar::U16 => 16,
        Scalar::I32 | Scalar::U32 => 32,
        Scalar::I64 | Scalar::U64 => 64,
        Scalar::Bool | Scalar::F32 | Scalar::F64 => 0,
    };
    results.map(bits).max().unwrap_or(0)
}
