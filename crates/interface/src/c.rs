//! The functions of C and C++ headers and sources: what clang knows of them, which of them a signature of a manifest can have with which call, and why not
//! the others.
//!
//! # Decisions
//! * **clang's own syntax tree, and not the text.** Macros are expanded, conditions decided, types resolved for the target. `clang -Xclang -ast-dump=json` is no stable format; the few
//!   keys that are read have been the same since it exists, and others are passed over. A tree may have hundreds of megabytes (a header of C++ that includes `<string>` has 232),
//!   so that it is read as it comes and only declarations are kept. Of the text one thing is read that the tree does not have: how many elements an array in
//!   a parameter has.
//! * **A call is code.** What a prototype says by convention (a result through a pointer, a length beside a buffer, a handle that is made and freed) becomes code that a person
//!   can read and change, in `call` of the manifest.
//! * **What nothing tells is asked.** A pointer whose elements nobody counts never becomes a number: the function is left out, with what has to be said.

mod arguments;
mod calls;
mod fields;
mod given;
mod handles;
mod library;
mod makers;
mod names;
mod probe;
mod recipe;
mod seen;
mod sequences;
mod texts;
mod tree;
mod types;
mod unit;

use std::io::Read;
use std::path::Path;

pub use calls::{interface, interface_as_seen};
pub use library::Dialect;
pub use probe::{PATTERNS, Probes, Seen, probes};
pub use unit::Unit;

/// Why a syntax tree cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("what clang wrote cannot be read: {0}")]
pub struct UnreadableTree(#[from] serde_json::Error);

/// Adds the declarations of a syntax tree, as `clang -Xclang -ast-dump=json` writes it, to those of others of the same library; `folder` is that
/// in which clang ran.
///
/// # Errors
/// When it is no such tree.
///
/// ```
/// let tree = r#"{"kind": "TranslationUnitDecl", "inner": [{"kind": "FunctionDecl", "loc": {"file": "a.h", "line": 1},
///     "name": "twice", "type": {"qualType": "int (int)"}, "inner": [{"kind": "ParmVarDecl", "name": "x", "type": {"qualType": "int"}}]}]}"#;
/// let mut unit = dodona_interface::c::Unit::default();
/// dodona_interface::c::read(tree.as_bytes(), ".".as_ref(), &mut unit)?;
/// let dialect = dodona_interface::c::Dialect::C;
/// let found = dodona_interface::c::interface(&unit, &|file| file == "a.h", dialect);
/// assert_eq!(found.functions[0].signature(), "twice(x: i32) -> i32");
/// # Ok::<(), dodona_interface::c::UnreadableTree>(())
/// ```
pub fn read(tree: impl Read + Send, folder: &Path, unit: &mut Unit) -> Result<(), UnreadableTree> {
    tree::read(tree, folder, unit).map_err(UnreadableTree)
}
