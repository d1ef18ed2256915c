//! Atoms: the comparisons that conditions consist of.

use std::cmp::Ordering;

use dodona_target::{Column, Sequence, Signature, Value};
use fixedbitset::FixedBitSet;

use super::rows_where;

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the comparisons")]
pub enum Order {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Order {
    /// Whether it is true of two values with this ordering; `None` if they have no order, because one is NaN.
    pub fn allows(self, ordering: Option<Ordering>) -> bool {
        match self {
            Order::Equal => ordering == Some(Ordering::Equal),
            Order::NotEqual => ordering != Some(Ordering::Equal),
            Order::Less => ordering == Some(Ordering::Less),
            Order::AtMost => ordering.is_some_and(Ordering::is_le),
            Order::More => ordering == Some(Ordering::Greater),
            Order::AtLeast => ordering.is_some_and(Ordering::is_ge),
        }
    }

    /// The operator of the relation language.
    pub fn sign(self) -> &'static str {
        self.texts()[0]
    }

    /// As part of a sentence.
    pub(super) fn words(self) -> &'static str {
        self.texts()[1]
    }

    /// As part of a name.
    pub(super) fn name(self) -> &'static str {
        self.texts()[2]
    }

    fn texts(self) -> [&'static str; 3] {
        match self {
            Order::Equal => ["==", "is", "is"],
            Order::NotEqual => ["!=", "is not", "is_not"],
            Order::Less => ["<", "is below", "below"],
            Order::AtMost => ["<=", "is at most", "at_most"],
            Order::More => [">", "is above", "above"],
            Order::AtLeast => [">=", "is at least", "at_least"],
        }
    }
}

/// How two scalars or texts compare; `None` for NaN, for sequences and for values of different kinds.
pub(super) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// A comparison of the source input or of the output of the source call.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// A comparison of a parameter, given by its index, with a constant. `p == true` is written as `p`.
    Constant {
        /// The parameter.
        parameter: usize,
        /// The comparison.
        order: Order,
        /// A scalar or text of the type of the parameter.
        constant: Value,
    },
    /// A comparison of every element of a sequence of integers or Booleans with a constant. For an empty sequence, `Equal` and `NotEqual`
    /// are true and the other comparisons are false, because their text is about the least or greatest element, which is missing.
    Every {
        /// The parameter, by its index.
        parameter: usize,
        /// The comparison.
        order: Order,
        /// A scalar of the kind of the elements.
        constant: Value,
    },
    /// A comparison of two parameters of the same kind, given by their indices.
    Parameters {
        /// The parameter on the left.
        left: usize,
        /// The comparison.
        order: Order,
        /// The parameter on the right.
        right: usize,
    },
    /// A comparison of the output of the source call with a value.
    Output {
        /// The comparison.
        order: Order,
        /// A scalar of the kind of the output.
        value: Value,
    },
}

impl Atom {
    /// The rows on which it is true. `inputs` has a column for each parameter; `output` is the output of the source call.
    ///
    /// # Panics
    /// When a column is missing or too short.
    pub fn rows(&self, inputs: &[Column], output: &Column) -> FixedBitSet {
        let count = output.len();
        match self {
            Atom::Constant { parameter, order, constant } => {
                against(&inputs[*parameter], *order, constant, count)
            }
            Atom::Every { parameter, order, constant } => {
                rows_where(count, |row| every(&inputs[*parameter].value(row), *order, constant))
            }
            Atom::Output { order, value } => against(output, *order, value, count),
            Atom::Parameters { left, order, right } => {
                let (left, right) = (&inputs[*left], &inputs[*right]);
                rows_where(count, |row| order.allows(compare(&left.value(row), &right.value(row))))
            }
        }
    }

    /// The equality that this and another comparison amount to together, where they leave one value: `p <= 5` and `p >= 5` are `p == 5`, and so are `p > 4` and
    /// `p <= 5` of whole numbers.
    ///
    /// ```
    /// use dodona_inference::patterns::{Atom, Order};
    /// use dodona_target::Value;
    /// let atom = |order, constant| Atom::Constant { parameter: 0, order, constant: Value::Int(constant) };
    /// let five = Some(atom(Order::Equal, 5));
    /// assert_eq!(atom(Order::AtMost, 5).equality_with(&atom(Order::AtLeast, 5)), five);
    /// assert_eq!(atom(Order::More, 4).equality_with(&atom(Order::AtMost, 5)), five);
    /// assert_eq!(atom(Order::AtMost, 5).equality_with(&atom(Order::AtLeast, 4)), None);
    /// ```
    pub fn equality_with(&self, other: &Atom) -> Option<Atom> {
        let order = Order::Equal;
        match (self, other) {
            (
                Atom::Constant { parameter, order: a, constant: x },
                Atom::Constant { parameter: same, order: b, constant: y },
            ) if parameter == same => {
                let constant = only_value((*a, x), (*b, y))?;
                Some(Atom::Constant { parameter: *parameter, order, constant })
            }
            (Atom::Output { order: a, value: x }, Atom::Output { order: b, value: y }) => {
                Some(Atom::Output { order, value: only_value((*a, x), (*b, y))? })
            }
            _ => None,
        }
    }

