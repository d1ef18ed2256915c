//! Adaptive random order.

use super::draw;

/// How many random inputs are candidates for each next place; the farthest of them is chosen.
const CANDIDATES: usize = 10;

/// Orders inputs so that each is far from those before it. The first one is random. After it, ten of the remaining inputs are drawn as
/// candidates, and the one comes next whose distance to the nearest earlier input is greatest (adaptive random test case prioritisation,
/// Jiang et al. 2009, with a candidate set of fixed size). The order is the same for the same seed.
///
/// `distance` tells how far two inputs are from each other. It is called at most once for each pair of inputs. Before each input
/// is compared with others, `go_on` is asked; if it returns false, the order so far is returned, without the remaining inputs.
pub fn adaptive(
    inputs: usize,
    seed: u64,
    distance: &mut dyn FnMut(usize, usize) -> f64,
    go_on: &dyn Fn() -> bool,
) -> Vec<usize> {
    let mut rest: Vec<Rest> =
        (0..inputs).map(|input| Rest { input, nearest: f64::INFINITY, seen: 0 }).collect();
    let mut order = Vec::with_capacity(inputs);
    let mut drawn = 0;
    while !rest.is_empty() {
        let last = rest.len();
        let candidates = if order.is_empty() { 1 } else { CANDIDATES.min(last) };
        // Candidates are moved to the front.
        for place in 0..candidates {
            if !go_on() {
                return order;
            }
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
    /// The distance to the nearest of the first `seen` inputs that were chosen.
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

/// The place of the farthest candidate; between equals, of the input with the smallest index.
fn farthest(candidates: &[Rest]) -> usize {
    let better = |a: &Rest, b: &Rest| a.nearest > b.nearest || a.nearest == b.nearest && a.input < b.input;
    (1..candidates.len())
        .fold(0, |best, place| if better(&candidates[place], &candidates[best]) { place } else { best })
}

/// A number below `n`. The probabilities of two numbers differ by at most 2^-64.
fn below(random: u64, n: usize) -> usize {
    ((u128::from(random) * n as u128) >> 64) as usize
}
