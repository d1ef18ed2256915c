//! What one run of everything found, as data: the relations of each function, what they catch, and what nothing runs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AdequacyRecord, Binding, Counterexample, MutantId, Place, ProofVerdict, RelationRecord, RelationVerdict,
    RequirementRecord, Share,
};

/// What a run found of all its subjects. Two runs of the same code, relations and options have the same record, whatever was kept between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RunRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// Options that a command which goes on from this run has to repeat.
    #[serde(default, skip_serializing_if = "RepeatedOptions::is_none")]
    pub repeated: RepeatedOptions,
    /// In the order given.
    pub subjects: Vec<SubjectRun>,
}

/// Options of a run that a command which goes on from it has to repeat: `--session`, `elsewhere`. Those that have their usual value are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RepeatedOptions {
    /// Where the session is: for every command that reads it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session: Vec<String>,
    /// What else results depend on: for another run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<String>,
}

impl RepeatedOptions {
    /// Whether all options have their usual values.
    pub fn is_none(&self) -> bool {
        self.session.is_empty() && self.run.is_empty()
    }
}

/// What a run found of one subject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SubjectRun {
    /// Its name; the path that was given, of one that could not be opened.
    pub subject: String,
    /// The path of its manifest as given.
    pub manifest: String,
    /// In the order of the manifest.
    pub functions: Vec<FunctionRun>,
    /// Work that was left because the time was up or somebody interrupted: `discover of gcd`. The next run does it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// What went wrong beside the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Where Dodona contradicts itself: mistakes of ours, for which nothing else in the record can be relied on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<String>,
    /// Kept counterexamples that no relation could be run on: what they show was not checked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread: u64,
    /// How another version differs, where one was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<AgainstRecord>,
    /// Why the subject could not be run, in words of one or several lines. It has no functions then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What a run found of one function under test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FunctionRun {
    /// Its name in relations.
    pub function: String,
    /// The relations whose first call is of this function.
    pub relations: Vec<RunRelation>,
    /// The mutants of its code and what they tell; nothing where they were not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<RunFaults>,
    /// What inputs run of its code; nothing where that was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<RunCoverage>,
    /// With how many relations its code is tested; nothing where that was not measured, or there is no relation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adequacy: Option<RunAdequacy>,
}

/// Where a relation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RelationState {
    /// In a file of relations: a person wants it to hold.
    Accepted,
    /// Only in the session: a run found it, and nobody has judged it.
    Found,
}

impl RelationState {
    /// The word of the records: `accepted`.
    pub fn name(self) -> &'static str {
        match self {
            RelationState::Accepted => "accepted",
            RelationState::Found => "found",
        }
    }
}

/// The search that found a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Finder {
    /// A search for relations of one function.
    Discovery,
    /// Pairs of frames, as METRIC+ does.
    Identification,
    /// A composition of accepted relations.
    Composition,
}

/// A relation in a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RunRelation {
    /// Whether a person accepted it.
    pub state: RelationState,
    /// What it says in words, if a search found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// What found it. `None` of one that a person accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_by: Option<Finder>,
    /// What its check found. An input with which a proof refuted the relation counts as one more group.
    pub check: RelationRecord,
    /// What came of its proof, without the reasons that left it open, which `dodona prove` tells; `None` where none was tried, because it is violated or was never tested, or the time was up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofVerdict>,
    /// The mutants that it catches, by ascending number. `None` where mutants were not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caught: Option<Vec<MutantId>>,
}

impl RunRelation {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.check.name
    }

    /// Whether a person may accept it: it was found, and it holds.
    pub fn is_acceptable(&self) -> bool {
        self.state == RelationState::Found && self.verdict() == RelationVerdict::Holds
    }

    /// Whether it is proved for every eligible input, up to a length of sequences and texts.
    pub fn is_proved(&self) -> bool {
        matches!(self.proof, Some(ProofVerdict::Proved { .. }))
    }

    /// What its check says.
    pub fn verdict(&self) -> RelationVerdict {
        self.check.verdict()
    }
}

/// What the mutants of a function's code tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RunFaults {
    /// Mutants that were run and can be caught: not known to be equivalent, no duplicate, accepted by nobody.
    pub counted: u64,
    /// Mutants that were left because the time was up or somebody interrupted; the next run runs them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_run: u64,
    /// Those whose outputs for some input differ from the original's: the faults that inputs reveal.
    pub revealed: Vec<MutantId>,
    /// Those of them that an accepted relation catches.
    pub caught: u64,
    /// Those of them that an accepted relation or one that was found catches.
    pub caught_with_found: u64,
    /// Those that no accepted relation catches by the source line that they change, the lines with the most of them first.
    pub surviving: Vec<SurvivingLine>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl RunFaults {
    /// How many of the faults that inputs reveal the accepted relations catch.
    pub fn score(&self) -> Share {
        Share { covered: self.caught, total: self.revealed.len() as u64 }
    }

    /// How many of them the relations that were found catch too.
    pub fn score_with_found(&self) -> Share {
        Share { covered: self.caught_with_found, ..self.score() }
    }
}

