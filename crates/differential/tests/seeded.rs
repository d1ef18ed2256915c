//! The check on seeded cases.

use dodona_cases::replay::on_seeds;
use dodona_differential::engines_agree;

#[test]
fn every_engine_says_the_same_of_random_modules() {
    let counts = on_seeds(engines_agree, 0..20, 600);
    assert!(counts.checked() > 13, "{counts}");
}
