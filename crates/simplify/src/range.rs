//! Ranges of integers, which tell when sums and products surely do not overflow.

/// All integers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i128,
    pub(super) high: i128,
}

/// An upper bound on the length of any sequence that fits into memory.
const MOST_ELEMENTS: i128 = 1 << 48;

impl Range {
    /// All 128-bit integers.
    pub(super) const ALL: Range = Range { low: i128::MIN, high: i128::MAX };
    /// The range of `len`.
    pub(super) const LENGTH: Range = Range { low: 0, high: MOST_ELEMENTS };

    pub(super) fn one(value: i128) -> Self {
        Range { low: value, high: value }
    }

    /// The value, if the range contains only one.
    pub(super) fn single(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub(super) fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    pub(super) fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection of both ranges; `self` if it is empty.
    pub(super) fn meet(self, other: Range) -> Range {
        let both = Range { low: self.low.max(other.low), high: self.high.min(other.high) };
        if both.low <= both.high { both } else { self }
    }

    /// The range of the sum; `None` if the sum may overflow. The other operations below do the same.
    pub(super) fn add(self, other: Range) -> Option<Range> {
        Some(Range { low: self.low.checked_add(other.low)?, high: self.high.checked_add(other.high)? })
    }

    pub(super) fn subtract(self, other: Range) -> Option<Range> {
        Some(Range { low: self.low.checked_sub(other.high)?, high: self.high.checked_sub(other.low)? })
    }

    pub(super) fn negate(self) -> Option<Range> {
        Range::one(0).subtract(self)
    }

    pub(super) fn abs(self) -> Option<Range> {
        if self.low >= 0 {
            return Some(self);
        }
        let turned = self.negate()?;
        Some(if self.high <= 0 { turned } else { Range { low: 0, high: self.high.max(turned.high) } })
    }

    pub(super) fn multiply(self, other: Range) -> Option<Range> {
        let corner = |a: i128, b: i128| a.checked_mul(b).map(Range::one);
        let low = corner(self.low, other.low)?.join(corner(self.low, other.high)?);
        Some(low.join(corner(self.high, other.low)?).join(corner(self.high, other.high)?))
    }

    /// The range of a power with a constant exponent >= 0.
    pub(super) fn power(self, exponent: i128) -> Option<Range> {
        let exponent = u32::try_from(exponent).ok()?;
        let ends =
            Range::one(self.low.checked_pow(exponent)?).join(Range::one(self.high.checked_pow(exponent)?));
        Some(if exponent > 0 && self.contains(0) { ends.join(Range::one(0)) } else { ends })
    }

    pub(super) fn min(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    pub(super) fn max(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// The range of the sum of a sequence's elements, whatever the order of addition.
    pub(super) fn total(self) -> Option<Range> {
        let sums = self.multiply(Range::LENGTH)?;
        Some(sums.join(Range::one(0)))
    }

    /// The range of the remainder: it has the sign of the dividend and is nearer to zero than the divisor.
    pub(super) fn remainder(self, divisor: Range) -> Range {
        let most = divisor.abs().map_or(i128::MAX, |sizes| (sizes.high - 1).max(0));
        Range { low: self.low.clamp(-most, 0), high: self.high.clamp(0, most) }
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    fn range(low: i128, high: i128) -> Range {
        Range { low, high }
    }

    #[test]
    fn every_result_lies_in_its_range() {
        let ends = [-5, -2, -1, 0, 1, 3, 4];
        let ranges: Vec<Range> = ends
            .iter()
            .flat_map(|&low| ends.iter().filter(move |&&high| low <= high).map(move |&high| range(low, high)))
            .collect();
        for a in &ranges {
            for x in a.low..=a.high {
                assert!(a.negate().is_some_and(|r| r.contains(-x)), "-{x} of {a:?}");
                assert!(a.abs().is_some_and(|r| r.contains(x.abs())), "|{x}| of {a:?}");
                (0..4).for_each(|n| assert!(a.power(n).is_some_and(|r| r.contains(x.pow(n as u32)))));
            }
            for b in &ranges {
                for (x, y) in (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| (x, y))) {
                    assert!(a.add(*b).is_some_and(|r| r.contains(x + y)));
                    assert!(a.subtract(*b).is_some_and(|r| r.contains(x - y)));
                    assert!(a.multiply(*b).is_some_and(|r| r.contains(x * y)));
                    assert!(a.min(*b).contains(x.min(y)) && a.max(*b).contains(x.max(y)));
                    assert!(y == 0 || a.remainder(*b).contains(x % y), "{x} mod {y} in {a:?} mod {b:?}");
                }
            }
        }
    }

    #[test]
    fn what_may_overflow_has_no_range() {
        assert_eq!(Range::ALL.negate(), None);
        assert_eq!(Range::ALL.add(Range::one(1)), None);
        assert_eq!(Range::ALL.abs(), None);
        assert_eq!(range(0, i128::MAX).multiply(Range::one(2)), None);
        assert_eq!(range(0, 1 << 64).power(2), None);
        assert_eq!(range(-3, 1 << 64).total(), Some(range(-3 << 48, 1 << 112)));
    }
}
