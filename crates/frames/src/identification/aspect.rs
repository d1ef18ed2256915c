//! The part of an output that is compared: the whole output, its length, or some of its elements.

use std::collections::BTreeSet;

use dodona_relations::ast::{Expression, Node, call, int};
use dodona_target::{Column, Output, Ragged, Scalar, SequenceColumn, Type};
use fixedbitset::FixedBitSet;

/// The most elements that are compared one by one. A sequence with more is a list and not a record.
const MOST_ELEMENTS: usize = 16;

/// An output, and the part of it that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aspect {
    /// The output, by number.
    pub output: usize,
    /// All of it, or a part.
    pub part: Part,
}

/// A part of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The number of elements of a sequence.
    Length,
    /// The element at this place.
    Element(usize),
    /// The elements from a place up to but not including another.
    Elements(usize, usize),
}

impl Aspect {
    /// All of an output.
    pub fn whole(output: usize) -> Aspect {
        Aspect { output, part: Part::Whole }
    }

    /// The aspects of outputs, of which `outputs` is a sample: each output as a whole, and for sequences also the length. If all sequences
    /// have the same length or are empty, they are records in which each element has a meaning of its own; then their elements are compared
    /// instead of the length.
    pub fn all(results: &[Output], outputs: &[Column]) -> Vec<Aspect> {
        let mut aspects = Vec::new();
        for (output, column) in outputs.iter().enumerate().take(results.len()) {
            aspects.push(Aspect::whole(output));
            let Some(lengths) = lengths(column) else { continue };
            let different: BTreeSet<usize> = lengths.into_iter().filter(|length| *length > 0).collect();
            match (different.first(), different.len()) {
                (Some(&length @ ..=MOST_ELEMENTS), 1) => {
                    aspects.extend((0..length).map(|place| Aspect { output, part: Part::Element(place) }));
                }
                _ => aspects.push(Aspect { output, part: Part::Length }),
            }
        }
        aspects
    }

    /// The type of the values that are compared.
    ///
    /// # Panics
    /// When there is no such output.
    pub fn ty(self, results: &[Output]) -> Type {
        match (self.part, results[self.output].ty) {
            (Part::Length, _) => Type::Scalar(Scalar::I64),
            (Part::Element(_), Type::Sequence(scalar)) => Type::Scalar(scalar),
            (_, ty) => ty,
        }
    }

    /// The values of this aspect for some outputs, and the rows without a value.
    ///
    /// # Panics
    /// When there is no such output.
    pub fn column(self, outputs: &[Column]) -> (Column, FixedBitSet) {
        let column = &outputs[self.output];
        let nowhere = FixedBitSet::with_capacity(column.len());
        match self.part {
            Part::Whole => (column.clone(), nowhere),
            Part::Length => {
                let lengths = lengths(column).unwrap_or_default();
                (Column::Int(lengths.into_iter().map(|length| length as i128).collect()), nowhere)
            }
            Part::Element(place) => element(column, place),
            Part::Elements(from, to) => elements(column, from, to),
        }
    }

    /// The aspect of an output, as an expression.
    pub fn expression(self, output: Expression) -> Expression {
        match self.part {
            Part::Whole => output,
            Part::Length => call("len", vec![output]),
            Part::Element(place) => {
                Expression::new(Node::Index(Box::new(output), Box::new(int(place as i128))))
            }
            Part::Elements(from, to) => {
                let place = |place: usize| Some(Box::new(int(place as i128)));
                Expression::new(Node::Slice(Box::new(output), place(from), place(to)))
            }
        }
    }

    /// A word for names of relations: `length`, `3`; `None` for the whole output.
    pub fn word(self) -> Option<String> {
        match self.part {
            Part::Whole => None,
            Part::Length => Some("length".to_owned()),
            Part::Element(place) => Some(place.to_string()),
            Part::Elements(from, to) => Some(format!("{from}_to_{}", to - 1)),
        }
    }

    /// This aspect together with the next element, if it is one or several elements of a sequence and the other is the element
    /// after these.
    pub fn with_next(self, other: Aspect) -> Option<Aspect> {
        let (from, to) = match self.part {
            Part::Element(place) => (place, place + 1),
            Part::Elements(from, to) => (from, to),
            _ => return None,
        };
        let is_next = other == Aspect { output: self.output, part: Part::Element(to) };
        is_next.then_some(Aspect { output: self.output, part: Part::Elements(from, to + 1) })
    }
}

/// The lengths of sequences; `None` for numbers and texts.
fn lengths(column: &Column) -> Option<Vec<usize>> {
    match column {
        Column::Sequence(SequenceColumn::Bool(rows)) => Some(rows.rows().map(<[bool]>::len).collect()),
        Column::Sequence(SequenceColumn::Int(rows)) => Some(rows.rows().map(<[i128]>::len).collect()),
        Column::Sequence(SequenceColumn::Float(rows)) => Some(rows.rows().map(<[f64]>::len).collect()),
        _ => None,
    }
}

/// The rows whose sequence has fewer elements than this.
fn shorter(column: &Column, least: usize) -> FixedBitSet {
    let lengths = lengths(column).unwrap_or_default();
    let mut shorter = FixedBitSet::with_capacity(column.len());
    shorter.extend((0..lengths.len()).filter(|row| lengths[*row] < least));
    shorter
}

/// The slice from one place to another, and the rows without one because their sequence is shorter.
fn elements(column: &Column, from: usize, to: usize) -> (Column, FixedBitSet) {
    fn cut<T: Clone>(rows: &Ragged<T>, from: usize, to: usize) -> Ragged<T> {
        let mut cut = Ragged::new();
        rows.rows().for_each(|row| cut.push(row.get(from..to).unwrap_or_default()));
        cut
    }
    let cut = match column {
        Column::Sequence(SequenceColumn::Bool(rows)) => SequenceColumn::Bool(cut(rows, from, to)),
        Column::Sequence(SequenceColumn::Int(rows)) => SequenceColumn::Int(cut(rows, from, to)),
        Column::Sequence(SequenceColumn::Float(rows)) => SequenceColumn::Float(cut(rows, from, to)),
        other => return (other.clone(), shorter(other, to)),
    };
    (Column::Sequence(cut), shorter(column, to))
}

/// The element at an index, with a default in rows that have none, and these rows.
fn element(column: &Column, place: usize) -> (Column, FixedBitSet) {
    fn at<T: Copy + Default>(rows: &Ragged<T>, place: usize) -> Vec<T> {
        rows.rows().map(|row| row.get(place).copied().unwrap_or_default()).collect()
    }
    let elements = match column {
        Column::Sequence(SequenceColumn::Bool(rows)) => Column::Bool(at(rows, place)),
        Column::Sequence(SequenceColumn::Int(rows)) => Column::Int(at(rows, place)),
        Column::Sequence(SequenceColumn::Float(rows)) => Column::Float(at(rows, place)),
        other => other.clone(),
    };
    (elements, shorter(column, place + 1))
}
