//! Benchmarks: `groups.rs` (metamorphic groups a second), `mutation/` (mutation analysis) and `symbolic.rs`
//! (symbolic execution);
//! `cargo bench --package dodona-benches` runs them.
