//! Maps numbers to places on the scale by which they are drawn.

use dodona_target::{Distribution, Domain, NumberRange, Sampling, Scalar};

/// How numbers of a parameter, or elements of its sequences, are compared.
#[derive(Clone, Debug)]
pub(super) enum Measure {
    /// Booleans, and numbers that the domain lists: only equal or different.
    Category,
    /// Numbers of ranges: compared by their places on a scale.
    Scale(Scale),
}

impl Measure {
    pub(super) fn of(scalar: Scalar, domain: &Domain, sampling: &Sampling) -> Measure {
        let ranges = &domain.numbers.ranges;
        let is_point = |r: &NumberRange| r.low.as_f64() == r.high.as_f64() || r.is_nan();
        if scalar == Scalar::Bool || (!ranges.is_empty() && ranges.iter().all(is_point)) {
            return Measure::Category;
        }
        let (low, high) = hull(scalar, domain, sampling);
        Measure::Scale(Scale::new(scalar, low, high, sampling.distribution))
    }

    /// The place of a number; for a category the number itself.
    pub(super) fn place(&self, x: f64) -> f64 {
        match self {
            Measure::Category => x,
            Measure::Scale(scale) => scale.place(x),
        }
    }

    /// The distance between two places; NaN is at distance 1 from every number and at distance 0 from itself.
    #[inline]
    pub(super) fn apart(&self, a: f64, b: f64) -> f64 {
        match self {
            _ if a.is_nan() || b.is_nan() => f64::from(u8::from(a.is_nan() != b.is_nan())),
            Measure::Category => f64::from(u8::from(a != b)),
            Measure::Scale(_) => (a - b).abs(),
        }
    }
}

/// The least and greatest number that is drawn: from the sampled range within the domain if there is one, otherwise
/// from the domain.
fn hull(scalar: Scalar, domain: &Domain, sampling: &Sampling) -> (f64, f64) {
    let most = if scalar == Scalar::F32 { f64::from(f32::MAX) } else { f64::MAX };
    let (least, greatest) =
        scalar.integer_range().map_or((-most, most), |(low, high)| (low as f64, high as f64));
    let within =
        |(low, high): (f64, f64), r: &NumberRange| (low.max(r.low.as_f64()), high.min(r.high.as_f64()));
    let mut hull = (least, greatest);
    if !domain.numbers.ranges.is_empty() {
        let lows = domain.numbers.ranges.iter().map(|r| r.low.as_f64());
        let highs = domain.numbers.ranges.iter().map(|r| r.high.as_f64());
        hull = (lows.fold(greatest, f64::min).max(least), highs.fold(least, f64::max).min(greatest));
    }
    let sampled = sampling.range.map(|r| within(hull, &r)).filter(|(low, high)| low <= high);
    sampled.unwrap_or(hull)
}

/// Maps a number to approximately the share of draws below it: 0 for the least number that is drawn, 1 for the
/// greatest.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    /// The bits of the float at which magnitudes begin.
    least: u64,
    low_key: f64,
    high_key: f64,
    distribution: Distribution,
}

impl Scale {
    fn new(scalar: Scalar, low: f64, high: f64, distribution: Distribution) -> Scale {
        let reach = low.abs().max(high.abs());
        // As in the draws: magnitudes of integers begin at 0.5, those of floats 20 powers of two below the smaller of
        // M and 1/M.
        let least = match () {
            () if scalar.integer_range().is_some() => 0.5,
            () if low > 0.0 => low,
            () if high < 0.0 => -high,
            () => reach.min(1.0 / reach) / f64::from(1 << 20),
        };
        let mut scale =
            Scale { low, high, least: least.to_bits(), low_key: 0.0, high_key: 0.0, distribution };
        (scale.low_key, scale.high_key) = (scale.key(low), scale.key(high));
        scale
    }

    /// The signed magnitude. All neighbouring powers of two are equally far apart. Bits are used and not a logarithm,
    /// whose last bit differs between machines.
    fn key(&self, x: f64) -> f64 {
        let magnitude = x.abs().to_bits().saturating_sub(self.least) as f64;
        if x < 0.0 { -magnitude } else { magnitude }
    }

    /// The place of a number: from 0 to 1 inside the drawn range, between -1 and 2 outside it. The place of NaN is
    /// NaN.
    fn place(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let uniform = || share(x, self.low, self.high);
        let magnitude = || share(self.key(x), self.low_key, self.high_key);
        match self.distribution {
            Distribution::Uniform => uniform(),
            Distribution::Logarithmic => magnitude(),
            Distribution::Mixed => f64::midpoint(uniform(), magnitude()),
        }
    }
}

