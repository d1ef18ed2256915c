//! The changes, atoms and expectations that fit a function and the constants of its code.

use dodona_subject::{Column, Function, Kind, Parameter, Scalar, Type, Value};

use super::change::Direction;
use super::{Atom, Change, Expected, Order};

/// The most constants of the code that a parameter is compared with and set to, the most frequent first. The work grows with the square of their
/// number, for conditions have two atoms; of code with more, rare ones are left out.
const MOST_CONSTANTS: usize = 12;
/// The most values of a parameter that are all looked at, one by one.
const FEW_VALUES: i128 = 8;
/// The most differences of constants that are added to a parameter.
const MOST_DIFFERENCES: usize = 6;
/// The most outputs that are each expected by themselves.
const MOST_OUTPUTS: usize = 6;
/// The most parameters of which all pairs are compared and exchanged.
const MOST_PAIRED: usize = 8;
/// A bound of outputs is reached by one in so many of them.
const REACHED_IN: usize = 100;
/// The most atoms. Pairs of them are tried under every change and every expectation.
const MOST_ATOMS: usize = 360;

/// The forms that fit a function.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The changes.
    pub changes: Vec<Change>,
    /// The atoms of conditions.
    pub atoms: Vec<Atom>,
    /// The outputs that occur most, each expected by itself.
    pub outputs: Vec<Value>,
    /// What outputs lie between, where they reach it often.
    pub bounds: Vec<Expected>,
    kind: Option<Kind>,
}

/// A parameter that changes and conditions are about.
struct ScalarParameter<'f> {
    index: usize,
    declared: &'f Parameter,
    scalar: Scalar,
    /// Constants in its domain, ascending.
    constants: Vec<Value>,
    /// Whether the constants are all values that it has.
    is_small: bool,
}

impl Vocabulary {
    /// The forms for a function with these constants in its code, the most frequent first, and with outputs of which a column is a sample. Only
    /// parameters and outputs that are numbers or Booleans take part.
    pub fn new(function: &Function, constants: &[(Value, u64)], outputs: &Column) -> Vocabulary {
        let kind = match outputs {
            Column::Bool(_) => Kind::Bool,
            Column::Int(_) => Kind::Int,
            Column::Float(_) => Kind::Float,
            Column::Text(_) | Column::Sequence(_) => return Vocabulary::default(),
        };
        let of = |(index, declared): (usize, &'_ Parameter)| match declared.ty {
            Type::Scalar(scalar) => Some((index, scalar)),
            _ => None,
        };
        let parameters: Vec<ScalarParameter<'_>> = function
            .parameters
            .iter()
            .enumerate()
            .filter_map(of)
            .map(|(index, scalar)| {
                ScalarParameter::new(index, &function.parameters[index], scalar, constants)
            })
            .collect();
        let bounds = bounds(outputs);
        let outputs = frequent(outputs);
        let mut atoms = atoms(&parameters);
        atoms.extend(outputs.iter().flat_map(|value| {
            [Order::Equal, Order::NotEqual].map(|order| Atom::Output { order, value: value.clone() })
        }));
        let zero = match kind {
            Kind::Int => Some(Value::Int(0)),
            Kind::Float => Some(Value::Float(0.0)),
            Kind::Bool => None,
        };
        if let Some(value) = zero.filter(|zero| !outputs.contains(zero)) {
            atoms.push(Atom::Output { order: Order::NotEqual, value });
        }
        // What is said of outputs comes before pairs of parameters, of which there are many.
        atoms.sort_by_key(|atom| matches!(atom, Atom::Parameters { .. }));
        atoms.truncate(MOST_ATOMS);
        Vocabulary { changes: changes(&parameters), atoms, outputs, bounds, kind: Some(kind) }
    }

    /// Whether an atom may be a condition of an expectation under a change. What is expected of the source call alone may not stand under a condition on its
    /// output, which would say the same: only that it is not 0, where it is to divide something.
    pub fn may_stand(&self, atom: &Atom, change: &Change, expected: &Expected) -> bool {
        match (atom, change, expected) {
            (Atom::Output { order, value }, Change::None, Expected::Divides(_)) => {
                *order == Order::NotEqual && *value == Value::Int(0)
            }
            (Atom::Output { .. }, Change::None, _) => false,
            _ => true,
        }
    }

