//! Probes of pointers: functions are called with room behind them, to see what they write there.

use std::path::Path;

use dodona_interface::c::{PATTERNS, Probes, Seen};
use dodona_target::{Column, Target as _};
use dodona_workbench::{Seed, inputs};

use crate::crate_functions::{built, manifest_text};

/// Calls of each function with each pattern. One set of arguments shows 41 of 45 arrays of GSL: the others have one element for just those. A call takes
/// microseconds, so that many more would cost nothing but show no more.
const CALLS: usize = 64;

/// What functions write behind pointers, as calls of them show. Where the probes cannot be built, nothing is known.
pub(super) fn seen(mut probes: Probes, head: &str, file: &Path) -> Seen {
    let mut seen = Seen::default();
    if probes.interface.functions.is_empty() {
        return seen;
    }
    let Ok(workbench) = built(file, &mut probes.interface, &|found| manifest_text(head, found, None)) else {
        return seen;
    };
    let mut session = workbench.target.open();
    for (number, function) in workbench.functions().iter().enumerate() {
        let drawn = inputs::drawn(function, CALLS as u64, Seed(0)).unwrap_or_default();
        let Some(mut arguments) = drawn.into_iter().next() else { continue };
        let calls = PATTERNS.map(|pattern| {
            // The first parameters of a probe are the pattern.
            for (argument, byte) in arguments.iter_mut().zip(pattern) {
                *argument = Column::Int(vec![byte.into(); CALLS]);
            }
            session.call(number, &arguments)
        });
        let Ok(calls) = calls.into_iter().collect::<Result<Vec<_>, _>>() else { continue };
        if let Ok(calls) = calls.try_into() {
            probes.note(&function.name, &arguments, &calls, &mut seen);
        }
    }
    seen
}
