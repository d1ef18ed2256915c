//! Discovery: from a function to metamorphic relations that raise no false alarm and reveal faults (GenMorph: Ayerdi, Terragni,
//! Jahangirova, Arrieta, Tonella, "GenMorph: Automatically Generating Metamorphic Relations via Genetic Programming", TSE 2024,
//! section 3); and to laws over several calls and functions.
//!
//! # Decisions
//!
//! - Recorded executions propose relations, and new inputs decide (`crates/discovery/src/measure.rs`). Relations are scored on data that
//!   the search never saw (`crates/discovery/src/analysis.rs`).
//! - Searches propose and the filter runs; one ledger keeps what came of it (`crates/discovery/src/ledger.rs`), and one algorithm makes
//!   both choices (`crates/discovery/src/choose.rs`).
//! - All numbers by which searches are tuned, with what they trade, are in `crates/discovery/src/tuning.rs` and
//!   `crates/inference/src/discovery/tuning.rs`. Each further part has a file of its own beside it, such as
//!   `crates/discovery/src/laws/law_tuning.rs`.
//! - The clock ends searches, and counted work ends the rest (`crates/discovery/src/watch.rs`, `crates/discovery/src/collect/budget.rs`).
//! - A relation counts as found only if all of its tests ended (`crates/discovery/src/confirm.rs`).
//! - Enumeration is run in two depths: first small terms under every transformation, then larger terms and generations of genetic
//!   programming under the transformations that may gain most, in turns. Otherwise the first few transformations would take all of the
//!   thirty seconds.
//! - Every refutation is kept with the step of the filter that made it (`crates/records/src/discovery.rs`).

mod analysis;
mod bounded;
mod choose;
mod chosen;
mod collect;
mod compose;
mod confirm;
mod counterexample;
mod deterministic;
mod discover;
mod distinct;
mod evidence;
mod executions;
mod filter;
mod filter_counts;
mod forms;
mod generalise;
mod hard_inputs;
mod known;
mod laws;
mod ledger;
mod margin;
mod measure;
mod mutant_sample;
mod near;
mod options;
mod order;
mod overhead;
mod parallel;
mod patterns;
mod readable;
mod record;
mod relation_of;
mod relation_test;
mod screen;
mod search;
mod shuffled;
mod snapshot;
mod so_far;
mod sources;
mod steep;
mod survey;
mod target;
mod transformation_search;
mod tuning;
mod watch;

pub use compose::{ComposeOptions, ComposeOutcome, ComposeProgress, ComposeStage, compose};
pub use discover::discover;
pub use known::{TriedForms, Trying, known_forms_that_hold};
pub use laws::{LawsOptions, LawsProgress, LawsStage, laws};
pub use options::{DiscoverOptions, DiscoverProgress, Faults, Forms, SOURCES_BY, Stage};
pub use so_far::SoFar;
pub use survey::{SurveyOptions, SurveyProgress, SurveyStage, survey};
