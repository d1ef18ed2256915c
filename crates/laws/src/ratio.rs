//! Exact fractions: the coefficients of polynomials and of laws.

/// A fraction in lowest terms, with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// The number 0.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    /// The number 1.
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// The fraction. `None` if the denominator is 0, or if the numerator or denominator does not fit into 128 bits.
    pub fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        let divisor = i128::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        let sign = denominator.signum();
        (denominator != 0).then_some(())?;
        Some(Ratio {
            numerator: (numerator / divisor).checked_mul(sign)?,
            denominator: (denominator / divisor).checked_mul(sign)?,
        })
    }

    /// An integer.
    pub fn whole(n: i128) -> Ratio {
        Ratio { numerator: n, denominator: 1 }
    }

    /// The value of a float, exactly; `None` where that takes more than 128 bits.
    pub fn from_float(x: f64) -> Option<Ratio> {
        let (mut value, mut denominator) = (x, 1i128);
        while value.fract() != 0.0 {
            value *= 2.0;
            denominator = denominator.checked_mul(2)?;
        }
        (value.abs() < 2f64.powi(100)).then_some(())?;
        Ratio::new(value as i128, denominator)
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The fraction as an integer, if it is one.
    pub fn integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The sum; `None` if its numerator or denominator does not fit into 128 bits.
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Ratio::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The product; `None` if its numerator or denominator does not fit into 128 bits.
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    /// The numerator, which has the sign.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator, which is positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The nearest float, within a rounding of each number and of the quotient.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The negative.
    pub fn negated(self) -> Ratio {
        Ratio { numerator: -self.numerator, ..self }
    }

    /// One over the fraction; `None` for 0.
    pub fn inverse(self) -> Option<Ratio> {
        Ratio::new(self.denominator, self.numerator)
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            d => write!(f, "{}/{d}", self.numerator),
        }
    }
}

/// The greatest common divisor; 1 where both are 0, so that it can be divided by.
///
/// ```
/// assert_eq!(dodona_laws::gcd(12, 18), 6);
/// assert_eq!((dodona_laws::gcd(0, 7), dodona_laws::gcd(0, 0)), (7, 1));
/// ```
pub fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact_and_in_lowest_terms() {
        let ratio = |n, d| Ratio::new(n, d).expect("a fraction");
        assert_eq!(ratio(2, -4), ratio(-1, 2));
        assert_eq!(ratio(1, 3).plus(ratio(1, 6)), Some(ratio(1, 2)));
        assert_eq!(ratio(2, 3).times(ratio(3, 4)), Some(ratio(1, 2)));
        assert_eq!((ratio(-2, 3).inverse(), Ratio::ZERO.inverse()), (Some(ratio(-3, 2)), None));
        assert_eq!(Ratio::from_float(-0.375), Some(ratio(-3, 8)));
        assert_eq!((ratio(4, 2).integer(), ratio(1, 2).integer()), (Some(2), None));
    }

    #[test]
    fn what_leaves_128_bits_is_no_fraction() {
        let large = Ratio::whole(i128::MAX);
        assert_eq!((large.plus(Ratio::ONE), large.times(large)), (None, None));
        assert_eq!((Ratio::from_float(1e300), Ratio::from_float(1e-300)), (None, None));
        assert_eq!((Ratio::from_float(f64::NAN), Ratio::from_float(f64::INFINITY)), (None, None));
    }
}
