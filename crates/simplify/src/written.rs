//! A relation as written, and the steps that lead to a simpler relation.

use dodona_relations::ast::{
    BinaryOperator as B, Body, Expression, Name, Node, Relation, binary, chain, parts,
};
use dodona_relations::{check::names, parse};
use dodona_target::Signature;

use super::cost::{self, Cost};
use super::guard::guarded;
use super::orient::Order;
use super::read::{Scope, expressions};
use super::saturate::{Kept, Saturated};

/// How many times the sides are put in order at most. One pass more than the nesting depth of calls in arguments is
/// enough for nearly all relations.
const ORDERINGS: usize = 6;

/// A checked relation in the notation of calls.
pub(super) struct Written<'f> {
    pub(super) relation: Relation,
    pub(super) scope: Scope<'f>,
}

impl<'f> Written<'f> {
    /// `None` if the relation is wrong.
    pub(super) fn new(relation: Relation, functions: &'f [Signature]) -> Option<Self> {
        let scope = Scope::new(&relation, functions)?;
        Some(Written { relation, scope })
    }

    /// The condition, `true` if there is none, and the expectation.
    pub(super) fn parts(&self) -> [Expression; 2] {
        let condition = self.relation.condition.clone().unwrap_or(Expression::new(Node::Bool(true)));
        match &self.relation.body {
            Body::Calls(expect) | Body::Primed { expect, .. } => [condition, expect.clone()],
        }
    }

    /// The relation with its sides in the customary order.
    pub(super) fn oriented(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        self.rewritten(condition, expect)
    }

    /// A relation with the same meaning that is shorter, or of equal length and more readable.
    pub(super) fn simpler(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        let mut kept = Kept::default();
        let best = loop {
            let expressions = [&condition, &expect];
            let mut terms = Saturated::new(&self.scope, &[(self.scope.calls(), &expressions)], &kept)?;
            let best = terms.best()?;
            let lost = terms.lost(&self.scope, &best);
            match lost {
                Some(lost) if lost.is_empty() => break best,
                Some(lost) if !lost.is_subset(&kept.calls) => kept.calls.extend(lost),
                // Rewriting an argument has turned a follow-up call into a source call: `f(x + 0)` into `f(x)`.
                _ if !kept.arguments => kept.arguments = true,
                _ if kept.calls != terms.calls() => kept.calls = terms.calls(),
                _ => return None,
            }
        };
        let [condition, expect] = <[Expression; 2]>::try_from(best).ok()?;
        self.rewritten(condition, expect).filter(|new| new.cost() < self.cost())
    }

    /// The relation without a part of its condition or expectation that follows from the other parts.
    pub(super) fn without_implied(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        let (when, expected) = (parts(B::And, &condition), parts(B::And, &expect));
        let without = |all: &[Expression], i: usize| [&all[..i], &all[i + 1..]].concat();
        let fewer_conditions = (0..when.len()).map(|i| (without(&when, i), &when[i], None));
        let fewer_expected = (0..expected.len()).filter(|_| expected.len() > 1).map(|i| {
            let others = without(&expected, i);
            ([&when[..], &others].concat(), &expected[i], Some(others))
        });
        let all: Vec<_> = fewer_conditions.filter(|_| when.len() > 1).chain(fewer_expected).collect();
        if all.is_empty() {
            return None;
        }
        let claim = |(given, part, _): &(Vec<Expression>, &Expression, _)| {
            Some(binary(B::Implies, chain(B::And, given.clone())?, (*part).clone()))
        };
        let claims: Vec<Expression> = all.iter().map(claim).collect::<Option<_>>()?;
        let roots: Vec<&Expression> = claims.iter().collect();
        let terms = Saturated::new(&self.scope, &[(self.scope.calls(), &roots)], &Kept::default())?;
        let proved = (0..all.len()).filter(|&i| terms.is_true(i));
        let rest = |i: usize| match &all[i] {
            (_, _, Some(others)) => Some((condition.clone(), chain(B::And, others.clone())?)),
            (others, _, None) => Some((chain(B::And, others.clone())?, expect.clone())),
        };
        let makes_all = |(condition, expect): &(Expression, Expression)| {
            self.scope.calls_of(&[condition, expect]).sites.len() == self.scope.calls().sites.len()
        };
        let (condition, expect) = proved.filter_map(rest).find(makes_all)?;
        self.rewritten(condition, expect).filter(|new| new.cost() < self.cost())
    }

