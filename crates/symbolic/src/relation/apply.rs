//! One operation.

use dodona_relations::plan::Op as Word;
use dodona_smt::term::{Op, Sort, Term, Terms};

use super::arithmetic::{self, Given, Result};
use super::register::{Data, Register};
use super::{Context, brackets, choice, compare, number, sequence};

/// Applies an operation to its operands. The result is undefined if an operand is undefined, except for words that ask about
/// this.
pub(super) fn apply(context: &mut Context<'_>, op: Word, operands: &[&Register]) -> Result<Register> {
    match (op, operands) {
        (Word::And | Word::Or | Word::Implies, [a, b]) => return Ok(connective(context.terms, op, a, b)),
        (Word::Defined, [a]) => return Ok(Register::new(Data::Bool(a.defined))),
        (Word::If, [condition, then]) => return choice::choose(context.terms, condition, then, None),
        (Word::If, [condition, then, otherwise]) => {
            return choice::choose(context.terms, condition, then, Some(otherwise));
        }
        _ => {}
    }
    let data: Vec<&Data> = operands.iter().map(|register| &register.data).collect();
    let (data, mut defined) = match data[..] {
        [a] if op != Word::Sequence => unary(context, op, a)?,
        [a, b] if op != Word::Sequence => binary(context, op, a, b)?,
        [s, from, to] if op == Word::Slice => brackets::slice(context, s, from, Some(to))?,
        _ => brackets::literal(context, &data),
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
    // If an undefined side is combined with one that decides, its own bits must not matter.
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
        Word::Not => given(Data::Bool(context.terms.not(a.truth())))?,
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
        Word::Sum => arithmetic::sum(context, a)?,
        _ => sequence::one(context, op, a)?,
    })
}

fn binary(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Result<Given> {
    match op {
        Word::Add | Word::Subtract | Word::Multiply => arithmetic::elementary(context, op, a, b),
        Word::Min | Word::Max => arithmetic::mixed(context, op, a, b),
        Word::Divide => arithmetic::divide(context, a, b),
        Word::Power => arithmetic::power(context, a, b),
        Word::Quotient | Word::Remainder => arithmetic::whole_quotient(context, op, a, b),
        Word::Index => Ok(brackets::index(context, a, b)),
        Word::Slice => brackets::slice(context, a, b, None),
        _ if op.word().is_some() => sequence::two(context, op, a, b),
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
