//! Which relations expect the same of outputs (k-MR coverage counts each such output relation once: Fu, Sun, Zhang, Liu).
//!
//! Two output relations are the same if they say the same of the outputs of the calls, whatever the inputs are, whatever the constants
//! are, and under whatever condition: `a >= b`, `b <= a`, `not a < b` and `a >= b and true` are one.

use std::collections::HashMap;

use dodona_relations::ast::{self, BinaryOperator as B, Binding, Body, Expression, Name, Node, binary};
use dodona_relations::{Relation, Role, to_calls};
use dodona_simplify::{equivalent, simplify};
use dodona_target::{Parameter, Signature};

/// The most questions to the simplifier whether two output relations that are written in different ways say the same. One takes a
/// millisecond or so, so that a thousand relations take seconds. Further ones count as different.
const MOST_QUESTIONS: usize = 5_000;

/// The different output relations of some relations, each as text, and for each relation the number of its own.
pub(crate) fn forms<'r>(
    relations: impl Iterator<Item = &'r Relation>,
    functions: &[Signature],
) -> (Vec<String>, Vec<u32>) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    // What the simplifier is asked about: the first relation of each form.
    let mut firsts: Vec<(String, ast::Relation)> = Vec::new();
    let mut questions = 0;
    let number = |relation: &Relation| {
        let outputs = of_outputs(relation, functions);
        let form = renumbered(&abstracted(&outputs, functions));
        if let Some(number) = numbers.get(&form) {
            return *number;
        }
        let mut says_the_same = |(_, first): &(String, ast::Relation)| {
            questions += 1;
            questions <= MOST_QUESTIONS && equivalent(first, &outputs, functions)
        };
        let number = firsts.iter().position(&mut says_the_same).unwrap_or_else(|| {
            firsts.push((form.clone(), outputs.clone()));
            firsts.len() - 1
        }) as u32;
        numbers.insert(form, number);
        number
    };
    let of_relations = relations.map(number).collect();
    (firsts.into_iter().map(|(form, _)| form).collect(), of_relations)
}

/// The expectation alone, simplified. The arguments of calls say nothing of the inputs: those of the first source call of `f(x, y)` are
/// `x_s0` and `y_s0`, and those of the second follow-up call `x_t1` and `y_t1`. A variable beside the calls is an input of the first source call.
fn of_outputs(relation: &Relation, functions: &[Signature]) -> ast::Relation {
    let written = to_calls(relation.tree(), functions).unwrap_or_else(|_| relation.tree().clone());
    let (Body::Calls(expect) | Body::Primed { expect, .. }) = &written.body;
    let calls = Calls::of(expect, relation, functions);
    let constant = written.constants.as_ref().and_then(|all| Some((&all.name.text, all.values.first()?)));
    let mut bindings: Vec<Binding> = Vec::new();
    let expect = expect.rewrite(&mut |e| match &e.node {
        Node::Call { function, .. } => {
            let declared = declared(functions, function)?;
            let label = calls.label(&e.to_string())?;
            let all = declared
                .parameters
                .iter()
                .map(|parameter| variable(declared, parameter, &label, &mut bindings));
            Some(Expression::call(declared, &all.enumerate().collect::<Vec<_>>()))
        }
        Node::Name(name) if constant.is_some_and(|(constant, _)| constant == name) => {
            constant.map(|(_, value)| value.clone())
        }
        Node::Name(name) => {
            let found = relation.variables().iter().find(|variable| variable.name == *name)?;
            let function = &functions[found.function];
            Some(variable(function, &function.parameters[found.parameter], "s0", &mut bindings))
        }
        _ => None,
    });
    let outputs = ast::Relation {
        name: Name::new("form"),
        bindings,
        function: None,
        constants: None,
        condition: None,
        body: Body::Calls(expect),
        ..written
    };
    simplify(&outputs, functions)
}

