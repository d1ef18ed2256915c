//! The corpus of each fuzz target, replayed: what a fuzzer once found worth keeping stays without a defect.

use dodona_cases::replay::Corpora;
use dodona_differential::CHECKS;

const CORPORA: Corpora<'_> = Corpora { folder: "differential", checks: &CHECKS };

dodona_cases::replayed! { CORPORA: engines_agree }
