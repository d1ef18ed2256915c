//! Discovery: from a function to metamorphic relations that raise no false alarm and reveal faults (GenMorph: Ayerdi, Terragni,
//! Jahangirova, Arrieta, Tonella, "GenMorph: Automatically Generating Metamorphic Relations via Genetic Programming", TSE 2024,
//! section 3).

mod candidate;
mod choose;
mod chosen;
mod collect;
mod confirm;
mod counterexample;
mod deterministic;
mod discover;
mod evidence;
mod filter;
mod margin;
mod measure;
mod near;
mod options;
mod parallel;
mod search;
mod sources;
mod target;
mod watch;

pub use discover::discover;
pub use options::{DiscoverOptions, DiscoverProgress, SOURCES_BY, Stage};
