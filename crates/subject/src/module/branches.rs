//! Branch sites of a module, and the identity of a path through them.

use std::collections::BTreeMap;
use std::ops::Range;

use wasmparser::Operator;

use super::{CodePoint, Module};

/// The branch sites of a module: every `if`, `br_if` and `br_table` of the functions it defines, numbered from zero
/// in code order.
///
/// A *direction* of a site is the way that its decision can fall. `if` and `br_if` have two: 0 when the condition is zero, 1
/// when it is not. `br_table` has one for each place that it can lead to, in the order in which its table names them (the
/// default comes last): indices that lead to one place are one direction, so `default:` of a `switch` is one edge
/// however many values it stands for. An *edge* is a site with a direction; edges are numbered site by site, so every room that reads
/// the module means the same edge by a number. Unconditional branches, `select` and calls through tables decide nothing here.
///
/// ```
/// use dodona_subject::{Branches, CodePoint, Module};
///
/// let wasm = wat::parse_str(
///     "(module (func (param i32) (block (block (br_table 0 1 0 (local.get 0)))) (if (local.get 0) (then))))",
/// )?;
/// let branches = Branches::of(&Module::parse(wasm)?);
/// assert_eq!(branches.sites(), 2);
/// assert_eq!(branches.site(CodePoint { function: 0, instruction: 3 }), Some(0));
/// assert_eq!((branches.directions(0), branches.directions(1)), (2, 2));
/// assert_eq!(branches.table(0), [0, 1, 0]);
/// assert_eq!((branches.edge(1, 0), branches.edges()), (2, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    points: Vec<CodePoint>,
    /// The first edge of each site, and the number of edges behind the last.
    edges: Vec<u32>,
    /// The first site of each function, and the number of sites behind the last.
    functions: Vec<u32>,
    /// For each site that is a `br_table` the direction of each index, the default's last.
    tables: BTreeMap<u32, Vec<u32>>,
}

impl Branches {
    /// Finds the branch sites of all functions that the module defines.
    pub fn of(module: &Module) -> Branches {
        let mut branches =
            Branches { points: Vec::new(), edges: vec![0], functions: vec![0], tables: BTreeMap::new() };
        for function in 0..module.function_count() {
            for (instruction, (operator, _)) in (0..).zip(module.operators(function)) {
                branches.add(CodePoint { function, instruction }, &operator);
            }
            branches.functions.push(branches.sites());
        }
        branches
    }

    fn add(&mut self, point: CodePoint, operator: &Operator<'_>) {
        let directions = match operator {
            Operator::If { .. } | Operator::BrIf { .. } => 2,
            Operator::BrTable { targets } => {
                let labels = targets.targets().map_while(Result::ok).chain([targets.default()]);
                let table = directions(labels);
                let count = table.iter().max().map_or(0, |last| last + 1);
                self.tables.insert(self.sites(), table);
                count
            }
            _ => return,
        };
        let end = self.edges() + directions;
        self.points.push(point);
        self.edges.push(end);
    }

    /// The number of sites.
    pub fn sites(&self) -> u32 {
        self.points.len() as u32
    }

    /// The number of edges.
    pub fn edges(&self) -> u32 {
        self.edges[self.points.len()]
    }

    /// The site at a code point; `None` where no branch is decided.
    pub fn site(&self, point: CodePoint) -> Option<u32> {
        let sites = self.sites_of(point.function);
        let points = &self.points[sites.start as usize..sites.end as usize];
        let found = points.binary_search_by_key(&point.instruction, |p| p.instruction).ok()?;
        Some(sites.start + found as u32)
    }

    /// The sites of a function; empty for imports and functions out of range.
    pub fn sites_of(&self, function: u32) -> Range<u32> {
        let bounds = self.functions.get(function as usize..).and_then(|bounds| bounds.get(..2));
        bounds.map_or(0..0, |bounds| bounds[0]..bounds[1])
    }

    /// Where a site stands.
    ///
    /// # Panics
    /// When there is no such site.
    pub fn point(&self, site: u32) -> CodePoint {
        self.points[site as usize]
    }

    /// The number of directions of a site.
    ///
    /// # Panics
    /// When there is no such site.
    pub fn directions(&self, site: u32) -> u32 {
        self.edges[site as usize + 1] - self.edges[site as usize]
    }

    /// The number of the edge that leaves a site in a direction.
    ///
    /// # Panics
    /// When there is no such site or direction.
    pub fn edge(&self, site: u32, direction: u32) -> u32 {
        assert!(direction < self.directions(site), "no direction {direction} at site {site}");
        self.edges[site as usize] + direction
    }

    /// The direction of each index of a `br_table`, and last that of its default, which every index past the table takes.
    /// Empty for other sites.
    pub fn table(&self, site: u32) -> &[u32] {
        self.tables.get(&site).map_or(&[], Vec::as_slice)
    }

    /// The site and the direction of an edge.
    ///
    /// # Panics
    /// When there is no such edge.
    pub fn site_of_edge(&self, edge: u32) -> (u32, u32) {
        assert!(edge < self.edges(), "no edge {edge}: the module has {}", self.edges());
        let site = self.edges.partition_point(|first| *first <= edge) - 1;
        (site as u32, edge - self.edges[site])
    }
}

/// Numbers labels in the order in which they first come.
fn directions(labels: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut known = Vec::new();
    let number = |label| {
        known.iter().position(|k| *k == label).unwrap_or_else(|| {
            known.push(label);
            known.len() - 1
        }) as u32
    };
    labels.map(number).collect()
}

/// What identifies a path: the sequence of branch decisions of a run, as edges of [`Branches`], folded into 64 bits beside their
/// number.
///
/// Equal sequences have equal identities. Sequences of one length that differ in one decision alone never share theirs; for
/// others a collision has the chance of a 64-bit hash. A step is a few instructions on `i64`, so that instrumented code
/// computes the same value as it runs.
///
/// ```
/// use dodona_subject::PathId;
///
/// let path = PathId::START.extend(4).extend(0);
/// assert_eq!(path.length, 2);
/// assert_ne!(path, PathId::START.extend(0).extend(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId {
    /// The folded decisions.
    pub hash: u64,
    /// The number of decisions.
    pub length: u64,
}

impl PathId {
    /// The path of a run that has decided nothing yet. All zero, as memory is that nobody wrote to.
    pub const START: PathId = PathId { hash: 0, length: 0 };

    /// What a step multiplies with. Odd, so that no step forgets what came before it.
    pub const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    /// What a step shifts right by, to carry the high bits of the product to the low ones.
    pub const SHIFT: u32 = 32;

    /// The path with one more decision: `(hash ^ (edge + 1)) * FACTOR`, and that xor itself shifted right.
    #[must_use]
    pub fn extend(self, edge: u32) -> PathId {
        let product = (self.hash ^ (u64::from(edge) + 1)).wrapping_mul(PathId::FACTOR);
        PathId { hash: product ^ (product >> PathId::SHIFT), length: self.length + 1 }
    }
}
