//! Where everything stands in the picture, in pixels.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dodona_records::HierarchyGraph;

use super::sweep::sweep;
use crate::hierarchy::node_words::edges;
use crate::text::counted;

/// The width of a node: nineteen characters.
pub(super) const WIDTH: i32 = 150;
/// The height of a node: three lines.
pub(super) const HEIGHT: i32 = 52;
/// Between the nodes of a row: edges from other rows go through here.
const GAP: i32 = 22;
/// Between the rows of one layer.
const ROW_GAP: i32 = 22;
/// Between layers: most edges bend here, and a heading stands here.
const LAYER_GAP: i32 = 84;
const MARGIN: i32 = 24;
/// The most nodes of a row: twelve are 2,064 pixels, about what a wide screen shows.
const MOST_IN_ROW: usize = 12;

/// The places of everything.
pub(super) struct Layout {
    pub(super) width: i32,
    pub(super) height: i32,
    /// The left upper corner of each node.
    pub(super) places: Vec<(i32, i32)>,
    /// Left end, base line and words.
    pub(super) headings: Vec<(i32, i32, String)>,
    pub(super) lines: Vec<Line>,
}

/// An edge.
pub(super) struct Line {
    /// The stronger and the weaker node.
    pub(super) nodes: (usize, usize),
    /// Its way, as SVG writes it.
    pub(super) path: String,
}

/// Nodes under one heading.
struct Band {
    heading: String,
    rows: Vec<Vec<usize>>,
    /// Whether edges lead to it, for which there has to be room.
    has_edges: bool,
}

/// A row that edges go past: its upper and lower end, and where its nodes begin.
struct Row {
    top: i32,
    left: i32,
    nodes: usize,
}

impl Layout {
    pub(super) fn of(graph: &HierarchyGraph) -> Self {
        let count = graph.nodes.len();
        let edges = edges(graph);
        let bands = bands(graph, &edges);
        let widest = bands.iter().flat_map(|band| &band.rows).map(Vec::len).max().unwrap_or(0);
        let width = (2 * MARGIN + widest as i32 * (WIDTH + GAP)).max(600);
        let mut layout = Layout {
            width,
            height: MARGIN,
            places: vec![(0, 0); count],
            headings: Vec::new(),
            lines: Vec::new(),
        };
        let mut rows = Vec::new();
        let mut row_of = vec![0; count];
        for band in &bands {
            layout.band(band, &mut rows, &mut row_of);
        }
        if bands.is_empty() {
            layout.headings.push((MARGIN, MARGIN + 12, "no mutants".to_owned()));
        }
        layout.height += MARGIN;
        layout.lines = lines(&layout.places, &edges, &rows, &row_of);
        layout
    }

    /// The nodes that an edge leads to or from, ascending.
    pub(super) fn with_edges(&self) -> BTreeSet<usize> {
        self.lines.iter().flat_map(|line| [line.nodes.0, line.nodes.1]).collect()
    }

    fn band(&mut self, band: &Band, rows: &mut Vec<Row>, row_of: &mut [usize]) {
        if !rows.is_empty() {
            self.height += if band.has_edges { LAYER_GAP - ROW_GAP } else { ROW_GAP };
        }
        self.headings.push((MARGIN, self.height + 10, band.heading.clone()));
        self.height += 20;
        let widest = band.rows.iter().map(Vec::len).max().unwrap_or(0) as i32;
        let left = (self.width - widest * (WIDTH + GAP) + GAP) / 2;
        for row in &band.rows {
            for (column, &node) in (0..).zip(row) {
                self.places[node] = (left + column * (WIDTH + GAP), self.height);
                row_of[node] = rows.len();
            }
            rows.push(Row { top: self.height, left, nodes: row.len() });
            self.height += HEIGHT + ROW_GAP;
        }
    }
}

