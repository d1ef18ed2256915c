//! One mutant: what it changes, how far its fault came, and what was made of it.

use std::fmt;
use std::str::FromStr;

use dodona_target::Outcome;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Binding, Tally};

/// The number of a mutant, from 1 in the order of the code over *all* mutation operators: it does not depend on the
/// operators that were chosen. Written `M17`.
///
/// ```
/// use dodona_records::MutantId;
/// assert_eq!("m17".parse(), Ok(MutantId(17)));
/// assert_eq!(MutantId(17).to_string(), "M17");
/// assert!("M0".parse::<MutantId>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MutantId(pub u32);

impl fmt::Display for MutantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("M{}", self.0))
    }
}

/// Text that is no mutant's number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a mutant's number; write it as the report does, such as M17")]
pub struct NotAMutantId(String);

impl FromStr for MutantId {
    type Err = NotAMutantId;

    /// Reads `M17`, `m17` or `17`.
    fn from_str(text: &str) -> Result<Self, NotAMutantId> {
        let digits = text.strip_prefix(['M', 'm']).unwrap_or(text);
        let is_plain = digits.bytes().all(|b| b.is_ascii_digit());
        match digits.parse() {
            Ok(number) if number > 0 && is_plain => Ok(MutantId(number)),
            _ => Err(NotAMutantId(text.to_owned())),
        }
    }
}

impl Serialize for MutantId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MutantId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for MutantId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MutantId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^M[1-9][0-9]*$",
            "description": "The number of a mutant, from 1 in the order of the code over all mutation operators: it does not depend on the operators that were chosen. Written `M17`.",
        })
    }
}

/// How far a fault came in the tests that were run: reachability, infection and propagation. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Nobody looked how far it came, and no test tells it from the original: of a mutant of code that is not instrumented.
    Unobserved,
    /// No test executes the mutated code.
    Unreached,
    /// Some test executes it, and the state right after it is the original's in every execution.
    Reached,
    /// In some test the state right after it differs at least once, and none tells it from the original.
    Infected,
    /// Some test tells it from the original.
    Killed,
}

impl Fate {
    /// The word of the records: `unreached`.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Unobserved => "unobserved",
            Fate::Unreached => "unreached",
            Fate::Reached => "reached",
            Fate::Infected => "infected",
            Fate::Killed => "killed",
        }
    }
}

/// How a mutant was shown to behave as the original does on every input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// The optimised machine code equals the original's: trivial compiler equivalence (Papadakis, Jia, Harman and
    /// Le Traon, ICSE 2015).
    SameCode,
    /// The block of code that it changes does the same in every state in which it can begin.
    EveryState,
    /// Symbolic execution followed every path of both on every input of the domains, and no output differs.
    EveryPath,
}

/// What symbolic execution says of a mutant that no test told from the original.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Symbolic {
    /// It differs on this input, which was run on both.
    Differs {
        /// The function under test.
        function: String,
        /// The input.
        input: Vec<Binding>,
        /// The original's outcome: `3`, `trapped: division by zero`.
        expected: String,
        /// The mutant's.
        found: String,
    },
    /// It does as the original on every path, with sequences and texts up to a length.
    EquivalentWithin {
        /// That length, in elements or bytes.
        longest: u64,
    },
    /// Nobody knows: some path was not followed to its end.
    Open {
        /// Why not.
        why: Vec<String>,
    },
}

/// What was made of a mutant.
///
/// Killed, crashed and timed out mutants are *detected*. A relation that kills outweighs a call that fails. Equivalent, duplicate and accepted mutants are not counted in a mutation score, nor are those that were not run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Judgement {
    /// What the tests expect tells it from the original: a relation is violated, or, where no relation is run, an output differs.
    Killed,
    /// A call of it traps, or returns something malformed, where the original returns. No relation is needed to notice that.
    Crashed,
    /// A call of it uses up its fuel where the original returns, most often in an endless loop. No relation is needed to notice that.
    TimedOut,
    /// The tests do not tell it from the original.
    Alive,
    /// Alive, and no relation was tested on it: every group that is eligible on the original is ineligible on it.
    Untested,
    /// No test could: it behaves as the original does.
    Equivalent {
        /// How that was shown.
        proof: Proof,
    },
    /// It behaves as a mutant of a lower number does, which stands for both.
    Duplicate {
        /// That mutant.
        of: MutantId,
    },
    /// A person judged it and wrote down why.
    Accepted {
        /// The person's words.
        reason: String,
    },
    /// The analysis was interrupted before it was run.
    NotRun,
}

/// A place in the code under test.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
pub struct Place {
    /// The function in the module.
    pub function: String,
    /// The instruction's number in that function, from 0.
    pub instruction: u32,
    /// The source file, as the debug information names it; nothing without debug information. Relative names are paths from the
    /// manifest's folder, but for those of libraries: `libm-0.2.16/src/lib.rs`.
    pub file: Option<String>,
    /// Of a file of a library, where it was compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// The line in that file, from 1.
    pub line: Option<u32>,
    /// The column in that line, from 1.
    pub column: Option<u32>,
}

/// `triangle.c:9:13` where the source place is known, else `triangle+42`: function and instruction.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(file) = &self.file else {
            return f.pad(&format!("{}+{}", self.function, self.instruction));
        };
        let number = |n: Option<u32>| n.map(|n| format!(":{n}")).unwrap_or_default();
        // A column says nothing without its line.
        let column = self.line.and(self.column);
        f.pad(&format!("{file}{}{}", number(self.line), number(column)))
    }
}

