//! What `check` found, as data: reports are made from these records alone.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AdequacyRecord, ScheduleRecord, Tally};

/// The version of the records' JSON form; it grows when a field changes its meaning or goes away.
pub const FORMAT_VERSION: u32 = 2;

/// What the check of one subject found.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CheckRecord {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The seed of the random source inputs.
    pub seed: u64,
    /// Why the check ended.
    pub stop: StopReason,
    /// One record a relation, in the order of the files.
    pub relations: Vec<RelationRecord>,
    /// What went wrong beside the verdicts: a counterexample that could not be kept, for one.
    pub warnings: Vec<String>,
    /// How many kept counterexamples were not judged: damaged ones, those whose relation has changed or is gone, and those that are not eligible any more.
    /// These are failures that nobody checked. A warning says why of each.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unread: u64,
    /// The share of the groups of each relation that had to be eligible, from 0 to 1, where somebody asked for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_eligible: Option<f64>,
    /// How adequately each function is tested, where source inputs were added until it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adequacy: Vec<AdequacyRecord>,
    /// How the calls of a budget were spent, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleRecord>,
    /// Why the subject could not be checked, in words of one or several lines: not at all, and it has no relations then, or not to the end,
    /// since the target failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl CheckRecord {
    /// The record of a subject that could not be checked, such as one that could not be built. Only the path that was given is
    /// known of it.
    pub fn failed(path: String, seed: u64, why: String) -> CheckRecord {
        CheckRecord {
            format_version: FORMAT_VERSION,
            subject: path.clone(),
            manifest: path,
            seed,
            stop: StopReason::NotStarted,
            relations: Vec::new(),
            warnings: Vec::new(),
            unread: 0,
            adequacy: Vec::new(),
            schedule: None,
            min_eligible: None,
            failure: Some(why),
        }
    }
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl CheckRecord {
    /// Why a relation was tested less than was asked for; nothing where it was enough, or nobody asked.
    pub fn too_few_eligible(&self, relation: &RelationRecord) -> Option<String> {
        relation.hardly_tested(self.min_eligible?)
    }
}

/// Why a check, or a mutation analysis, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum StopReason {
    /// Every planned source input was run.
    SourcesRun {
        /// How many, all relations together.
        sources: u64,
    },
    /// The calls of a budget were spent, up to what is too little for a group of any relation that is left.
    RunsSpent {
        /// Calls made.
        runs: u64,
        /// Calls that were allowed.
        budget: u64,
    },
    /// Calls of a budget were left, and nothing to make them for: each relation is violated, or no further source input was found for it.
    NothingLeft {
        /// Calls made.
        runs: u64,
        /// Calls that were allowed.
        budget: u64,
    },
    /// Every mutant was judged.
    MutantsJudged {
        /// How many.
        mutants: u64,
    },
    /// Mutants were listed, and none was run.
    MutantsListed {
        /// How many.
        mutants: u64,
    },
    /// Interrupted from outside; the counts are of what was run until then.
    Interrupted {
        /// Source inputs run, mutants judged, or calls of a budget made.
        run: u64,
        /// Source inputs or mutants planned, or the budget.
        planned: u64,
    },
    /// Nothing was run, because the subject could not be opened.
    NotStarted,
}

/// What the check of one relation found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RelationRecord {
    /// Its name.
    pub name: String,
    /// Its text as printed by the language.
    pub text: String,
    /// The file that it stands in.
    pub file: String,
    /// The line in that file, from 1.
    pub line: usize,
    /// The source inputs that were run (each makes one metamorphic group for each `for` constant; under a budget of calls, for one of them).
    pub sources: u64,
    /// Groups by verdict.
    pub tally: Tally,
    /// The first violation, shrunk.
    pub counterexample: Option<Counterexample>,
    /// For each outcome of source calls that did not return: the outcome with the place of the first of them and what the program said,
    /// or with the limit that was met.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, String>,
    /// Where no group was eligible and some were out of domain: what was outside in the first of those, in words.
    pub outside: Option<String>,
    /// How long its groups ran, all threads together.
    #[serde(skip)]
    pub elapsed: Elapsed,
}