    /// The relation with those parts of the expectation that the source alone decides moved into the condition.
    pub(super) fn guarded(&self) -> Option<Self> {
        let [condition, expect] = self.parts();
        let (guard, rest) = guarded(&expect, &self.scope)?;
        let condition = match self.relation.condition {
            Some(_) => binary(B::And, condition, guard),
            None => guard,
        };
        self.rewritten(condition, rest).filter(|new| new.cost().nodes <= self.cost().nodes)
    }

    /// The relation with other expressions. `None` if that would not be a relation over the same source inputs.
    pub(super) fn rewritten(&self, condition: Expression, expect: Expression) -> Option<Self> {
        let (condition, expect) = self.in_order(condition, expect);
        let condition = Some(condition).filter(|c| c.node != Node::Bool(true));
        let mut relation = Relation { condition, body: Body::Calls(expect), ..self.relation.clone() };
        drop_idle(&mut relation);
        let functions = self.scope.functions();
        let mut new = Written::new(relation, functions)?;
        if !new.draws_as(self) && new.relation.function.is_none() {
            // Another function is called first now, so `of` must name the function whose parameters the variables are
            // bound to.
            let first = self.scope.calls().sites.first()?.function;
            new.relation.function = Some(Name::new(functions[first].name.clone()));
            new = Written::new(new.relation, functions)?;
        }
        let reread = parse(&new.relation.to_string()).ok()?.relations.pop()?;
        (new.draws_as(self) && reread == new.relation && new.roles() == self.roles()).then_some(new)
    }

    /// Both expressions with their sides in the customary order.
    fn in_order(&self, mut condition: Expression, mut expect: Expression) -> (Expression, Expression) {
        // Calls are identified by their text, which changes when sides inside their arguments are reordered.
        for _ in 0..ORDERINGS {
            let calls = self.scope.calls_of(&[&condition, &expect]);
            let order = Order { calls: &calls, variables: self.scope.variables() };
            let ordered = (order.apply(&condition), order.apply(&expect));
            if ordered == (condition.clone(), expect.clone()) {
                break;
            }
            (condition, expect) = ordered;
        }
        (condition, expect)
    }

    /// Whether every variable is drawn for the same parameter as in another relation.
    fn draws_as(&self, other: &Written<'_>) -> bool {
        let place = |v: &dodona_relations::check::Variable| (v.function, v.parameter);
        self.scope.variables().iter().all(|v| other.scope.place(&v.name) == Some(place(v)))
    }

    /// The functions that are called, with role and whether their failure is observed.
    fn roles(&self) -> std::collections::BTreeSet<(usize, dodona_relations::check::Role, bool)> {
        self.scope.calls().sites.iter().map(|site| (site.function, site.role, site.observed)).collect()
    }

    fn cost(&self) -> Cost {
        let of = |e: &Expression| cost::of(e, self.scope.calls());
        let all = expressions(&self.relation).unwrap_or_default();
        all.into_iter().map(of).fold(Cost::default(), Cost::plus)
    }

    /// Whether the relation uses `~=`, so that its tolerance matters.
    pub(super) fn approximates(&self) -> bool {
        approximates(&self.relation)
    }
}

fn approximates(relation: &Relation) -> bool {
    expressions(relation).is_some_and(|all| all.into_iter().any(Expression::approximates))
}

/// Drops a tolerance, header entries and constants that the relation no longer uses.
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
