//! From a form to the relation that it says of certain functions and parameters, and to its words.

use dodona_relations::ast::{
    BinaryOperator, Binding, Body, Expression, Name, Node, Presence, Relation, binary, chain,
};
use dodona_target::{Output, OutputName, Parameter, Scalar, Signature, Type};

use super::form::Form;

/// A function with the output that is spoken of, and its parameters that the form changes, in the order of the form.
#[derive(Clone, Debug)]
pub(super) struct Spoken<'a> {
    pub(super) function: &'a Signature,
    pub(super) output: usize,
    pub(super) parameters: Vec<usize>,
}

impl<'a> Spoken<'a> {
    fn output(&self) -> &'a Output {
        &self.function.outputs[self.output]
    }

    fn is_float(&self) -> bool {
        matches!(self.output().ty.scalar(), Some(Scalar::F32 | Scalar::F64))
    }
}

/// The letters of the functions in a form.
const FUNCTIONS: [&str; 3] = ["F", "G", "H"];

/// The letters of a form about one parameter: the value itself, and others.
const ONE: [&[&str]; 1] = [&["x", "y", "z"]];

/// The letters of a form about two parameters.
const TWO: [&[&str]; 2] = [&["a", "d"], &["b", "c"]];

/// The letters of a form about more parameters, the coordinates of points.
const MANY: [&[&str]; 12] = [
    &["p0"],
    &["p1"],
    &["p2"],
    &["p3"],
    &["p4"],
    &["p5"],
    &["p6"],
    &["p7"],
    &["p8"],
    &["p9"],
    &["p10"],
    &["p11"],
];

/// A variable of a form.
struct Variable<'a> {
    letter: &'static str,
    /// What it is called in the relation.
    name: String,
    /// The parameter whose values it takes.
    parameter: &'a Parameter,
    /// Whether it is another value beside the one that has the parameter's name.
    is_further: bool,
}

/// What a form is said of.
struct Filling<'a, 's> {
    spoken: &'s [Spoken<'a>],
    variables: Vec<Variable<'a>>,
    /// What the constant of the form is called.
    constant: &'static str,
}

