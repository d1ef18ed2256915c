//! Reports of coverage.

mod coverage_terminal;
mod lcov;
