//! Rows of elements (a sequence, or a text as characters) and the changes that make them simpler.

use std::cmp::Ordering;

use dodona_target::{Domain, Kind, Scalar, Sequence, Type, Value};

use super::{floats, integers, order, simpler_text};
use crate::set::Set;

/// A change of a row. It stores indices and no elements, so that a list of changes is small, however long the row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Keeps only the first elements, this many.
    Keep(usize),
    /// Removes the elements from the first index up to the second.
    Remove(usize, usize),
    /// Replaces every element that has candidates by one of its candidates.
    Each(Pick),
    /// Replaces the elements from the first index up to the second by the simplest possible element.
    Simplest(usize, usize),
    /// Sorts the row, simplest element first.
    Sort,
    /// Replaces one element by its candidate with index `nth`.
    Element { at: usize, nth: usize },
}

/// Which of an element's candidates replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// The simplest candidate.
    First,
    /// The candidate in the middle of the list.
    Middle,
    /// The candidate nearest to the element.
    Last,
}

/// The elements of a sequence, or the characters of a text.
#[derive(Clone, Debug)]
pub(super) enum Row {
    Bool(Vec<bool>),
    Int(Vec<i128>),
    Float(Vec<f64>),
    Text(Vec<char>),
}

impl Row {
    /// The elements of a value; `None` if the value is not a sequence or text.
    pub(super) fn of(value: &Value) -> Option<Row> {
        Some(match value {
            Value::Sequence(Sequence::Bool(v)) => Row::Bool(v.clone()),
            Value::Sequence(Sequence::Int(v)) => Row::Int(v.clone()),
            Value::Sequence(Sequence::Float(v)) => Row::Float(v.clone()),
            Value::Text(bytes) => Row::Text(String::from_utf8_lossy(bytes).chars().collect()),
            _ => return None,
        })
    }

    /// Whether the row is a value of this type. An empty row fits every sequence type.
    pub(super) fn fits(&self, ty: Type) -> bool {
        match (self, ty) {
            (Row::Text(_), Type::Text) => true,
            (Row::Text(_), _) => false,
            (_, Type::Sequence(_)) if self.len() == 0 => true,
            (Row::Bool(_), Type::Sequence(s)) => s.kind() == Kind::Bool,
            (Row::Int(_), Type::Sequence(s)) => s.kind() == Kind::Int,
            (Row::Float(_), Type::Sequence(s)) => s.kind() == Kind::Float,
            _ => false,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Row::Bool(v) => v.len(),
            Row::Int(v) => v.len(),
            Row::Float(v) => v.len(),
            Row::Text(v) => v.len(),
        }
    }

    /// The value after a change of the row. `None` if the change does not apply.
    pub(super) fn edited(&self, edit: Edit, elements: &Elements) -> Option<Value> {
        let sequence = |sequence| Some(Value::Sequence(sequence));
        match self {
            Row::Bool(v) => sequence(Sequence::Bool(edited(v, edit, &elements.bools(), bool::cmp)?)),
            Row::Int(v) => sequence(Sequence::Int(edited(v, edit, &elements.ints(), order::integers)?)),
            Row::Float(v) => sequence(Sequence::Float(edited(v, edit, &elements.floats(), order::floats)?)),
            Row::Text(v) => {
                let text: String =
                    edited(v, edit, &elements.characters(), order::characters)?.iter().collect();
                Some(Value::Text(text.into()))
            }
        }
    }

    /// The number of candidates of the element at an index.
    pub(super) fn choices(&self, at: usize, elements: &Elements) -> usize {
        match self {
            Row::Bool(v) => elements.bools().choices(at, &v[at]),
            Row::Int(v) => elements.ints().choices(at, &v[at]),
            Row::Float(v) => elements.floats().choices(at, &v[at]),
            Row::Text(v) => elements.characters().choices(at, &v[at]),
        }
    }
}

/// The candidates of each element of a row, if they were made for all elements at once.
#[derive(Clone, Debug, Default)]
enum Lists {
    #[default]
    None,
    Int(Vec<Vec<i128>>),
    Float(Vec<Vec<f64>>),
    Text(Vec<Vec<char>>),
}

/// What determines the candidates of the elements of one parameter.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// For a sequence, the element type and the numbers that its elements may have.
    numbers: Option<(Scalar, Set)>,
    /// For a text, the characters that are always tried, simplest first.
    characters: Vec<char>,
    simplest_float: Option<f64>,
    lists: Lists,
}

/// Returns the candidates of an element at an index.
type Candidates<'a, T> = dyn Fn(usize, &T) -> Vec<T> + 'a;

/// The candidates of an element, and the simplest of all elements.
struct Simpler<'a, T> {
    candidates: Box<Candidates<'a, T>>,
    simplest: Option<T>,
}

