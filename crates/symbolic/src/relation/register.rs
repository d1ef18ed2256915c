//! Values of the relation language as terms, and their conversion from outputs and to arguments of calls.

use dodona_relations::plan::{Element, Ty};
use dodona_smt::term::{Op, Sort, Term, Terms};
use dodona_subject::WasmType;
use dodona_target::{Kind, Scalar, Sequence, Type, Value};

use super::integer;
use super::number::{Number, float};
use crate::call::Symbol;

/// Values of one kind. Integers are bits with a sign, of as many bits as they need; floats are binary64.
#[derive(Clone, Debug)]
pub(super) enum Data {
    Bool(Term),
    Int(Term),
    Float(Term),
    Number(Number),
    Text(Vec<Term>),
    Bools(Vec<Term>),
    Ints(Vec<Term>),
    Floats(Vec<Term>),
}

impl Data {
    /// The truth value that it is.
    ///
    /// # Panics
    /// For a value that is none.
    pub(super) fn truth(&self) -> Term {
        match self {
            Data::Bool(truth) => *truth,
            other => unreachable!("checked to be Boolean: {other:?}"),
        }
    }
}

impl Number {
    /// The number that a value is.
    ///
    /// # Panics
    /// For a value that is no number.
    pub(super) fn of(data: &Data) -> Number {
        match data {
            Data::Int(i) => Number::int(*i),
            Data::Float(x) => Number::float(*x),
            Data::Number(number) => *number,
            other => unreachable!("checked to be a number: {other:?}"),
        }
    }

    /// The narrowest kind that it is known to have.
    pub(super) fn data(self) -> Data {
        match self.is_float.constant() {
            Some(0) => Data::Int(self.int),
            Some(_) => Data::Float(self.float),
            None => Data::Number(self),
        }
    }
}

/// A value, and where it is defined.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) data: Data,
    pub(super) defined: Term,
    /// The term that came from outside. It is passed on unchanged, to the last bit.
    pub(super) origin: Option<(Type, Symbol)>,
}

impl Register {
    pub(super) fn new(data: Data) -> Register {
        Register { data, defined: Term::bool(true), origin: None }
    }

    pub(super) fn constant(value: &Value) -> Register {
        Register::new(match value {
            Value::Bool(b) => Data::Bool(Term::bool(*b)),
            Value::Int(i) => Data::Int(integer::constant(*i)),
            Value::Float(x) => Data::Float(float(*x)),
            Value::Text(text) => Data::Text(text.iter().map(|b| Term::bits(8, (*b).into())).collect()),
            Value::Sequence(Sequence::Bool(v)) => Data::Bools(v.iter().map(|b| Term::bool(*b)).collect()),
            Value::Sequence(Sequence::Int(v)) => {
                Data::Ints(v.iter().map(|i| integer::constant(*i)).collect())
            }
            Value::Sequence(Sequence::Float(v)) => Data::Floats(v.iter().map(|x| float(*x)).collect()),
        })
    }

    /// Some value of a type.
    pub(super) fn blank(ty: Ty) -> Register {
        Register::new(match ty {
            Ty::Bool => Data::Bool(Term::bool(false)),
            Ty::Int | Ty::Number => Data::Int(integer::constant(0)),
            Ty::Float => Data::Float(float(0.0)),
            Ty::Text => Data::Text(Vec::new()),
            Ty::Sequence(Element::Bool) => Data::Bools(Vec::new()),
            Ty::Sequence(Element::Float) => Data::Floats(Vec::new()),
            Ty::Sequence(_) => Data::Ints(Vec::new()),
        })
    }

    /// The value that a variable of a type has.
    pub(super) fn of_symbol(terms: &mut Terms, ty: Type, symbol: &Symbol) -> Register {
        let data = match (ty, symbol) {
            (Type::Scalar(scalar), Symbol::Scalar(term)) => match scalar.kind() {
                Kind::Bool => Data::Bool(is_set(terms, *term)),
                Kind::Int => Data::Int(read(terms, scalar, *term)),
                Kind::Float => Data::Float(double(terms, *term)),
            },
            (Type::Sequence(scalar), Symbol::Elements(elements)) => {
                let elements = elements.iter();
                match scalar.kind() {
                    Kind::Bool => Data::Bools(elements.map(|e| is_set(terms, *e)).collect()),
                    Kind::Int => Data::Ints(elements.map(|e| read(terms, scalar, *e)).collect()),
                    Kind::Float => Data::Floats(elements.map(|e| double(terms, *e)).collect()),
                }
            }
            (_, Symbol::Elements(bytes)) => Data::Text(bytes.clone()),
            (_, Symbol::Scalar(_)) => unreachable!("a scalar for {ty}"),
        };
        Register { origin: Some((ty, symbol.clone())), ..Register::new(data) }
    }

