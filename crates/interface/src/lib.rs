//! The public functions of a Rust crate or of a library in C or C++ ([`c`]): what rustdoc knows of them, which of them a signature of a manifest can have, and why not the others.
//!
//! # Decisions
//! * **rustdoc's JSON, and not the source.** Macros are expanded, `cfg` is decided, names are resolved, and functions that macros make are there:
//!   of the crate `gcd` all 24 are. The format is not stable, so that its version is checked and told. It works on the stable compiler with
//!   `RUSTC_BOOTSTRAP=1`, takes one or two seconds a crate, and needs the crate's dependencies built for checking.
//! * **A call is an expression.** What is under test is written as Rust has it, over the parameters of a signature: `gcd::Gcd::gcd(a, b)` calls
//!   a method of a trait, and `Version::new(major, minor, patch).to_string()` makes a value of a type of the crate's own from its parts.

mod bounds;
pub mod c;
mod conversions;
mod functions;
mod own_types;
mod public;
mod rust_type;
mod spell;

use rustdoc_types::Crate;

pub use functions::{Callable, Interface, Left};

/// Why the documentation of a crate cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum InterfaceError {
    /// It is no document of rustdoc.
    #[error("what rustdoc wrote cannot be read: {0}")]
    Unreadable(String),
    /// Its format is another one than is read here.
    #[error(
        "rustdoc of this compiler writes format {found}, and this program reads format {known}; write the manifest by hand, or install another \
         compiler with `rustup toolchain install`"
    )]
    Format {
        /// The format of the document.
        found: u64,
        /// The format that is read.
        known: u32,
    },
}

/// The public functions of a crate from the JSON that rustdoc wrote of it; `root` is the name that its paths begin with.
///
/// # Errors
/// When it cannot be read, or is of another format.
pub fn read(json: &str, root: &str) -> Result<Interface, InterfaceError> {
    #[derive(serde::Deserialize)]
    struct Head {
        format_version: u64,
    }
    let unreadable = |error: serde_json::Error| InterfaceError::Unreadable(error.to_string());
    let head: Head = serde_json::from_str(json).map_err(unreadable)?;
    // Formats near this one have been read without a mistake, so that it is tried before it is refused.
    let document: Crate = serde_json::from_str(json).map_err(|error| match head.format_version {
        same if same == u64::from(rustdoc_types::FORMAT_VERSION) => unreadable(error),
        found => InterfaceError::Format { found, known: rustdoc_types::FORMAT_VERSION },
    })?;
    Ok(functions::interface(&document, root))
}
