//! Values that two parameters accept: the intersection of domains, and of sampling habits.

use std::cmp::Ordering;

use crate::{Domain, Kind, Number, NumberRange, Numbers, Sampling, Scalar, Type};

impl Domain {
    /// The values that lie in both domains. `None` if a key alone shows that there is none besides the empty sequence or text;
    /// an empty domain may also be returned, for example if a range contains no integer.
    ///
    /// ```
    /// use dodona_target::{Domain, Number, NumberRange, Numbers, Scalar, Type, Value};
    ///
    /// let range = |low, high| NumberRange { low: Number::Int(low), high: Number::Int(high) };
    /// let domain = |ranges| Domain { numbers: Numbers { ranges, ..Numbers::default() }, ..Domain::default() };
    /// let both = domain(vec![range(0, 9), range(20, 30)]).intersection(&domain(vec![range(5, 25)])).expect("meet");
    /// assert_eq!(both.numbers.ranges, [range(5, 9), range(20, 25)]);
    /// assert!(domain(vec![range(0, 4)]).intersection(&domain(vec![range(5, 9)])).is_none());
    /// ```
    pub fn intersection(&self, other: &Domain) -> Option<Domain> {
        let mut numbers = self.numbers.clone();
        numbers.ranges = ranges(&self.numbers.ranges, &other.numbers.ranges)?;
        numbers.except.extend(other.numbers.except.iter().filter(|e| !self.numbers.except.contains(e)));
        numbers.exclude_nan |= other.numbers.exclude_nan;
        let texts = common(self.texts.as_ref(), other.texts.as_ref());
        let alphabet = common(self.alphabet.as_ref(), other.alphabet.as_ref());
        if texts.as_ref().is_some_and(Vec::is_empty) || alphabet.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        let mut predicates = self.predicates.clone();
        predicates.extend(other.predicates.iter().filter(|p| !self.predicates.contains(p)));
        Some(Domain { numbers, length: length(self.length, other.length)?, alphabet, texts, predicates })
    }

    /// The values of a type `ty` that, passed for a parameter of the type `parameter` with this domain, lie in it. `None` as
    /// for [`Domain::intersection`]. That only whole floats can be passed for integers, is not expressed.
    pub fn seen_from(&self, ty: Type, parameter: Type) -> Option<Domain> {
        let mut seen = self.clone();
        let (Some(from), Some(to)) = (ty.scalar(), parameter.scalar()) else { return Some(seen) };
        if from == to {
            return Some(seen);
        }
        if to.kind() == Kind::Float {
            // An excepted float excepts every integer that is rounded to it.
            seen.numbers.except.iter_mut().for_each(|except| *except = Number::Float(except.as_f64()));
        }
        seen.numbers.ranges = match to {
            Scalar::F32 => non_empty(rounded(&self.numbers))?,
            _ => limited(self, to)?,
        };
        Some(seen)
    }
}

impl Sampling {
    /// A sampling within both habits where they meet; where they do not, this one.
    #[must_use]
    pub fn intersection(&self, other: &Sampling) -> Sampling {
        let range = match (self.range, other.range) {
            (Some(a), Some(b)) => meet(a, b).or(Some(a)),
            (a, b) => a.or(b),
        };
        let alphabet = common(self.alphabet.as_ref(), other.alphabet.as_ref());
        let mut favour = self.favour.clone();
        favour.extend(other.favour.iter().filter(|v| !self.favour.contains(v)).cloned());
        Sampling {
            range,
            distribution: self.distribution,
            length: length(self.length, other.length).unwrap_or(self.length),
            alphabet: alphabet.filter(|a| !a.is_empty()).or_else(|| self.alphabet.clone()),
            favour,
            favour_rate: self.favour_rate.or(other.favour_rate),
        }
    }
}

