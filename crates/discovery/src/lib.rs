//! Discovery: from a function to metamorphic relations that raise no false alarm and reveal faults (GenMorph: Ayerdi, Terragni,
//! Jahangirova, Arrieta, Tonella, "GenMorph: Automatically Generating Metamorphic Relations via Genetic Programming", TSE 2024,
//! section 3); and to laws over several calls and functions.

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
mod evidence;
mod executions;
mod filter;
mod filter_counts;
mod forms;
mod generalise;
mod laws;
mod ledger;
mod margin;
mod measure;
mod near;
mod options;
mod overhead;
mod parallel;
mod patterns;
mod record;
mod relation_of;
mod relation_test;
mod screen;
mod search;
mod snapshot;
mod so_far;
mod sources;
mod steep;
mod target;
mod transformation_search;
mod tuning;
mod watch;

pub use compose::{ComposeOptions, ComposeOutcome, ComposeProgress, ComposeStage, compose};
pub use discover::discover;
pub use laws::{LawsOptions, LawsProgress, LawsStage, laws};
pub use options::{DiscoverOptions, DiscoverProgress, Faults, Forms, SOURCES_BY, Stage};
pub use so_far::SoFar;
