//! Whose code an instruction is: the subject's, a library's, or nobody's as far as debug information tells.

use dodona_subject::{DebugInfo, Location, Package};

/// Whose code an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner<'d> {
    /// That of a package.
    Package(&'d Package),
    /// That of this part of the standard library: it manages memory, writes text or reports a panic, inlined where others
    /// asked for it.
    Runtime(&'d Package),
    /// There is no place in any source.
    Nobody,
}

/// Whose code the instruction at an offset in the module's bytes is.
///
/// Code that is inlined from the standard library is its caller's: the comparison in `for i in 0..n` is written in `core`, and belongs
/// to the loop. What the standard library does for itself, such as growing a vector, is nobody's who only called it.
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
            Package::Local | Package::Crate(_) => {
                return runtime.map_or(Owner::Package(package), Owner::Runtime);
            }
        }
    }
    Owner::Package(debug.package(innermost))
}

/// The standard library's files, and folders of files, that manage memory, write text or report panics.
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

/// The functions of C's library and of compilers, by name, that manage memory or write text: their libraries come without debug
/// information.
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

/// Whether a function of this name manages memory or writes text.
pub(crate) fn is_runtime_function(name: &str) -> bool {
    // Rust's allocator is called through shims that the compiler makes.
    FUNCTIONS.contains(&name) || name.contains("__rust_") || name.contains("__rdl_") || name.contains("__rg_")
}
