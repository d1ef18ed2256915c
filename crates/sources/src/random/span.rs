//! Draws from one closed range, with uniform values or with uniform magnitudes.

use std::hint::select_unpredictable;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::seed::up_to;
use crate::set::Grid;

/// A closed range of integers or floats, prepared for drawing.
pub(crate) trait Span: Sized {
    /// The type of the drawn numbers.
    type Item: Copy + PartialEq + Default;

    /// The range between two member numbers (see [`Grid`]).
    fn new(grid: Grid, low: i128, high: i128) -> Self;

    /// Draws a member; values are (about) uniformly distributed.
    fn uniform(&self, rng: &mut Xoshiro256PlusPlus) -> Self::Item;

    /// Draws a member of either sign; magnitudes (powers of two) are (about) uniformly distributed.
    fn logarithmic(&self, rng: &mut Xoshiro256PlusPlus) -> Self::Item;

    /// Draws a member by one of the two ways, which the highest of the random `bits` chooses.
    #[inline(always)]
    fn either(&self, rng: &mut Xoshiro256PlusPlus, bits: u64) -> Self::Item {
        match bits >> 63 {
            0 => self.uniform(rng),
            _ => self.logarithmic(rng),
        }
    }

    /// The member with this number.
    fn at(grid: Grid, index: i128) -> Self::Item;

    /// The number of this member.
    fn index(grid: Grid, item: Self::Item) -> i128;
}

/// Floats of either sign with magnitudes from `least` on, numbered by their bits. Uniform numbers give (about)
/// uniform magnitudes. No logarithm is needed, whose last bit would differ between machines.
#[derive(Clone, Copy, Debug)]
struct Magnitudes {
    least: u64,
    low: i64,
    last: u64,
}

impl Magnitudes {
    fn new(least: f64, low: f64, high: f64) -> Self {
        let least = least.to_bits();
        let key = |x: f64| {
            let magnitude = x.abs().to_bits().saturating_sub(least) as i64;
            if x < 0.0 { -magnitude } else { magnitude }
        };
        let (low, high) = (key(low), key(high));
        Magnitudes { least, low, last: high.saturating_sub(low).max(0) as u64 }
    }

    #[inline(always)]
    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> f64 {
        self.at(up_to(rng, self.last))
    }

    /// The float with this number.
    #[inline(always)]
    fn at(&self, number: u64) -> f64 {
        let key = self.low + number as i64;
        let sign = (key as u64) & (1 << 63);
        f64::from_bits((self.least + key.unsigned_abs()) | sign)
    }
}

/// A closed range of integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integers {
    low: i128,
    high: i128,
    last: u64,
    magnitudes: Magnitudes,
    wide: bool,
}

impl Integers {
    /// The integer of a drawn magnitude, where every integer of the range is a float.
    #[inline(always)]
    fn narrow(&self, drawn: f64) -> i128 {
        i128::from((drawn as i64).clamp(self.low as i64, self.high as i64))
    }
}

/// Above this, not every integer can be represented as a float.
const FLOAT_EXACT: u128 = 1 << 53;

impl Span for Integers {
    type Item = i128;

    fn new(_: Grid, low: i128, high: i128) -> Self {
        // Magnitudes in 0.5..1 are truncated to 0, which gives 0 the weight of one power of two. The end farthest
        // from zero extends to just below the next integer, so that it gets its full weight.
        let edge = |x: i128, outward: bool| {
            let magnitude = x.unsigned_abs() as f64;
            let end = if outward { (magnitude + 1.0).next_down() } else { magnitude };
            if x < 0 { -end } else { end }
        };
        let magnitudes = Magnitudes::new(0.5, edge(low, low < 0), edge(high, high >= 0));
        let wide = low.unsigned_abs().max(high.unsigned_abs()) > FLOAT_EXACT;
        Integers { low, high, last: (high - low) as u64, magnitudes, wide }
    }

    #[inline(always)]
    fn uniform(&self, rng: &mut Xoshiro256PlusPlus) -> i128 {
        self.low + i128::from(up_to(rng, self.last))
    }

