//! The changes and atoms of parameters that are texts or sequences.

use dodona_target::{Kind, Parameter, Sequence, Signature, Type, Value};

use super::parameter::{ScalarParameter, shifts};
use crate::patterns::change::Direction;
use crate::patterns::pattern_tuning::{LONGEST_WRITTEN, MOST_ELEMENT_SHIFTS, MOST_TEXTS};
use crate::patterns::{Atom, Change, Order};

fn texts(function: &Signature) -> impl Iterator<Item = (usize, &Parameter)> {
    function.parameters.iter().enumerate().filter(|(_, declared)| declared.ty == Type::Text)
}

/// The texts that the manifest favours for a parameter, then those that its domain lists.
fn constants(declared: &Parameter) -> Vec<Value> {
    let listed = declared.domain.texts.iter().flatten().map(|text| Value::Text(text.as_str().into()));
    let mut all: Vec<Value> = Vec::new();
    for value in declared.sampling.favour.iter().cloned().chain(listed) {
        let is_new = declared.domain.contains(declared.ty, &value) && !all.contains(&value);
        if is_new && all.len() < MOST_TEXTS {
            all.push(value);
        }
    }
    all
}

pub(super) fn atoms_of_texts(function: &Signature) -> Vec<Atom> {
    let of = |(parameter, declared)| {
        constants(declared).into_iter().flat_map(move |constant| {
            [Order::Equal, Order::NotEqual].map(|order| Atom::Constant {
                parameter,
                order,
                constant: constant.clone(),
            })
        })
    };
    texts(function).flat_map(of).collect()
}

pub(super) fn changes_of_texts(function: &Signature) -> Vec<Change> {
    let of = |(parameter, declared)| {
        let set = constants(declared).into_iter().map(move |to| Change::Set { parameter, to });
        std::iter::once(Change::Anew { parameter, direction: Direction::Any }).chain(set)
    };
    texts(function).flat_map(of).collect()
}

/// Conditions on all elements of a sequence. Sequences of floats have none: `sorted` puts NaN last, so a comparison of the last element
/// says nothing about the others.
pub(super) fn atoms_of_sequences(sequences: &[ScalarParameter<'_>]) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for sequence in sequences.iter().filter(|sequence| sequence.scalar.kind() != Kind::Float) {
        let orders: &[Order] = match (sequence.is_number(), sequence.is_small) {
            (true, false) => &[Order::AtMost, Order::More, Order::Less, Order::AtLeast],
            _ => &[Order::Equal, Order::NotEqual],
        };
        for constant in &sequence.constants {
            let of = |order: &Order| Atom::Every {
                parameter: sequence.index,
                order: *order,
                constant: constant.clone(),
            };
            atoms.extend(orders.iter().map(of));
        }
    }
    atoms
}

pub(super) fn changes_of_sequences(sequences: &[ScalarParameter<'_>]) -> Vec<Change> {
    let mut changes = Vec::new();
    for sequence in sequences {
        let parameter = sequence.index;
        changes.push(Change::Anew { parameter, direction: Direction::Any });
        changes.extend(constant(sequence).into_iter().map(|to| Change::Set { parameter, to }));
        if sequence.is_number() && !sequence.is_small {
            changes.push(Change::Double(parameter));
            let shift = |by| Change::Shift { parameters: vec![parameter], by };
            changes.extend(shifts(sequence).into_iter().take(MOST_ELEMENT_SHIFTS).map(shift));
        }
    }
    changes.extend(reversals(sequences));
    changes
}

/// For each constant of the elements the sequence in which all elements are this constant, such as `[0, 0, 0]`. There are none unless all
/// sequences of the parameter have the same short length.
fn constant(sequence: &ScalarParameter<'_>) -> Vec<Value> {
    let Some(length) = length(sequence).filter(|length| (1..=LONGEST_WRITTEN).contains(length)) else {
        return Vec::new();
    };
    let length = length as usize;
    let of = |constant: &Value| match constant {
        Value::Bool(b) => Some(Sequence::Bool(vec![*b; length])),
        Value::Int(i) => Some(Sequence::Int(vec![*i; length])),
        Value::Float(x) => Some(Sequence::Float(vec![*x; length])),
        _ => None,
    };
    sequence.constants.iter().filter_map(of).map(Value::Sequence).collect()
}

/// The length of the sequences of a parameter; `None` if their lengths may differ.
fn length(sequence: &ScalarParameter<'_>) -> Option<u64> {
    sequence.declared.domain.length.filter(|(low, high)| low == high).map(|(length, _)| length)
}

/// The reversal of each sequence, and of all sequences of the same length together: these are often the columns of a table, whose rows may
/// have any order.
fn reversals(sequences: &[ScalarParameter<'_>]) -> Vec<Change> {
    let mut groups: Vec<Vec<usize>> = sequences.iter().map(|sequence| vec![sequence.index]).collect();
    for (place, first) in sequences.iter().enumerate() {
        let is_alike = |other: &&ScalarParameter<'_>| {
            other.declared.domain.length.is_some()
                && other.declared.domain.length == first.declared.domain.length
        };
        let is_first = !sequences[..place].iter().any(|earlier| is_alike(&earlier));
        let alike: Vec<usize> = sequences[place..].iter().filter(is_alike).map(|other| other.index).collect();
        if is_first && alike.len() > 1 {
            groups.push(alike);
        }
    }
    groups.into_iter().map(Change::Reverse).collect()
}
