//! Whole verbs on seeded cases.

use dodona_cases::replay::on_seeds;
use dodona_robustness::verbs;

#[test]
fn verbs_end_as_they_are_documented_whatever_their_files_and_options() {
    let counts = on_seeds(verbs, 0..30, 900);
    assert!(counts.of("a verb did its work") > 5, "{counts}");
    assert!(counts.of("a verb refused, and said why") > 5, "{counts}");
}
