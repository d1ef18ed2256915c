//! How many faults a suite detects, and how soon.

/// The share of mutants that are killed, of those that could be: 4.1 in Sun et al. (2021). `None` where there are none.
///
/// ```
/// use dodona_records::mutation_score;
/// assert_eq!(mutation_score(41, 56), Some(41.0 / 56.0));
/// assert_eq!(mutation_score(0, 0), None);
/// ```
pub fn mutation_score(killed: u64, not_equivalent: u64) -> Option<f64> {
    (not_equivalent > 0).then(|| killed as f64 / not_equivalent as f64)
}

/// The share of faults that the first `percent` of the tests detect; a test that is cut counts whole, so any percent above
/// zero is at least one test. `first` has for each fault the number of the first test that detects it, from 1. `None`
/// where there are no faults.
///
/// ```
/// use dodona_records::fault_detection_rate;
/// let first = [Some(1), Some(3), Some(10), None];
/// assert_eq!(fault_detection_rate(10, &first, 30), Some(0.5));
/// assert_eq!(fault_detection_rate(10, &first, 25), Some(0.5));
/// assert_eq!(fault_detection_rate(10, &first, 100), Some(0.75));
/// ```
pub fn fault_detection_rate(tests: u64, first: &[Option<u64>], percent: u32) -> Option<f64> {
    let run = (u128::from(tests) * u128::from(percent)).div_ceil(100);
    let detected = first.iter().flatten().filter(|test| u128::from(**test) <= run).count();
    mutation_score(detected as u64, first.len() as u64)
}

/// What becomes of faults that no test detects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undetected {
    /// They count as detected by a test behind the last.
    Last,
    /// They are left out, as if they were not there.
    LeftOut,
}

/// The average percentage of faults detected: how soon, from 0 to 1, 4.2 in Sun et al. (2021). `first` is as in
/// [`fault_detection_rate`]. `None` where there are no tests or no faults.
///
/// With [`Undetected::Last`] a suite that detects nothing has -1/(2n): the formula is meant for faults that are detected.
pub fn apfd(tests: u64, first: &[Option<u64>], undetected: Undetected) -> Option<f64> {
    let needed = |first: &Option<u64>| match undetected {
        Undetected::Last => Some(first.unwrap_or(tests + 1)),
        Undetected::LeftOut => *first,
    };
    let needed: Vec<u64> = first.iter().filter_map(needed).collect();
    if tests == 0 || needed.is_empty() {
        return None;
    }
    let (n, m) = (tests as f64, needed.len() as f64);
    let sum: u128 = needed.iter().map(|tests| u128::from(*tests)).sum();
    Some(1.0 - sum as f64 / (n * m) + 1.0 / (2.0 * n))
}
