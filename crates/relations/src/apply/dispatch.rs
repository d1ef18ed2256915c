//! Applies an operation to columns: a word as its row in the table says, an operator as this file says.

use dodona_target::{Kind, Scalar};

use super::arithmetic::{self, Given};
use super::logic::{self, Connective};
use super::number::{self, Nearness};
use super::register::{Data, Lane, Register, Runs, Valid};
use super::rows::{build, map_rows, zip_checked};
use super::sequence::{self, Standing};
use super::{choice, compare, elements};
use crate::ast::Bound;
use crate::op::Op;
use crate::word::Meaning;

/// Applies an operation to its operands. The result is undefined where an operand is undefined, except for the
/// logical connectives and `defined`.
///
/// # Panics
/// When the operands are not of the types that the checker gives this operation.
pub(crate) fn apply(op: Op, operands: &[&Register<'_>], bound: Bound) -> Register<'static> {
    match (op, operands) {
        (Op::And, [a, b]) => return logic::connective(Connective::And, a, b),
        (Op::Or, [a, b]) => return logic::connective(Connective::Or, a, b),
        (Op::Implies, [a, b]) => return logic::connective(Connective::Implies, a, b),
        (Op::Defined, [a]) => return logic::defined(a),
        (Op::If, [condition, then]) => return choice::choose(condition, then, None),
        (Op::If, [condition, then, otherwise]) => return choice::choose(condition, then, Some(otherwise)),
        _ => {}
    }
    let data: Vec<&Data<'_>> = operands.iter().map(|r| &r.data).collect();
    let (data, own) = match (op.word().map(|word| word.meaning), &data[..]) {
        (Some(Meaning::One(of)), [a]) => of(a),
        (Some(Meaning::Two(of)), [a, b]) => of(a, b),
        (Some(Meaning::Rewritten), _) => unreachable!("{op:?} is rewritten by the checker"),
        (_, [a]) if op != Op::Sequence => unary(op, a),
        (_, [a, b]) if op != Op::Sequence => binary(op, a, b, bound),
        (_, [s, from, to]) if op == Op::Slice => sequence::slice(s, from, Some(to)),
        _ => (sequence::literal(&data), Valid::All),
    };
    let valid = operands.iter().fold(own, |valid, operand| valid.and(&operand.valid));
    Register { data, valid }
}

fn given(data: Data<'static>) -> Given {
    (data, Valid::All)
}

fn unary(op: Op, a: &Data<'_>) -> Given {
    match op {
        Op::Convert(scalar) => convert(scalar, a),
        Op::Negate => arithmetic::sign(a, i128::checked_neg, |x| -x),
        Op::Not => given(Data::Bool(logic::bools(a).map(|b| !b))),
        other => unreachable!("{other:?} does not take one operand"),
    }
}

fn binary(op: Op, a: &Data<'_>, b: &Data<'_>, bound: Bound) -> Given {
    match op {
        Op::Add => arithmetic::add(a, b),
        Op::Subtract => arithmetic::subtract(a, b),
        Op::Multiply => arithmetic::multiply(a, b),
        Op::Divide => arithmetic::divide(a, b),
        Op::Power => arithmetic::power(a, b),
        Op::Quotient => arithmetic::quotient(a, b),
        Op::Remainder => arithmetic::remainder(a, b),
        Op::Index => sequence::index(a, b),
        Op::Slice => sequence::slice(a, b, None),
        _ => given(Data::Bool(test(op, a, b, bound))),
    }
}

fn test(op: Op, a: &Data<'_>, b: &Data<'_>, bound: Bound) -> Lane<'static, bool> {
    match op {
        Op::Equal | Op::Iff => compare::equal(a, b),
        Op::NotEqual | Op::Xor => compare::equal(a, b).map(|same| !same),
        Op::Less => compare::less(a, b),
        Op::LessEqual => compare::less_or_equal(a, b),
        Op::Greater => compare::less(b, a),
        Op::GreaterEqual => compare::less_or_equal(b, a),
        Op::Approximate { single } => compare::approximate(a, b, Nearness::new(bound, single)),
        Op::HasElement => elements::has_element(a, b),
        Op::Contains => sequence::stands(Standing::Inside, b, a),
        Op::PrefixOf => sequence::stands(Standing::Start, a, b),
        Op::SuffixOf => sequence::stands(Standing::End, a, b),
        other => unreachable!("{other:?} does not take two operands"),
    }
}

/// Converts values to the kind of a scalar type. Undefined where an integer is needed and the number is not an
/// integer.
fn convert(scalar: Scalar, a: &Data<'_>) -> Given {
    let single = |x: f64| f64::from(x as f32);
    match (scalar.kind(), a) {
        (Kind::Int, Data::Floats(s)) => {
            let (runs, valid) = build(s.rows(), s.item_count(), |row, out| {
                let whole = |x: &f64| number::to_integer(dodona_target::Number::Float(*x));
                s.at(row).iter().all(|x| whole(x).map(|i| out.push(i)).is_some())
            });
            (Data::Ints(runs), valid)
        }
        (Kind::Int, Data::Ints(s)) => given(Data::Ints(copy(s, |x| x))),
        (Kind::Float, Data::Ints(s)) if scalar == Scalar::F32 => {
            given(Data::Floats(copy(s, |x| single(x as f64))))
        }
        (Kind::Float, Data::Ints(s)) => given(Data::Floats(copy(s, |x| x as f64))),
        (Kind::Float, Data::Floats(s)) if scalar == Scalar::F32 => given(Data::Floats(copy(s, single))),
        (Kind::Float, Data::Floats(s)) => given(Data::Floats(copy(s, |x| x))),
        // Only the empty literal is ever converted between Booleans and numbers.
        (Kind::Bool, Data::Ints(s)) => given(Data::Bools(copy(s, |x| x != 0))),
        (Kind::Int, _) => {
            let (lane, valid) =
                zip_checked(&arithmetic::numbers(a), &Lane::One(()), 0, |x, ()| number::to_integer(x));
            (Data::Int(lane), valid)
        }
        _ if scalar == Scalar::F32 => given(Data::Float(arithmetic::floats(a).map(single))),
        _ => given(Data::Float(arithmetic::floats(a).map(|x| x))),
    }
}

fn copy<A: Copy, B: Clone>(s: &Runs<'_, A>, f: impl Fn(A) -> B) -> Runs<'static, B> {
    map_rows(s, s.rows(), |items, _| items.iter().map(|x| f(*x)))
}
