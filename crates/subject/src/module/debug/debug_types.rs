//! What debug information says of places, types and functions.

use std::collections::BTreeMap;

/// A place in the source text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// What the file is called; no two are called the same. The path as the compiler recorded it, relative to the compilation
    /// folder where it was; of a library the path from the folder that libraries are kept in: `libm-0.2.16/src/lib.rs`.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when the compiler gave none.
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

/// A type as the source language has it, as far as it says how values cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// Nothing.
    Void,
    /// A Boolean.
    Bool,
    /// An integer of so many bytes.
    Int {
        /// Whether it is signed.
        signed: bool,
        /// Its size.
        bytes: u8,
    },
    /// A character type of one byte.
    Char,
    /// A float of so many bytes.
    Float {
        /// Its size.
        bytes: u8,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: Box<DebugType>,
        /// Whether the callee promises not to write through it.
        constant: bool,
    },
    /// Anything else, by its name.
    Other(String),
}

/// A parameter as the source names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugParameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: DebugType,
}

/// A function as the source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subprogram {
    /// The name, as linked where the compiler gave that, else as written.
    pub name: String,
    /// The parameters in order.
    pub parameters: Vec<DebugParameter>,
    /// What it returns.
    pub result: DebugType,
    /// Names of WebAssembly locals (parameters first) by index.
    pub locals: BTreeMap<u32, String>,
}
