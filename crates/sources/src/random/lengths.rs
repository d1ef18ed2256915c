//! Lengths of sequences and text.

use dodona_subject::{Distribution, Domain, Sampling, Scalar};

use super::line::{Line, Rate};
use super::span::Integers;
use super::{Empty, EmptyDomain};
use crate::set::Set;

/// Lengths where neither the domain nor the sampling says any.
const DEFAULT: (u64, u64) = (0, 32);

/// How far past the least length drawn ones go where the domain alone gives lengths: a domain says
/// what the function must bear, not how long the test's inputs should be.
const REACH: u64 = 256;

/// No sequence of more elements fits the memory of a 32-bit module.
const MOST: u64 = u32::MAX as u64;

/// The least and greatest length to draw, both inside the domain; `most` is what the elements allow
/// (as many as there are of them, where they must be distinct).
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

/// Draws lengths: half uniform, half by magnitude, so that short ones are common in any range.
pub(crate) fn line((low, high): (u64, u64)) -> Line<Integers> {
    let set = Set::of_type(Scalar::U64).within((low.into(), high.into()));
    Line::new(set, &[], Distribution::Mixed, Rate::of(&Sampling::default()))
}