/// A variable for a parameter of the call with this label, bound once.
fn variable(
    function: &Signature,
    parameter: &Parameter,
    label: &str,
    bindings: &mut Vec<Binding>,
) -> Expression {
    let name = format!("{}_{label}", parameter.name);
    let [variable, function, parameter] = [&name, &function.name, &parameter.name].map(Name::new);
    let binding = Binding { variable, function, parameter };
    if !bindings.contains(&binding) {
        bindings.push(binding);
    }
    Expression::name(name)
}

/// The function under test that a call names.
fn declared<'f>(functions: &'f [Signature], name: &Name) -> Option<&'f Signature> {
    functions.iter().find(|declared| declared.name == name.text)
}

/// The calls whose outputs an expectation speaks of, by their text, in its order. Calls in their arguments only make inputs.
struct Calls(Vec<(Role, String)>);

impl Calls {
    fn of(expect: &Expression, relation: &Relation, functions: &[Signature]) -> Calls {
        let mut calls: Vec<(Role, String)> = Vec::new();
        expect.rewrite(&mut |e| {
            let Node::Call { function, .. } = &e.node else { return None };
            declared(functions, function)?;
            let text = e.to_string();
            let role = relation.calls().iter().find(|call| call.text == text)?.role;
            if calls.iter().all(|(_, known)| *known != text) {
                calls.push((role, text));
            }
            Some(e.clone())
        });
        Calls(calls)
    }

    /// `s0` for the first source call, `t1` for the second follow-up call.
    fn label(&self, text: &str) -> Option<String> {
        let (role, _) = self.0.iter().find(|(_, known)| known == text)?;
        let number = self.0.iter().filter(|(other, _)| other == role).position(|(_, known)| known == text)?;
        Some(format!("{}{number}", if *role == Role::Source { "s" } else { "t" }))
    }
}

/// An expectation with a name in place of each constant, call and input.
fn abstracted(relation: &ast::Relation, functions: &[Signature]) -> Expression {
    let (Body::Calls(expect) | Body::Primed { expect, .. }) = &relation.body;
    expect.rewrite(&mut |e| match &e.node {
        Node::Call { function, arguments } => {
            declared(functions, function)?;
            let label = |argument: &Expression| Some(argument.to_string().rsplit_once('_')?.1.to_owned());
            let label = arguments.first().and_then(label).unwrap_or_default();
            Some(Expression::name(format!("{} {label}", function.text)))
        }
        Node::Int(_) | Node::Float(_) | Node::Text(_) => Some(Expression::name("constant")),
        Node::Name(name) if name.ends_with("_s0") => Some(Expression::name("input")),
        _ => None,
    })
}

/// The most calls of one role whose numbers are exchanged with each other: five have 120 orders.
const MOST_EXCHANGED: usize = 4;

/// The text of an expectation in the numbering of its calls, and the order of operands, whose text comes first: in which order calls are
/// written says nothing.
fn renumbered(e: &Expression) -> String {
    let mut labels: Vec<String> = Vec::new();
    e.rewrite(&mut |e| {
        if let Node::Name(name) = &e.node
            && let Some((_, label)) = name.split_once(' ')
            && !labels.iter().any(|known| known == label)
        {
            labels.push(label.to_owned());
        }
        None
    });
    let of_role = |letter| labels.iter().filter(|label| label.starts_with(letter)).count();
    let [sources, follow_ups] = ['s', 't'].map(|letter| orders(of_role(letter)));
    let texts = sources
        .iter()
        .flat_map(|sources| follow_ups.iter().map(move |others| (sources, others)))
        .map(|(sources, follow_ups)| {
            let new = |label: &str| {
                let (order, number) =
                    (if label.starts_with('s') { sources } else { follow_ups }, &label[1..]);
                let known = number.parse().ok().and_then(|number: usize| order.get(number));
                known.map_or_else(|| label.to_owned(), |number| format!("{}{number}", &label[..1]))
            };
            let renamed = e.rewrite(&mut |e| {
                let Node::Name(name) = &e.node else { return None };
                let (function, label) = name.split_once(' ')?;
                Some(Expression::name(format!("{function} {}", new(label))))
            });
            ordered(&renamed).to_string()
        });
    texts.min().unwrap_or_default()
}

