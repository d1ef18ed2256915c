//! Rows of elements (sequences, and texts as characters) and the changes that make them simpler.

use std::cmp::Ordering;

use dodona_subject::{Domain, Kind, Scalar, Sequence, Type, Value};

use super::{floats, integers, order, text};
use crate::set::Set;

/// A change of a row. It holds places and no elements: a list of changes is small, however long the row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Only the first elements stay.
    Keep(usize),
    /// The elements from a place up to another go.
    Remove(usize, usize),
    /// Every element becomes one of its candidates, where it has any.
    Each(Pick),
    /// The elements from a place up to another become the simplest element there is.
    Simplest(usize, usize),
    /// The simplest element comes first.
    Sort,
    /// One element becomes a candidate of its own, by its number.
    Element { at: usize, nth: usize },
}

/// Which of an element's candidates is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// The simplest.
    First,
    /// The one in the middle.
    Middle,
    /// The one nearest to the element.
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
    /// The elements of a value; `None` where it has none.
    pub(super) fn of(value: &Value) -> Option<Row> {
        Some(match value {
            Value::Sequence(Sequence::Bool(v)) => Row::Bool(v.clone()),
            Value::Sequence(Sequence::Int(v)) => Row::Int(v.clone()),
            Value::Sequence(Sequence::Float(v)) => Row::Float(v.clone()),
            Value::Text(bytes) => Row::Text(String::from_utf8_lossy(bytes).chars().collect()),
            _ => return None,
        })
    }

    /// Whether it is a row of this type. An empty one may be of any element.
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

    /// The row as a value, after a change. `None` where the change does not apply.
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

    /// How many candidates an element has.
    pub(super) fn choices(&self, at: usize, elements: &Elements) -> usize {
        match self {
            Row::Bool(v) => elements.bools().choices(at, &v[at]),
            Row::Int(v) => elements.ints().choices(at, &v[at]),
            Row::Float(v) => elements.floats().choices(at, &v[at]),
            Row::Text(v) => elements.characters().choices(at, &v[at]),
        }
    }
}

/// The candidates of each element of a row, where they were made for all of them at once.
#[derive(Clone, Debug, Default)]
enum Lists {
    #[default]
    None,
    Int(Vec<Vec<i128>>),
    Float(Vec<Vec<f64>>),
    Text(Vec<Vec<char>>),
}

/// What is known of the elements of one parameter.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// Of a sequence the numbers that its elements may be.
    numbers: Option<(Scalar, Set)>,
    /// Of a text the characters that are always tried, the simplest first.
    characters: Vec<char>,
    simplest_float: Option<f64>,
    lists: Lists,
}

/// The candidates of an element at a place.
type Candidates<'a, T> = dyn Fn(usize, &T) -> Vec<T> + 'a;

/// The candidates of an element, and the element that is simplest of all.
struct Simpler<'a, T> {
    candidates: Box<Candidates<'a, T>>,
    simplest: Option<T>,
}

impl<'a, T: PartialEq> Simpler<'a, T> {
    fn new(simplest: Option<T>, candidates: impl Fn(usize, &T) -> Vec<T> + 'a) -> Simpler<'a, T> {
        Simpler { candidates: Box::new(candidates), simplest }
    }

    fn choices(&self, at: usize, element: &T) -> usize {
        // Most elements of a long row that was simplified are this one, and making candidates takes microseconds.
        if self.simplest.as_ref() == Some(element) { 0 } else { (self.candidates)(at, element).len() }
    }
}

impl Elements {
    /// Of the sequences of a scalar in a domain.
    pub(super) fn of_sequence(scalar: Scalar, domain: &Domain) -> Elements {
        let set = Set::of_elements(scalar, domain);
        let simplest_float = match scalar.kind() {
            Kind::Float => floats::candidates(scalar, &set, f64::NAN).first().copied(),
            Kind::Bool | Kind::Int => None,
        };
        Elements { numbers: Some((scalar, set)), characters: Vec::new(), simplest_float, lists: Lists::None }
    }

    /// Of the texts in a domain.
    pub(super) fn of_text(domain: &Domain) -> Elements {
        let characters = text::simplest(domain);
        Elements { numbers: None, characters, simplest_float: None, lists: Lists::None }
    }

    /// Makes the candidates of all elements of a row, which changes are made of until this is called with another.
    pub(super) fn list(&mut self, row: &Row) {
        self.lists = Lists::None;
        self.lists = match row {
            Row::Bool(_) => Lists::None,
            Row::Int(v) => Lists::Int(all(v, &self.ints())),
            Row::Float(v) => Lists::Float(all(v, &self.floats())),
            Row::Text(v) => Lists::Text(all(v, &self.characters())),
        };
    }

    /// Forgets them: candidates are made as they are asked for.
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
            _ => text::simpler_characters(*c, &self.characters),
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
