//! Sets of numbers, stored as ranges of member numbers: exact for integers, `f32` and `f64`.

use dodona_target::{Domain, Number, NumberRange, Predicate, Scalar};

/// Numbers the members of a scalar type in increasing order; zero has number 0.
///
/// Both float zeros have number 0; NaN has [`Grid::NAN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grid {
    /// Integers, and Booleans as 0 and 1: the number is the member itself.
    Integers,
    /// `f64`: the number is the bits of the magnitude, with the sign of the float.
    Doubles,
    /// `f32`: numbered in the same way.
    Singles,
}

impl Grid {
    /// The number of NaN, which is greater than all others.
    pub(crate) const NAN: i128 = i128::MAX;

    pub(crate) fn of(scalar: Scalar) -> Grid {
        match scalar {
            Scalar::F32 => Grid::Singles,
            Scalar::F64 => Grid::Doubles,
            _ => Grid::Integers,
        }
    }

    /// The numbers of the least and greatest member of a type, including infinities.
    pub(crate) fn limits(scalar: Scalar) -> (i128, i128) {
        let symmetric = |infinity: i128| (-infinity, infinity);
        match scalar {
            Scalar::Bool => (0, 1),
            Scalar::F32 => symmetric(f32::INFINITY.to_bits().into()),
            Scalar::F64 => symmetric(f64::INFINITY.to_bits().into()),
            _ => scalar.integer_range().unwrap_or((0, 0)),
        }
    }

    /// The number of a float, which must be a member of the type.
    pub(crate) fn index(self, x: f64) -> i128 {
        let magnitude = match self {
            Grid::Integers => return x as i128,
            Grid::Doubles => i128::from(x.abs().to_bits()),
            Grid::Singles => i128::from((x as f32).abs().to_bits()),
        };
        match x {
            _ if x.is_nan() => Grid::NAN,
            _ if x < 0.0 => -magnitude,
            _ => magnitude,
        }
    }

    /// The float with this number.
    pub(crate) fn float(self, index: i128) -> f64 {
        let magnitude = match self {
            Grid::Integers => return index as f64,
            _ if index == Grid::NAN => return f64::NAN,
            Grid::Doubles => f64::from_bits(index.unsigned_abs() as u64),
            Grid::Singles => f64::from(f32::from_bits(index.unsigned_abs() as u32)),
        };
        if index < 0 { -magnitude } else { magnitude }
    }

    fn compare(self, index: i128, bound: Number) -> std::cmp::Ordering {
        use std::cmp::Ordering;
        let order = match (self, bound) {
            (Grid::Integers, Number::Int(b)) => return index.cmp(&b),
            (Grid::Integers, Number::Float(b)) => (index as f64).partial_cmp(&b),
            (_, bound) => self.float(index).partial_cmp(&bound.as_f64()),
        };
        // A bound that is NaN cannot be compared; every number counts as less, which makes the range empty.
        order.unwrap_or(Ordering::Less)
    }
}

/// A set of numbers of one type: disjoint closed ranges of member numbers in increasing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) grid: Grid,
    pieces: Vec<(i128, i128)>,
}

