//! Mutation operators, a file each. Each looks at one instruction of a function and proposes changes.

mod aor;
pub(crate) mod code;
mod ror;
mod set;

use crate::{Candidate, Scanned};

pub use set::{OperatorSet, UnknownOperator};

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MutationOperator {
    /// Arithmetic operator replacement.
    Aor,
    /// Relational operator replacement.
    Ror,
}

/// What a mutation operator is and does.
pub(crate) struct Definition {
    pub operator: MutationOperator,
    /// The usual name: `AOR`.
    pub code: &'static str,
    /// In a few words: `arithmetic operator replacement`.
    pub title: &'static str,
    /// Other usual names of it.
    pub aliases: &'static [&'static str],
    /// Proposes the changes of one reachable instruction that is no artefact.
    pub propose: fn(&Scanned<'_>, u32, &mut Vec<Candidate>),
}

/// All operators, in the order in which mutants of one instruction are numbered.
pub(crate) const DEFINITIONS: &[Definition] = &[aor::DEFINITION, ror::DEFINITION];

impl MutationOperator {
    /// All operators, in the order in which mutants of one instruction are numbered.
    pub fn all() -> impl Iterator<Item = MutationOperator> {
        DEFINITIONS.iter().map(|d| d.operator)
    }

    /// The usual name: `AOR`.
    pub fn code(self) -> &'static str {
        self.definition().code
    }

    /// In a few words: `arithmetic operator replacement`.
    pub fn title(self) -> &'static str {
        self.definition().title
    }

    fn definition(self) -> &'static Definition {
        // Every variant has a definition: a test goes through all of them.
        DEFINITIONS.iter().find(|d| d.operator == self).unwrap_or(&DEFINITIONS[0])
    }
}

impl std::fmt::Display for MutationOperator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// Proposes all changes of one instruction, in the operators' order.
pub(crate) fn propose(scanned: &Scanned<'_>, at: u32) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for definition in DEFINITIONS {
        (definition.propose)(scanned, at, &mut candidates);
    }
    candidates
}
