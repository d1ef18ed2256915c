//! Functions that return anything, the same for the same arguments; called with columns, and with symbols.

use std::hash::{DefaultHasher, Hash, Hasher};

use dodona_smt::term::{Assignment, Op, Sort, Term, Terms};
use dodona_subject::Function;
use dodona_symbolic::relation::{CallAnswer, well_formed};
use dodona_symbolic::{Symbol, input};
use dodona_target::{
    CallError, Caller, Calls, Column, Domain, Kind, Outcome, Scalar, Sequence, Trap, Type, Value,
};

use crate::draw::Draw;

/// Functions under test that nobody wrote.
#[derive(Clone, Copy)]
pub(crate) struct Fake {
    pub(crate) seed: u64,
}

impl Fake {
    /// How a call ends and, where it returns, what it gives. Half of the worlds have functions that give what they are
    /// given where that is of the type, so that relations hold.
    fn call(self, place: usize, function: &Function, arguments: &[Value]) -> (Outcome, Vec<Value>) {
        let mut hasher = DefaultHasher::new();
        (self.seed, place, format!("{arguments:?}")).hash(&mut hasher);
        let mut draw = Draw::new(hasher.finish());
        if self.seed.is_multiple_of(3) && draw.below(4) == 0 {
            let outcomes = [Outcome::Trapped(Trap::Unreachable), Outcome::OutOfFuel];
            return (outcomes[draw.below(2) as usize], Vec::new());
        }
        let one = |ty: Type| {
            let alike = function.parameters.iter().zip(arguments).find(|(p, _)| p.ty == ty);
            match alike {
                Some((_, value)) if self.seed.is_multiple_of(2) => value.clone(),
                _ => draw.any(ty, &Domain::default()),
            }
        };
        (Outcome::Returned, function.outputs.iter().map(|output| output.ty).map(one).collect())
    }

    pub(crate) fn answer(
        self,
        place: usize,
        function: &Function,
        arguments: &[Value],
        symbols: &mut Symbols<'_>,
    ) -> CallAnswer {
        match self.call(place, function, arguments) {
            (Outcome::Returned, outputs) => {
                let types = function.outputs.iter().map(|output| output.ty);
                CallAnswer::Returned(
                    types.zip(&outputs).map(|(ty, value)| symbols.output(ty, value)).collect(),
                )
            }
            (outcome, _) => CallAnswer::Ended(outcome),
        }
    }
}

pub(crate) struct Calling<'f> {
    pub(crate) functions: &'f [Function],
    pub(crate) fake: Fake,
}

impl Caller for Calling<'_> {
    fn call(&mut self, place: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let function = &self.functions[place];
        let rows = arguments.first().map_or(1, Column::len);
        let mut outputs: Vec<Column> = function.outputs.iter().map(|o| Column::empty(o.ty)).collect();
        let mut outcomes = Vec::new();
        for row in 0..rows {
            let arguments: Vec<Value> = arguments.iter().map(|column| column.value(row)).collect();
            let (outcome, values) = self.fake.call(place, function, &arguments);
            outcomes.push(outcome);
            for (i, column) in outputs.iter_mut().enumerate() {
                match values.get(i) {
                    Some(value) => column.push(value),
                    None => column.push_default(),
                }
            }
        }
        Ok(Calls { outcomes, outputs })
    }
}

/// Makes variables that have a value.
pub(crate) struct Symbols<'t> {
    pub(crate) terms: &'t mut Terms,
    pub(crate) assignment: &'t mut Assignment,
}

