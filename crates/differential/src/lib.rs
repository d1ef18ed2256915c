//! Dodona's engines against each other: what each of them says of a random module must be the same.

mod engines_agree;

pub use engines_agree::engines_agree;

use dodona_cases::Check;

/// The check by the name of its fuzz target.
pub const CHECKS: [(&str, Check); 1] = [("engines_agree", engines_agree)];
