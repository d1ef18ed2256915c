//! Frames of a subject, and relations that were identified from them, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Binding;

/// The frames of a function: what a person said of its inputs and outputs, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FramesRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The function under test.
    pub function: String,
    /// The file of categories and choices.
    pub file: String,
    /// Where everything random starts.
    pub seed: u64,
    /// What distinguishes inputs.
    pub inputs: Vec<CategoryRecord>,
    /// What distinguishes outputs.
    pub outputs: Vec<CategoryRecord>,
    /// The frames that the constraints allow.
    pub frames: Vec<FrameRecord>,
    /// Choices of outputs of which it is not known whether inputs of further frames give them.
    pub open: Vec<OpenOutputsRecord>,
    /// How many of the inputs were found in each way.
    pub origins: InputOrigins,
    /// Constraints that contradict each other, as they are written.
    pub contradiction: Vec<String>,
    /// Categories whose choices leave a gap or overlap, and constraints that an input violates.
    pub misfits: Vec<MisfitRecord>,
    /// What else is to be known.
    pub warnings: Vec<String>,
}

/// How many inputs of frames were found in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct InputOrigins {
    /// Drawn at random.
    pub random: u64,
    /// Given by the solver for frames that no random input belongs to, and for outputs that no other input of a frame gives.
    pub solver: u64,
    /// Neighbours of inputs of the same frame.
    pub near: u64,
    /// Along paths that inputs of a frame take.
    pub path: u64,
    /// Fresh inputs that refuted a relation.
    pub refuting: u64,
}

/// A category with its choices.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CategoryRecord {
    /// The name.
    pub name: String,
    /// The names of its choices.
    pub choices: Vec<String>,
    /// The inputs that have each.
    pub inputs: Vec<u64>,
}

/// A complete test frame.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FrameRecord {
    /// The choices in words: `cabin.first student.no`.
    pub choices: String,
    /// `possible`, `impossible` (proved) or `unknown`.
    pub state: String,
    /// Why nobody knows.
    pub why: Option<String>,
    /// Its inputs.
    pub inputs: u64,
    /// The output scenarios that occur, in words.
    pub scenarios: Vec<String>,
}

/// Choices of outputs of which it is not known whether inputs of further frames give them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct OpenOutputsRecord {
    /// The choices in words: `fee.none`.
    pub outputs: String,
    /// In how many frames it is not known.
    pub frames: u64,
    /// Why nobody knows.
    pub why: String,
}

/// Something that a file of categories says and an input refutes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct MisfitRecord {
    /// What is wrong, in words.
    pub what: String,
    /// The input that shows it.
    pub input: Vec<Binding>,
}

impl FramesRecord {
    /// Input-and-output-based complete test frames: frames with each scenario that occurs.
    pub fn io_frames(&self) -> usize {
        self.frames.iter().map(|frame| frame.scenarios.len()).sum()
    }

    /// The choices of outputs that no input was seen to give, in words.
    pub fn unobserved(&self) -> Vec<String> {
        let of = |category: &CategoryRecord| {
            let pairs = category.choices.iter().zip(&category.inputs);
            let never = pairs.filter(|(_, inputs)| **inputs == 0);
            never.map(|(choice, _)| format!("{}.{choice}", category.name)).collect::<Vec<_>>()
        };
        self.outputs.iter().flat_map(of).collect()
    }
}

/// Relations that were identified from pairs of frames.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct IdentificationRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The frames that they come from.
    pub frames: FramesRecord,
    /// Changes of one parameter that were tried.
    pub changes: u64,
    /// Changes of several parameters at once that were tried.
    pub joint_changes: u64,
    /// Candidate pairs of frames that a change leads from one to the other.
    pub pairs: u64,
    /// Relations of one pair each that no fresh input refuted.
    pub pair_relations: u64,
    /// Relations of one pair each that a fresh input refuted.
    pub pairs_refuted: u64,
    /// The relations that are left, those that say most first.
    pub relations: Vec<IdentifiedRelation>,
    /// Relations that a fresh input refuted.
    pub refuted: Vec<RefutedIdentification>,
    /// Conditions that were left out beside wider ones of the same relation.
    pub narrower: u64,
    /// Relations that held and were left out because others say more.
    pub weaker: u64,
    /// Random inputs that each relation had to hold on.
    pub fresh: u64,
}

/// A relation that was identified.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct IdentifiedRelation {
    /// Its name.
    pub name: String,
    /// The relation.
    pub text: String,
    /// Whether the declared order of outputs says so; else it is inferred from samples.
    pub stated: bool,
    /// The samples that it was made from.
    pub samples: u64,
    /// The fresh inputs that it held on.
    pub fresh: u64,
    /// Whether these are the last inputs; else they are those by which it was proposed, since the time was up or somebody interrupted.
    pub confirmed: bool,
}

/// A relation that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RefutedIdentification {
    /// The relation.
    pub text: String,
    /// The input that refutes it.
    pub input: Vec<Binding>,
}
