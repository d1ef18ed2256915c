//! Benchmarks: `groups.rs` (metamorphic groups a second), `mutation/` (mutation analysis), `hierarchy.rs` (dominators of kill
//! matrices), `symbolic.rs` (symbolic execution) and `workers.rs` (calls of functions in other processes);
//! `cargo bench --package dodona-benches` runs them.
