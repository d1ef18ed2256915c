//! Whether one sample tends to greater numbers than another, whatever their distribution.

use statrs::function::erf::erfc;

/// The largest samples whose p value is exact: beyond, the normal distribution is as good.
const MOST_EXACT: usize = 30;

/// What the Mann-Whitney U test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// In how many pairs the number of the first sample is the greater one; a tie counts one half.
    pub u: f64,
    /// How likely so uneven a number of pairs is, or one more uneven in either direction, where there is no difference.
    pub p: f64,
    /// How `p` was found.
    pub how: PValue,
}

/// How a p value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PValue {
    /// By counting all orders of the numbers.
    Exact,
    /// By the normal distribution, with corrections for ties and continuity.
    Normal,
}

/// The Mann-Whitney U test (Wilcoxon's rank sum test) of two independent samples; two-sided. Exact where no two numbers
/// are equal and no sample is larger than 30. `None` where a sample is empty.
pub fn mann_whitney_u(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let ranks = Ranks::of(first, second);
    let pairs = (first.len() * second.len()) as f64;
    let (u, uneven) = (ranks.u, ranks.u.max(pairs - ranks.u));
    if ranks.ties == 0.0 && first.len().max(second.len()) <= MOST_EXACT {
        let p = exact(first.len(), second.len(), uneven as usize);
        return Some(MannWhitney { u, p, how: PValue::Exact });
    }
    let all = (first.len() + second.len()) as f64;
    let variance = pairs / 12.0 * (all + 1.0 - ranks.ties / (all * (all - 1.0)));
    // All equal: nothing is uneven.
    let z = if variance > 0.0 { (uneven - pairs / 2.0 - 0.5).max(0.0) / variance.sqrt() } else { 0.0 };
    Some(MannWhitney { u, p: erfc(z / std::f64::consts::SQRT_2), how: PValue::Normal })
}

/// Vargha and Delaney's A12: how likely a number of the first sample is greater than one of the second, a tie counting
/// one half. 0.5 is no effect; by convention 0.56 is small, 0.64 medium and 0.71 large. `None` where a sample is empty.
pub fn vargha_delaney_a12(first: &[f64], second: &[f64]) -> Option<f64> {
    let pairs = first.len() * second.len();
    (pairs > 0).then(|| Ranks::of(first, second).u / pairs as f64)
}

struct Ranks {
    u: f64,
    /// The sum of t^3 - t over groups of t equal numbers.
    ties: f64,
}

impl Ranks {
    fn of(first: &[f64], second: &[f64]) -> Ranks {
        let numbers = first.iter().map(|x| (*x, true)).chain(second.iter().map(|x| (*x, false)));
        let mut numbers: Vec<(f64, bool)> = numbers.collect();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut sum, mut ties, mut before) = (0.0, 0.0, 0.0);
        // Zeros are equal whatever their sign, and stand together.
        for group in numbers.chunk_by(|a, b| a.0 == b.0) {
            let size = group.len() as f64;
            let own = group.iter().filter(|(_, is_first)| *is_first).count() as f64;
            sum += own * (before + (size + 1.0) / 2.0);
            ties += size * size * size - size;
            before += size;
        }
        let n = first.len() as f64;
        Ranks { u: sum - n * (n + 1.0) / 2.0, ties }
    }
}

/// The share of orders of `m` and `n` distinct numbers in which one sample is the greater in at least `least` pairs, twice.
fn exact(m: usize, n: usize, least: usize) -> f64 {
    // After sample sizes (i, j): in how many orders the first is greater in u pairs. The greatest number is either of the
    // first sample, greater than all j, or of the second.
    let mut counts: Vec<Vec<f64>> = vec![vec![1.0]; n + 1];
    for i in 1..=m {
        counts[0] = vec![1.0];
        for j in 1..=n {
            let mut next = vec![0.0; i * j + 1];
            counts[j].iter().enumerate().for_each(|(u, count)| next[u + j] += count);
            counts[j - 1].iter().enumerate().for_each(|(u, count)| next[u] += count);
            counts[j] = next;
        }
    }
    let all: f64 = counts[n].iter().sum();
    let uneven: f64 = counts[n].iter().skip(least).sum();
    (2.0 * uneven / all).min(1.0)
}
