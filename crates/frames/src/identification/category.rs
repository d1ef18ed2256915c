//! Categories and their choices.

use std::fmt;

use dodona_relations::Precondition;
use dodona_relations::ast::Expression;

/// One choice of a category: a class of inputs, or of outputs.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name in the file.
    pub name: String,
    /// The condition as it is written. It is over the parameters, or over the outputs.
    pub condition: Expression,
    /// The same condition, compiled, with all parameters or all outputs as its columns.
    pub predicate: Precondition,
}

/// A property that distinguishes inputs (an I-category) or outputs (an O-category). Every input, or output, satisfies exactly
/// one of its choices.
#[derive(Clone, Debug)]
pub struct Category {
    /// The name in the file.
    pub name: String,
    /// Its choices, in the order of the file.
    pub choices: Vec<Choice>,
    /// The numbers of its choices, from those of the least outputs to those of the greatest, if the file declares an order.
    pub order: Option<Vec<usize>>,
}

impl Category {
    /// One of its choices, with its own name: `fee.none`.
    pub fn named(&self, choice: u16) -> String {
        format!("{}.{}", self.name, self.choices[usize::from(choice)].name)
    }
}

impl Choice {
    /// Whether its condition mentions a parameter (or `result`).
    pub fn speaks_of(&self, name: &str) -> bool {
        self.condition.mentions(name)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = `{}`", self.name, self.condition)
    }
}
