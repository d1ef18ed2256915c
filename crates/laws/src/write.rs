//! Laws as relations of the language.

use super::binding::bindings;
use super::form::{Atom, Call, CallId, Calls, Form, Product};
use super::law::Law;
use super::name;
use super::vocabulary::{Constant, Numbers, Vocabulary};
use crate::ratio::Ratio;

/// A law in the relation language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// A name that says what kind of law it is, such as `sin_odd`.
    pub name: String,
    /// The law in words: "the negative of x gives the negative of sin(x)".
    pub words: String,
    /// The header for variables that are not named like a parameter, such as `(y: sin.x)`, or nothing.
    pub header: String,
    /// One side of the equation.
    pub left: String,
    /// The other side.
    pub right: String,
    /// For integers: two equations of which one is always true, if the difference of both sides is a product: where `f(n)*(f(n) - n)` is 0, `f(n) == 0 or f(n) == n`.
    pub either: Option<[(String, String); 2]>,
    /// Whether neither side adds or multiplies, so that both sides can be equal to the last bit.
    pub is_plain: bool,
    /// The arguments of its calls that contain variables and no calls, each once.
    pub arguments: Vec<String>,
    /// The numbers of its functions in the vocabulary.
    pub functions: Vec<usize>,
    /// For floats: an expression for the sum of the absolute values of all terms, if a side may be a small difference of large
    /// terms. Errors are then taken relative to it. Otherwise `None`.
    pub magnitude: Option<String>,
    /// For integers: an expression for the difference of both sides. Calls in products are taken modulo 2^32, so that the
    /// product of two of them fits into 128 bits.
    pub reduced: String,
    /// The calls whose arguments are different variables, in the order of the grammar.
    pub plain_calls: Vec<String>,
}

impl Written {
    /// Writes a law.
    pub fn new(law: &Law, vocabulary: &Vocabulary, constants: &[Constant], calls: &Calls) -> Written {
        let writer = Writer { vocabulary, constants, calls, is_reduced: false };
        let (left, right) = sides(law.form(), vocabulary.numbers);
        let mut functions = Vec::new();
        collect_functions(law.form(), calls, &mut functions);
        functions.sort_unstable();
        functions.dedup();
        let alone = alone(law.form(), vocabulary.numbers);
        let either = (vocabulary.numbers == Numbers::Integers).then(|| writer.either(law.form())).flatten();
        let (name, words) = match &either {
            Some(equations) => name::of_either(equations, &functions, vocabulary),
            None => name::of(law.form(), alone, vocabulary, calls, &|form| writer.form(form)),
        };
        let is_plain =
            [&left, &right].iter().all(|side| side.terms().len() <= 1 && side.terms().iter().all(is_sign));
        let mut plain_calls: Vec<CallId> = Vec::new();
        collect_plain(law.form(), calls, &mut plain_calls);
        plain_calls.sort_unstable();
        plain_calls.dedup();
        let mut passed: Vec<Form> = Vec::new();
        collect_arguments(law.form(), calls, &mut passed);
        let arguments = passed.iter().map(|argument| writer.form(argument)).collect();
        let reducing = Writer { is_reduced: true, ..writer };
        Written {
            name,
            words,
            header: bindings(law.form(), vocabulary, calls),
            left: writer.form(&left),
            right: writer.form(&right),
            either,
            is_plain,
            arguments,
            functions,
            magnitude: [&left, &right].into_iter().any(may_cancel).then(|| {
                let size = |(product, c): &(Product, Ratio)| {
                    let c = if c.numerator() < 0 { c.negated() } else { *c };
                    format!("abs({})", writer.term(product, c))
                };
                law.form().terms().iter().map(size).collect::<Vec<_>>().join(" + ")
            }),
            reduced: reducing.form(law.form()),
            plain_calls: plain_calls.into_iter().map(|id| writer.call(calls.get(id))).collect(),
        }
    }

    /// A form in the relation language.
    pub fn form(form: &Form, vocabulary: &Vocabulary, constants: &[Constant], calls: &Calls) -> String {
        Writer { vocabulary, constants, calls, is_reduced: false }.form(form)
    }

