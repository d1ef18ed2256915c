//! How techniques of making source inputs compare, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a comparison of techniques found.
///
/// A *suite* is what one technique makes in one repeat. A *candidate* is a faulty version that is run; a *fault* is a
/// candidate that some input of some suite detects. Everything but the times is the same for the same seed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ComparisonRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The function under test.
    pub function: String,
    /// Where everything random starts: repeat `r`, from 0, generates with this plus `r`.
    pub seed: u64,
    /// Suites a technique.
    pub repeats: u64,
    /// Inputs that were asked for, a suite.
    pub count: u64,
    /// Inputs of all suites together, each counted once.
    pub different_inputs: u64,
    /// The relations that detect faults.
    pub relations: Vec<String>,
    /// Where the faulty versions come from.
    pub versions: FaultyVersions,
    /// Faulty versions that were run.
    pub candidates: u64,
    /// Those that some input of some suite detects.
    pub faults: Vec<FaultRow>,
    /// What each technique came to, in the order given.
    pub techniques: Vec<TechniqueRow>,
    /// The first technique against each of the others.
    pub differences: Vec<DifferenceRow>,
    /// Every suite, by technique, then by repeat.
    pub suites: Vec<SuiteRow>,
    /// What else is to be known.
    pub warnings: Vec<String>,
    /// Where Dodona contradicts itself: mistakes of ours, for which nothing else in the record can be relied on.
    pub contradictions: Vec<String>,
}

/// Where faulty versions come from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum FaultyVersions {
    /// Mutants, but for those proved equivalent and duplicates.
    Mutants {
        /// The operators.
        operators: Vec<String>,
        /// All mutants, the left out ones too.
        mutants: u64,
        /// Proved equivalent.
        equivalent: u64,
        /// Of the same code as another one.
        duplicates: u64,
    },
    /// Subjects in folders, each a faulty version of this one.
    Folders {
        /// The folders.
        folders: Vec<String>,
    },
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct FaultRow {
    /// The mutant's number or the folder's name.
    pub fault: String,
    /// The share of suites that detect it, a technique.
    pub detected: Vec<f64>,
}

/// A mean with its spread.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Spread {
    /// The mean over repeats.
    pub mean: f64,
    /// The standard deviation as a sample's; `None` for one repeat.
    pub sd: Option<f64>,
}

/// What a technique came to, over its repeats.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct TechniqueRow {
    /// The technique.
    pub technique: String,
    /// How its inputs are put in order, as `--by` names it.
    pub order: String,
    /// Inputs a suite.
    pub inputs: Spread,
    /// The mean share of all faulty versions that the first 10 %, 20 %, … 100 % of the inputs detect; empty without faults.
    pub rates: Vec<f64>,
    /// The average percentage of faults detected, from 0 to 1, over all faulty versions: one that a suite does not detect counts as if an input
    /// behind its last did. `None` without faults.
    pub apfd: Option<Spread>,
    /// The share of the candidates that a whole suite detects; `None` without candidates.
    pub score: Option<Spread>,
    /// Milliseconds to generate a suite, the runs that confirm its paths included.
    pub generation: Spread,
    /// Milliseconds to put a suite in order.
    pub ordering: Spread,
    /// The share of the time that ordering takes: PO of Sun et al. (2021), 4.3; `None` where nothing took any time.
    pub overhead: Option<f64>,
}

/// Two techniques, held against each other.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct DifferenceRow {
    /// The one.
    pub technique: String,
    /// The other.
    pub against: String,
    /// Of their APFD; `None` where there are fewer than two repeats or no faults.
    pub apfd: Option<Difference>,
    /// Of their detection rates at 10 %, 20 %, … 100 %.
    pub rates: Vec<Option<Difference>>,
}

/// Whether two samples differ; all figures are positive or negative as the first one's mean is greater or smaller.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Difference {
    /// Welch's t; infinite (in JSON `null`) where nothing varies but the means differ.
    #[serde(deserialize_with = "number_or_null")]
    #[schemars(with = "Option<f64>")]
    pub t: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// The two-sided p value.
    pub p: f64,
    /// Cohen's d; infinite (in JSON `null`) where nothing varies but the means differ.
    #[serde(deserialize_with = "number_or_null")]
    #[schemars(with = "Option<f64>")]
    pub d: f64,
}

/// JSON has no infinity. Which of the two a `null` was is not known any more, so that it reads as no number.
fn number_or_null<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

/// What one suite came to.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct SuiteRow {
    /// The technique.
    pub technique: String,
    /// The repeat, from 0.
    pub repeat: u64,
    /// The seed that generates it again.
    pub seed: u64,
    /// Its inputs.
    pub inputs: u64,
    /// The faults that it detects.
    pub detected: u64,
    /// The average percentage of faults detected; `None` without inputs or faults.
    pub apfd: Option<f64>,
    /// The share of all faulty versions that the first 10 %, 20 %, … 100 % of the inputs detect; empty without faults.
    pub rates: Vec<f64>,
    /// Milliseconds to generate it.
    pub generation: f64,
    /// Milliseconds to put it in order.
    pub ordering: f64,
}

impl ComparisonRecord {
    /// The steps at which detection rates are taken, in per cent of a suite.
    pub const PERCENT: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_is_infinite_is_read_back_as_no_number() {
        let written = Difference { t: f64::NEG_INFINITY, df: 2.0, p: 0.0, d: f64::INFINITY };
        let json = serde_json::to_string(&written).expect("it has string keys");
        let Difference { t, df, d, .. } = serde_json::from_str(&json).expect("it reads back");
        assert!(t.is_nan() && d.is_nan() && df == 2.0, "{json}");
    }
}
