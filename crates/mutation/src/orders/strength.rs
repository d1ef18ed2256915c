//! The static order: which mutants are stronger than which others by what is known of the code, for all tests.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeFiltered, EdgeRef, GraphRef, IntoNeighbors, VisitMap, Visitable};

use crate::orders::reduction::{MOST_ORDERED, layers, reduced};

/// Why a mutant is known to be stronger than another without a run of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Because {
    /// The two conditions always have the same value, so the mutants do the same (Kapoor 2011, section 3.1, theorem 3).
    SameEffect,
    /// Where the stronger condition differs from the original the weaker one does, and the place is reached exactly once in
    /// an execution (Kapoor 2011, section 3.1, theorem 4).
    StrongerOnce,
}

/// Which mutants are stronger than which others: every test that kills the stronger one kills the weaker one.
///
/// Facts are added one by one, and what follows from several of them is found. Every mutant is as strong as itself.
///
/// ```
/// use dodona_mutation::orders::{Because, Strength};
/// let mut strength = Strength::new(4);
/// strength.stronger(2, 0, Because::StrongerOnce);
/// strength.same(0, 1, Because::SameEffect);
/// assert_eq!(strength.why(2, 1), Some(Because::StrongerOnce));
/// assert!(!strength.is_stronger(0, 2));
/// let order = strength.order();
/// assert_eq!(order.classes(), [vec![2], vec![3], vec![0, 1]]);
/// assert_eq!(order.edges(), [(0, 2)]);
/// ```
#[derive(Clone, Debug)]
pub struct Strength {
    /// The edges lead from stronger to weaker mutants.
    graph: DiGraph<(), Because>,
}

impl Strength {
    /// An order of this number of mutants, of which nothing is known.
    pub fn new(mutants: usize) -> Self {
        let mut graph = DiGraph::with_capacity(mutants, 0);
        for _ in 0..mutants {
            graph.add_node(());
        }
        Strength { graph }
    }

    /// The number of mutants.
    pub fn mutants(&self) -> usize {
        self.graph.node_count()
    }

    /// Adds the fact that a mutant is stronger than another: every test that kills `stronger` kills `weaker`.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn stronger(&mut self, stronger: usize, weaker: usize, because: Because) {
        let mutants = self.mutants();
        assert!(stronger < mutants && weaker < mutants, "mutants {stronger}, {weaker} of {mutants}");
        if stronger != weaker {
            self.graph.add_edge(NodeIndex::new(stronger), NodeIndex::new(weaker), because);
        }
    }

    /// Adds the fact that the same tests kill both mutants.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn same(&mut self, one: usize, other: usize, because: Because) {
        self.stronger(one, other, because);
        self.stronger(other, one, because);
    }

    /// Whether every test that kills the first mutant is known to kill the second. This is so for a mutant and itself.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn is_stronger(&self, stronger: usize, weaker: usize) -> bool {
        self.why(stronger, weaker).is_some()
    }

    /// Why every test that kills the first mutant kills the second: [`Because::SameEffect`] if that follows from theorem 3
    /// alone, otherwise [`Because::StrongerOnce`]; `None` if it is not known.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn why(&self, stronger: usize, weaker: usize) -> Option<Because> {
        assert!(weaker < self.mutants(), "mutant {weaker} of {}", self.mutants());
        let (same, all) = self.reached(stronger);
        match (same.contains(weaker), all.contains(weaker)) {
            (true, _) => Some(Because::SameEffect),
            (false, true) => Some(Because::StrongerOnce),
            (false, false) => None,
        }
    }

    /// The other mutants that every test that kills this one is known to kill, ascending, each with the reason as in
    /// [`why`](Self::why).
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn weaker(&self, stronger: usize) -> Vec<(usize, Because)> {
        let (same, all) = self.reached(stronger);
        let because =
            |weaker| if same.contains(weaker) { Because::SameEffect } else { Because::StrongerOnce };
        all.ones().filter(|&weaker| weaker != stronger).map(|weaker| (weaker, because(weaker))).collect()
    }

    /// The mutants that are reached from a mutant by theorem 3 alone, and those reached by both theorems; both contain the
    /// mutant itself.
    fn reached(&self, from: usize) -> (FixedBitSet, FixedBitSet) {
        assert!(from < self.mutants(), "mutant {from} of {}", self.mutants());
        let from = NodeIndex::new(from);
        let same = EdgeFiltered::from_fn(&self.graph, |edge| *edge.weight() == Because::SameEffect);
        (reached(&same, from), reached(&self.graph, from))
    }

    /// The classes of mutants that are known to be equally strong, and the order among them.
    pub fn order(&self) -> StaticOrder {
        // Components come weakest first.
        let components: Vec<Vec<usize>> = kosaraju_scc(&self.graph)
            .into_iter()
            .rev()
            .map(|members| members.into_iter().map(NodeIndex::index).collect())
            .collect();
        let edges = self.between(&components);
        let layers = layers(components.len(), &edges);
        // Numbered anew: layer by layer, and within one by the first mutant.
        let mut sorted: Vec<(usize, Vec<usize>)> = layers.into_iter().zip(components).collect();
        sorted.iter_mut().for_each(|(_, members)| members.sort_unstable());
        sorted.sort_unstable();
        let (layers, classes): (Vec<usize>, Vec<Vec<usize>>) = sorted.into_iter().unzip();
        let edges = self.between(&classes);
        let is_reduced = ordered(&edges) <= MOST_ORDERED;
        let edges = if is_reduced { reduced(successors(classes.len(), &edges)) } else { edges };
        StaticOrder { class_of: class_of(self.mutants(), &classes), classes, layers, edges, is_reduced }
    }

    /// The edges between these classes, sorted, each once.
    fn between(&self, classes: &[Vec<usize>]) -> Vec<(usize, usize)> {
        let class_of = class_of(self.mutants(), classes);
        let ends = self.graph.edge_references();
        let ends = ends.map(|edge| (class_of[edge.source().index()], class_of[edge.target().index()]));
        let edges: BTreeSet<(usize, usize)> = ends.filter(|(stronger, weaker)| stronger != weaker).collect();
        edges.into_iter().collect()
    }
}

