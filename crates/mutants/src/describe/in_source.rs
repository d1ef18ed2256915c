//! Changes in the words of the source.

use std::collections::BTreeSet;

use dodona_subject::Location;

use super::context::Pair;
use super::expression::{Expression, Kind};
use super::render::{Known, Renderer, Signs};
use super::source_matching::{Match, Matcher};
use super::{Difference, Sides, is_statement};
use crate::source::SourceFile;
use crate::source::parse::{Node, NodeKind};

/// The two sides of a change in the words of the source, if the source expression can be determined.
pub(super) fn one(
    file: &SourceFile,
    location: &Location,
    variables: &BTreeSet<String>,
    difference: &Difference,
) -> Option<Sides> {
    let nodes = file.expressions(location.line);
    let matcher = Matcher { text: &file.text, variables };
    let mut found: Vec<(&Node, Match)> = Vec::new();
    for node in nodes.iter().flat_map(Node::all).filter(|n| n.place.0 == location.line) {
        found.extend(matching(&matcher, node, &difference.before).map(|m| (node, m)));
    }
    let (node, matched) = choose(found, location)?;
    let source = text_of(file, node);
    let texts = |signs: &Signs| written(*signs, file, node, &matched, difference);
    let mut texts = Signs::for_change(&difference.before, &difference.after).iter().map(texts);
    let after = texts.find(|after| *after != source)?;
    Some(Sides { before: source, after, place: Some(node.place) })
}

fn matching(matcher: &Matcher<'_>, node: &Node, before: &Expression) -> Option<Match> {
    if matches!(node.kind, NodeKind::Name(_) | NodeKind::Number(_) | NodeKind::Inside(_) | NodeKind::Other) {
        return None;
    }
    match &before.kind {
        Kind::Condition(condition) => matcher.condition(node, condition),
        _ if before.is_boolean() => matcher.condition(node, before),
        _ => matcher.value(node, before),
    }
}

/// The match at the place that the compiler recorded; otherwise a match that leaves nothing open, or the only match.
fn choose<'n>(found: Vec<(&'n Node, Match)>, location: &Location) -> Option<(&'n Node, Match)> {
    let at_place = |n: &Node| n.place == (location.line, location.column);
    let worth = |m: &Match| (m.score, std::cmp::Reverse(m.weak));
    if let Some(best) = found.iter().filter(|(n, _)| at_place(n)).max_by_key(|(_, m)| worth(m)) {
        return Some(best.clone());
    }
    let best = found.iter().max_by_key(|(_, m)| (std::cmp::Reverse(m.weak), m.score))?;
    (best.1.weak == 0 || found.len() == 1).then(|| best.clone())
}

fn text_of(file: &SourceFile, node: &Node) -> String {
    file.text[node.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the mutant computes instead of a source expression.
fn written(signs: Signs, file: &SourceFile, node: &Node, matched: &Match, difference: &Difference) -> String {
    let renderer = Renderer { language: file.language, signs, known: &matched.known };
    let Difference { before, after } = difference;
    let is_condition = matches!(before.kind, Kind::Condition(_)) || before.is_boolean();
    let after = match &after.kind {
        Kind::Condition(condition) => condition,
        _ => after,
    };
    if is_condition && !is_statement(after) {
        return condition(&renderer, matched, &after.as_condition());
    }
    let NodeKind::Binary(symbol, target, _) = &node.kind else { return renderer.text(after) };
    let target = || text_of(file, target);
    match (&before.kind, &after.kind) {
        (Kind::Assign(to, old), Kind::Assign(same, new)) if symbol.ends_with('=') && to.kind == same.kind => {
            assigned(&renderer, &target(), old, new)
        }
        _ if is_compound(symbol) && !is_statement(after) => assigned(&renderer, &target(), before, after),
        _ => renderer.text(after),
    }
}

fn condition(renderer: &Renderer<'_>, matched: &Match, after: &Expression) -> String {
    if let (Some(adapted), Kind::Binary(op, left, right)) = (&matched.adapted, &after.kind)
        && op.operator == adapted.found
        && right.at == Some(adapted.constant)
    {
        // The relation and the constant are unchanged, so the source's own ones are written.
        let mut known: Known = renderer.known.clone();
        known.values.insert(adapted.constant, adapted.written.clone());
        let op = super::expression::Binary { operator: adapted.operator, ..*op };
        let after = Expression::new(Kind::Binary(op, left.clone(), right.clone()));
        return Renderer { known: &known, ..*renderer }.text(&after);
    }
    renderer.condition(&if matched.negated { after.negated() } else { after.clone() })
}

/// `x = e` with another value, in short where it is of `x`.
fn assigned(renderer: &Renderer<'_>, target: &str, before: &Expression, after: &Expression) -> String {
    match (&before.kind, &after.kind) {
        (Kind::Binary(_, old, _), Kind::Binary(op, left, right))
            if left.at.is_some()
                && left.at == old.at
                && !op.operator.is_relation()
                && renderer.text(left) == target =>
        {
            format!("{target} {}= {}", op.operator.symbol(), renderer.text(right))
        }
        _ => format!("{target} = {}", renderer.text(after)),
    }
}

fn is_compound(symbol: &str) -> bool {
    symbol.ends_with('=') && symbol.len() > 1 && !matches!(symbol, "==" | "!=" | "<=" | ">=")
}

/// The two sides of a change of `p && q` or `p || q` that the code has as two branches.
///
/// If the second branch is reached, it decides alone, and in the mutant it is always reached. So its condition in the mutant,
/// negated if the source's `q` is, is the expression that replaced the connector.
pub(super) fn pair(
    file: &SourceFile,
    lines: &BTreeSet<u32>,
    variables: &BTreeSet<String>,
    pair: &Pair,
) -> Option<Sides> {
    let matcher = Matcher { text: &file.text, variables };
    let expressions: Vec<_> = lines.iter().map(|line| file.expressions(*line)).collect();
    let nodes = expressions.iter().flat_map(|nodes| nodes.iter()).flat_map(Node::all);
    let mut found = nodes.filter_map(|node| connected(&matcher, node, pair));
    let (start, node, known, negated) = found.next()?;
    let before: Vec<_> = file.text[start..node.range.end].split_whitespace().collect();
    let after = pair.after.as_condition();
    let renderer = Renderer { language: file.language, signs: Signs::Plain, known: &known };
    let after = renderer.condition(&if negated { after.negated() } else { after });
    let before = before.join(" ");
    (before != after).then_some(Sides { before, after, place: Some(node.place) })
}

/// A connector of the source whose operands are the conditions of a pair: where its left operand starts, the texts of both
/// operands, and whether the second is negated.
fn connected<'n>(
    matcher: &Matcher<'_>,
    node: &'n Node,
    pair: &Pair,
) -> Option<(usize, &'n Node, Known, bool)> {
    let NodeKind::Binary(symbol, left, right) = &node.kind else { return None };
    if !matches!(symbol.as_str(), "&&" | "||") {
        return None;
    }
    // `a || b || c` is `(a || b) || c`: before the last connector stands b.
    let nearest = match &left.kind {
        NodeKind::Binary(inner, _, last) if inner == symbol => last,
        _ => left,
    };
    let first = matcher.condition(nearest, &pair.conditions[0])?;
    let second = matcher.condition(right, &pair.conditions[1])?;
    if first.weak + second.weak > 0 && first.score + second.score < 4 {
        return None;
    }
    let mut known = first.known;
    known.values.extend(second.known.values);
    known.opposites.extend(second.known.opposites);
    known.calls.extend(second.known.calls);
    Some((nearest.range.start, node, known, second.negated))
}