/// The relation that a form says of some functions. It still has the form's name. `None` where it cannot be said of them.
pub(super) fn filled(form: &Relation, spoken: &[Spoken<'_>]) -> Option<Relation> {
    Filling::new(form, spoken)?.relation(form)
}

/// The words of a form, for some functions.
pub(super) fn words(form: &Form, spoken: &[Spoken<'_>]) -> String {
    let mut words = form.words.to_owned();
    for (letter, one) in ["{f}", "{g}", "{h}"].iter().zip(spoken) {
        words = words.replace(letter, &one.function.name);
    }
    let Some(first) = spoken.first() else { return words };
    for (letters, &parameter) in letters(first.parameters.len()).iter().zip(&first.parameters) {
        words = words.replace(&format!("{{{}}}", letters[0]), &first.function.parameters[parameter].name);
    }
    words
}

fn letters(parameters: usize) -> &'static [&'static [&'static str]] {
    match parameters {
        0 => &[],
        1 => &ONE,
        2 => &TWO,
        _ => &MANY,
    }
}

impl<'a, 's> Filling<'a, 's> {
    fn new(form: &Relation, spoken: &'s [Spoken<'a>]) -> Option<Filling<'a, 's>> {
        let Body::Calls(expect) = &form.body else { return None };
        let has = |letter: &str| {
            expect.mentions(letter)
                || form.condition.as_ref().is_some_and(|condition| condition.mentions(letter))
        };
        let first = spoken.first()?;
        let taken = |name: &str| {
            spoken.iter().any(|one| one.function.parameters.iter().any(|parameter| parameter.name == name))
        };
        let mut variables: Vec<Variable<'a>> = Vec::new();
        for (letters, &place) in letters(first.parameters.len()).iter().zip(&first.parameters) {
            let parameter = &first.function.parameters[place];
            for (count, letter) in letters.iter().enumerate().filter(|(_, letter)| has(letter)) {
                let name = match count {
                    0 => parameter.name.clone(),
                    _ => further(parameter)
                        .iter()
                        .find(|name| !taken(name) && variables.iter().all(|other| other.name != **name))?
                        .to_string(),
                };
                variables.push(Variable { letter, name, parameter, is_further: count > 0 });
            }
        }
        let constant = ["k", "by"].into_iter().find(|name| !taken(name))?;
        Some(Filling { spoken, variables, constant })
    }

    fn relation(&self, form: &Relation) -> Option<Relation> {
        let Body::Calls(expect) = &form.body else { return None };
        let (conditions, missing) = match is_whole(expect) {
            true => (Vec::new(), false),
            false => self.presences(expect),
        };
        if missing {
            return None;
        }
        let expect = self.expression(&self.near(expect));
        let own = form.condition.as_ref().map(|condition| self.expression(condition));
        let condition = chain(BinaryOperator::And, conditions.into_iter().chain(own));
        let mentioned =
            |name: &str| expect.mentions(name) || condition.as_ref().is_some_and(|c| c.mentions(name));
        let first = &self.spoken[0].function.name;
        let bindings = self.variables.iter().filter(|variable| {
            (variable.is_further || self.is_ambiguous(variable, form)) && mentioned(&variable.name)
        });
        let bindings = bindings
            .map(|variable| Binding {
                variable: Name::new(&variable.name),
                function: Name::new(first),
                parameter: Name::new(&variable.parameter.name),
            })
            .collect();
        let mut constants = form.constants.clone();
        if let Some(constants) = &mut constants {
            constants.name = Name::new(self.constant);
        }
        Some(Relation { bindings, constants, condition, body: Body::Calls(expect), ..form.clone() })
    }

    /// Whether another function has a parameter of the same name that takes something else.
    fn is_ambiguous(&self, variable: &Variable<'_>, form: &Relation) -> bool {
        let Body::Calls(expect) = &form.body else { return false };
        self.spoken.iter().zip(FUNCTIONS).skip(1).any(|(one, letter)| {
            let has_name = |&place: &usize| one.function.parameters[place].name == variable.name;
            let takes_it = |e: &Expression| match &e.node {
                Node::Call { function, arguments } => {
                    function.text == letter && arguments.iter().any(|a| a.is_name(variable.letter))
                }
                _ => false,
            };
            one.parameters.iter().any(has_name) && !expect.has(&takes_it)
        })
    }

    /// An expression of the form with its functions and variables.
    fn expression(&self, e: &Expression) -> Expression {
        e.rewrite(&mut |part| match &part.node {
            Node::Name(letter) => self.name(letter),
            Node::Call { function, arguments } => {
                let place = FUNCTIONS.iter().position(|letter| *letter == function.text)?;
                let one = self.spoken.get(place)?;
                Some(self.call(one, arguments).output(&one.output().name))
            }
            _ => None,
        })
    }

    fn name(&self, letter: &str) -> Option<Expression> {
        if letter == "k" {
            return Some(Expression::name(self.constant));
        }
        let variable = self.variables.iter().find(|variable| variable.letter == letter)?;
        Some(Expression::name(&variable.name))
    }

    fn call(&self, one: &Spoken<'_>, arguments: &[Expression]) -> Expression {
        let changed: Vec<(usize, Expression)> = one
            .parameters
            .iter()
            .zip(arguments)
            .map(|(&place, argument)| (place, self.expression(argument)))
            .collect();
        Expression::call(one.function, &changed)
    }

    /// What has to be there for the expectation to have a value: the results of calls whose arguments are plain, where these may be missing. The second
    /// is whether a result may be missing in a way that cannot be asked for.
    fn presences(&self, expect: &Expression) -> (Vec<Expression>, bool) {
        let (mut found, mut missing): (Vec<Expression>, bool) = (Vec::new(), false);
        let mut look = |e: &Expression| {
            let Node::Call { function, arguments } = &e.node else { return };
            let Some(place) = FUNCTIONS.iter().position(|letter| *letter == function.text) else { return };
            let Some(one) = self.spoken.get(place) else { return };
            let Some(given) = one.output().given else { return };
            if !arguments.iter().all(|argument| matches!(argument.node, Node::Name(_))) {
                return;
            }
            let tag = one.function.outputs[given.output].name.selector();
            let presence =
                Presence::ALL.into_iter().find(|p| Some(p.tag().0) == tag && p.tag().1 == given.is);
            match presence.filter(|_| one.output().name == OutputName::Return) {
                Some(presence) => {
                    let asked = Expression::new(Node::Is(Box::new(self.call(one, arguments)), presence));
                    if !found.contains(&asked) {
                        found.push(asked);
                    }
                }
                None => missing = true,
            }
        };
        visit(expect, &mut look);
        (found, missing)
    }

    /// The expectation with `~=` between results that are computed by rounding.
    fn near(&self, expect: &Expression) -> Expression {
        let is_comparison =
            |e: &Expression| matches!(&e.node, Node::Binary(operator, ..) if operator.flipped().is_some());
        match &expect.node {
            Node::Binary(BinaryOperator::Equal, a, b)
                if self.spoken.iter().any(Spoken::is_float) && !is_comparison(a) && !is_comparison(b) =>
            {
                binary(BinaryOperator::Approximate, (**a).clone(), (**b).clone())
            }
            _ => expect.clone(),
        }
    }
}

fn visit(e: &Expression, look: &mut impl FnMut(&Expression)) {
    look(e);
    e.children().into_iter().for_each(|child| visit(child, look));
}

/// Whether two calls are compared as they are: results that are both missing are equal, and no condition is needed.
fn is_whole(expect: &Expression) -> bool {
    let Node::Binary(BinaryOperator::Equal, a, b) = &expect.node else { return false };
    let is_plain = |e: &Expression| match &e.node {
        Node::Call { function, arguments } => {
            let nests = |e: &Expression| matches!(&e.node, Node::Call { function, .. } if FUNCTIONS.contains(&&*function.text));
            FUNCTIONS.contains(&&*function.text) && !arguments.iter().any(|argument| argument.has(&nests))
        }
        _ => false,
    };
    is_plain(a) && is_plain(b)
}

/// Names for further values of a parameter.
fn further(parameter: &Parameter) -> &'static [&'static str] {
    match parameter.ty {
        Type::Text | Type::Sequence(_) => &["more", "rest", "more_2", "rest_2"],
        Type::Scalar(_) => &["other", "third", "other_2", "third_2"],
    }
}
