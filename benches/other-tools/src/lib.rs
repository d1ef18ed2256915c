//! Three of the functions that ship as subjects, in Rust, with one cheap test each.

#[cfg(any(test, target_arch = "wasm32"))]
mod checks;
mod functions;

pub use functions::{gcd, insertion_sort, triangle};
