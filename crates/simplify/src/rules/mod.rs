//! The rules: each says that two terms are equal, also in where they are undefined and in which calls they make.
//!
//! Where the right side lacks a variable of the left side, a rule applies only if what stands for it is surely
//! defined and makes no call that must not be lost; nothing else has to be said for that.

mod arithmetic;
mod bounds;
mod comparison;
mod equation;
mod logic;
mod sequence;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use egg::{Applier, Id, Pattern, PatternAst, Rewrite, Subst, Symbol, Var};

use super::facts::{Facts, Meaning, Terms};
use super::term::{Constant, Term};
use dodona_relations::check::{Element, Ty};

/// A rule, ready to be searched for.
pub(super) type Rule = Rewrite<Term, Meaning>;

/// Every rule.
pub(super) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let families = [
        logic::rules(),
        comparison::rules(),
        bounds::rules(),
        equation::rules(),
        arithmetic::rules(),
        sequence::rules(),
    ];
    families.into_iter().flatten().enumerate().map(|(i, rule)| rule.into_rule(i)).collect()
});

/// What a rule presupposes about where its sides have values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presupposes {
    /// Nothing, but that what is dropped is defined: the sides are undefined together.
    DroppedDefined,
    /// Nothing: what is dropped does not matter, even where it is undefined (`false and a`).
    Nothing,
    /// Both sides are surely defined: no intermediate result overflows on the one and not on the other.
    BothDefined,
}

/// A test of what is known of some variables.
type Test = fn(&[&Facts]) -> bool;

/// Computes the literal `?new` of the right side from literals of the left.
type Compute = fn(&[Constant]) -> Option<Constant>;

/// A rule as it is written.
struct Equation {
    from: String,
    to: String,
    presupposes: Presupposes,
    tests: Vec<(Vec<Var>, Test)>,
    computed: Option<(Vec<Var>, Compute)>,
}

fn equation(from: &str, to: &str, presupposes: Presupposes) -> Equation {
    Equation { from: from.to_owned(), to: to.to_owned(), presupposes, tests: Vec::new(), computed: None }
}

/// The sides are undefined together; what is dropped must be defined.
fn same(from: &str, to: &str) -> Equation {
    equation(from, to, Presupposes::DroppedDefined)
}

/// What is dropped may be undefined.
fn whatever(from: &str, to: &str) -> Equation {
    equation(from, to, Presupposes::Nothing)
}

/// Holds where no side overflows, of integers.
fn total(from: &str, to: &str) -> Equation {
    equation(from, to, Presupposes::BothDefined)
}

/// The rule and its converse.
fn both(
    rule: fn(&str, &str) -> Equation,
    a: &str,
    b: &str,
    finish: fn(Equation) -> Equation,
) -> [Equation; 2] {
    [finish(rule(a, b)), finish(rule(b, a))]
}

impl Equation {
    /// Applies only where these variables, parted by spaces, pass a test together.
    fn when(mut self, variables: &str, test: Test) -> Self {
        self.tests.push((variables_of(variables), test));
        self
    }

    /// Applies only to integers.
    fn ints(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.ty == Ty::Int))
    }

    /// Applies only to floats.
    fn floats(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.ty == Ty::Float))
    }

    /// Applies only to numbers, of whatever kind.
    fn numbers(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.ty.is_number()))
    }

    /// Applies only to sequences. Texts are none: turned round, bytes that are no UTF-8 may become some.
    fn sequences(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.is_sequence()))
    }

    /// Applies only to sequences whose equal elements are the same: not to floats, where `-0.0 == 0.0`.
    fn exact_sequences(self, variables: &str) -> Self {
        self.when(variables, |all| {
            all.iter().all(|f| matches!(f.ty, Ty::Sequence(Element::Int | Element::Bool | Element::Nothing)))
        })
    }

    /// The right side's `?new` is computed from these literals.
    fn compute(mut self, literals: &str, compute: Compute) -> Self {
        self.computed = Some((variables_of(literals), compute));
        self
    }

    /// The number tells rules apart that differ in their presuppositions only.
    fn into_rule(self, number: usize) -> Rule {
        let name = format!("{number}: {} => {}", self.from, self.to);
        let from: Pattern<Term> = pattern(&self.from);
        let to = pattern(&self.to);
        let kept = to.vars();
        let computed = self.computed.iter().flat_map(|(literals, _)| literals.iter().copied());
        let needed: Vec<Var> = computed.collect();
        let dropped = from.vars().into_iter().filter(|v| !kept.contains(v) && !needed.contains(v)).collect();
        let made =
            Made { to, dropped, presupposes: self.presupposes, tests: self.tests, computed: self.computed };
        Rewrite::new(name.as_str(), from, made).unwrap_or_else(|problem| unreachable!("{name}: {problem}"))
    }
}

