//! The rules. Each states that two terms are equal, are undefined in the same rows, and make the same calls.
//!
//! If a variable of the left side does not occur on the right side, the rule applies only if the term in its place is
//! surely defined and makes no call that must not be lost. Rules do not have to state this themselves.

mod arithmetic;
mod bounds;
mod comparison;
mod equation;
mod logic;
mod sequence;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use dodona_relations::check::{Element, Ty};
use egg::{Applier, Id, Pattern, PatternAst, Rewrite, Subst, Symbol, Var};

use super::facts::Facts;
use super::meaning::{Meaning, Terms};
use super::term::{Constant, Term};

/// A rule in the form in which egg searches for it.
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

/// What a rule requires about where its sides are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presupposes {
    /// Only that dropped terms are defined. The sides are then undefined together.
    DroppedDefined,
    /// Nothing: a dropped term may be undefined, because it cannot matter (`false and a`).
    Nothing,
    /// That both sides are surely defined, so that no intermediate result overflows on only one side.
    BothDefined,
}

/// A test of the facts about some variables.
type Test = fn(&[&Facts]) -> bool;

/// Computes the literal `?new` of the right side from literals of the left side.
type Compute = fn(&[Constant]) -> Option<Constant>;

/// A rule as it is written in these modules.
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

/// A rule whose sides are undefined together; dropped terms must be defined.
fn same(from: &str, to: &str) -> Equation {
    equation(from, to, Presupposes::DroppedDefined)
}

/// A rule whose dropped terms may be undefined.
fn whatever(from: &str, to: &str) -> Equation {
    equation(from, to, Presupposes::Nothing)
}

/// A rule for integers that holds only if neither side overflows.
fn total(from: &str, to: &str) -> Equation {
    equation(from, to, Presupposes::BothDefined)
}

/// The rule in both directions.
fn both(
    rule: fn(&str, &str) -> Equation,
    a: &str,
    b: &str,
    finish: fn(Equation) -> Equation,
) -> [Equation; 2] {
    [finish(rule(a, b)), finish(rule(b, a))]
}

impl Equation {
    /// The rule applies only if these variables, separated by spaces, pass a test together.
    fn when(mut self, variables: &str, test: Test) -> Self {
        self.tests.push((variables_of(variables), test));
        self
    }

    /// The rule applies only if these variables are integers.
    fn ints(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.ty == Ty::Int))
    }

    /// The rule applies only if these variables are floats.
    fn floats(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.ty == Ty::Float))
    }

    /// The rule applies only if these variables are numbers of any kind.
    fn numbers(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.ty.is_number()))
    }

    /// The rule applies only if these variables are sequences. Texts do not count: bytes that are not UTF-8 may
    /// become valid UTF-8 when they are reversed.
    fn sequences(self, variables: &str) -> Self {
        self.when(variables, |all| all.iter().all(|f| f.is_sequence()))
    }

    /// The rule applies only if these variables are sequences in which equal elements are identical: not floats,
    /// where `-0.0 == 0.0`.
    fn exact_sequences(self, variables: &str) -> Self {
        self.when(variables, |all| {
            all.iter().all(|f| matches!(f.ty, Ty::Sequence(Element::Int | Element::Bool | Element::Nothing)))
        })
    }

    /// The `?new` of the right side is computed from these literals.
    fn compute(mut self, literals: &str, compute: Compute) -> Self {
        self.computed = Some((variables_of(literals), compute));
        self
    }

    /// The rule for egg. The number in its name distinguishes rules that differ only in what they presuppose.
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

/// The right side of a rule, with everything that must hold before it is built.
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

    /// The substitution extended by `?new`, if the rule computes it.
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

/// Whether it is the literal zero, of either sign.
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

/// The constant value, if the term can surely be replaced by it.
fn literal(facts: &Facts) -> Option<Constant> {
    facts.constant.clone().filter(|_| facts.defined && !facts.held)
}

/// The values of literals that are all integers.
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
