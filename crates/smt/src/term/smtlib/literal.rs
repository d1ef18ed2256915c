//! Names, sorts and constants.

use super::{Definition, Form, Op, Sort, Term, Terms, variable_name};

pub(super) fn name(terms: &Terms, (id, form): Definition) -> String {
    match (form, terms.node(id).op) {
        (Form::Value, Op::Variable(variable)) => variable_name(variable),
        (Form::Value, _) => format!("n{}", id.0),
        (Form::Bits, _) => format!("b{}", id.0),
    }
}

/// The name or literal of an operand.
pub(super) fn reference(terms: &Terms, term: Term) -> String {
    match term {
        Term::Constant(..) => value(term),
        Term::Node(_, id) => name(terms, (id, Form::Value)),
    }
}

pub(super) fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::F32 => "(_ FloatingPoint 8 24)".to_owned(),
        Sort::F64 => "(_ FloatingPoint 11 53)".to_owned(),
    }
}

/// Exponent and significand bits, as the indices of float operators have them.
pub(super) fn format(sort: Sort) -> &'static str {
    if sort == Sort::F32 { "8 24" } else { "11 53" }
}

pub(super) fn bits(width: u8, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = usize::from(width / 4))
    } else {
        format!("#b{value:0digits$b}", digits = usize::from(width))
    }
}

/// A constant of its sort.
///
/// # Panics
/// For a term that is not one.
pub(super) fn value(term: Term) -> String {
    let value = term.constant().expect("nodes have names");
    match term.sort() {
        Sort::Bool => (value == 1).to_string(),
        Sort::Bits(width) => bits(width, value),
        float => format!("((_ to_fp {}) {})", format(float), bits(float.width(), value)),
    }
}
