//! Whether two samples differ in their mean, and by how much.

use statrs::function::beta::checked_beta_reg;

use crate::statistics::summary::{mean, variance};

/// What a t-test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// The statistic: positive where the first sample's mean is greater, infinite where nothing varies but the means differ.
    pub t: f64,
    /// The degrees of freedom.
    pub df: f64,
    /// How likely means so far apart are, or farther in either direction, where there is no difference.
    pub p: f64,
}

/// Student's t-test of two independent samples in the form of Welch, which does not assume that they vary alike; two-sided.
///
/// Where neither sample varies the limit is given: `p` is 1 for equal means, else 0. `None` where a sample has
/// fewer than two numbers.
pub fn t_test(first: &[f64], second: &[f64]) -> Option<TTest> {
    let (a, b) = (variance(first)? / first.len() as f64, variance(second)? / second.len() as f64);
    let squares = a * a / (first.len() - 1) as f64 + b * b / (second.len() - 1) as f64;
    let df = (a + b) * (a + b) / squares;
    // Nothing varies: as in the pooled form.
    let df = if squares > 0.0 { df } else { (first.len() + second.len() - 2) as f64 };
    Some(TTest::of(mean(first) - mean(second), (a + b).sqrt(), df))
}

/// Student's t-test with a pooled variance, for samples that vary alike; two-sided. Otherwise as [`t_test`].
pub fn pooled_t_test(first: &[f64], second: &[f64]) -> Option<TTest> {
    let pooled = pooled_variance(first, second)?;
    let error = (pooled / first.len() as f64 + pooled / second.len() as f64).sqrt();
    Some(TTest::of(mean(first) - mean(second), error, (first.len() + second.len() - 2) as f64))
}

/// Cohen's d: the difference of the means in units of the pooled standard deviation; positive where the first is greater.
/// By convention 0.2 is small, 0.5 medium and 0.8 large.
///
/// Where neither sample varies it is 0 for equal means, else infinite. `None` where a sample has fewer than two numbers.
pub fn cohens_d(first: &[f64], second: &[f64]) -> Option<f64> {
    let pooled = pooled_variance(first, second)?;
    Some(ratio(mean(first) - mean(second), pooled.sqrt()))
}

fn pooled_variance(first: &[f64], second: &[f64]) -> Option<f64> {
    let (m, n) = ((first.len() as f64) - 1.0, (second.len() as f64) - 1.0);
    Some((m * variance(first)? + n * variance(second)?) / (m + n))
}

/// A difference in units of its error: none is none, whatever the unit.
fn ratio(difference: f64, error: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / error }
}

impl TTest {
    fn of(difference: f64, error: f64, df: f64) -> TTest {
        let t = ratio(difference, error);
        // The two tails of the t-distribution; unlike 1 - cdf, exact where they are tiny.
        let tails = checked_beta_reg(df / 2.0, 0.5, df / (df + t * t));
        TTest { t, df, p: tails.unwrap_or(1.0).clamp(0.0, 1.0) }
    }
}
