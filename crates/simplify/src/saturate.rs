//! Equality saturation: a relation's terms with all terms that the rules find equal to them.

use std::collections::BTreeSet;
use std::time::Duration;

use dodona_relations::ast::Expression;
use dodona_relations::check::{CallSites, Role};
use egg::{CostFunction, Extractor, Id, Runner};

use super::cost::TermCost;
use super::meaning::{Meaning, Terms};
use super::read::{CallClass, Reader, Scope};
use super::rules::RULES;
use super::term::{Constant, Term};
use super::write;

/// The number of rounds in which all rules are applied.
const ROUNDS: usize = 10;
/// The number of nodes at which saturation stops.
const MOST_NODES: usize = 3_000;

/// A set of calls, as (function, role).
pub(super) type Held = BTreeSet<(usize, Role)>;

/// What the rules must not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// The calls that must not be lost.
    pub(super) calls: Held,
    /// Whether the arguments of follow-up calls stay as they are written.
    pub(super) arguments: bool,
}

/// Expressions with the terms that the rules find equal to them.
pub(super) struct Saturated {
    terms: Terms,
    /// The class of each expression.
    roots: Vec<Id>,
    /// For each group of expressions the calls that they make.
    calls: Vec<Vec<CallClass>>,
    keeps_arguments: bool,
}

impl Saturated {
    /// Applies the rules to groups of expressions over the variables of a scope, each group with its calls. The rules
    /// do not change what is in `kept`. `None` if an expression is not in the notation of calls.
    pub(super) fn new(
        scope: &Scope<'_>,
        groups: &[(&CallSites, &[&Expression])],
        kept: &Kept,
    ) -> Option<Self> {
        let mut terms = Terms::new(scope.meaning().holding(&kept.calls));
        let (mut roots, mut calls) = (Vec::new(), Vec::new());
        for (known, expressions) in groups {
            let mut reader = Reader::new(scope.functions(), known, &mut terms);
            reader.keeps_arguments = kept.arguments;
            for e in *expressions {
                roots.push(reader.read(e)?);
            }
            calls.push(reader.found);
        }
        terms.rebuild();
        let runner = Runner::<Term, Meaning>::new(Meaning::default())
            .with_egraph(terms)
            .with_iter_limit(ROUNDS)
            .with_node_limit(MOST_NODES)
            // The limits are counts and not times, so that the result is the same on every machine.
            .with_time_limit(Duration::MAX)
            .run(RULES.iter());
        Some(Saturated { terms: runner.egraph, roots, calls, keeps_arguments: kept.arguments })
    }

    /// Whether two of the expressions are equal, by index.
    pub(super) fn same(&self, a: usize, b: usize) -> bool {
        self.terms.find(self.roots[a]) == self.terms.find(self.roots[b])
    }

    /// Whether two of the groups make the same calls, by index.
    pub(super) fn same_calls(&self, a: usize, b: usize) -> bool {
        self.classes(&self.calls[a]) == self.classes(&self.calls[b])
    }

    /// Whether the expression is proved true in all rows.
    pub(super) fn is_true(&self, root: usize) -> bool {
        let truth = self.terms.lookup(Term::constant(Constant::Bool(true)));
        truth.is_some_and(|truth| self.terms.find(truth) == self.terms.find(self.roots[root]))
    }

    /// Whether the expression has a value in all rows whose verdict depends on it.
    pub(super) fn is_defined(&self, root: usize) -> bool {
        self.terms[self.roots[root]].data.defined
    }

    /// The cheapest way to write each expression.
    pub(super) fn best(&self) -> Option<Vec<Expression>> {
        self.written(|terms| TermCost { terms })
    }

    /// The cheapest way to write each expression under a given cost.
    pub(super) fn written<'t, C: CostFunction<Term>>(
        &'t self,
        cost: impl FnOnce(&'t Terms) -> C,
    ) -> Option<Vec<Expression>> {
        let extractor = Extractor::new(&self.terms, cost(&self.terms));
        self.roots.iter().map(|root| write::expression(&extractor.find_best(*root).1)).collect()
    }

    /// All calls of the expressions, as (function, role).
    pub(super) fn calls(&self) -> Held {
        self.calls.iter().flatten().map(|found| (found.callee.function, found.callee.role)).collect()
    }

    /// The calls that `expressions`, over the same variables, no longer make. `None` if they are not equal to the
    /// original expressions, one by one, or make calls that those do not.
    pub(super) fn lost(&mut self, scope: &Scope<'_>, expressions: &[Expression]) -> Option<Held> {
        let calls = scope.calls_of(&expressions.iter().collect::<Vec<_>>());
        let mut reader = Reader::new(scope.functions(), &calls, &mut self.terms);
        reader.keeps_arguments = self.keeps_arguments;
        let roots: Vec<Id> = expressions.iter().map(|e| reader.read(e)).collect::<Option<_>>()?;
        let found = reader.found;
        self.terms.rebuild();
        let same = |(new, old): (&Id, &Id)| self.terms.find(*new) == self.terms.find(*old);
        let (found, known) = (self.classes(&found), self.classes(&self.calls.concat()));
        if !roots.iter().zip(&self.roots).all(same) || !found.is_subset(&known) {
            return None;
        }
        let kept: BTreeSet<Id> = found.into_iter().map(|(id, _)| id).collect();
        let lost = self.calls.iter().flatten().filter(|old| !kept.contains(&self.terms.find(old.id)));
        Some(lost.map(|old| (old.callee.function, old.callee.role)).collect())
    }

    /// The class of each call, with the classes of the calls inside its arguments.
    fn classes(&self, calls: &[CallClass]) -> BTreeSet<(Id, BTreeSet<Id>)> {
        let class = |id: &Id| self.terms.find(*id);
        calls.iter().map(|found| (class(&found.id), found.inside.iter().map(class).collect())).collect()
    }
}
