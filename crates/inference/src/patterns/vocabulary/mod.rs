//! The changes, atoms and expectations that fit a function and the constants of its code.

mod elements;
mod expectations;
mod outputs;
mod parameter;

use dodona_target::{Column, Kind, Signature, Value};

use super::change::Direction;
use super::{Atom, Change, Expected, Order};
use crate::patterns::pattern_tuning::{MOST_ATOMS, MOST_CODES, MOST_PAIRED};
use parameter::{ScalarParameter, scalars, sequences, shifts};

/// What was seen of the outputs of follow-up calls under a change, the most frequent first.
#[derive(Clone, Debug, Default)]
pub struct FollowUpOutputs {
    /// Differences from the outputs of the source calls.
    pub differences: Vec<Value>,
    /// The outputs themselves.
    pub results: Vec<Value>,
}

/// The forms that fit a function.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The changes.
    pub changes: Vec<Change>,
    /// The atoms of conditions.
    pub atoms: Vec<Atom>,
    /// The most frequent outputs. A pattern may expect any of them.
    pub outputs: Vec<Value>,
    /// The bounds of outputs, if outputs reach them often, and a number that all outputs are multiples of.
    pub bounds: Vec<Expected>,
    /// The values that an output may be bounded by under a condition.
    caps: Vec<Value>,
    /// Whether negative outputs stand for something other than a number.
    refuses: bool,
    kind: Option<Kind>,
}

impl Vocabulary {
    /// The forms for a function. `constants` are the constants of its code, the most frequent first; `outputs` is a sample of one of its
    /// outputs. The vocabulary is empty if this output is a text or a sequence.
    pub fn new(function: &Signature, constants: &[(Value, u64)], outputs: &Column) -> Vocabulary {
        let kind = match outputs {
            Column::Bool(_) => Kind::Bool,
            Column::Int(_) => Kind::Int,
            Column::Float(_) => Kind::Float,
            Column::Text(_) | Column::Sequence(_) => return Vocabulary::default(),
        };
        let parameters = scalars(function, constants);
        let sequences = sequences(function, constants);
        let frequent = outputs::frequent(outputs);
        let thresholds = outputs::thresholds(outputs, constants);
        let mut atoms = outputs::atoms(outputs, &frequent, &thresholds);
        atoms.extend(elements::atoms_of_texts(function));
        atoms.extend(elements::atoms_of_sequences(&sequences));
        atoms.extend(self::atoms(&parameters));
        // There are many pairs of parameters, so they come last, where the list is cut.
        atoms.extend(atoms_of_pairs(&parameters));
        atoms.truncate(MOST_ATOMS);
        let mut changes = self::changes(&parameters);
        changes.extend(elements::changes_of_texts(function));
        changes.extend(elements::changes_of_sequences(&sequences));
        let caps = outputs::caps(&frequent, &thresholds);
        let refuses = outputs::refuses(outputs);
        let mut bounds = outputs::bounds(outputs);
        let divisor = outputs::divisor(outputs, refuses);
        bounds.extend(
            divisor.map(|divisor| expectations::unless_refused(refuses, Expected::MultipleOf(divisor))),
        );
        Vocabulary { changes, atoms, outputs: frequent, bounds, caps, refuses, kind: Some(kind) }
    }

    /// Whether an output stands for something other than a number, such as the reason why an input is refused.
    pub fn is_refusal(&self, output: &Value) -> bool {
        self.refuses && matches!(output, Value::Int(..0))
    }

    /// Whether an atom may be a condition of an expectation under a change. If only the source call is made, a condition on its output
    /// would merely repeat the expectation, so it is not allowed. The exception is `out != 0`, if the output is expected to divide
    /// something.
    pub fn may_stand(&self, atom: &Atom, change: &Change, expected: &Expected) -> bool {
        match (atom, change, expected) {
            (Atom::Output { order, value }, Change::None, Expected::Divides(_)) => {
                *order == Order::NotEqual && *value == Value::Int(0)
            }
            (Atom::Output { .. }, Change::None, _) => false,
            _ => true,
        }
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
    atoms
}

fn atoms_of_pairs(parameters: &[ScalarParameter<'_>]) -> Vec<Atom> {
    let orders = [Order::Less, Order::AtMost, Order::More, Order::AtLeast];
    let of = |(a, b): (&ScalarParameter<'_>, &ScalarParameter<'_>)| {
        orders.map(|order| Atom::Parameters { left: a.index, order, right: b.index })
    };
    pairs(parameters).into_iter().flat_map(of).collect()
}

/// Pairs of parameters that are numbers of the same type and have many values.
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
    changes.extend(copies(parameters));
    changes
}

/// Each of the first parameters that are numbers gets the value of another one that means the same: both have many values, or the few
/// values of one are mostly those of the other, as with two accounts. Numbers from 0 to 7 often stand for kinds of something, such as a
/// cabin and a region, and that two parameters have such values says nothing.
fn copies(parameters: &[ScalarParameter<'_>]) -> Vec<Change> {
    let numbers: Vec<_> = parameters.iter().filter(|p| p.is_number()).take(MOST_PAIRED).collect();
    let is_alike = |a: &ScalarParameter<'_>, b: &ScalarParameter<'_>| {
        let is_code = |value: &Value| matches!(value, Value::Int(0..MOST_CODES));
        let common =
            a.constants.iter().filter(|value| b.constants.contains(value) && !is_code(value)).count();
        a.scalar == b.scalar
            && a.is_small == b.is_small
            && (!a.is_small || 2 * common > a.constants.len().max(b.constants.len()))
    };
    let mut changes = Vec::new();
    for to in &numbers {
        let others = numbers.iter().filter(|from| from.index != to.index && is_alike(to, from));
        changes.extend(others.map(|from| Change::Copy { parameter: to.index, from: from.index }));
    }
    changes
}
