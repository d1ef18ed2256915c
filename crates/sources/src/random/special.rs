//! The numbers on which functions often fail.

use dodona_target::Scalar;

use crate::set::{Grid, Set};

/// The member numbers of special values, in lists. A draw chooses each list equally often. The first list has corner
/// values (zero, one, the ends of ranges and of the type), the second the numbers around powers of two, the third those around
/// powers of ten. All are in the set; no list is empty.
pub(crate) fn lists(scalar: Scalar, set: &Set) -> Vec<Vec<i128>> {
    let corners = match Grid::of(scalar) {
        Grid::Integers => vec![0, 1, -1],
        grid => floats(scalar).into_iter().map(|x| grid.index(x)).collect(),
    };
    let ends = set.pieces().iter().take(MOST_PIECES).flat_map(|&(low, high)| {
        // NaN has the greatest number, to which 1 cannot be added.
        [low, high, low.saturating_add(1), high - 1]
    });
    let (powers, tens) = match Grid::of(scalar) {
        Grid::Integers => (integer_powers(), integer_tens()),
        grid => {
            let numbered = |floats: Vec<f64>| floats.into_iter().map(|x| grid.index(x)).collect();
            (numbered(float_powers()), numbered(float_tens()))
        }
    };
    let inside = |list: Vec<i128>| {
        let mut list: Vec<i128> = list.into_iter().filter(|&i| set.contains(i)).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let lists = [inside(corners.into_iter().chain(ends).collect()), inside(powers), inside(tens)];
    lists.into_iter().filter(|list| !list.is_empty()).collect()
}

/// Only the ends of this many ranges count as special. In a longer list of single values every draw gives an end
/// anyway.
const MOST_PIECES: usize = 64;

fn integer_powers() -> Vec<i128> {
    (1..64).flat_map(|k| [-1, 0, 1].map(|d| (1i128 << k) + d)).flat_map(|x| [x, -x]).collect()
}

fn floats(scalar: Scalar) -> Vec<f64> {
    let limits = match scalar {
        Scalar::F32 => [f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, f32::from_bits(1)].map(f64::from),
        _ => [f64::MAX, f64::MIN_POSITIVE, f64::EPSILON, f64::from_bits(1)],
    };
    let subnormal = limits[1] - limits[3];
    let plain = [0.0, 1.0, 0.5, 2.0, 10.0, f64::INFINITY, subnormal];
    limits.into_iter().chain(plain).flat_map(|x| [x, -x]).collect()
}

/// Powers of two with their neighbouring integers, up to where integers stop being exact; fractions 1/2^k; and
/// numbers without a finite binary form, such as a third and a tenth.
fn float_powers() -> Vec<f64> {
    let near = (1..54).flat_map(|k| [-1.0, 0.0, 1.0].map(|d| (1u64 << k) as f64 + d));
    let fractions = (1..24).map(|k| 1.0 / (1u64 << k) as f64);
    let inexact = [0.1, 1.0 / 3.0, std::f64::consts::PI, std::f64::consts::E, 1.0 + f64::EPSILON];
    near.chain(fractions).chain(inexact).flat_map(|x| [x, -x]).collect()
}

/// Up to 10^19, beyond which no integer type reaches.
fn integer_tens() -> Vec<i128> {
    (1..20).flat_map(|k| [-1, 0, 1].map(|d| 10i128.pow(k) + d)).flat_map(|x| [x, -x]).collect()
}

/// Powers of ten up to 10^22, the last that is a float, and down to 10^-22; with their neighbouring integers, up to where these are
/// exact, and with the floats next to them.
fn float_tens() -> Vec<f64> {
    let power = |k: i32| format!("1e{k}").parse::<f64>().ok();
    let powers = (-22..=22).filter(|k| *k != 0).filter_map(power);
    let near = |x: f64| {
        let integers = (10.0..=1e15).contains(&x).then_some([x - 1.0, x + 1.0]);
        [x, x.next_up(), x.next_down()].into_iter().chain(integers.into_iter().flatten())
    };
    powers.flat_map(near).flat_map(|x| [x, -x]).collect()
}