/// All orders of so many numbers, from 0; of too many numbers only their own.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count > MOST_EXCHANGED {
        return vec![(0..count).collect()];
    }
    (0..count).fold(vec![Vec::new()], |orders, next| {
        let with = |order: Vec<usize>| {
            (0..=order.len()).map(move |place| [&order[..place], &[next], &order[place..]].concat())
        };
        orders.into_iter().flat_map(with).collect()
    })
}

/// The same expression with the operands that may be exchanged in the order of their text.
fn ordered(e: &Expression) -> Expression {
    let mut inside = e.children().into_iter().map(ordered);
    let Node::Binary(operator, ..) = &e.node else {
        let mut first = true;
        return e.rewrite(&mut |_| if std::mem::take(&mut first) { None } else { inside.next() });
    };
    let (Some(a), Some(b)) = (inside.next(), inside.next()) else { return e.clone() };
    let exchanged = match operator {
        B::And | B::Or | B::Add | B::Multiply | B::Iff | B::Xor => Some(*operator),
        comparison => comparison.flipped(),
    };
    match exchanged {
        Some(operator) if b.to_string() < a.to_string() => binary(operator, b, a),
        _ => binary(*operator, a, b),
    }
}

#[cfg(test)]
mod tests {
    use dodona_relations::{check, parse};
    use dodona_target::{Scalar, Type};

    use super::*;

    fn functions() -> Vec<Signature> {
        let number = Type::Scalar(Scalar::I32);
        let real = Type::Scalar(Scalar::F64);
        let two = vec![Parameter::new("x", number), Parameter::new("y", number)];
        vec![
            Signature::new("f", two, Some(number)),
            Signature::new("g", vec![Parameter::new("z", real)], Some(real)),
        ]
    }

    fn numbers(texts: &[&str]) -> Vec<u32> {
        let functions = functions();
        // A header stands before the colon.
        let head = |text: &str| if text.starts_with('(') { "" } else { ": " };
        let relation = |(i, text): (usize, &&str)| format!("relation r{i}{}{text}\n", head(text));
        let text: String = texts.iter().enumerate().map(relation).collect();
        let relations = check(&parse(&text).expect("relations"), &functions).expect("valid relations");
        forms(relations.iter(), &functions).1
    }

