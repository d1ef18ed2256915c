//! Tells relations apart that say the same in other words.

use std::collections::HashSet;

use dodona_relations::ast::{Body, Expression, Name, Node, Relation};
use dodona_simplify::{equivalent, simplify};
use dodona_target::Signature;

/// Relations of which no two say the same.
#[derive(Default)]
pub(crate) struct Distinct {
    seen: HashSet<String>,
    /// The relations, with the functions that each calls.
    said: Vec<(Vec<usize>, Relation)>,
}

impl Distinct {
    /// Adds a relation that calls these functions. Whether it says something that none before it says.
    pub(crate) fn add(&mut self, relation: &Relation, called: &[usize], functions: &[Signature]) -> bool {
        let shapes = [shape(relation), shape(&simplify(relation, functions))];
        let is_known = shapes.iter().any(|shape| self.seen.contains(shape));
        self.seen.extend(shapes);
        if is_known {
            return false;
        }
        let mut others = self.said.iter().filter(|(of, _)| of == called);
        if others.any(|(_, other)| equivalent(other, relation, functions)) {
            return false;
        }
        self.said.push((called.to_vec(), relation.clone()));
        true
    }
}

/// What a relation says, whatever its variables are called.
fn shape(relation: &Relation) -> String {
    let Body::Calls(expect) = &relation.body else { return relation.to_string() };
    let mut names: Vec<String> = Vec::new();
    let mut renamed = |e: &Expression| {
        e.rewrite(&mut |part| {
            let Node::Name(name) = &part.node else { return None };
            let place = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            Some(Expression::name(format!("v{place}")))
        })
    };
    let expect = renamed(expect);
    let condition = relation.condition.as_ref().map(renamed);
    let bare = Relation {
        name: Name::new("r"),
        bindings: Vec::new(),
        condition,
        body: Body::Calls(expect),
        ..relation.clone()
    };
    // An equation is the same law, exact or not.
    bare.to_string().replace(" ~= ", " == ")
}
