//! Domains (where a function is meant to work) and sampling (how source inputs are drawn),
//! kept apart: a domain is a precondition, a sampling is a habit.

use std::ops::RangeInclusive;

use crate::{Sequence, Type, Value};

/// What a parameter's values must satisfy beyond its type: the precondition of the function.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Domain {
    /// What each number must satisfy: the scalar itself, or every element of a sequence.
    pub numbers: Numbers,
    /// The least and greatest length of a sequence or text (in characters), both inside.
    pub length: Option<(u64, u64)>,
    /// The characters that text may hold; `None` is all of Unicode.
    pub alphabet: Option<Vec<char>>,
    /// The only texts allowed, where the manifest lists them.
    pub texts: Option<Vec<String>>,
    /// Predicates that a sequence must satisfy.
    pub predicates: Vec<Predicate>,
}

/// A set of numbers (or Booleans, as 0 and 1).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Numbers {
    /// Closed ranges; a value must be in one of them. Empty means every value of the type. NaN is in [`NumberRange::NAN`]
    /// alone.
    pub ranges: Vec<NumberRange>,
    /// Values that are never allowed, checked after the ranges.
    pub except: Vec<Number>,
    /// Whether NaN is outside the domain. Ranges of numbers exclude NaN by themselves.
    pub exclude_nan: bool,
}

/// An exact integer or a float, as the manifest wrote it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Number {
    Int(i128),
    Float(f64),
}

/// A closed range of numbers. Ranges of Rust are such ranges.
///
/// ```
/// use dodona_target::{Number, NumberRange};
///
/// assert_eq!(NumberRange::from(1..=9), NumberRange { low: Number::Int(1), high: Number::Int(9) });
/// assert_eq!(NumberRange::from(0.5..=1.0).low, Number::Float(0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// The least value, inside.
    pub low: Number,
    /// The greatest value, inside.
    pub high: Number,
}

impl NumberRange {
    /// What holds NaN, and nothing else. There is one NaN, whatever its bits.
    pub const NAN: NumberRange = NumberRange { low: Number::Float(f64::NAN), high: Number::Float(f64::NAN) };

    /// Whether it holds NaN, and nothing else.
    pub fn is_nan(&self) -> bool {
        self.low.as_f64().is_nan() && self.high.as_f64().is_nan()
    }
}

macro_rules! ranges {
    ($($ty:ident $number:expr);*) => {$(
        impl From<RangeInclusive<$ty>> for NumberRange {
            fn from(range: RangeInclusive<$ty>) -> NumberRange {
                NumberRange { low: $number(*range.start()), high: $number(*range.end()) }
            }
        }
    )*};
}

ranges!(
    i8 |x| Number::Int(i128::from(x)); i16 |x| Number::Int(i128::from(x)); i32 |x| Number::Int(i128::from(x));
    i64 |x| Number::Int(i128::from(x)); isize |x| Number::Int(x as i128); u8 |x| Number::Int(i128::from(x));
    u16 |x| Number::Int(i128::from(x)); u32 |x| Number::Int(i128::from(x)); u64 |x| Number::Int(i128::from(x));
    usize |x| Number::Int(x as i128); f32 |x| Number::Float(f64::from(x)); f64 Number::Float
);

/// A named predicate of sequences and text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// Each element is at least the one before it.
    Sorted,
    /// No two elements are equal.
    Distinct,
    /// No NUL character, as C strings require.
    NoNul,
}

impl Predicate {
    /// Every predicate.
    pub const ALL: [Predicate; 3] = [Predicate::Sorted, Predicate::Distinct, Predicate::NoNul];

    /// The name in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Predicate::Sorted => "sorted",
            Predicate::Distinct => "distinct",
            Predicate::NoNul => "no-nul",
        }
    }
}

/// The float nearest to an integer.
///
/// The conversion of 128 bits is a call of a library, and took a twentieth of a discovery. Nearly all integers fit in 64 bits, whose
/// conversion is an instruction.
///
/// ```
/// use dodona_target::nearest_float;
/// assert_eq!(nearest_float(-3), -3.0);
/// assert_eq!(nearest_float(i128::MAX), 2f64.powi(127));
/// ```
pub fn nearest_float(i: i128) -> f64 {
    i64::try_from(i).map_or_else(|_| i as f64, |small| small as f64)
}

