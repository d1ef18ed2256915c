//! Dodona's verdicts against runs: no input may contradict a proof ([`never_proved`]), a judgement of equivalence
//! ([`equivalent_mutants`]) or an order of mutants ([`ordered_mutants`]). The modules, relations and inputs are random.

mod equivalent_mutants;
mod never_proved;
mod options;
mod ordered_mutants;
mod plant;

pub use equivalent_mutants::equivalent_mutants;
pub use never_proved::never_proved;
pub use ordered_mutants::ordered_mutants;

use dodona_cases::Check;

/// All checks by the names of their fuzz targets.
pub const CHECKS: [(&str, Check); 3] = [
    ("equivalent_mutants", equivalent_mutants),
    ("never_proved", never_proved),
    ("ordered_mutants", ordered_mutants),
];
