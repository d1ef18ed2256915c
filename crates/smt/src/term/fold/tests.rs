use proptest::prelude::*;

use super::super::{Op, Sort};
use super::evaluate_op;

fn two(op: Op, sort: Sort, of: Sort, a: u128, b: u128) -> u128 {
    evaluate_op(op, sort, &[(of, a), (of, b)])
}

fn one(op: Op, sort: Sort, of: Sort, a: u128) -> u128 {
    evaluate_op(op, sort, &[(of, a)])
}

proptest! {
    #[test]
    fn arithmetic_of_32_bits_is_that_of_u32(a: u32, b: u32) {
        let w = Sort::Bits(32);
        let op = |op| two(op, w, w, a.into(), b.into()) as u32;
        prop_assert_eq!(op(Op::Add), a.wrapping_add(b));
        prop_assert_eq!(op(Op::Sub), a.wrapping_sub(b));
        prop_assert_eq!(op(Op::Mul), a.wrapping_mul(b));
        prop_assert_eq!(op(Op::UnsignedDivide), a.checked_div(b).unwrap_or(u32::MAX));
        prop_assert_eq!(op(Op::UnsignedRemainder), a.checked_rem(b).unwrap_or(a));
        prop_assert_eq!(op(Op::ShiftLeft), a.checked_shl(b).unwrap_or(0));
        prop_assert_eq!(op(Op::ShiftRight), a.checked_shr(b).unwrap_or(0));
        prop_assert_eq!(two(Op::SignedLess, Sort::Bool, w, a.into(), b.into()) == 1, (a as i32) < b as i32);
    }

    #[test]
    fn signed_arithmetic_of_64_bits_is_that_of_i64(a: i64, b: i64, by in 0u32..80) {
        let w = Sort::Bits(64);
        let op = |op, b: i64| two(op, w, w, a as u64 as u128, b as u64 as u128) as i64;
        if b != 0 {
            prop_assert_eq!(op(Op::SignedDivide, b), a.wrapping_div(b));
            prop_assert_eq!(op(Op::SignedRemainder, b), a.wrapping_rem(b));
        }
        prop_assert_eq!(op(Op::SignedDivide, 0), if a < 0 { 1 } else { -1 });
        prop_assert_eq!(op(Op::SignedRemainder, 0), a);
        prop_assert_eq!(op(Op::ShiftRightSigned, by.into()), a.checked_shr(by).unwrap_or(a >> 63));
    }

    #[test]
    fn bits_are_counted_within_the_width(a: u16) {
        let w = Sort::Bits(16);
        prop_assert_eq!(one(Op::CountLeadingZeros, w, w, a.into()), a.leading_zeros().into());
        prop_assert_eq!(one(Op::CountTrailingZeros, w, w, a.into()), a.trailing_zeros().into());
        prop_assert_eq!(one(Op::CountOnes, w, w, a.into()), a.count_ones().into());
        prop_assert_eq!(one(Op::SignExtend, Sort::Bits(64), w, a.into()) as u64, a as i16 as i64 as u64);
        prop_assert_eq!(evaluate_op(Op::Concat, Sort::Bits(24), &[(Sort::Bits(8), 0xab), (w, a.into())]),
            0xab_0000 | u128::from(a));
    }

    #[test]
    fn floats_to_bits_saturate_as_casts_do(bits: u64) {
        let x = f64::from_bits(bits);
        prop_assert_eq!(one(Op::ToSigned, Sort::Bits(32), Sort::F64, bits.into()) as u32, x as i32 as u32);
        prop_assert_eq!(one(Op::ToUnsigned, Sort::Bits(64), Sort::F64, bits.into()) as u64, x as u64);
    }
}

const NAN32: u128 = 0x7fc0_0000;
const NAN64: u128 = 0x7ff8_0000_0000_0000;

#[test]
fn nan_out_of_arithmetic_is_canonical() {
    let odd = u128::from(0xfff0_0000_0000_1234_u64);
    let ops = [Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatDivide, Op::FloatMin, Op::FloatMax];
    for op in ops {
        assert_eq!(two(op, Sort::F64, Sort::F64, odd, 1.0f64.to_bits().into()), NAN64, "{op:?}");
        assert_eq!(two(op, Sort::F32, Sort::F32, 1.0f32.to_bits().into(), 0xff80_0001), NAN32, "{op:?}");
    }
    for op in [Op::FloatSqrt, Op::FloatCeil, Op::FloatFloor, Op::FloatTrunc, Op::FloatNearest] {
        assert_eq!(one(op, Sort::F64, Sort::F64, odd), NAN64, "{op:?}");
    }
    assert_eq!(one(Op::FloatConvert, Sort::F32, Sort::F64, odd), NAN32);
    assert_eq!(one(Op::FloatConvert, Sort::F64, Sort::F32, 0xff80_0001), NAN64);
    assert_eq!(one(Op::FloatSqrt, Sort::F64, Sort::F64, (-1.0f64).to_bits().into()), NAN64);
}

#[test]
fn what_only_moves_bits_keeps_the_payload() {
    let odd = 0xff80_0001;
    let (f, b) = (Sort::F32, Sort::Bits(32));
    assert_eq!(one(Op::FromBits, f, b, odd), odd);
    assert_eq!(one(Op::ToBits, b, f, odd), odd);
    assert_eq!(one(Op::FloatAbs, f, f, odd), 0x7f80_0001);
    assert_eq!(one(Op::FloatNegate, f, f, odd), 0x7f80_0001);
    assert_eq!(two(Op::FloatCopySign, f, f, odd, 0), 0x7f80_0001);
    assert_eq!(evaluate_op(Op::Ite, f, &[(Sort::Bool, 1), (f, odd), (f, 0)]), odd);
}

#[test]
fn zeros_of_either_sign_are_ordered_in_min_and_max_only() {
    let (plus, minus) = (0.0f64.to_bits().into(), (-0.0f64).to_bits().into());
    let of = |op, a, b| two(op, Sort::F64, Sort::F64, a, b);
    assert_eq!((of(Op::FloatMin, plus, minus), of(Op::FloatMin, minus, plus)), (minus, minus));
    assert_eq!((of(Op::FloatMax, plus, minus), of(Op::FloatMax, minus, plus)), (plus, plus));
    assert_eq!(of(Op::FloatMin, minus, minus), minus);
    assert_eq!((of(Op::FloatEqual, plus, minus), of(Op::FloatLess, minus, plus)), (1, 0));
}

#[test]
fn floats_round_to_even_and_saturate() {
    let nearest =
        |x: f64| f64::from_bits(one(Op::FloatNearest, Sort::F64, Sort::F64, x.to_bits().into()) as u64);
    assert_eq!((nearest(2.5), nearest(3.5), nearest(-0.5).to_bits()), (2.0, 4.0, (-0.0f64).to_bits()));
    let from = |value| f32::from_bits(one(Op::FromUnsigned, Sort::F32, Sort::Bits(64), value) as u32);
    assert_eq!((from(16_777_217), from(16_777_219)), (16_777_216.0, 16_777_220.0));
    let byte = |x: f32, op| one(op, Sort::Bits(8), Sort::F32, x.to_bits().into());
    assert_eq!((byte(-1e9, Op::ToSigned), byte(300.0, Op::ToSigned)), (0x80, 0x7f));
    assert_eq!((byte(-1.0, Op::ToUnsigned), byte(300.0, Op::ToUnsigned)), (0, 255));
    assert_eq!(byte(f32::NAN, Op::ToSigned), 0);
}
