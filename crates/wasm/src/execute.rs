//! Running WebAssembly for tests: fuel, isolation by analysis, calls in columns, commands in memory.
//!
//! An [`Executable`] is a module with its functions under test: checked against their declared
//! signatures, analysed, instrumented and compiled once. A [`Runner`] calls them on one thread, columns
//! of arguments in and columns of outputs out.
//!
//! Whatever the code under test does is an [`dodona_target::Outcome`]; a call never harms the host, and never
//! another call: see [`Isolation`]. Every run gives the same bits: NaNs are canonical, there are no threads, the
//! clock stands still and the random source is seeded.
//!
//! # Decisions
//!
//! - Fuel is Dodona's own and not the engine's, because each row of a column needs its own limit
//!   (`crates/wasm/src/execute/instrument.rs`).
//! - An analysis decides which calls may share an instance, and guards enforce it (`crates/wasm/src/execute/isolation.rs`). Where calls
//!   may not, an instance is restored after each call (`crates/wasm/src/execute/instance/restored.rs`) or made anew, without any change
//!   of a memory mapping (`crates/wasm/src/execute/engine.rs`).
//! - For functions of scalars, a generated loop in the same module reads a column of inputs and writes a column of outputs, so that the
//!   host calls the module once for a whole column. Relations are compiled to plans over the same columns.
//! - Code that no called function can run is not compiled (`crates/wasm/src/execute/kept.rs`), and mutants are compiled together as
//!   versions of functions in one module (`crates/wasm/src/execute/variants.rs`).
//! - A call is explained by making it again (`crates/wasm/src/execute/diagnosis.rs`), so that other calls pay nothing for it.

mod allocator;
mod assemblyscript;
mod command;
mod compiled_cache;
mod coverage;
mod diagnosis;
mod engine;
mod error;
mod executable;
mod host;
mod imports;
mod instance;
mod instrument;
mod isolation;
mod kept;
mod lift;
mod limits;
mod lower;
mod machine;
mod outcomes;
mod prepare;
mod records;
mod residue;
mod rows;
mod run;
mod runner;
mod said;
mod shared;
mod start;
mod ticker;

mod variants;
mod wasi;

pub use coverage::{Block, BlockOrder, CoverageMap, RowCoverage, Statement, StatementScope, Statements};
pub use diagnosis::Diagnosis;
pub use error::{HostError, LoadError};
pub use executable::Executable;
pub use instrument::Additions;
pub use isolation::{CallInstances, Effect, Isolation, Reason, Reused, analyse};
pub use limits::{Called, Options, TrapPlaces};
pub use machine::{MachineCode, machine_code};
pub use runner::{Runner, Strategy};

pub use variants::{Choice, FunctionCopy, Original, Patch, Variants};
