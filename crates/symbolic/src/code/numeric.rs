//! Numeric instructions: what they pop, compute and push.

use dodona_subject::wasmparser::Operator;

use dodona_smt::term::{Op, Sort};

/// A numeric instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numeric {
    /// Two of a sort to one of it.
    Binary(Op),
    /// The second operand counts modulo the width.
    Shift(Op),
    /// The second operand counts modulo the width.
    RotateLeft,
    /// The second operand counts modulo the width.
    RotateRight,
    /// Traps for a divisor of zero; a signed quotient also for MIN / -1.
    Divide(Op),
    /// A comparison: 0 or 1.
    Compare(Op),
    /// A comparison of the operands the other way round.
    Swapped(Op),
    /// The contrary of a comparison.
    Not(Op),
    EqualZero,
    /// One of a sort to one of it.
    Unary(Op),
    /// One to one of another sort.
    Convert(Op, Sort),
    /// The low bits, their sign extended.
    ExtendLow(u8),
    /// A float to bits of a width, trapping where it does not fit.
    Truncate(Op, u8),
}

const B32: Sort = Sort::Bits(32);
const B64: Sort = Sort::Bits(64);

impl Numeric {
    /// The numeric instruction that an operator is.
    pub(crate) fn of(operator: &Operator<'_>) -> Option<Numeric> {
        integer(operator).or_else(|| float(operator)).or_else(|| conversion(operator))
    }
}

fn integer(operator: &Operator<'_>) -> Option<Numeric> {
    use Numeric as N;
    use Operator as O;
    Some(match operator {
        O::I32Eqz | O::I64Eqz => N::EqualZero,
        O::I32Eq | O::I64Eq => N::Compare(Op::Equal),
        O::I32Ne | O::I64Ne => N::Not(Op::Equal),
        O::I32LtS | O::I64LtS => N::Compare(Op::SignedLess),
        O::I32LtU | O::I64LtU => N::Compare(Op::UnsignedLess),
        O::I32GtS | O::I64GtS => N::Swapped(Op::SignedLess),
        O::I32GtU | O::I64GtU => N::Swapped(Op::UnsignedLess),
        O::I32LeS | O::I64LeS => N::Compare(Op::SignedLessEqual),
        O::I32LeU | O::I64LeU => N::Compare(Op::UnsignedLessEqual),
        O::I32GeS | O::I64GeS => N::Swapped(Op::SignedLessEqual),
        O::I32GeU | O::I64GeU => N::Swapped(Op::UnsignedLessEqual),
        O::I32Clz | O::I64Clz => N::Unary(Op::CountLeadingZeros),
        O::I32Ctz | O::I64Ctz => N::Unary(Op::CountTrailingZeros),
        O::I32Popcnt | O::I64Popcnt => N::Unary(Op::CountOnes),
        O::I32Add | O::I64Add => N::Binary(Op::Add),
        O::I32Sub | O::I64Sub => N::Binary(Op::Sub),
        O::I32Mul | O::I64Mul => N::Binary(Op::Mul),
        O::I32DivS | O::I64DivS => N::Divide(Op::SignedDivide),
        O::I32DivU | O::I64DivU => N::Divide(Op::UnsignedDivide),
        O::I32RemS | O::I64RemS => N::Divide(Op::SignedRemainder),
        O::I32RemU | O::I64RemU => N::Divide(Op::UnsignedRemainder),
        O::I32And | O::I64And => N::Binary(Op::BitAnd),
        O::I32Or | O::I64Or => N::Binary(Op::BitOr),
        O::I32Xor | O::I64Xor => N::Binary(Op::BitXor),
        O::I32Shl | O::I64Shl => N::Shift(Op::ShiftLeft),
        O::I32ShrS | O::I64ShrS => N::Shift(Op::ShiftRightSigned),
        O::I32ShrU | O::I64ShrU => N::Shift(Op::ShiftRight),
        O::I32Rotl | O::I64Rotl => N::RotateLeft,
        O::I32Rotr | O::I64Rotr => N::RotateRight,
        O::I32Extend8S | O::I64Extend8S => N::ExtendLow(8),
        O::I32Extend16S | O::I64Extend16S => N::ExtendLow(16),
        O::I64Extend32S => N::ExtendLow(32),
        _ => return None,
    })
}