/// The numbers that lie in a range of each list; an empty list is all numbers. `None` if there are none.
fn ranges(a: &[NumberRange], b: &[NumberRange]) -> Option<Vec<NumberRange>> {
    match (a, b) {
        ([], ranges) | (ranges, []) => Some(ranges.to_vec()),
        _ => non_empty(a.iter().flat_map(|a| b.iter().filter_map(|b| meet(*a, *b))).collect()),
    }
}

fn non_empty<T>(items: Vec<T>) -> Option<Vec<T>> {
    (!items.is_empty()).then_some(items)
}

fn meet(a: NumberRange, b: NumberRange) -> Option<NumberRange> {
    if a.is_nan() || b.is_nan() {
        return (a.is_nan() && b.is_nan()).then_some(a);
    }
    let low = if order(a.low, b.low).is_lt() { b.low } else { a.low };
    let high = if order(a.high, b.high).is_gt() { b.high } else { a.high };
    order(low, high).is_le().then_some(NumberRange { low, high })
}

/// The order of two bounds. Of an integer and a float that are equal up to rounding, the integer decides more strictly.
fn order(a: Number, b: Number) -> Ordering {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(&b),
        (a, b) => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// The lengths in both ranges. The outer `None` says that there are none.
#[allow(clippy::option_option, reason = "a domain without a range of lengths has every length")]
fn length(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> Option<Option<(u64, u64)>> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let (low, high) = (a.0.max(b.0), a.1.min(b.1));
            (low <= high).then_some(Some((low, high)))
        }
        (a, b) => Some(a.or(b)),
    }
}

/// The members of both lists, in the order of the first; `None` is everything.
fn common<T: PartialEq + Clone>(a: Option<&Vec<T>>, b: Option<&Vec<T>>) -> Option<Vec<T>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.iter().filter(|item| b.contains(item)).cloned().collect()),
        (a, b) => a.or(b).cloned(),
    }
}

/// The ranges of a domain within a type of integers or Booleans; `None` if no member is left.
fn limited(domain: &Domain, scalar: Scalar) -> Option<Vec<NumberRange>> {
    let (low, high) = match scalar.kind() {
        Kind::Float => return Some(domain.numbers.ranges.clone()),
        Kind::Bool => (0, 1),
        Kind::Int => scalar.integer_range()?,
    };
    ranges(&domain.numbers.ranges, &[NumberRange { low: Number::Int(low), high: Number::Int(high) }])
}

/// The ranges of numbers that are rounded to an `f32` of a domain: of those that lie in a range too, because those
/// beyond its ends may be rounded into it or not. Between the greatest `f32` and infinity, there is no number that an
/// `f32` stands for. Between an excepted `f32` and the next ones, numbers may be rounded to it.
fn rounded(numbers: &Numbers) -> Vec<NumberRange> {
    let float = |low: f64, high: f64| NumberRange { low: Number::Float(low), high: Number::Float(high) };
    let most = f64::from(f32::MAX);
    let infinity = f64::INFINITY;
    let all = [float(-infinity, -infinity), float(-most, most), float(infinity, infinity), NumberRange::NAN];
    let inner = |range: NumberRange| {
        if range.is_nan() {
            return Some(range);
        }
        let (low, high) = (range.low.as_f64(), range.high.as_f64());
        let up = |x: f32| if f64::from(x) < low { x.next_up() } else { x };
        let down = |x: f32| if f64::from(x) > high { x.next_down() } else { x };
        let (low, high) = (f64::from(up(low as f32)), f64::from(down(high as f32)));
        (low <= high).then(|| float(low, high))
    };
    let within = ranges(&numbers.ranges, &all).unwrap_or_default();
    let mut found: Vec<NumberRange> = within.into_iter().filter_map(inner).collect();
    for except in &numbers.except {
        if found.is_empty() {
            break;
        }
        let single = except.as_f64() as f32;
        let beside = [
            float(-infinity, f64::from(single.next_down())),
            float(f64::from(single.next_up()), infinity),
            NumberRange::NAN,
        ];
        found = ranges(&found, &beside).unwrap_or_default();
    }
    found
}
