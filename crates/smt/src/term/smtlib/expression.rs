//! Definitions of nodes of the core and of bit vectors.

use std::fmt::Write as _;

use super::literal::{bits, name, reference, sort};
use super::{Definition, Form, Op, Sort, Term, Terms, float};

/// Writes definitions whose operands have names.
pub(super) struct Writer<'a> {
    pub(super) terms: &'a Terms,
    pub(super) out: &'a mut String,
}

impl Writer<'_> {
    pub(super) fn define(&mut self, definition: Definition) {
        let (id, form) = definition;
        let node = self.terms.node(id);
        let name = name(self.terms, definition);
        if let Op::Variable(_) = node.op {
            let _ = writeln!(self.out, "(declare-const {name} {})", sort(node.sort));
            return;
        }
        if form == Form::Bits && !float::moves_bits(node.op) {
            return float::declare_bits(self.out, self.terms, id);
        }
        let of = if form == Form::Bits { Sort::Bits(node.sort.width()) } else { node.sort };
        let text = match form {
            Form::Bits => float::bits_of(self.terms, node),
            Form::Value => self.expression(node.op, node.sort, &node.operands),
        };
        let _ = writeln!(self.out, "(define-fun {name} () {} {text})", sort(of));
    }

    fn expression(&self, op: Op, sort: Sort, operands: &[Term]) -> String {
        if matches!(op, Op::ToBits | Op::FloatCopySign) {
            return float::through_bits(self.terms, op, sort, operands);
        }
        let names: Vec<String> = operands.iter().map(|term| reference(self.terms, *term)).collect();
        if let Some(word) = word(op) {
            return format!("({word} {})", names.join(" "));
        }
        let from = operands[0].sort();
        match op {
            Op::Extract { low } => format!("((_ extract {} {low}) {})", low + sort.width() - 1, names[0]),
            Op::ZeroExtend => format!("((_ zero_extend {}) {})", sort.width() - from.width(), names[0]),
            Op::SignExtend => format!("((_ sign_extend {}) {})", sort.width() - from.width(), names[0]),
            Op::CountLeadingZeros => count_zeros(&names[0], from.width(), (0..from.width()).collect()),
            Op::CountTrailingZeros => count_zeros(&names[0], from.width(), (0..from.width()).rev().collect()),
            Op::CountOnes => count_ones(&names[0], from.width()),
            _ => float::expression(op, sort, from, &names),
        }
    }
}

/// The operators that SMT-LIB has under the same meaning.
fn word(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Equal => "=",
        Op::Ite => "ite",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::UnsignedDivide => "bvudiv",
        Op::SignedDivide => "bvsdiv",
        Op::UnsignedRemainder => "bvurem",
        Op::SignedRemainder => "bvsrem",
        Op::BitAnd => "bvand",
        Op::BitOr => "bvor",
        Op::BitXor => "bvxor",
        Op::ShiftLeft => "bvshl",
        Op::ShiftRight => "bvlshr",
        Op::ShiftRightSigned => "bvashr",
        Op::UnsignedLess => "bvult",
        Op::UnsignedLessEqual => "bvule",
        Op::SignedLess => "bvslt",
        Op::SignedLessEqual => "bvsle",
        Op::Concat => "concat",
        Op::FloatAbs => "fp.abs",
        Op::FloatNegate => "fp.neg",
        Op::FloatEqual => "fp.eq",
        Op::FloatLess => "fp.lt",
        Op::FloatLessEqual => "fp.leq",
        _ => return None,
    })
}

/// The number of zeros before the first one, if bits are read from the last of `order` to the first.
fn count_zeros(a: &str, width: u8, order: Vec<u8>) -> String {
    let mut text = bits(width, width.into());
    for (seen, bit) in (0..width).rev().zip(order) {
        text = format!("(ite (= ((_ extract {bit} {bit}) {a}) #b1) {} {text})", bits(width, seen.into()));
    }
    text
}

/// The sum of the bits, in 8 bits if there are more than 8; 128 fits.
fn count_ones(a: &str, width: u8) -> String {
    let narrow = width.min(8);
    let bit = |i| format!("((_ zero_extend {}) ((_ extract {i} {i}) {a}))", narrow - 1);
    let sum = (1..width).fold(bit(0), |sum, i| format!("(bvadd {sum} {})", bit(i)));
    format!("((_ zero_extend {}) {sum})", width - narrow)
}