    /// What may be expected under a change. `differences` are the differences of outputs that occur most under it.
    pub fn expected(&self, change: &Change, differences: &[Value], function: &Function) -> Vec<Expected> {
        let is = || self.outputs.iter().cloned().map(Expected::Is);
        let mut all: Vec<Expected> = match change {
            Change::None => {
                let same_kind = |p: &Parameter| match p.ty {
                    Type::Scalar(scalar) => Some(scalar.kind()) == self.kind,
                    _ => false,
                };
                let parameters = (0..function.parameters.len())
                    .filter(|&index| same_kind(&function.parameters[index]))
                    .map(Expected::IsParameter);
                let numbers: Vec<usize> = (0..function.parameters.len())
                    .filter(|&index| self.kind == Some(Kind::Int) && same_kind(&function.parameters[index]))
                    .collect();
                let each = numbers.iter().map(|&index| Expected::Divides(vec![index]));
                let all = (numbers.len() > 1).then(|| Expected::Divides(numbers.clone()));
                return is().chain(parameters).chain(self.bounds.clone()).chain(all).chain(each).collect();
            }
            Change::Set { .. } => vec![Expected::Same, Expected::NotLower, Expected::NotHigher],
            Change::Double(_) => {
                vec![Expected::Same, Expected::Twice, Expected::NotLower, Expected::NotHigher]
            }
            Change::Anew { direction: Direction::Any, .. } => vec![Expected::Same],
            _ => vec![Expected::Same, Expected::NotLower, Expected::NotHigher],
        };
        if matches!(change, Change::Shift { .. }) && self.kind != Some(Kind::Bool) {
            all.extend(differences.iter().cloned().map(Expected::Plus));
        }
        if let Change::Set { .. } = change {
            all.extend(is());
        }
        all
    }
}

impl<'f> ScalarParameter<'f> {
    fn new(
        index: usize,
        declared: &'f Parameter,
        scalar: Scalar,
        code: &[(Value, u64)],
    ) -> ScalarParameter<'f> {
        if let Some(constants) = all_values(declared, scalar) {
            return ScalarParameter { index, declared, scalar, constants, is_small: true };
        }
        let zero = match scalar.kind() {
            Kind::Float => Value::Float(0.0),
            _ => Value::Int(0),
        };
        let fits = |value: &&Value| {
            let is_of_kind =
                matches!((value, scalar.kind()), (Value::Int(_), Kind::Int) | (Value::Float(_), Kind::Float));
            is_of_kind && declared.domain.contains(declared.ty, value)
        };
        let all = || code.iter().map(|(value, _)| value).chain([&zero]);
        let mut constants: Vec<Value> = Vec::new();
        for value in all().filter(fits) {
            if constants.len() < MOST_CONSTANTS && !constants.contains(value) {
                constants.push(value.clone());
            }
        }
        constants.sort_by(|a, b| super::atom::compare(a, b).unwrap_or(std::cmp::Ordering::Equal));
        ScalarParameter { index, declared, scalar, constants, is_small: false }
    }

    fn is_number(&self) -> bool {
        self.scalar.kind() != Kind::Bool
    }
}

/// All values of a parameter, if these are few.
fn all_values(declared: &Parameter, scalar: Scalar) -> Option<Vec<Value>> {
    match scalar.kind() {
        Kind::Bool => {
            let both = [false, true].map(Value::Bool);
            Some(both.into_iter().filter(|b| declared.domain.contains(declared.ty, b)).collect())
        }
        Kind::Int => {
            let ranges = &declared.domain.numbers.ranges;
            let (mut values, mut room) = (Vec::new(), FEW_VALUES);
            for range in ranges {
                let (dodona_subject::Number::Int(low), dodona_subject::Number::Int(high)) =
                    (range.low, range.high)
                else {
                    return None;
                };
                room -= high.checked_sub(low)?.checked_add(1)?;
                if room < 0 {
                    return None;
                }
                values.extend((low..=high).map(Value::Int));
            }
            values.retain(|value| declared.domain.contains(declared.ty, value));
            (!values.is_empty()).then_some(values)
        }
        Kind::Float => None,
    }
}

fn atoms(parameters: &[ScalarParameter<'_>]) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for parameter in parameters {
        let index = parameter.index;
        let mut add = |order, constant: &Value| {
            atoms.push(Atom::Constant { parameter: index, order, constant: constant.clone() })
        };
        for constant in &parameter.constants {
            match (parameter.is_number(), parameter.is_small) {
                (false, _) => add(Order::Equal, constant),
                (true, true) => {
                    [Order::Equal, Order::NotEqual].iter().for_each(|order| add(*order, constant))
                }
                (true, false) => [Order::AtMost, Order::More, Order::Less, Order::AtLeast]
                    .iter()
                    .for_each(|order| add(*order, constant)),
            }
        }
    }
    for (a, b) in pairs(parameters) {
        for order in [Order::Less, Order::AtMost, Order::More, Order::AtLeast] {
            atoms.push(Atom::Parameters { left: a.index, order, right: b.index });
        }
    }
    atoms
}

