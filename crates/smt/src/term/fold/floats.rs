//! Floats as WebAssembly has them, with canonical NaNs out of arithmetic.

use super::{Op, Sort, signed};

/// A float of either width, with its operators.
trait Float: Copy + PartialOrd {
    const NAN_BITS: u128;
    const SIGN: u128;
    fn of(bits: u128) -> Self;
    fn bits(self) -> u128;
    fn is_nan(self) -> bool;
    fn arithmetic(op: Op, a: Self, b: Self) -> Self;
    fn round(op: Op, a: Self) -> Self;
    fn to_signed(self) -> i128;
    fn to_unsigned(self) -> u128;
}

macro_rules! float {
    ($float:ty, $bits:ty, $nan:expr) => {
        impl Float for $float {
            const NAN_BITS: u128 = $nan;
            const SIGN: u128 = 1 << (<$bits>::BITS - 1);
            fn of(bits: u128) -> Self {
                <$float>::from_bits(bits as $bits)
            }
            fn bits(self) -> u128 {
                self.to_bits().into()
            }
            fn is_nan(self) -> bool {
                self.is_nan()
            }
            fn arithmetic(op: Op, a: Self, b: Self) -> Self {
                match op {
                    Op::FloatAdd => a + b,
                    Op::FloatSub => a - b,
                    Op::FloatMul => a * b,
                    Op::FloatDivide => a / b,
                    _ => unreachable!("{op:?} does not take two floats"),
                }
            }
            fn round(op: Op, a: Self) -> Self {
                match op {
                    Op::FloatCanonical => a,
                    Op::FloatSqrt => a.sqrt(),
                    Op::FloatCeil => a.ceil(),
                    Op::FloatFloor => a.floor(),
                    Op::FloatTrunc => a.trunc(),
                    Op::FloatNearest => a.round_ties_even(),
                    _ => unreachable!("{op:?} does not take one float"),
                }
            }
            fn to_signed(self) -> i128 {
                self as i128
            }
            fn to_unsigned(self) -> u128 {
                self as u128
            }
        }
    };
}
float!(f32, u32, 0x7fc0_0000);
float!(f64, u64, 0x7ff8_0000_0000_0000);

#[inline]
pub(super) fn unary(op: Op, of: Sort, sort: Sort, a: u128) -> u128 {
    match (op, of) {
        (Op::FromBits | Op::ToBits, _) => a,
        (Op::FromSigned, _) => from_signed(sort, signed(of.width(), a)),
        (Op::FromUnsigned, _) => from_unsigned(sort, a),
        (Op::FloatConvert, Sort::F32) => canonical(f64::from(f32::of(a))),
        (Op::FloatConvert, _) => canonical(f64::of(a) as f32),
        (_, Sort::F32) => unary_of::<f32>(op, sort, a),
        _ => unary_of::<f64>(op, sort, a),
    }
}

#[inline]
pub(super) fn binary(op: Op, of: Sort, a: u128, b: u128) -> u128 {
    match of {
        Sort::F32 => binary_of::<f32>(op, a, b),
        _ => binary_of::<f64>(op, a, b),
    }
}

fn from_signed(sort: Sort, value: i128) -> u128 {
    match sort {
        Sort::F32 => (value as f32).bits(),
        _ => (value as f64).bits(),
    }
}

fn from_unsigned(sort: Sort, value: u128) -> u128 {
    match sort {
        Sort::F32 => (value as f32).bits(),
        _ => (value as f64).bits(),
    }
}

fn canonical<F: Float>(value: F) -> u128 {
    if value.is_nan() { F::NAN_BITS } else { value.bits() }
}

#[inline]
fn unary_of<F: Float>(op: Op, sort: Sort, a: u128) -> u128 {
    match op {
        Op::FloatAbs => a & !F::SIGN,
        Op::FloatNegate => a ^ F::SIGN,
        Op::ToSigned => {
            let most = (sort.mask() >> 1) as i128;
            F::of(a).to_signed().clamp(-most - 1, most) as u128 & sort.mask()
        }
        Op::ToUnsigned => F::of(a).to_unsigned().min(sort.mask()),
        _ => canonical(F::round(op, F::of(a))),
    }
}

#[inline]
fn binary_of<F: Float>(op: Op, a: u128, b: u128) -> u128 {
    let (x, y) = (F::of(a), F::of(b));
    match op {
        Op::FloatEqual => u128::from(x == y),
        Op::FloatLess => u128::from(x < y),
        Op::FloatLessEqual => u128::from(x <= y),
        Op::FloatCopySign => a & !F::SIGN | b & F::SIGN,
        Op::FloatMin | Op::FloatMax => extreme(op, x, y),
        _ => canonical(F::arithmetic(op, x, y)),
    }
}

/// The smaller or the greater float. Of two zeros the bits decide: -0 has the sign bit set.
fn extreme<F: Float>(op: Op, x: F, y: F) -> u128 {
    if x.is_nan() || y.is_nan() {
        return F::NAN_BITS;
    }
    match (x == y, op) {
        (true, Op::FloatMin) => x.bits() | y.bits(),
        (true, _) => x.bits() & y.bits(),
        (false, Op::FloatMin) => if x < y { x } else { y }.bits(),
        (false, _) => if x < y { y } else { x }.bits(),
    }
}