fn reached<G>(graph: G, from: NodeIndex) -> FixedBitSet
where
    G: GraphRef + IntoNeighbors<NodeId = NodeIndex> + Visitable<NodeId = NodeIndex, Map = FixedBitSet>,
{
    let mut search = Dfs::new(graph, from);
    while search.next(graph).is_some() {}
    debug_assert!(search.discovered.is_visited(&from));
    search.discovered
}

fn class_of(mutants: usize, classes: &[Vec<usize>]) -> Vec<usize> {
    let mut class_of = vec![0; mutants];
    for (class, members) in classes.iter().enumerate() {
        members.iter().for_each(|&mutant| class_of[mutant] = class);
    }
    class_of
}

/// How many classes are an end of an edge.
fn ordered(edges: &[(usize, usize)]) -> usize {
    edges.iter().flat_map(|&(stronger, weaker)| [stronger, weaker]).collect::<BTreeSet<usize>>().len()
}

fn successors(classes: usize, edges: &[(usize, usize)]) -> Vec<Vec<u32>> {
    let mut successors = vec![Vec::new(); classes];
    for &(stronger, weaker) in edges {
        successors[stronger].push(u32::try_from(weaker).expect("petgraph numbers with 32 bits"));
    }
    successors
}

/// Classes of mutants that are known to be equally strong, and which of these are strictly stronger than which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticOrder {
    classes: Vec<Vec<usize>>,
    layers: Vec<usize>,
    class_of: Vec<usize>,
    edges: Vec<(usize, usize)>,
    is_reduced: bool,
}

impl StaticOrder {
    /// The classes, each with its mutants ascending. They are sorted by layers from the top, and within a layer by their first
    /// mutants, so that a class comes before all weaker ones. A mutant of which nothing is known is a class by itself.
    pub fn classes(&self) -> &[Vec<usize>] {
        &self.classes
    }

    /// The class of a mutant.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn class_of(&self, mutant: usize) -> usize {
        self.class_of[mutant]
    }

    /// The classes than which no other is known to be strictly stronger, with their numbers, which are the first ones. A suite
    /// that kills a mutant of each of these kills all mutants.
    pub fn top(&self) -> &[Vec<usize>] {
        let top = self.layers.iter().take_while(|layer| **layer == 0).count();
        &self.classes[..top]
    }

    /// For each class the length of the longest chain of strictly stronger classes above it: 0 at the top.
    pub fn layers(&self) -> &[usize] {
        &self.layers
    }

    /// The edges, each from a stronger to a weaker class, ascending, without edges that follow from others: see
    /// [`is_reduced`](Self::is_reduced).
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Whether edges that follow from others are left out. They are kept if more than [`MOST_ORDERED`] classes have an edge;
    /// then the edges are the facts that were added.
    pub fn is_reduced(&self) -> bool {
        self.is_reduced
    }
}
