//! How adequately a function is tested by relations, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Binding;

/// k-MR coverage of one function (Fu, Sun, Zhang, Liu, "Test Adequacy for Metamorphic Testing", 2024, section III).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct AdequacyRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The function under test.
    pub function: String,
    /// The criterion for test cases: `statement`, `branch`, `i-choice`, `i-choice-pair` or `io-ctf`.
    pub criterion: String,
    /// The number of different relations that each requirement is to be tested with.
    pub k: u64,
    /// Where everything random starts.
    pub seed: u64,
    /// Source inputs.
    pub sources: u64,
    /// Relations that take inputs of the function.
    pub relations: u64,
    /// The different forms of their output relations.
    pub forms: Vec<String>,
    /// Pairs of a source input and a relation that were executed and verified.
    pub associations: u64,
    /// What the requirements reach, each at most k.
    pub reached: u64,
    /// What they would reach: k times their number.
    pub whole: u64,
    /// The degree of adequacy: the one over the other.
    pub degree: f64,
    /// The greatest k that every requirement reaches.
    pub reachable: u64,
    /// The greatest k that some requirement reaches.
    pub greatest: u64,
    /// Each requirement.
    pub requirements: Vec<RequirementRecord>,
    /// The share of the frames that a relation covers on average (ECCEM), where there are frames.
    pub eccem: Option<f64>,
    /// What relations cover of the paths that the groups take.
    pub paths: Option<PathShares>,
    /// Relations that a source input violates.
    pub violated: Vec<String>,
    /// What else is to be known.
    pub warnings: Vec<String>,
}

impl AdequacyRecord {
    /// Notes inputs that would satisfy what no source input satisfies, one for each requirement if it is known.
    pub fn show(&mut self, inputs: &[Option<Vec<Binding>>]) {
        for (requirement, input) in self.requirements.iter_mut().zip(inputs) {
            requirement.shown = input.clone().filter(|_| requirement.best.is_none());
        }
    }

    /// Whether every requirement is tested with k relations. Where there is no requirement, nothing was tested.
    pub fn is_reached(&self) -> bool {
        self.whole > 0 && self.reached >= self.whole
    }
}

/// What relations cover of paths (Dong et al.; section VII of the study of k-MR coverage).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct PathShares {
    /// The paths that source and follow-up inputs of any group take.
    pub paths: u64,
    /// The share of these that a relation covers on average (APCEM).
    pub apcem: f64,
    /// The share of the pairs of paths of any group that a relation covers on average (APPCEM).
    pub appcem: f64,
}

/// How adequately one requirement is tested.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RequirementRecord {
    /// What it is, in words.
    pub name: String,
    /// The different relations of its best source input.
    pub relations: u64,
    /// How many more relations of another form that source input needs.
    pub missing: u64,
    /// The best source input; `None` where none satisfies the requirement.
    pub best: Option<Vec<Binding>>,
    /// Where none does: an input that would, if one is known.
    pub shown: Option<Vec<Binding>>,
}

/// Groups that were selected to reach a degree.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct SelectionRecord {
    /// What all groups together reach.
    pub adequacy: AdequacyRecord,
    /// The degree that was asked for.
    pub wanted: f64,
    /// The degree that the selected groups reach.
    pub degree: f64,
    /// The groups, in the order in which they were selected.
    pub groups: Vec<GroupRecord>,
    /// No selection of fewer groups reaches that degree.
    pub least: u64,
    /// So many of the first groups reach the degree, where all groups were put in order.
    pub enough: Option<u64>,
    /// The share that the selected groups, or the first ones that are enough, cover of the paths that all groups take (APC), of the paths that each
    /// relation was seen to cover (APCEM), and of the pairs of paths (APPCEM). `None` where no path was seen.
    pub paths: Option<[f64; 3]>,
}

/// A metamorphic group: a source input and a relation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GroupRecord {
    /// The relation.
    pub relation: String,
    /// The source input.
    pub source: Vec<Binding>,
}
