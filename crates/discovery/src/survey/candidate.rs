//! Relations that a survey considers.

use std::collections::BTreeSet;

use dodona_inference::known_forms::KnownForm;
use dodona_records::MutantId;
use dodona_relations::ast::{Body, Expression, Name, Node, Presence, Relation, UnaryOperator};
use dodona_relations::parse;
use dodona_simplify::is_tautology;
use dodona_target::Signature;

use crate::distinct::Distinct;
use crate::readable::is_readable;
use crate::relation_of::{free, functions_of, load};

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
    distinct: Distinct,
    taken: Vec<String>,
}

impl Pool {
    /// A pool without relations that are known already.
    pub(super) fn without(known: Vec<Relation>, functions: &[Signature]) -> Pool {
        let mut pool = Pool::default();
        for relation in &known {
            let called = load(relation, functions).map(|loaded| functions_of(&loaded.relation));
            pool.distinct.add(relation, &called.unwrap_or_default(), functions);
            pool.taken.push(relation.name.text.clone());
        }
        pool
    }

    /// A relation of a known form as a candidate; `None` where it says nothing, or is known.
    pub(super) fn known_form(&mut self, form: &KnownForm, functions: &[Signature]) -> Option<Candidate> {
        let origin = match (form.by_name, form.form.is_law) {
            (true, _) => Origin::Name,
            (false, true) => Origin::Shape,
            (false, false) => Origin::Law,
        };
        self.candidate(&form.to_string(), (origin, 0), functions)
    }

    /// The relation of a text as a candidate; `None` where it is none, says nothing, or is known.
    pub(super) fn candidate(
        &mut self,
        text: &str,
        (origin, price): (Origin, usize),
        functions: &[Signature],
    ) -> Option<Candidate> {
        let relation = readable(&parse(text).ok()?.relations.into_iter().next()?);
        if origin >= Origin::Other && is_contrived(&relation, functions) {
            return None;
        }
        let loaded = load(&relation, functions).ok()?;
        let called_functions = functions_of(&loaded.relation);
        if is_tautology(&relation, functions) || !self.distinct.add(&relation, &called_functions, functions) {
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

/// Whether nobody would write such a relation.
fn is_contrived(relation: &Relation, functions: &[Signature]) -> bool {
    let is_long = relation.to_string().len() - relation.name.text.len() > LONGEST_OTHER;
    is_long || !is_readable(relation, functions, &[])
}

/// The longest relation that is proposed although no textbook has it, with its header.
const LONGEST_OTHER: usize = 110;