/// Faults in one source line that inputs reveal and no accepted relation catches, with one of them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SurvivingLine {
    /// Where the one of them is.
    pub place: Place,
    /// Its source line, where it is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// All of them, by ascending number.
    pub mutants: Vec<MutantId>,
    /// The code that the one changes.
    pub before: String,
    /// What it is changed to.
    pub after: String,
    /// An input that reveals it.
    pub input: Vec<Binding>,
    /// The original's outcome for it.
    pub expected: String,
    /// The mutant's.
    pub found: String,
    /// A relation that was found, and not accepted, that catches the most of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_catch: Option<String>,
}

/// What inputs run of a function's code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RunCoverage {
    /// Lines, or blocks where there are no lines.
    pub statements: Share,
    /// Directions of branches.
    pub branches: Share,
    /// The lines that it may run, for each file.
    pub files: Vec<FileLines>,
}

/// With how many different relations the branches of a function are tested: its k-MR coverage. Of a function without branches it is about statements.
///
/// A relation counts for a direction of a branch if it was executed on a source input that takes it. The relations are the accepted ones that hold, or where there is none
/// those that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RunAdequacy {
    /// The criterion: `branch` or `statement`.
    pub criterion: String,
    /// The number of different relations that each requirement is to be tested with.
    pub k: u64,
    /// The relations that take inputs of the function.
    pub relations: u64,
    /// Requirements that are tested with at least k relations, of all.
    pub tested: Share,
    /// Requirements that no relation tests.
    pub untested: u64,
    /// What the requirements reach together, each at most k, of k times their number: the degree of adequacy.
    pub degree: Share,
    /// For each number from 1 to k the requirements that are tested with at least so many relations of different forms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_k: Vec<u64>,
    /// Requirements that lack relations, those that lack most first; [`RunAdequacy::MOST_LACKING`] at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<RequirementRecord>,
}

impl RunAdequacy {
    /// The most requirements that are named. A person goes through no more, and `dodona adequacy` has all.
    pub const MOST_LACKING: usize = 20;

    /// What a measurement of one function says.
    pub fn of(record: &AdequacyRecord) -> RunAdequacy {
        let all = &record.requirements;
        let with = |least: u64| all.iter().filter(|one| record.k - one.missing >= least).count() as u64;
        let mut lacking: Vec<RequirementRecord> = all.iter().filter(|one| one.missing > 0).cloned().collect();
        lacking.sort_by_key(|one| Reverse(one.missing));
        lacking.truncate(RunAdequacy::MOST_LACKING);
        RunAdequacy {
            criterion: record.criterion.clone(),
            k: record.k,
            relations: record.relations,
            tested: Share { covered: with(record.k), total: all.len() as u64 },
            untested: all.iter().filter(|one| one.relations == 0).count() as u64,
            degree: Share { covered: record.reached, total: record.whole },
            by_k: (1..=record.k).map(with).collect(),
            lacking,
        }
    }
}

/// Lines of a file that have code which a function may run, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FileLines {
    /// The file.
    pub file: String,
    /// Lines that some input runs.
    pub run: Vec<u32>,
    /// Lines that no input of this function runs. Another function may run them.
    pub never_run: Vec<u32>,
    /// Directions of branches for each line that decides some, by line.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub branches: BTreeMap<u32, Share>,
}

/// How this version of a subject differs from another one, on the same inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct AgainstRecord {
    /// The other version as given: a revision, a folder or a module.
    pub version: String,
    /// Functions that were called with the same inputs in both versions.
    pub compared: u64,
    /// Those of them that give something else.
    pub changed: Vec<ChangedFunction>,
    /// Relations that say something else of the two versions.
    pub relations: Vec<ChangedRelation>,
    /// Relations that hold in both.
    pub held: u64,
    /// Relations that are violated in both.
    pub violated: u64,
    /// What was not compared, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A function that gives something else than in the other version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ChangedFunction {
    /// Its name in relations.
    pub function: String,
    /// Calls that were compared.
    pub calls: u64,
    /// Those of them that end otherwise.
    pub differing: u64,
    /// A short one of those: `gcd(0, 3)`.
    pub call: String,
    /// How it ended in the other version.
    pub before: String,
    /// How it ends in this one.
    pub now: String,
}

