//! Whether an equation follows from others, decided by equality saturation.
//!
//! Each candidate gets an e-graph of its own, with counts as limits, so that the answer is the same on every machine. An equation under a
//! condition is a rule that applies if its condition is among the true terms. A rule from a variable alone would apply to every term, and
//! is left out.

use std::time::Duration;

use dodona_relations::plan::Ty;
use egg::{
    Analysis, ConditionEqual, ConditionalApplier, DidMerge, EGraph, ENodeOrVar, Id, Pattern, RecExpr,
    Rewrite, Runner, SymbolLang, Var,
};

use super::equation::Equation;
use super::equation_term::{TermId, Terms};
use super::equation_tuning::{MOST_NODES, ROUNDS};
use super::head::Head;
use crate::discovery::{EmptyKind, Operator};

/// Rules that rewrite in both directions: the listed equations, and properties of the words of the language, such as that `max`
/// is commutative and associative.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rewrites: Vec<Rewrite<SymbolLang, Folding>>,
}

/// What the variables of a rule stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// For any term of their type.
    Everywhere,
    /// For themselves. What is true of the values of one parameter need not be true of other values.
    TheseVariables,
}

/// Equations that are true of all numbers, for floats where the results are finite. `TYPE`, `ZERO`, `ONE` and `TWO` stand for the
/// names of a type and its numbers. The enumeration cannot find these if the only integers are lengths, which are never negative,
/// and if the only floats are results of calls: `f(x) - f(x) == 0` would then look like a property of `f`.
const OF_NUMBERS: [(&str, &str); 10] = [
    ("(Subtract:TYPE ?a ?a)", "ZERO"),
    ("(Subtract:TYPE ?a ZERO)", "?a"),
    ("(Subtract:TYPE (Add:TYPE ?a ?b) ?b)", "?a"),
    ("(Add:TYPE ?a ZERO)", "?a"),
    ("(Multiply:TYPE ?a ZERO)", "ZERO"),
    ("(Multiply:TYPE ?a ONE)", "?a"),
    ("(Add:TYPE ?a ?a)", "(Multiply:TYPE ?a TWO)"),
    ("(Min:TYPE ?a ?a)", "?a"),
    ("(Max:TYPE ?a ?a)", "?a"),
    ("(Abs:TYPE (Abs:TYPE ?a))", "(Abs:TYPE ?a)"),
];

/// Equations that are true of all integers alone.
const OF_INTEGERS: [(&str, &str); 1] = [("(Quotient:Int (Multiply:Int ?a int2) int2)", "?a")];

impl Rules {
    /// The rules for some words of the language, for the types that occur.
    pub fn new(words: &[Operator], types: &[Ty]) -> Rules {
        let mut rules = Rules::default();
        OF_INTEGERS.iter().for_each(|(left, right)| rules.parsed(left, right));
        let floats = [0.0_f64, 1.0, 2.0].map(|number| Head::Float(number.to_bits()));
        for (ty, numbers) in [(Ty::Int, [0, 1, 2].map(Head::Int)), (Ty::Float, floats)] {
            rules.of_numbers(ty, numbers);
        }
        for &operator in words {
            types.iter().for_each(|ty| rules.of_empty(operator, *ty));
            for &ty in types.iter().filter(|ty| operator.result(&[**ty, **ty]).is_some()) {
                let name = symbol(Head::Word(operator), ty);
                let two = |a: &str, b: &str| format!("({name} {a} {b})");
                if operator.is_commutative() {
                    rules.parsed(&two("?a", "?b"), &two("?b", "?a"));
                }
                if is_associative(operator) {
                    let (left, right) = (two(&two("?a", "?b"), "?c"), two("?a", &two("?b", "?c")));
                    rules.parsed(&left, &right);
                    rules.parsed(&right, &left);
                }
            }
        }
        rules
    }

