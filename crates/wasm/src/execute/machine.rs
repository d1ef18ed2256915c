//! Machine code of functions, to tell whether two became the same.

mod opaque;

use std::ops::Range;
use std::sync::Arc;

use dodona_subject::Limits;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol};
use wasmtime_environ::obj::ELF_WASMTIME_TRAPS;

use crate::execute::{LoadError, engine};

/// Optimised machine code of a function with its trap sites, to tell whether two functions became the same.
///
/// Two functions of one module whose values are equal behave the same in every run: the same instructions run, with
/// the same constants, jump tables and calls of imports, and the same of them trap for the same reason. Values of two
/// modules may be compared where the modules differ only in the code of their functions and have as many of them. Code
/// is given by its bytes, so it must not depend on where it stands: see [`machine_code`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MachineCode {
    code: Vec<u8>,
    /// Where in the code a trap may happen, with the engine's number of its kind.
    traps: Vec<(u32, u8)>,
    /// What the numbers of the engine's own functions mean in the code.
    opaque: Arc<[String]>,
}

/// Optimised machine code of each defined function of a WebAssembly module, as the engine compiles it for execution,
/// NaN canonicalisation included.
///
/// The functions may call imports only: a caller that compares functions makes their callees imports, recursive calls
/// included. What the engine itself does by calling (copying and growing memory, tables) is made so here.
///
/// # Errors
/// When the module does not compile, a function calls a defined one, or the engine makes code whose bytes depend on
/// where it stands.
///
/// # Examples
/// ```
/// let wasm = wat::parse_str(r#"(module
///     (func (param i32) (result i32) (local.get 0))
///     (func (param i32) (result i32) (i32.add (local.get 0) (i32.const 0)))
///     (func (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))"#).unwrap();
/// let code = dodona_wasm::execute::machine_code(&wasm)?;
/// assert_eq!(code[0], code[1]);
/// assert_ne!(code[0], code[2]);
/// # Ok::<(), dodona_wasm::execute::LoadError>(())
/// ```
pub fn machine_code(wasm: &[u8]) -> Result<Vec<MachineCode>, LoadError> {
    let (wasm, opaque) = opaque::rewrite(wasm)?;
    let refuse = |e: wasmtime::Error| LoadError::Compile { message: format!("{e:#}") };
    let engine = wasmtime::Engine::new(engine::configuration(&Limits::default()).table_lazy_init(false));
    let module = wasmtime::Module::new(&engine.map_err(refuse)?, &wasm).map_err(refuse)?;
    let image = module.serialize().map_err(refuse)?;
    let traps = read_traps(&image)?;
    let opaque: Arc<[String]> = opaque.into();
    let functions = module.functions().map(|function| {
        let range = function.offset..function.offset + function.len;
        let traps = within(&traps, &range);
        MachineCode { code: module.text()[range].to_vec(), traps, opaque: opaque.clone() }
    });
    Ok(functions.collect())
}

/// What the engine calls when an instance starts with functions in its globals.
const REFERS: &str = "wasmtime_builtin_ref_func";

fn unreadable(what: impl std::fmt::Display) -> LoadError {
    LoadError::Compile { message: format!("its machine code cannot be compared: {what}") }
}

/// The trap sites of a compiled module: the offset in its text, in ascending order, and the kind.
fn read_traps(image: &[u8]) -> Result<Vec<(usize, u8)>, LoadError> {
    let file: ElfFile64<'_> = ElfFile64::parse(image).map_err(unreadable)?;
    // Code refers to other code by distance: only to the engine's own functions, each of which has a symbol. Where there
    // is but one, equal distances mean the same.
    let symbols = file.symbols().filter_map(|symbol| symbol.name().ok());
    if let Some(name) = { symbols }.find(|name| name.starts_with("wasmtime_builtin") && *name != REFERS) {
        return Err(unreadable(format!("it calls {name}")));
    }
    let Some(section) = file.section_by_name(ELF_WASMTIME_TRAPS) else { return Ok(Vec::new()) };
    let data = section.data().map_err(unreadable)?;
    let traps = wasmtime_environ::iterate_traps(data).ok_or_else(|| unreadable("no trap sites"))?;
    Ok(traps.map(|(at, trap)| (at as usize, trap.as_u8())).collect())
}

/// The trap sites in a range, by their distance from its start.
fn within(traps: &[(usize, u8)], range: &Range<usize>) -> Vec<(u32, u8)> {
    let first = traps.partition_point(|(at, _)| *at < range.start);
    let sites = traps[first..].iter().take_while(|(at, _)| *at < range.end);
    sites.map(|(at, trap)| ((at - range.start) as u32, *trap)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trap_sites_alone_tell_functions_apart() {
        let wat = "(module (memory 1 1) (func (result i32) unreachable)
            (func (result i32) (i32.load offset=0xffffffff (i32.const 0))))";
        let code = machine_code(&wat::parse_str(wat).expect("the text is valid")).expect("it compiles");
        assert_eq!(code[0].code, code[1].code);
        assert_ne!(code[0].traps, code[1].traps);
        assert_ne!(code[0], code[1]);
    }

    #[test]
    fn trap_sites_count_from_the_start_of_their_function() {
        let sites = [(3, 1), (10, 2), (14, 3), (20, 4)];
        assert_eq!(within(&sites, &(10..20)), [(0, 2), (4, 3)]);
    }
}
