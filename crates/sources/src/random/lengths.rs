//! Draws the lengths of sequences and text.

use dodona_target::{Distribution, Domain, Sampling, Scalar};

use super::line::{Line, Rate};
use super::span::Integers;
use super::{Empty, EmptyDomain};
use crate::set::Set;

/// The lengths if neither the domain nor the sampling gives any.
const DEFAULT: (u64, u64) = (0, 32);

/// If only the domain gives lengths, lengths are drawn up to this many above the least one: a domain states which
/// inputs the function must accept, not how long the inputs of a test should be.
const REACH: u64 = 256;

/// A sequence with more elements would not fit into the memory of a 32-bit module.
const MOST: u64 = u32::MAX as u64;

/// The least and greatest length to draw, both inside the domain; `most` is the greatest length that the elements
/// allow (the number of different elements, if they must be distinct).
pub(crate) fn range(domain: &Domain, sampling: &Sampling, most: u128) -> Result<(u64, u64), EmptyDomain> {
    let most = u64::try_from(most).unwrap_or(MOST).min(MOST);
    let (low, high) = domain.length.unwrap_or((0, most));
    let high = high.min(most);
    if low > high {
        return Err(EmptyDomain(Empty::Length { length: domain.length.unwrap_or((low, high)), most }));
    }
    let within = |(a, b): (u64, u64)| (a.max(low), b.min(high));
    let sampled = sampling.length.map(within).filter(|(a, b)| a <= b);
    let own = match domain.length {
        Some(_) => (low, high.min(low.saturating_add(REACH))),
        None => within(DEFAULT),
    };
    Ok(sampled.unwrap_or(own))
}

/// Draws lengths: half of them uniformly, half by magnitude, so that short lengths are common in every range.
pub(crate) fn line((low, high): (u64, u64)) -> Line<Integers> {
    let set = Set::of_type(Scalar::U64).within((low.into(), high.into()));
    Line::new(set, &[], Distribution::Mixed, Rate::of(&Sampling::default()))
}