/// The position of `x` between `low` and `high`, from 0 to 1; outside them it approaches -1 and 2.
fn share(x: f64, low: f64, high: f64) -> f64 {
    // Both are halved, so that the width of a range such as all floats does not overflow.
    let (above, width) = (x / 2.0 - low / 2.0, high / 2.0 - low / 2.0);
    match above / width {
        _ if above == 0.0 => 0.0,
        _ if width <= 0.0 => {
            if above > 0.0 {
                2.0
            } else {
                -1.0
            }
        }
        t if t > 1.0 => 2.0 - 1.0 / t,
        t if t < 0.0 => 1.0 / (1.0 - t) - 1.0,
        t => t,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dodona_target::{Number, Numbers};

    fn measure(scalar: Scalar, ranges: &[(f64, f64)], distribution: Distribution) -> Measure {
        let number =
            |&(low, high): &(f64, f64)| NumberRange { low: Number::Float(low), high: Number::Float(high) };
        let numbers = Numbers { ranges: ranges.iter().map(number).collect(), ..Numbers::default() };
        let sampling = Sampling { distribution, ..Sampling::default() };
        Measure::of(scalar, &Domain { numbers, ..Domain::default() }, &sampling)
    }

    #[test]
    fn uniform_numbers_are_placed_by_their_share_of_the_range() {
        let measure = measure(Scalar::F64, &[(10.0, 30.0)], Distribution::Uniform);
        assert_eq!([10.0, 15.0, 30.0].map(|x| measure.place(x)), [0.0, 0.25, 1.0]);
        assert_eq!(
            [50.0, -10.0].map(|x| measure.place(x)),
            [1.5, -0.5],
            "one width beyond is half way to the end"
        );
        assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(|x| measure.place(x)), [2.0, -1.0]);
    }

    #[test]
    fn magnitudes_are_placed_by_powers_of_two() {
        // Magnitudes up to 1 have place 0; eight powers of two lie between 0.5 and 128.
        let measure = measure(Scalar::I32, &[(0.0, 128.0)], Distribution::Logarithmic);
        assert_eq!([0.0, 1.0, 2.0, 8.0, 128.0].map(|x| measure.place(x)), [0.0, 0.125, 0.25, 0.5, 1.0]);
        let signed = super::Scale::new(Scalar::I32, -8.0, 8.0, Distribution::Logarithmic);
        assert_eq!([-8.0, 0.0, 1.0, 8.0].map(|x| signed.place(x)), [0.0, 0.5, 0.625, 1.0]);
    }

    #[test]
    fn mixed_numbers_lie_half_way() {
        let measure = measure(Scalar::I32, &[(0.0, 128.0)], Distribution::Mixed);
        assert_eq!(measure.place(8.0), (0.0625 + 0.5) / 2.0);
    }

    #[test]
    fn places_grow_with_their_numbers_over_whole_types() {
        for scalar in [Scalar::F64, Scalar::F32] {
            for distribution in Distribution::ALL {
                let measure = measure(scalar, &[], distribution);
                let numbers =
                    [f64::NEG_INFINITY, -1e38, -1.0, -1e-300, 0.0, 1e-300, 1.0, 1e38, f64::INFINITY];
                let places = numbers.map(|x| measure.place(x));
                assert!(places.is_sorted() && places.iter().all(|p| (-1.0..=2.0).contains(p)), "{places:?}");
                assert!(places[0] < places[4] && places[4] < places[8], "{places:?}");
            }
        }
    }

    #[test]
    fn nan_is_a_category_of_its_own() {
        let measure = measure(Scalar::F64, &[], Distribution::Mixed);
        let nan = measure.place(f64::NAN);
        assert_eq!(
            [measure.apart(nan, nan), measure.apart(nan, 0.3), measure.apart(0.3, nan)],
            [0.0, 1.0, 1.0]
        );
    }

    #[test]
    fn listed_numbers_and_booleans_are_categories() {
        for measure in [
            measure(Scalar::I32, &[(1.0, 1.0), (100.0, 100.0), (101.0, 101.0)], Distribution::Mixed),
            measure(Scalar::Bool, &[], Distribution::Mixed),
        ] {
            assert_eq!(
                [measure.apart(1.0, 100.0), measure.apart(100.0, 101.0), measure.apart(1.0, 1.0)],
                [1.0, 1.0, 0.0]
            );
        }
    }

    #[test]
    fn a_range_of_one_number_still_tells_others_apart() {
        let measure = measure(Scalar::I32, &[(5.0, 5.0), (5.0, 5.5)], Distribution::Uniform);
        assert_eq!(measure.place(5.0), 0.0);
        let scale = super::Scale::new(Scalar::I32, 5.0, 5.0, Distribution::Uniform);
        assert_eq!([4.0, 5.0, 6.0].map(|x| scale.place(x)), [-1.0, 0.0, 2.0]);
    }
}
