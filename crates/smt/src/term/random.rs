//! Random terms for tests: a tree that is evaluated without simplification, to be compared with the term that is built from it.

use proptest::prelude::*;

use super::{Assignment, Op, Sort, Term, Terms, evaluate_op};

/// An expression as written, without any simplification.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Variable(usize),
    Constant(Sort, u128),
    Apply(Op, Sort, Vec<Tree>),
}

/// The variables: those of bits twice, so that operands differ.
pub(crate) const VARIABLES: [Sort; 12] = [
    Sort::Bool,
    Sort::Bool,
    Sort::Bits(1),
    Sort::Bits(8),
    Sort::Bits(8),
    Sort::Bits(16),
    Sort::Bits(32),
    Sort::Bits(32),
    Sort::Bits(64),
    Sort::Bits(64),
    Sort::Bits(128),
    Sort::Bits(128),
];

pub(crate) fn variables(terms: &mut Terms) -> Vec<Term> {
    VARIABLES.iter().enumerate().map(|(i, sort)| terms.variable(&format!("v{i}"), *sort)).collect()
}

pub(crate) fn assignment(terms: &Terms, values: &[u128]) -> Assignment {
    let mut assignment = Assignment::default();
    for (variable, value) in all_variables(terms).zip(values) {
        assignment.set(variable.0, value & variable.1.mask());
    }
    assignment
}

fn all_variables(terms: &Terms) -> impl Iterator<Item = (super::Variable, Sort)> {
    terms.variables().iter().enumerate().map(|(i, (_, sort))| (super::Variable(i as u32), *sort))
}

impl Tree {
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Tree::Variable(i) => VARIABLES[*i],
            Tree::Constant(sort, _) | Tree::Apply(_, sort, _) => *sort,
        }
    }

    pub(crate) fn build(&self, terms: &mut Terms, variables: &[Term]) -> Term {
        match self {
            Tree::Variable(i) => variables[*i],
            Tree::Constant(sort, value) => Term::Constant(*sort, *value),
            Tree::Apply(op, sort, operands) => {
                let operands: Vec<Term> = operands.iter().map(|o| o.build(terms, variables)).collect();
                terms.apply(*op, *sort, &operands)
            }
        }
    }

    pub(crate) fn value(&self, values: &[u128]) -> u128 {
        match self {
            Tree::Variable(i) => values[*i] & VARIABLES[*i].mask(),
            Tree::Constant(_, value) => *value,
            Tree::Apply(op, sort, operands) => {
                let operands: Vec<_> = operands.iter().map(|o| (o.sort(), o.value(values))).collect();
                evaluate_op(*op, *sort, &operands)
            }
        }
    }
}

/// Values with a liking for the ends of every width, small numbers, masks and odd floats.
pub(crate) fn value() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        any::<u64>().prop_map(u128::from),
        0u128..4,
        (0u128..4).prop_map(u128::wrapping_neg),
        (0u32..128, -2i128..3).prop_map(|(at, off)| (1u128 << at).wrapping_add(off as u128)),
        (0u32..128, 0u32..128).prop_map(|(a, b)| (u128::MAX >> a) & (u128::MAX << b)),
        prop::sample::select(FLOATS.to_vec()).prop_map(|x| x.to_bits().into()),
        prop::sample::select(FLOATS.to_vec()).prop_map(|x| (x as f32).to_bits().into()),
        any::<i8>().prop_map(|x| f64::from(x).to_bits().into()),
        any::<i8>().prop_map(|x| f32::from(x).to_bits().into()),
    ]
}

const FLOATS: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324];

/// What a tree is grown from: choices, and constants. An empty tape ends everything with a leaf.
#[derive(Debug)]
pub(crate) struct Tape {
    choices: Vec<u32>,
    constants: Vec<u128>,
    widths: &'static [u8],
}

pub(crate) fn tape(length: usize) -> impl Strategy<Value = Tape> {
    (prop::collection::vec(any::<u32>(), 0..length), prop::collection::vec(value(), 8..16))
        .prop_map(|(choices, constants)| Tape { choices, constants, widths: &WIDTHS })
}

/// Terms whose parts are whole bytes, as those of programs mostly are.
pub(crate) fn tape_of_bytes(length: usize) -> impl Strategy<Value = Tape> {
    tape(length).prop_map(|tape| Tape { widths: &WIDTHS[2..], ..tape })
}

const COMPARISONS: [Op; 4] = [Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];
const FLOAT_COMPARISONS: [Op; 3] = [Op::FloatEqual, Op::FloatLess, Op::FloatLessEqual];
const BINARY: [Op; 14] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UnsignedDivide,
    Op::SignedDivide,
    Op::UnsignedRemainder,
    Op::SignedRemainder,
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::ShiftLeft,
    Op::ShiftRight,
    Op::ShiftRightSigned,
    Op::Add,
];
const COUNTS: [Op; 3] = [Op::CountLeadingZeros, Op::CountTrailingZeros, Op::CountOnes];
const FLOAT_BINARY: [Op; 7] = [
    Op::FloatAdd,
    Op::FloatSub,
    Op::FloatMul,
    Op::FloatDivide,
    Op::FloatMin,
    Op::FloatMax,
    Op::FloatCopySign,
];
const FLOAT_UNARY: [Op; 8] = [
    Op::FloatSqrt,
    Op::FloatAbs,
    Op::FloatNegate,
    Op::FloatCanonical,
    Op::FloatCeil,
    Op::FloatFloor,
    Op::FloatTrunc,
    Op::FloatNearest,
];
const WIDTHS: [u8; 7] = [1, 7, 8, 16, 32, 64, 128];

