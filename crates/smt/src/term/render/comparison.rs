//! Comparisons as text: with the roundest constants, and ranges written as ranges.

use super::super::fold::signed;
use super::super::{Op, Sort, Term};
use super::{Binding, Renderer, Text, atom, constant, constant_beside};

impl Renderer<'_> {
    pub(super) fn not(&mut self, a: Term) -> Text {
        for op in [Op::Equal, Op::FloatEqual] {
            if let Some((x, y)) = self.terms.as_two(a, op) {
                return self.equal(x, y, "!=");
            }
        }
        let a = self.at(a, Binding::Comparison);
        Text { text: format!("not {a}"), binding: Binding::Not }
    }

    pub(super) fn compared(&mut self, a: Term, b: Term, sign: &str) -> Text {
        let left = constant_beside(self, a, b).within(Binding::Shift);
        let right = constant_beside(self, b, a).within(Binding::Shift);
        Text { text: format!("{left} {sign} {right}"), binding: Binding::Comparison }
    }

    pub(super) fn equal(&mut self, a: Term, b: Term, sign: &str) -> Text {
        // A comparison of a part of a value becomes a comparison of its bits under a mask.
        if let (Some((x, low)), Some(value)) = (self.terms.as_extract(a), b.constant())
            && u32::from(a.sort().width()) < 8
        {
            let mask = Term::bits(128, a.sort().mask() << low);
            let x = self.at(x, Binding::Shift);
            let (mask, value) = (constant::mask(mask), constant::mask(Term::bits(128, value << low)));
            return Text { text: format!("({x} & {mask}) {sign} {value}"), binding: Binding::Comparison };
        }
        // -x == y reads better as y == -x.
        let is_negation = self.terms.as_two(a, Op::Sub).is_some_and(|(zero, _)| zero.constant() == Some(0));
        if is_negation && b.constant().is_none() {
            return self.compared(b, a, sign);
        }
        self.compared(a, b, sign)
    }

    /// An order of bits. If it is not the order of the numbers that they are, the text says so.
    pub(super) fn ordered(&mut self, op: Op, a: Term, b: Term) -> Text {
        let is_signed = matches!(op, Op::SignedLess | Op::SignedLessEqual);
        let or_equal = matches!(op, Op::SignedLessEqual | Op::UnsignedLessEqual);
        let unsigned = |t: Term| constant::is_unsigned(self.terms, t);
        let (variable, bound) = match (a, b) {
            (x, Term::Constant(_, bound)) => (x, Some((bound, true))),
            (Term::Constant(_, bound), x) => (x, Some((bound, false))),
            _ => (a, None),
        };
        let as_numbers = if is_signed {
            !unsigned(variable)
        } else {
            unsigned(variable) && (bound.is_some() || unsigned(b))
        };
        match bound {
            Some((bound, below)) if !is_signed && self.is_shifted(variable) => {
                self.ranged(variable, bound, below)
            }
            Some((bound, below)) if as_numbers => self.bounded(variable, bound, below, is_signed),
            Some((bound, below)) if !is_signed => self.ranged(variable, bound, below),
            _ if as_numbers => self.compared(a, b, if or_equal { "<=" } else { "<" }),
            _ => self.read_otherwise(if is_signed { "signed" } else { "unsigned" }, a, b, or_equal),
        }
    }

    fn read_otherwise(&mut self, reading: &str, a: Term, b: Term, or_equal: bool) -> Text {
        let mut side = |term: Term| match term {
            Term::Constant(Sort::Bits(width), value) if reading == "signed" => {
                signed(width, value).to_string()
            }
            Term::Constant(_, value) => value.to_string(),
            _ => format!("{reading}({})", self.free(term)),
        };
        let (a, b) = (side(a), side(b));
        let sign = if or_equal { "<=" } else { "<" };
        Text { text: format!("{a} {sign} {b}"), binding: Binding::Comparison }
    }

    /// `x < bound` or `bound < x`, or the same with the neighbouring number and `<=`.
    fn bounded(&mut self, x: Term, bound: u128, below: bool, is_signed: bool) -> Text {
        let width = x.sort().width();
        let at = |value: u128| if is_signed { signed(width, value) } else { value as i128 };
        let beside = if below { at(bound) - 1 } else { at(bound) + 1 };
        let strict = roundness(at(bound)) >= roundness(beside) && !constant::is_character(self.terms, x);
        let sign = match (below, strict) {
            (true, true) => "<",
            (true, false) => "<=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        let value = Term::bits(width, if strict { bound } else { beside as u128 });
        let value = constant::number(self.terms, value, x).text;
        let x = self.at(x, Binding::Shift);
        Text { text: format!("{x} {sign} {value}"), binding: Binding::Comparison }
    }

    /// An unsigned comparison with a constant says that a value is in a range: `x - 3 < 5` of bits is `3 <= x <= 7`.
    fn ranged(&mut self, x: Term, bound: u128, below: bool) -> Text {
        let sort = x.sort();
        let (x, offset) = match self.terms.as_two(x, Op::Add) {
            Some((x, Term::Constant(_, offset))) => (x, offset),
            _ => (x, 0),
        };
        let width = sort.width();
        let most = if below { bound.wrapping_sub(1) } else { bound };
        let low = offset.wrapping_neg() & sort.mask();
        let (low, greatest) = match constant::is_unsigned(self.terms, x) {
            true => (low as i128, sort.mask() as i128),
            false => (signed(width, low), (sort.mask() >> 1) as i128),
        };
        let Some(high) = i128::try_from(most).ok().and_then(|most| low.checked_add(most)) else {
            return atom("…");
        };
        if high > greatest {
            let (least, greatest) = (Term::bits(width, low as u128), Term::bits(width, high as u128));
            return self.outside(x, least, greatest, below);
        }
        let range = self.between(x, Term::bits(width, low as u128), Term::bits(width, high as u128));
        if below {
            return Text { text: range, binding: Binding::Comparison };
        }
        Text { text: format!("not ({range})"), binding: Binding::Not }
    }

    /// Whether it is `x - low`, the left side of such a comparison.
    fn is_shifted(&self, a: Term) -> bool {
        let offset = self.terms.as_two(a, Op::Add).and_then(|(_, offset)| offset.constant());
        offset.is_some_and(|offset| signed(a.sort().width(), offset) < 0)
    }

    fn between(&mut self, x: Term, low: Term, high: Term) -> String {
        let (low, high) =
            (constant::number(self.terms, low, x).text, constant::number(self.terms, high, x).text);
        format!("{low} <= {} <= {high}", self.at(x, Binding::Shift))
    }

    /// A range that wraps around from the greatest number to the least.
    fn outside(&mut self, x: Term, low: Term, high: Term, below: bool) -> Text {
        let end = |value: Term| constant::number(self.terms, value, x).text;
        let (low, high) = (end(low), end(high));
        let x = self.at(x, Binding::Shift);
        let (text, binding) = if below {
            (format!("{x} >= {low} or {x} <= {high}"), Binding::Or)
        } else {
            (format!("{high} < {x} < {low}"), Binding::Comparison)
        };
        Text { text, binding }
    }
}

/// Zero is the roundest number, then those that end in many zeros.
fn roundness(value: i128) -> u32 {
    if value == 0 {
        return 100;
    }
    (1..30).take_while(|digits| value % 10i128.pow(*digits) == 0).count() as u32
}
