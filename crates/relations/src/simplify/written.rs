//! A relation as it is written, and the steps to a simpler one.

use dodona_subject::Function;

use super::cost::{self, Cost};
use super::guard::guarded;
use super::orient::oriented;
use super::read::{Scope, expressions};
use super::saturate::{Held, Saturated};
use crate::ast::{BinaryOperator as B, Body, Expression, Name, Node, Relation};
use crate::check::names;
use crate::parse::parse;

/// A relation in the notation of calls that has been checked.
pub(super) struct Written<'f> {
    pub(super) relation: Relation,
    pub(super) scope: Scope<'f>,
}

impl<'f> Written<'f> {
    /// `None` where the relation is wrong.
    pub(super) fn new(relation: Relation, functions: &'f [Function]) -> Option<Self> {
        let scope = Scope::new(&relation, functions)?;
        Some(Written { relation, scope })
    }

    /// The condition, which may be just `true`, and what is expected.
    pub(super) fn parts(&self) -> [Expression; 2] {
        let condition = self.relation.condition.clone().unwrap_or(Expression::new(Node::Bool(true)));
        match &self.relation.body {
            Body::Calls(expect) | Body::Primed { expect, .. } => [condition, expect.clone()],
        }
    }

    /// The same with its sides in the customary order.
    pub(super) fn oriented(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        self.rewritten(condition, expect)
    }

    /// A relation of the same meaning that is shorter, or as short and more readable.
    pub(super) fn simpler(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        let mut held = Held::new();
        let best = loop {
            let expressions = [&condition, &expect];
            let mut terms = Saturated::new(&self.scope, &[(self.scope.calls(), &expressions)], &held)?;
            let best = terms.best()?;
            let lost = terms.lost(&self.scope, &best).unwrap_or_else(|| terms.calls());
            if lost.is_empty() {
                break best;
            }
            if lost.is_subset(&held) {
                return None;
            }
            held.extend(lost);
        };
        let [condition, expect] = <[Expression; 2]>::try_from(best).ok()?;
        self.rewritten(condition, expect).filter(|new| new.cost() < self.cost())
    }

    /// The same with what the source alone decides moved from the expectation into the condition.
    pub(super) fn guarded(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        let (guard, rest) = guarded(&expect, &self.scope)?;
        let condition = match self.relation.condition {
            Some(_) => super::orient::joined(B::And, condition, guard),
            None => guard,
        };
        self.rewritten(condition, rest).filter(|new| new.cost().nodes <= self.cost().nodes)
    }

    /// The relation with other expressions. `None` where it would not be one over the same source inputs.
    pub(super) fn rewritten(&self, condition: Expression, expect: Expression) -> Option<Self> {
        let calls = self.scope.calls_of(&[&condition, &expect]);
        let (condition, expect) = (oriented(&condition, &calls), oriented(&expect, &calls));
        let condition = Some(condition).filter(|c| c.node != Node::Bool(true));
        let mut relation = Relation { condition, body: Body::Calls(expect), ..self.relation.clone() };
        drop_idle(&mut relation);
        let functions = self.scope.functions();
        let mut new = Written::new(relation, functions)?;
        if !new.draws_as(self) && new.relation.function.is_none() {
            // Other calls come first now; say whose parameters the variables are.
            let first = self.scope.calls().sites.first()?.function;
            new.relation.function = Some(Name::new(functions[first].name.clone()));
            new = Written::new(new.relation, functions)?;
        }
        let reread = parse(&new.relation.to_string()).ok()?.relations.pop()?;
        (new.draws_as(self) && reread == new.relation && new.roles() == self.roles()).then_some(new)
    }

    /// Whether every variable takes its values from the parameter that it does in another relation.
    fn draws_as(&self, other: &Written<'_>) -> bool {
        let place = |v: &crate::check::Variable| (v.function, v.parameter);
        self.scope.variables().iter().all(|v| other.scope.place(&v.name) == Some(place(v)))
    }

    /// Which functions are called in which roles, observed or not.
    fn roles(&self) -> std::collections::BTreeSet<(usize, crate::check::Role, bool)> {
        self.scope.calls().sites.iter().map(|site| (site.function, site.role, site.observed)).collect()
    }

    fn cost(&self) -> Cost {
        let of = |e: &Expression| cost::of(e, self.scope.calls());
        let all = expressions(&self.relation).unwrap_or_default();
        all.into_iter().map(of).fold(Cost::default(), Cost::plus)
    }

    /// Whether the tolerance matters.
    pub(super) fn approximates(&self) -> bool {
        approximates(&self.relation)
    }
}

fn approximates(relation: &Relation) -> bool {
    fn inside(e: &Expression) -> bool {
        matches!(e.node, Node::Binary(B::Approximate, ..)) || e.children().into_iter().any(inside)
    }
    expressions(relation).is_some_and(|all| all.into_iter().any(inside))
}

/// Drops the tolerance and the header entries that nothing needs any more.
fn drop_idle(relation: &mut Relation) {
    if !approximates(relation) {
        relation.tolerance = None;
    }
    let mut used = Vec::new();
    expressions(relation).unwrap_or_default().into_iter().for_each(|e| names(e, &mut used));
    let used: Vec<String> = used.into_iter().map(|name| name.text).collect();
    relation.bindings.retain(|binding| used.contains(&binding.variable.text));
    if relation.constants.as_ref().is_some_and(|c| !used.contains(&c.name.text)) {
        relation.constants = None;
    }
}
