//! Mutants as a person reads them: where they are, and `a + b <= c` → `a + b < c`.
//!
//! The two sides are in the source's own words where the source expression that an instruction came from can be
//! told; else they are read from the operand stack with the names of the variables; without debug information they
//! are instructions of the text format.

mod build;
mod expression;
mod matching;
mod mnemonic;
mod parse;
mod render;
mod tokens;
mod wat;

use std::collections::BTreeSet;
use std::path::Path;

use dodona_subject::wasmparser::Operator;
use dodona_subject::{DebugInfo, Location};

use crate::source::{SourceFile, Sources};
use crate::{Candidate, Edit, Scanned};

use build::Builder;
pub(crate) use build::memarg;
use expression::{Expression, Kind};
use matching::{Match, Matcher};
pub(crate) use mnemonic::mnemonic;
use parse::{Node, NodeKind};
pub(crate) use render::Language;
use render::{Known, Renderer, Signs};
pub(crate) use tokens::{Token, tokens};

/// A mutant as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The instruction that the mutant is said to be at.
    pub instruction: u32,
    /// Its place in the source.
    pub place: Option<Location>,
    /// What the original does there.
    pub before: String,
    /// What the mutant does there.
    pub after: String,
    /// The line of the source, without what stands around its text.
    pub source_line: Option<String>,
    /// Which inlined copy of the source the place is in, as [`dodona_subject::InlineInstance::id`]; 0 for none.
    pub copy: u32,
}

/// Describes mutants of a module.
pub struct Describer<'a> {
    debug: Option<&'a DebugInfo>,
    sources: Sources,
}

/// One edit in words.
struct Sides {
    before: String,
    after: String,
    /// Line and column in the source.
    place: Option<(u32, u32)>,
}

impl<'a> Describer<'a> {
    /// For a module with this debug information, whose manifest lies in `folder`.
    pub fn new(debug: Option<&'a DebugInfo>, folder: &Path) -> Describer<'a> {
        Describer { debug, sources: Sources::new(folder) }
    }

    /// The instruction whose source place an instruction shares.
    ///
    /// Compilers give no place to what only fetches a value, and lose places when they move code: then it is that
    /// of the instruction that takes the value.
    pub fn anchor(&self, scanned: &Scanned<'_>, at: u32) -> u32 {
        let Some(debug) = self.debug else { return at };
        let mut anchor = at;
        for _ in 0..4 {
            let scan = scanned.at(anchor);
            let placed = debug.location_at(scan.offset).is_some_and(|l| l.column > 0);
            match scan.user {
                Some((user, _)) if !placed || is_leaf(&scan.operator) => anchor = user,
                _ => break,
            }
        }
        anchor
    }

    /// Describes a change of a function.
    pub fn describe(&mut self, scanned: &Scanned<'_>, candidate: &Candidate) -> Description {
        let at = candidate.edits[0].at;
        let anchor = self.anchor(scanned, at);
        let offset = scanned.at(anchor).offset;
        let mut place = self.debug.and_then(|d| d.location_at(offset)).cloned();
        let file = self.debug.zip(place.as_ref()).and_then(|(d, l)| self.sources.file(d, l));
        let builder = Builder::new(scanned, self.debug);
        let mut kept = None;
        let mut sides: Vec<Sides> = Vec::new();
        for edit in &candidate.edits {
            let one = self.sides(&builder, edit, &mut kept, file.as_deref());
            if !sides.iter().any(|s| s.before == one.before && s.after == one.after) {
                sides.push(one);
            }
        }
        if let (Some(place), Some((line, column))) = (&mut place, sides.first().and_then(|s| s.place)) {
            (place.line, place.column) = (line, column);
        }
        let source_line = file.zip(place.as_ref()).and_then(|(f, l)| f.line(l.line).map(str::to_owned));
        let join = |side: fn(&Sides) -> &str| sides.iter().map(side).collect::<Vec<_>>().join("; ");
        Description {
            instruction: at,
            before: join(|s| &s.before),
            after: join(|s| &s.after),
            place,
            source_line,
            copy: self.debug.map_or(0, |d| d.inline_instance(offset).id),
        }
    }

    fn sides(
        &self,
        builder: &Builder<'_>,
        edit: &Edit,
        kept: &mut Option<Expression>,
        file: Option<&SourceFile>,
    ) -> Sides {
        let new = builder.edited(edit, kept);
        let Some(debug) = self.debug else { return wat::sides(builder.scanned(), edit) };
        let (before, after) = in_context(builder, edit.at, new);
        let location =
            debug.location_at(builder.scanned().at(self.anchor(builder.scanned(), edit.at)).offset);
        let matched = file.zip(location).and_then(|(file, location)| {
            let variables = debug.subprogram(builder.scanned().module, builder.scanned().function);
            let variables = variables.map(|s| s.locals.values().cloned().collect()).unwrap_or_default();
            from_source(file, location, &variables, &before, &after)
        });
        matched
            .or_else(|| from_code(file, &before, &after))
            .unwrap_or_else(|| wat::sides(builder.scanned(), edit))
    }
}

/// The original and the mutated expression; a value that is only fetched, and an address, are shown where they
/// are used.
fn in_context(builder: &Builder<'_>, at: u32, new: Expression) -> (Expression, Expression) {
    let scanned = builder.scanned();
    let mut root = at;
    let mut found = (builder.expression(at), new.clone());
    for _ in 0..3 {
        let Some((user, position)) = scanned.at(root).user else { break };
        let is_address = position == 0 && build::memarg(&scanned.at(user).operator).is_some();
        if !is_address && !is_leaf(&scanned.at(root).operator) {
            break;
        }
        root = user;
        let before = builder.expression(root);
        let Some(after) = replaced(&before, at, &new) else { break };
        found = (before, after);
    }
    found
}

/// Whether an instruction only fetches a value or passes it on.
fn is_leaf(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::LocalGet { .. }
            | Operator::GlobalGet { .. }
            | Operator::LocalTee { .. }
            | Operator::I32Const { .. }
            | Operator::I64Const { .. }
            | Operator::F32Const { .. }
            | Operator::F64Const { .. }
    )
}

