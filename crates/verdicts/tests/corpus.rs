//! The corpus of each fuzz target, replayed: what a fuzzer once found worth keeping stays without a defect.

use dodona_cases::replay::Corpora;
use dodona_verdicts::CHECKS;

const CORPORA: Corpora<'_> = Corpora { folder: "verdicts", checks: &CHECKS };

dodona_cases::replayed! { CORPORA: equivalent_mutants never_proved ordered_mutants }
