//! `Stats.meanOf(int...)`.

/// The arithmetic mean, updated value by value so that it cannot overflow.
///
/// # Panics
/// When there is no value.
pub fn mean_of(values: &[i32]) -> f64 {
    let (first, rest) = values.split_first().expect("the mean of nothing is not defined");
    let mut mean = f64::from(*first);
    for (i, value) in rest.iter().enumerate() {
        mean += (f64::from(*value) - mean) / (i + 2) as f64;
    }
    mean
}
