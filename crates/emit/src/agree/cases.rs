//! Test cases: a word applied to values, with the result that the evaluator of relations gives.

use dodona_relations::ast::Bound;
use dodona_relations::plan::{Element, Op, apply_to_values};
use dodona_target::{Scalar, Sequence, Value};

use super::super::script::{Expr, word};

/// A word of the prelude applied to values.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) op: Op,
    pub(super) bound: Bound,
    /// The operands; `None` is the undefined value.
    pub(super) operands: Vec<Option<Value>>,
    /// The result that the evaluator gives.
    pub(super) value: Option<Value>,
}

impl Case {
    pub(super) fn new(op: Op, bound: Bound, operands: &[Option<Value>]) -> Case {
        let value = apply_to_values(op, operands, bound);
        Case { op, bound, operands: operands.to_vec(), value }
    }

    /// Whether math libraries may round the result differently.
    pub(super) fn is_rounded(&self) -> bool {
        matches!(self.op, Op::Exp | Op::Ln | Op::Sin | Op::Cos | Op::Power)
    }

    /// The case's expression over these operands.
    pub(super) fn of(&self, operands: Vec<Expr>) -> Expr {
        match self.op {
            Op::Approximate { single } => match <[Expr; 2]>::try_from(operands) {
                Ok(sides) => Expr::Near { sides: sides.into(), bound: self.bound, single, again: None },
                Err(_) => unreachable!("two sides"),
            },
            Op::Sequence => Expr::Sequence(
                match self.value {
                    Some(Value::Sequence(Sequence::Bool(_))) => Element::Bool,
                    Some(Value::Sequence(Sequence::Float(_))) => Element::Float,
                    _ => Element::Int,
                },
                operands,
            ),
            Op::Sum if matches!(self.operands[0], Some(Value::Sequence(Sequence::Float(_)))) => {
                Expr::Apply("sum_floats", operands)
            }
            op => Expr::Apply(word(op, operands.len()), operands),
        }
    }
}

fn ints() -> Vec<Value> {
    let wide = [i128::MAX, i128::MIN, 10i128.pow(20), (1 << 53) + 1];
    [0, 1, -1, 2, -7, 127, 128].into_iter().chain(wide).map(Value::Int).collect()
}

fn floats() -> Vec<Value> {
    let plain = [0.0, -0.0, 1.0, -1.5, 2.0, 3.0, 0.1, 1e-5, 123456.75, 1e16, 1e300, 5e-324];
    let wide = [-1.7014118346046923e38, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    plain.into_iter().chain(wide).map(Value::Float).collect()
}

fn texts() -> Vec<Value> {
    ["", "a", "ab", "ba", "aba", "Straße é…", "ÀÉ z", "\u{1F600}x", "Σς", "ab\n\"\\?"]
        .map(|t| Value::Text(t.into()))
        .to_vec()
}

fn sequences() -> Vec<Value> {
    let ints: [&[i128]; 5] = [&[], &[1], &[3, 1, 2, 1], &[1, 2], &[i128::MAX, 1]];
    let floats: [&[f64]; 5] = [&[], &[1.0], &[0.5, f64::NAN, -0.0, 0.0], &[1.0, 2.0], &[1e300, 1e300, -1.0]];
    let bools: [&[bool]; 3] = [&[], &[true, false, true], &[false]];
    let all = ints
        .map(|v| Sequence::Int(v.to_vec()))
        .into_iter()
        .chain(floats.map(|v| Sequence::Float(v.to_vec())));
    all.chain(bools.map(|v| Sequence::Bool(v.to_vec()))).map(Value::Sequence).collect()
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Bool(_) => 0,
        Value::Int(_) | Value::Float(_) => 1,
        Value::Text(_) => 2,
        Value::Sequence(Sequence::Bool(_)) => 3,
        Value::Sequence(Sequence::Int(_)) => 4,
        Value::Sequence(Sequence::Float(_)) => 5,
    }
}

/// Cases that are made here, the same in every run.
pub(super) fn made() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    cases.numbers();
    cases.sequences();
    cases.comparisons();
    cases.logic();
    cases.0
}

struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, op: Op, operands: &[&Value]) {
        let operands: Vec<Option<Value>> = operands.iter().map(|v| Some((*v).clone())).collect();
        self.0.push(Case::new(op, Bound::Relative(1e-9), &operands));
    }

    fn numbers(&mut self) {
        let numbers: Vec<Value> = ints().into_iter().chain(floats()).collect();
        let one = [
            Op::Negate,
            Op::Abs,
            Op::Floor,
            Op::Ceil,
            Op::Sqrt,
            Op::Exp,
            Op::Ln,
            Op::Sin,
            Op::Cos,
            Op::IsNan,
            Op::Text,
        ];
        let converts = [Scalar::I64, Scalar::F32, Scalar::F64].map(Op::Convert);
        for a in &numbers {
            one.into_iter().chain(converts).for_each(|op| self.add(op, &[a]));
        }
        [true, false].map(Value::Bool).iter().for_each(|b| self.add(Op::Text, &[b]));
        let two = [
            Op::Add,
            Op::Subtract,
            Op::Multiply,
            Op::Divide,
            Op::Quotient,
            Op::Remainder,
            Op::Power,
            Op::Min,
            Op::Max,
        ];
        for (a, b) in pairs(&numbers, &numbers) {
            two.into_iter().for_each(|op| self.add(op, &[a, b]));
        }
    }

    fn sequences(&mut self) {
        let all: Vec<Value> = sequences().into_iter().chain(texts()).collect();
        let places: Vec<Value> = (-3..6).map(Value::Int).collect();
        for s in &all {
            [Op::Length, Op::Reverse, Op::Sorted, Op::Distinct].into_iter().for_each(|op| self.add(op, &[s]));
            for (i, j) in pairs(&places, &places) {
                self.add(Op::Slice, &[s, i, j]);
            }
            for i in &places {
                [Op::Remove, Op::Truncate, Op::Index, Op::Slice]
                    .into_iter()
                    .for_each(|op| self.add(op, &[s, i]));
            }
        }
        for (s, t) in pairs(&all, &all).filter(|(s, t)| kind(s) == kind(t)) {
            [Op::Concat, Op::Contains, Op::PrefixOf, Op::SuffixOf]
                .into_iter()
                .for_each(|op| self.add(op, &[s, t]));
        }
        // Any kind of keys orders elements of any kind, and some are fewer or more than the elements.
        for (s, keys) in pairs(&all, &all) {
            self.add(Op::SortedBy, &[s, keys]);
        }
        for t in texts() {
            [Op::Upper, Op::Lower, Op::Trim].into_iter().for_each(|op| self.add(op, &[&t]));
        }
        for (s, t) in pairs(&texts(), &texts()) {
            self.add(Op::Count, &[s, t]);
        }
        let numeric: Vec<Value> = sequences().into_iter().filter(|s| kind(s) > 3).collect();
        for s in &numeric {
            [
                Op::Sum,
                Op::Negate,
                Op::Abs,
                Op::Convert(Scalar::F64),
                Op::Convert(Scalar::I64),
                Op::Convert(Scalar::F32),
            ]
            .into_iter()
            .for_each(|op| self.add(op, &[s]));
            for x in [Value::Int(2), Value::Float(0.5), Value::Int(-1)] {
                [Op::Add, Op::Subtract, Op::Multiply, Op::HasElement, Op::Count]
                    .into_iter()
                    .for_each(|op| self.add(op, &[s, &x]));
            }
        }
        self.add(Op::Sequence, &[&Value::Int(1), &Value::Int(2)]);
        self.add(Op::Sequence, &[&Value::Int(1), &Value::Float(0.5)]);
        self.add(Op::Sequence, &[&Value::Bool(true)]);
    }

    fn comparisons(&mut self) {
        let numbers: Vec<Value> = ints().into_iter().chain(floats()).collect();
        for (a, b) in pairs(&numbers, &numbers) {
            [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Approximate { single: false }]
                .into_iter()
                .for_each(|op| self.add(op, &[a, b]));
        }
        let all: Vec<Value> = sequences().into_iter().chain(texts()).collect();
        for (a, b) in pairs(&all, &all).filter(|(a, b)| kind(a) == kind(b) || (kind(a) > 3 && kind(b) > 3)) {
            [Op::Equal, Op::NotEqual, Op::Approximate { single: false }]
                .into_iter()
                .for_each(|op| self.add(op, &[a, b]));
        }
        let close = [
            1.0,
            f64::from_bits(1f64.to_bits() + 3),
            1.0 + 1e-7,
            -1.0,
            0.0,
            -0.0,
            1e-12,
            1e-11,
            5e-324,
            -5e-324,
            f64::NAN,
            f64::INFINITY,
        ]
        .map(Value::Float);
        for (a, b) in pairs(&close, &close) {
            for (bound, single) in [
                (Bound::Relative(1e-7), false),
                (Bound::Ulps(3), false),
                (Bound::Ulps(2), true),
                (Bound::Relative(0.0), false),
                (Bound::Either { relative: 1e-9, absolute: 1e-12 }, false),
            ] {
                let operands = [Some(a.clone()), Some(b.clone())];
                self.0.push(Case::new(Op::Approximate { single }, bound, &operands));
            }
        }
    }

    fn logic(&mut self) {
        let truths = [Some(Value::Bool(true)), Some(Value::Bool(false)), None];
        for a in &truths {
            for op in [Op::Not, Op::Defined] {
                self.0.push(Case::new(op, Bound::Relative(0.0), std::slice::from_ref(a)));
            }
            for b in &truths {
                for op in [Op::And, Op::Or, Op::Implies, Op::Xor, Op::Iff] {
                    self.0.push(Case::new(op, Bound::Relative(0.0), &[a.clone(), b.clone()]));
                }
            }
        }
    }
}

fn pairs<'v>(a: &'v [Value], b: &'v [Value]) -> impl Iterator<Item = (&'v Value, &'v Value)> {
    a.iter().flat_map(move |a| b.iter().map(move |b| (a, b)))
}
