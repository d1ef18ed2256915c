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
            rest.swap(place, place + below(draw(seed, drawn), last - place));
            drawn += 1;
        }
        match farthest(&mut rest[..candidates], &order, distance, go_on) {
            Some(place) => order.push(rest.swap_remove(place).input),
            None => break,
        }
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
    /// Whether it comes before another if nothing changes: it is farther, or as far and has the smaller index.
    fn is_before(&self, other: (f64, usize)) -> bool {
        self.nearest > other.0 || self.nearest == other.0 && self.input < other.1
    }
}

/// The place of the farthest candidate; between equals, of the input with the smallest index. `None` if `go_on` returned false.
///
/// A candidate that has an earlier input nearer than the nearest of the best candidate cannot win, so it is not compared with the
/// others. What it was compared with is remembered, because it may be drawn again.
fn farthest(
    candidates: &mut [Rest],
    order: &[usize],
    distance: &mut dyn FnMut(usize, usize) -> f64,
    go_on: &dyn Fn() -> bool,
) -> Option<usize> {
    let mut places: Vec<usize> = (0..candidates.len()).collect();
    // Those come first that may be farthest by what is known, because they spare comparisons of the others.
    places.sort_by(|a, b| candidates[*b].nearest.total_cmp(&candidates[*a].nearest));
    let mut best: Option<(usize, (f64, usize))> = None;
    for place in places {
        let candidate = &mut candidates[place];
        let may_win = |candidate: &Rest| best.is_none_or(|(_, best)| candidate.is_before(best));
        if !go_on() {
            return None;
        }
        while candidate.seen < order.len() && may_win(candidate) {
            candidate.nearest = candidate.nearest.min(distance(candidate.input, order[candidate.seen]));
            candidate.seen += 1;
        }
        if may_win(candidate) {
            best = Some((place, (candidate.nearest, candidate.input)));
        }
    }
    best.map(|(place, _)| place)
}

/// A number below `n`. The probabilities of two numbers differ by at most 2^-64.
fn below(random: u64, n: usize) -> usize {
    ((u128::from(random) * n as u128) >> 64) as usize
}
