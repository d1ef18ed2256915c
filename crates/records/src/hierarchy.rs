//! An order of mutants by strength, as data for drawings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::MutantId;

/// Mutants that are equally strong or have one class: a node of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct HierarchyNode {
    /// What it is called.
    pub label: String,
    /// Its mutants; the first ones are shown.
    pub mutants: Vec<MutantId>,
    /// How many nodes the longest chain of stronger ones has: 0 at the top.
    pub layer: u32,
    /// Whether no test kills its mutants.
    pub alive: bool,
    /// What else is to be known of it; may be empty.
    pub note: String,
}

/// Which mutants are stronger than which. A drawing puts stronger ones above weaker ones.
///
/// ```
/// use dodona_records::{HierarchyGraph, HierarchyNode, MutantId};
/// let node = |label: &str, mutant, layer| HierarchyNode {
///     label: label.into(),
///     mutants: vec![MutantId(mutant)],
///     layer,
///     alive: false,
///     note: String::new(),
/// };
/// let graph = HierarchyGraph { nodes: vec![node("a", 1, 0), node("b", 2, 1)], edges: vec![(0, 1)] };
/// assert_eq!(graph.first_mistake(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct HierarchyGraph {
    /// The nodes; edges name them by their places.
    pub nodes: Vec<HierarchyNode>,
    /// The stronger and the weaker node; those that follow from others are best left out.
    pub edges: Vec<(u32, u32)>,
}

impl HierarchyGraph {
    /// The first edge that names a node that is not there, or whose weaker node is not in a later layer; `None` where every edge
    /// leads downwards.
    pub fn first_mistake(&self) -> Option<(u32, u32)> {
        let layer = |node: u32| self.nodes.get(node as usize).map(|node| node.layer);
        let leads_downwards = |&(stronger, weaker): &(u32, u32)| matches!((layer(stronger), layer(weaker)), (Some(above), Some(below)) if above < below);
        self.edges.iter().copied().find(|edge| !leads_downwards(edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(layers: &[u32], edges: &[(u32, u32)]) -> HierarchyGraph {
        let node = |(at, &layer): (usize, &u32)| HierarchyNode {
            label: format!("class {at}"),
            mutants: vec![MutantId(at as u32 + 1)],
            layer,
            alive: at == 1,
            note: String::new(),
        };
        HierarchyGraph { nodes: layers.iter().enumerate().map(node).collect(), edges: edges.to_vec() }
    }

    #[test]
    fn edges_that_lead_nowhere_or_upwards_are_mistakes() {
        assert_eq!(graph(&[0, 1, 2], &[(0, 2), (0, 1)]).first_mistake(), None);
        assert_eq!(graph(&[0, 1], &[(0, 1), (1, 0)]).first_mistake(), Some((1, 0)));
        assert_eq!(graph(&[0, 0], &[(0, 1)]).first_mistake(), Some((0, 1)));
        assert_eq!(graph(&[0, 1], &[(0, 2)]).first_mistake(), Some((0, 2)));
    }

    #[test]
    fn mutants_are_written_as_the_reports_do() {
        let json = serde_json::to_value(graph(&[0, 1], &[(0, 1)])).expect("it has string keys");
        assert_eq!(json["nodes"][1]["mutants"][0], "M2");
        assert_eq!(json["nodes"][1]["alive"], true);
        assert_eq!(json["edges"], serde_json::json!([[0, 1]]));
    }
}
