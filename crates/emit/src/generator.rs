//! How a test draws its inputs: computed from the domain and the sampling of each parameter.

use dodona_target::{
    Distribution, Domain, Kind, Number, NumberRange, Parameter, Predicate, Sampling, Scalar, Sequence, Type,
    Value,
};

/// The lengths of sequences and texts if neither domain nor sampling gives any.
const LENGTH: (u64, u64) = (0, 32);

/// If the domain limits the length and the sampling does not, lengths are drawn up to this many above the least
/// allowed one.
const REACH: u64 = 256;

/// How the values of one parameter are drawn.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub(super) shape: Shape,
    /// Values that are drawn more often than by chance, all in the domain.
    pub(super) favoured: Vec<Value>,
    /// How often a favoured value is drawn, in a thousand draws.
    pub(super) share: u32,
    /// Whether drawn values may lie outside the domain, so that each must be tested.
    pub(super) doubtful: bool,
}

/// The kind of value that is drawn.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// One number or Boolean.
    Scalar(Numbers),
    /// A sequence of numbers or Booleans.
    Sequence { elements: Numbers, length: (u64, u64), order: Order },
    /// Text of these characters; `None` means printable ASCII and some other Unicode characters.
    Text { alphabet: Option<Vec<char>>, length: (u64, u64), order: Order },
    /// One of these texts.
    Texts(Vec<String>),
}

/// The conditions of a domain on a sequence as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) sorted: bool,
    pub(super) distinct: bool,
}

/// The set from which numbers are drawn.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// These Booleans.
    Bools(Vec<bool>),
    /// Closed ranges of integers.
    Ints(Vec<(i128, i128)>, Distribution),
    /// Closed ranges of finite floats, or NaN alone; with `single` the floats are rounded to single precision.
    Floats { pieces: Vec<(f64, f64)>, spread: Distribution, single: bool },
}

impl Generator {
    /// The generator of a parameter; `None` where its domain is empty.
    pub(super) fn of(parameter: &Parameter) -> Option<Generator> {
        let Parameter { ty, domain, sampling, .. } = parameter;
        let order = Order {
            sorted: domain.predicates.contains(&Predicate::Sorted),
            distinct: domain.predicates.contains(&Predicate::Distinct),
        };
        let shape = match (ty, &domain.texts) {
            (Type::Scalar(s), _) => Shape::Scalar(numbers(*s, domain, sampling)?),
            (Type::Sequence(s), _) => {
                let elements = numbers(*s, domain, sampling)?;
                Shape::Sequence { elements, length: length(domain, sampling)?, order }
            }
            (Type::Text, Some(texts)) => {
                let inside = |t: &&String| domain.contains_text(t.as_bytes());
                let texts: Vec<String> = texts.iter().filter(inside).cloned().collect();
                (!texts.is_empty()).then_some(Shape::Texts(texts))?
            }
            (Type::Text, None) => {
                let alphabet = alphabet(domain, sampling);
                Shape::Text { alphabet, length: length(domain, sampling)?, order }
            }
        };
        let rate = sampling.favour_rate.unwrap_or(0.125).clamp(0.0, 1.0);
        let doubtful = !domain.numbers.except.is_empty()
            || !domain.predicates.is_empty()
            || ty.scalar() == Some(Scalar::F32) && !domain.numbers.ranges.is_empty();
        let favoured = favoured(*ty, domain, sampling);
        Some(Generator { shape, favoured, share: (rate * 1000.0).round() as u32, doubtful })
    }
}

/// The favoured values of the manifest and the special values of the type, without those outside the domain and
/// without duplicates.
fn favoured(ty: Type, domain: &Domain, sampling: &Sampling) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let special = match ty {
        Type::Scalar(s) => match s.kind() {
            Kind::Bool => Vec::new(),
            Kind::Int => integers(s, domain).into_iter().map(Value::Int).collect(),
            Kind::Float => floats(s, domain).into_iter().map(Value::Float).collect(),
        },
        Type::Text => vec![Value::Text("".into())],
        Type::Sequence(s) => vec![Value::Sequence(match s.kind() {
            Kind::Bool => Sequence::Bool(Vec::new()),
            Kind::Int => Sequence::Int(Vec::new()),
            Kind::Float => Sequence::Float(Vec::new()),
        })],
    };
    for value in sampling.favour.iter().cloned().chain(special) {
        // Values are compared as text, which distinguishes 0.0 from -0.0.
        let is_new = values.iter().all(|v| v.to_string() != value.to_string());
        if domain.contains(ty, &value) && is_new {
            values.push(value);
        }
    }
    values
}

fn integers(scalar: Scalar, domain: &Domain) -> Vec<i128> {
    let (low, high) = scalar.integer_range().unwrap_or((0, 1));
    let ends =
        domain.numbers.ranges.iter().flat_map(|r| [inward(r.low, f64::ceil), inward(r.high, f64::floor)]);
    [0, 1, -1].into_iter().chain(ends.flatten()).chain([low, high]).collect()
}

