//! Names and sentences for laws, as a person would give them, made from the structure of the law.

use super::form::{Atom, Call, Calls, Form};
use super::vocabulary::Vocabulary;
use crate::ratio::Ratio;

/// What kind of law it is.
struct Shape {
    /// The end of the name: `odd`.
    kind: &'static str,
    words: String,
}

/// The name of a law, such as `sin_odd`, and a sentence that says it. `alone` is the place of the term that stands alone on the
/// left side, if one does.
pub(super) fn of(
    law: &Form,
    alone: Option<usize>,
    vocabulary: &Vocabulary,
    calls: &Calls,
    write: &dyn Fn(&Form) -> String,
) -> (String, String) {
    let mut functions: Vec<usize> = Vec::new();
    for atom in law.terms().iter().flat_map(|(product, _)| product) {
        functions.extend(if let Atom::Call(id) = atom { Some(calls.get(*id).function) } else { None });
    }
    let called = |function: usize| vocabulary.functions[function].name.as_str();
    match alone.and_then(|place| left_call(law, place, calls)) {
        Some((call, rest)) => {
            let namer = Namer { vocabulary, calls, write, call, rest: &rest };
            let Shape { kind, words } = namer.shape();
            (format!("{}_{kind}", called(call.function)), words)
        }
        None => {
            functions.sort_unstable();
            functions.dedup();
            let names: Vec<&str> = functions.iter().map(|function| called(*function)).collect();
            let is_square = |(product, _): &(super::form::Product, Ratio)| {
                product.is_empty() || product.len() == 2 && product[0] == product[1]
            };
            let parity = law.terms().iter().flat_map(|(product, _)| product).find_map(|atom| match atom {
                Atom::Parity(v) => Some(&vocabulary.variables[usize::from(*v)]),
                _ => None,
            });
            let kind = match parity {
                Some(_) => "alternating",
                None if law.terms().iter().all(is_square) => "squares",
                None => "law",
            };
            let of = names.join(" and ");
            let words = match (kind, parity) {
                ("squares", _) => format!("the squares of {of} add up"),
                (_, Some(v)) => format!("products of {of} differ by the parity of {v}"),
                _ => format!("products of {of} are related"),
            };
            (format!("{}_{kind}", names.join("_")), words)
        }
    }
}

/// The name of a law that says that one of two equations is true, and a sentence that says it. `functions` are those that it calls, by their numbers in the vocabulary.
pub(super) fn of_either(
    [(a, b), (c, d)]: &[(String, String); 2],
    functions: &[usize],
    vocabulary: &Vocabulary,
) -> (String, String) {
    let names: Vec<&str> = functions.iter().map(|&f| vocabulary.functions[f].name.as_str()).collect();
    (format!("{}_either", names.join("_")), format!("{a} is {b}, or {c} is {d}"))
}

/// The call that stands alone on the left side, and the form that it is equal to.
fn left_call<'c>(law: &Form, place: usize, calls: &'c Calls) -> Option<(&'c Call, Form)> {
    let (product, coefficient) = law.terms().get(place)?;
    let [Atom::Call(id)] = product[..] else { return None };
    let others = law.terms().iter().enumerate().filter(|(other, _)| *other != place);
    let rest = Form::of(others.map(|(_, term)| term.clone()).collect())?;
    Some((calls.get(id), rest.scaled(coefficient.inverse()?.negated())?))
}

struct Namer<'a> {
    vocabulary: &'a Vocabulary,
    calls: &'a Calls,
    write: &'a dyn Fn(&Form) -> String,
    call: &'a Call,
    rest: &'a Form,
}