/// A relation whose verdict is another one than in the other version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ChangedRelation {
    /// Its name.
    pub name: String,
    /// The relation as printed by the language.
    pub text: String,
    /// Whether a person accepted it.
    pub state: RelationState,
    /// What changed.
    pub change: Change,
    /// Mutants of the function's code that it catches in the other version and in this one, where that is what changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caught: Option<[u64; 2]>,
    /// Where it is violated in one of the versions: the input, with the calls and outputs there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
}

/// How the verdict on a relation differs from that in the other version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It held in the other version, or was not tested there, and is violated in this one.
    NewlyViolated,
    /// It held in the other version, and no input is eligible in this one: it says nothing any more.
    NoLongerEligible,
    /// It was violated in the other version, and holds in this one.
    NoLongerViolated,
    /// No input was eligible in the other version, and it holds in this one.
    NewlyEligible,
    /// It holds in both, caught no mutant of the other version's code, and catches some of this one's.
    NewlyCatching,
    /// It holds in both, caught mutants of the other version's code, and catches none of this one's.
    NoLongerCatching,
}

impl Change {
    /// In words: `newly violated`.
    pub fn words(self) -> &'static str {
        match self {
            Change::NewlyViolated => "newly violated",
            Change::NoLongerEligible => "no longer eligible",
            Change::NoLongerViolated => "no longer violated",
            Change::NewlyEligible => "newly eligible",
            Change::NewlyCatching => "newly catching",
            Change::NoLongerCatching => "no longer catching",
        }
    }

    /// From the verdict in the other version to that in this one; `None` where they say the same, or one of them is not known.
    ///
    /// ```
    /// use dodona_records::{Change, RelationVerdict::{Holds, NeverEligible, NotRun, Violated}};
    /// assert_eq!(Change::between(Holds, Violated), Some(Change::NewlyViolated));
    /// assert_eq!(Change::between(Violated, NeverEligible), Some(Change::NoLongerEligible));
    /// assert_eq!(Change::between(Holds, Holds), None);
    /// assert_eq!(Change::between(Holds, NotRun), None);
    /// ```
    pub fn between(before: RelationVerdict, now: RelationVerdict) -> Option<Change> {
        use RelationVerdict::{Holds, NeverEligible, NotRun, OnlyAllowed, Violated};
        match (before, now) {
            (NotRun, _) | (_, NotRun) => None,
            (Violated, Violated) | (Holds, Holds) => None,
            (NeverEligible | OnlyAllowed, NeverEligible | OnlyAllowed) => None,
            (_, Violated) => Some(Change::NewlyViolated),
            (Violated, Holds) => Some(Change::NoLongerViolated),
            (_, NeverEligible | OnlyAllowed) => Some(Change::NoLongerEligible),
            (NeverEligible | OnlyAllowed, Holds) => Some(Change::NewlyEligible),
        }
    }
}

impl SubjectRun {
    /// A subject that could not be run; only the path that was given is known of it.
    pub fn failed(path: String, why: String) -> SubjectRun {
        let whole = std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(&path));
        let name = whole.file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        SubjectRun { subject: name, manifest: path, failure: Some(why), ..SubjectRun::default() }
    }

    /// The relations that a person accepted.
    pub fn accepted(&self) -> impl Iterator<Item = &RunRelation> {
        self.relations().filter(|relation| relation.state == RelationState::Accepted)
    }

    /// The accepted relations that are violated.
    pub fn violated(&self) -> impl Iterator<Item = &RunRelation> {
        self.accepted().filter(|relation| relation.verdict() == RelationVerdict::Violated)
    }

    /// All relations of all functions.
    pub fn relations(&self) -> impl Iterator<Item = &RunRelation> {
        self.functions.iter().flat_map(|function| &function.relations)
    }
}

/// What a relation says, without its name, from its text as the language prints it.
///
/// ```
/// use dodona_records::statement;
/// assert_eq!(statement("relation even: f(-x) == f(x)", "even"), ": f(-x) == f(x)");
/// assert_eq!(statement("relation even(y: g.x): f(y) == 0\n", "even"), "(y: g.x): f(y) == 0");
/// ```
pub fn statement<'t>(text: &'t str, name: &str) -> &'t str {
    let text = text.trim();
    text.strip_prefix("relation ").and_then(|rest| rest.strip_prefix(name)).unwrap_or(text)
}