/// A time that something took. Two runs of the same options differ in nothing else: so all are equal, and none is in JSON, which is the same each time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elapsed(pub Duration);

impl PartialEq for Elapsed {
    fn eq(&self, _: &Elapsed) -> bool {
        true
    }
}

impl Eq for Elapsed {}

/// What the counts say of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationVerdict {
    /// No eligible group violates it, and there was an eligible group.
    Holds,
    /// Some group violates it.
    Violated,
    /// Every eligible group holds, but each only thanks to an allowance: the absolute tolerance that the relation gives permits any
    /// smaller values, and where rounding explains the difference of the sides, no digit of them is the function's. So nothing was tested.
    OnlyAllowed,
    /// No group was eligible: nothing was tested, which is an error and not a pass.
    NeverEligible,
    /// The check was interrupted, or its budget spent, before any group ran.
    NotRun,
}

impl RelationRecord {
    /// How many groups were skipped for each outcome of their source calls, with what is known of the first:
    /// `trapped: division by zero at gcd.c:12:9`.
    pub fn skipped(&self) -> impl Iterator<Item = (&str, u64)> {
        self.tally
            .skipped
            .iter()
            .map(|(outcome, count)| (self.skipped.get(outcome).unwrap_or(outcome).as_str(), *count))
    }

    /// What the counts say.
    pub fn verdict(&self) -> RelationVerdict {
        if self.tally.violated > 0 {
            RelationVerdict::Violated
        } else if self.tally.held > 0 && self.tally.absolute + self.tally.rounded == self.tally.held {
            RelationVerdict::OnlyAllowed
        } else if self.tally.held > 0 {
            RelationVerdict::Holds
        } else if self.sources == 0 && self.tally.groups() == 0 {
            RelationVerdict::NotRun
        } else {
            RelationVerdict::NeverEligible
        }
    }

    /// Why a relation that holds was hardly tested: fewer of its groups than this share, from 0 to 1, were eligible. Nothing where enough were.
    pub fn hardly_tested(&self, least: f64) -> Option<String> {
        let share = self.tally.share()?;
        let is_few = self.verdict() == RelationVerdict::Holds && share < least;
        is_few.then(|| {
            let Tally { held, .. } = self.tally;
            let (groups, name, percent) = (self.tally.groups(), &self.name, Percent(share));
            format!(
                "relation {name} was hardly tested: {held} of {groups} groups ({percent}) were eligible, which is below \
                 --min-eligible {least}; look at its domains and `when`, or narrow sample.NAME towards it"
            )
        })
    }
}

/// A share as people read it: `2.3%`.
struct Percent(f64);

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What is not nothing does not read like it.
        let percent = 100.0 * self.0;
        if percent < 0.05 { f.write_str("less than 0.1%") } else { write!(f, "{percent:.1}%") }
    }
}

/// A named value, written as a literal of the relation language (which reads the same bits back).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Binding {
    /// The name of a variable, parameter or output; empty for a return value.
    pub name: String,
    /// The literal.
    pub value: String,
}

impl Binding {
    /// Several, as people read them: `x = 2, y = 0`.
    pub fn list(bindings: &[Binding]) -> String {
        bindings.iter().map(Binding::to_string).collect::<Vec<_>>().join(", ")
    }

    /// An input within a sentence: `x = 2, y = 0`, and `()` of what takes nothing.
    pub fn input(bindings: &[Binding]) -> String {
        if bindings.is_empty() { "()".to_owned() } else { Binding::list(bindings) }
    }
}

/// `x = 2`; a value that is the only one of a call has no name, and is `2`.
impl std::fmt::Display for Binding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name.as_str() {
            "" => f.write_str(&self.value),
            name => write!(f, "{name} = {}", self.value),
        }
    }
}

