//! Branch distances: how far a comparison is from being true, and from being false (Korel 1990, Tracey et al. 1998).

use crate::term::{Op, Sort};

/// How far a truth value is from `true`, and from `false`; 0 exactly if it has this value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distances {
    pub(super) to_true: f64,
    pub(super) to_false: f64,
}

/// The distance if no number says how far it is.
const NO_DIRECTION: f64 = 1.0;
/// A distance greater than that of any two numbers.
const NAN: f64 = 130.0;

impl Distances {
    pub(super) fn of_truth(value: bool) -> Distances {
        if value {
            Distances { to_true: 0.0, to_false: NO_DIRECTION }
        } else {
            Distances { to_true: NO_DIRECTION, to_false: 0.0 }
        }
    }

    pub(super) fn not(self) -> Distances {
        Distances { to_true: self.to_false, to_false: self.to_true }
    }

    pub(super) fn and(self, other: Distances) -> Distances {
        Distances { to_true: self.to_true + other.to_true, to_false: self.to_false.min(other.to_false) }
    }

    pub(super) fn or(self, other: Distances) -> Distances {
        self.not().and(other.not()).not()
    }

    pub(super) fn equal(self, other: Distances) -> Distances {
        self.and(other).or(self.not().and(other.not()))
    }

    /// The distance of `then` if the condition (`self`) is true, else of `otherwise`.
    pub(super) fn choose(self, then: Distances, otherwise: Distances) -> Distances {
        let least = |a: f64, b: f64| (self.to_true + a).min(self.to_false + b);
        Distances {
            to_true: least(then.to_true, otherwise.to_true),
            to_false: least(then.to_false, otherwise.to_false),
        }
    }
}

/// The distance of a comparison of two values of one sort.
pub(super) fn comparison(op: Op, sort: Sort, a: u128, b: u128) -> Distances {
    match op {
        Op::UnsignedLess => less(a, b),
        Op::UnsignedLessEqual => less(b, a).not(),
        Op::SignedLess => less(biased(sort, a), biased(sort, b)),
        Op::SignedLessEqual => less(biased(sort, b), biased(sort, a)).not(),
        Op::FloatEqual | Op::FloatLess | Op::FloatLessEqual => float(op, sort, a, b),
        _ => equal(sort, a, b),
    }
}

fn equal(sort: Sort, a: u128, b: u128) -> Distances {
    let up = a.wrapping_sub(b) & sort.mask();
    let down = b.wrapping_sub(a) & sort.mask();
    // Masks and hashes are compared by their bits, numbers by their difference.
    let bits = f64::from((a ^ b).count_ones());
    Distances {
        to_true: logarithm(up.min(down)).min(bits),
        to_false: if a == b { NO_DIRECTION } else { 0.0 },
    }
}

fn less(a: u128, b: u128) -> Distances {
    if a < b {
        Distances { to_true: 0.0, to_false: logarithm(b - a) }
    } else {
        Distances { to_true: logarithm((a - b).saturating_add(1)), to_false: 0.0 }
    }
}

fn float(op: Op, sort: Sort, a: u128, b: u128) -> Distances {
    if is_nan(sort, a) || is_nan(sort, b) {
        return Distances { to_true: NAN, to_false: 0.0 };
    }
    let (a, b) = (rank(sort, a), rank(sort, b));
    match op {
        Op::FloatLess => less(a, b),
        Op::FloatLessEqual => less(b, a).not(),
        _ => {
            Distances { to_true: logarithm(a.abs_diff(b)), to_false: if a == b { NO_DIRECTION } else { 0.0 } }
        }
    }
}

/// Bits whose unsigned order is the signed order of the value.
fn biased(sort: Sort, value: u128) -> u128 {
    value ^ (sort.mask() ^ sort.mask() >> 1)
}

/// The index of a float in the order of all floats: neighbours differ by one, and both zeros have the same index.
fn rank(sort: Sort, value: u128) -> u128 {
    let sign = sort.mask() ^ sort.mask() >> 1;
    if value & sign == 0 { sign + value } else { sign - (value ^ sign) }
}