/// A mutant and everything that was learnt of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct MutantRecord {
    /// Its number.
    pub id: MutantId,
    /// 16 hexadecimal digits made of its operator, source line and code shape: unrelated edits do not change them.
    pub key: String,
    /// The mutation operator: `AOR`.
    pub operator: String,
    /// Where it changes the code. The first place represents it; more are copies of one source expression, made by
    /// inlining, that change together.
    pub places: Vec<Place>,
    /// The code that is changed: `a + b <= c`, of the source where it is known, else of the module.
    pub before: String,
    /// What it is changed to: `a + b < c`.
    pub after: String,
    /// The source line that the first place lies in.
    pub source_line: Option<String>,
    /// What was made of it.
    pub judgement: Judgement,
    /// How far it came in the tests.
    pub fate: Fate,
    /// Inputs of the suite that execute the mutated code.
    pub reached: u64,
    /// Inputs of the suite for which the state right after it differs at least once.
    pub infected: u64,
    /// What the suite reveals against the original's outcomes; nothing when no outcome differs, or none was compared.
    pub revealed_by: Option<Revealed>,
    /// The relations that kill it.
    pub killed_by: Vec<RelationKill>,
    /// The first call of it in a test that does not return although the original's does. A source call of a relation is one, for which the
    /// relation itself says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedCall>,
    /// The first mutant that the same test kills, where mutants are run by classes and it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub killed_with: Option<MutantId>,
    /// Of the alive: an input that infects it without effect on the outcome.
    pub survivor: Option<Vec<Binding>>,
    /// Of the untested: the verdicts on it of all groups that are eligible on the original, none of which is eligible on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untested: Option<Tally>,
    /// Of those that no test tells from the original: what symbolic execution says, where it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
}

/// What a suite of inputs reveals: inputs with an outcome other than the original's.
///
/// Outcomes differ, as Kapoor defines it, when both functions return and an output differs, when one is in error and the
/// other is not, or when both are in error and the errors differ. Being out of fuel is an error.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Revealed {
    /// How many inputs reveal it; 1 where the run stops at the first.
    pub inputs: u64,
    /// The first of them.
    pub first: Vec<Binding>,
    /// The original's outcome for it: `3`, `trapped: division by zero`, `out of fuel`.
    pub expected: String,
    /// The mutant's.
    pub found: String,
    /// How they differ.
    pub how: KillKind,
}

/// A relation that kills a mutant: some metamorphic group holds on the original and is violated on the mutant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RelationKill {
    /// The relation's name.
    pub relation: String,
    /// Violated groups seen; 1 where the run stops at the first.
    pub groups: u64,
    /// The source input of the first.
    pub source: Vec<Binding>,
    /// What the failing call did.
    pub how: KillKind,
}

/// A call of a mutant that does not return although the same call of the original does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FailedCall {
    /// The function under test, or the relation, whose test makes the call.
    pub test: String,
    /// The input of that test.
    pub input: Vec<Binding>,
    /// How the call ends: a trap, out of fuel, or malformed.
    pub how: KillKind,
}

/// How a mutant gives itself away: what its call did where the original's did something else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum KillKind {
    /// It returned other outputs.
    Output,
    /// It trapped.
    Trap {
        /// The trap: `division by zero`.
        trap: String,
    },
    /// It used up its fuel: an endless loop or recursion.
    OutOfFuel,
    /// It took longer than a call may that counts no fuel.
    OutOfTime,
    /// It returned something that is not of its declared type.
    Malformed {
        /// What is wrong with it.
        why: String,
    },
    /// It returned where the original is in error.
    Recovered,
}

impl KillKind {
    /// What a mutant is whose call ends so where the original's returns; nothing when the call returns.
    pub fn failure(&self) -> Option<Judgement> {
        match self {
            KillKind::Trap { .. } | KillKind::Malformed { .. } => Some(Judgement::Crashed),
            KillKind::OutOfFuel | KillKind::OutOfTime => Some(Judgement::TimedOut),
            KillKind::Output | KillKind::Recovered => None,
        }
    }

    /// How two outcomes differ by themselves; nothing when they are alike, and then outputs decide where there are any.
    ///
    /// ```
    /// use dodona_records::KillKind;
    /// use dodona_target::{Outcome, Trap};
    /// let trapped = Outcome::Trapped(Trap::DivisionByZero);
    /// assert_eq!(KillKind::of_outcomes(Outcome::Returned, Outcome::Returned), None);
    /// assert_eq!(KillKind::of_outcomes(trapped, Outcome::Returned), Some(KillKind::Recovered));
    /// assert_eq!(KillKind::of_outcomes(trapped, Outcome::OutOfFuel), Some(KillKind::OutOfFuel));
    /// ```
    pub fn of_outcomes(original: Outcome, mutant: Outcome) -> Option<KillKind> {
        if original == mutant {
            return None;
        }
        Some(match mutant {
            Outcome::Trapped(trap) => KillKind::Trap { trap: trap.to_string() },
            Outcome::OutOfFuel => KillKind::OutOfFuel,
            Outcome::OutOfTime => KillKind::OutOfTime,
            Outcome::Malformed(why) => KillKind::Malformed { why: why.name().to_owned() },
            // An exit code is an output of a command.
            Outcome::Returned | Outcome::Exited(_) if original.has_outputs() => KillKind::Output,
            Outcome::Returned | Outcome::Exited(_) => KillKind::Recovered,
        })
    }
}

/// `other outputs`, `trapped: division by zero`, `out of fuel`, …
impl fmt::Display for KillKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KillKind::Output => f.write_str("other outputs"),
            KillKind::Trap { trap } => write!(f, "trapped: {trap}"),
            KillKind::OutOfFuel => f.write_str("out of fuel"),
            KillKind::OutOfTime => f.write_str("out of time"),
            KillKind::Malformed { why } => write!(f, "malformed output: {why}"),
            KillKind::Recovered => f.write_str("returned where the original is in error"),
        }
    }
}