    /// What a word makes of the empty text or sequence. Words are not applied to constants alone in the enumeration, and without this
    /// `len(f("", x)) == len(x)` would not follow from `len(f(t, x)) == len(t) + len(x)`.
    fn of_empty(&mut self, operator: Operator, ty: Ty) {
        let (Some(kind), Some(result)) = (EmptyKind::of(ty), operator.result(&[ty])) else { return };
        let nothing = symbol(Head::Empty(kind), ty);
        let applied = format!("({} {nothing})", symbol(Head::Word(operator), result));
        match operator {
            Operator::Len => self.parsed(&applied, &symbol(Head::Int(0), Ty::Int)),
            Operator::Reverse | Operator::Sorted | Operator::Upper | Operator::Lower => {
                self.parsed(&applied, &nothing);
            }
            _ => {}
        }
    }

    fn of_numbers(&mut self, ty: Ty, numbers: [Head; 3]) {
        let [zero, one, two] = numbers.map(|number| symbol(number, ty));
        let of_type = |text: &str| {
            let named = text.replace("TYPE", &format!("{ty:?}"));
            named.replace("ZERO", &zero).replace("ONE", &one).replace("TWO", &two)
        };
        OF_NUMBERS.iter().for_each(|(left, right)| self.parsed(&of_type(left), &of_type(right)));
    }

    fn parsed(&mut self, left: &str, right: &str) {
        let parse =
            |text: &str| text.parse::<Pattern<SymbolLang>>().expect("patterns of one word and variables");
        let name = format!("{left} {right}");
        let rewrite = Rewrite::new(name, parse(left), parse(right));
        self.rewrites.push(rewrite.expect("the same variables on both sides"));
    }

    /// Adds an equation. If it has a condition, the rule applies where the condition is known to be true.
    pub fn add(&mut self, terms: &Terms, equation: Equation) {
        self.add_within(terms, equation, Reach::Everywhere);
    }

    pub(super) fn add_within(&mut self, terms: &Terms, equation: Equation, reach: Reach) {
        let Equation { left, right, condition } = equation;
        for (from, to) in [(left, right), (right, left)] {
            let needed = terms.variables(to) | condition.map_or(0, |condition| terms.variables(condition));
            // A rule from a variable alone would apply to every term. A rule with a new variable on its right side would not
            // say what the variable stands for.
            let is_rule = !terms.is_variable(from) && needed & !terms.variables(from) == 0;
            if !is_rule && reach == Reach::Everywhere {
                continue;
            }
            let condition_index = condition.map_or(0, TermId::index);
            let name = format!("{} {} {} {condition_index}", self.rewrites.len(), from.index(), to.index());
            let [from, to] = [from, to].map(|term| pattern(terms, term, reach));
            let rewrite = match condition {
                None => Rewrite::new(name, from, to),
                Some(condition) => {
                    let is_met = ConditionEqual::new(pattern(terms, condition, reach), truth());
                    Rewrite::new(name, from, ConditionalApplier { condition: is_met, applier: to })
                }
            };
            self.rewrites.extend(rewrite);
        }
    }

    /// Whether an equation follows from the rules if some conditions are true.
    pub fn follows(&self, terms: &Terms, equation: Equation, met: &[TermId]) -> bool {
        self.follows_where(terms, equation, met, None)
    }

    /// The same if moreover two terms are equal.
    pub(super) fn follows_where(
        &self,
        terms: &Terms,
        equation: Equation,
        met: &[TermId],
        equal: Option<(TermId, TermId)>,
    ) -> bool {
        let mut runner = Runner::<SymbolLang, Folding>::new(Folding)
            .with_iter_limit(ROUNDS)
            .with_node_limit(MOST_NODES)
            // The limits are counts and not times, so that the result is the same on every machine.
            .with_time_limit(Duration::MAX);
        let mut add = |term| runner.egraph.add_expr(&ground(terms, term));
        let [left, right] = [equation.left, equation.right].map(&mut add);
        let met: Vec<Id> = met.iter().copied().map(add).collect();
        let truth = runner.egraph.add(SymbolLang::leaf("true"));
        for condition in met {
            runner.egraph.union(condition, truth);
        }
        if let Some((a, b)) = equal {
            let [a, b] = [a, b].map(|term| runner.egraph.add_expr(&ground(terms, term)));
            runner.egraph.union(a, b);
        }
        runner.egraph.rebuild();
        let runner = runner
            .with_hook(move |runner| {
                let is_found = runner.egraph.find(left) == runner.egraph.find(right);
                if is_found { Err("they are equal".to_owned()) } else { Ok(()) }
            })
            .run(&self.rewrites);
        runner.egraph.find(left) == runner.egraph.find(right)
    }
}