fn variables_of(text: &str) -> Vec<Var> {
    let variable = |v: &str| v.parse().unwrap_or_else(|problem| unreachable!("{v}: {problem}"));
    text.split_whitespace().map(variable).collect()
}

fn pattern(text: &str) -> Pattern<Term> {
    text.parse().unwrap_or_else(|problem| unreachable!("{text}: {problem}"))
}

/// The right side of a rule, with all that must be so before it is made.
struct Made {
    to: Pattern<Term>,
    dropped: Vec<Var>,
    presupposes: Presupposes,
    tests: Vec<(Vec<Var>, Test)>,
    computed: Option<(Vec<Var>, Compute)>,
}

impl Made {
    fn applies(&self, terms: &Terms, subst: &Subst) -> bool {
        let facts = |v: &Var| &terms[subst[*v]].data;
        let droppable = |v: &Var| {
            let facts = facts(v);
            !facts.held && (facts.defined || self.presupposes == Presupposes::Nothing)
        };
        let passes =
            |(variables, test): &(Vec<Var>, Test)| test(&variables.iter().map(facts).collect::<Vec<_>>());
        self.dropped.iter().all(droppable) && self.tests.iter().all(passes)
    }

    /// The variables with `?new`, where the rule computes one.
    fn complete(&self, terms: &mut Terms, subst: &Subst) -> Option<Subst> {
        let Some((literals, compute)) = &self.computed else { return Some(subst.clone()) };
        let literal = |v: &Var| literal(&terms[subst[*v]].data);
        let constants: Vec<Constant> = literals.iter().map(literal).collect::<Option<_>>()?;
        let new = terms.add(Term::constant(compute(&constants)?));
        let mut complete = subst.clone();
        complete.insert(variables_of("?new")[0], new);
        Some(complete)
    }
}

impl Applier<Term, Meaning> for Made {
    fn get_pattern_ast(&self) -> Option<&PatternAst<Term>> {
        Some(&self.to.ast)
    }

    fn apply_one(
        &self,
        terms: &mut Terms,
        class: Id,
        subst: &Subst,
        _: Option<&PatternAst<Term>>,
        _: Symbol,
    ) -> Vec<Id> {
        if !self.applies(terms, subst) {
            return Vec::new();
        }
        let Some(subst) = self.complete(terms, subst) else { return Vec::new() };
        let made = terms.add_instantiation(&self.to.ast, &subst);
        let (from, to) = (&terms[class].data, &terms[made].data);
        let defined = self.presupposes != Presupposes::BothDefined || (from.defined && to.defined);
        if defined && to.is_like(from) && terms.union(class, made) { vec![made] } else { Vec::new() }
    }
}

/// Whether a literal is zero, of whatever sign.
fn is_zero(facts: &Facts) -> bool {
    match literal(facts) {
        Some(Constant::Int(i)) => i == 0,
        Some(Constant::Float(bits)) => f64::from_bits(bits) == 0.0,
        _ => false,
    }
}

/// Whether it is the empty text or the empty sequence.
fn is_empty(facts: &Facts) -> bool {
    match literal(facts) {
        Some(Constant::Text(text)) => text.is_empty(),
        _ => facts.ty == Ty::Sequence(Element::Nothing),
    }
}

/// The value of what is surely a literal.
fn literal(facts: &Facts) -> Option<Constant> {
    facts.constant.clone().filter(|_| facts.defined && !facts.held)
}

/// The integers that literals are.
fn integers<const N: usize>(constants: &[Constant]) -> Option<[i128; N]> {
    let integers: Option<Vec<i128>> = constants
        .iter()
        .map(|constant| match constant {
            Constant::Int(i) => Some(*i),
            _ => None,
        })
        .collect();
    integers?.try_into().ok()
}
