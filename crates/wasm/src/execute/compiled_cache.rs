//! Compiled code is kept between runs, so that a large module is compiled once and not by each command.
//!
//! # Decisions
//! - **wasmtime's own cache.** What was compiled is found by all that decides it: the code, the settings of the engine, and the release of wasmtime. It removes what was
//!   not used for long once more than half a gigabyte is kept. It lies in Dodona's folder of the user's cache, and may be deleted at any time.
//! - **Large modules alone.** Of a small one, compiling takes less than what would be read and written.

use std::sync::OnceLock;

use dodona_subject::build::cache_folder;
use wasmtime::{Cache, CacheConfig};

/// The least bytes of instrumented code that are kept. A smaller bound writes a file for each of many small modules, a greater one lets commands wait:
/// a module of Go of 1.9 MB took about four seconds, so that code of this size takes some tenths of a second.
const LEAST: usize = 256 << 10;

/// The cache for a module with so many bytes of code, if it is kept and there is a folder for it.
pub(crate) fn cache(bytes: usize) -> Option<Cache> {
    static CACHE: OnceLock<Option<Cache>> = OnceLock::new();
    let open = || {
        let mut config = CacheConfig::new();
        config.with_directory(cache_folder().join("compiled"));
        // Without it everything works, slower.
        Cache::new(config).ok()
    };
    if bytes < LEAST {
        return None;
    }
    CACHE.get_or_init(open).clone()
}
