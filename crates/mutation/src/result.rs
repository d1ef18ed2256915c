//! What the tests show of one mutant: its kills, how far its effect gets, and its signature on the strong inputs.

use dodona_records::{Fate, KillKind, Tally};
use dodona_target::{Outcome, Trap, Value};
use serde::{Deserialize, Serialize};

use crate::strong::Test;

/// The result of a mutant.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct MutantResult {
    /// The number of inputs of the suite that reach the mutant, and the number of those that infect it.
    pub(crate) reached: u64,
    pub(crate) infected: u64,
    /// How far its effect gets in any test, as far as the observing run shows.
    pub(crate) fate: Fate,
    /// An input that infects it.
    pub(crate) infecting: Option<(usize, usize)>,
    /// The number of tests that could kill it, and the number of those that were executed.
    pub(crate) pairs: u64,
    pub(crate) executed: u64,
    /// The kills of each section.
    pub(crate) kills: Vec<Option<Kills>>,
    /// The first call in a test that fails where the original's returns.
    pub(crate) failure: Option<Failure>,
    /// The tests that kill it, as (batch, row), if a matrix is kept.
    #[serde(with = "crate::part::cells")]
    pub(crate) cells: Vec<(u32, u32)>,
    /// The tests among these on which the mutant or the original exhausts the call stack.
    #[serde(with = "crate::part::cells")]
    pub(crate) overflows: Vec<(u32, u32)>,
    /// The first of the strong tests that kills it. If relations and inputs are run, this is a test of a relation.
    pub(crate) class: Option<Test>,
    /// Whether some call used more than half of its fuel, although it did not run out.
    pub(crate) is_near_limit: bool,
    /// The number of groups that can kill a mutant, and the verdicts of those groups that were executed on the mutant.
    pub(crate) groups: u64,
    pub(crate) verdicts: Tally,
}

impl MutantResult {
    pub(crate) fn new(sections: usize) -> MutantResult {
        MutantResult {
            reached: 0,
            infected: 0,
            fate: Fate::Unreached,
            infecting: None,
            pairs: 0,
            executed: 0,
            kills: vec![None; sections],
            failure: None,
            cells: Vec::new(),
            overflows: Vec::new(),
            class: None,
            is_near_limit: false,
            groups: 0,
            verdicts: Tally::default(),
        }
    }

    /// Whether no test killed the mutant.
    pub(crate) fn is_alive(&self) -> bool {
        self.kills.iter().all(Option::is_none)
    }

    /// The verdicts, if no group is eligible on the mutant. A group that was not executed would behave as on the original, so
    /// in this case all groups were executed.
    pub(crate) fn untested(&self) -> Option<&Tally> {
        (self.groups > 0 && self.verdicts.ineligible() == self.groups).then_some(&self.verdicts)
    }
}

/// A call of the mutant that does not return although the original's does.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Failure {
    /// The batch and row of the test that makes it.
    pub(crate) test: (usize, usize),
    pub(crate) how: KillKind,
}

/// The tests of one section that kill a mutant.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Kills {
    pub(crate) count: u64,
    /// The batch and row of the first.
    pub(crate) first: (usize, usize),
    pub(crate) how: KillKind,
    /// For inputs, the mutant's outcome and outputs.
    pub(crate) found: Option<(Outcome, Vec<Value>)>,
}

/// A kill by one test.
pub(crate) struct Kill {
    pub(crate) row: usize,
    pub(crate) how: KillKind,
    pub(crate) found: Option<(Outcome, Vec<Value>)>,
}

impl Kill {
    /// Whether the call of the mutant returned.
    pub(crate) fn returns(&self) -> bool {
        self.found.as_ref().is_some_and(|(outcome, _)| outcome.has_outputs())
    }
}

/// A mutant that was run on the strong tests.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub(crate) result: MutantResult,
    /// The tests that were executed.
    pub(crate) executed: Vec<Test>,
    /// What it did on further inputs, for the comparison with other mutants.
    pub(crate) signature: Signature,
}

impl Started {
    pub(crate) fn new(sections: usize) -> Started {
        let (result, signature) = (MutantResult::new(sections), Signature::default());
        Started { result, executed: Vec::new(), signature }
    }
}

/// What a mutant did on the strong inputs. Mutants with the same machine code have the same signature, unless fuel or the call
/// stack ended a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    /// A hash of the outcomes and outputs that differ from the original's.
    pub(crate) hash: u64,
    /// Whether some call ran out of fuel, and whether some exhausted the call stack.
    pub(crate) runs_out_of_fuel: bool,
    pub(crate) overflows: bool,
}

impl Signature {
    pub(crate) fn note(&mut self, kill: &Kill) {
        let outcome = kill.found.as_ref().map(|(outcome, _)| *outcome);
        self.runs_out_of_fuel |= outcome == Some(Outcome::OutOfFuel);
        self.overflows |= outcome == Some(Outcome::Trapped(Trap::StackOverflow));
    }
}
