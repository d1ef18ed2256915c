//! What is known of a library, and which language its calls are written in.

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
}
