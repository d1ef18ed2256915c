//! Constants: their values, and code that pushes them.

use dodona_subject::wasmparser::{Operator, ValType};
use wasm_encoder::{Ieee32, Ieee64, Instruction as I};

use crate::Step;

/// A constant number; floats by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Constant {
    I32(i32),
    I64(i64),
    F32(u32),
    F64(u64),
}

impl Constant {
    /// The constant that an instruction pushes.
    pub(crate) fn of(operator: &Operator<'_>) -> Option<Constant> {
        Some(match operator {
            Operator::I32Const { value } => Constant::I32(*value),
            Operator::I64Const { value } => Constant::I64(*value),
            Operator::F32Const { value } => Constant::F32(value.bits()),
            Operator::F64Const { value } => Constant::F64(value.bits()),
            _ => return None,
        })
    }

    /// A small whole number of a type; `None` where the type is no number.
    pub(crate) fn small(ty: ValType, value: i8) -> Option<Constant> {
        Some(match ty {
            ValType::I32 => Constant::I32(value.into()),
            ValType::I64 => Constant::I64(value.into()),
            ValType::F32 => Constant::F32(f32::from(value).to_bits()),
            ValType::F64 => Constant::F64(f64::from(value).to_bits()),
            _ => return None,
        })
    }

    /// Its type.
    pub(crate) fn ty(self) -> ValType {
        match self {
            Constant::I32(_) => ValType::I32,
            Constant::I64(_) => ValType::I64,
            Constant::F32(_) => ValType::F32,
            Constant::F64(_) => ValType::F64,
        }
    }

    /// It and a small whole number, added; integers wrap.
    pub(crate) fn plus(self, delta: i8) -> Constant {
        match self {
            Constant::I32(value) => Constant::I32(value.wrapping_add(delta.into())),
            Constant::I64(value) => Constant::I64(value.wrapping_add(delta.into())),
            Constant::F32(bits) => Constant::F32((f32::from_bits(bits) + f32::from(delta)).to_bits()),
            Constant::F64(bits) => Constant::F64((f64::from_bits(bits) + f64::from(delta)).to_bits()),
        }
    }

    /// Its negative; integers wrap.
    pub(crate) fn negated(self) -> Constant {
        match self {
            Constant::I32(value) => Constant::I32(value.wrapping_neg()),
            Constant::I64(value) => Constant::I64(value.wrapping_neg()),
            Constant::F32(bits) => Constant::F32((-f32::from_bits(bits)).to_bits()),
            Constant::F64(bits) => Constant::F64((-f64::from_bits(bits)).to_bits()),
        }
    }

    /// The step that pushes it.
    pub(crate) fn step(self) -> Step {
        Step::Do(match self {
            Constant::I32(value) => I::I32Const(value),
            Constant::I64(value) => I::I64Const(value),
            Constant::F32(bits) => I::F32Const(Ieee32::new(bits)),
            Constant::F64(bits) => I::F64Const(Ieee64::new(bits)),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn one_up_and_one_down_is_the_same_integer(value: i32, wide: i64) {
            prop_assert_eq!(Constant::I32(value).plus(1).plus(-1), Constant::I32(value));
            prop_assert_eq!(Constant::I64(wide).plus(1).plus(-1), Constant::I64(wide));
        }

        #[test]
        fn a_double_negative_is_the_same_constant(value: i32, wide: i64, single: u32, double: u64) {
            // The sign of a float flips in its bits alone, so this holds for NaNs too.
            for constant in [Constant::I32(value), Constant::I64(wide), Constant::F32(single), Constant::F64(double)] {
                prop_assert_eq!(constant.negated().negated(), constant);
            }
        }
    }

    #[test]
    fn small_numbers_are_of_the_type_asked_for() {
        for ty in [ValType::I32, ValType::I64, ValType::F32, ValType::F64] {
            assert_eq!(Constant::small(ty, -1).map(Constant::ty), Some(ty));
        }
        assert_eq!(Constant::small(ValType::V128, 0), None);
        assert_eq!(Constant::small(ValType::F64, -1), Some(Constant::F64((-1.0f64).to_bits())));
    }
}