/// One metamorphic group that violates a relation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Counterexample {
    /// The source input after shrinking.
    pub source: Vec<Binding>,
    /// The source input as it was found.
    pub found: Vec<Binding>,
    /// The `for` constant: `k = 2`.
    pub group: Option<String>,
    /// Every call of the group in the order made.
    pub calls: Vec<CallRecord>,
    /// Both sides of the comparison that fails, where the expectation is one.
    pub sides: Vec<SideRecord>,
    /// Why it is a violation, in words.
    pub why: String,
    /// How many simplifications shrinking took.
    pub shrink_steps: u64,
    /// If a bound or the end of the run stopped shrinking, so that there may be a simpler violation: which, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink_stopped: Option<String>,
    /// Where the source input came from.
    pub provenance: Provenance,
    /// The file that replays it, where it was kept.
    pub kept: Option<String>,
}

/// One call of a metamorphic group.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CallRecord {
    /// The call as the relation writes it.
    pub text: String,
    /// `source` or `follow-up`.
    pub role: String,
    /// The input.
    pub arguments: Vec<Binding>,
    /// How it ended: `returned`, `trapped: division by zero`, …
    pub outcome: String,
    /// Where a trap struck: `gcd.c:12:9`.
    pub location: Option<String>,
    /// What the program said before it stopped: `panicked at src/lib.rs:12:5: attempt to divide by zero`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The outputs, none when it did not return.
    pub outputs: Vec<Binding>,
    /// How somebody makes the call without Dodona, as a line for a shell: `curl -s 'http://127.0.0.1:8000/items?q=a'`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
}

impl CallRecord {
    /// How it ended, with the place and what the program said, if they are known:
    /// `trapped: unreachable: panicked at src/lib.rs:12:5: attempt to divide by zero`.
    pub fn ended(&self) -> String {
        format!("{}{}", self.outcome, self.details())
    }

    /// ` at gcd.c:12:9: what the program said`; a place that the message names is not repeated. Empty if nothing is known.
    pub fn details(&self) -> String {
        let message = self.message.as_deref().unwrap_or_default();
        let place = self.location.iter().filter(|place| !message.contains(place.as_str()));
        let place = place.map(|place| format!(" at {place}")).collect::<String>();
        if message.is_empty() { place } else { format!("{place}: {message}") }
    }
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SideRecord {
    /// The expression.
    pub text: String,
    /// Its value, `undefined` where it has none.
    pub value: String,
}

/// Where a source input came from; with the seed it can be made again.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum Provenance {
    /// Drawn at random.
    Random {
        /// The run's seed.
        seed: u64,
        /// The number of the source input, from 0.
        row: u64,
    },
    /// Read from a file.
    File {
        /// The file.
        path: String,
        /// The line in it, from 1.
        line: u64,
    },
    /// Made for a function under test by a technique, whose other variables are drawn at random.
    Made {
        /// The technique's name, such as `path`.
        technique: String,
        /// The function.
        function: String,
        /// The run's seed.
        seed: u64,
        /// The number of the input among those of the function, from 0.
        row: u64,
    },
    /// Kept from an earlier violation.
    Regression {
        /// The file that keeps it.
        path: String,
    },
    /// Found by a solver, on a path that symbolic execution followed.
    Symbolic,
}

impl std::fmt::Display for Provenance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Provenance::Random { seed, row } => write!(f, "random source {row} of seed {seed}"),
            Provenance::File { path, line } => write!(f, "{path}:{line}"),
            Provenance::Made { technique, function, seed, row } => {
                write!(f, "input {row} of {function} by {technique}, of seed {seed}")
            }
            Provenance::Regression { path } => write!(f, "kept in {path}"),
            Provenance::Symbolic => f.write_str("found by symbolic execution"),
        }
    }
}
