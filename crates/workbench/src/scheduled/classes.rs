//! The classes of the values of one variable.

use dodona_target::{Domain, Kind, Number, NumberRange, Sampling, Scalar, Type, Value};

/// Up to so many values that a domain lists are classes of their own. More than that are numbers or texts like any others.
const MOST_CHOICES: usize = 5;

/// Numbers up to the square root of the greatest are small, which is the middle of their magnitudes, and so are about half of those that are drawn by magnitude.
/// No number above this one is small, however large the greatest: the sizes, counts and prices of people lie below it.
const LARGEST_SMALL: f64 = 65_536.0;

/// The greatest length of sequences and texts where neither domain nor sampling says one: the sampler's.
const USUAL_LENGTH: u64 = 32;

/// A class of values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Class {
    False,
    True,
    Negative,
    Zero,
    Small,
    Large,
    NotANumber,
    Empty,
    /// A sequence of one element.
    One,
    /// A sequence of few elements, or a short text.
    Short,
    /// A sequence of many elements, or a long text.
    Long,
    NonAscii,
    /// One of the values that the domain lists.
    Choice(Value),
}

impl Class {
    pub(super) fn name(&self) -> String {
        match self {
            Class::False => "false".into(),
            Class::True => "true".into(),
            Class::Negative => "negative".into(),
            Class::Zero => "zero".into(),
            Class::Small => "small".into(),
            Class::Large => "large".into(),
            Class::NotANumber => "NaN".into(),
            Class::Empty => "empty".into(),
            Class::One => "one".into(),
            Class::Short => "short".into(),
            Class::Long => "long".into(),
            Class::NonAscii => "non-ASCII".into(),
            Class::Choice(value) => value.to_string(),
        }
    }
}

/// The classes that the values of a variable can be in, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Classes {
    pub(super) all: Vec<Class>,
    /// The greatest number that is small, or the greatest length that is short.
    limit: f64,
}

impl Classes {
    /// The classes of the values of a type and a domain that are sampled.
    pub(super) fn of(ty: Type, domain: &Domain, sampling: &Sampling) -> Classes {
        let choices = choices(ty, domain);
        if (2..=MOST_CHOICES).contains(&choices.len()) {
            return Classes { all: choices.into_iter().map(Class::Choice).collect(), limit: 0.0 };
        }
        match ty {
            Type::Scalar(scalar) if scalar.kind() == Kind::Bool => {
                let inside = |(value, _): &(bool, Class)| domain.contains(ty, &Value::Bool(*value));
                let both = [(false, Class::False), (true, Class::True)].into_iter();
                Classes { all: both.filter(inside).map(|(_, class)| class).collect(), limit: 0.0 }
            }
            Type::Scalar(scalar) => numbers(scalar, domain, sampling),
            Type::Text | Type::Sequence(_) => lengths(ty, domain, sampling),
        }
    }

    /// The class of a value, as an index. A value outside the domain is in the last one.
    pub(super) fn index(&self, value: &Value) -> usize {
        let class = |class: &Class| self.is_in(class, value);
        self.all.iter().position(class).unwrap_or(self.all.len().saturating_sub(1))
    }

    fn is_in(&self, class: &Class, value: &Value) -> bool {
        let length = match value {
            Value::Text(text) => String::from_utf8_lossy(text).chars().count() as f64,
            Value::Sequence(items) => items.len() as f64,
            _ => -1.0,
        };
        let is_ascii = !matches!(value, Value::Text(text) if !text.is_ascii());
        let number = match value {
            Value::Int(x) => *x as f64,
            Value::Float(x) => *x,
            _ => f64::NAN,
        };
        match class {
            Class::False => *value == Value::Bool(false),
            Class::True => *value == Value::Bool(true),
            Class::Negative => number < 0.0,
            Class::Zero => number == 0.0,
            Class::Small => number > 0.0 && number <= self.limit,
            Class::Large => number > self.limit,
            Class::NotANumber => matches!(value, Value::Float(x) if x.is_nan()),
            Class::Empty => length == 0.0,
            Class::One => length == 1.0,
            Class::Short => length > 0.0 && length <= self.limit && is_ascii,
            Class::Long => length > self.limit && is_ascii,
            Class::NonAscii => !is_ascii,
            Class::Choice(choice) => choice == value,
        }
    }
}

/// The values that a domain lists one by one; empty where it has ranges.
fn choices(ty: Type, domain: &Domain) -> Vec<Value> {
    if let (Type::Text, Some(texts)) = (ty, &domain.texts) {
        return texts.iter().map(|text| Value::Text(text.as_str().into())).collect();
    }
    let Type::Scalar(scalar) = ty else { return Vec::new() };
    let single = |range: &NumberRange| match (range.low, range.high) {
        (Number::Int(low), Number::Int(high)) if low == high && scalar.kind() == Kind::Int => {
            Some(Value::Int(low))
        }
        (low, high) if low.as_f64() == high.as_f64() && scalar.kind() == Kind::Float => {
            Some(Value::Float(low.as_f64()))
        }
        _ => None,
    };
    let all: Option<Vec<Value>> = domain.numbers.ranges.iter().map(single).collect();
    all.unwrap_or_default()
}

