//! Operators of terms.

use super::Variable;

/// What a node computes. Bit vectors behave as in SMT-LIB (a shift by the width or more gives zeros or signs, `x / 0` is all
/// ones, `x % 0` is `x`): where WebAssembly differs or traps, whoever builds the term says so. Floats are those of
/// WebAssembly with canonical NaNs: each arithmetic result that is NaN has the bits 0x7fc0_0000 or 0x7ff8_0000_0000_0000.
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
