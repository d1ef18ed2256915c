//! What both drawings of a hierarchy, DOT and SVG, say of a node.

use std::collections::BTreeSet;

use dodona_records::{HierarchyGraph, HierarchyNode, MutantId};

use crate::text::{counted, one_line, ranges};

/// `M1-M5 M9`, all of them, ascending.
pub(super) fn mutants(node: &HierarchyNode) -> String {
    let mut mutants: Vec<MutantId> = node.mutants.clone();
    mutants.sort_unstable();
    ranges(&mutants)
}

/// `6 mutants`, `6 mutants, alive`
pub(super) fn size(node: &HierarchyNode) -> String {
    let size = counted(node.mutants.len() as u64, "mutant");
    if node.alive { size + ", alive" } else { size }
}

/// The lines of what is shown when one points at a node: all that is known of it.
pub(super) fn title(node: &HierarchyNode) -> Vec<String> {
    let lines = [one_line(&node.label), format!("{}: {}", size(node), mutants(node)), one_line(&node.note)];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// The edges that lead downwards, ascending, each once: whatever leads nowhere or upwards would be no order.
pub(super) fn edges(graph: &HierarchyGraph) -> Vec<(usize, usize)> {
    let layer = |node: usize| graph.nodes.get(node).map(|node| node.layer);
    let ends = graph.edges.iter().map(|&(stronger, weaker)| (stronger as usize, weaker as usize));
    let downwards = ends.filter(|&(a, b)| layer(a).zip(layer(b)).is_some_and(|(a, b)| a < b));
    downwards.collect::<BTreeSet<(usize, usize)>>().into_iter().collect()
}
