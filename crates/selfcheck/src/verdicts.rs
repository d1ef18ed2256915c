//! Verdicts against runs: no input may contradict a proof ([`never_proved`]), a judgement of equivalence ([`equivalent_mutants`]) or
//! an order of mutants ([`ordered_mutants`]). The modules, relations and inputs are random.

mod equivalent_mutants;
mod never_proved;
mod options;
mod ordered_mutants;
mod plant;

pub use equivalent_mutants::equivalent_mutants;
pub use never_proved::never_proved;
pub use ordered_mutants::ordered_mutants;
