//! Definitions of float nodes. SMT-LIB has one NaN. WebAssembly's arithmetic gives the canonical NaN, and operators that only
//! move bits are written as bits.

use std::fmt::Write as _;

use super::literal::{bits, format as format_of, name, reference, sort as sort_name, value};
use super::{Form, NodeId, Op, Sort, Term, Terms};
use crate::term::Node;

/// Whether the bits of the operator's result are bits of its operands.
pub(super) fn moves_bits(op: Op) -> bool {
    use Op::*;
    matches!(op, FromBits | Ite | FloatNegate | FloatAbs | FloatCanonical | FloatCopySign)
}

/// The bits of an arithmetic result. They are a constant of their own, because SMT-LIB has no function from floats to bits.
pub(super) fn declare_bits(out: &mut String, terms: &Terms, id: NodeId) {
    let sort = terms.node(id).sort;
    let (bits_name, float) = (name(terms, (id, Form::Bits)), name(terms, (id, Form::Value)));
    let _ = writeln!(out, "(declare-const {bits_name} {})", sort_name(Sort::Bits(sort.width())));
    let _ = writeln!(out, "(assert (= ((_ to_fp {}) {bits_name}) {float}))", format_of(sort));
    let _ = writeln!(out, "(assert (=> (fp.isNaN {float}) (= {bits_name} {})))", canonical_nan(sort));
}

fn infinity(sort: Sort) -> u128 {
    if sort == Sort::F32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 }
}

fn canonical_nan(sort: Sort) -> String {
    let payload = if sort == Sort::F32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 };
    bits(sort.width(), payload)
}

/// The bits of a float, or bits themselves.
fn as_bits(terms: &Terms, term: Term) -> String {
    match term {
        Term::Constant(sort, value) => bits(sort.width(), value),
        Term::Node(sort, id) if sort.is_float() => name(terms, (id, Form::Bits)),
        Term::Node(..) => reference(terms, term),
    }
}

/// The bits of a node that only moves bits.
pub(super) fn bits_of(terms: &Terms, node: &Node) -> String {
    let width = node.sort.width();
    let of = |i: usize| as_bits(terms, node.operands[i]);
    let sign = 1u128 << (width - 1);
    match node.op {
        Op::FromBits => reference(terms, node.operands[0]),
        Op::Ite => format!("(ite {} {} {})", reference(terms, node.operands[0]), of(1), of(2)),
        Op::FloatNegate => format!("(bvxor {} {})", of(0), bits(width, sign)),
        Op::FloatAbs => format!("(bvand {} {})", of(0), bits(width, sign - 1)),
        Op::FloatCanonical => {
            let (a, magnitude, infinity) = (of(0), bits(width, sign - 1), bits(width, infinity(node.sort)));
            let is_nan = format!("(bvult {infinity} (bvand {a} {magnitude}))");
            format!("(ite {is_nan} {} {a})", canonical_nan(node.sort))
        }
        _ => copied_sign(width, &of(0), &of(1)),
    }
}

fn copied_sign(width: u8, magnitude: &str, sign: &str) -> String {
    let top = width - 1;
    format!("(concat ((_ extract {top} {top}) {sign}) ((_ extract {} 0) {magnitude}))", top - 1)
}

/// The operators that read the bits of floats: the conversion to bits, and the copy of a sign.
pub(super) fn through_bits(terms: &Terms, op: Op, sort: Sort, operands: &[Term]) -> String {
    let of = |i: usize| as_bits(terms, operands[i]);
    match op {
        Op::ToBits => of(0),
        _ => format!("((_ to_fp {}) {})", format_of(sort), copied_sign(sort.width(), &of(0), &of(1))),
    }
}

pub(super) fn expression(op: Op, sort: Sort, from: Sort, names: &[String]) -> String {
    let a = &names[0];
    match op {
        Op::FromBits => format!("((_ to_fp {}) {a})", format_of(sort)),
        // As a float, it has only one NaN in SMT-LIB.
        Op::FloatCanonical => a.clone(),
        Op::FloatConvert | Op::FromSigned => format!("((_ to_fp {}) RNE {a})", format_of(sort)),
        Op::FromUnsigned => format!("((_ to_fp_unsigned {}) RNE {a})", format_of(sort)),
        Op::FloatMin => extreme(sort, a, &names[1], a, &names[1]),
        Op::FloatMax => extreme(sort, a, &names[1], &names[1], a),
        Op::ToSigned => to_signed(sort, from, a),
        Op::ToUnsigned => to_unsigned(sort, from, a),
        _ => format!("({} {})", rounded(op), names.join(" ")),
    }
}

fn rounded(op: Op) -> &'static str {
    match op {
        Op::FloatAdd => "fp.add RNE",
        Op::FloatSub => "fp.sub RNE",
        Op::FloatMul => "fp.mul RNE",
        Op::FloatDivide => "fp.div RNE",
        Op::FloatSqrt => "fp.sqrt RNE",
        Op::FloatCeil => "fp.roundToIntegral RTP",
        Op::FloatFloor => "fp.roundToIntegral RTN",
        Op::FloatTrunc => "fp.roundToIntegral RTZ",
        Op::FloatNearest => "fp.roundToIntegral RNE",
        _ => unreachable!("{op:?} is written elsewhere"),
    }
}

/// `if_less` where `a < b`, `if_greater` where `a > b`. Of equal values the negative one counts as less, because SMT-LIB's
/// `fp.min` does not specify which zero it gives.
fn extreme(sort: Sort, a: &str, b: &str, if_less: &str, if_greater: &str) -> String {
    format!(
        "(ite (or (fp.isNaN {a}) (fp.isNaN {b})) (_ NaN {}) (ite (or (fp.lt {a} {b}) (and (fp.eq {a} {b}) \
         (fp.isNegative {a}))) {if_less} {if_greater}))",
        format_of(sort)
    )
}

/// A power of two as a constant of a float sort; infinite if it is too large.
fn power_of_two(sort: Sort, exponent: u8, negative: bool) -> String {
    let value = 2f64.powi(exponent.into()) * if negative { -1.0 } else { 1.0 };
    let bits = if sort == Sort::F32 { (value as f32).to_bits().into() } else { value.to_bits().into() };
    value_of(sort, bits)
}

fn value_of(sort: Sort, bits: u128) -> String {
    value(Term::Constant(sort, bits))
}

fn to_signed(to: Sort, from: Sort, a: &str) -> String {
    let width = to.width();
    let (least, most) = (bits(width, (to.mask() >> 1) + 1), bits(width, to.mask() >> 1));
    let (low, high) = (power_of_two(from, width - 1, true), power_of_two(from, width - 1, false));
    format!(
        "(ite (fp.isNaN {a}) {} (ite (fp.leq {a} {low}) {least} (ite (fp.geq {a} {high}) {most} \
         ((_ fp.to_sbv {width}) RTZ {a}))))",
        bits(width, 0)
    )
}

fn to_unsigned(to: Sort, from: Sort, a: &str) -> String {
    let width = to.width();
    let (zero, high) = (bits(width, 0), power_of_two(from, width, false));
    format!(
        "(ite (or (fp.isNaN {a}) (fp.leq {a} {})) {zero} (ite (fp.geq {a} {high}) {} ((_ fp.to_ubv {width}) RTZ {a})))",
        value_of(from, 0),
        bits(width, to.mask())
    )
}