impl Number {
    /// As a float, rounded to nearest for large integers.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(i) => nearest_float(i),
            Number::Float(x) => x,
        }
    }
}

impl Numbers {
    /// Whether an integer is inside.
    pub fn contains_int(&self, x: i128) -> bool {
        let at_least = |bound: Number| match bound {
            Number::Int(b) => x >= b,
            Number::Float(b) => nearest_float(x) >= b,
        };
        let at_most = |bound: Number| match bound {
            Number::Int(b) => x <= b,
            Number::Float(b) => nearest_float(x) <= b,
        };
        (self.ranges.is_empty() || self.ranges.iter().any(|r| at_least(r.low) && at_most(r.high)))
            && !self.except.iter().any(|e| match *e {
                Number::Int(e) => e == x,
                Number::Float(e) => e == nearest_float(x),
            })
    }

    /// Whether a float is inside.
    pub fn contains_float(&self, x: f64) -> bool {
        if x.is_nan() {
            return self.contains_nan();
        }
        (self.ranges.is_empty() || self.ranges.iter().any(|r| r.low.as_f64() <= x && x <= r.high.as_f64()))
            && !self.except.iter().any(|e| e.as_f64() == x)
    }

    /// Whether NaN is inside.
    pub fn contains_nan(&self) -> bool {
        !self.exclude_nan && (self.ranges.is_empty() || self.ranges.iter().any(NumberRange::is_nan))
    }

    /// The ends of the only range, if nothing else is said of floats: then two comparisons tell whether one is inside, and NaN is not.
    pub fn only_range(&self) -> Option<(f64, f64)> {
        match self.ranges[..] {
            [range] if self.except.is_empty() && !range.is_nan() => {
                Some((range.low.as_f64(), range.high.as_f64()))
            }
            _ => None,
        }
    }

    /// Whether every value of the type is inside.
    pub fn is_everything(&self) -> bool {
        self.ranges.is_empty() && self.except.is_empty() && !self.exclude_nan
    }
}

/// Whether all characters are of an alphabet. Those of ASCII, which are most, are looked up in a set of bits.
fn all_of(text: &str, alphabet: &[char]) -> bool {
    let bit = |c: char| if c.is_ascii() { 1u128 << (c as u32) } else { 0 };
    let ascii = alphabet.iter().fold(0, |set, c| set | bit(*c));
    text.chars().all(|c| if c.is_ascii() { ascii & bit(c) != 0 } else { alphabet.contains(&c) })
}

fn distinct<T>(items: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    items.iter().enumerate().all(|(i, a)| items[..i].iter().all(|b| !same(a, b)))
}

impl Domain {
    /// Sequences and texts of one length.
    pub fn of_length(length: u64) -> Domain {
        Domain { length: Some((length, length)), ..Domain::default() }
    }

    /// Numbers that are not zero.
    pub fn without_zero() -> Domain {
        let numbers = Numbers { except: vec![Number::Int(0)], ..Numbers::default() };
        Domain { numbers, ..Domain::default() }
    }

    /// The numbers that stand for an ordering: -1, 0 and 1.
    pub fn of_signs() -> Domain {
        let range = NumberRange { low: Number::Int(-1), high: Number::Int(1) };
        Domain { numbers: Numbers { ranges: vec![range], ..Numbers::default() }, ..Domain::default() }
    }

    /// Whether every value of the type is inside.
    pub fn is_everything(&self) -> bool {
        self.numbers.is_everything()
            && self.length.is_none()
            && self.alphabet.is_none()
            && self.texts.is_none()
            && self.predicates.is_empty()
    }

