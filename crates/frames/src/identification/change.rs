//! Changes of one parameter that turn an input of one frame into an input of another. Their constants come from the conditions of the
//! choices.

use bstr::BString;
use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, call, int, negative, not};
use dodona_target::{Kind, Number, Parameter, Scalar, Type};

use crate::identification::expectation::number;
use crate::identification::specification::Specification;

/// Stands for the constant in the template of a change, so that changes that differ only in the constant have equal templates. No parameter
/// can have this name, because it contains a space. A relation is written with another name.
pub(crate) const CONSTANT: &str = "the constant";

/// A change of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The parameter, by number.
    pub parameter: usize,
    /// The new value as an expression over the parameters. If the change has a constant, a name that no parameter can have stands in its
    /// place.
    pub template: Expression,
    /// The constant, for changes that have one: 3 in `age + 3`.
    pub constant: Option<Expression>,
    /// A word for names of relations: `plus`, `set`.
    pub word: &'static str,
}

/// The most numbers that are added to a parameter, the smallest first. Each more would cost further runs of all samples.
const MOST_SHIFTS: usize = 6;

/// The most constants that a parameter is set to.
const MOST_VALUES: usize = 12;

/// The most constants that are appended and prepended to a text or a sequence.
const MOST_PIECES: usize = 8;

impl Change {
    fn of(parameter: usize, word: &'static str, template: Expression) -> Change {
        Change { parameter, template, constant: None, word }
    }

    fn by(parameter: usize, word: &'static str, template: Expression, constant: Expression) -> Change {
        Change { parameter, template, constant: Some(constant), word }
    }

    /// The new value, with its constant in place.
    pub fn value(&self) -> Expression {
        self.constant.as_ref().map_or_else(|| self.template.clone(), |constant| self.value_with(constant))
    }

    /// The new value, with this expression in place of its constant.
    pub(crate) fn value_with(&self, constant: &Expression) -> Expression {
        self.template.rewrite(&mut |e| (e.node == Node::Name(CONSTANT.into())).then(|| constant.clone()))
    }

    /// Whether the two differ in nothing but their constants.
    pub fn is_like(&self, other: &Change) -> bool {
        self.parameter == other.parameter
            && self.template == other.template
            && self.constant.is_some() == other.constant.is_some()
    }
}

/// The changes that may move an input from one frame into another, the smallest first, for each parameter that some category mentions.
///
/// Numbers are shifted by differences of the constants in the choices of the parameter, set to these constants, doubled and negated.
/// Booleans are negated. Texts and sequences are made longer or shorter; sequences are also reversed, and texts are written in upper or
/// lower case. Whether the changed input still lies in the domain is not checked here.
pub fn changes(parameters: &[Parameter], specification: &Specification) -> Vec<Change> {
    let mut all = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let mentions = Mentions::of(&parameter.name, specification);
        if mentions.is_empty {
            continue;
        }
        match parameter.ty {
            Type::Scalar(scalar) if scalar.kind() == Kind::Bool => all.push(negated(index, parameter)),
            Type::Scalar(scalar) => numbers(index, parameter, scalar, &mentions, &mut all),
            Type::Text => texts(index, parameter, &mentions, &mut all),
            Type::Sequence(_) => sequences(index, parameter, &mentions, &mut all),
        }
    }
    all
}

/// The constants in the choices that mention one parameter.
pub(crate) struct Mentions {
    is_empty: bool,
    /// The numbers in these choices, ascending. Integers stay integers, because floats do not hold all integers of 64 bits.
    pub(crate) numbers: Vec<Number>,
    /// The texts in these choices.
    texts: Vec<BString>,
    /// Whether these choices only say which constant the parameter equals, such as `zone == 3`.
    is_enumerated: bool,
}

impl Mentions {
    pub(crate) fn of(name: &str, specification: &Specification) -> Mentions {
        let mut found =
            Mentions { is_empty: true, numbers: Vec::new(), texts: Vec::new(), is_enumerated: true };
        let choices = specification.inputs.iter().flat_map(|category| &category.choices);
        for choice in choices.filter(|choice| choice.speaks_of(name)) {
            found.is_empty = false;
            found.is_enumerated &= is_equality(&choice.condition);
            found.gather(&choice.condition);
        }
        found.numbers = in_order(found.numbers);
        found.texts.sort();
        found.texts.dedup();
        found
    }

    fn gather(&mut self, e: &Expression) {
        match &e.node {
            Node::Int(i) => self.numbers.push(Number::Int(*i)),
            Node::Float(x) => self.numbers.push(Number::Float(*x)),
            Node::Text(text) => self.texts.push(text.clone()),
            _ => e.children().into_iter().for_each(|child| self.gather(child)),
        }
    }
}

impl Specification {
    /// The numbers in the choices that mention a parameter, ascending, each once.
    pub fn numbers_of(&self, parameter: &str) -> Vec<Number> {
        Mentions::of(parameter, self).numbers
    }
}

/// Numbers in order, each once.
fn in_order(mut numbers: Vec<Number>) -> Vec<Number> {
    let order = |a: &Number, b: &Number| match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(b),
        _ => a.as_f64().total_cmp(&b.as_f64()),
    };
    let is_same = |a: &Number, b: &Number| match (a, b) {
        (Number::Int(a), Number::Int(b)) => a == b,
        _ => a.as_f64() == b.as_f64(),
    };
    numbers.sort_by(order);
    numbers.dedup_by(|a, b| is_same(a, b));
    numbers
}

