//! The corpus of each fuzz target, replayed: what a fuzzer once found worth keeping stays without a defect.

use dodona_cases::replay::Corpora;
use dodona_robustness::CHECKS;

const CORPORA: Corpora<'_> = Corpora { folder: "robustness", checks: &CHECKS };

dodona_cases::replayed! { CORPORA: frames manifest matrix module relations replies verbs }
