//! How sums, quotients, parts of bit vectors and extended ones are written for people.

use super::super::fold::signed;
use super::super::{Op, Sort, Term};
use super::{Binding, Renderer, Text, called, constant};

impl Renderer<'_> {
    pub(super) fn sum(&mut self, a: Term, b: Term) -> Text {
        if let Term::Constant(Sort::Bits(width), value) = b
            && signed(width, value) < 0
        {
            let (a, c) = (self.at(a, Binding::Sum), signed(width, value).unsigned_abs());
            return Text { text: format!("{a} - {c}"), binding: Binding::Sum };
        }
        self.infix(a, "+", b, Binding::Sum)
    }

    pub(super) fn difference(&mut self, a: Term, b: Term) -> Text {
        if a.constant() == Some(0) {
            let b = self.at(b, Binding::Sign);
            return Text { text: format!("-{b}"), binding: Binding::Sign };
        }
        self.infix(a, "-", b, Binding::Sum)
    }

    pub(super) fn exclusive_or(&mut self, a: Term, b: Term) -> Text {
        if b.constant() == Some(b.sort().mask()) {
            let a = self.at(a, Binding::Sign);
            return Text { text: format!("~{a}"), binding: Binding::Sign };
        }
        self.infix(a, "^", b, Binding::BitXor)
    }

    pub(super) fn unsigned_quotient(&mut self, op: Op, a: Term, b: Term) -> Text {
        let sign = if op == Op::UnsignedDivide { "/" } else { "%" };
        if constant::is_unsigned(self.terms, a) {
            return self.infix(a, sign, b, Binding::Product);
        }
        let a = self.free(a);
        let b = match b.constant() {
            Some(value) => value.to_string(),
            None => format!("unsigned({})", self.free(b)),
        };
        Text { text: format!("unsigned({a}) {sign} {b}"), binding: Binding::Product }
    }

    pub(super) fn extract(&mut self, x: Term, low: u8, width: u8) -> Text {
        let mask = format!("{:#x}", Sort::Bits(width).mask());
        if low == 0 {
            let x = self.at(x, Binding::Shift);
            return Text { text: format!("{x} & {mask}"), binding: Binding::BitAnd };
        }
        let x = self.at(x, Binding::Sum);
        Text { text: format!("{x} >> {low} & {mask}"), binding: Binding::BitAnd }
    }

    /// The high part, with its sign, is a shift; the low part is read as an unsigned number.
    pub(super) fn sign_extend(&mut self, a: Term, width: u8) -> Text {
        match self.terms.as_extract(a) {
            Some((x, low))
                if low > 0 && low + a.sort().width() == x.sort().width() && width == x.sort().width() =>
            {
                let x = self.at(x, Binding::Sum);
                Text { text: format!("{x} >> {low}"), binding: Binding::Shift }
            }
            Some((x, 0)) => {
                let x = self.free(x);
                called(&format!("i{}", a.sort().width()), &[&x])
            }
            _ => self.term(a),
        }
    }

    /// If the low bits are zeros, it is a multiplication; other low bits are written with `|`.
    pub(super) fn concat(&mut self, high: Term, low: Term) -> Text {
        let by = low.sort().width();
        let zeros = low.constant() == Some(0);
        let shifted = match self.terms.as_extract(high) {
            Some((x, 0)) if zeros && x.sort().width() == high.sort().width() + by => x,
            _ => high,
        };
        if zeros && by <= 10 {
            let x = self.at(shifted, Binding::Product);
            return Text { text: format!("{x} * {}", 1u32 << by), binding: Binding::Product };
        }
        let x = match high {
            Term::Constant(..) => constant::mask(high),
            _ => self.at(shifted, Binding::Sum),
        };
        if zeros {
            return Text { text: format!("{x} << {by}"), binding: Binding::Shift };
        }
        let low = match low {
            Term::Constant(..) => constant::mask(low),
            _ => self.at(low, Binding::BitXor),
        };
        Text { text: format!("{x} << {by} | {low}"), binding: Binding::BitOr }
    }
}