impl Namer<'_> {
    fn shape(&self) -> Shape {
        match &self.call.arguments[..] {
            [argument] => self.of_one(argument),
            [first, second] => self.of_two(first, second),
            _ => self.other(),
        }
    }

    fn function(&self) -> &str {
        &self.vocabulary.functions[self.call.function].name
    }

    /// The other call of the same function on the right side, with its coefficient, if its arguments are different variables in
    /// ascending order: `-1` and `sin(x)` in `sin(-x) == -sin(x)`.
    fn plain(&self) -> Option<Ratio> {
        let [(product, coefficient)] = self.rest.terms() else { return None };
        let [Atom::Call(id)] = product[..] else { return None };
        let call = self.calls.get(id);
        let is_plain =
            |(place, argument): (usize, &Form)| argument.as_atom() == Some(Atom::Variable(place as u8));
        (call.function == self.call.function && call.arguments.iter().enumerate().all(is_plain))
            .then_some(*coefficient)
    }

    fn of_one(&self, argument: &Form) -> Shape {
        let (f, written) = (self.function(), (self.write)(argument));
        let minus = Ratio::whole(-1);
        let x = Form::atom(Atom::Variable(0));
        let is_negated = x.scaled(minus).is_some_and(|negated| negated == *argument);
        let terms = argument.terms();
        let variables =
            terms.iter().filter(|(product, _)| product.iter().any(|a| matches!(a, Atom::Variable(_))));
        let is_sum = variables.count() == 2;
        let is_double = x.scaled(Ratio::whole(2)).is_some_and(|double| double == *argument);
        let is_product = terms.len() == 1 && terms[0].0.len() >= 2;
        let inner = argument
            .as_atom()
            .and_then(|atom| if let Atom::Call(id) = atom { Some(self.calls.get(id)) } else { None });
        let shape = |kind, words: String| Shape { kind, words };
        if let Some(inner) = inner {
            let g = &self.vocabulary.functions[inner.function].name;
            return match *self.rest == x {
                true => shape("undoes", format!("{f} undoes {g}")),
                false => shape("of_result", format!("{f} of a result of {g}")),
            };
        }
        if is_product && terms[0].0.iter().all(|atom| *atom == terms[0].0[0]) {
            return shape("of_power", format!("{f} of a power"));
        }
        match self.plain() {
            Some(Ratio::ONE) if is_negated => {
                shape("even", format!("{f} is even: the sign of the argument does not matter"))
            }
            Some(c) if is_negated && c == minus => {
                shape("odd", format!("{f} is odd: the negative of the argument gives the negative result"))
            }
            Some(Ratio::ONE) if terms.len() == 2 && !is_sum => {
                match terms.iter().any(|(_, c)| c.numerator() < 0) {
                    true => shape("reflected", format!("{f} is the same at {written} as at the argument")),
                    false => shape("period", format!("{f} repeats itself at {written}")),
                }
            }
            Some(c) if c == minus && terms.len() == 2 && !is_sum => {
                shape("half_turn", format!("{f} changes its sign at {written}"))
            }
            Some(_) if is_double => shape("scaled", format!("twice the argument gives a multiple of {f}")),
            Some(_) => shape("shifted", format!("{f} at {written} is a multiple of {f}")),
            None => self.by_others(argument, is_sum, is_double, is_product),
        }
    }

    /// Names a call with one argument whose right side has other calls than the one of the same function at that variable.
    fn by_others(&self, argument: &Form, is_sum: bool, is_double: bool, is_product: bool) -> Shape {
        let (f, terms) = (self.function(), argument.terms());
        let shape = |kind, words: String| Shape { kind, words };
        match (is_sum, is_double, is_product) {
            (true, ..) if terms.iter().any(|(_, c)| c.numerator() < 0) => {
                shape("difference", format!("{f} of a difference"))
            }
            (true, ..) => shape("sum", format!("{f} of a sum")),
            (_, true, _) => shape("double", format!("{f} of twice the argument")),
            (.., true) => shape("product", format!("{f} of a product")),
            _ if terms.len() == 2 => {
                shape("shifted", format!("{f} at {}, by others", (self.write)(argument)))
            }
            _ => self.other(),
        }
    }

    fn of_two(&self, first: &Form, second: &Form) -> Shape {
        let f = self.function();
        let shape = |kind, words: String| Shape { kind, words };
        let variable = |form: &Form| match form.as_atom() {
            Some(Atom::Variable(v)) => Some(v),
            _ => None,
        };
        let is_nested = [first, second].iter().any(|form| matches!(form.as_atom(), Some(Atom::Call(_))));
        let is_number = |form: &&Form| form.variables(self.calls) == 0;
        match (variable(first), variable(second)) {
            (Some(1), Some(0)) if self.plain() == Some(Ratio::ONE) => {
                shape("symmetric", format!("{f} is symmetric: exchanging its arguments leaves the result"))
            }
            (Some(a), Some(b)) if a == b => shape("of_equals", format!("{f} of two equal arguments")),
            _ if is_nested => match self.rest.terms() {
                [(product, Ratio::ONE)] if matches!(product[..], [Atom::Call(id)] if super::grammar::inner(self.calls.get(id)).next().is_some()) => {
                    shape(
                        "associative",
                        format!("{f} is associative: it does not matter which two come first"),
                    )
                }
                _ => shape("again", format!("{f} of its own result")),
            },
            _ => match [first, second].iter().find(|form| is_number(form)) {
                Some(number) => {
                    let number = (self.write)(number);
                    let kind = match &*number {
                        "0" => "with_0",
                        "1" => "with_1",
                        _ => "with_constant",
                    };
                    shape(kind, format!("{f} with {number}"))
                }
                None => self.of_compound(first, second),
            },
        }
    }

    /// Arguments that are sums and products of variables.
    fn of_compound(&self, first: &Form, second: &Form) -> Shape {
        let f = self.function();
        let [a, b] = [first, second].map(|form| (self.write)(form));
        let shape = |kind, words: String| Shape { kind, words };
        let is_negated = |form: &Form| {
            form.terms().len() == 1 && form.terms()[0].1 == Ratio::whole(-1) && form.terms()[0].0.len() == 1
        };
        let is_sum = |form: &Form| form.terms().len() > 1;
        let is_square = |form: &Form| matches!(form.terms(), [(product, Ratio::ONE)] if product.len() == 2 && product[0] == product[1]);
        let calls = |form: &Form| {
            let atoms = form.terms().iter().flat_map(|(product, _)| product);
            atoms.filter(|atom| matches!(atom, Atom::Call(_))).count()
        };
        match (self.plain(), calls(self.rest)) {
            (Some(Ratio::ONE), _) if is_negated(first) || is_negated(second) => {
                shape("sign", format!("the sign of an argument does not matter to {f}"))
            }
            (Some(Ratio::ONE), _) if is_sum(first) || is_sum(second) => {
                shape("unchanged_by_sum", format!("{f} stays the same for {a} and {b}"))
            }
            (_, 0) => shape("absorbs", format!("what {f} is for {a} and {b}")),
            _ if is_square(first) && is_square(second) => shape("of_squares", format!("{f} of squares")),
            (_, 1) if !is_sum(first) && !is_sum(second) => {
                shape("scaled", format!("{f} for {a} and {b}, by the factor that both have"))
            }
            (_, 2) if self.rest.terms().len() == 1 => {
                shape("split", format!("{f} for {a} and {b} is a product"))
            }
            _ => shape("same", format!("{f} for {a} and {b}, by other calls")),
        }
    }

    fn other(&self) -> Shape {
        Shape { kind: "law", words: format!("{} by other calls", self.function()) }
    }
}
