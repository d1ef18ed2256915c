//! Whose code an instruction is: the subject's, that of a library, or unknown if the debug information does not say.
//!
//! This decides whether the instruction is mutated. It belongs to the innermost source place in its chain of inlined calls that is not in
//! the standard library. If a crate of the registry is under test, its code is mutated in whatever function of the module it is; the
//! generated glue never is.

use dodona_subject::{DebugInfo, Location, Package};

/// Whose code an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner<'d> {
    /// Code of a package.
    Package(&'d Package),
    /// Code of this part of the standard library that manages memory, writes text or reports a panic, and is inlined into its
    /// callers.
    Runtime(&'d Package),
    /// It has no place in any source.
    Nobody,
}

/// Whose code the instruction at an offset in the module's bytes is.
///
/// Code that is inlined from the standard library belongs to its caller: the comparison in `for i in 0..n` is written in `core`
/// and belongs to the loop. Code with which the standard library does its own work, such as growing a vector, does not belong
/// to the caller.
pub(crate) fn owner(debug: &DebugInfo, offset: usize) -> Owner<'_> {
    let Some(innermost) = debug.location_at(offset) else { return Owner::Nobody };
    let instance = debug.inline_instance(offset);
    let callers = instance.calls.iter().rev().filter_map(|call| call.call.as_ref());
    let mut runtime = None;
    for place in [innermost].into_iter().chain(callers) {
        let package = debug.package(place);
        match package {
            Package::Standard(_) if is_runtime(place) => runtime = runtime.or(Some(package)),
            Package::Standard(_) => {}
            Package::Local | Package::Glue | Package::Crate(_) => {
                return runtime.map_or(Owner::Package(package), Owner::Runtime);
            }
        }
    }
    Owner::Package(debug.package(innermost))
}

/// The files of the standard library, and folders of files, that manage memory, write text or report panics.
const RUNTIME: [&str; 9] = [
    "alloc/src/alloc.rs",
    "alloc/src/fmt.rs",
    "alloc/src/raw_vec",
    "core/src/alloc/",
    "core/src/fmt/",
    "core/src/panic",
    "std/src/alloc.rs",
    "std/src/panic",
    "std/src/sys/",
];

fn is_runtime(place: &Location) -> bool {
    RUNTIME.iter().any(|start| place.file.starts_with(start))
}

/// The functions of the C library and of compilers that manage memory or write text, by name, because these libraries have no
/// debug information.
const FUNCTIONS: [&str; 26] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "posix_memalign",
    "internal_memalign",
    "malloc_usable_size",
    "dlmalloc",
    "dlcalloc",
    "dlrealloc",
    "dlfree",
    "try_realloc_chunk",
    "dispose_chunk",
    "sbrk",
    "abort",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "printf_core",
    "vfprintf",
    "fmt_fp",
    "fmt_u",
    "pop_arg",
    "pad",
];

/// Parts of the names of Rust functions that manage memory, keep the message of a panic, or only hand on a call: the allocator and closures
/// behind a pointer are called through shims that the compiler generates.
const PARTS: [&str; 5] = ["__rust_", "__rdl_", "__rg_", "dodona_panic_hook", "vtable.shim"];

/// Whether a function of this name manages memory, writes text or reports panics.
pub(crate) fn is_runtime_function(name: &str) -> bool {
    FUNCTIONS.contains(&name) || PARTS.iter().any(|part| name.contains(part))
}
