//! What mutation analysis found, as data: reports are made from these records alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    DominatorGroup, FORMAT_VERSION, FailedCall, Judgement, MutantId, MutantRecord, Place, RelationKill,
    Revealed, StopReason, VersionRecord,
};

/// What the mutation analysis of one subject found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct MutationRecord {
    /// [`crate::FORMAT_VERSION`].
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The seed of the random inputs.
    pub seed: u64,
    /// The functions under test that were mutated.
    pub functions: Vec<String>,
    /// The functions of the source that the mutants are in: those with the most mutants first, equal ones by name.
    pub mutated: Vec<MutatedFunction>,
    /// The mutation operators that were applied, by their short names.
    pub operators: Vec<String>,
    /// Which tests were asked for.
    pub asked: Against,
    /// Which tests the mutants were run against: inputs alone where both were asked for and there is no relation.
    pub against: Against,
    /// The inputs of the suite, all functions under test together.
    pub inputs: u64,
    /// One score a relation, in the order of the files; empty when no relation was run.
    pub relations: Vec<RelationScore>,
    /// Every mutant of the chosen operators by ascending number.
    pub mutants: Vec<MutantRecord>,
    /// Faulty versions that were run beside the mutants, in the order given. They are no mutants: no score of mutants counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<VersionRecord>,
    /// Of the survivors that inputs reveal, in [`Mode::Classes`]: the groups that stand for all of them, those that bring down most first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivors: Option<Vec<DominatorGroup>>,
    /// Where nothing was mutated, and why.
    pub skipped: Vec<SkippedSite>,
    /// Accepted mutants that there are no more.
    pub stale: Vec<StaleEntry>,
    /// What was executed.
    pub work: ExecutionCounts,
    /// How long a mutant is run.
    pub mode: Mode,
    /// Which pairs are executed.
    pub pruning: Pruning,
    /// Why the analysis ended.
    pub stop: StopReason,
    /// What went wrong beside the results.
    pub warnings: Vec<String>,
    /// Where Dodona contradicts itself: mistakes of ours, for which nothing else in the record can be relied on.
    pub contradictions: Vec<String>,
    /// Why the subject could not be analysed, if it could not, in words of one or several lines. It has no mutants then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl MutationRecord {
    /// The record of a subject that could not be analysed, such as one that could not be built. Only the path that was given is known
    /// of it.
    pub fn failed(path: String, seed: u64, why: String) -> MutationRecord {
        MutationRecord {
            format_version: FORMAT_VERSION,
            subject: path.clone(),
            manifest: path,
            seed,
            functions: Vec::new(),
            mutated: Vec::new(),
            operators: Vec::new(),
            asked: Against::default(),
            against: Against::default(),
            inputs: 0,
            relations: Vec::new(),
            mutants: Vec::new(),
            versions: Vec::new(),
            survivors: None,
            skipped: Vec::new(),
            stale: Vec::new(),
            work: ExecutionCounts::default(),
            mode: Mode::default(),
            pruning: Pruning::default(),
            stop: StopReason::NotStarted,
            warnings: Vec::new(),
            contradictions: Vec::new(),
            failure: Some(why),
        }
    }
}

/// A function of the source with mutants in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct MutatedFunction {
    /// Its name in the source, with its path where the language has them: `libm::math::cbrt::cbrt`.
    pub function: String,
    /// The file of its mutants, as in [`Place::file`].
    pub file: Option<String>,
    /// How many it has.
    pub mutants: u64,
}

/// Which tests mutants are run against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// Relations: a mutant is killed when a metamorphic group violates one on it that holds on the original.
    Relations,
    /// A suite of inputs with the original's outcomes as the oracle.
    Inputs,
    /// Both. What the relations find counts as killed, what the suite finds as revealed: the difference is what
    /// relations could still find.
    #[default]
    Both,
}

/// How long a mutant is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Every relation to its first kill: what is known is *which* relations kill a mutant.
    #[default]
    EachRelation,
    /// To the first kill of any test.
    StopAtKill,
    /// To the first kill of any test, after a few tests that infect many mutants: mutants that one of those kills are a class. Survivors are run through
    /// all inputs, so that it is known which of them stand for all.
    Classes,
    /// Through every test: the full kill matrix.
    Matrix,
}

/// Which pairs of a mutant and a test are executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pruning {
    /// Those in which the test infects the mutant; no other can tell it from the original.
    #[default]
    Infected,
    /// All.
    Off,
}