    /// Whether a value is one of the parameter's type and of this domain.
    ///
    /// A float stands for the `f32` nearest to it, which is the one that has to be in the domain; beyond all of them it stands
    /// for none.
    pub fn contains(&self, ty: Type, value: &Value) -> bool {
        match (ty, value) {
            (Type::Scalar(s), Value::Bool(b)) => {
                s.kind() == crate::Kind::Bool && self.numbers.contains_int((*b).into())
            }
            (Type::Scalar(s), Value::Int(x)) => self.contains_int(s, *x),
            (Type::Scalar(s), Value::Float(x)) => self.contains_float(s, *x),
            (Type::Text, Value::Text(t)) => self.contains_text(t),
            (Type::Sequence(s), Value::Sequence(items)) => match items {
                Sequence::Bool(v) => self.contains_bools(v),
                Sequence::Int(v) => self.contains_ints(s, v),
                Sequence::Float(v) => self.contains_floats(s, v),
            },
            _ => false,
        }
    }

    /// [`Domain::contains`] for an integer scalar.
    pub fn contains_int(&self, scalar: crate::Scalar, x: i128) -> bool {
        scalar.integer_range().is_some_and(|(low, high)| low <= x && x <= high)
            && self.numbers.contains_int(x)
    }

    /// [`Domain::contains`] for a float scalar.
    pub fn contains_float(&self, scalar: crate::Scalar, x: f64) -> bool {
        match scalar {
            crate::Scalar::F64 => self.numbers.contains_float(x),
            crate::Scalar::F32 => {
                let single = x as f32;
                (single.is_finite() || !x.is_finite()) && self.numbers.contains_float(single.into())
            }
            _ => false,
        }
    }

    /// [`Domain::contains`] for a sequence of Booleans.
    pub fn contains_bools(&self, v: &[bool]) -> bool {
        self.contains_length(v.len())
            && v.iter().all(|b| self.numbers.contains_int((*b).into()))
            && self.predicates.iter().all(|p| match p {
                Predicate::Sorted => v.is_sorted(),
                Predicate::Distinct => distinct(v, |a, b| a == b),
                Predicate::NoNul => true,
            })
    }

    /// [`Domain::contains`] for a sequence of integers.
    pub fn contains_ints(&self, scalar: crate::Scalar, v: &[i128]) -> bool {
        self.contains_length(v.len())
            && self.contains_each_int(scalar, v)
            && self.predicates.iter().all(|p| match p {
                Predicate::Sorted => v.is_sorted(),
                Predicate::Distinct => distinct(v, |a, b| a == b),
                Predicate::NoNul => !v.contains(&0),
            })
    }

    /// [`Domain::contains_int`] for each of these. What the domain says of numbers is asked once: mostly nothing, and then only the
    /// type limits them.
    fn contains_each_int(&self, scalar: crate::Scalar, v: &[i128]) -> bool {
        let Some((low, high)) = scalar.integer_range() else { return v.is_empty() };
        // No early exit: its branch would cost more than the few comparisons that it saves.
        let width = high.wrapping_sub(low) as u128;
        let are_of_type = v.iter().fold(true, |inside, x| inside & (x.wrapping_sub(low) as u128 <= width));
        let allows_all = self.numbers.ranges.is_empty() && self.numbers.except.is_empty();
        are_of_type && (allows_all || v.iter().all(|x| self.numbers.contains_int(*x)))
    }

    /// [`Domain::contains`] for a sequence of floats.
    pub fn contains_floats(&self, scalar: crate::Scalar, v: &[f64]) -> bool {
        let is_inside = self.contains_length(v.len()) && v.iter().all(|x| self.contains_float(scalar, *x));
        if scalar == crate::Scalar::F32 && is_inside && !self.predicates.is_empty() {
            // Two floats may stand for one `f32`.
            let singles: Vec<f64> = v.iter().map(|x| f64::from(*x as f32)).collect();
            return self.satisfies(&singles);
        }
        is_inside && self.satisfies(v)
    }

    fn satisfies(&self, v: &[f64]) -> bool {
        self.predicates.iter().all(|p| match p {
            Predicate::Sorted => v.is_sorted(),
            Predicate::Distinct => distinct(v, |a, b| crate::same_float(*a, *b)),
            Predicate::NoNul => true,
        })
    }

    /// [`Domain::contains`] for text: valid UTF-8, of a length in characters and an alphabet inside.
    pub fn contains_text(&self, bytes: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(bytes) else { return false };
        (self.length.is_none() || self.contains_length(text.chars().count()))
            && self.alphabet.as_ref().is_none_or(|a| all_of(text, a))
            && self.texts.as_ref().is_none_or(|t| t.iter().any(|t| t == text))
            && self.predicates.iter().all(|p| match p {
                Predicate::Sorted => text.chars().is_sorted(),
                Predicate::Distinct => distinct(&text.chars().collect::<Vec<_>>(), |a, b| a == b),
                Predicate::NoNul => !text.contains('\0'),
            })
    }

