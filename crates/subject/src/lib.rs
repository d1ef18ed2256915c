//! The subject of metamorphic testing: types, values, domains, the manifest and the WebAssembly module.

pub mod build;
mod draft;
mod function;
mod layout;
mod manifest;
mod module;
mod outside;
mod wasm_type;

pub use draft::{Draft, draft, quoted};
pub use function::{Argument, Function, Lowering, Passing, ResultLowering, signatures};
pub use layout::{ArgumentLayout, RECORD_SLOT, element_bytes};
pub use manifest::{
    AssemblyScriptSource, CSource, CrateHome, CrateSource, Form, Fuel, Limits, Manifest, ManifestError,
    ModuleSource, RustCall, SignatureResult, Spelling, Written, WrittenSignature, leave_included,
};
pub use module::{
    Allocator, Branches, CodePoint, DataRange, DebugInfo, DebugParameter, DebugType, Export, ExportKind,
    Global, Import, ImportKind, InlineInstance, InlinedCall, LocalWrites, Location, Module, ModuleError,
    Package, PathId, Subprogram, called_by, fixed_arity, reachable,
};

pub use outside::{
    CommandCall, Found, FoundBy, FoundIn, HttpBody, HttpCall, HttpRequest, HttpReset, HttpSecret,
    HttpService, HttpStep, JsonTemplate, NamedOutput, Outside, OutsideKind, ResetBefore, Template,
    TemplatePart, WorkerLanguage, WorkerSource,
};
pub use wasm_type::WasmType;

/// The parser of WebAssembly, re-exported so that one version serves every room.
pub use wasmparser;
