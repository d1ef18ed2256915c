//! What is known of a library, and which language its calls are written in.

use super::probe::{Seen, Stands};
use super::unit::{Function, Unit};

/// Which language the code of calls is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// C.
    C,
    /// C++, where texts and sequences are `std::string` and `std::vector`.
    Cxx,
}

/// What is known of a library.
pub(super) struct Library<'u> {
    pub(super) unit: &'u Unit,
    pub(super) dialect: Dialect,
    pub(super) functions: Vec<&'u Function>,
    pub(super) pointers: Pointers<'u>,
}

/// What is done with pointers of which a prototype does not say what stands behind them.
#[derive(Clone, Copy)]
pub(super) enum Pointers<'s> {
    /// They get what this says, or what names say.
    Seen(&'s Seen),
    /// They get room in which is seen what a call does.
    Probed,
}

impl Library<'_> {
    /// What a function was seen to do with what one of its pointers points to.
    pub(super) fn stands(&self, function: &Function, place: usize) -> Option<&Stands> {
        match self.pointers {
            Pointers::Seen(seen) => seen.stands(function, place),
            Pointers::Probed => None,
        }
    }
}
