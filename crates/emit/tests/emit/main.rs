//! Relations written as tests of other languages: the text, and that it compiles, passes, and fails on a fault.
#![allow(clippy::unwrap_used, reason = "a test that goes wrong here has failed")]

mod common;
mod run_c;
mod run_java;
mod run_python;
mod run_rust;
mod text;
mod verdicts;