fn float(operator: &Operator<'_>) -> Option<Numeric> {
    use Numeric as N;
    use Operator as O;
    Some(match operator {
        O::F32Eq | O::F64Eq => N::Compare(Op::FloatEqual),
        O::F32Ne | O::F64Ne => N::Not(Op::FloatEqual),
        O::F32Lt | O::F64Lt => N::Compare(Op::FloatLess),
        O::F32Gt | O::F64Gt => N::Swapped(Op::FloatLess),
        O::F32Le | O::F64Le => N::Compare(Op::FloatLessEqual),
        O::F32Ge | O::F64Ge => N::Swapped(Op::FloatLessEqual),
        O::F32Abs | O::F64Abs => N::Unary(Op::FloatAbs),
        O::F32Neg | O::F64Neg => N::Unary(Op::FloatNegate),
        O::F32Ceil | O::F64Ceil => N::Unary(Op::FloatCeil),
        O::F32Floor | O::F64Floor => N::Unary(Op::FloatFloor),
        O::F32Trunc | O::F64Trunc => N::Unary(Op::FloatTrunc),
        O::F32Nearest | O::F64Nearest => N::Unary(Op::FloatNearest),
        O::F32Sqrt | O::F64Sqrt => N::Unary(Op::FloatSqrt),
        O::F32Add | O::F64Add => N::Binary(Op::FloatAdd),
        O::F32Sub | O::F64Sub => N::Binary(Op::FloatSub),
        O::F32Mul | O::F64Mul => N::Binary(Op::FloatMul),
        O::F32Div | O::F64Div => N::Binary(Op::FloatDivide),
        O::F32Min | O::F64Min => N::Binary(Op::FloatMin),
        O::F32Max | O::F64Max => N::Binary(Op::FloatMax),
        O::F32Copysign | O::F64Copysign => N::Binary(Op::FloatCopySign),
        _ => return None,
    })
}

fn conversion(operator: &Operator<'_>) -> Option<Numeric> {
    use Numeric as N;
    use Operator as O;
    Some(match operator {
        O::I32WrapI64 => N::Convert(Op::Extract { low: 0 }, B32),
        O::I64ExtendI32S => N::Convert(Op::SignExtend, B64),
        O::I64ExtendI32U => N::Convert(Op::ZeroExtend, B64),
        O::I32TruncF32S | O::I32TruncF64S => N::Truncate(Op::ToSigned, 32),
        O::I32TruncF32U | O::I32TruncF64U => N::Truncate(Op::ToUnsigned, 32),
        O::I64TruncF32S | O::I64TruncF64S => N::Truncate(Op::ToSigned, 64),
        O::I64TruncF32U | O::I64TruncF64U => N::Truncate(Op::ToUnsigned, 64),
        O::I32TruncSatF32S | O::I32TruncSatF64S => N::Convert(Op::ToSigned, B32),
        O::I32TruncSatF32U | O::I32TruncSatF64U => N::Convert(Op::ToUnsigned, B32),
        O::I64TruncSatF32S | O::I64TruncSatF64S => N::Convert(Op::ToSigned, B64),
        O::I64TruncSatF32U | O::I64TruncSatF64U => N::Convert(Op::ToUnsigned, B64),
        O::F32ConvertI32S | O::F32ConvertI64S => N::Convert(Op::FromSigned, Sort::F32),
        O::F32ConvertI32U | O::F32ConvertI64U => N::Convert(Op::FromUnsigned, Sort::F32),
        O::F64ConvertI32S | O::F64ConvertI64S => N::Convert(Op::FromSigned, Sort::F64),
        O::F64ConvertI32U | O::F64ConvertI64U => N::Convert(Op::FromUnsigned, Sort::F64),
        O::F32DemoteF64 => N::Convert(Op::FloatConvert, Sort::F32),
        O::F64PromoteF32 => N::Convert(Op::FloatConvert, Sort::F64),
        O::I32ReinterpretF32 => N::Convert(Op::ToBits, B32),
        O::I64ReinterpretF64 => N::Convert(Op::ToBits, B64),
        O::F32ReinterpretI32 => N::Convert(Op::FromBits, Sort::F32),
        O::F64ReinterpretI64 => N::Convert(Op::FromBits, Sort::F64),
        _ => return None,
    })
}
