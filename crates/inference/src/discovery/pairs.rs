//! Recorded executions: pairs of a source and a follow-up test case, of the original and of its mutants.

use dodona_relations::{ast::Expression, plan::Ty};
use dodona_target::Column;

/// What a variable stands for in a pair of executions (Definition 1 of GenMorph: inputs x1, x2 and outputs f(x1), f(x2)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A parameter of the source input, by index.
    SourceInput(usize),
    /// A parameter of the follow-up input, by index. Only parameters that the transformation changes have such a variable.
    FollowUpInput(usize),
    /// An output of the source call, by index.
    SourceOutput(usize),
    /// An output of the follow-up call, by index.
    FollowUpOutput(usize),
}

impl Place {
    /// Whether the value is known without the follow-up call, so that a condition may use it.
    pub fn is_source(self) -> bool {
        matches!(self, Place::SourceInput(_) | Place::SourceOutput(_))
    }

    /// Whether it is an output.
    pub fn is_output(self) -> bool {
        matches!(self, Place::SourceOutput(_) | Place::FollowUpOutput(_))
    }
}

/// A variable of output relations.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// What the variable stands for in the pair.
    pub place: Place,
    /// The type of the variable.
    pub ty: Ty,
    /// How the relation language writes it: `k`, `e - 1`, `pow(k, e)`, `pow(k, e - 1)`.
    pub expression: Expression,
}

/// Executions of source and follow-up test cases under one input transformation.
///
/// Rows `0..correct` are executions of the original. Each other row is an execution of a mutant, whose source or follow-up output
/// differs from that of the original. In every row both calls returned.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The variables, at most [`MOST_VARIABLES`](Self::MOST_VARIABLES).
    pub variables: Vec<Variable>,
    /// One column for each variable, with one row for each execution: the correct rows first.
    pub columns: Vec<Column>,
    /// How many rows are correct.
    pub correct: usize,
    /// For each incorrect row its mutant, as an index below `mutant_count`.
    pub mutants: Vec<u32>,
    /// How many mutants there are, including mutants without a row.
    pub mutant_count: usize,
    /// Source executions of the original whose follow-up call did not return. There is one column for each variable whose place [is
    /// of the source](Place::is_source), in the order of the variables. A condition has to exclude all these executions.
    pub refused: Vec<Column>,
    /// Mutants whose follow-up call crashes where the original's returns: any relation that applies to such an input reveals the mutant.
    pub crashed: Vec<u32>,
    /// Constants of the function's code and of its transformation, the most frequent first: `(value, how often)`.
    /// Integers as [`dodona_target::Value::Int`], floats as [`dodona_target::Value::Float`].
    pub constants: Vec<(dodona_target::Value, u64)>,
}

impl Pairs {
    /// The largest number of variables.
    pub const MOST_VARIABLES: usize = 64;

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.correct + self.mutants.len()
    }
}
