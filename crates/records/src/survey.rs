//! What a survey of a whole subject found: relations of all of its functions that were tried and run on mutants within one time.

use std::collections::BTreeSet;

use crate::{Binding, MutantId, SideRecord};

/// What a survey found. The same seed finds the same, unless a clock ended a part of it: see [`SurveyRecord::undone`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurveyRecord {
    /// Where everything random starts.
    pub seed: u64,
    /// The functions, in the order of the manifest.
    pub functions: Vec<SurveyedFunction>,
    /// The relations that are proposed: function by function, the best first. Each held on every one of its groups.
    pub relations: Vec<SurveyedRelation>,
    /// The relations that the subject has already, with what they catch.
    pub accepted: Vec<SurveyedRelation>,
    /// Relations that names promise, or that almost all inputs obey, and that an input violates.
    pub broken: Vec<BrokenPromise>,
    /// How many relations held wherever they were tried, and are not proposed since they add nothing to those that are.
    pub left_out: usize,
    /// How many relations nothing refuted, and whose tests did not come to their end.
    pub unconfirmed: usize,
    /// What was not done, in sentences; empty where everything was.
    pub undone: Vec<String>,
    /// Whether somebody interrupted.
    pub is_interrupted: bool,
    /// What else is to be known.
    pub warnings: Vec<String>,
    /// Seconds for all of it.
    pub seconds: f64,
}

/// A function in a survey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurveyedFunction {
    /// Its name.
    pub name: String,
    /// Its mutants that were run; some of them may be equivalent. Code that several functions reach is in the numbers of each.
    pub mutants: BTreeSet<MutantId>,
    /// Those of them that inputs reveal, with the original's results as the oracle, or that a relation catches. No relation can be expected to catch others.
    pub revealed: BTreeSet<MutantId>,
    /// Those of them that the relations catch, accepted and proposed ones together.
    pub caught: BTreeSet<MutantId>,
    /// Those of them that fail by themselves: a call does not return where the original's does.
    pub crashed: BTreeSet<MutantId>,
    /// Why nothing can be said of it, where that is known: it never returned.
    pub note: Option<String>,
}

/// A relation of a survey.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyedRelation {
    /// Its name.
    pub name: String,
    /// The relation as its file has it, with its name.
    pub text: String,
    /// The functions that it calls, the one that it is listed under first.
    pub functions: Vec<String>,
    /// Whether it has no variable: an example of one input.
    pub is_example: bool,
    /// Groups on which it held, all of those that were eligible.
    pub held: u64,
    /// Groups that it says nothing of.
    pub ineligible: u64,
    /// The mutants that it catches; nothing where it was not run on mutants.
    pub caught: Option<BTreeSet<MutantId>>,
    /// Those of them that no other accepted or proposed relation catches.
    pub only: BTreeSet<MutantId>,
}

/// A relation that was expected, with an input that violates it.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenPromise {
    /// The relation, without its name.
    pub text: String,
    /// The functions that it calls.
    pub functions: Vec<String>,
    /// Groups on which it held.
    pub held: u64,
    /// Groups that violate it.
    pub violated: u64,
    /// The smallest violating input that was found.
    pub source: Vec<Binding>,
    /// What both sides were for it.
    pub sides: Vec<SideRecord>,
    /// Why it is a violation, in words.
    pub why: String,
}

impl SurveyRecord {
    /// The mutants of all functions together: those that were run, those that inputs reveal, and those that relations catch.
    pub fn mutants(&self) -> [BTreeSet<MutantId>; 3] {
        let all = |of: fn(&SurveyedFunction) -> &BTreeSet<MutantId>| {
            self.functions.iter().flat_map(|function| of(function).iter().copied()).collect()
        };
        [all(|f| &f.mutants), all(|f| &f.revealed), all(|f| &f.caught)]
    }
}
