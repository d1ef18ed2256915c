//! Arithmetic, of numbers and of the elements of sequences.

use dodona_relations::plan::Op as Word;
use dodona_smt::term::{Op, Sort, Term};
use dodona_target::{Kind, Scalar};

use super::integer;
use super::number::{Number, float, whole};
use super::register::Data;
use super::{Context, Unsupported};

/// The result of an operation, and where the operation itself is defined.
pub(super) type Given = (Data, Term);

/// What an operation without a translation gives.
pub(super) type Result<T> = std::result::Result<T, Unsupported>;

fn all(data: Data) -> Given {
    (data, Term::bool(true))
}

/// `+ - *` on numbers, or with a sequence on one side element by element.
pub(super) fn elementary(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Result<Given> {
    match (a, b) {
        (Data::Ints(s), Data::Int(_)) => {
            elements(context, s, |context, x| elementary(context, op, &Data::Int(x), b))
        }
        (Data::Int(_), Data::Ints(s)) => {
            elements(context, s, |context, x| elementary(context, op, a, &Data::Int(x)))
        }
        (Data::Ints(_) | Data::Floats(_), _) => {
            let (s, c) = (floats(context, a), number_as_float(context, b));
            float_elements(context, &s, |context, x| float_operation(context, op, x, c))
        }
        (_, Data::Ints(_) | Data::Floats(_)) => {
            let (c, s) = (number_as_float(context, a), floats(context, b));
            float_elements(context, &s, |context, x| float_operation(context, op, c, x))
        }
        _ => mixed(context, op, a, b),
    }
}

fn number_as_float(context: &mut Context<'_>, data: &Data) -> Term {
    Number::of(data).as_float(context.terms)
}

/// The elements of a sequence of numbers as floats.
pub(super) fn floats(context: &mut Context<'_>, data: &Data) -> Vec<Term> {
    match data {
        Data::Floats(s) => s.clone(),
        Data::Ints(s) => s.iter().map(|i| integer::to_float(context.terms, *i)).collect(),
        other => unreachable!("checked to be a sequence of numbers: {other:?}"),
    }
}

/// An operation on each integer of a sequence; defined where all of them are.
fn elements(
    context: &mut Context<'_>,
    s: &[Term],
    f: impl Fn(&mut Context<'_>, Term) -> Result<Given>,
) -> Result<Given> {
    let (mut results, mut defined) = (Vec::new(), Term::bool(true));
    for x in s {
        let (Data::Int(result), valid) = f(context, *x)? else {
            return Err(Unsupported::new("a sequence of integers and floats"));
        };
        results.push(result);
        defined = context.terms.and(defined, valid);
    }
    Ok((Data::Ints(results), defined))
}

fn float_elements(
    context: &mut Context<'_>,
    s: &[Term],
    f: impl Fn(&mut Context<'_>, Term) -> Term,
) -> Result<Given> {
    Ok(all(Data::Floats(s.iter().map(|x| f(context, *x)).collect())))
}

/// `+ - * min max`, which keep integers exact and mix with floats to floats.
pub(super) fn mixed(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Result<Given> {
    let (a, b) = (Number::of(a), Number::of(b));
    let is_float = context.terms.or(a.is_float, b.is_float);
    let (int, defined) = match is_float.is(true) {
        true => (integer::constant(0), Term::bool(true)),
        false => exact(context, op, a.int, b.int),
    };
    let value = match is_float.is(false) {
        true => float(0.0),
        false => {
            let (a, b) = (a.as_float(context.terms), b.as_float(context.terms));
            float_operation(context, op, a, b)
        }
    };
    let defined = context.terms.or(is_float, defined);
    Ok((Number { is_float, int, float: value }.data(), defined))
}

fn exact(context: &mut Context<'_>, op: Word, a: Term, b: Term) -> integer::Given {
    let terms = &mut *context.terms;
    match op {
        Word::Add => integer::sum(terms, Op::Add, a, b),
        Word::Subtract => integer::sum(terms, Op::Sub, a, b),
        Word::Multiply => integer::product(terms, a, b),
        _ => {
            let less = integer::less(terms, a, b);
            let (a, b) = if op == Word::Min { (a, b) } else { (b, a) };
            (integer::choose(terms, less, a, b), Term::bool(true))
        }
    }
}

fn float_operation(context: &mut Context<'_>, op: Word, a: Term, b: Term) -> Term {
    let op = match op {
        Word::Add => Op::FloatAdd,
        Word::Subtract => Op::FloatSub,
        Word::Multiply => Op::FloatMul,
        Word::Min => Op::FloatMin,
        _ => Op::FloatMax,
    };
    context.terms.binary(op, a, b)
}

/// `bitand`, `bitor` and `bitxor` of integers: both get the same width, and a sign above their bits.
pub(super) fn bits(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Given {
    let terms = &mut *context.terms;
    let (a, of_a) = Number::of(a).as_integer(terms);
    let (b, of_b) = Number::of(b).as_integer(terms);
    let (a, b) = integer::level(terms, a, b);
    let op = match op {
        Word::BitAnd => Op::BitAnd,
        Word::BitOr => Op::BitOr,
        _ => Op::BitXor,
    };
    (Data::Int(terms.binary(op, a, b)), terms.and(of_a, of_b))
}

/// `/`: an integer where integers divide exactly. Undefined for a zero divisor.
pub(super) fn divide(context: &mut Context<'_>, a: &Data, b: &Data) -> Result<Given> {
    let (a, b) = (Number::of(a), Number::of(b));
    let terms = &mut *context.terms;
    let (float_a, float_b) = (a.as_float(terms), b.as_float(terms));
    let quotient = terms.binary(Op::FloatDivide, float_a, float_b);
    let zero = terms.compare(Op::FloatEqual, float_b, float(0.0));
    let not_zero = terms.not(zero);
    let mixed = terms.or(a.is_float, b.is_float);
    if mixed.is(true) {
        return Ok((Data::Float(quotient), not_zero));
    }
    let (whole, defined) = integer::quotient(terms, Op::SignedDivide, a.int, b.int);
    let (rest, _) = integer::quotient(terms, Op::SignedRemainder, a.int, b.int);
    let exact = terms.equal(rest, Term::Constant(rest.sort(), 0));
    let inexact = terms.not(exact);
    let is_float = terms.or(mixed, inexact);
    let defined = terms.ite(mixed, not_zero, defined);
    Ok((Number { is_float, int: whole, float: quotient }.data(), defined))
}

/// `^` with a constant exponent. A float is squared by a multiplication; how other powers of floats are rounded is not specified.
pub(super) fn power(context: &mut Context<'_>, a: &Data, b: &Data) -> Result<Given> {
    let unknown = || Unsupported::new("a power other than a square or a known whole one of integers");
    let exponent = match b {
        Data::Int(b) => integer::known(*b),
        Data::Float(b) if *b == float(2.0) => Some(2),
        _ => None,
    };
    let exponent = exponent.and_then(|b| u32::try_from(b).ok()).filter(|b| *b <= 128).ok_or_else(unknown)?;
    let base = Number::of(a);
    let floats = base.is_float.is(true) || matches!(b, Data::Float(_));
    if !base.is_float.is(false) && exponent != 2 {
        return Err(unknown());
    }
    let x = base.as_float(context.terms);
    let square = context.terms.binary(Op::FloatMul, x, x);
    if floats {
        return Ok(all(Data::Float(square)));
    }
    let (int, fits) = integer::power(context.terms, base.int, exponent);
    let defined = context.terms.or(base.is_float, fits);
    Ok((Number { is_float: base.is_float, int, float: square }.data(), defined))
}

/// `div` and `mod`: integers only, truncating toward zero.
pub(super) fn whole_quotient(context: &mut Context<'_>, op: Word, a: &Data, b: &Data) -> Result<Given> {
    let terms = &mut *context.terms;
    let (a, a_whole) = Number::of(a).as_integer(terms);
    let (b, b_whole) = Number::of(b).as_integer(terms);
    let op = if op == Word::Quotient { Op::SignedDivide } else { Op::SignedRemainder };
    let (result, defined) = integer::quotient(terms, op, a, b);
    let both = terms.and(a_whole, b_whole);
    Ok((Data::Int(result), terms.and(defined, both)))
}

/// Unary minus and `abs`, of numbers or of the elements of a sequence.
pub(super) fn sign(context: &mut Context<'_>, op: Word, a: &Data) -> Result<Given> {
    let float_op = if op == Word::Negate { Op::FloatNegate } else { Op::FloatAbs };
    let of_float = |context: &mut Context<'_>, x: Term| context.terms.apply(float_op, Sort::F64, &[x]);
    match a {
        Data::Ints(s) => elements(context, s, |context, x| sign(context, op, &Data::Int(x))),
        Data::Floats(s) => float_elements(context, s, of_float),
        _ => {
            let a = Number::of(a);
            let (int, fits) = match op {
                Word::Negate => integer::negated(context.terms, a.int),
                _ => integer::absolute(context.terms, a.int),
            };
            let float = of_float(context, a.float);
            let defined = context.terms.or(a.is_float, fits);
            Ok((Number { int, float, ..a }.data(), defined))
        }
    }
}

/// `floor` and `ceil`: an integer where 128 bits hold it.
pub(super) fn round(context: &mut Context<'_>, op: Op, a: &Data) -> Given {
    let a = Number::of(a);
    if a.is_float.is(false) {
        return all(Data::Int(a.int));
    }
    let rounded = context.terms.apply(op, Sort::F64, &[a.float]);
    let (int, is_whole) = whole(context.terms, rounded);
    let no_integer = context.terms.not(is_whole);
    let is_float = context.terms.and(a.is_float, no_integer);
    let int = integer::choose(context.terms, a.is_float, int, a.int);
    all(Number { is_float, int, float: rounded }.data())
}

/// `sum`, from left to right.
pub(super) fn sum(context: &mut Context<'_>, a: &Data) -> Result<Given> {
    let (mut total, items) = match a {
        Data::Ints(s) => (all(Data::Int(integer::constant(0))), s.iter().map(|i| Data::Int(*i)).collect()),
        Data::Floats(s) => (all(Data::Float(float(0.0))), s.iter().map(|x| Data::Float(*x)).collect()),
        other => (all(other.clone()), Vec::new()),
    };
    let items: Vec<Data> = items;
    for item in &items {
        let (data, defined) = mixed(context, Word::Add, &total.0, item)?;
        total = (data, context.terms.and(total.1, defined));
    }
    Ok(total)
}

/// To the kind of a scalar type, rounded for `f32`. Undefined where a number is no integer.
pub(super) fn convert(context: &mut Context<'_>, scalar: Scalar, a: &Data) -> Given {
    match (scalar.kind(), a) {
        (Kind::Int, Data::Ints(_)) => all(a.clone()),
        (Kind::Int, Data::Floats(s)) => {
            let (mut ints, mut defined) = (Vec::new(), Term::bool(true));
            for x in s {
                let (int, is_whole) = whole(context.terms, *x);
                ints.push(int);
                defined = context.terms.and(defined, is_whole);
            }
            (Data::Ints(ints), defined)
        }
        // Only the empty literal changes between Booleans and numbers.
        (Kind::Bool, Data::Ints(_)) => all(Data::Bools(Vec::new())),
        (Kind::Float, Data::Ints(_) | Data::Floats(_)) => {
            let s = floats(context, a);
            all(Data::Floats(s.into_iter().map(|x| single(context, scalar, x)).collect()))
        }
        (Kind::Int, _) => {
            let (int, is_whole) = Number::of(a).as_integer(context.terms);
            (Data::Int(int), is_whole)
        }
        _ => {
            let x = number_as_float(context, a);
            all(Data::Float(single(context, scalar, x)))
        }
    }
}

fn single(context: &mut Context<'_>, scalar: Scalar, x: Term) -> Term {
    if scalar != Scalar::F32 {
        return x;
    }
    let narrow = context.terms.apply(Op::FloatConvert, Sort::F32, &[x]);
    context.terms.apply(Op::FloatConvert, Sort::F64, &[narrow])
}
