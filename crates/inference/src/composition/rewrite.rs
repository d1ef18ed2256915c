//! Puts an inner relation into an outer expectation: outputs for the changed input are replaced by what the inner
//! relations say of them.

use std::collections::BTreeSet;

use dodona_relations::ast::{Expression, Node, UnaryOperator};
use dodona_target::Signature;

use super::Incomposable;
use super::basic::{called, calls, input, output_of, replace_names};
use super::link::{Link, Lost, Operand, Through, through_operator, through_word};

/// What a relation expects of a function's output for the changed input.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) function: usize,
    pub(super) output: Option<String>,
    /// In terms of the unchanged input.
    pub(super) expectation: Expression,
    pub(super) link: Link,
    pub(super) condition: Option<Expression>,
    /// The source calls of the relation that expects it.
    pub(super) sources: Vec<Expression>,
}

/// One step of a composition: z = F(x), and rules for outputs at z.
pub(super) struct Rewriter<'a> {
    pub(super) functions: &'a [Signature],
    /// F: the parameters of z in terms of x.
    pub(super) arguments: &'a [Expression],
    /// The inner relation first.
    pub(super) rules: &'a [Rule],
    /// The relative distance of neighbouring floats.
    pub(super) ulp: f64,
}

/// An expression over x that replaces one over z.
#[derive(Clone, Debug)]
pub(super) struct Rewritten {
    pub(super) expression: Expression,
    pub(super) link: Link,
    /// The indices of the rules that were used.
    pub(super) used: BTreeSet<usize>,
}

impl Rewriter<'_> {
    /// Replaces the outputs that rules have an expectation for, and z by F(x) everywhere else. A call stays, with a changed
    /// input, if no rule has an expectation for it, or if an approximation would have an unbounded error (cmr78 in Table 4
    /// keeps `cos(x - 2*pi)`).
    ///
    /// # Errors
    /// If an inequality would have to be used inside an expression that neither rises nor falls with it.
    pub(super) fn rewrite(&self, e: &Expression) -> Result<Rewritten, Incomposable> {
        if let Some(rewritten) = self.output(e, |_| true) {
            return Ok(rewritten);
        }
        let parts = match &e.node {
            Node::Unary(UnaryOperator::Negate, a) => vec![&**a],
            Node::Binary(_, a, b) => vec![&**a, &**b],
            Node::Call { arguments, .. } if called(e, self.functions).is_none() => arguments.iter().collect(),
            _ => return self.exactly(e).ok_or(Incomposable::NotMonotone),
        };
        let parts = parts.into_iter().map(|part| self.rewrite(part)).collect::<Result<Vec<_>, _>>()?;
        match self.through(e, &parts) {
            Ok(link) => Ok(around(e, parts, link)),
            Err(Lost::Error) => self.exactly(e).ok_or(Incomposable::NotMonotone),
            Err(Lost::Order(why)) => Err(why),
        }
    }

    fn through(&self, e: &Expression, parts: &[Rewritten]) -> Through {
        let operand = |i: usize| Operand { link: parts[i].link, new: &parts[i].expression };
        match &e.node {
            Node::Unary(..) => Ok(parts[0].link.negated()),
            Node::Binary(operator, ..) => through_operator(*operator, operand(0), operand(1), self.ulp),
            Node::Call { function, .. } => {
                let links: Vec<Link> = parts.iter().map(|part| part.link).collect();
                through_word(&function.text, &links, self.ulp)
            }
            _ => Ok(Link::EQUAL),
        }
    }

    /// Replaces the outputs that a rule has an `==` for, and z by F(x) everywhere else. `None` if the rule of the inner
    /// relation would have to be used and is an inequality.
    pub(super) fn exactly(&self, e: &Expression) -> Option<Rewritten> {
        let (mut used, mut needs_order) = (BTreeSet::new(), false);
        let expression = e.rewrite(&mut |e| {
            if let Some(found) = self.output(e, |link| link == Link::EQUAL) {
                used.extend(found.used);
                return Some(found.expression);
            }
            needs_order |= self.output(e, |_| true).is_some_and(|found| found.link.comparison.is_order());
            self.argument(e)
        });
        (!needs_order).then_some(Rewritten { expression, link: Link::EQUAL, used })
    }

    /// The condition over x; `None` if it needs an output for a changed input.
    pub(super) fn condition(&self, e: &Expression) -> Result<Rewritten, Incomposable> {
        let rewritten = self.exactly(e).ok_or(Incomposable::ConditionOnFollowUp)?;
        let at_source = |call: &&Expression| match output_of(call, self.functions) {
            Some(output) => output.arguments.iter().all(|a| matches!(a.node, Node::Name(_))),
            None => true,
        };
        match calls(&rewritten.expression, self.functions).iter().all(at_source) {
            true => Ok(rewritten),
            false => Err(Incomposable::ConditionOnFollowUp),
        }
    }

    /// What the first rule with a suitable comparison expects of an output at z, if the expression is such an output.
    fn output(&self, e: &Expression, suits: impl Fn(Link) -> bool) -> Option<Rewritten> {
        let found = output_of(e, self.functions).filter(|found| is_input(found.arguments))?;
        let speaks = |rule: &Rule| {
            rule.function == found.function && rule.output.as_deref() == found.output && suits(rule.link)
        };
        let place = self.rules.iter().position(speaks)?;
        let rule = &self.rules[place];
        let (expression, link) = (rule.expectation.clone(), rule.link);
        Some(Rewritten { expression, link, used: BTreeSet::from([place]) })
    }

    /// The value of a parameter of z, if the expression is the name of this parameter.
    fn argument(&self, e: &Expression) -> Option<Expression> {
        let Node::Name(name) = &e.node else { return None };
        name.strip_prefix('#').and_then(|j| j.parse::<usize>().ok()).map(|j| self.arguments[j].clone())
    }

    /// An expression over z without calls, in terms of x.
    pub(super) fn substituted(&self, e: &Expression) -> Expression {
        replace_names(e, &|name| self.argument(&Expression::name(name)))
    }

    /// Whether an expression calls a function at z.
    pub(super) fn calls_at_input(&self, e: &Expression, function: usize) -> bool {
        let at_input = |call: &&Expression| {
            output_of(call, self.functions).is_some_and(|o| o.function == function && is_input(o.arguments))
        };
        calls(e, self.functions).iter().any(at_input)
    }
}

/// Whether the arguments are the parameters of the source input, in order.
fn is_input(arguments: &[Expression]) -> bool {
    let is = |(j, e): (usize, &Expression)| matches!(&e.node, Node::Name(name) if *name == input(j));
    !arguments.is_empty() && arguments.iter().enumerate().all(is)
}

/// The operation with its operands replaced.
fn around(e: &Expression, parts: Vec<Rewritten>, link: Link) -> Rewritten {
    let used = parts.iter().flat_map(|part| part.used.iter().copied()).collect();
    let mut operands = parts.into_iter().map(|part| part.expression);
    let mut next = || Box::new(operands.next().unwrap_or_else(|| unreachable!("an operand for each part")));
    let node = match &e.node {
        Node::Unary(operator, _) => match *next() {
            // Two minus signs cancel, which is easier to read.
            Expression { node: Node::Unary(inner, a), .. } if inner == *operator => a.node,
            operand => Node::Unary(*operator, Box::new(operand)),
        },
        Node::Binary(operator, ..) => Node::Binary(*operator, next(), next()),
        Node::Call { function, .. } => {
            Node::Call { function: function.clone(), arguments: operands.collect() }
        }
        other => other.clone(),
    };
    Rewritten { expression: Expression::new(node), link, used }
}
