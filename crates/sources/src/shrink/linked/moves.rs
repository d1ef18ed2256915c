//! How numbers and characters follow one of them, the lead, when it is made simpler.

use super::slots::{Unit, is_same};

/// What a link keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    /// What remains of a follower after so many times the lead is subtracted. With 1 that is the difference; with -1 the
    /// sum, and two numbers that are each other's negative.
    Rest(i128),
    /// The sum or the difference, whichever lets a follower move towards zero when the lead does.
    Signs,
    /// The ratio.
    Ratio,
}

/// The links that are tried between two numbers, the most usual first.
pub(super) fn between(lead: Unit, follower: Unit) -> Vec<Keeps> {
    let mut links = vec![Keeps::Rest(1), Keeps::Ratio, Keeps::Rest(-1), Keeps::Rest(2), Keeps::Rest(-2)];
    match (lead, follower) {
        (Unit::Character(_), Unit::Character(_)) => links.truncate(1),
        (Unit::Character(_), _) | (_, Unit::Character(_)) => links.clear(),
        // The multiple that the values themselves suggest: of `p == 10 * q + 3`, 10.
        (Unit::Int(x), Unit::Int(f)) if x != 0 => {
            let times = f.checked_div(x).unwrap_or(0);
            links.extend([times, times + (f - times * x).signum() * x.signum()].map(Keeps::Rest));
        }
        (lead, follower) => {
            let times = number(follower) / number(lead);
            if times.abs() < LARGEST_MULTIPLE {
                links.extend([times.trunc() as i128, times.round() as i128].map(Keeps::Rest));
            }
        }
    }
    let mut found = Vec::new();
    links.retain(|link| {
        *link != Keeps::Rest(0) && !found.contains(link) && {
            found.push(*link);
            true
        }
    });
    links
}

/// Multiples of floats beyond this leave no digits for a rest.
const LARGEST_MULTIPLE: f64 = 1e9;

/// The numbers that the lead may become while integers keep their ratios to it, the boldest first: multiples of the lead
/// divided by the greatest common divisor of all.
pub(super) fn multiples(lead: i128, followers: impl Iterator<Item = i128>) -> Vec<i128> {
    let divisor = followers.fold(lead.unsigned_abs(), gcd);
    let Ok(divisor) = i128::try_from(divisor) else { return Vec::new() };
    if divisor == 0 {
        return Vec::new();
    }
    let halves = (0..127).map(|k| divisor / (1i128 << k)).take_while(|d| *d != 0);
    let times = halves.map(|d| divisor - d).chain([-divisor]);
    times.map(|times| lead / divisor * times).collect()
}

fn gcd(a: u128, i: i128) -> u128 {
    let (mut a, mut b) = (a, i.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What a follower becomes when the lead changes from `old` to `new`. `None` if nothing keeps the link, or nothing that can
/// be computed.
pub(super) fn follow(keeps: Keeps, follower: Unit, (old, new): (Unit, Unit)) -> Option<Unit> {
    let is_kept_by_equals = matches!(keeps, Keeps::Rest(1) | Keeps::Signs | Keeps::Ratio);
    if is_kept_by_equals && is_same(follower, old) {
        return Some(new);
    }
    match (keeps, follower, old, new) {
        (Keeps::Rest(1), Unit::Character(c), Unit::Character(old), Unit::Character(new)) => {
            let code = i64::from(u32::from(c)) + i64::from(u32::from(new)) - i64::from(u32::from(old));
            u32::try_from(code).ok().and_then(char::from_u32).map(Unit::Character)
        }
        (Keeps::Signs, ..) => {
            let times =
                if number(follower).is_sign_negative() == number(old).is_sign_negative() { 1 } else { -1 };
            follow(Keeps::Rest(times), follower, (old, new))
        }
        (Keeps::Rest(times), Unit::Int(f), Unit::Int(old), Unit::Int(new)) => {
            f.checked_add(new.checked_sub(old)?.checked_mul(times)?).map(Unit::Int)
        }
        (Keeps::Ratio, Unit::Int(f), Unit::Int(old), Unit::Int(new)) if old != 0 => {
            let product = f.checked_mul(new)?;
            (product % old == 0).then_some(Unit::Int(product / old))
        }
        (_, Unit::Character(_), ..) | (_, _, Unit::Character(_), _) => None,
        (Keeps::Rest(times), follower, old, new) => {
            of_kind(follower, number(follower) + times as f64 * (number(new) - number(old)))
        }
        (Keeps::Ratio, follower, old, new) => of_kind(follower, number(follower) / number(old) * number(new)),
    }
}

fn number(unit: Unit) -> f64 {
    match unit {
        Unit::Int(x) => dodona_target::nearest_float(x),
        Unit::Float(x) => x,
        Unit::Character(_) => f64::NAN,
    }
}

/// A number of the same kind as a unit; `None` if an integer would have to be rounded.
fn of_kind(unit: Unit, x: f64) -> Option<Unit> {
    match unit {
        Unit::Int(_) => {
            (x.fract() == 0.0 && x.abs() < super::super::order::LARGE).then_some(Unit::Int(x as i128))
        }
        Unit::Float(_) => (!x.is_nan()).then_some(Unit::Float(x)),
        Unit::Character(_) => None,
    }
}
