//! Candidates that are simpler than an integer.

use super::order;
use crate::set::Set;

/// The number of ranges of the domain whose ends are tried.
const MOST_PIECES: usize = 16;

/// The members of a set that are simpler than `x` and are tried in its place, simplest first.
pub(super) fn candidates(set: &Set, x: i128) -> Vec<i128> {
    let target = set.nearest_zero().unwrap_or(0);
    let approach = approach(x, x.saturating_sub(target)).chain(approach(x, x).flat_map(|v| [v, -v]));
    let ends = set.pieces().iter().take(MOST_PIECES).map(|&(low, high)| 0i128.clamp(low, high));
    let step = x.signum();
    let tried = [0, 1, -1, x.saturating_neg(), x - step * 2, x - step];
    let wanted = tried.into_iter().chain(approach).chain(ends);
    let mut found: Vec<i128> = wanted.flat_map(|v| [Some(v), towards_zero(set, v)]).flatten().collect();
    found.retain(|v| set.contains(*v) && order::integers(v, &x).is_lt());
    found.sort_unstable_by(order::integers);
    found.dedup();
    found
}

/// `x` minus the whole distance, minus half of it, a quarter, and so on. Repeated, this bisects to any threshold.
fn approach(x: i128, distance: i128) -> impl Iterator<Item = i128> {
    (0..127).map(move |k| distance / (1i128 << k)).take_while(|d| *d != 0).map(move |d| x.saturating_sub(d))
}

/// The nearest member to a number, on its side towards zero: the number may lie in a hole of the domain.
fn towards_zero(set: &Set, x: i128) -> Option<i128> {
    let pieces = set.pieces();
    match x >= 0 {
        true => pieces.iter().rfind(|(low, _)| (0..=x).contains(low)).map(|(_, high)| *high.min(&x)),
        false => pieces.iter().find(|(_, high)| (x..0).contains(high)).map(|(low, _)| *low.max(&x)),
    }
}