fn is_nan(sort: Sort, value: u128) -> bool {
    let infinity = if sort == Sort::F32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
    value & (sort.mask() >> 1) > infinity
}

/// About `log2(distance + 1)`, increasing with the distance. So differences of all sizes count, and none hides the others.
fn logarithm(distance: u128) -> f64 {
    const MANTISSA: f64 = (1u64 << 52) as f64;
    // The bits of a float, read as a number, are its logarithm, interpolated linearly between powers of two.
    (distance as f64 + 1.0).to_bits() as f64 / MANTISSA - 1023.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::evaluate_op;
    use proptest::prelude::*;

    const OPERATORS: [Op; 8] = [
        Op::Equal,
        Op::UnsignedLess,
        Op::UnsignedLessEqual,
        Op::SignedLess,
        Op::SignedLessEqual,
        Op::FloatEqual,
        Op::FloatLess,
        Op::FloatLessEqual,
    ];

    fn sort_for(op: Op) -> Sort {
        if matches!(op, Op::FloatEqual | Op::FloatLess | Op::FloatLessEqual) {
            Sort::F64
        } else {
            Sort::Bits(64)
        }
    }

    /// Numbers near each other, at the ends, and floats of all kinds.
    fn values() -> impl Strategy<Value = u64> {
        let special = prop::sample::select(vec![
            0,
            1,
            u64::MAX,
            1 << 63,
            (1 << 63) - 1,
            0x7ff0 << 48,
            0xfff0 << 48,
            (0x7ff0 << 48) + 1,
        ]);
        prop_oneof![special, any::<u64>(), any::<f64>().prop_map(f64::to_bits), 0..4u64]
    }

    proptest! {
        #[test]
        fn zero_exactly_where_it_holds(op in prop::sample::select(OPERATORS.to_vec()), a in values(), b in values()) {
            let (sort, a, b) = (sort_for(op), a.into(), b.into());
            let holds = evaluate_op(op, Sort::Bool, &[(sort, a), (sort, b)]) == 1;
            let distances = comparison(op, sort, a, b);
            prop_assert_eq!(distances.to_true == 0.0, holds);
            prop_assert_eq!(distances.to_false == 0.0, !holds);
            prop_assert!(distances.to_true >= 0.0 && distances.to_false >= 0.0);
        }

        #[test]
        fn connectives_are_zero_exactly_where_they_hold(a: bool, b: bool, c: bool) {
            let [x, y, z] = [a, b, c].map(Distances::of_truth);
            for (distances, holds) in [
                (x.not(), !a),
                (x.and(y), a && b),
                (x.or(y), a || b),
                (x.equal(y), a == b),
                (x.choose(y, z), if a { b } else { c }),
            ] {
                prop_assert_eq!((distances.to_true == 0.0, distances.to_false == 0.0), (holds, !holds));
            }
        }

        #[test]
        fn nearer_numbers_are_nearer(a: u32, step in 1..1u64 << 40) {
            let (target, near) = (1u128 << 50, (1u128 << 50) + u128::from(a));
            let far = near + u128::from(step);
            let to = |value| comparison(Op::UnsignedLess, Sort::Bits(64), value, target).to_true;
            prop_assert!(to(near) < to(far));
        }
    }

    #[test]
    fn floats_are_counted_in_steps_between_neighbours() {
        let bits = |value: f64| u128::from(value.to_bits());
        let distance = |a, b| comparison(Op::FloatEqual, Sort::F64, a, b).to_true;
        assert_eq!(distance(bits(-0.0), bits(0.0)), 0.0);
        assert_eq!(distance(bits(1.0), bits(1.0) + 1), 1.0);
        assert_eq!(distance(1, (1 << 63) + 1), distance(0, 2)); // the least numbers on both sides of zero
        assert!(distance(bits(1.0), bits(f64::NAN)) > distance(bits(-1e300), bits(1e300)));
    }
}
