//! Relations that a survey considers.

use std::collections::{BTreeSet, HashSet};

use dodona_records::MutantId;
use dodona_relations::ast::{
    BinaryOperator, Body, Expression, Name, Node, Presence, Relation, UnaryOperator,
};
use dodona_relations::parse;
use dodona_simplify::{equivalent, is_tautology, simplify};
use dodona_target::Signature;
use dodona_workbench::called;

use crate::relation_of::{free, load};

/// Where a relation comes from, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// The names of the functions promise it.
    Name,
    /// The types of a function allow it, and it is what people ask first.
    Shape,
    /// A law that textbooks have.
    Law,
    /// Any other equation or bound.
    Other,
    /// A search made it of whatever fits.
    Search,
}

/// A relation that is considered.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) relation: Relation,
    pub(super) origin: Origin,
    /// How many mutants it alone has to kill.
    pub(super) price: usize,
    /// The functions that it calls, by their indices, in the order of the calls.
    pub(super) functions: Vec<usize>,
    /// Whether it has no variable: an example of one input.
    pub(super) is_example: bool,
    /// Groups that it held on.
    pub(super) held: u64,
    pub(super) ineligible: u64,
    /// The mutants that it kills; nothing where it was not run on mutants.
    pub(super) kills: Option<BTreeSet<MutantId>>,
}

impl Candidate {
    pub(super) fn name(&self) -> &str {
        &self.relation.name.text
    }

    /// The function that it is listed under.
    pub(super) fn function(&self) -> usize {
        self.functions.first().copied().unwrap_or(0)
    }

    /// What it says, without its name.
    pub(super) fn says(&self) -> String {
        let bare = Relation { name: Name::new("r"), bindings: Vec::new(), ..self.relation.clone() };
        bare.to_string().replacen("relation r: ", "", 1)
    }

    /// How long it is to read.
    pub(super) fn length(&self) -> usize {
        self.says().len()
    }

    /// What is known before it is run on mutants, the best first.
    pub(super) fn rank(&self) -> (Origin, usize) {
        (self.origin, self.length())
    }
}

/// The relations that are considered: no two say the same, and no two have one name.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) held: Vec<Candidate>,
    /// What is not to be proposed.
    known: Vec<Relation>,
    seen: HashSet<String>,
    taken: Vec<String>,
}

impl Pool {
    /// A pool without relations that are known already.
    pub(super) fn without(known: Vec<Relation>, functions: &[Signature]) -> Pool {
        let mut pool = Pool::default();
        for relation in &known {
            pool.seen.insert(shape(&simplify(relation, functions)));
            pool.taken.push(relation.name.text.clone());
        }
        Pool { known, ..pool }
    }

    /// The relation of a text as a candidate; `None` where it is none, says nothing, or is known.
    pub(super) fn candidate(
        &mut self,
        text: &str,
        (origin, price): (Origin, usize),
        functions: &[Signature],
    ) -> Option<Candidate> {
        let relation = readable(&parse(text).ok()?.relations.into_iter().next()?);
        if origin >= Origin::Other && is_contrived(&relation) {
            return None;
        }
        let loaded = load(&relation, functions).ok()?;
        let simple = simplify(&relation, functions);
        if is_tautology(&relation, functions) || !self.seen.insert(shape(&simple)) {
            return None;
        }
        let called_functions = functions_of(&loaded.relation);
        let others = self.held.iter().filter(|other| other.functions == called_functions);
        let mut said = others.map(|other| &other.relation).chain(&self.known);
        if said.any(|other| equivalent(other, &relation, functions)) {
            return None;
        }
        let name = free(named(&relation.name.text, &called_functions, functions), &self.taken);
        self.taken.push(name.clone());
        let relation = Relation { name: Name::new(name), ..relation };
        let is_example = loaded.relation.variables().is_empty();
        let (functions, held, ineligible) = (called_functions, 0, 0);
        Some(Candidate { relation, origin, price, functions, is_example, held, ineligible, kills: None })
    }
}

/// The functions that a relation calls, by their indices, each once, in the order of the calls.
pub(super) fn functions_of(relation: &dodona_relations::Relation) -> Vec<usize> {
    let mut functions = Vec::new();
    for function in called(relation) {
        if !functions.contains(&function) {
            functions.push(function);
        }
    }
    functions
}

/// The name of a relation: one that says nothing of a function gets the function's name.
fn named(name: &str, called: &[usize], functions: &[Signature]) -> String {
    match (name.strip_prefix('_'), called.first()) {
        (Some(rest), Some(&function)) => format!("{}_{rest}", functions[function].name),
        _ => name.to_owned(),
    }
}

