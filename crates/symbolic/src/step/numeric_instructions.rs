//! Steps numeric instructions on terms.

use dodona_smt::term::{Op, Sort, Term};
use dodona_target::Trap;

use super::{Alternative, Machine, Pause, Then};
use crate::code::Numeric;
use crate::end::End;
use crate::state::State;

impl Machine {
    /// Steps a numeric instruction: its result takes the place of its operands.
    pub(super) fn numeric(&mut self, state: &mut State, numeric: Numeric) -> Option<Pause> {
        match numeric {
            Numeric::Divide(op) => {
                if let Some(pause) = self.division(state, op) {
                    return Some(pause);
                }
            }
            Numeric::Truncate(op, width) => {
                if let Some(pause) = self.truncation(state, op, width) {
                    return Some(pause);
                }
            }
            _ => {}
        }
        let result = match numeric {
            Numeric::EqualZero
            | Numeric::Unary(_)
            | Numeric::Convert(..)
            | Numeric::ExtendLow(_)
            | Numeric::Truncate(..) => {
                let a = state.pop();
                self.unary(numeric, a)
            }
            _ => {
                let (b, a) = (state.pop(), state.pop());
                self.binary(numeric, a, b)
            }
        };
        state.push(result);
        None
    }

    fn unary(&mut self, numeric: Numeric, a: Term) -> Term {
        let terms = &mut self.terms;
        match numeric {
            Numeric::EqualZero => {
                let is_zero = terms.equal(a, Term::Constant(a.sort(), 0));
                self.flag(is_zero)
            }
            Numeric::Unary(op) => terms.apply(op, a.sort(), &[a]),
            Numeric::Convert(op, to) => terms.apply(op, to, &[a]),
            Numeric::ExtendLow(bits) => {
                let low = terms.extract(a, 0, bits);
                terms.sign_extend(low, a.sort().width())
            }
            Numeric::Truncate(op, width) => terms.apply(op, Sort::Bits(width), &[a]),
            other => unreachable!("{other:?} has two operands"),
        }
    }

    fn binary(&mut self, numeric: Numeric, a: Term, b: Term) -> Term {
        let terms = &mut self.terms;
        match numeric {
            Numeric::Binary(op) | Numeric::Divide(op) => terms.binary(op, a, b),
            Numeric::Shift(op) => {
                let count = self.modulo_width(b);
                self.terms.binary(op, a, count)
            }
            Numeric::RotateLeft => self.rotate(a, b, Op::ShiftLeft, Op::ShiftRight),
            Numeric::RotateRight => self.rotate(a, b, Op::ShiftRight, Op::ShiftLeft),
            Numeric::Compare(op) => {
                let holds = terms.compare(op, a, b);
                self.flag(holds)
            }
            Numeric::Swapped(op) => {
                let holds = terms.compare(op, b, a);
                self.flag(holds)
            }
            Numeric::Not(op) => {
                let holds = terms.compare(op, a, b);
                let fails = terms.not(holds);
                self.flag(fails)
            }
            other => unreachable!("{other:?} has one operand"),
        }
    }

    /// A truth value as an i32.
    fn flag(&mut self, holds: Term) -> Term {
        self.terms.ite(holds, Term::bits(32, 1), Term::bits(32, 0))
    }

    fn modulo_width(&mut self, count: Term) -> Term {
        let width = count.sort().width();
        self.terms.binary(Op::BitAnd, count, Term::bits(width, u128::from(width) - 1))
    }

    fn rotate(&mut self, a: Term, count: Term, there: Op, back: Op) -> Term {
        let width = a.sort().width();
        let count = self.modulo_width(count);
        let negated = self.terms.binary(Op::Sub, Term::bits(width, 0), count);
        let rest = self.modulo_width(negated);
        let there = self.terms.binary(there, a, count);
        let back = self.terms.binary(back, a, rest);
        // A rotation by nothing shifts nothing either way, and `x | x` is `x`.
        self.terms.binary(Op::BitOr, there, back)
    }

    /// The traps of a division that are left to exclude.
    fn division(&mut self, state: &mut State, op: Op) -> Option<Pause> {
        let (divisor, dividend) = (state.peek(0), state.peek(1));
        let width = divisor.sort().width();
        if state.excluded == 0 {
            let is_zero = self.terms.equal(divisor, Term::bits(width, 0));
            if let Some(pause) = self.guard(state, is_zero, Trap::DivisionByZero) {
                return Some(pause);
            }
        }
        if state.excluded == 1 && op == Op::SignedDivide {
            let least = self.terms.equal(dividend, Term::bits(width, 1 << (width - 1)));
            let minus_one = self.terms.equal(divisor, Term::bits(width, u128::MAX));
            let overflows = self.terms.and(least, minus_one);
            return self.guard(state, overflows, Trap::IntegerOverflow);
        }
        None
    }

    /// The traps of a truncation that are left to exclude.
    fn truncation(&mut self, state: &mut State, op: Op, width: u8) -> Option<Pause> {
        let a = state.peek(0);
        if state.excluded == 0 {
            let is_number = self.terms.compare(Op::FloatEqual, a, a);
            let is_nan = self.terms.not(is_number);
            if let Some(pause) = self.guard(state, is_nan, Trap::BadConversion) {
                return Some(pause);
            }
        }
        if state.excluded == 1 {
            let fits = self.fits(a, op, width);
            let overflows = self.terms.not(fits);
            return self.guard(state, overflows, Trap::IntegerOverflow);
        }
        None
    }

    /// Whether a float that is not NaN truncates to an integer of a width.
    fn fits(&mut self, a: Term, op: Op, width: u8) -> Term {
        let signed = op == Op::ToSigned;
        let sort = a.sort();
        let power = |exponent: u8| float(sort, 2f64.powi(exponent.into()));
        let (below, above) = match signed {
            true => (float(sort, -2f64.powi(i32::from(width) - 1)), power(width - 1)),
            false => (float(sort, -1.0), power(width)),
        };
        // -2^31 - 1 is a binary64: there the least float that overflows is above -2^31 - 1; elsewhere -2^n itself fits and
        // the next float below it does not.
        let low = match (signed, sort, width) {
            (true, Sort::F64, 32) => self.terms.compare(Op::FloatLess, float(sort, -2_147_483_649.0), a),
            (true, ..) => self.terms.compare(Op::FloatLessEqual, below, a),
            (false, ..) => self.terms.compare(Op::FloatLess, below, a),
        };
        let high = self.terms.compare(Op::FloatLess, a, above);
        self.terms.and(low, high)
    }

    /// Traps where a condition holds; otherwise one more trap is excluded.
    pub(super) fn guard(&mut self, state: &mut State, condition: Term, trap: Trap) -> Option<Pause> {
        match condition.constant() {
            Some(0) => {
                state.excluded += 1;
                None
            }
            Some(_) => Some(Pause::Ended(End::Trapped(trap))),
            None => {
                let fine = self.terms.not(condition);
                Some(Pause::Choose(vec![
                    Alternative { constraint: condition, then: Then::Trap(trap) },
                    Alternative { constraint: fine, then: Then::Exclude },
                ]))
            }
        }
    }
}

/// A float constant of a sort.
fn float(sort: Sort, value: f64) -> Term {
    match sort {
        Sort::F32 => Term::Constant(sort, u128::from((value as f32).to_bits())),
        _ => Term::Constant(sort, u128::from(value.to_bits())),
    }
}
