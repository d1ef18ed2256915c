//! The words of the Rust prelude, called as the emitted tests call them.
#![allow(
    missing_docs,
    dead_code,
    unused_imports,
    unreachable_pub,
    clippy::all,
    reason = "it stands here as it is written elsewhere"
)]

use dodona_relations::{ast::Bound, plan::Element};
use dodona_target::{Number, Parameter, Predicate, Sequence, Type, Value};

use super::super::domain::{Check, checks, is_of_single, type_word};
use super::super::script::Expr;
use super::cases::Case;
use super::domain_conditions::Question;

mod mr {
    /// A function that calls words by their names, those of one operand before those of two and three: the last item of a
    /// file of the prelude, which no test needs.
    macro_rules! by_name {
        ($family:ident; $($one:ident)*; $($two:ident)*; $($three:ident)*) => {
            pub fn $family(word: &str, operands: &[Value]) -> Option<Value> {
                Some(match (word, operands) {
                    $((stringify!($one), [a]) => $one(a),)*
                    $((stringify!($two), [a, b]) => $two(a, b),)*
                    $((stringify!($three), [a, b, c]) => $three(a, b, c),)*
                    _ => return None,
                })
            }
        };
    }

    include!("../rust/prelude/values.rs");
    include!("../rust/prelude/calls.rs");
    include!("../rust/prelude/numbers.rs");
    include!("../rust/prelude/comparisons.rs");
    include!("../rust/prelude/sequences.rs");
    include!("../rust/prelude/domains.rs");
    include!("../rust/prelude/draws.rs");
}

/// The result of a case, computed by the words of the prelude.
pub(super) fn value(case: &Case) -> Option<Value> {
    let operands = case.operands.iter().map(into).collect();
    from(match case.of(Vec::from_iter(case.operands.iter().cloned().map(Expr::Constant))) {
        Expr::Apply(word, _) => apply(word, operands),
        Expr::Sequence(Element::Bool, _) => mr::bools(&operands),
        Expr::Sequence(Element::Float, _) => mr::floats(&operands),
        Expr::Sequence(..) => mr::ints(&operands),
        Expr::Near { bound, single, .. } => match (bound, single) {
            (Bound::Relative(relative), _) => mr::near(&operands[0], &operands[1], relative),
            (Bound::Either { relative, absolute }, _) => {
                mr::near_either(&operands[0], &operands[1], relative, absolute)
            }
            (Bound::Ulps(ulps), false) => mr::near_ulps(&operands[0], &operands[1], ulps),
            (Bound::Ulps(ulps), true) => mr::near_single_ulps(&operands[0], &operands[1], ulps),
        },
        other => unreachable!("no word: {other:?}"),
    })
}

fn into(value: &Option<Value>) -> mr::Value {
    match value {
        None => mr::Value::Undefined,
        Some(Value::Bool(b)) => (*b).into(),
        Some(Value::Int(i)) => (*i).into(),
        Some(Value::Float(x)) => (*x).into(),
        Some(Value::Text(t)) => String::from_utf8_lossy(t).into_owned().into(),
        Some(Value::Sequence(Sequence::Bool(v))) => v.clone().into(),
        Some(Value::Sequence(Sequence::Int(v))) => v.clone().into(),
        Some(Value::Sequence(Sequence::Float(v))) => v.clone().into(),
    }
}

fn from(value: mr::Value) -> Option<Value> {
    Some(match value {
        mr::Value::Undefined => return None,
        mr::Value::Bool(b) => Value::Bool(b),
        mr::Value::Int(i) => Value::Int(i),
        mr::Value::Float(x) => Value::Float(x),
        mr::Value::Text(t) => Value::Text(t.into()),
        mr::Value::Bools(v) => Value::Sequence(Sequence::Bool(v)),
        mr::Value::Ints(v) => Value::Sequence(Sequence::Int(v)),
        mr::Value::Floats(v) => Value::Sequence(Sequence::Float(v)),
    })
}

/// Whether the words of the prelude accept the value as inside the parameter's type and domain.
pub(super) fn is_inside(question: &Question) -> bool {
    let value = into(&Some(question.value.clone()));
    let Parameter { ty, domain, .. } = &question.parameter;
    let checks = checks(*ty, domain);
    checks.iter().all(|check| match is_of_single(&checks, *check) {
        true => satisfies(*check, &mr::to_single(&value)),
        false => satisfies(*check, &value),
    })
}

fn satisfies(check: Check<'_>, value: &mr::Value) -> bool {
    match check {
        Check::Type(ty) => is_of(ty, value),
        Check::Ranges(ranges) => {
            let ranges: Vec<_> = ranges.iter().map(|r| (bound(r.low), bound(r.high))).collect();
            mr::in_ranges(value, &ranges)
        }
        Check::Except(numbers) => {
            mr::is_none_of(value, &numbers.iter().map(|n| bound(*n)).collect::<Vec<_>>())
        }
        Check::NoNan => mr::has_no_nan(value),
        Check::Length(least, most) => mr::has_length(value, least as usize, most as usize),
        Check::Alphabet(chars) => mr::has_alphabet(value, &String::from_iter(chars)),
        Check::Texts(texts) => mr::is_one_of(value, &texts.iter().map(String::as_str).collect::<Vec<_>>()),
        Check::Predicate(Predicate::Sorted) => mr::is_sorted(value),
        Check::Predicate(Predicate::Distinct) => mr::is_distinct(value),
        Check::Predicate(Predicate::NoNul) => mr::has_no_nul(value),
    }
}

fn is_of(ty: Type, value: &mr::Value) -> bool {
    match type_word(ty).as_str() {
        "is_bool" => mr::is_bool(value),
        "are_bool" => mr::are_bool(value),
        "is_i8" => mr::is_i8(value),
        "are_i8" => mr::are_i8(value),
        "is_u64" => mr::is_u64(value),
        "are_u64" => mr::are_u64(value),
        "is_f32" => mr::is_f32(value),
        "are_f32" => mr::are_f32(value),
        "is_f64" => mr::is_f64(value),
        "are_f64" => mr::are_f64(value),
        "is_text" => mr::is_text(value),
        other => unreachable!("no question is about {other}"),
    }
}

fn bound(number: Number) -> mr::Bound {
    match number {
        Number::Int(i) => mr::Bound::I(i),
        Number::Float(x) => mr::Bound::F(x),
    }
}

fn apply(word: &str, operands: Vec<mr::Value>) -> mr::Value {
    let families = [mr::of_numbers, mr::of_comparisons, mr::of_sequences];
    let found = families.iter().find_map(|family| family(word, &operands));
    found.unwrap_or_else(|| panic!("the prelude's lists of words lack `{word}` of {operands:?}"))
}