fn floats(scalar: Scalar, domain: &Domain) -> Vec<f64> {
    let ends = domain.numbers.ranges.iter().flat_map(|r| [r.low.as_f64(), r.high.as_f64()]);
    let limits = match scalar {
        Scalar::F32 => [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)].map(f64::from),
        _ => [f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1)],
    };
    let plain = [0.0, 1.0, 0.5, 2.0, f64::INFINITY].into_iter().chain(limits).flat_map(|x| [x, -x]);
    let single = |x: f64| if scalar == Scalar::F32 { f64::from(x as f32) } else { x };
    plain.chain(ends.map(single)).chain([f64::NAN]).collect()
}

/// A bound as an integer; a bound that is not an integer is rounded by `round`.
fn inward(bound: Number, round: fn(f64) -> f64) -> Option<i128> {
    match bound {
        Number::Int(i) => Some(i),
        Number::Float(x) if x.is_finite() => Some(round(x) as i128),
        Number::Float(_) => None,
    }
}

fn numbers(scalar: Scalar, domain: &Domain, sampling: &Sampling) -> Option<Numbers> {
    let spread = sampling.distribution;
    match scalar.kind() {
        Kind::Bool => {
            let kept: Vec<bool> =
                [false, true].into_iter().filter(|b| domain.numbers.contains_int((*b).into())).collect();
            (!kept.is_empty()).then_some(Numbers::Bools(kept))
        }
        Kind::Int => {
            let (low, high) = scalar.integer_range()?;
            let within = |range: &NumberRange| {
                let least = inward(range.low, f64::ceil).unwrap_or(low).max(low);
                let most = inward(range.high, f64::floor).unwrap_or(high).min(high);
                (least, most)
            };
            let pieces = pieces(&domain.numbers.ranges, sampling.range.as_ref(), (low, high), within);
            (!pieces.is_empty()).then_some(Numbers::Ints(pieces, spread))
        }
        Kind::Float => {
            let single = scalar == Scalar::F32;
            let most = if single { f64::from(f32::MAX) } else { f64::MAX };
            let within = |range: &NumberRange| match range.is_nan() {
                true => (f64::NAN, f64::NAN),
                false => (range.low.as_f64().max(-most), range.high.as_f64().min(most)),
            };
            let pieces = pieces(&domain.numbers.ranges, sampling.range.as_ref(), (-most, most), within);
            (!pieces.is_empty()).then_some(Numbers::Floats { pieces, spread, single })
        }
    }
}

/// The ranges of a domain, or the whole type if the domain has none. If the sampled range overlaps them, only the
/// overlap remains.
fn pieces<T: Copy + PartialOrd>(
    ranges: &[NumberRange],
    sampled: Option<&NumberRange>,
    all: (T, T),
    within: impl Fn(&NumberRange) -> (T, T),
) -> Vec<(T, T)> {
    let whole: Vec<(T, T)> = match ranges {
        [] => vec![all],
        // A range of NaN alone is kept, although comparing its ends gives false.
        ranges => ranges
            .iter()
            .map(|r| (r, within(r)))
            .filter(|(r, (low, high))| r.is_nan() || low <= high)
            .map(|(_, piece)| piece)
            .collect(),
    };
    let Some((low, high)) = sampled.map(within) else { return whole };
    let shared = |&(a, b): &(T, T)| (if a < low { low } else { a }, if high < b { high } else { b });
    let narrow: Vec<(T, T)> = whole.iter().map(shared).filter(|(low, high)| low <= high).collect();
    if narrow.is_empty() { whole } else { narrow }
}

/// The least and greatest length to draw; `None` if the domain allows no length.
fn length(domain: &Domain, sampling: &Sampling) -> Option<(u64, u64)> {
    let (low, high) = domain.length.unwrap_or((0, u64::MAX));
    if low > high {
        return None;
    }
    let sampled = sampling.length.map(|(a, b)| (a.max(low), b.min(high))).filter(|(a, b)| a <= b);
    let own = match domain.length {
        Some(_) => (low, high.min(low.saturating_add(REACH))),
        None => LENGTH,
    };
    Some(sampled.unwrap_or(own))
}

fn alphabet(domain: &Domain, sampling: &Sampling) -> Option<Vec<char>> {
    let no_nul = domain.predicates.contains(&Predicate::NoNul);
    let allowed = domain.alphabet.as_ref();
    let sampled: Option<Vec<char>> = sampling.alphabet.as_ref().map(|chars| {
        let inside = |c: &&char| allowed.is_none_or(|a| a.contains(c)) && !(no_nul && **c == '\0');
        chars.iter().filter(inside).copied().collect()
    });
    sampled.filter(|chars| !chars.is_empty()).or_else(|| allowed.cloned())
}
