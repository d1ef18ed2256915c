//! Where a value may have its address from.

use std::ops::BitOr;

/// A set of origins. A value without any is a plain number, a constant address, or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Origins(u8);

impl Origins {
    /// A plain number or an unknown address.
    pub(super) const NONE: Origins = Origins(0);
    /// The stack pointer.
    pub(super) const FRAME: Origins = Origins(1);
    /// A pointer argument of the call under test.
    pub(super) const ARGUMENT: Origins = Origins(2);

    pub(super) fn is_none(self) -> bool {
        self == Origins::NONE
    }
}

impl BitOr for Origins {
    type Output = Origins;

    fn bitor(self, other: Origins) -> Origins {
        Origins(self.0 | other.0)
    }
}
