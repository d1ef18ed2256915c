//! Shrinks a value to a simpler one, to make a counterexample small.

mod floats;
mod integers;
mod linked;
mod long;
mod order;
mod rows;
mod short;
mod simpler_text;

use std::vec::IntoIter;

use dodona_target::{Domain, Kind, Type, Value};

pub use linked::{Linked, LinkedCandidate};
use long::Place;
pub use order::simpler;
use rows::{Edit, Elements, Row};

use crate::set::Set;

/// Proposes simpler values, one candidate at a time: numbers nearer to zero (or to the domain's simplest member),
/// shorter sequences before simpler elements, text nearer to `a` and the space.
///
/// Every candidate is in the domain and [`simpler`] than the value, so repeatedly taking candidates must end. A
/// candidate is made only when it is requested, so shrinking a value of any length needs only a few times its memory.
/// For a row of at most 512 elements all candidates are tried, and all again after each candidate that is taken. A
/// longer row is walked over once, and the walk ends when its candidates have reached a bound on their total number
/// of elements.
///
/// ```
/// use dodona_sources::shrink::Shrinker;
/// use dodona_target::{Domain, Scalar, Type, Value};
///
/// let (ty, domain) = (Type::Scalar(Scalar::I32), Domain::default());
/// let mut shrinker = Shrinker::new(ty, &domain, Value::Int(-123_456));
/// // The first candidate that still violates is taken, until none does.
/// while let Some(candidate) = shrinker.candidate() {
///     if matches!(candidate.value(), Value::Int(i) if i.abs() > 1000) {
///         shrinker.take(candidate);
///     }
/// }
/// assert_eq!(shrinker.value(), &Value::Int(1001));
/// ```
#[derive(Clone, Debug)]
pub struct Shrinker<'d> {
    ty: Type,
    domain: &'d Domain,
    value: Value,
    elements: Option<Elements>,
    /// The total number of elements in the candidates of the walk over a long row so far.
    spent: u64,
    /// The bound on `spent`.
    most: u64,
    is_cut: bool,
    next: Next,
}

/// A value to try in place of the shrinker's value.
#[derive(Clone, Debug)]
pub struct ShrinkCandidate {
    value: Value,
    /// The place at which the walk over a long row continues if this candidate is taken.
    taken: Option<Place>,
}

impl ShrinkCandidate {
    /// The value to try.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// The candidates that are tried next.
#[derive(Clone, Debug)]
enum Next {
    Values(IntoIter<Value>),
    Short(Row, IntoIter<Edit>),
    Long(Row, Place),
}

impl<'d> Shrinker<'d> {
    /// Starts with a value. A value of another type than `ty` has no candidates.
    pub fn new(ty: Type, domain: &'d Domain, value: Value) -> Shrinker<'d> {
        let elements = match ty {
            Type::Sequence(s) => Some(Elements::of_sequence(s, domain)),
            Type::Text if domain.texts.is_none() => Some(Elements::of_text(domain)),
            _ => None,
        };
        let next = Next::Values(Vec::new().into_iter());
        let mut shrinker =
            Shrinker { ty, domain, value, elements, spent: 0, most: long::BUDGET, is_cut: false, next };
        shrinker.restart();
        shrinker
    }

    /// The value so far: the candidate that was taken last, or the first value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The next candidate, large simplifications first; `None` if all have been tried, or the walk over a long row
    /// has reached its bound.
    pub fn candidate(&mut self) -> Option<ShrinkCandidate> {
        loop {
            let (value, taken) = self.proposed()?;
            if let Some(value) = value
                && self.domain.contains(self.ty, &value)
                && simpler(&value, &self.value)
            {
                return Some(ShrinkCandidate { value, taken });
            }
        }
    }

    /// Makes a candidate the new value: the last candidate, or an earlier one.
    pub fn take(&mut self, candidate: ShrinkCandidate) {
        self.value = candidate.value;
        match (candidate.taken, Row::of(&self.value)) {
            (Some(place), Some(row)) if row.len() > short::LONGEST => self.next = Next::Long(row, place),
            _ => self.restart(),
        }
    }

    /// Replaces the value by one that was made simpler in another way.
    pub fn set(&mut self, value: Value) {
        self.value = value;
        self.restart();
    }

    /// Whether a walk over a long row has met its bound: there may be a simpler value.
    pub fn met_its_bound(&self) -> bool {
        self.is_cut
    }

    /// Tries the candidates of the value again from the start. Use it when something else has changed, such as
    /// another input, so that a candidate that failed before may succeed now. The budget that a walk over a long row
    /// has spent is not reset.
    pub fn restart(&mut self) {
        let least = self.least();
        self.next = match (&mut self.elements, Row::of(&self.value)) {
            (Some(elements), Some(row)) if row.fits(self.ty) => match row.len() > short::LONGEST {
                true => {
                    elements.forget();
                    Next::Long(row, Place::first())
                }
                false => {
                    elements.list(&row);
                    let edits = short::edits(&row, least, elements).into_iter();
                    Next::Short(row, edits)
                }
            },
            _ => Next::Values(values(self.ty, self.domain, &self.value).into_iter()),
        };
    }

    fn least(&self) -> usize {
        usize::try_from(self.domain.length.map_or(0, |(low, _)| low)).unwrap_or(usize::MAX)
    }

    /// The next value to try, `None` inside if its change does not apply, and the place at which a walk continues if
    /// it is taken.
    fn proposed(&mut self) -> Option<(Option<Value>, Option<Place>)> {
        let least = self.least();
        match (&mut self.next, &self.elements) {
            (Next::Values(values), _) => values.next().map(|value| (Some(value), None)),
            (Next::Short(row, edits), Some(elements)) => Some((row.edited(edits.next()?, elements), None)),
            (Next::Long(row, place), Some(elements)) => {
                self.is_cut |= place.is_cut((self.spent, self.most));
                let step = place.step(row, least, elements, (self.spent, self.most))?;
                *place = step.left;
                self.spent += row.len() as u64;
                Some((row.edited(step.edit, elements), Some(step.taken)))
            }
            (_, None) => None,
        }
    }
}

/// The simpler values in place of a value without elements, simplest first.
fn values(ty: Type, domain: &Domain, value: &Value) -> Vec<Value> {
    match (ty, value) {
        (Type::Scalar(_), Value::Bool(true)) => vec![Value::Bool(false)],
        (Type::Scalar(s), Value::Int(x)) if s.kind() == Kind::Int => {
            integers::candidates(&Set::of_domain(s, domain), *x).into_iter().map(Value::Int).collect()
        }
        (Type::Scalar(s), Value::Float(x)) if s.kind() == Kind::Float => {
            floats::candidates(s, &Set::of_domain(s, domain), *x).into_iter().map(Value::Float).collect()
        }
        (Type::Text, Value::Text(_)) => domain.texts.as_deref().map_or_else(Vec::new, simpler_text::listed),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