/// An expression with the value of an instruction replaced, if it is in there.
fn replaced(expression: &Expression, at: u32, new: &Expression) -> Option<Expression> {
    if expression.at == Some(at) {
        return Some(new.clone());
    }
    let mut copy = expression.clone();
    copy.at = None;
    let place = copy.children().into_iter().find_map(|child| {
        let new = replaced(child, at, new)?;
        *child = new;
        Some(())
    });
    place.map(|()| copy)
}

/// The two sides in the source's words.
fn from_source(
    file: &SourceFile,
    location: &Location,
    variables: &BTreeSet<String>,
    before: &Expression,
    after: &Expression,
) -> Option<Sides> {
    let nodes = parse::on_line(&file.text, &file.tokens, file.language, location.line);
    let matcher = Matcher { text: &file.text, variables };
    let mut found: Vec<(&Node, Match)> = Vec::new();
    for node in nodes.iter().flat_map(Node::all).filter(|n| n.place.0 == location.line) {
        found.extend(matching(&matcher, node, before).map(|m| (node, m)));
    }
    let (node, matched) = choose(found, location)?;
    let source = text_of(file, node);
    let texts = |signs: Signs| {
        let renderer = Renderer { language: file.language, signs, known: &matched.known };
        in_source(&renderer, file, node, &matched, before, after)
    };
    let after = texts(Signs::Plain);
    let after = if after == source { texts(Signs::Marked) } else { after };
    (after != source).then_some(Sides { before: source, after, place: Some(node.place) })
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

/// The match at the place that the compiler recorded; else one that leaves nothing open, or that is the only one.
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

/// What the mutant computes, in the place of a source expression.
fn in_source(
    renderer: &Renderer<'_>,
    file: &SourceFile,
    node: &Node,
    matched: &Match,
    before: &Expression,
    after: &Expression,
) -> String {
    let is_condition = matches!(before.kind, Kind::Condition(_)) || before.is_boolean();
    let after = match &after.kind {
        Kind::Condition(condition) => condition,
        _ => after,
    };
    if is_condition && !is_statement(after) {
        let after = after.as_condition();
        return renderer.condition(&if matched.negated { after.negated() } else { after });
    }
    let compound = match &node.kind {
        NodeKind::Binary(symbol, target, _) if is_compound(symbol) => Some(text_of(file, target)),
        _ => None,
    };
    match (compound, &before.kind, &after.kind) {
        (Some(target), Kind::Binary(_, old, _), Kind::Binary(op, left, right))
            if left.at.is_some() && left.at == old.at && !op.operator.is_relation() =>
        {
            format!("{target} {}= {}", op.operator.symbol(), renderer.text(right))
        }
        (Some(target), Kind::Binary(..), _) if !is_statement(after) => {
            format!("{target} = {}", renderer.text(after))
        }
        _ => renderer.text(after),
    }
}

fn is_compound(symbol: &str) -> bool {
    symbol.ends_with('=') && symbol.len() > 1 && !matches!(symbol, "==" | "!=" | "<=" | ">=")
}

fn is_statement(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        Kind::Trap
            | Kind::Sequence(_)
            | Kind::Assign(..)
            | Kind::Return(_)
            | Kind::Condition(_)
            | Kind::Switch(_)
    )
}

/// The two sides as the operand stack has them; `None` where they read the same.
fn from_code(file: Option<&SourceFile>, before: &Expression, after: &Expression) -> Option<Sides> {
    let language = file.map_or(Language::C, |f| f.language);
    let texts = |signs: Signs| {
        let known = Known::new();
        let renderer = Renderer { language, signs, known: &known };
        let after = if before.is_boolean() { renderer.condition(after) } else { renderer.text(after) };
        (renderer.text(before), after)
    };
    let differing = [Signs::Plain, Signs::Marked].into_iter().map(texts).find(|(b, a)| b != a);
    differing.map(|(before, after)| Sides { before, after, place: None })
}