    /// Whether it looks at a parameter.
    pub fn is_about(&self, wanted: usize) -> bool {
        match self {
            Atom::Constant { parameter, .. } | Atom::Every { parameter, .. } => *parameter == wanted,
            Atom::Parameters { left, right, .. } => [*left, *right].contains(&wanted),
            Atom::Output { .. } => false,
        }
    }

    /// The cost of reading it.
    pub fn weight(&self) -> usize {
        match self {
            Atom::Constant { constant: Value::Bool(_), .. } => 1,
            Atom::Parameters { .. } | Atom::Output { .. } => 2,
            Atom::Constant { .. } => 3,
            Atom::Every { .. } => 4,
        }
    }

    /// As a condition of the relation language, with `out` for the output of the source call.
    pub(super) fn text(&self, function: &Signature, output: &str) -> String {
        let name = |parameter: &usize| &function.parameters[*parameter].name;
        match self {
            Atom::Constant { parameter, order, constant: Value::Bool(wanted) } => {
                let is_plain = (*order == Order::Equal) == *wanted;
                format!("{}{}", if is_plain { "" } else { "not " }, name(parameter))
            }
            Atom::Constant { parameter, order, constant } => {
                format!("{} {} {constant}", name(parameter), order.sign())
            }
            Atom::Every { parameter, order, constant } => every_text(name(parameter), *order, constant),
            Atom::Parameters { left, order, right } => {
                format!("{} {} {}", name(left), order.sign(), name(right))
            }
            Atom::Output { order, value } => format!("{output} {} {value}", order.sign()),
        }
    }

    /// As part of a sentence.
    pub(super) fn words(&self, function: &Signature) -> String {
        let name = |parameter: &usize| &function.parameters[*parameter].name;
        match self {
            Atom::Constant { constant: Value::Bool(_), .. } => self.text(function, "out"),
            Atom::Constant { parameter, order, constant } => {
                format!("{} {} {constant}", name(parameter), order.words())
            }
            Atom::Every { parameter, order: Order::NotEqual, constant } => {
                format!("no element of {} is {constant}", name(parameter))
            }
            Atom::Every { parameter, order, constant } => {
                format!("every element of {} {} {constant}", name(parameter), order.words())
            }
            Atom::Parameters { left, order, right } => {
                format!("{} {} {}", name(left), order.words(), name(right))
            }
            Atom::Output { order, value } => format!("the result {} {value}", order.words()),
        }
    }
}

/// The only value that compares with two constants as these orders say; `None` where there is none, or more than one.
fn only_value(one: (Order, &Value), other: (Order, &Value)) -> Option<Value> {
    let (low, high) = match (least(one), greatest(other)) {
        (Some(low), Some(high)) => (low, high),
        _ => (least(other)?, greatest(one)?),
    };
    (low == high).then_some(low)
}

/// The least value that compares so with a constant, where there is one.
fn least((order, constant): (Order, &Value)) -> Option<Value> {
    match (order, constant) {
        (Order::AtLeast, constant) => Some(constant.clone()),
        (Order::More, Value::Int(constant)) => constant.checked_add(1).map(Value::Int),
        _ => None,
    }
}

/// The greatest value that compares so with a constant, where there is one.
fn greatest((order, constant): (Order, &Value)) -> Option<Value> {
    match (order, constant) {
        (Order::AtMost, constant) => Some(constant.clone()),
        (Order::Less, Value::Int(constant)) => constant.checked_sub(1).map(Value::Int),
        _ => None,
    }
}

/// The rows in which the value of a column compares with a constant as `order` says.
fn against(column: &Column, order: Order, constant: &Value, count: usize) -> FixedBitSet {
    match (column, constant) {
        (Column::Int(values), Value::Int(constant)) => {
            rows_where(count, |row| order.allows(Some(values[row].cmp(constant))))
        }
        (Column::Float(values), Value::Float(constant)) => {
            rows_where(count, |row| order.allows(values[row].partial_cmp(constant)))
        }
        _ => rows_where(count, |row| order.allows(compare(&column.value(row), constant))),
    }
}

/// Whether every element of a sequence compares with a constant as `order` says.
fn every(sequence: &Value, order: Order, constant: &Value) -> bool {
    let Value::Sequence(sequence) = sequence else { return false };
    let has_order = matches!(order, Order::Equal | Order::NotEqual) || !sequence.is_empty();
    has_order
        && match (sequence, constant) {
            (Sequence::Bool(elements), Value::Bool(constant)) => {
                elements.iter().all(|element| order.allows(Some(element.cmp(constant))))
            }
            (Sequence::Int(elements), Value::Int(constant)) => {
                elements.iter().all(|element| order.allows(Some(element.cmp(constant))))
            }
            _ => false,
        }
}

/// The relation language has no quantifier over elements. The condition is written with `count`, `contains`, or the first or last element
/// of the sorted sequence.
fn every_text(name: &str, order: Order, constant: &Value) -> String {
    match order {
        Order::Equal => format!("count({name}, {constant}) == len({name})"),
        Order::NotEqual => format!("not ({name} contains {constant})"),
        Order::More | Order::AtLeast => format!("sorted({name})[0] {} {constant}", order.sign()),
        Order::Less | Order::AtMost => format!("sorted({name})[len({name}) - 1] {} {constant}", order.sign()),
    }
}
