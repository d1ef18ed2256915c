//! Replaces outputs in the expectation of a relation by the expectations of other relations, starting from the outermost
//! relation of a sequence.

use dodona_relations::ast::{Bound, Expression};
use dodona_target::Signature;

use super::basic::{Basic, Further, further, is_single, replace_names, size, types};
use super::guard::Point;
use super::link::Link;
use super::rewrite::{Rewriter, Rule};
use super::tolerance::{DOUBLE, SINGLE};
use super::{Comparison, Incomposable};

/// The most nodes that the expectation of a composite relation may have.
pub const MOST_NODES: usize = 1000;

/// The composition of the last relations of a sequence. It is a relation over the source input of the relation that was added
/// last.
#[derive(Clone, Debug)]
pub(super) struct Composition<'a> {
    pub(super) functions: &'a [Signature],
    /// All basic relations: those that sequences consist of, followed by those of the library.
    pub(super) basics: &'a [Basic],
    /// The function under test: that of the outermost relation.
    pub(super) function: usize,
    pub(super) output: Option<String>,
    /// The function whose input the expressions are over.
    pub(super) innermost: usize,
    pub(super) arguments: Vec<Expression>,
    pub(super) link: Link,
    pub(super) expectation: Expression,
    pub(super) conditions: Vec<Expression>,
    /// The source calls of all relations that were added. Those that the composition still makes are follow-up calls of it.
    pub(super) sources: Vec<Expression>,
    pub(super) points: Vec<Point>,
    /// The further variables of all relations that were added: `%0` is the first of them.
    pub(super) further: Vec<Further>,
}

impl<'a> Composition<'a> {
    /// The outermost relation alone.
    pub(super) fn new(functions: &'a [Signature], basics: &'a [Basic], outer: &'a Basic) -> Composition<'a> {
        Composition {
            functions,
            basics,
            function: outer.function,
            output: outer.output.clone(),
            innermost: outer.function,
            arguments: outer.arguments.clone(),
            link: link(outer),
            expectation: outer.expectation.clone(),
            conditions: outer.condition.iter().cloned().collect(),
            sources: outer.sources.clone(),
            points: Vec::new(),
            further: outer.further.clone(),
        }
    }

    /// Adds the next relation of the sequence, which is an inner one; returns whether anything that is known of its follow-up
    /// input was used.
    pub(super) fn step(&mut self, inner: &Basic) -> Result<bool, Incomposable> {
        let functions = self.functions;
        if !types(&functions[inner.function]).eq(types(&functions[self.innermost])) {
            return Err(Incomposable::DifferentInputs);
        }
        let (arguments, rules) = self.put_in(inner);
        let used_functions: Vec<&Signature> = rules.iter().map(|rule| &functions[rule.function]).collect();
        let ulp = if used_functions.iter().any(|f| is_single(f)) { SINGLE } else { DOUBLE };
        let rewriter = Rewriter { functions, arguments: &arguments, rules: &rules, ulp };
        if inner.function != self.function && !rewriter.calls_at_input(&self.expectation, inner.function) {
            return Err(Incomposable::NeverMeet);
        }
        let used = self.rewrite(&rewriter)?;
        self.add_points(&arguments, inner.function, used.iter().map(|&rule| rules[rule].function));
        // The condition of the inner relation belongs to the composition even if no output of it was replaced.
        self.conditions.extend(rules[0].condition.clone());
        self.conditions
            .extend(used.iter().filter(|rule| **rule > 0).filter_map(|&rule| rules[rule].condition.clone()));
        // Like its condition, its source calls belong to the composition.
        let spoken = used.iter().copied().filter(|rule| *rule > 0);
        self.sources
            .extend([0].into_iter().chain(spoken).flat_map(|rule| rules[rule].sources.iter().cloned()));
        self.innermost = inner.function;
        Ok(!used.is_empty())
    }

    /// The change of an inner relation, and a rule for each output that it, or another relation with the same change, has an
    /// expectation for.
    fn put_in(&mut self, inner: &Basic) -> (Vec<Expression>, Vec<Rule>) {
        let changing = inner.changing().len();
        let first = self.further.len();
        self.further.extend(inner.further.iter().cloned());
        let arguments = inner.arguments.iter().map(|e| renumbered(e, &|i| first + i)).collect();
        let mut rules = vec![rule(inner, &|i| first + i)];
        for other in self.basics.iter().filter(|b| *b != inner) {
            if other.changes_like(inner, self.functions) {
                // The variables of the change are the same in both relations; the other variables are new ones.
                let own = self.further.len() - changing;
                self.further.extend(other.further[changing..].iter().cloned());
                rules.push(rule(other, &|i| if i < changing { first + i } else { own + i }));
            }
        }
        (arguments, rules)
    }

    /// Expresses everything by the input of the inner relation instead of that of the outer one; returns the rules that were
    /// used.
    fn rewrite(&mut self, rewriter: &Rewriter<'_>) -> Result<Vec<usize>, Incomposable> {
        let expectation = rewriter.rewrite(&self.expectation)?;
        let link = self.link.then(expectation.link, rewriter.ulp)?;
        let mut used = expectation.used;
        if size(&expectation.expression) > MOST_NODES {
            return Err(Incomposable::TooLarge);
        }
        let mut conditions = Vec::new();
        for condition in &self.conditions {
            let condition = rewriter.condition(condition)?;
            used.extend(condition.used);
            conditions.push(condition.expression);
        }
        let substitute = |all: &[Expression]| all.iter().map(|e| rewriter.substituted(e)).collect::<Vec<_>>();
        self.arguments = substitute(&self.arguments);
        self.sources = substitute(&self.sources);
        self.points.iter_mut().for_each(|point| point.arguments = substitute(&point.arguments));
        (self.link, self.expectation, self.conditions) = (link, expectation.expression, conditions);
        Ok(used.into_iter().collect())
    }

    /// Notes the input between the outer and the inner relation, once for each function that a relation says something about at
    /// this input.
    fn add_points(&mut self, arguments: &[Expression], inner: usize, used: impl Iterator<Item = usize>) {
        for function in [self.innermost, inner].into_iter().chain(used) {
            let point = Point { function, arguments: arguments.to_vec() };
            if !self.points.contains(&point) {
                self.points.push(point);
            }
        }
    }
}

fn link(basic: &Basic) -> Link {
    match basic.comparison {
        Comparison::Approximate => Link { comparison: Comparison::Approximate, bound: basic.bound },
        comparison => Link { comparison, bound: Bound::Ulps(0) },
    }
}

fn rule(basic: &Basic, number: &impl Fn(usize) -> usize) -> Rule {
    Rule {
        function: basic.function,
        output: basic.output.clone(),
        expectation: renumbered(&basic.expectation, number),
        link: link(basic),
        condition: basic.condition.as_ref().map(|c| renumbered(c, number)),
        sources: basic.sources.iter().map(|call| renumbered(call, number)).collect(),
    }
}

/// The expression with its further variables given other numbers.
fn renumbered(e: &Expression, number: &impl Fn(usize) -> usize) -> Expression {
    let new = |i: usize| Expression::name(further(number(i)));
    replace_names(e, &|name| name.strip_prefix('%').and_then(|i| i.parse().ok()).map(new))
}