    /// The relation with this name. `comparison` is `==` or `~=`; the texts of `condition` and `tolerance` are inserted as they
    /// are.
    pub fn relation(&self, name: &str, condition: &str, comparison: &str, tolerance: &str) -> String {
        let (header, equation) = (&self.header, self.equation(comparison));
        format!("relation {name}{header}: {condition}{equation}{tolerance}")
    }

    /// Both sides with the comparison between them, or the two equations of which one is true.
    pub fn equation(&self, comparison: &str) -> String {
        match &self.either {
            Some([(a, b), (c, d)]) => format!("{a} {comparison} {b} or {c} {comparison} {d}"),
            None => format!("{} {comparison} {}", self.left, self.right),
        }
    }
}

/// Whether a term has at most one factor, perhaps with a minus.
fn is_sign((product, coefficient): &(Product, Ratio)) -> bool {
    product.len() <= 1
        && (product.is_empty() || coefficient.numerator().abs() == 1 && coefficient.denominator() == 1)
}

fn collect_functions(form: &Form, calls: &Calls, functions: &mut Vec<usize>) {
    for atom in form.terms().iter().flat_map(|(product, _)| product) {
        if let Atom::Call(id) = atom {
            let call = calls.get(*id);
            functions.push(call.function);
            call.arguments.iter().for_each(|argument| collect_functions(argument, calls, functions));
        }
    }
}

/// The arguments of the calls of a form that contain variables and no calls.
fn collect_arguments(form: &Form, calls: &Calls, passed: &mut Vec<Form>) {
    for atom in form.terms().iter().flat_map(|(product, _)| product) {
        let Atom::Call(id) = atom else { continue };
        for argument in &calls.get(*id).arguments {
            let has_call =
                argument.terms().iter().any(|(product, _)| matches!(product.first(), Some(Atom::Call(_))));
            match has_call {
                true => collect_arguments(argument, calls, passed),
                false if argument.variables(calls) != 0 && !passed.contains(argument) => {
                    passed.push(argument.clone())
                }
                false => {}
            }
        }
    }
}

/// Adds the calls of a form whose arguments are different variables.
fn collect_plain(form: &Form, calls: &Calls, plain: &mut Vec<CallId>) {
    for atom in form.terms().iter().flat_map(|(product, _)| product) {
        let Atom::Call(id) = atom else { continue };
        let arguments = &calls.get(*id).arguments;
        arguments.iter().for_each(|argument| collect_plain(argument, calls, plain));
        let mut variables: Vec<Atom> = arguments.iter().filter_map(Form::as_atom).collect();
        variables.retain(|atom| matches!(atom, Atom::Variable(_)));
        variables.sort_unstable();
        variables.dedup();
        if variables.len() == arguments.len() {
            plain.push(*id);
        }
    }
}

/// The place of the term that stands alone on the left side of the equation, if one does.
pub(super) fn alone(form: &Form, numbers: Numbers) -> Option<usize> {
    let is_call = |(product, c): &(Product, Ratio)| {
        matches!(product[..], [Atom::Call(_)]) && c.numerator().abs() == 1 && c.denominator() == 1
    };
    match numbers {
        Numbers::Floats { .. } => is_call(form.terms().first()?).then_some(0),
        Numbers::Integers => form.terms().iter().position(is_call),
    }
}

/// Whether a side may be a small difference of large numbers: it has several terms, and some of them may be negative.
fn may_cancel(side: &Form) -> bool {
    let is_positive = |(product, coefficient): &(Product, Ratio)| {
        let mut powers = product.chunk_by(|a, b| a == b);
        coefficient.numerator() > 0
            && powers.all(|power| {
                power.len() % 2 == 0 || matches!(power[0], Atom::Constant(_) | Atom::Absolute(_))
            })
    };
    side.terms().len() > 1 && !side.terms().iter().all(is_positive)
}

