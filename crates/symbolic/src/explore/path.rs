//! A path that was explored to its end.

use dodona_smt::term::{Assignment, Term};
use dodona_subject::{CodePoint, PathId};
use dodona_target::Trap;

use crate::call::{Output, Unreadable};
use crate::end::End;

/// A path that was explored to its end.
#[derive(Clone, Debug)]
pub struct Path {
    /// Which start it began from, by index.
    pub start: usize,
    /// How many of the constraints are the start's assumptions: the first ones.
    pub assumptions: usize,
    /// The path constraint: what is assumed of the inputs, then what each choice adds.
    pub constraints: Vec<Term>,
    /// Values that satisfy the constraints, for all variables.
    pub model: Assignment,
    /// The branch decisions of the call.
    pub id: PathId,
    /// The number of decisions that could have had another result.
    pub choices: u32,
    /// Instructions stepped.
    pub steps: u64,
    /// How it ended.
    pub end: End,
    /// Where it ended.
    pub at: Option<CodePoint>,
    /// The outputs as terms, where the call returned or exited.
    pub outputs: Result<Vec<Output>, Unreadable>,
}

impl Path {
    /// The constraints that choices added, without the assumptions of the start.
    pub fn condition(&self) -> &[Term] {
        &self.constraints[self.assumptions..]
    }

    /// The trap that it ends in, if it does.
    pub fn trap(&self) -> Option<Trap> {
        match self.end {
            End::Trapped(trap) => Some(trap),
            End::Returned(_) | End::Exited(_) | End::Left(_) => None,
        }
    }
}
