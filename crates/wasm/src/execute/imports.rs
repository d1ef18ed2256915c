//! The imports of a module: what the host offers, and what it does about the others.
//!
//! A function that the host does not offer is a trap where it is called. Most modules that import such functions call them in few
//! places or never: to report a failed assertion, or to describe themselves to a tool.
//!
//! The prover does not follow such a call, because the trap is Dodona's and not the function's.

use std::collections::BTreeSet;
use std::fmt;

use dodona_subject::{Import, ImportKind, Module};
use dodona_target::ImportName;
use wasmtime::{ExternType, Linker};

use crate::execute::host::Host;
use crate::execute::{LoadError, assemblyscript, wasi};

/// A function was called that the host does not offer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotOffered(pub ImportName);

impl fmt::Display for NotOffered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call of the import {}", self.0)
    }
}

impl std::error::Error for NotOffered {}

/// Refuses what is no function: without it, the module cannot be instantiated at all.
///
/// # Errors
/// The first import that is a memory, a table, a global variable or a tag.
pub(crate) fn check(module: &Module) -> Result<(), LoadError> {
    let refused = module.imports().iter().find_map(|import| match import.kind {
        ImportKind::Function(_) => None,
        ImportKind::Other(kind) => Some((import, kind)),
    });
    let Some((import, kind)) = refused else { return Ok(()) };
    let Import { module, name, .. } = import.clone();
    Err(LoadError::Import { advice: advice_on(kind, &name), module, name, kind })
}

fn advice_on(kind: &str, name: &str) -> &'static str {
    let is_dynamic =
        name.starts_with("__memory_base") || name.starts_with("__table_base") || name == "__stack_pointer";
    match kind {
        _ if is_dynamic => {
            "it is a part of a program that is linked when it is loaded: link it into a whole module, without -shared, \
             -sSIDE_MODULE or -fPIC"
        }
        "memory" => {
            "build it with a memory of its own: without --import-memory (clang, wasm-ld, Rust), --importMemory (asc) or \
             -sIMPORTED_MEMORY (emcc)"
        }
        "table" => {
            "build it with a table of its own: without --import-table (clang, wasm-ld, Rust) or --importTable (asc)"
        }
        "tag" => {
            "define the exception's tag in the module: link the library that throws it, or build without exceptions \
             (-fno-exceptions)"
        }
        _ => "define it in the sources, with its value",
    }
}

/// Offers everything that a module imports to a linker.
///
/// # Errors
/// When the engine refuses a name.
pub(crate) fn offer(linker: &mut Linker<Host>, module: &wasmtime::Module) -> wasmtime::Result<()> {
    wasi::offer(linker)?;
    let mut known = BTreeSet::new();
    for import in module.imports() {
        let (from, name) = (import.module(), import.name());
        let ExternType::Func(ty) = import.ty() else { continue };
        // If a name is imported twice with different types, linking says so.
        if wasi::offers(from, name)
            || !known.insert((from, name))
            || assemblyscript::offer(linker, from, name, &ty)?
        {
            continue;
        }
        let called = NotOffered(ImportName::new(from, name));
        linker.func_new(from, name, ty, move |_, _, _| Err(called.into()))?;
    }
    Ok(())
}

/// What to do about a function that is not offered, for people.
pub(crate) fn advice(import: ImportName) -> String {
    let full = import.to_string();
    let (from, name) = full.split_once('.').unwrap_or(("", &full));
    let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let words = if from.starts_with("__wbindgen")
        || from == "wbg"
        || name.starts_with("__wbindgen")
        || name.starts_with("__wbg_")
    {
        return of_wasm_bindgen(name);
    } else if name.starts_with("__cxa_") || is(&["_Unwind_"]) {
        "it belongs to C++ exceptions: link a C++ runtime that has them, or build with -fno-exceptions"
    } else if ["gojs", "go"].contains(&from) {
        "it belongs to Go's glue for JavaScript: build for WASI, with -target=wasip1 (TinyGo) or GOOS=wasip1 (Go)"
    } else if from.starts_with("wasi") {
        "only WASI preview 1 (`wasi_snapshot_preview1`) is offered: build for wasm32-wasip1"
    } else if is(&["emscripten", "invoke_", "__syscall"]) {
        "it belongs to emscripten's glue for JavaScript: build with -sSTANDALONE_WASM, or for WASI"
    } else {
        "it is not offered; define it in the sources, or link it in"
    };
    words.to_owned()
}

/// What to do about a function of wasm-bindgen: crates ask for it by features that are meant for browsers.
fn of_wasm_bindgen(name: &str) -> String {
    let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let feature = if is(&["getRandomValues", "randomFillSync", "crypto"]) {
        "`js` or `wasm_js` of getrandom, `js` of uuid"
    } else if is(&["now", "getTime", "getTimezoneOffset", "new0", "newwith", "performance"]) {
        "`wasmbind` of chrono (a default feature), `wasm-bindgen` of time or instant"
    } else {
        "`js`, `wasmbind` or `wasm-bindgen`"
    };
    format!(
        "wasm-bindgen leaves it to JavaScript; turn off the crate feature that asks for it, such as {feature}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_knows_where_imports_come_from() {
        let about = |from: &str, name: &str| advice(ImportName::new(from, name));
        assert!(
            about("__wbindgen_placeholder__", "__wbg_getRandomValues_1c61fac11405ffdc").contains("getrandom")
        );
        assert!(about("wbg", "__wbg_getTimezoneOffset_6b5752021c499c47").contains("`wasmbind` of chrono"));
        assert!(about("__wbindgen_placeholder__", "__wbindgen_describe").contains("`wasm-bindgen`"));
        assert!(about("env", "__cxa_throw").contains("-fno-exceptions"));
        assert!(about("gojs", "runtime.ticks").contains("wasip1"));
        assert!(about("wasi_unstable", "fd_write").contains("preview 1"));
        assert!(about("env", "invoke_vii").contains("emscripten"));
        assert!(about("env", "now").contains("define it in the sources"));
    }

    #[test]
    fn advice_on_what_is_no_function_says_how_to_build() {
        assert!(advice_on("memory", "memory").contains("--import-memory"));
        assert!(advice_on("table", "__indirect_function_table").contains("--import-table"));
        assert!(advice_on("tag", "__cpp_exception").contains("-fno-exceptions"));
        assert!(advice_on("global", "__memory_base").contains("-fPIC"));
        assert!(advice_on("global", "offset").contains("in the sources"));
    }
}
