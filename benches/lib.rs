//! Benchmarks: `groups.rs` (metamorphic groups a second) and `mutation/` (mutation analysis);
//! `cargo bench --package dodona-benches` runs them.