    #[test]
    fn output_relations_that_say_the_same_count_once() {
        let pairs = [
            ["f(x + 1, y) >= f(x, y)", "f(x, y) <= f(x + 1, y)"],
            ["f(x + 1, y) >= f(x, y)", "not f(x + 1, y) < f(x, y)"],
            ["f(x + 1, y) >= f(x, y)", "f(x + 1, y) >= f(x, y) and true"],
            ["f(x + 1, y) >= f(x, y)", "false or f(x, y) <= f(x + 1, y)"],
            ["f(x + 1, y) >= f(x, y)", "f(2 * x, y) >= f(x, y)"],
            ["f(x + 1, y) >= f(x, y)", "when x > 0: f(x + 1, y) >= f(x, y)"],
            ["f(x + 1, y) == f(x, y)", "f(x, y) == f(x + 1, y)"],
            ["f(x + 1, y) == f(x, y)", "not f(x, y) != f(x + 1, y)"],
            ["f(x + 1, y) == f(x, y)", "f(x, y) - f(x + 1, y) == 0"],
            ["f(y, x) == f(x, y)", "f(x, y) == f(y, x)"],
            ["f(y, x) == f(x, y)", "f(x, y) == f(y, x) and not false"],
            ["f(x + 1, y) == f(x, y) + 15", "f(x + 1, y) == f(x, y) + 25"],
            ["f(x + 1, y) == f(x, y) + 15", "15 + f(x, y) == f(x + 1, y)"],
            ["f(x + 1, y) > f(x, y)", "not (f(x + 1, y) <= f(x, y))"],
            ["f(x + 1, y) > f(x, y)", "f(x, y) < f(x + 1, y)"],
            ["f(x, y) > 0 and f(x + 1, y) > 0", "f(x + 1, y) > 0 and f(x, y) > 0"],
            ["f(x, y) > 0 implies f(x + 1, y) > 0", "not f(x, y) > 0 or f(x + 1, y) > 0"],
            ["g(-z) == -g(z)", "-g(z) == g(-z)"],
            ["g(z + 1.0) ~= g(z)", "g(z) ~= g(z + 1.0)"],
            ["f(x + 1, y) == f(x, y) + x", "f(x + 2, y) == f(x, y) + x"],
            ["f(f(x + 1, y), y) >= f(x, y)", "f(x + 1, y) >= f(x, y)"],
            ["(p: f.x, q: f.y): when f(p, q) > 0: f(x + 1, y) >= f(x, y)", "f(x + 1, y) >= f(x, y)"],
            ["f(x, y) + f(x + 1, y) >= f(x + 2, y)", "f(x + 2, y) <= f(x, y) + f(x + 1, y)"],
            ["f(x + 1, y) <= f(x + 2, y)", "f(x + 2, y) >= f(x + 1, y)"],
            ["for k in {2}: f(k * x, y) == k * f(x, y)", "for c in {3}: f(c * x, y) == c * f(x, y)"],
            ["for k in {2}: f(k * x, y) == k * f(x, y)", "f(2 * x, y) == 2 * f(x, y)"],
        ];
        for pair in pairs {
            assert_eq!(numbers(&pair), [0, 0], "{pair:?}");
        }
    }

    #[test]
    fn output_relations_that_say_different_things_count_each() {
        let pairs = [
            ["f(x + 1, y) >= f(x, y)", "f(x + 1, y) <= f(x, y)"],
            ["f(x + 1, y) >= f(x, y)", "f(x + 1, y) > f(x, y)"],
            ["f(x + 1, y) >= f(x, y)", "f(x + 1, y) == f(x, y)"],
            ["f(x + 1, y) >= f(x, y)", "f(x, y) >= f(x + 1, y)"],
            ["f(x + 1, y) == f(x, y)", "f(x + 1, y) != f(x, y)"],
            ["f(x + 1, y) == f(x, y)", "f(x + 1, y) == -f(x, y)"],
            ["f(x + 1, y) == f(x, y)", "f(x + 1, y) == f(x, y) + 1"],
            ["f(x + 1, y) == 2 * f(x, y)", "f(x + 1, y) == f(x, y) + 2"],
            ["f(x + 1, y) == f(x, y) + x", "f(x + 1, y) == f(x, y) + 1"],
            ["f(x + 1, y) > 0", "f(x, y) > 0"],
            ["f(x + 1, y) > 0 and f(x, y) > 0", "f(x + 1, y) > 0 or f(x, y) > 0"],
            ["f(x, y) > 0 implies f(x + 1, y) > 0", "f(x + 1, y) > 0 implies f(x, y) > 0"],
            ["g(-z) == -g(z)", "g(-z) == g(z)"],
            ["g(z + 1.0) ~= g(z)", "g(z + 1.0) == g(z)"],
            ["g(z + 1.0) ~= g(z)", "f(x + 1, y) == f(x, y)"],
            ["f(f(x, y), y) == f(x, y)", "f(x + 1, y) == f(x, y) * f(x, y)"],
            ["f(x + 1, y) == f(x, y) * f(x, y)", "f(x + 1, y) == f(x, y)"],
            ["f(x + y, y) == f(x, y) + f(y, x)", "f(x + y, y) == f(x, y)"],
            ["f(x + 1, y) mod 2 == 0", "f(x + 1, y) == 0"],
            ["abs(f(x + 1, y)) == f(x, y)", "f(x + 1, y) == f(x, y)"],
        ];
        for pair in pairs {
            assert_eq!(numbers(&pair), [0, 1], "{pair:?}");
        }
    }
}
