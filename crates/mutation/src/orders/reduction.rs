//! The transitive reduction of an order, and its layers.

use petgraph::adj::UnweightedList;
use petgraph::algo::tred::dag_transitive_reduction_closure;
use petgraph::visit::{EdgeRef, IntoEdgeReferences};

/// The most groups or classes whose order is reduced to its edges.
///
/// The reduction goes through all pairs and keeps them: 4,096 in one chain are 8 million pairs, 32 MiB and 0.6 s; the worst
/// shape in `benches/hierarchy.rs`, three levels with 3.7 million edges, takes 4.4 s. A drawing is readable up to a few hundred
/// edges, so a greater bound would be of no use.
pub const MOST_ORDERED: usize = 4096;

/// The edges of an order without those that follow from others, ascending: its transitive reduction, or Hasse diagram.
///
/// `successors` has those of each element, in any order. Every successor has a greater number than its element.
pub(crate) fn reduced(mut successors: Vec<Vec<u32>>) -> Vec<(usize, usize)> {
    let mut list: UnweightedList<u32> = UnweightedList::with_capacity(successors.len());
    for next in &mut successors {
        // The algorithm needs the successors in ascending order, without duplicates.
        next.sort_unstable();
        next.dedup();
        list.add_node_from_edges(next.iter().map(|&to| (to, ())));
    }
    let (reduction, _) = dag_transitive_reduction_closure(&list);
    let ends = reduction.edge_references().map(|edge| (edge.source() as usize, edge.target() as usize));
    let mut edges: Vec<(usize, usize)> = ends.collect();
    edges.sort_unstable();
    edges
}

/// How many elements the longest chain above each element has: 0 at the top. Each edge leads to a greater number, and edges are
/// sorted.
pub(crate) fn layers(elements: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; elements];
    for &(stronger, weaker) in edges {
        layers[weaker] = layers[weaker].max(layers[stronger] + 1);
    }
    layers
}