fn numbers(scalar: Scalar, domain: &Domain, sampling: &Sampling) -> Classes {
    let of_type = match (scalar.integer_range(), scalar) {
        (Some((low, high)), _) => NumberRange { low: Number::Int(low), high: Number::Int(high) },
        (None, Scalar::F32) => NumberRange::from(f32::MIN..=f32::MAX),
        (None, _) => NumberRange::from(f64::MIN..=f64::MAX),
    };
    let ranges: Vec<NumberRange> = match (&sampling.range, domain.numbers.ranges.as_slice()) {
        (Some(range), _) => vec![*range],
        (None, []) => vec![of_type],
        (None, ranges) => ranges.to_vec(),
    };
    let ends = ranges.iter().filter(|range| !range.is_nan()).map(|r| (r.low.as_f64(), r.high.as_f64()));
    let (least, greatest) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), (low, high)| (a.min(low), b.max(high)));
    let limit = greatest.max(0.0).sqrt().min(LARGEST_SMALL);
    let has_zero = ranges.iter().any(|range| range.low.as_f64() <= 0.0 && 0.0 <= range.high.as_f64())
        && domain.numbers.contains_float(0.0);
    let present = [
        (least < 0.0, Class::Negative),
        (has_zero, Class::Zero),
        (greatest > 0.0 && least <= limit, Class::Small),
        (greatest > limit && greatest > 0.0, Class::Large),
        (scalar.kind() == Kind::Float && domain.numbers.contains_nan(), Class::NotANumber),
    ];
    Classes { all: only(present), limit }
}

fn lengths(ty: Type, domain: &Domain, sampling: &Sampling) -> Classes {
    let (low, high) = sampling.length.or(domain.length).unwrap_or((0, USUAL_LENGTH));
    let limit = high.isqrt().max(2);
    let (has_short, has_long) = (high > 0 && low <= limit, high > limit);
    let all = match ty {
        Type::Text => {
            let alphabet = sampling.alphabet.as_ref().or(domain.alphabet.as_ref());
            let has_ascii = alphabet.is_none_or(|all| all.iter().any(char::is_ascii));
            let has_others = alphabet.is_none_or(|all| !all.iter().all(char::is_ascii));
            only([
                (low == 0, Class::Empty),
                (has_short && has_ascii, Class::Short),
                (has_long && has_ascii, Class::Long),
                (has_others && high > 0, Class::NonAscii),
            ])
        }
        _ => only([
            (low == 0, Class::Empty),
            (low <= 1 && high >= 1, Class::One),
            (has_short && high >= 2, Class::Short),
            (has_long, Class::Long),
        ]),
    };
    Classes { all, limit: limit as f64 }
}

fn only<const N: usize>(present: [(bool, Class); N]) -> Vec<Class> {
    present.into_iter().filter(|(is_there, _)| *is_there).map(|(_, class)| class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(ty: &str, domain: &Domain) -> Vec<String> {
        let classes = Classes::of(ty.parse().expect("a type"), domain, &Sampling::default());
        classes.all.iter().map(Class::name).collect()
    }

    fn within(range: impl Into<NumberRange>) -> Domain {
        let mut domain = Domain::default();
        domain.numbers.ranges.push(range.into());
        domain
    }

    #[test]
    fn classes_are_those_of_the_type() {
        let all = Domain::default();
        assert_eq!(classes("bool", &all), ["false", "true"]);
        assert_eq!(classes("i32", &all), ["negative", "zero", "small", "large"]);
        assert_eq!(classes("u8", &all), ["zero", "small", "large"]);
        assert_eq!(classes("f64", &all), ["negative", "zero", "small", "large", "NaN"]);
        assert_eq!(classes("text", &all), ["empty", "short", "long", "non-ASCII"]);
        assert_eq!(classes("[i32]", &all), ["empty", "one", "short", "long"]);
    }

    #[test]
    fn classes_keep_to_the_domain() {
        assert_eq!(classes("i32", &within(1..=100_i32)), ["small", "large"]);
        assert_eq!(classes("i32", &within(-9..=-1_i32)), ["negative"]);
        assert_eq!(classes("i32", &within(50..=100_i32)), ["large"]);
        assert_eq!(classes("f64", &Domain::without_zero()), ["negative", "small", "large", "NaN"]);
        assert_eq!(classes("[u8]", &Domain { length: Some((1, 2)), ..Domain::default() }), ["one", "short"]);
        let plain = Domain { alphabet: Some(vec!['a', 'b']), ..Domain::default() };
        assert_eq!(classes("text", &plain), ["empty", "short", "long"]);
    }

    #[test]
    fn what_a_domain_lists_are_classes() {
        let mut domain = within(7..=7_i32);
        domain.numbers.ranges.push((9..=9_i32).into());
        assert_eq!(classes("i32", &domain), ["7", "9"]);
        let texts = Domain { texts: Some(vec!["on".into(), "off".into()]), ..Domain::default() };
        assert_eq!(classes("text", &texts), [r#""on""#, r#""off""#]);
    }

    #[test]
    fn a_value_is_in_its_class() {
        let of = |ty: &str, value: Value| {
            let classes = Classes::of(ty.parse().expect("a type"), &Domain::default(), &Sampling::default());
            classes.all[classes.index(&value)].name()
        };
        assert_eq!(of("i32", Value::Int(-1)), "negative");
        assert_eq!(of("i32", Value::Int(46_340)), "small");
        assert_eq!(of("i32", Value::Int(46_341)), "large");
        assert_eq!(of("f64", Value::Float(f64::INFINITY)), "large");
        assert_eq!(of("f64", Value::Float(-0.0)), "zero");
        assert_eq!(of("f64", Value::Float(f64::NAN)), "NaN");
        assert_eq!(of("text", Value::Text("äb".into())), "non-ASCII");
        assert_eq!(of("text", Value::Text("abcdef".into())), "long");
        assert_eq!(of("u8", Value::Int(-4)), "large", "what is outside the domain is in the last class");
    }
}
