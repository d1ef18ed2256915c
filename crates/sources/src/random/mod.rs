//! Source inputs drawn at random from a domain.

mod empty_domain;
mod lengths;
mod line;
mod marks;
mod sequences;
mod span;
mod special;
mod text;

use dodona_target::{
    Column, Domain, Kind, Number, NumberRange, Numbers, Ragged, Sampling, Scalar, Sequence, SequenceColumn,
    Type, Value, nearest_float,
};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) use empty_domain::Empty;
pub use empty_domain::EmptyDomain;
use line::Line;
use sequences::Sequences;
use span::{Floats, Integers};
use text::Texts;

use crate::set::Grid;

/// Draws the source inputs of one parameter.
///
/// All drawn values lie in the domain. A share of the rows (the sampling's favour rate, 1/8 by default) takes
/// favoured and special values: zero, one, the ends of ranges and of the type, numbers around powers of two and of ten; for
/// floats also both zeros, subnormals, and, if nothing bounds the values, infinities and NaN; for sequences the empty
/// sequence, and sequences that are all equal, sorted, reversed or have duplicates; for text the empty text, spaces,
/// digits, characters of several bytes, and characters that end lines and texts, have no width, combine, grow or shrink
/// when their case is changed, or are the first or last of their kind. The other rows follow the [`dodona_target::Distribution`].
///
/// * Each range that the domain lists is drawn from equally often, whatever its width.
/// * A sampled range, length or alphabet outside the domain is ignored, because the domain takes precedence.
///   A favoured value outside the domain is ignored too.
/// * If only the domain gives lengths, drawn lengths are at most 256 above the least.
/// * In a float range that contains zero and reaches M, drawn magnitudes start at min(M, 1/M) / 2^20.
#[derive(Clone, Debug)]
pub struct Sampler {
    drawn: Drawn,
    /// Whether drawn integers become floats.
    are_floats: bool,
}

#[derive(Clone, Debug)]
enum Drawn {
    Bool(Line<Integers>),
    Int(Line<Integers>),
    Float(Line<Floats>),
    Bools(Sequences<Integers>),
    Ints(Sequences<Integers>),
    Floats(Sequences<Floats>),
    Text(Texts),
}

impl Sampler {
    /// A sampler for a parameter of this type, domain and sampling.
    ///
    /// # Errors
    /// [`EmptyDomain`] when no value of the type is in the domain; it names the keys of the manifest that leave the
    /// domain empty.
    pub fn new(ty: Type, domain: &Domain, sampling: &Sampling) -> Result<Sampler, EmptyDomain> {
        let favoured = favoured(ty, domain, sampling);
        let empty = |scalar| EmptyDomain(Empty::numbers(scalar, domain));
        let drawn = match ty {
            Type::Text => Drawn::Text(texts(domain, sampling, favoured)?),
            Type::Scalar(s) => match s.kind() {
                Kind::Float => Drawn::Float(floats(s, domain, sampling, favoured).ok_or_else(|| empty(s))?),
                kind => {
                    let mut line = Line::of(s, domain, sampling).ok_or_else(|| empty(s))?;
                    line.favour(favoured.iter().filter_map(integer).collect());
                    if kind == Kind::Bool { Drawn::Bool(line) } else { Drawn::Int(line) }
                }
            },
            Type::Sequence(s) => match s.kind() {
                Kind::Float => Drawn::Floats(float_sequences(s, domain, sampling, favoured)?),
                kind => {
                    let mut sequences = Sequences::new(s, domain, sampling)?;
                    sequences.favour(favoured.iter().filter_map(integers).collect());
                    if kind == Kind::Bool { Drawn::Bools(sequences) } else { Drawn::Ints(sequences) }
                }
            },
        };
        Ok(Sampler { drawn, are_floats: false })
    }

    /// A sampler of floats that are whole numbers of a type of integers, for floats that are also passed for such integers.
    /// The numbers are at most 2^53, up to where every whole number is a float; an `f32` gets at most 2^24.
    ///
    /// # Errors
    /// As [`Sampler::new`].
    ///
    /// # Panics
    /// When `ty` is a text.
    pub fn whole(
        ty: Type,
        integers: Scalar,
        domain: &Domain,
        sampling: &Sampling,
    ) -> Result<Sampler, EmptyDomain> {
        let Some(scalar) = ty.scalar() else { panic!("a text is no float") };
        let most = Number::Int(1 << if scalar == Scalar::F32 { 24 } else { 53 });
        let least = Number::Int(-(1 << if scalar == Scalar::F32 { 24 } else { 53 }));
        let exact = NumberRange { low: least, high: most };
        let exact =
            Domain { numbers: Numbers { ranges: vec![exact], ..Numbers::default() }, ..Domain::default() };
        let integer_type = match ty {
            Type::Sequence(_) => Type::Sequence(integers),
            _ => Type::Scalar(integers),
        };
        let none = || EmptyDomain(Empty::numbers(integers, domain));
        let whole = domain.intersection(&exact).ok_or_else(none)?;
        Ok(Sampler { are_floats: true, ..Sampler::new(integer_type, &whole, sampling)? })
    }

