//! Reports of coverage.

mod coverage_brief;
mod coverage_terminal;
mod lcov;