impl Symbols<'_> {
    /// A value as a call takes it, of variables that nothing is known of.
    pub(crate) fn fresh(&mut self, ty: Type, value: &Value) -> Symbol {
        self.of_bits(ty, value, &|_, bits| bits)
    }

    /// A value as a call gives it: a NaN has a sign and a payload.
    fn output(&mut self, ty: Type, value: &Value) -> Symbol {
        self.of_bits(ty, value, &|scalar, bits| match scalar {
            Scalar::F32 if bits == 0x7fc0_0000 => 0xff81_2345,
            Scalar::F64 if bits == 0x7ff8_0000_0000_0000 => 0xfff4_0000_0000_1234,
            _ => bits,
        })
    }

    fn of_bits(&mut self, ty: Type, value: &Value, changed: &dyn Fn(Scalar, u128) -> u128) -> Symbol {
        let symbol = match (ty, value) {
            (Type::Scalar(scalar), value) => {
                let width = if scalar.bytes() == 8 { 64 } else { 32 };
                Symbol::Scalar(self.scalar(scalar, width, changed(scalar, number(ty, value))))
            }
            (_, Value::Text(text)) => {
                Symbol::Elements(text.iter().map(|b| self.bits(8, u128::from(*b))).collect())
            }
            (Type::Sequence(scalar), Value::Sequence(items)) => {
                let width = 8 * scalar.bytes() as u8;
                let numbers: Vec<u128> = match items {
                    Sequence::Bool(v) => v.iter().map(|b| u128::from(*b)).collect(),
                    Sequence::Int(v) => v.iter().map(|i| *i as u128).collect(),
                    Sequence::Float(v) => {
                        v.iter().map(|x| number(Type::Scalar(scalar), &Value::Float(*x))).collect()
                    }
                };
                Symbol::Elements(
                    numbers.into_iter().map(|n| self.scalar(scalar, width, changed(scalar, n))).collect(),
                )
            }
            other => panic!("{other:?}"),
        };
        let formed = well_formed(self.terms, ty, &symbol);
        assert_eq!(self.terms.evaluate(formed, self.assignment), 1, "{value:?} as {ty}");
        symbol
    }

    fn bits(&mut self, width: u8, value: u128) -> Term {
        let term = self.terms.variable("v", Sort::Bits(width));
        let variable = self.terms.variables_of(term)[0];
        self.assignment.set(variable, value & Sort::Bits(width).mask());
        term
    }

    fn scalar(&mut self, scalar: Scalar, width: u8, number: u128) -> Term {
        let bits = self.bits(width, number);
        match scalar {
            Scalar::F32 => self.terms.apply(Op::FromBits, Sort::F32, &[bits]),
            Scalar::F64 => self.terms.apply(Op::FromBits, Sort::F64, &[bits]),
            _ => bits,
        }
    }
}

/// The bits of a number, above its width with its sign.
fn number(ty: Type, value: &Value) -> u128 {
    match value {
        Value::Bool(b) => u128::from(*b),
        Value::Int(i) => *i as u128,
        other => input::bits(ty, other).expect("a number"),
    }
}

/// The value of an argument; where it is NaN it must be the canonical one.
pub(crate) fn value_of(terms: &Terms, assignment: &Assignment, ty: Type, symbol: &Symbol) -> Value {
    let bits = |term: &Term| {
        let bits = terms.evaluate(*term, assignment);
        match term.sort() {
            Sort::F32 if f32::from_bits(bits as u32).is_nan() => assert_eq!(bits, 0x7fc0_0000, "{symbol:?}"),
            Sort::F64 if f64::from_bits(bits as u64).is_nan() => {
                assert_eq!(bits, 0x7ff8_0000_0000_0000, "{symbol:?}");
            }
            _ => {}
        }
        bits
    };
    match (ty, symbol) {
        (Type::Scalar(scalar), Symbol::Scalar(term)) => match scalar.kind() {
            Kind::Bool => Value::Bool(bits(term) != 0),
            Kind::Int => Value::Int(integer(scalar, bits(term))),
            Kind::Float => Value::Float(input::float(scalar, bits(term))),
        },
        (Type::Sequence(scalar), Symbol::Elements(elements)) => Value::Sequence(match scalar.kind() {
            Kind::Bool => Sequence::Bool(elements.iter().map(|e| bits(e) != 0).collect()),
            Kind::Int => Sequence::Int(elements.iter().map(|e| integer(scalar, bits(e))).collect()),
            Kind::Float => Sequence::Float(elements.iter().map(|e| input::float(scalar, bits(e))).collect()),
        }),
        (_, Symbol::Elements(bytes)) => {
            Value::Text(bytes.iter().map(|b| bits(b) as u8).collect::<Vec<_>>().into())
        }
        other => panic!("{other:?}"),
    }
}

/// Narrow integers are passed in 32 bits, with their sign where they have one.
fn integer(scalar: Scalar, bits: u128) -> i128 {
    let low = bits & Sort::Bits(8 * scalar.bytes() as u8).mask();
    input::integer(scalar, low)
}
