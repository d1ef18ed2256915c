//! What a language cannot express, and the relation that is blamed for it.

use dodona_relations::Relation;

use super::script::{Statement, Test};
use super::{EmitError, Language};

/// Why something that tests need cannot be written, with the function or parameter (function, parameter) that is the reason.
pub(super) enum Problem {
    Function(usize, String),
    Parameter((usize, usize), String),
}

impl Problem {
    /// The error, about the first test that calls the function or draws the parameter.
    ///
    /// # Panics
    /// When there is no test.
    pub(super) fn of(self, tests: &[Test<'_>], language: Language) -> EmitError {
        let calls = |test: &Test<'_>, f: usize| {
            test.statements.iter().any(|s| matches!(s, Statement::Call { function, .. } if *function == f))
        };
        let (found, why) = match self {
            Problem::Function(f, why) => (tests.iter().find(|test| calls(test, f)), why),
            Problem::Parameter(place, why) => {
                let draws = |t: &&Test<'_>| t.variables.iter().any(|v| (v.function, v.parameter) == place);
                (tests.iter().find(draws), why)
            }
        };
        EmitError::inexpressible(found.unwrap_or(&tests[0]).relation, language, why)
    }
}

impl EmitError {
    /// A relation that a language cannot express, for this reason.
    pub(super) fn inexpressible(relation: &Relation, language: Language, why: String) -> EmitError {
        EmitError::Inexpressible { relation: relation.name().to_owned(), language: language.name(), why }
    }
}
