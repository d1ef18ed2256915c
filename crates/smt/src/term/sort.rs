//! Sorts of terms.

/// What values a term can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A truth value: 0 or 1.
    Bool,
    /// A bit vector of 1 to 128 bits.
    Bits(u8),
    /// An IEEE 754 binary32.
    F32,
    /// An IEEE 754 binary64.
    F64,
}

impl Sort {
    /// Bits of a value: 1 for a truth value.
    pub fn width(self) -> u8 {
        match self {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
            Sort::F32 => 32,
            Sort::F64 => 64,
        }
    }

    /// The value whose bits are all set.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - u32::from(self.width()))
    }

    /// Whether it is one of the two float sorts.
    pub fn is_float(self) -> bool {
        matches!(self, Sort::F32 | Sort::F64)
    }
}
