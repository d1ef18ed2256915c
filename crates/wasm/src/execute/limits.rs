//! Options of loading a module: its limits, its allocator, and which functions under test will be called.

use std::collections::BTreeSet;

use dodona_subject::{Limits, Manifest};

/// How a module is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What one call may use. At most 2 GiB of memory and 1 MiB of stack.
    pub limits: Limits,
    /// The export that gives memory for arguments: `fn(size: i32) -> i32` like `malloc`, or of the type
    /// of `cabi_realloc`. `None` looks for `malloc` and `cabi_realloc`, then grows pages.
    pub allocator: Option<String>,
    /// Whether the places of traps are looked up.
    pub trap_places: TrapPlaces,
    /// Which of the functions under test will be called. Code that none of them can run is not compiled.
    pub called: Called,
}

impl Options {
    /// The limits and the allocator of a manifest, for calls of all of its functions.
    pub fn of(manifest: &Manifest) -> Options {
        Options { limits: manifest.limits, allocator: manifest.allocator.clone(), ..Options::default() }
    }
}

/// Which of the functions under test will be called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Called {
    /// All of them.
    #[default]
    All,
    /// Those with these indices. A call of another one panics.
    Only(BTreeSet<usize>),
}

impl Called {
    /// Whether the function with this index is among them.
    pub(crate) fn includes(&self, function: usize) -> bool {
        match self {
            Called::All => true,
            Called::Only(functions) => functions.contains(&function),
        }
    }
}

/// Whether [`Runner::locate_trap`](crate::execute::Runner::locate_trap) can say where a call trapped. Looking it up takes longer than
/// most calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrapPlaces {
    /// The place of each trap is looked up.
    #[default]
    Known,
    /// So are the places of the calls that led there, for [`Runner::diagnose`](crate::execute::Runner::diagnose).
    WithCallers,
    /// No place is looked up. The outcome says that the call trapped, and why.
    Unknown,
}

/// The most linear memory that a call may be allowed, in bytes.
pub(crate) const MOST_MEMORY: u64 = 2 << 30;

/// The most call stack that a call may be allowed, in bytes: threads have 2 MiB unless told otherwise,
/// and the host needs some of it.
pub(crate) const MOST_STACK: u64 = 1 << 20;

/// Bytes of a WebAssembly page.
pub(crate) const PAGE: u64 = 64 << 10;