/// The term `true`: a condition that is met is equal to it.
fn truth() -> Pattern<SymbolLang> {
    let mut written = RecExpr::default();
    written.add(ENodeOrVar::ENode(SymbolLang::leaf("true")));
    Pattern::new(written)
}

/// Computes sums, differences and products of known numbers: `2 * (2 * len(b))` becomes `4 * len(b)`.
#[derive(Clone, Copy, Debug, Default)]
struct Folding;

impl Analysis<SymbolLang> for Folding {
    type Data = Option<i64>;

    fn make(graph: &mut EGraph<SymbolLang, Self>, node: &SymbolLang, _: Id) -> Option<i64> {
        let name = node.op.as_str();
        match node.children[..] {
            [] => name.strip_prefix("int")?.parse().ok(),
            [a, b] => {
                let (a, b) = (graph[a].data?, graph[b].data?);
                match name {
                    "Add:Int" => a.checked_add(b),
                    "Subtract:Int" => a.checked_sub(b),
                    "Multiply:Int" => a.checked_mul(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn merge(&mut self, known: &mut Option<i64>, other: Option<i64>) -> DidMerge {
        egg::merge_option(known, other, |_, _| DidMerge(false, false))
    }

    fn modify(graph: &mut EGraph<SymbolLang, Self>, id: Id) {
        if let Some(value) = graph[id].data {
            let number = graph.add(SymbolLang::leaf(symbol(Head::Int(value), Ty::Int)));
            graph.union(id, number);
        }
    }
}

fn is_associative(operator: Operator) -> bool {
    matches!(operator, Operator::Add | Operator::Multiply | Operator::Min | Operator::Max | Operator::Concat)
}

/// The name of a head in an e-graph. A word has a name of its own for each type.
fn symbol(head: Head, ty: Ty) -> String {
    match head {
        Head::Variable(v) => format!("variable{v}"),
        Head::Int(value) => format!("int{value}"),
        Head::Float(bits) => format!("float{bits}"),
        Head::Bool(value) => value.to_string(),
        Head::Empty(kind) => format!("empty:{kind:?}"),
        Head::Word(operator) => format!("{operator:?}:{ty:?}").replace(['(', ')'], "-"),
        Head::Output { function, output } => format!("call{function}.{output}"),
    }
}

fn ground(terms: &Terms, id: TermId) -> RecExpr<SymbolLang> {
    fn add(terms: &Terms, id: TermId, written: &mut RecExpr<SymbolLang>) -> Id {
        let term = terms.get(id);
        let operands = term.operands.iter().map(|&operand| add(terms, operand, written)).collect();
        written.add(SymbolLang::new(symbol(term.head, terms.ty(id)), operands))
    }
    let mut written = RecExpr::default();
    add(terms, id, &mut written);
    written
}

fn pattern(terms: &Terms, id: TermId, reach: Reach) -> Pattern<SymbolLang> {
    fn add(terms: &Terms, id: TermId, reach: Reach, written: &mut RecExpr<ENodeOrVar<SymbolLang>>) -> Id {
        let term = terms.get(id);
        if let (Head::Variable(v), Reach::Everywhere) = (term.head, reach) {
            return written.add(ENodeOrVar::Var(Var::from_u32(u32::from(v))));
        }
        let operands = term.operands.iter().map(|&operand| add(terms, operand, reach, written)).collect();
        written.add(ENodeOrVar::ENode(SymbolLang::new(symbol(term.head, terms.ty(id)), operands)))
    }
    let mut written = RecExpr::default();
    add(terms, id, reach, &mut written);
    Pattern::new(written)
}
