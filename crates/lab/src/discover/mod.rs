//! Discovery: from a function to metamorphic relations that raise no false alarm and reveal faults
//! (GenMorph: Ayerdi, Terragni, Jahangirova, Arrieta, Tonella, 2024, section 3).

mod collect;
mod constants;
mod deterministic;
mod options;
mod sources;

pub use options::{DiscoverOptions, DiscoverProgress, Stage};