/// A relation as a person would write it: `f(x) is some` for `f(x).is_some`, and the first variable of a law named like the parameter that it is of.
fn readable(relation: &Relation) -> Relation {
    let Body::Calls(expect) = &relation.body else { return relation.clone() };
    let parts = || relation.condition.iter().chain([expect]);
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (binding, general) in relation.bindings.iter().zip(["more", "rest"]) {
        let (old, new) = (&binding.variable.text, &binding.parameter.text);
        // `more` is free once the first variable has another name.
        let new = if general == "rest" && !renamed.is_empty() { "more" } else { new.as_str() };
        let is_free = renamed.iter().all(|(_, taken)| taken != new)
            && (renamed.iter().any(|(before, _)| before == new) || parts().all(|part| !part.mentions(new)));
        if old == general && is_free {
            renamed.push((old.clone(), new.to_owned()));
        }
    }
    let name = |text: &str| {
        let new = renamed.iter().find(|(old, _)| old == text).map(|(_, new)| new.clone());
        new.unwrap_or_else(|| text.to_owned())
    };
    let mut change = |e: &Expression| e.rewrite(&mut |part| plainly(part, &name));
    let bindings = relation.bindings.iter().map(|binding| {
        let variable = Name::new(name(&binding.variable.text));
        dodona_relations::ast::Binding { variable, ..binding.clone() }
    });
    Relation {
        bindings: bindings.collect(),
        condition: relation.condition.as_ref().map(&mut change),
        body: Body::Calls(change(expect)),
        ..relation.clone()
    }
}

/// An expression in plainer words; `None` where there are none, so that its parts are looked at.
fn plainly(e: &Expression, name: &dyn Fn(&str) -> String) -> Option<Expression> {
    let presence = |e: &Expression, is: bool| {
        let Node::Select(of, part) = &e.node else { return None };
        let presence =
            Presence::ALL.into_iter().find(|presence| presence.tag() == (part.text.as_str(), is))?;
        let of = of.rewrite(&mut |part| plainly(part, name));
        Some(Expression::new(Node::Is(Box::new(of), presence)))
    };
    match &e.node {
        Node::Name(text) => Some(Expression::name(name(text))),
        Node::Unary(UnaryOperator::Not, inner) => presence(inner, false),
        _ => presence(e, true),
    }
}

/// Whether nobody would write such a relation: it bends an argument or a result by a constant, as `min(x, 2)` does.
fn is_contrived(relation: &Relation) -> bool {
    let Body::Calls(expect) = &relation.body else { return false };
    let is_literal = |e: &Expression| matches!(e.node, Node::Int(_) | Node::Float(_));
    let bends = |e: &Expression| match &e.node {
        Node::Call { function, arguments } => {
            ["min", "max", "truncate", "remove"].contains(&function.text.as_str())
                && arguments.iter().any(is_literal)
        }
        Node::If(..) | Node::Binary(BinaryOperator::Or, ..) => true,
        Node::Int(number) => number.unsigned_abs() > 10,
        _ => false,
    };
    let is_long = relation.to_string().len() - relation.name.text.len() > LONGEST_OTHER;
    is_long || expect.has(&bends) || expect.has(&turns_twice) || adds_the_same(expect)
}

/// The longest relation that is proposed although no textbook has it, with its header.
const LONGEST_OTHER: usize = 110;

/// Words that turn a text or sequence into another one.
const TURNS: [&str; 6] = ["upper", "lower", "reverse", "sorted", "trim", "distinct"];

/// Whether a value is turned and turned again: `upper(lower(x))`.
fn turns_twice(e: &Expression) -> bool {
    let turned = |e: &Expression| match &e.node {
        Node::Call { function, arguments } if TURNS.contains(&function.text.as_str()) => {
            arguments.first().cloned()
        }
        _ => None,
    };
    turned(e).is_some_and(|inner| turned(&inner).is_some())
}

/// Whether both sides of an equation begin with the same summand: `n - f(1) == n - 2`.
fn adds_the_same(expect: &Expression) -> bool {
    use BinaryOperator::{Add, Equal, Subtract};
    let Node::Binary(Equal, left, right) = &expect.node else { return false };
    fn first(e: &Expression) -> Option<&Expression> {
        match &e.node {
            Node::Binary(Add | Subtract, a, _) => first(a).or(Some(a)),
            _ => None,
        }
    }
    first(left).is_some() && first(left) == first(right)
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
    bare.to_string()
}
