//! Discovery: from a function to metamorphic relations that raise no false alarm and reveal faults
//! (GenMorph: Ayerdi, Terragni, Jahangirova, Arrieta, Tonella, 2024, section 3).

mod options;

pub use options::{DiscoverOptions, DiscoverProgress, Stage};
