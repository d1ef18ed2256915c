//! The error for a domain from which nothing can be drawn.

use std::fmt;

use dodona_target::{Domain, Kind, Number, NumberRange, Scalar, write_float};

/// No value of the parameter's type is in its domain. The message names the keys of the manifest that leave the
/// domain empty; the caller adds the parameter's name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("domain contains nothing: {0}")]
pub struct EmptyDomain(pub(crate) Empty);

/// The reason why the domain is empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Empty {
    /// Every number of the type is outside the ranges or excepted.
    Numbers { scalar: Scalar, ranges: Vec<NumberRange>, except: Vec<Number> },
    /// The least length is greater than the greatest length, or than the number of distinct elements allows.
    Length { length: (u64, u64), most: u64 },
    /// None of the listed texts satisfies the other keys.
    Texts(Vec<String>),
}

impl Empty {
    pub(crate) fn numbers(scalar: Scalar, domain: &Domain) -> Empty {
        let numbers = &domain.numbers;
        Empty::Numbers { scalar, ranges: numbers.ranges.clone(), except: numbers.except.clone() }
    }
}

/// The maximum number of ranges or values that a message shows.
const SHOWN: usize = 4;

fn number(n: &Number) -> String {
    let mut out = String::new();
    match n {
        Number::Int(i) => out = i.to_string(),
        // Writing to a string cannot fail.
        Number::Float(x) => drop(write_float(&mut out, *x)),
    }
    out
}

fn list<T>(f: &mut fmt::Formatter<'_>, items: &[T], one: impl Fn(&T) -> String) -> fmt::Result {
    let shown: Vec<String> = items.iter().take(SHOWN).map(one).collect();
    let more = if items.len() > SHOWN { ", …" } else { "" };
    write!(f, "{}{more}", shown.join(", "))
}

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Empty::Numbers { scalar, ranges, except } => {
                write!(f, "no {scalar} is in ")?;
                match ranges.as_slice() {
                    [] => f.write_str("its type")?,
                    [range] => write!(f, "range [{}, {}]", number(&range.low), number(&range.high))?,
                    ranges => {
                        f.write_str("ranges ")?;
                        list(f, ranges, |r| format!("[{}, {}]", number(&r.low), number(&r.high)))?;
                    }
                }
                if !except.is_empty() {
                    f.write_str(" except ")?;
                    list(f, except, number)?;
                }
                hint(f, *scalar, ranges)
            }
            Empty::Length { length: (low, high), .. } if low > high => {
                write!(f, "length [{low}, {high}] has its least above its greatest")
            }
            Empty::Length { length: (low, high), most } => write!(
                f,
                "length [{low}, {high}] asks for at least {low}, and range, alphabet, `is` and 32-bit memory allow at most {most}"
            ),
            Empty::Texts(texts) => {
                f.write_str("none of values ")?;
                list(f, texts, |t| format!("{t:?}"))?;
                f.write_str(" satisfies length, alphabet and `is`")
            }
        }
    }
}

/// Suggests how to correct the ranges.
fn hint(f: &mut fmt::Formatter<'_>, scalar: Scalar, ranges: &[NumberRange]) -> fmt::Result {
    let reversed = |r: &&NumberRange| r.low.as_f64() > r.high.as_f64();
    if let Some(range) = ranges.iter().find(reversed) {
        write!(f, " (write [{}, {}])", number(&range.high), number(&range.low))
    } else if let (Scalar::F32, Some(range)) = (scalar, ranges.first()) {
        let nearest = f64::from(range.low.as_f64() as f32);
        write!(f, " (the nearest f32 is {})", number(&Number::Float(nearest)))
    } else if let (Kind::Int, Some((low, high))) = (scalar.kind(), scalar.integer_range()) {
        write!(f, " ({scalar} holds {low} to {high})")
    } else {
        Ok(())
    }
}
