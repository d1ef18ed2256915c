//! Drawings of an order of mutants: what they say, and that nothing in a name breaks them.

use dodona_records::{HierarchyGraph, HierarchyNode, MutantId};
use dodona_report::{dot_hierarchy, svg_hierarchy};

fn node(label: &str, mutants: &[u32], layer: u32) -> HierarchyNode {
    let mutants = mutants.iter().copied().map(MutantId).collect();
    HierarchyNode { label: label.into(), mutants, layer, alive: false, note: String::new() }
}

fn small() -> HierarchyGraph {
    let mut alive = node("equivalent?", &[12], 0);
    alive.alive = true;
    let mut top = node("a < b || \"b\" & \\c", &[9, 1, 2, 3, 20, 22, 24], 0);
    top.note = "killed by 3\ntests".into();
    HierarchyGraph {
        nodes: vec![
            top,
            node("class 2", &[4], 1),
            node("class 3", &[5, 6], 2),
            node("class 4", &[7], 0),
            alive,
        ],
        edges: vec![(0, 1), (1, 2), (0, 2)],
    }
}

/// Every tag is closed, in order, and no text has a bare `<` or `&`: what a reader of XML insists on.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(begin) = rest.find('<') {
        let (text, tag) = rest.split_at(begin);
        for after in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| after.starts_with(entity)), "{text}");
        }
        let end = tag.find('>').expect("the tag ends");
        let inner = &tag[1..end];
        assert!(inner.matches('"').count() % 2 == 0 && !inner.contains('<'), "{inner}");
        let name = inner.trim_start_matches('/').split([' ', '/']).next();
        match (inner.starts_with('/'), inner.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), name, "{inner}"),
            (false, true) => {}
            (false, false) => open.extend(name),
        }
        rest = &tag[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
}

#[test]
fn dot() {
    insta::assert_snapshot!("dot_of_a_hierarchy", dot_hierarchy(&small()));
}

#[test]
fn svg() {
    let svg = svg_hierarchy(&small());
    assert_well_formed(&svg);
    insta::assert_snapshot!("svg_of_a_hierarchy", svg);
}

#[test]
fn names_of_any_characters_break_nothing() {
    let name = "</title><script>\u{1}\u{fffe}]]>&\"'\\\n\\N";
    let graph = HierarchyGraph { nodes: vec![node(name, &[1], 0), node(name, &[2], 1)], edges: vec![(0, 1)] };
    let svg = svg_hierarchy(&graph);
    assert_well_formed(&svg);
    assert!(!svg.contains("<script") && !svg.contains(['\u{1}', '\u{fffe}']));
    let dot = dot_hierarchy(&graph);
    assert_eq!(dot.lines().count(), 3 + 2 + 2 + 1 + 1, "no name ends a line");
    assert!(dot.contains(r"\\N") && dot.contains(r#"\""#));
}

#[test]
fn mistaken_edges_are_left_out() {
    let mut graph = small();
    graph.edges = vec![(0, 9), (2, 0), (3, 3)];
    assert!(!svg_hierarchy(&graph).contains("is stronger than"));
    assert!(!dot_hierarchy(&graph).contains("->"));
}

/// Left and upper end of each box.
fn boxes(svg: &str) -> Vec<(i32, i32)> {
    let rects = svg.split("<rect x=\"").skip(1).map(|rest| rest.split('"'));
    let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).expect("a number");
    // `X" y="Y" …`
    rects.map(|mut parts| (number(parts.next()), number(parts.nth(1)))).collect()
}

#[test]
fn stronger_nodes_stand_above_and_no_two_boxes_overlap() {
    let nodes: Vec<HierarchyNode> = (0..300).map(|n| node(&format!("class {n}"), &[n + 1], n % 4)).collect();
    let edges: Vec<(u32, u32)> = (0..296).filter(|n| n % 4 != 3).map(|n| (n, n + 1)).collect();
    let graph = HierarchyGraph { nodes, edges };
    let svg = svg_hierarchy(&graph);
    assert_well_formed(&svg);
    let boxes = boxes(&svg);
    assert_eq!(boxes.len(), 300);
    for (at, &(x, y)) in boxes.iter().enumerate() {
        let apart = |&&(x2, y2): &&(i32, i32)| (x - x2).abs() >= 150 || (y - y2).abs() >= 52;
        assert_eq!(boxes[..at].iter().filter(apart).count(), at, "box {at}");
    }
    for &(stronger, weaker) in &graph.edges {
        assert!(boxes[stronger as usize].1 + 52 < boxes[weaker as usize].1);
    }
    assert_eq!(svg, svg_hierarchy(&graph));
}
