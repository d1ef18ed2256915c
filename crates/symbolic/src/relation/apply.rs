//! One operation.

use dodona_relations::plan::Op as Word;

use super::arithmetic::{self, Given, Result};
use super::register::{Data, Register};
use super::{Context, Unsupported, compare, number, sequence, text};
use dodona_smt::term::{Op, Sort, Term, Terms};

/// Applies an operation to its operands. Where an operand is undefined so is the result, but for the words that ask
/// about it.
pub(super) fn apply(context: &mut Context<'_>, op: Word, operands: &[&Register]) -> Result<Register> {
    match (op, operands) {
        (Word::And | Word::Or | Word::Implies, [a, b]) => return Ok(connective(context.terms, op, a, b)),
        (Word::Defined, [a]) => return Ok(Register::new(Data::Bool(a.defined))),
        _ => {}
    }
    let data: Vec<&Data> = operands.iter().map(|register| &register.data).collect();
    let (data, mut defined) = match data[..] {
        [a] if op != Word::Sequence => unary(context, op, a)?,
        [a, b] if op != Word::Sequence => binary(context, op, a, b)?,
        [s, from, to] if op == Word::Slice => sequence::slice(context, s, from, Some(to))?,
        _ => sequence::literal(context, &data),
    };
    for operand in operands {
        defined = context.terms.and(defined, operand.defined);
    }
    Ok(Register { defined, ..Register::new(data) })
}

/// Three-valued logic (Kleene): what is undefined stays so unless the other side decides.
fn connective(terms: &mut Terms, op: Word, a: &Register, b: &Register) -> Register {
    let (Data::Bool(x), Data::Bool(y)) = (&a.data, &b.data) else {
        unreachable!("checked to be Boolean: {a:?}, {b:?}")
    };
    // `a implies b` is `not a or b`; `a and b` is decided by what is false, `or` by what is true.
    let x = if op == Word::Implies { terms.not(*x) } else { *x };
    let (decides_x, decides_y, value) = match op {
        Word::And => (terms.not(x), terms.not(*y), terms.and(x, *y)),
        _ => (x, *y, terms.or(x, *y)),
    };
    let both = terms.and(a.defined, b.defined);
    let left = terms.and(a.defined, decides_x);
    let right = terms.and(b.defined, decides_y);
    let decided = terms.or(left, right);
    let defined = terms.or(both, decided);
    // Where an undefined side stands with one that decides, its own bits must not.
    let value = match op {
        Word::And => {
            let not = terms.not(decided);
            terms.and(value, not)
        }
        _ => terms.or(value, decided),
    };
    Register { defined, ..Register::new(Data::Bool(value)) }
}

fn given(data: Data) -> Result<Given> {
    Ok((data, Term::bool(true)))
}

fn unary(context: &mut Context<'_>, op: Word, a: &Data) -> Result<Given> {
    Ok(match op {
        Word::Convert(scalar) => arithmetic::convert(context, scalar, a),
        Word::Negate | Word::Abs => arithmetic::sign(context, op, a)?,
        Word::Not => given(Data::Bool(context.terms.not(truth(a))))?,
        Word::Floor => arithmetic::round(context, Op::FloatFloor, a),
        Word::Ceil => arithmetic::round(context, Op::FloatCeil, a),
        Word::Sqrt => {
            let x = number::Number::of(a).as_float(context.terms);
            given(Data::Float(context.terms.apply(Op::FloatSqrt, Sort::F64, &[x])))?
        }
        Word::IsNan => {
            let a = number::Number::of(a);
            let nan = number::is_nan(context.terms, a.float);
            given(Data::Bool(context.terms.and(a.is_float, nan)))?
        }
        Word::Length => sequence::length(context, a),
        Word::Sum => arithmetic::sum(context, a)?,
        Word::Reverse => sequence::reverse(context, a),
        Word::Sorted => sequence::sorted(context, a),
        Word::Upper => given(Data::Text(text::change_case(context, bytes(a), b'a')))?,
        Word::Lower => given(Data::Text(text::change_case(context, bytes(a), b'A')))?,
        Word::Exp | Word::Ln | Word::Sin | Word::Cos | Word::Text => return Err(no_terms(op)),
        other => unreachable!("{other:?} does not take one operand"),
    })
}

fn no_terms(op: Word) -> Unsupported {
    Unsupported::new(format!("`{}` of what depends on the input", format!("{op:?}").to_lowercase()))
}

fn truth(data: &Data) -> Term {
    match data {
        Data::Bool(truth) => *truth,
        other => unreachable!("checked to be Boolean: {other:?}"),
    }
}

fn bytes(data: &Data) -> &[Term] {
    match data {
        Data::Text(bytes) => bytes,
        other => unreachable!("checked to be text: {other:?}"),
    }
}

fn binary(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Result<Given> {
    match op {
        Word::Add | Word::Subtract | Word::Multiply => arithmetic::elementary(context, op, a, b),
        Word::Min | Word::Max => arithmetic::mixed(context, op, a, b),
        Word::Divide => arithmetic::divide(context, a, b),
        Word::Power => arithmetic::power(context, a, b),
        Word::Quotient | Word::Remainder => arithmetic::whole_quotient(context, op, a, b),
        Word::Concat => Ok(sequence::concat(a, b)),
        Word::Remove => sequence::remove(context, a, b),
        Word::Truncate => sequence::truncate(context, a, b),
        Word::Index => Ok(sequence::index(context, a, b)),
        Word::Slice => sequence::slice(context, a, b, None),
        _ => given(Data::Bool(test(context, op, a, b))),
    }
}

fn test(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Term {
    let terms = &mut *context.terms;
    match op {
        Word::Equal | Word::Iff => compare::equal(terms, a, b),
        Word::NotEqual | Word::Xor => {
            let equal = compare::equal(terms, a, b);
            terms.not(equal)
        }
        Word::Less | Word::LessEqual | Word::Greater | Word::GreaterEqual => compare::order(terms, op, a, b),
        Word::Approximate { single } => compare::approximate(context, single, a, b),
        Word::HasElement => sequence::has_element(terms, a, b),
        Word::Contains => sequence::stands(terms, op, b, a),
        Word::PrefixOf | Word::SuffixOf => sequence::stands(terms, op, a, b),
        other => unreachable!("{other:?} does not take two operands"),
    }
}
