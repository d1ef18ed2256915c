//! Adaptive random order.

use super::draw;

/// Random inputs of which the farthest comes next.
const CANDIDATES: usize = 10;

/// Inputs far from each other first: after a random one always, of ten random ones of the rest, the one whose nearest
/// neighbour among those before it is farthest (adaptive random test case prioritisation, Jiang et al. 2009, with
/// a candidate set of fixed size). The same for the same seed.
///
/// `distance` tells how far two inputs are from each other. It is asked at most once for two inputs.
pub fn adaptive(inputs: usize, seed: u64, distance: &mut dyn FnMut(usize, usize) -> f64) -> Vec<usize> {
    let mut rest: Vec<Rest> =
        (0..inputs).map(|input| Rest { input, nearest: f64::INFINITY, seen: 0 }).collect();
    let mut order = Vec::with_capacity(inputs);
    let mut drawn = 0;
    while !rest.is_empty() {
        let last = rest.len();
        let candidates = if order.is_empty() { 1 } else { CANDIDATES.min(last) };
        // The first places become those of the candidates.
        for place in 0..candidates {
            rest.swap(place, place + below(draw(seed, drawn), last - place));
            drawn += 1;
            rest[place].look(&order, distance);
        }
        order.push(rest.swap_remove(farthest(&rest[..candidates])).input);
    }
    order
}

/// An input that is not chosen yet.
struct Rest {
    input: usize,
    /// How far the nearest of the first `seen` chosen inputs is.
    nearest: f64,
    seen: usize,
}

impl Rest {
    fn look(&mut self, order: &[usize], distance: &mut dyn FnMut(usize, usize) -> f64) {
        for &other in &order[self.seen..] {
            self.nearest = self.nearest.min(distance(self.input, other));
        }
        self.seen = order.len();
    }
}

/// The place of the farthest candidate, the one that came first where several are.
fn farthest(candidates: &[Rest]) -> usize {
    let better = |a: &Rest, b: &Rest| a.nearest > b.nearest || a.nearest == b.nearest && a.input < b.input;
    (1..candidates.len())
        .fold(0, |best, place| if better(&candidates[place], &candidates[best]) { place } else { best })
}

/// A number below `n`, each as likely as the other but for one in 2^64 of them.
fn below(random: u64, n: usize) -> usize {
    ((u128::from(random) * n as u128) >> 64) as usize
}
