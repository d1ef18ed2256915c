//! From a candidate of a search to a relation of the language that can be run.

use dodona_evolution::discovery::{Candidate, Transformation};
use dodona_relations::ast::{BinaryOperator, Body, Expression, Name, Node, Relation};
use dodona_simplify::{is_tautology, simplify};
use dodona_subject::Function;

use dodona_workbench::{LabError, LoadedRelation, Workbench};

/// The name of a relation until it is chosen.
const UNNAMED: &str = "candidate";

/// The relation of a candidate, simplified.
pub(super) fn whole(candidate: &Candidate, functions: &[Function]) -> Option<Relation> {
    let parts = candidate.parts.iter().cloned();
    let whole = parts.reduce(|all, part| {
        let both = Node::Binary(BinaryOperator::And, Box::new(all), Box::new(part));
        Expression::new(both)
    })?;
    Some(simplify(&unnamed(candidate, whole), functions))
}

/// The relation of one part of a candidate; `None` if it is a tautology.
pub(super) fn part(candidate: &Candidate, part: &Expression, functions: &[Function]) -> Option<Relation> {
    let relation = simplify(&unnamed(candidate, part.clone()), functions);
    (!is_tautology(&relation, functions)).then_some(relation)
}

fn unnamed(candidate: &Candidate, expect: Expression) -> Relation {
    Relation {
        name: Name::new(UNNAMED),
        bindings: Vec::new(),
        function: None,
        constants: None,
        condition: candidate.condition.clone(),
        body: Body::Calls(expect),
        tolerance: None,
        span: Default::default(),
    }
}

/// Checks and compiles a relation.
pub(super) fn load(workbench: &Workbench, relation: &Relation) -> Result<LoadedRelation, LabError> {
    let mut loaded = workbench.with_relations(&relation.to_string())?;
    Ok(loaded.relations.remove(0))
}

/// A name for a relation of a function under a transformation, such as `pow_e_less_1`, with a number added if the name is taken.
pub(super) fn name(function: &Function, transformation: &Transformation, taken: &[String]) -> String {
    let words =
        transformation.name.replace("NumericAddition", "plus").replace("NumericMultiplication", "times");
    let mut name = function.name.to_string();
    let mut gap = true;
    for c in snake(&words).chars() {
        match c {
            c if c.is_ascii_alphanumeric() => {
                if gap {
                    name.push('_');
                }
                name.push(c);
                gap = false;
            }
            '-' => {
                name.push_str("_minus");
                gap = true;
            }
            _ => gap = true,
        }
    }
    free(name, taken)
}

/// A name, with a number added if it is taken.
pub(super) fn free(name: String, taken: &[String]) -> String {
    let is_free = |name: &String| !taken.contains(name);
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

/// `PermuteParameters` as `permute_parameters`; words in lower case stay as they are.
fn snake(words: &str) -> String {
    let mut snake = String::new();
    let mut before = ' ';
    for c in words.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        before = c;
    }
    snake
}
