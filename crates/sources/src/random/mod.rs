//! Source inputs drawn at random from a domain.

mod error;
mod lengths;
mod line;
mod sequences;
mod span;
mod special;
mod text;

use dodona_subject::{Column, Domain, Kind, Ragged, Sampling, Scalar, Sequence, SequenceColumn, Type, Value};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) use error::Empty;
pub use error::EmptyDomain;
use line::Line;
use sequences::Sequences;
use span::{Floats, Integers};
use text::Texts;

use crate::set::Grid;

/// Draws the source inputs of one parameter.
///
/// Everything drawn lies in the domain. A share of the rows (the sampling's favour rate, 1/8 unless
/// it says otherwise) takes favoured and special values: zero, one, the ends of ranges and of the
/// type, the neighbourhoods of powers of two; for floats also both zeros, subnormals, infinities and
/// NaN where nothing bounds them; for sequences the empty one, all equal, sorted, reversed, with
/// duplicates; for text the empty one, spaces, digits, several bytes a character. The other rows
/// follow the [`dodona_subject::Distribution`].
///
/// * Each range that the domain lists comes up equally often, whatever its width.
/// * A sampled range, length or alphabet outside the domain is passed over: the domain wins.
///   So is a favoured value outside the domain.
/// * Where only the domain gives lengths, drawn ones stay within 256 of the least.
/// * Magnitudes in a float range that holds zero and reaches M start at min(M, 1/M) / 2^20.
#[derive(Clone, Debug)]
pub struct Sampler(Drawn);

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
    /// [`EmptyDomain`] when no value of the type is in the domain; it names the manifest's keys that
    /// leave nothing.
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
        Ok(Sampler(drawn))
    }

    /// Draws a column of `rows` values. Draw at most [`crate::CHUNK_ROWS`] from one stream, the next
    /// chunk from the next, and the bytes do not depend on how chunks are shared among threads.
    pub fn column(&self, rng: &mut Xoshiro256PlusPlus, rows: usize) -> Column {
        let mut ints = Vec::new();
        match &self.0 {
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

/// The favoured values that are in the domain, floats of an `f32` as the `f32` nearest to them.
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

/// The special floats that have no number of their own: `-0.0` where zero may be drawn, and NaN where
/// neither the domain nor the sampling bounds the values.
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
    // NaN compares with nothing, so no sequence that holds it is sorted.
    let nan = !domain.predicates.contains(&dodona_subject::Predicate::Sorted);
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
