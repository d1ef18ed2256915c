//! How tolerances add up.
//!
//! A tolerance is the relative distance that `~=` allows, to which an absolute one may be added. Where two approximations are chained, their tolerances add up:
//! `a ~= b within r` and `b ~= c within s` give `a ~= c within r + s`. In expressions they grow as relative errors do, to first
//! order: a product or quotient has the sum of its operands' tolerances, a power by n has n times the tolerance of its base,
//! and a sign changes nothing. For a sum the tolerances of its parts are added, which is more than enough if all parts have one
//! sign. If they cancel, no relative tolerance is enough, so a basic relation should hold well within its own tolerance, as
//! relations of accurate functions do. A tolerance in units in the last place keeps this unit where approximations are only
//! chained, and becomes relative otherwise.

use dodona_relations::ast::Bound;

/// The relative distance of neighbouring floats, at most, of double and of single precision.
pub(super) const DOUBLE: f64 = f64::EPSILON;
pub(super) const SINGLE: f64 = f32::EPSILON as f64;

/// The tolerance as a relative distance, where neighbouring floats are `ulp` apart.
pub(super) fn relative(bound: Bound, ulp: f64) -> f64 {
    match bound {
        Bound::Relative(r) | Bound::Either { relative: r, .. } => r,
        Bound::Ulps(n) => n as f64 * ulp,
    }
}

/// The tolerance of two approximations, one after the other.
pub(super) fn chained(a: Bound, b: Bound, ulp: f64) -> Bound {
    match (a, b) {
        (Bound::Ulps(a), Bound::Ulps(b)) => Bound::Ulps(a.saturating_add(b)),
        _ => added(a, b, ulp),
    }
}

/// The absolute part of a tolerance.
fn absolute(bound: Bound) -> f64 {
    if let Bound::Either { absolute, .. } = bound { absolute } else { 0.0 }
}

/// A tolerance of these parts, as it is written.
fn of_parts(relative: f64, absolute: f64) -> Bound {
    match absolute {
        0.0 => Bound::Relative(rounded(relative)),
        absolute => Bound::Either { relative: rounded(relative), absolute: rounded(absolute) },
    }
}

/// The tolerance of a sum, product or quotient, from those of its parts.
pub(super) fn added(a: Bound, b: Bound, ulp: f64) -> Bound {
    of_parts(relative(a, ulp) + relative(b, ulp), absolute(a) + absolute(b))
}

/// The tolerance of the power by `n` of an approximation.
pub(super) fn powered(bound: Bound, n: u32, ulp: f64) -> Bound {
    of_parts(relative(bound, ulp) * f64::from(n), absolute(bound) * f64::from(n))
}

/// The number with four significant digits, rounded up, so that people can read it. What floats add to a sum, such as
/// 3.0000000000000004e-9, counts as nothing.
fn rounded(x: f64) -> f64 {
    let near: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    if near >= x * (1.0 - 1e-12) {
        return near;
    }
    format!("{:.3e}", x * 1.001).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_readable_and_never_smaller_than_their_parts() {
        let three = (0..2).fold(Bound::Relative(1e-9), |sum, _| added(sum, Bound::Relative(1e-9), DOUBLE));
        assert_eq!(three, Bound::Relative(3e-9));
        assert_eq!(powered(Bound::Relative(1e-12), 4, DOUBLE), Bound::Relative(4e-12));
        let either = |relative, absolute| Bound::Either { relative, absolute };
        assert_eq!(chained(either(1e-9, 1e-15), Bound::Relative(1e-9), DOUBLE), either(2e-9, 1e-15));
        assert_eq!(chained(either(0.0, 1e-15), either(1e-9, 2e-15), DOUBLE), either(1e-9, 3e-15));
        for x in [1.23449e-9, 9.9994e-7, 1.0001, 7.77777e-3] {
            assert!(rounded(x) >= x && rounded(x) < x * 1.0021, "{x} {}", rounded(x));
        }
    }

    #[test]
    fn units_in_the_last_place_stay_such_in_a_chain_only() {
        assert_eq!(chained(Bound::Ulps(2), Bound::Ulps(3), DOUBLE), Bound::Ulps(5));
        assert_eq!(chained(Bound::Ulps(u64::MAX), Bound::Ulps(3), DOUBLE), Bound::Ulps(u64::MAX));
        let Bound::Relative(mixed) = chained(Bound::Ulps(4), Bound::Relative(1e-9), DOUBLE) else { panic!() };
        assert!(mixed >= 1e-9 + 4.0 * f64::EPSILON);
        let Bound::Relative(product) = added(Bound::Ulps(1), Bound::Ulps(1), SINGLE) else { panic!() };
        assert!((2.0 * SINGLE..2.1 * SINGLE).contains(&product));
    }
}