/// The first number in `low..=high` for which `test` is true; `test` must be true for all numbers after it.
fn first(low: i128, high: i128, test: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut high) = (low, high + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if test(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

impl Set {
    /// Every member of the type except NaN.
    pub(crate) fn of_type(scalar: Scalar) -> Set {
        Set { grid: Grid::of(scalar), pieces: vec![Grid::limits(scalar)] }
    }

    /// The members that a range contains, limited to the type: `None` if there are none.
    pub(crate) fn range(scalar: Scalar, range: NumberRange) -> Option<(i128, i128)> {
        let grid = Grid::of(scalar);
        if range.is_nan() {
            return (grid != Grid::Integers).then_some((Grid::NAN, Grid::NAN));
        }
        let (least, greatest) = Grid::limits(scalar);
        let low = first(least, greatest, |i| grid.compare(i, range.low).is_ge());
        let past = first(least, greatest, |i| grid.compare(i, range.high).is_gt());
        (low < past).then_some((low, past - 1))
    }

    /// The numbers of a domain, for a scalar or for the elements of a sequence. NaN is included if the domain lists
    /// it.
    pub(crate) fn of_domain(scalar: Scalar, domain: &Domain) -> Set {
        let mut set = Set::of_type(scalar);
        if !domain.numbers.ranges.is_empty() {
            let ranges = domain.numbers.ranges.iter();
            let ranges = ranges.filter(|r| !(r.is_nan() && domain.numbers.exclude_nan));
            set.pieces = merged(ranges.filter_map(|&r| Set::range(scalar, r)).collect());
        }
        for &except in &domain.numbers.except {
            // An excepted float excludes every integer that rounds to it: a range of members, not a single one.
            if let Some(hole) = Set::range(scalar, NumberRange { low: except, high: except }) {
                set.remove(hole);
            }
        }
        set
    }

    /// The numbers that the elements of a sequence may have.
    pub(crate) fn of_elements(scalar: Scalar, domain: &Domain) -> Set {
        let mut set = Set::of_domain(scalar, domain);
        if domain.predicates.contains(&Predicate::NoNul) && scalar.integer_range().is_some() {
            set.remove((0, 0));
        }
        // NaN has no order relative to numbers, so a sequence of several elements that contains NaN is not sorted.
        if domain.predicates.contains(&Predicate::Sorted) && set.grid != Grid::Integers {
            set.remove((Grid::NAN, Grid::NAN));
        }
        set
    }

    /// Removes a range of member numbers.
    pub(crate) fn remove(&mut self, (low, high): (i128, i128)) {
        // NaN has the greatest number, so no members remain after it.
        let after = |a: i128, b: i128| high.checked_add(1).map(|next| (a.max(next), b));
        let keep = |&(a, b): &(i128, i128)| [Some((a, b.min(low - 1))), after(a, b)].into_iter().flatten();
        self.pieces = self.pieces.iter().flat_map(keep).filter(|(a, b)| a <= b).collect();
    }

    /// The members that lie in a range of member numbers.
    pub(crate) fn within(&self, (low, high): (i128, i128)) -> Set {
        let cut = self.pieces.iter().map(|&(a, b)| (a.max(low), b.min(high)));
        Set { grid: self.grid, pieces: cut.filter(|(a, b)| a <= b).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn contains(&self, index: i128) -> bool {
        let after = self.pieces.partition_point(|&(low, _)| low <= index);
        after > 0 && index <= self.pieces[after - 1].1
    }

    /// The ranges of member numbers in increasing order.
    pub(crate) fn pieces(&self) -> &[(i128, i128)] {
        &self.pieces
    }

    /// The number of members.
    pub(crate) fn count(&self) -> u128 {
        self.pieces.iter().map(|(low, high)| (high - low) as u128 + 1).sum()
    }

    /// The member at a place less than [`Set::count`], counted from the least member.
    pub(crate) fn nth(&self, mut place: u128) -> i128 {
        for &(low, high) in &self.pieces {
            let members = (high - low) as u128 + 1;
            if place < members {
                return low + place as i128;
            }
            place -= members;
        }
        unreachable!("place {place} past the last member")
    }

    /// The member nearest to zero; of two equally near members, the positive one.
    pub(crate) fn nearest_zero(&self) -> Option<i128> {
        let nearest = |&(low, high): &(i128, i128)| 0i128.clamp(low, high);
        self.pieces.iter().map(nearest).min_by_key(|&i| (i.unsigned_abs(), i < 0))
    }
}

fn merged(mut pieces: Vec<(i128, i128)>) -> Vec<(i128, i128)> {
    pieces.sort_unstable();
    let mut out: Vec<(i128, i128)> = Vec::with_capacity(pieces.len());
    for (low, high) in pieces {
        match out.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => out.push((low, high)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_grid_numbers_its_members_in_order(a: f64, b: f64, x: f32, y: f32) {
            let (a, b) = (f64::min(a, b), f64::max(a, b));
            prop_assert!(Grid::Doubles.index(a) <= Grid::Doubles.index(b));
            prop_assert_eq!(Grid::Doubles.float(Grid::Doubles.index(a)), a);
            let (x, y) = (f64::from(x.min(y)), f64::from(x.max(y)));
            prop_assert!(Grid::Singles.index(x) <= Grid::Singles.index(y));
            prop_assert_eq!(Grid::Singles.float(Grid::Singles.index(x)), x);
        }

        #[test]
        fn removal_takes_out_exactly_the_hole(holes in prop::collection::vec((-9i128..9, 0i128..4), 0..5)) {
            let mut set = Set { grid: Grid::Integers, pieces: vec![(-8, -3), (0, 8)] };
            let before = set.clone();
            for &(low, width) in &holes {
                set.remove((low, low + width));
            }
            for i in -12..12 {
                let inside = before.contains(i) && !holes.iter().any(|&(low, w)| low <= i && i <= low + w);
                prop_assert_eq!(set.contains(i), inside);
            }
            let members: Vec<i128> = (0..set.count()).map(|place| set.nth(place)).collect();
            prop_assert_eq!(members, (-12..12).filter(|&i| set.contains(i)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn float_bounds_of_integers_follow_the_domain_to_the_last_integer() {
        let low = Number::Float(9_223_372_036_854_775_808.0);
        let range = NumberRange { low, high: Number::Float(1e30) };
        let (first, last) = Set::range(Scalar::I64, range).expect("integers round up to 2^63");
        let mut domain = Domain::default();
        domain.numbers.ranges = vec![range];
        assert!(domain.contains_int(Scalar::I64, first) && !domain.contains_int(Scalar::I64, first - 1));
        assert_eq!(last, i64::MAX.into());
    }

    #[test]
    fn a_nan_bound_makes_a_range_empty() {
        let nan = NumberRange { low: Number::Float(f64::NAN), high: Number::Int(3) };
        assert_eq!(Set::range(Scalar::F64, nan), None);
        assert_eq!(Set::range(Scalar::I32, nan), None);
    }

    #[test]
    fn nearest_zero_prefers_the_positive_one() {
        let set = Set { grid: Grid::Integers, pieces: vec![(-9, -2), (2, 7)] };
        assert_eq!(set.nearest_zero(), Some(2));
    }
}
