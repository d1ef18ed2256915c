//! The subject of metamorphic testing: types, values, domains, the manifest and the WebAssembly module.

pub mod build;
mod column;
mod describe;
mod diagnostic;
mod domain;
mod draft;
mod function;
mod hash;
mod import_name;
mod intersection;
mod layout;
mod manifest;
mod module;
mod nan;
mod outcome;
mod seen;
mod types;
pub mod user_file;
mod value;

pub use column::{Column, Ragged, SequenceColumn};
pub use describe::describe_domain;
pub use diagnostic::{Diagnostic, nearest};
pub use domain::{Distribution, Domain, Number, NumberRange, Numbers, Predicate, Sampling, nearest_float};
pub use draft::{Draft, draft};
pub use function::{Argument, Function, Lowering, Output, OutputName, Parameter, Passing, ResultLowering};
pub use hash::{digest, fnv1a, next_splitmix64, splitmix64};
pub use import_name::ImportName;
pub use layout::ArgumentLayout;
pub use manifest::{Fuel, Limits, Manifest, ManifestError, ModuleSource, Signature, SignatureResult};
pub use module::{
    Allocator, Branches, CodePoint, DataRange, DebugInfo, DebugParameter, DebugType, Export, ExportKind,
    Global, Import, ImportKind, InlineInstance, InlinedCall, LocalWrites, Location, Module, ModuleError,
    Package, PathId, Subprogram, reachable,
};
pub use nan::{double_bits, single_bits};
pub use outcome::{Calls, Malformed, Outcome, Trap};
pub use seen::{on_one_line, seen, with_escapes};
pub use types::{Kind, Scalar, Type, UnknownType, WasmType};
pub use value::{Sequence, Value, same_float, write_float, write_text};

/// The parser of WebAssembly, re-exported so that one version serves every room.
pub use wasmparser;