    fn contains_length(&self, n: usize) -> bool {
        self.length.is_none_or(|(low, high)| low <= n as u64 && n as u64 <= high)
    }
}

/// How source inputs of one parameter are drawn. Everything drawn is also in the domain.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sampling {
    /// Where numbers (or elements) are drawn from; `None` is the domain's ranges, else the type's.
    pub range: Option<NumberRange>,
    /// How numbers spread over the range.
    pub distribution: Distribution,
    /// Lengths of sequences and text; `None` is the domain's, else 0 to 32.
    pub length: Option<(u64, u64)>,
    /// Characters of text; `None` is the domain's, else printable ASCII with some of all Unicode.
    pub alphabet: Option<Vec<char>>,
    /// Whole values that come up more often than chance, besides the type's own special values.
    pub favour: Vec<Value>,
    /// The share of samples, in 0 to 1, taken from favoured and special values; `None` is 1/8.
    pub favour_rate: Option<f64>,
}

/// How numbers spread over their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Distribution {
    /// Half uniform over the range, half uniform over magnitudes: small numbers come up as often as large ones.
    #[default]
    Mixed,
    /// Uniform over the range.
    Uniform,
    /// Uniform over magnitudes (logarithmic), either sign.
    Logarithmic,
}

impl Distribution {
    /// Every distribution.
    pub const ALL: [Distribution; 3] =
        [Distribution::Mixed, Distribution::Uniform, Distribution::Logarithmic];

    /// The name in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Distribution::Mixed => "mixed",
            Distribution::Uniform => "uniform",
            Distribution::Logarithmic => "logarithmic",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;

    const INTEGERS: [i128; 10] = [
        i128::MIN,
        -(1 << 31) - 1,
        -(1 << 31),
        -1,
        0,
        7,
        (1 << 31) - 1,
        1 << 31,
        u64::MAX as i128,
        i128::MAX,
    ];
    const FLOATS: [f64; 9] = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.0, 7.0, 7.5, f64::INFINITY, f64::NAN];

    fn numbers(ranges: &[NumberRange], except: &[Number]) -> Domain {
        let numbers = Numbers { ranges: ranges.to_vec(), except: except.to_vec(), exclude_nan: false };
        Domain { numbers, ..Domain::default() }
    }

    fn some() -> Vec<Domain> {
        let (range, one) = (NumberRange::from(-1..=7), Number::Int(1));
        vec![
            Domain::default(),
            numbers(&[range], &[]),
            numbers(&[range], &[one]),
            numbers(&[], &[Number::Float(0.0)]),
            numbers(&[range, NumberRange::NAN], &[]),
            numbers(&[NumberRange::NAN], &[]),
        ]
    }

    #[test]
    fn a_sequence_is_inside_if_each_of_its_integers_is() {
        for (domain, scalar) in
            some().iter().flat_map(|d| [Scalar::I32, Scalar::U64, Scalar::F64].map(|s| (d, s)))
        {
            for x in INTEGERS {
                let inside = domain.contains_int(scalar, x);
                assert_eq!(domain.contains_ints(scalar, &[x]), inside, "{domain:?} {scalar:?} {x}");
                assert_eq!(domain.contains_ints(scalar, &[0, x]), inside && domain.contains_int(scalar, 0));
            }
            assert!(domain.contains_ints(scalar, &[]));
        }
    }

    #[test]
    fn the_only_range_says_what_the_domain_says() {
        let with_range = |domain: &Domain| domain.numbers.only_range();
        for domain in some() {
            let Some((low, high)) = with_range(&domain) else { continue };
            assert!(
                FLOATS.iter().all(|x| domain.contains_float(Scalar::F64, *x) == (low <= *x && *x <= high))
            );
        }
        assert_eq!(some().iter().filter_map(with_range).collect::<Vec<_>>(), [(-1.0, 7.0)]);
    }
}