/// Code that is not mutated, or a mutant that is not made.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SkippedSite {
    /// Where.
    pub place: Place,
    /// The operator that would apply; nothing when the code is skipped for all.
    pub operator: Option<String>,
    /// Why: `adjusts the stack pointer`, `masks a Boolean`, `no function under test reaches it`.
    pub reason: String,
    /// Mutants that are therefore not made; 0 where nobody counted.
    pub mutants: u64,
}

/// What one relation kills.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RelationScore {
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub file: String,
    /// The line in that file, from 1.
    pub line: usize,
    /// Eligible metamorphic groups that hold on the original.
    pub groups: u64,
    /// Mutants that it kills.
    pub kills: u64,
    /// Mutants that no other relation kills.
    pub only: u64,
    /// The first of those that only it kills, at most 10.
    pub sole: Vec<MutantId>,
}

/// An entry of the file of accepted mutants that applies to no mutant any more.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct StaleEntry {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The entry: the mutant's key, or as much of it as can be read.
    pub entry: String,
    /// Why it applies no more.
    pub reason: String,
}

/// What was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ExecutionCounts {
    /// Pairs of a mutant and a test in the full matrix.
    pub pairs: u64,
    /// Of those, the pairs that were executed in full.
    pub executed: u64,
    /// Calls of the original.
    pub baseline_calls: u64,
}

impl MutantRecord {
    /// Whether a score counts it: tests were run on it, and it is no copy of the original or of another mutant.
    pub fn is_scored(&self) -> bool {
        self.is_detected() || self.is_alive()
    }

    /// Whether the tests tell it from the original: it is killed, crashed or timed out.
    pub fn is_detected(&self) -> bool {
        matches!(self.judgement, Judgement::Killed | Judgement::Crashed | Judgement::TimedOut)
    }

    /// Whether the tests do not tell it from the original: it is alive or untested.
    pub fn is_alive(&self) -> bool {
        matches!(self.judgement, Judgement::Alive | Judgement::Untested)
    }

    /// What its kills say of it, for a mutant that was run and is neither equivalent, duplicate nor accepted.
    pub fn judged_by(&self, against: Against) -> Judgement {
        let MutantRecord { killed_by, revealed_by, failed, untested, .. } = self;
        Judgement::of_tests(against, killed_by, revealed_by.as_ref(), failed.as_ref(), untested.is_some())
    }
}

impl Judgement {
    /// What tests say of something that was run in the place of the original. Where relations were run, whether one kills it or a call of it fails; where none
    /// was, how the first input that reveals it does so.
    pub fn of_tests(
        against: Against,
        killed_by: &[RelationKill],
        revealed_by: Option<&Revealed>,
        failed: Option<&FailedCall>,
        is_untested: bool,
    ) -> Judgement {
        let failure = |failed: &FailedCall| failed.how.failure().unwrap_or(Judgement::Killed);
        match (against, revealed_by, failed) {
            (Against::Inputs, None, _) => Judgement::Alive,
            (Against::Inputs, Some(revealed), Some(failed)) if revealed.first == failed.input => {
                failure(failed)
            }
            (Against::Inputs, Some(_), _) => Judgement::Killed,
            _ if !killed_by.is_empty() => Judgement::Killed,
            (_, _, Some(failed)) => failure(failed),
            _ if is_untested => Judgement::Untested,
            _ => Judgement::Alive,
        }
    }
}

impl MutationRecord {
    /// Where another analysis of the same mutants judged them otherwise, in words: each such mutant is a mistake of one of the two. Mutants that
    /// either did not run are passed over.
    pub fn judged_otherwise(&self, other: &MutationRecord) -> Vec<String> {
        let pairs = self.mutants.iter().zip(&other.mutants);
        let ran = |mutant: &MutantRecord| mutant.judgement != Judgement::NotRun;
        // The tests are run in another order, so that another call may be the first that fails, or the first that differs.
        let alike = |a: &MutantRecord, b: &MutantRecord| match self.against {
            Against::Inputs => a.is_detected() && b.is_detected(),
            Against::Relations | Against::Both => {
                [a, b].iter().all(|m| m.is_detected() && m.killed_by.is_empty())
            }
        };
        let differ = pairs.filter(|(a, b)| ran(a) && ran(b) && a.judgement != b.judgement && !alike(a, b));
        differ
            .map(|(a, b)| {
                format!("{} is {:?} by classes and {:?} by all tests", a.id, a.judgement, b.judgement)
            })
            .collect()
    }
}