/// Layers from the top, then what has no edge, then what no test kills.
fn bands(graph: &HierarchyGraph, edges: &[(usize, usize)]) -> Vec<Band> {
    let related: BTreeSet<usize> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut by_layer: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &node in &related {
        by_layer.entry(graph.nodes[node].layer).or_default().push(node);
    }
    let (numbers, mut layers): (Vec<u32>, Vec<Vec<usize>>) = by_layer.into_iter().unzip();
    sweep(&mut layers, graph.nodes.len(), edges);
    let mut bands: Vec<Band> = numbers
        .into_iter()
        .zip(layers)
        .map(|(number, nodes)| {
            let name = if number == 0 { "strongest".to_owned() } else { format!("layer {number}") };
            Band { heading: headed(&name, nodes.len()), rows: wrapped_by_column(&nodes), has_edges: true }
        })
        .collect();
    for (alive, name) in
        [(false, "neither stronger nor weaker than another"), (true, "alive: no test kills these")]
    {
        let is_in = |node: &usize| graph.nodes[*node].alive == alive && !related.contains(node);
        let nodes: Vec<usize> = (0..graph.nodes.len()).filter(is_in).collect();
        if !nodes.is_empty() {
            let rows = nodes.chunks(MOST_IN_ROW).map(<[usize]>::to_vec).collect();
            bands.push(Band { heading: headed(name, nodes.len()), rows, has_edges: false });
        }
    }
    bands
}

fn headed(name: &str, nodes: usize) -> String {
    format!("{name} ({})", counted(nodes as u64, "node"))
}

/// Rows of at most [`MOST_IN_ROW`], filled column by column, so that neighbours stay near each other.
fn wrapped_by_column(nodes: &[usize]) -> Vec<Vec<usize>> {
    let rows = nodes.len().div_ceil(MOST_IN_ROW);
    (0..rows).map(|row| nodes.iter().copied().skip(row).step_by(rows).collect()).collect()
}

/// The ways of all edges, in their order.
fn lines(places: &[(i32, i32)], edges: &[(usize, usize)], rows: &[Row], row_of: &[usize]) -> Vec<Line> {
    let starts = ends(places, edges.iter().map(|&(stronger, weaker)| (stronger, weaker)));
    let stops = ends(places, edges.iter().map(|&(stronger, weaker)| (weaker, stronger)));
    let line = |(number, &(stronger, weaker)): (usize, &(usize, usize))| {
        let from = (starts[number], places[stronger].1 + HEIGHT);
        let to = (stops[number], places[weaker].1);
        let between = &rows[row_of[stronger] + 1..row_of[weaker]];
        // Edges in one gap stand side by side.
        let aside = (number % 9) as i32 - 4;
        Line { nodes: (stronger, weaker), path: path(from, to, between, aside) }
    };
    edges.iter().enumerate().map(line).collect()
}

/// Where along its node each edge begins, for pairs of that node and the other one: in the order of the other ends.
fn ends(places: &[(i32, i32)], pairs: impl Iterator<Item = (usize, usize)>) -> Vec<i32> {
    let mut by_node: BTreeMap<usize, Vec<(i32, usize)>> = BTreeMap::new();
    let mut count = 0;
    for (number, (node, other)) in pairs.enumerate() {
        by_node.entry(node).or_default().push((places[other].0, number));
        count += 1;
    }
    let mut at = vec![0; count];
    for (node, mut edges) in by_node {
        edges.sort_unstable();
        let parts = edges.len() as i32 + 1;
        for (part, (_, number)) in (1..).zip(edges) {
            at[number] = places[node].0 + WIDTH * part / parts;
        }
    }
    at
}

/// A way that bends between rows and goes through the gaps of those in between.
fn path(from: (i32, i32), to: (i32, i32), between: &[Row], aside: i32) -> String {
    let mut out = format!("M{} {}", from.0, from.1);
    let mut here = from;
    for row in between {
        let part = f64::from(row.top - here.1) / f64::from((to.1 - here.1).max(1));
        let straight = here.0 + (f64::from(to.0 - here.0) * part) as i32;
        let gap = (straight - row.left + GAP / 2 + (WIDTH + GAP) / 2).div_euclid(WIDTH + GAP);
        // Beside the row nothing is in the way.
        let is_in_row = (0..=row.nodes as i32).contains(&gap);
        let x = if is_in_row { row.left - GAP / 2 + gap * (WIDTH + GAP) + aside } else { straight };
        curve(&mut out, here, (x, row.top));
        here = (x, row.top + HEIGHT);
        // Writing to a `String` cannot fail.
        let _ = write!(out, "L{x} {}", here.1);
    }
    curve(&mut out, here, to);
    out
}

/// Leaves and arrives upright.
fn curve(out: &mut String, from: (i32, i32), to: (i32, i32)) {
    let middle = i32::midpoint(from.1, to.1);
    let _ = write!(out, "C{} {middle} {} {middle} {} {}", from.0, to.0, to.0, to.1);
}
