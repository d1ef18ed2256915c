//! The order of nodes within layers, so that few edges cross.

/// How often the layers are gone through downwards and upwards. Most of what the medians can do is done after two; four take
/// no time that one would notice.
const SWEEPS: usize = 4;

/// Puts the nodes of each layer in the order of the medians of their neighbours above, then below, again and again (Sugiyama, Tagawa,
/// Toda 1981; Eades, Wormald 1994). Edges may skip layers.
///
/// `layers` are node numbers below `nodes`; edges lead from an earlier layer to a later one.
pub(super) fn sweep(layers: &mut [Vec<usize>], nodes: usize, edges: &[(usize, usize)]) {
    let mut above = vec![Vec::new(); nodes];
    let mut below = vec![Vec::new(); nodes];
    for &(stronger, weaker) in edges {
        above[weaker].push(stronger);
        below[stronger].push(weaker);
    }
    let mut places = vec![0.0; nodes];
    layers.iter().for_each(|layer| place(layer, &mut places));
    for _ in 0..SWEEPS {
        layers.iter_mut().rev().for_each(|layer| by_median(layer, &below, &mut places));
        layers.iter_mut().for_each(|layer| by_median(layer, &above, &mut places));
    }
}

/// Where the nodes of a layer stand, from 0 to 1: layers have different lengths.
fn place(layer: &[usize], places: &mut [f64]) {
    for (at, &node) in layer.iter().enumerate() {
        places[node] = (at as f64 + 0.5) / layer.len() as f64;
    }
}

/// Nodes without a neighbour on that side stay about where they are.
fn by_median(layer: &mut [usize], neighbours: &[Vec<usize>], places: &mut [f64]) {
    let wanted = |node: usize| {
        let mut of: Vec<f64> = neighbours[node].iter().map(|&other| places[other]).collect();
        of.sort_by(f64::total_cmp);
        let middle = of.len() / 2;
        match of.len() {
            0 => places[node],
            n if n % 2 == 1 => of[middle],
            _ => f64::midpoint(of[middle - 1], of[middle]),
        }
    };
    let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&node| (wanted(node), node)).collect();
    // Stable: what is equal stays in its order.
    keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    layer.iter_mut().zip(keyed).for_each(|(slot, (_, node))| *slot = node);
    place(layer, places);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossings(layers: &[Vec<usize>], edges: &[(usize, usize)]) -> usize {
        let at = |node: usize| layers.iter().find_map(|layer| layer.iter().position(|&other| other == node));
        let crosses = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| {
            (at(a) < at(c) && at(b) > at(d)) || (at(a) > at(c) && at(b) < at(d))
        };
        let pairs = edges.iter().enumerate();
        pairs.map(|(i, one)| edges[..i].iter().filter(|other| crosses(one, other)).count()).sum()
    }

    #[test]
    fn crossed_edges_are_uncrossed() {
        let mut layers = vec![vec![0, 1, 2], vec![3, 4, 5], vec![6]];
        let edges = [(0, 5), (1, 4), (2, 3), (0, 6)];
        assert_eq!(crossings(&layers, &edges[..3]), 3);
        sweep(&mut layers, 7, &edges);
        assert_eq!(crossings(&layers, &edges[..3]), 0);
        let mut all = layers.concat();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6], "each node stays in the picture");
    }

    #[test]
    fn layers_without_edges_stay_as_they_are() {
        let mut layers = vec![vec![2, 0, 1]];
        sweep(&mut layers, 3, &[]);
        assert_eq!(layers, [[2, 0, 1]]);
    }
}
