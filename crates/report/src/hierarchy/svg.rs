//! The order as a picture that needs nothing but itself.

mod layout;
mod sweep;

use std::fmt::Write as _;

use dodona_records::{HierarchyGraph, HierarchyNode};

use self::layout::{HEIGHT, Layout, WIDTH};
use super::node_words::{mutants, size, title};
use crate::text::{clipped, one_line};

/// The characters of a line in a node: its width by the 7.25 pixels of a character of a monospace font of 12 pixels, less a margin.
const LINE: usize = 19;

const STYLE: &str = ".hierarchy text{font:12px monospace;fill:#222}\
    .hierarchy .heading{fill:#555;stroke:#fff;stroke-width:4px;paint-order:stroke}\
    .hierarchy rect{fill:#eef4fb;stroke:#47719f}\
    .hierarchy .top rect{fill:#d4e5f7;stroke-width:2px}\
    .hierarchy .alive rect{fill:#fff;stroke:#888;stroke-dasharray:4 3}\
    .hierarchy .name{font-weight:bold}\
    .hierarchy .small{font-size:11px}\
    .hierarchy path{fill:none;stroke:#7a8794;stroke-opacity:.6}\
    .hierarchy marker path{fill:#7a8794;stroke:none}\
    .hierarchy g:hover rect{stroke:#b3261e}";

/// A picture of the order as SVG: layers of equal distance from the top, stronger nodes above, a node a box with its name, its size
/// and its first mutants; all of them are in its title, which a browser shows when one points at it, together with its edges.
/// Long layers take several rows. Nodes without an edge, and among these the ones alive, stand below the others, under headings of
/// their own.
///
/// The same graph gives the same bytes. Edges that lead nowhere or not downwards are left out. Pictures of 500 nodes can still be read.
///
/// ```
/// use dodona_records::HierarchyGraph;
/// assert!(dodona_report::svg_hierarchy(&HierarchyGraph::default()).contains("no mutants"));
/// ```
pub fn svg_hierarchy(graph: &HierarchyGraph) -> String {
    let layout = Layout::of(graph);
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = picture(&mut out, graph, &layout);
    out
}

fn picture(out: &mut String, graph: &HierarchyGraph, layout: &Layout) -> std::fmt::Result {
    let (width, height) = (layout.width, layout.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hierarchy\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>Mutants by strength</title>\n<style>{STYLE}"
    )?;
    for node in layout.with_edges() {
        // Both ends of an edge have its class, so that pointing at a node shows where its edges lead.
        writeln!(
            out,
            ".hierarchy:has(#n{node}:hover) .n{node}{{stroke:#b3261e;stroke-opacity:1;stroke-width:2px}}"
        )?;
    }
    writeln!(
        out,
        "</style>\n<defs><marker id=\"weaker\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" style=\"fill:#fff;stroke:none\"/>"
    )?;
    for line in &layout.lines {
        let (stronger, weaker) = line.nodes;
        writeln!(
            out,
            "<path class=\"n{stronger} n{weaker}\" marker-end=\"url(#weaker)\" d=\"{}\"><title>{} is stronger than {}</title></path>",
            line.path,
            xml(&one_line(&graph.nodes[stronger].label)),
            xml(&one_line(&graph.nodes[weaker].label)),
        )?;
    }
    for (x, y, heading) in &layout.headings {
        writeln!(out, "<text class=\"heading\" x=\"{x}\" y=\"{y}\">{heading}</text>")?;
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        draw(out, number, node, layout.places[number])?;
    }
    writeln!(out, "</svg>")
}

fn draw(out: &mut String, number: usize, node: &HierarchyNode, (x, y): (i32, i32)) -> std::fmt::Result {
    let class = match (node.alive, node.layer) {
        (true, _) => "alive",
        (false, 0) => "top",
        (false, _) => "weaker",
    };
    writeln!(
        out,
        "<g id=\"n{number}\" class=\"{class}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\"/>",
        xml(&title(node).join("\n")),
    )?;
    let lines = [("name", one_line(&node.label)), ("small", size(node)), ("small", mutants(node))];
    for (line, (class, words)) in (0..).zip(lines) {
        let (x, y, words) = (x + 6, y + 15 + 15 * line, xml(&clipped(&words, LINE)));
        writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{words}</text>")?;
    }
    writeln!(out, "</g>")
}

/// Text for an element or an attribute. XML has no place for control characters, not even escaped.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
