//! What the inputs of a test are drawn from: the domain and the sampling of a parameter, worked out.

use dodona_subject::{
    Distribution, Domain, Kind, Number, NumberRange, Parameter, Predicate, Sampling, Scalar, Sequence, Type,
    Value,
};

/// How long sequences and texts are where nothing says it.
const LENGTH: (u64, u64) = (0, 32);

/// How far past the least length drawn ones go where the domain alone says it.
const REACH: u64 = 256;

/// What one parameter's values are drawn from.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub(super) shape: Shape,
    /// Values that come up more often than chance, all in the domain.
    pub(super) favoured: Vec<Value>,
    /// Their share in a thousand.
    pub(super) share: u32,
    /// Whether what is drawn may lie outside the domain and has to be tested.
    pub(super) doubtful: bool,
}

/// The form of what is drawn.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// One number or Boolean.
    Scalar(Numbers),
    /// A sequence of them.
    Sequence { elements: Numbers, length: (u64, u64), order: Order },
    /// Text of these characters; `None` is ASCII that can be printed with some of all Unicode.
    Text { alphabet: Option<Vec<char>>, length: (u64, u64), order: Order },
    /// One of these texts.
    Texts(Vec<String>),
}

/// What a domain says of elements together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) sorted: bool,
    pub(super) distinct: bool,
}

/// Where numbers are drawn from.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// These Booleans.
    Bools(Vec<bool>),
    /// Closed ranges of integers.
    Ints(Vec<(i128, i128)>, Distribution),
    /// Closed ranges of finite floats, or of NaN alone; `single` where they are rounded to single precision.
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

/// Favoured values of the manifest and special ones of the type, each in the domain and once.
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
        // Their text tells the two zeros apart.
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

/// A bound as an integer, rounded by `round` where it is none.
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

/// The ranges of a domain, or all of the type; where a sampled range meets them, only what they share.
fn pieces<T: Copy + PartialOrd>(
    ranges: &[NumberRange],
    sampled: Option<&NumberRange>,
    all: (T, T),
    within: impl Fn(&NumberRange) -> (T, T),
) -> Vec<(T, T)> {
    let whole: Vec<(T, T)> = match ranges {
        [] => vec![all],
        // The range of NaN compares with nothing, and is kept.
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

/// The lengths to draw; `None` where the domain has none.
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