impl<'a, T: PartialEq> Simpler<'a, T> {
    fn new(simplest: Option<T>, candidates: impl Fn(usize, &T) -> Vec<T> + 'a) -> Simpler<'a, T> {
        Simpler { candidates: Box::new(candidates), simplest }
    }

    fn choices(&self, at: usize, element: &T) -> usize {
        // After simplification most elements of a long row are the simplest one. It has no candidates, and making
        // candidates takes microseconds.
        if self.simplest.as_ref() == Some(element) { 0 } else { (self.candidates)(at, element).len() }
    }
}

impl Elements {
    /// For the elements of sequences in a domain.
    pub(super) fn of_sequence(scalar: Scalar, domain: &Domain) -> Elements {
        let set = Set::of_elements(scalar, domain);
        let simplest_float = match scalar.kind() {
            Kind::Float => floats::candidates(scalar, &set, f64::NAN).first().copied(),
            Kind::Bool | Kind::Int => None,
        };
        Elements { numbers: Some((scalar, set)), characters: Vec::new(), simplest_float, lists: Lists::None }
    }

    /// For the characters of texts in a domain.
    pub(super) fn of_text(domain: &Domain) -> Elements {
        let characters = simpler_text::simplest(domain);
        Elements { numbers: None, characters, simplest_float: None, lists: Lists::None }
    }

    /// Makes the candidates of all elements of a row. Changes use them until this method or [`Elements::forget`] is
    /// called.
    pub(super) fn list(&mut self, row: &Row) {
        self.lists = Lists::None;
        self.lists = match row {
            Row::Bool(_) => Lists::None,
            Row::Int(v) => Lists::Int(all(v, &self.ints())),
            Row::Float(v) => Lists::Float(all(v, &self.floats())),
            Row::Text(v) => Lists::Text(all(v, &self.characters())),
        };
    }

    /// Drops the candidates made by [`Elements::list`]; from then on candidates are made when they are requested.
    pub(super) fn forget(&mut self) {
        self.lists = Lists::None;
    }

    fn bools(&self) -> Simpler<'_, bool> {
        Simpler::new(Some(false), |_, b| if *b { vec![false] } else { vec![] })
    }

    fn ints(&self) -> Simpler<'_, i128> {
        let simplest = self.numbers.as_ref().and_then(|(_, set)| set.nearest_zero());
        Simpler::new(simplest, |at, x| match (&self.lists, &self.numbers) {
            (Lists::Int(lists), _) => lists[at].clone(),
            (_, Some((_, set))) => integers::candidates(set, *x),
            _ => Vec::new(),
        })
    }

    fn floats(&self) -> Simpler<'_, f64> {
        Simpler::new(self.simplest_float, |at, x| match (&self.lists, &self.numbers) {
            (Lists::Float(lists), _) => lists[at].clone(),
            (_, Some((scalar, set))) => floats::candidates(*scalar, set, *x),
            _ => Vec::new(),
        })
    }

    fn characters(&self) -> Simpler<'_, char> {
        Simpler::new(self.characters.first().copied(), |at, c| match &self.lists {
            Lists::Text(lists) => lists[at].clone(),
            _ => simpler_text::simpler_characters(*c, &self.characters),
        })
    }
}

fn all<T>(row: &[T], simpler: &Simpler<'_, T>) -> Vec<Vec<T>> {
    row.iter().enumerate().map(|(at, item)| (simpler.candidates)(at, item)).collect()
}

fn edited<T: Clone + PartialEq>(
    row: &[T],
    edit: Edit,
    simpler: &Simpler<'_, T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<Vec<T>> {
    match edit {
        Edit::Keep(count) => Some(row[..count].to_vec()),
        Edit::Remove(start, end) => Some([&row[..start], &row[end..]].concat()),
        Edit::Each(pick) => {
            Some(row.iter().enumerate().map(|(at, item)| picked(at, item, pick, simpler)).collect())
        }
        Edit::Simplest(start, end) => {
            let simplest = simpler.simplest.as_ref()?;
            let is_simpler = |item: &T| order(simplest, item).is_lt();
            row[start..end].iter().any(is_simpler).then(|| {
                let mut next = row.to_vec();
                next[start..end]
                    .iter_mut()
                    .filter(|item| is_simpler(item))
                    .for_each(|item| *item = simplest.clone());
                next
            })
        }
        Edit::Sort => {
            let mut sorted = row.to_vec();
            sorted.sort_by(order);
            Some(sorted)
        }
        Edit::Element { at, nth } => {
            let candidate = (simpler.candidates)(at, &row[at]).into_iter().nth(nth)?;
            let mut next = row.to_vec();
            next[at] = candidate;
            Some(next)
        }
    }
}

fn picked<T: Clone>(at: usize, item: &T, pick: Pick, simpler: &Simpler<'_, T>) -> T {
    let mut list = (simpler.candidates)(at, item);
    if list.is_empty() {
        return item.clone();
    }
    let chosen = match pick {
        Pick::First => 0,
        Pick::Middle => list.len() / 2,
        Pick::Last => list.len() - 1,
    };
    list.swap_remove(chosen)
}