impl Tape {
    fn choose(&mut self, of: usize) -> usize {
        self.choices.pop().map_or(0, |choice| choice as usize % of)
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.choose(of.len())]
    }

    pub(crate) fn tree(&mut self, sort: Sort) -> Tree {
        if self.choices.is_empty() || self.choose(5) == 0 {
            return self.leaf(sort);
        }
        match sort {
            Sort::Bool => self.truth(),
            Sort::Bits(width) => self.bits(width),
            _ => self.float(sort),
        }
    }

    fn leaf(&mut self, sort: Sort) -> Tree {
        let constant = self.choose(3) == 1;
        if let Some(at) = VARIABLES.iter().position(|s| *s == sort)
            && !constant
        {
            let second = VARIABLES.get(at + 1) == Some(&sort) && self.choose(2) == 1;
            return Tree::Variable(at + usize::from(second));
        }
        if sort.is_float() && !constant {
            let bits = self.leaf(Sort::Bits(sort.width()));
            return Tree::Apply(Op::FromBits, sort, vec![bits]);
        }
        let at = self.choose(self.constants.len());
        Tree::Constant(sort, self.constants[at] & sort.mask())
    }

    fn apply(&mut self, op: Op, sort: Sort, operands: &[Sort]) -> Tree {
        let operands = operands.iter().map(|sort| self.tree(*sort)).collect();
        Tree::Apply(op, sort, operands)
    }

    fn truth(&mut self) -> Tree {
        let bool = Sort::Bool;
        let width = Sort::Bits(self.one_of(self.widths));
        match self.choose(8) {
            0 => self.apply(Op::Not, bool, &[bool]),
            1 => self.apply(Op::And, bool, &[bool, bool]),
            2 => self.apply(Op::Or, bool, &[bool, bool]),
            3 => self.apply(Op::Equal, bool, &[bool, bool]),
            4 => self.apply(Op::Ite, bool, &[bool, bool, bool]),
            5 => self.apply(Op::Equal, bool, &[width, width]),
            6 => {
                let op = self.one_of(&COMPARISONS);
                self.apply(op, bool, &[width, width])
            }
            _ => {
                let (op, float) = (self.one_of(&FLOAT_COMPARISONS), self.one_of(&[Sort::F64, Sort::F32]));
                self.apply(op, bool, &[float, float])
            }
        }
    }

    fn bits(&mut self, width: u8) -> Tree {
        let sort = Sort::Bits(width);
        match self.choose(9) {
            0..=2 => {
                let op = self.one_of(&BINARY);
                self.apply(op, sort, &[sort, sort])
            }
            3 => self.apply(Op::Ite, sort, &[Sort::Bool, sort, sort]),
            4 => {
                let from = self.one_of(self.widths).max(width);
                let low = self.choose(usize::from(from - width) + 1) as u8 / self.widths[0] * self.widths[0];
                self.apply(Op::Extract { low }, sort, &[Sort::Bits(from)])
            }
            5 if width > self.widths[0] => {
                let low = self.split(width);
                self.apply(Op::Concat, sort, &[Sort::Bits(width - low), Sort::Bits(low)])
            }
            6 => {
                let narrower: Vec<u8> = self.widths.iter().copied().filter(|w| *w <= width).collect();
                let (op, from) = (self.one_of(&[Op::ZeroExtend, Op::SignExtend]), self.one_of(&narrower));
                self.apply(op, sort, &[Sort::Bits(from)])
            }
            7 if width == 32 || width == 64 => {
                let float = if width == 32 { Sort::F32 } else { Sort::F64 };
                self.apply(Op::ToBits, sort, &[float])
            }
            7 => {
                let op = self.one_of(&COUNTS);
                self.apply(op, sort, &[sort])
            }
            _ => {
                let op = self.one_of(&[Op::ToSigned, Op::ToUnsigned]);
                let float = self.one_of(&[Sort::F64, Sort::F32]);
                self.apply(op, sort, &[float])
            }
        }
    }

    fn split(&mut self, width: u8) -> u8 {
        let unit = self.widths[0];
        let low = [1, width / 2, width - unit, self.choose(usize::from(width - unit)) as u8];
        (self.one_of(&low) / unit * unit).max(unit)
    }

    fn float(&mut self, sort: Sort) -> Tree {
        let other = if sort == Sort::F32 { Sort::F64 } else { Sort::F32 };
        match self.choose(7) {
            0 | 1 => {
                let op = self.one_of(&FLOAT_BINARY);
                self.apply(op, sort, &[sort, sort])
            }
            2 => {
                let op = self.one_of(&FLOAT_UNARY);
                self.apply(op, sort, &[sort])
            }
            3 => self.apply(Op::FromBits, sort, &[Sort::Bits(sort.width())]),
            4 => self.apply(Op::FloatConvert, sort, &[other]),
            5 => self.apply(Op::Ite, sort, &[Sort::Bool, sort, sort]),
            _ => {
                let (op, from) = (self.one_of(&[Op::FromSigned, Op::FromUnsigned]), self.one_of(self.widths));
                self.apply(op, sort, &[Sort::Bits(from)])
            }
        }
    }
}