    /// The value as an argument of a type; a NaN may have any bits. If it is not of the type, the call is not made.
    pub(super) fn to_symbol(&self, terms: &mut Terms, ty: Type) -> Symbol {
        if let Some((from, symbol)) = &self.origin
            && *from == ty
        {
            return symbol.clone();
        }
        match (&self.data, ty) {
            (Data::Bool(b), _) => Symbol::Scalar(flag(terms, *b, 32)),
            (Data::Int(i), Type::Scalar(scalar)) => {
                let width = if WasmType::carrying(scalar) == WasmType::I64 { 64 } else { 32 };
                Symbol::Scalar(integer::fit(terms, *i, width))
            }
            (Data::Float(x), Type::Scalar(scalar)) => Symbol::Scalar(rounded(terms, scalar, *x)),
            (Data::Text(bytes), _) => Symbol::Elements(bytes.clone()),
            (Data::Bools(v), _) => Symbol::Elements(v.iter().map(|b| flag(terms, *b, 8)).collect()),
            (Data::Ints(v), Type::Sequence(scalar)) => {
                let width = 8 * scalar.bytes() as u8;
                Symbol::Elements(v.iter().map(|i| integer::fit(terms, *i, width)).collect())
            }
            (Data::Floats(v), Type::Sequence(scalar)) => {
                Symbol::Elements(v.iter().map(|x| rounded(terms, scalar, *x)).collect())
            }
            (data, ty) => unreachable!("checked to fit {ty}: {data:?}"),
        }
    }
}

/// Whether an output is of its type: in the range of a narrow integer, 0 or 1 for a Boolean. Another one is malformed.
pub fn well_formed(terms: &mut Terms, ty: Type, output: &Symbol) -> Term {
    match (ty, output) {
        (Type::Scalar(scalar), Symbol::Scalar(term)) => in_range(terms, scalar, *term),
        (Type::Sequence(Scalar::Bool), Symbol::Elements(elements)) => {
            let mut all = Term::bool(true);
            for element in elements {
                let one = in_range(terms, Scalar::Bool, *element);
                all = terms.and(all, one);
            }
            all
        }
        _ => Term::bool(true),
    }
}

fn in_range(terms: &mut Terms, scalar: Scalar, term: Term) -> Term {
    let width = term.sort().width();
    let narrow = 8 * scalar.bytes() as u8;
    match scalar {
        Scalar::Bool => terms.compare(Op::UnsignedLess, term, Term::bits(width, 2)),
        Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16 => {
            let low = terms.extract(term, 0, narrow);
            let signed = scalar.integer_range().is_some_and(|(least, _)| least < 0);
            let again = if signed { terms.sign_extend(low, width) } else { terms.zero_extend(low, width) };
            terms.equal(term, again)
        }
        _ => Term::bool(true),
    }
}

fn is_set(terms: &mut Terms, bits: Term) -> Term {
    let zero = terms.equal(bits, Term::Constant(bits.sort(), 0));
    terms.not(zero)
}

fn flag(terms: &mut Terms, truth: Term, width: u8) -> Term {
    terms.ite(truth, Term::bits(width, 1), Term::bits(width, 0))
}

/// Bits with a sign; one more where all of them are digits.
fn read(terms: &mut Terms, scalar: Scalar, bits: Term) -> Term {
    match scalar.integer_range() {
        Some((0, _)) => terms.zero_extend(bits, bits.sort().width() + 1),
        _ => bits,
    }
}

fn double(terms: &mut Terms, x: Term) -> Term {
    if x.sort() == Sort::F32 { terms.apply(Op::FloatConvert, Sort::F64, &[x]) } else { x }
}

fn rounded(terms: &mut Terms, scalar: Scalar, x: Term) -> Term {
    if scalar == Scalar::F32 { terms.apply(Op::FloatConvert, Sort::F32, &[x]) } else { x }
}
