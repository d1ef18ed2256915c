//! The names of what tests stand on.

use std::collections::BTreeMap;

use dodona_subject::Function;

use super::names::{Names, snake};
use super::script::{Drawn, Used};

/// For each function under test the name of what calls it, and for each variable of what it is drawn from.
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

    /// What makes a call.
    pub(super) fn call(&self, function: usize) -> &str {
        &self.calls[&function]
    }

    /// What a variable is drawn from.
    pub(super) fn variable(&self, variable: &Drawn) -> &str {
        self.parameter((variable.function, variable.parameter))
    }

    /// What a parameter of a function is drawn from.
    pub(super) fn parameter(&self, place: (usize, usize)) -> &str {
        &self.drawn[&place]
    }
}