    /// Draws a column of `rows` values. Draw at most [`crate::CHUNK_ROWS`] from one stream and the next chunk from
    /// the next stream; then the values do not depend on how chunks are distributed among threads.
    pub fn column(&self, rng: &mut Xoshiro256PlusPlus, rows: usize) -> Column {
        let drawn = self.drawn.column(rng, rows);
        match drawn {
            Column::Int(ints) if self.are_floats => {
                Column::Float(ints.into_iter().map(nearest_float).collect())
            }
            Column::Sequence(SequenceColumn::Int(sequences)) if self.are_floats => {
                let mut out = Ragged::with_capacity(rows, rows * 16);
                (0..rows)
                    .for_each(|row| out.push_from(sequences.row(row).iter().copied().map(nearest_float)));
                Column::Sequence(SequenceColumn::Float(out))
            }
            drawn => drawn,
        }
    }
}

impl Drawn {
    fn column(&self, rng: &mut Xoshiro256PlusPlus, rows: usize) -> Column {
        let mut ints = Vec::new();
        match self {
            Drawn::Bool(line) => {
                line.fill(rng, rows, &mut ints);
                Column::Bool(ints.into_iter().map(|i| i != 0).collect())
            }
            Drawn::Int(line) => {
                line.fill(rng, rows, &mut ints);
                Column::Int(ints)
            }
            Drawn::Float(line) => {
                let mut floats = Vec::new();
                line.fill(rng, rows, &mut floats);
                Column::Float(floats)
            }
            Drawn::Bools(sequences) => {
                let mut out = Ragged::with_capacity(rows, rows * 16);
                sequences.rows(rng, rows, |row| out.push_from(row.iter().map(|&i| i != 0)));
                Column::Sequence(SequenceColumn::Bool(out))
            }
            Drawn::Ints(sequences) => Column::Sequence(SequenceColumn::Int(sequences.ragged(rng, rows))),
            Drawn::Floats(sequences) => Column::Sequence(SequenceColumn::Float(sequences.ragged(rng, rows))),
            Drawn::Text(texts) => Column::Text(texts.ragged(rng, rows)),
        }
    }
}

/// The favoured values that are in the domain; favoured floats of an `f32` are rounded to the nearest `f32`.
fn favoured(ty: Type, domain: &Domain, sampling: &Sampling) -> Vec<Value> {
    let single = |x: &f64| f64::from(*x as f32);
    let of_type = |value: &Value| match (ty, value) {
        (Type::Scalar(Scalar::F32), Value::Float(x)) => Value::Float(single(x)),
        (Type::Scalar(Scalar::F32 | Scalar::F64), Value::Int(i)) => Value::Float(*i as f64),
        (Type::Sequence(Scalar::F32), Value::Sequence(Sequence::Float(v))) => {
            Value::Sequence(Sequence::Float(v.iter().map(single).collect()))
        }
        (Type::Sequence(s), Value::Sequence(v)) if v.is_empty() => Value::Sequence(match s.kind() {
            Kind::Bool => Sequence::Bool(vec![]),
            Kind::Int => Sequence::Int(vec![]),
            Kind::Float => Sequence::Float(vec![]),
        }),
        _ => value.clone(),
    };
    sampling.favour.iter().map(of_type).filter(|value| domain.contains(ty, value)).collect()
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(i) => Some(*i),
        Value::Bool(b) => Some((*b).into()),
        _ => None,
    }
}

fn integers(value: &Value) -> Option<Vec<i128>> {
    match value {
        Value::Sequence(Sequence::Int(v)) => Some(v.clone()),
        Value::Sequence(Sequence::Bool(v)) => Some(v.iter().map(|&b| b.into()).collect()),
        _ => None,
    }
}

/// The special floats that are not drawn by their member numbers: `-0.0` if zero may be drawn, and NaN if neither the
/// domain nor the sampling bounds the values.
fn unnumbered(line: &Line<Floats>, domain: &Domain, sampling: &Sampling, nan: bool) -> Vec<f64> {
    let unbounded = sampling.range.is_none() && domain.numbers.contains_nan();
    let negative_zero = line.set.contains(Grid::Doubles.index(-0.0)).then_some(-0.0);
    negative_zero.into_iter().chain((nan && unbounded).then_some(f64::NAN)).collect()
}

fn floats(s: Scalar, domain: &Domain, sampling: &Sampling, favoured: Vec<Value>) -> Option<Line<Floats>> {
    let mut line = Line::of(s, domain, sampling)?;
    line.add_corners(&unnumbered(&line, domain, sampling, true));
    let float = |value: &Value| if let Value::Float(x) = value { Some(*x) } else { None };
    line.favour(favoured.iter().filter_map(float).collect());
    Some(line)
}

fn float_sequences(
    s: Scalar,
    domain: &Domain,
    sampling: &Sampling,
    favoured: Vec<Value>,
) -> Result<Sequences<Floats>, EmptyDomain> {
    let mut sequences = Sequences::new(s, domain, sampling)?;
    // NaN has no order relative to numbers, so a sequence that contains NaN is not sorted.
    let nan = !domain.predicates.contains(&dodona_target::Predicate::Sorted);
    let more = unnumbered(&sequences.elements, domain, sampling, nan);
    sequences.elements.add_corners(&more);
    let floats = |value: Value| match value {
        Value::Sequence(Sequence::Float(v)) => Some(v),
        _ => None,
    };
    sequences.favour(favoured.into_iter().filter_map(floats).collect());
    Ok(sequences)
}

fn texts(domain: &Domain, sampling: &Sampling, favoured: Vec<Value>) -> Result<Texts, EmptyDomain> {
    let mut texts = Texts::new(domain, sampling)?;
    let text = |value: Value| match value {
        Value::Text(text) => String::from_utf8(text.into()).ok(),
        _ => None,
    };
    texts.favour(favoured.into_iter().filter_map(text).collect());
    Ok(texts)
}
