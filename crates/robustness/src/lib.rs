//! Dodona on whatever bytes: each reader gives a value or an error that names a place ([`readers`]), and each verb ends as it is
//! documented, whatever its files and options are ([`verbs`]). Nothing panics.

pub mod readers;
mod verbs;

pub use verbs::verbs;

use dodona_cases::Check;

/// All checks by the names of their fuzz targets.
pub const CHECKS: [(&str, Check); 7] = [
    ("frames", readers::frames),
    ("manifest", readers::manifest),
    ("matrix", readers::matrix),
    ("module", readers::module),
    ("relations", readers::relations),
    ("replies", readers::replies),
    ("verbs", verbs),
];