    #[inline(always)]
    fn either(&self, rng: &mut Xoshiro256PlusPlus, bits: u64) -> i128 {
        let is_uniform = bits >> 63 == 0;
        if self.wide {
            return if is_uniform { self.uniform(rng) } else { self.logarithmic(rng) };
        }
        // No branch: nothing foretells where it goes, and one that is guessed wrong takes longer than both ways.
        let number = up_to(rng, select_unpredictable(is_uniform, self.last, self.magnitudes.last));
        let uniform = self.low + i128::from(number);
        select_unpredictable(is_uniform, uniform, self.narrow(self.magnitudes.at(number)))
    }

    #[inline(always)]
    fn logarithmic(&self, rng: &mut Xoshiro256PlusPlus) -> i128 {
        let drawn = self.magnitudes.draw(rng);
        if !self.wide {
            return self.narrow(drawn);
        }
        // A large float has zeros in the low bits of its integer value; random bits replace them.
        let magnitude = drawn.abs() as u64;
        let empty = (64 - magnitude.leading_zeros()).saturating_sub(53);
        let x = i128::from(magnitude | (rng.next_u64() & ((1 << empty) - 1)));
        (if drawn < 0.0 { -x } else { x }).clamp(self.low, self.high)
    }

    fn at(_: Grid, index: i128) -> i128 {
        index
    }

    fn index(_: Grid, item: i128) -> i128 {
        item
    }
}

/// A closed range of floats, of `f64` or of `f32` alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floats {
    low: f64,
    high: f64,
    start: f64,
    width: f64,
    magnitudes: Magnitudes,
    single: bool,
}

/// In a range that reaches M and contains zero, magnitudes start at this factor times the smaller of M and 1/M.
const DEPTH: f64 = 1.0 / (1 << 20) as f64;

impl Floats {
    #[inline(always)]
    fn finish(&self, x: f64) -> f64 {
        let x = if self.single { f64::from(x as f32) } else { x };
        // As `clamp`, which would panic for the range that contains only NaN.
        match () {
            () if x < self.low => self.low,
            () if x > self.high => self.high,
            () => x,
        }
    }
}

impl Span for Floats {
    type Item = f64;

    fn new(grid: Grid, low: i128, high: i128) -> Self {
        let (low, high) = (grid.float(low), grid.float(high));
        let single = grid == Grid::Singles;
        let (most, tiny) = match single {
            true => (f64::from(f32::MAX), f64::from(f32::from_bits(1))),
            false => (f64::MAX, f64::from_bits(1)),
        };
        let (start, end) = (low.clamp(-most, most), high.clamp(-most, most));
        let reach = start.abs().max(end.abs());
        let least = match () {
            _ if start > 0.0 => start,
            _ if end < 0.0 => -end,
            _ => (reach.min(1.0 / reach) * DEPTH).clamp(tiny, most),
        };
        let magnitudes = Magnitudes::new(least, start, end);
        Floats { low, high, start, width: end - start, magnitudes, single }
    }

    #[inline(always)]
    fn uniform(&self, rng: &mut Xoshiro256PlusPlus) -> f64 {
        let unit = (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
        let x = match self.width.is_finite() {
            true => self.start + unit * self.width,
            // The width of a range such as all floats overflows, so the two ends are weighted instead.
            false => self.start * (1.0 - unit) + self.high.min(f64::MAX) * unit,
        };
        self.finish(x)
    }

    #[inline(always)]
    fn logarithmic(&self, rng: &mut Xoshiro256PlusPlus) -> f64 {
        self.finish(self.magnitudes.draw(rng))
    }

    fn at(grid: Grid, index: i128) -> f64 {
        grid.float(index)
    }

    fn index(grid: Grid, item: f64) -> i128 {
        grid.index(item)
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::Scalar;

    use super::*;
    use crate::Seed;

    #[test]
    fn without_a_branch_integers_are_drawn_as_with_one() {
        let ranges = [(0, 1), (-7, 7), (5, 5), (-3, i128::from(i32::MAX)), (1 << 52, 1 << 53), (0, 1 << 60)];
        for (low, high) in ranges {
            let span = Integers::new(Grid::of(Scalar::I64), low, high);
            let (mut a, mut b) = (Seed(3).stream("x", 0), Seed(3).stream("x", 0));
            for _ in 0..1000 {
                let bits = a.next_u64();
                assert_eq!(bits, b.next_u64());
                let drawn = span.either(&mut a, bits);
                let expected = if bits >> 63 == 0 { span.uniform(&mut b) } else { span.logarithmic(&mut b) };
                assert_eq!((drawn, &a), (expected, &b), "{low}..={high}");
            }
        }
    }
}
