//! Names of the helper functions that tests use.

use std::collections::BTreeMap;

use dodona_subject::Function;

use super::names::{Names, snake};
use super::script::{Drawn, Used};

/// For each function under test the name of the helper that calls it; for each drawn parameter the name of the helper
/// that draws it.
pub(super) struct HelperNames {
    calls: BTreeMap<usize, String>,
    drawn: BTreeMap<(usize, usize), String>,
}

impl HelperNames {
    pub(super) fn new(used: &Used, functions: &[Function], names: &mut Names) -> HelperNames {
        let call = |f: usize, names: &mut Names| names.give(&format!("call_{}", snake(&functions[f].name)));
        let calls = used.functions.iter().map(|&f| (f, call(f, names))).collect();
        let mut draw = |(f, p): (usize, usize)| {
            let parameter = snake(&functions[f].parameters[p].name);
            names.give(&format!("{parameter}_of_{}", snake(&functions[f].name)))
        };
        let drawn = used.drawn.iter().map(|&place| (place, draw(place))).collect();
        HelperNames { calls, drawn }
    }

    /// The name of the helper that calls a function under test.
    pub(super) fn call(&self, function: usize) -> &str {
        &self.calls[&function]
    }

    /// The name of the helper that draws a variable.
    pub(super) fn variable(&self, variable: &Drawn) -> &str {
        self.parameter((variable.function, variable.parameter))
    }

    /// The name of the helper that draws a parameter, given as (function, parameter).
    pub(super) fn parameter(&self, place: (usize, usize)) -> &str {
        &self.drawn[&place]
    }
}