/// Whether an expression is like `x == 3`, or joins several of these by `or`.
fn is_equality(e: &Expression) -> bool {
    match &e.node {
        Node::Binary(BinaryOperator::Equal, a, b) => {
            matches!(a.node, Node::Name(_)) && matches!(b.node, Node::Int(_) | Node::Float(_))
        }
        Node::Binary(BinaryOperator::Or, a, b) => is_equality(a) && is_equality(b),
        _ => false,
    }
}

fn negated(index: usize, parameter: &Parameter) -> Change {
    Change::of(index, "not", not(Expression::name(&parameter.name)))
}

fn numbers(index: usize, parameter: &Parameter, scalar: Scalar, mentions: &Mentions, all: &mut Vec<Change>) {
    let x = || Expression::name(&parameter.name);
    let k = || Expression::name(CONSTANT);
    let is_inside = |value: Number| match (scalar.kind(), value) {
        (Kind::Float, value) => parameter.domain.contains_float(scalar, value.as_f64()),
        (_, Number::Int(value)) => parameter.domain.contains_int(scalar, value),
        (_, Number::Float(_)) => false,
    };
    // If a domain lists its values one by one, they are codes, and values between them mean nothing.
    let listed: Vec<Number> = parameter.domain.numbers.ranges.iter().map(|range| range.low).collect();
    let is_list = parameter.domain.numbers.ranges.iter().all(|r| r.low.as_f64() == r.high.as_f64());
    let is_named = !listed.is_empty() && is_list;
    if !mentions.is_enumerated && !is_named {
        for shift in shifts(&mentions.numbers) {
            all.push(Change::by(index, "plus", binary(BinaryOperator::Add, x(), k()), literal(shift)));
            all.push(Change::by(index, "minus", binary(BinaryOperator::Subtract, x(), k()), literal(shift)));
        }
        all.push(Change::by(index, "times", binary(BinaryOperator::Multiply, k(), x()), number(2.0)));
        if is_inside(Number::Int(-1)) {
            all.push(Change::of(index, "negated", negative(x())));
        }
    }
    let values = if is_named { listed } else { mentions.numbers.clone() };
    let values = values.into_iter().filter(|value| is_inside(*value));
    all.extend(values.take(MOST_VALUES).map(|value| Change::by(index, "set", k(), literal(value))));
}

/// 1 and the differences between neighbouring constants, the smallest first. Such a difference moves an input across one border.
fn shifts(constants: &[Number]) -> Vec<Number> {
    let difference = |pair: &[Number]| match (pair[1], pair[0]) {
        (Number::Int(a), Number::Int(b)) => a.checked_sub(b).map(Number::Int),
        (a, b) => Some(Number::Float(a.as_f64() - b.as_f64())),
    };
    let neighbours = constants.windows(2).filter_map(difference);
    let mut shifts: Vec<Number> = neighbours.filter(|d| d.as_f64() > 0.0 && d.as_f64().is_finite()).collect();
    shifts.push(Number::Int(1));
    let mut shifts = in_order(shifts);
    shifts.truncate(MOST_SHIFTS);
    shifts
}

fn literal(value: Number) -> Expression {
    match value {
        Number::Int(i) => int(i),
        Number::Float(x) => number(x),
    }
}

fn texts(index: usize, parameter: &Parameter, mentions: &Mentions, all: &mut Vec<Change>) {
    let x = || Expression::name(&parameter.name);
    let k = || Expression::name(CONSTANT);
    let mut pieces: Vec<BString> = mentions.texts.iter().filter(|text| !text.is_empty()).cloned().collect();
    for usual in ["\n", " "].map(BString::from) {
        if !pieces.contains(&usual) {
            pieces.push(usual);
        }
    }
    pieces.truncate(MOST_PIECES);
    for piece in pieces {
        let piece = || Expression::new(Node::Text(piece.clone()));
        all.push(Change::by(index, "append", call("concat", vec![x(), k()]), piece()));
        all.push(Change::by(index, "prepend", call("concat", vec![k(), x()]), piece()));
    }
    shortened(index, &x, all);
    all.push(Change::of(index, "twice", call("concat", vec![x(), x()])));
    all.push(Change::of(index, "upper", call("upper", vec![x()])));
    all.push(Change::of(index, "lower", call("lower", vec![x()])));
}

fn sequences(index: usize, parameter: &Parameter, mentions: &Mentions, all: &mut Vec<Change>) {
    let x = || Expression::name(&parameter.name);
    for value in mentions.numbers.iter().take(MOST_PIECES) {
        let piece = || Expression::new(Node::Sequence(vec![literal(*value)]));
        all.push(Change::of(index, "append", call("concat", vec![x(), piece()])));
        all.push(Change::of(index, "prepend", call("concat", vec![piece(), x()])));
    }
    shortened(index, &x, all);
    all.push(Change::of(index, "reversed", call("reverse", vec![x()])));
    all.push(Change::of(index, "twice", call("concat", vec![x(), x()])));
}

/// Three changes: the first element is left out, the last element is left out, and only the first half is kept.
fn shortened(index: usize, x: &dyn Fn() -> Expression, all: &mut Vec<Change>) {
    let length = || call("len", vec![x()]);
    let rest = Node::Slice(Box::new(x()), Some(Box::new(int(1))), None);
    all.push(Change::of(index, "without_first", Expression::new(rest)));
    let but_last = binary(BinaryOperator::Subtract, length(), int(1));
    all.push(Change::of(index, "without_last", call("truncate", vec![x(), but_last])));
    let half = binary(BinaryOperator::Quotient, length(), int(2));
    all.push(Change::of(index, "half", call("truncate", vec![x(), half])));
}
