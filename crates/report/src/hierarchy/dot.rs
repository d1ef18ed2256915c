//! The order as a graph for Graphviz.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dodona_records::HierarchyGraph;

use super::node_words::{edges, mutants, size, title};
use crate::text::{clipped, one_line};

/// The characters of a line in a node: more would make the drawing too wide.
const LINE: usize = 30;

/// A graph in the language of Graphviz: nodes of one layer stand on one rank, edges lead from the stronger to the weaker, and what a node
/// holds is in its tooltip. Edges that lead nowhere or not downwards are left out.
///
/// ```
/// use dodona_records::HierarchyGraph;
/// assert!(dodona_report::dot_hierarchy(&HierarchyGraph::default()).starts_with("digraph hierarchy {\n"));
/// ```
pub fn dot_hierarchy(graph: &HierarchyGraph) -> String {
    let mut out =
        String::from("digraph hierarchy {\n  rankdir=TB;\n  node [shape=box, fontname=monospace];\n");
    // Writing to a `String` cannot fail.
    let _ = body(&mut out, graph);
    out + "}\n"
}

fn body(out: &mut String, graph: &HierarchyGraph) -> std::fmt::Result {
    let mut layers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        let lines = [one_line(&node.label), size(node), mutants(node)];
        let lines = lines.map(|line| clipped(&line, LINE));
        let style = if node.alive { ", style=dashed" } else { "" };
        let (label, tooltip) = (quoted(&lines), quoted(&title(node)));
        writeln!(out, "  n{number} [label={label}, tooltip={tooltip}{style}];")?;
        layers.entry(node.layer).or_default().push(number);
    }
    for nodes in layers.values() {
        let names: String = nodes.iter().map(|number| format!(" n{number};")).collect();
        writeln!(out, "  {{ rank=same;{names} }}")?;
    }
    for (stronger, weaker) in edges(graph) {
        writeln!(out, "  n{stronger} -> n{weaker};")?;
    }
    Ok(())
}

/// Lines as one quoted string. Graphviz reads a backslash as the beginning of an escape, and `\n` as the end of a line.
fn quoted(lines: &[String]) -> String {
    let escaped =
        |line: &String| line.replace(char::is_control, " ").replace('\\', r"\\").replace('"', "\\\"");
    let lines: Vec<String> = lines.iter().map(escaped).collect();
    format!("\"{}\"", lines.join(r"\n"))
}
