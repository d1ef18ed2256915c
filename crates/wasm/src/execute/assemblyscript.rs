//! The functions that AssemblyScript imports by default: `env.abort`, which ends a call with a message, `env.seed` and `env.trace`.

use std::fmt;

use dodona_target::ImportName;
use wasmtime::{Caller, FuncType, Linker, ValType};

use crate::execute::host::Host;
use crate::execute::wasi;

/// Characters of a message that are shown.
const MOST_SHOWN: usize = 300;

/// The program called `env.abort`. The texts are read from memory only if somebody asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aborted {
    message: u32,
    file: u32,
    line: u32,
    column: u32,
}

impl fmt::Display for Aborted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("call of the import env.abort")
    }
}

impl std::error::Error for Aborted {}

impl Aborted {
    /// The name of the import.
    pub(crate) fn name() -> ImportName {
        ImportName::new("env", "abort")
    }

    /// `abort at index.ts:12:5: Index out of range`, as far as the texts are there.
    pub(crate) fn words(&self, memory: &[u8]) -> String {
        let place = text(memory, self.file).map(|file| format!(" at {file}:{}:{}", self.line, self.column));
        let message = text(memory, self.message).map(|message| format!(": {message}"));
        format!("abort{}{}", place.unwrap_or_default(), message.unwrap_or_default())
    }
}

/// Offers an import if it is one of these, with this type; returns whether it is.
///
/// # Errors
/// When the engine refuses the name.
pub(crate) fn offer(
    linker: &mut Linker<Host>,
    module: &str,
    name: &str,
    ty: &FuncType,
) -> wasmtime::Result<bool> {
    let has = |parameters: &str, results: &str| {
        letters(ty.params()) == parameters && letters(ty.results()) == results
    };
    match (module, name) {
        ("env", "abort") if has("iiii", "") => linker.func_wrap(module, name, abort)?,
        ("env", "seed") if has("", "F") => linker.func_wrap(module, name, seed)?,
        ("env", "trace") if has("iiFFFFF", "") => linker.func_wrap(module, name, trace)?,
        _ => return Ok(false),
    };
    Ok(true)
}

/// A letter for each type: `i` for i32, `F` for f64.
fn letters(types: impl Iterator<Item = ValType>) -> String {
    let letter = |ty| match ty {
        ValType::I32 => 'i',
        ValType::F64 => 'F',
        _ => '?',
    };
    types.map(letter).collect()
}

fn abort(message: u32, file: u32, line: u32, column: u32) -> wasmtime::Result<()> {
    Err(Aborted { message, file, line, column }.into())
}

/// The seed of `Math.random`: from the process's seeded source, and so the same in every run.
fn seed(mut caller: Caller<'_, Host>) -> wasmtime::Result<f64> {
    wasi::charge(&mut caller, 8)?;
    let mut bytes = [0; 8];
    caller.data_mut().process.random(&mut bytes);
    // The 53 bits that a float has, as a number below 1, which is what JavaScript gives.
    Ok((u64::from_le_bytes(bytes) >> 11) as f64 / (1u64 << 53) as f64)
}

/// Prints in JavaScript. Nobody reads it here.
#[allow(clippy::too_many_arguments, reason = "the type of the import")]
fn trace(
    mut caller: Caller<'_, Host>,
    _: u32,
    _: u32,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
) -> wasmtime::Result<()> {
    wasi::charge(&mut caller, 0)
}

/// A string of AssemblyScript: UTF-16, with its length in bytes before it.
fn text(memory: &[u8], at: u32) -> Option<String> {
    let at = at as usize;
    let length = memory.get(at.checked_sub(4)?..at)?.try_into().ok().map(u32::from_le_bytes)?;
    let units = memory.get(at..at.checked_add(length as usize)?)?.as_chunks::<2>().0;
    let units = units.iter().take(MOST_SHOWN).map(|unit| u16::from_le_bytes(*unit));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Vec<u8> {
        let mut memory = vec![0; 64];
        for (at, text) in [(8, "é😀"), (40, "a.ts")] {
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            memory[at - 4..at].copy_from_slice(&(units.len() as u32).to_le_bytes());
            memory[at..at + units.len()].copy_from_slice(&units);
        }
        memory
    }

    #[test]
    fn texts_are_read_with_their_length_before_them() {
        let aborted = Aborted { message: 8, file: 40, line: 3, column: 7 };
        assert_eq!(aborted.words(&memory()), "abort at a.ts:3:7: é😀");
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        let words = |message, file| Aborted { message, file, line: 3, column: 7 }.words(&memory());
        assert_eq!(words(8, 0), "abort: é😀");
        assert_eq!(words(0, 40), "abort at a.ts:3:7");
        // An address outside, one whose length is outside, and the last address that there is.
        assert_eq!(words(u32::MAX, 2), "abort");
        let mut wild = memory();
        wild[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Aborted { message: 8, file: 64, line: 0, column: 0 }.words(&wild), "abort");
    }
}