/// The two sides of the equation. If a call can stand alone, it is the left side; for floats only the greatest product may.
/// Otherwise the terms that are added are on the left and those that are subtracted on the right, so that neither side is a
/// small difference of large floats.
fn sides(form: &Form, numbers: Numbers) -> (Form, Form) {
    let terms = form.terms();
    let alone = alone(form, numbers);
    let sign = alone.map_or(Ratio::ONE, |place| terms[place].1);
    let side = |is_left: bool| {
        let belongs = |(place, (_, c)): &(usize, &(Product, Ratio))| match alone {
            Some(alone) => (*place == alone) == is_left,
            None => (c.numerator() > 0) == is_left,
        };
        let signed = |(_, (p, c)): (usize, &(Product, Ratio))| {
            let c = if is_left { *c } else { c.negated() };
            Some((p.clone(), c.times(sign)?))
        };
        let side: Option<Vec<_>> = terms.iter().enumerate().filter(belongs).map(signed).collect();
        side.and_then(Form::of).unwrap_or_default()
    };
    (side(true), side(false))
}

/// Writes forms.
#[derive(Clone, Copy)]
struct Writer<'a> {
    vocabulary: &'a Vocabulary,
    constants: &'a [Constant],
    calls: &'a Calls,
    /// Whether calls that are multiplied with each other are written modulo 2^32.
    is_reduced: bool,
}

impl Writer<'_> {
    /// Both sides of the equations that say that a factor of a form is 0, if the form is a product.
    fn either(&self, form: &Form) -> Option<[(String, String); 2]> {
        let (one, other) = form.factors()?;
        Some([one, other].map(|factor| {
            let (left, right) = sides(&factor, self.vocabulary.numbers);
            (self.form(&left), self.form(&right))
        }))
    }

    /// A form as text: positive terms first, and of these the ones with variables first, as in `x + pi`; but `pi - x`.
    fn form(&self, form: &Form) -> String {
        let mut terms: Vec<&(Product, Ratio)> = form.terms().iter().collect();
        terms.sort_by_cached_key(|(product, c)| {
            let is_constant = product.iter().all(|atom| matches!(atom, Atom::Constant(_)));
            (c.numerator() < 0, is_constant, product.iter().rev().copied().collect::<Vec<_>>())
        });
        let mut text = String::new();
        for (product, coefficient) in terms {
            let is_minus = coefficient.numerator() < 0;
            match (text.is_empty(), is_minus) {
                (true, true) => text.push('-'),
                (true, false) => {}
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            text.push_str(&self.term(product, if is_minus { coefficient.negated() } else { *coefficient }));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// `2*sin(x)*cos(y)`, `pi/2`: the smallest factor first.
    fn term(&self, product: &Product, coefficient: Ratio) -> String {
        let mut factors: Vec<String> = Vec::new();
        if coefficient.numerator().abs() != 1 || product.is_empty() {
            factors.push(coefficient.numerator().abs().to_string());
        }
        for group in product.iter().rev().collect::<Vec<_>>().chunk_by(|a, b| a == b) {
            let is_product = product.iter().filter(|atom| matches!(atom, Atom::Call(_))).count() > 1;
            let factor = self.factor(*group[0], is_product);
            factors.push(if group.len() == 1 { factor } else { format!("{factor}^{}", group.len()) });
        }
        let over = match coefficient.denominator() {
            1 => String::new(),
            denominator => format!("/{denominator}"),
        };
        let minus = if coefficient.numerator() < 0 { "-" } else { "" };
        format!("{minus}{}{over}", factors.join("*"))
    }

    fn factor(&self, atom: Atom, is_product: bool) -> String {
        match atom {
            Atom::Call(_) if self.is_reduced && is_product => format!("({} mod 4294967296)", self.atom(atom)),
            _ => self.atom(atom),
        }
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Constant(constant) => self.constants[usize::from(constant)].name.clone(),
            Atom::Variable(v) => self.vocabulary.variables[usize::from(v)].clone(),
            Atom::Absolute(v) => format!("abs({})", self.vocabulary.variables[usize::from(v)]),
            Atom::Parity(v) => format!("(-1)^{}", self.vocabulary.variables[usize::from(v)]),
            Atom::Call(id) => self.call(self.calls.get(id)),
        }
    }

    fn call(&self, call: &Call) -> String {
        let exact = Writer { is_reduced: false, ..*self };
        let arguments: Vec<String> = call.arguments.iter().map(|argument| exact.form(argument)).collect();
        format!("{}({})", self.vocabulary.functions[call.function].name, arguments.join(", "))
    }
}
