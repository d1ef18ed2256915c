//! Polynomials in normal form, as the normal form of arithmetic on real numbers. Their variables are all expressions that are
//! neither sums nor products.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use dodona_laws::Ratio;

/// A product of powers, in the order of their bases: the texts of expressions that are no sums or products.
type Monomial = BTreeMap<String, u32>;

/// A sum of monomials with coefficients other than 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial(BTreeMap<Monomial, Ratio>);

/// The most monomials of a polynomial.
const MOST_MONOMIALS: usize = 256;

impl Polynomial {
    pub(super) fn constant(value: Ratio) -> Polynomial {
        Polynomial(
            BTreeMap::from([(Monomial::new(), value)]).into_iter().filter(|(_, c)| !c.is_zero()).collect(),
        )
    }

    /// An expression that is no sum or product, by its text.
    pub(super) fn atom(text: String) -> Polynomial {
        Polynomial(BTreeMap::from([(Monomial::from([(text, 1)]), Ratio::ONE)]))
    }

    /// The value, if it is a constant.
    pub(super) fn value(&self) -> Option<Ratio> {
        match self.0.first_key_value() {
            None => Some(Ratio::ZERO),
            Some((monomial, value)) if monomial.is_empty() && self.0.len() == 1 => Some(*value),
            _ => None,
        }
    }

    /// The sum. As with all operations, `None` if a coefficient does not fit into 128 bits or if there are too many monomials.
    pub(super) fn plus(mut self, other: &Polynomial) -> Option<Polynomial> {
        for (monomial, &coefficient) in &other.0 {
            let sum = self.0.get(monomial).map_or(Some(coefficient), |c| c.plus(coefficient))?;
            if sum.is_zero() {
                self.0.remove(monomial);
            } else {
                self.0.insert(monomial.clone(), sum);
            }
        }
        (self.0.len() <= MOST_MONOMIALS).then_some(self)
    }

    pub(super) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::constant(Ratio::ZERO);
        for (monomial, coefficient) in &other.0 {
            product = product.plus(&self.shifted(monomial, *coefficient)?)?;
        }
        Some(product)
    }

    pub(super) fn power(&self, n: u32) -> Option<Polynomial> {
        (0..n).try_fold(Polynomial::constant(Ratio::ONE), |power, _| power.times(self))
    }

    /// The product with a monomial and its coefficient.
    fn shifted(&self, by: &Monomial, coefficient: Ratio) -> Option<Polynomial> {
        let one = |(monomial, c): (&Monomial, &Ratio)| {
            let mut product = monomial.clone();
            by.iter().for_each(|(base, power)| *product.entry(base.clone()).or_default() += power);
            Some((product, c.times(coefficient)?))
        };
        self.0.iter().map(one).collect::<Option<_>>().map(Polynomial)
    }
}

/// A text that two polynomials share only if they are equal; an expression that is no sum or product is its own text.
impl Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = |(base, n): (&String, &u32)| if *n == 1 { base.clone() } else { format!("{base}^{n}") };
        let term = |(monomial, coefficient): (&Monomial, &Ratio)| {
            let mut factors: Vec<String> = monomial.iter().map(power).collect();
            if *coefficient != Ratio::ONE || factors.is_empty() {
                factors.insert(0, coefficient.to_string());
            }
            factors.join("*")
        };
        let terms: Vec<String> = self.0.iter().map(term).collect();
        match terms.len() {
            0 => f.write_str("0"),
            1 => f.write_str(&terms[0]),
            _ => write!(f, "({})", terms.join(" + ")),
        }
    }
}
