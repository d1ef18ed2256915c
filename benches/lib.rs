//! Benchmarks: `groups.rs` (metamorphic groups a second), `mutation/` (mutation analysis), `hierarchy.rs` (dominators of kill
//! matrices) and `symbolic.rs` (symbolic execution);
//! `cargo bench --package dodona-benches` runs them.