/// Pairs of numbers of one type that have many values.
fn pairs<'p, 'f>(
    parameters: &'p [ScalarParameter<'f>],
) -> Vec<(&'p ScalarParameter<'f>, &'p ScalarParameter<'f>)> {
    let numbers: Vec<_> =
        parameters.iter().filter(|p| p.is_number() && !p.is_small).take(MOST_PAIRED).collect();
    let mut pairs = Vec::new();
    for (place, a) in numbers.iter().enumerate() {
        pairs.extend(numbers[place + 1..].iter().filter(|b| b.scalar == a.scalar).map(|b| (*a, *b)));
    }
    pairs
}

fn changes(parameters: &[ScalarParameter<'_>]) -> Vec<Change> {
    let mut changes = vec![Change::None];
    for parameter in parameters {
        let index = parameter.index;
        match parameter.is_number() {
            false => changes.push(Change::Flip(index)),
            true => {
                let directions = [Direction::Any, Direction::Up, Direction::Down];
                changes.extend(directions.map(|direction| Change::Anew { parameter: index, direction }));
            }
        }
        let set = |to: &Value| Change::Set { parameter: index, to: to.clone() };
        changes.extend(parameter.constants.iter().map(set));
        if parameter.is_number() && !parameter.is_small {
            changes.push(Change::Double(index));
            let shift = |by| Change::Shift { parameters: vec![index], by };
            changes.extend(shifts(parameter).into_iter().map(shift));
        }
    }
    for (a, b) in pairs(parameters) {
        changes.push(Change::Exchange(a.index, b.index));
        for by in shifts(a).into_iter().take(2) {
            changes.push(Change::Shift { parameters: vec![a.index, b.index], by });
        }
    }
    changes
}

/// What is added to a parameter: one, and the differences of its constants, the smallest first, and the same with a minus.
fn shifts(parameter: &ScalarParameter<'_>) -> Vec<Value> {
    let numbers: Vec<Value> = match parameter.scalar.kind() {
        Kind::Float => {
            let of = |value: &Value| if let Value::Float(x) = value { Some(*x) } else { None };
            let constants: Vec<f64> = parameter.constants.iter().filter_map(of).collect();
            let mut all: Vec<f64> = vec![1.0];
            all.extend(constants.windows(2).map(|two| two[1] - two[0]).filter(|d| d.is_finite() && *d > 0.0));
            all.sort_by(f64::total_cmp);
            all.dedup();
            all.into_iter().take(MOST_DIFFERENCES).flat_map(|d| [Value::Float(d), Value::Float(-d)]).collect()
        }
        _ => {
            let of = |value: &Value| if let Value::Int(i) = value { Some(*i) } else { None };
            let constants: Vec<i128> = parameter.constants.iter().filter_map(of).collect();
            let mut all: Vec<i128> = vec![1];
            all.extend(constants.windows(2).map(|two| two[1].saturating_sub(two[0])).filter(|d| *d > 0));
            all.sort_unstable();
            all.dedup();
            all.into_iter().take(MOST_DIFFERENCES).flat_map(|d| [Value::Int(d), Value::Int(-d)]).collect()
        }
    };
    let is_possible = |by: &Value| parameter.declared.domain.texts.is_none() && *by != Value::Int(0);
    numbers.into_iter().filter(is_possible).collect()
}

/// The least and the greatest output, and the least alone, where these are reached often: an output that is rare is no bound.
fn bounds(outputs: &Column) -> Vec<Expected> {
    let all: Vec<Value> = (0..outputs.len()).map(|row| outputs.value(row)).collect();
    let is_beyond = |value: &Value, wanted: std::cmp::Ordering| {
        all.iter().all(|other| {
            super::atom::compare(value, other).is_some_and(|order| order == wanted || order.is_eq())
        })
    };
    let often = |value: &Value| {
        all.iter().filter(|other| *other == value).count() * REACHED_IN >= all.len()
            && !matches!(value, Value::Bool(_))
    };
    let least = all.iter().find(|value| is_beyond(value, std::cmp::Ordering::Less)).filter(|v| often(v));
    let greatest =
        all.iter().find(|value| is_beyond(value, std::cmp::Ordering::Greater)).filter(|v| often(v));
    match (least, greatest) {
        (Some(low), Some(high)) if low != high => vec![Expected::Within(low.clone(), high.clone())],
        (Some(low), _) => vec![Expected::AtLeast(low.clone())],
        _ => Vec::new(),
    }
}

/// The values that occur most in a column, each more than once, the most frequent first.
fn frequent(outputs: &Column) -> Vec<Value> {
    let mut counts: Vec<(Value, usize)> = Vec::new();
    // A sample suffices, and bounds the work where nearly all outputs differ.
    for row in 0..outputs.len().min(2_000) {
        let value = outputs.value(row);
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.retain(|(value, count)| *count > 10 && !matches!(value, Value::Float(x) if !x.is_finite()));
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(MOST_OUTPUTS);
    counts.into_iter().map(|(value, _)| value).collect()
}
