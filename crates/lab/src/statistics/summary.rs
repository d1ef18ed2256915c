//! One sample: its mean and spread.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// What a sample of numbers comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many numbers.
    pub count: usize,
    /// Their arithmetic mean.
    pub mean: f64,
    /// Their standard deviation as a sample's (over n - 1); `None` of one number.
    pub sd: Option<f64>,
    /// Their median: of an even count, the mean of the middle two.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Summary {
    /// Of some finite numbers; `None` of no numbers.
    ///
    /// ```
    /// use dodona_lab::statistics::Summary;
    /// let summary = Summary::of(&[1.0, 4.0, 2.0, 3.0]).expect("there are numbers");
    /// assert_eq!((summary.mean, summary.median, summary.max), (2.5, 2.5, 4.0));
    /// ```
    pub fn of(values: &[f64]) -> Option<Summary> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        };
        let sd = variance(values).map(f64::sqrt);
        Some(Summary { count: values.len(), mean: mean(values), sd, median, min, max })
    }
}

/// The arithmetic mean of some numbers.
pub(crate) fn mean(values: &[f64]) -> f64 {
    // Around the first: numbers that are all equal have that mean, to the last bit.
    let first = values.first().copied().unwrap_or(0.0);
    first + values.iter().map(|x| x - first).sum::<f64>() / values.len() as f64
}

/// The variance over n - 1.
pub(crate) fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (values.len() > 1).then(|| squares / (values.len() - 1) as f64)
}

/// Where the mean of what the sample is drawn from lies with a probability of `level`, by Student's t. `None` of
/// fewer than two numbers, and where the level is not between 0 and 1.
///
/// ```
/// use dodona_lab::statistics::confidence_interval;
/// let (low, high) = confidence_interval(&[1.0, 2.0], 0.95).expect("two numbers");
/// assert!((low + 4.853).abs() < 1e-3 && (high - 7.853).abs() < 1e-3);
/// ```
pub fn confidence_interval(values: &[f64], level: f64) -> Option<(f64, f64)> {
    let variance = variance(values)?;
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let freedom = (values.len() - 1) as f64;
    let t = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(f64::midpoint(1.0, level));
    let half = t * (variance / values.len() as f64).sqrt();
    Some((mean(values) - half, mean(values) + half))
}
