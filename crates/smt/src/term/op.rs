//! Operators of terms.

use super::{Sort, Term, Variable};

/// The operation of a node. Bit vectors behave as in SMT-LIB (a shift by the width or more gives zeros or signs, `x / 0` is all
/// ones, `x % 0` is `x`). Where WebAssembly differs or traps, the caller that builds the term takes care of it. Floats are
/// those of WebAssembly with canonical NaNs: each arithmetic result that is NaN has the bits 0x7fc0_0000 or
/// 0x7ff8_0000_0000_0000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A symbolic input (Bool or Bits); no operands.
    Variable(Variable),

    /// Bool.
    Not,
    /// Bool, Bool.
    And,
    /// Bool, Bool.
    Or,
    /// Two of one sort, Bool or Bits.
    Equal,
    /// Bool and two of one sort.
    Ite,

    /// Two of one width.
    Add,
    /// Two of one width.
    Sub,
    /// Two of one width.
    Mul,
    /// Unsigned quotient; all ones for a divisor of zero.
    UnsignedDivide,
    /// Signed quotient towards zero; for a divisor of zero 1 or -1 as SMT-LIB has it; MIN / -1 is MIN.
    SignedDivide,
    /// Unsigned remainder; the dividend for a divisor of zero.
    UnsignedRemainder,
    /// Remainder with the dividend's sign; the dividend for a divisor of zero.
    SignedRemainder,
    /// Two of one width.
    BitAnd,
    /// Two of one width.
    BitOr,
    /// Two of one width.
    BitXor,
    /// Two of one width; zeros come in.
    ShiftLeft,
    /// Two of one width; zeros come in.
    ShiftRight,
    /// Two of one width; the sign comes in.
    ShiftRightSigned,
    /// Unsigned less-than.
    UnsignedLess,
    /// Unsigned less-or-equal.
    UnsignedLessEqual,
    /// Signed less-than.
    SignedLess,
    /// Signed less-or-equal.
    SignedLessEqual,
    /// Bits from `low` up, as many as the result's width.
    Extract {
        /// The lowest bit taken.
        low: u8,
    },
    /// The first operand above the second.
    Concat,
    /// Zeros above, to the result's width.
    ZeroExtend,
    /// The sign above, to the result's width.
    SignExtend,
    /// The count of leading zeros, in the operand's width.
    CountLeadingZeros,
    /// The count of trailing zeros, in the operand's width.
    CountTrailingZeros,
    /// The count of ones, in the operand's width.
    CountOnes,

    /// Bits of the float's width as a float, payload of NaN included.
    FromBits,
    /// A float as bits.
    ToBits,
    /// Float addition (round to nearest even, as all of these).
    FloatAdd,
    /// Float subtraction.
    FloatSub,
    /// Float multiplication.
    FloatMul,
    /// Float division.
    FloatDivide,
    /// Square root.
    FloatSqrt,
    /// The lesser; NaN if one is; -0 is less than +0.
    FloatMin,
    /// The greater; NaN if one is; +0 is greater than -0.
    FloatMax,
    /// Sign bit cleared (of NaN too).
    FloatAbs,
    /// Sign bit flipped (of NaN too).
    FloatNegate,
    /// The float itself, but for NaN the canonical bits.
    FloatCanonical,
    /// The first operand with the sign bit of the second.
    FloatCopySign,
    /// Towards +inf to an integer.
    FloatCeil,
    /// Towards -inf to an integer.
    FloatFloor,
    /// Towards zero to an integer.
    FloatTrunc,
    /// To the nearest integer, halves to even.
    FloatNearest,
    /// IEEE equality.
    FloatEqual,
    /// IEEE less-than.
    FloatLess,
    /// IEEE less-or-equal.
    FloatLessEqual,
    /// F32 to F64 or back.
    FloatConvert,
    /// Signed bits to the nearest float.
    FromSigned,
    /// Unsigned bits to the nearest float.
    FromUnsigned,
    /// Towards zero to signed bits, saturating; NaN is 0.
    ToSigned,
    /// Towards zero to unsigned bits, saturating; NaN is 0.
    ToUnsigned,
}

impl Op {
    /// Whether the operands may change places.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or
                | Equal
                | Add
                | Mul
                | BitAnd
                | BitOr
                | BitXor
                | FloatAdd
                | FloatMul
                | FloatMin
                | FloatMax
                | FloatEqual
        )
    }

    /// Whether it takes these operands and gives the sort.
    pub(super) fn takes(self, sort: Sort, operands: &[Term]) -> bool {
        match *operands {
            [a] => self.takes_one(sort, a.sort()),
            [a, b] => self.takes_two(sort, a.sort(), b.sort()),
            [c, a, b] => self == Op::Ite && c.sort() == Sort::Bool && a.sort() == sort && b.sort() == sort,
            _ => false,
        }
    }

    fn takes_one(self, sort: Sort, a: Sort) -> bool {
        use Op::*;
        match (self, a, sort) {
            (Not, Sort::Bool, Sort::Bool) => true,
            (Extract { low }, Sort::Bits(from), Sort::Bits(to)) => {
                to > 0 && u32::from(low) + u32::from(to) <= u32::from(from)
            }
            (ZeroExtend | SignExtend, Sort::Bits(from), Sort::Bits(to)) => from <= to && to <= 128,
            (CountLeadingZeros | CountTrailingZeros | CountOnes, Sort::Bits(from), Sort::Bits(to)) => {
                from == to
            }
            (FromBits, Sort::Bits(_), _) => sort.is_float() && a.width() == sort.width(),
            (ToBits, _, Sort::Bits(_)) => a.is_float() && a.width() == sort.width(),
            (FromSigned | FromUnsigned, Sort::Bits(_), _) => sort.is_float(),
            (ToSigned | ToUnsigned, _, Sort::Bits(_)) => a.is_float(),
            (FloatConvert, _, _) => a.is_float() && sort.is_float() && a != sort,
            (
                FloatSqrt | FloatAbs | FloatNegate | FloatCanonical | FloatCeil | FloatFloor | FloatTrunc
                | FloatNearest,
                _,
                _,
            ) => a.is_float() && a == sort,
            _ => false,
        }
    }

    fn takes_two(self, sort: Sort, a: Sort, b: Sort) -> bool {
        use Op::*;
        let is_bits = matches!(a, Sort::Bits(_)) && a == b;
        match self {
            And | Or => (a, b, sort) == (Sort::Bool, Sort::Bool, Sort::Bool),
            Equal => a == b && !a.is_float() && sort == Sort::Bool,
            Add | Sub | Mul | UnsignedDivide | SignedDivide | UnsignedRemainder | SignedRemainder
            | BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight | ShiftRightSigned => is_bits && a == sort,
            UnsignedLess | UnsignedLessEqual | SignedLess | SignedLessEqual => is_bits && sort == Sort::Bool,
            Concat => match (a, b, sort) {
                (Sort::Bits(a), Sort::Bits(b), Sort::Bits(c)) => a + b == c && c <= 128,
                _ => false,
            },
            FloatAdd | FloatSub | FloatMul | FloatDivide | FloatMin | FloatMax | FloatCopySign => {
                a.is_float() && a == b && a == sort
            }
            FloatEqual | FloatLess | FloatLessEqual => a.is_float() && a == b && sort == Sort::Bool,
            _ => false,
        }
    }
}
