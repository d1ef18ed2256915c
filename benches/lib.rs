//! Benchmarks live in `groups.rs`; `cargo bench --package dodona-benches` runs them.
