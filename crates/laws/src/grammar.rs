//! The calls that laws are made of: each function under test at the arguments that laws in textbooks have, such as `x + y` and
//! `2 * x`.

use super::cost;
use super::form::{Atom, Call, CallId, Calls, Form, Product};
use super::tuning::MOST_PAIRS;
use super::vocabulary::{Numbers, Vocabulary};
use crate::ratio::Ratio;

impl Vocabulary {
    /// The calls that laws are made of, at arguments that textbooks have: the cheapest first. A call's number is its place in the order of rewriting.
    pub fn calls(&self) -> Calls {
        let plain: Vec<Call> =
            (0..self.functions.len()).flat_map(|function| plain_calls(self, function)).collect();
        let mut calls = Calls::default();
        insert(&mut calls, plain);
        // Calls inside calls come after all others: they cost more, and need the numbers of the calls inside them.
        let nested = nested_calls(self, &calls);
        insert(&mut calls, nested);
        calls
    }
}

fn insert(calls: &mut Calls, mut new: Vec<Call>) {
    new.sort_by_cached_key(|call| (cost::of_call(call, calls), call.arguments.clone(), call.function));
    new.into_iter().for_each(|call| {
        calls.insert(call);
    });
}

fn plain_calls(vocabulary: &Vocabulary, function: usize) -> Vec<Call> {
    let call = |arguments| Call { function, arguments };
    match vocabulary.functions[function].parameters.len() {
        1 => arguments(vocabulary).into_iter().map(|argument| call(vec![argument])).collect(),
        2 => {
            let of_two = arguments_of_two(vocabulary);
            let pairs = of_two.iter().flat_map(|a| of_two.iter().map(move |b| vec![a.clone(), b.clone()]));
            cheapest(pairs.filter(|pair| is_telling(pair)).map(call).collect())
        }
        n => tuples(&variables(vocabulary), n).into_iter().map(call).collect(),
    }
}

/// Whether laws are made with this pair of arguments. If one argument is a number, the other has to be a variable alone: what
/// holds for a variable holds for every form in its place. If both arguments are multiples or powers of one variable, as in
/// `hypot(x, 2*x) == sqrt(5)*abs(x)`, a law is an accident or an instance of a law of two variables, and the pair is left out
/// unless both arguments are equal.
fn is_telling(pair: &[Form]) -> bool {
    let is_number = |form: &Form| form.variables(&Calls::default()) == 0;
    let is_variable = |form: &Form| matches!(form.as_atom(), Some(Atom::Variable(_)));
    match (is_number(&pair[0]), is_number(&pair[1])) {
        (true, true) => false,
        (true, false) => is_variable(&pair[1]),
        (false, true) => is_variable(&pair[0]),
        (false, false) => {
            let is_single = pair.iter().all(|form| form.terms().len() == 1);
            let [a, b] = [0, 1].map(|place: usize| pair[place].variables(&Calls::default()));
            pair[0] == pair[1] || !(is_single && a == b && a.is_power_of_two())
        }
    }
}

/// The cheapest calls, at most [`MOST_PAIRS`]. Of calls with the same cost, all are kept or none: `f(x, y)` and `f(y, x)` cost
/// the same, and a law of symmetry needs both.
fn cheapest(calls: Vec<Call>) -> Vec<Call> {
    let cost = |call: &Call| cost::of_call(call, &Calls::default());
    let mut costs: Vec<u32> = calls.iter().map(cost).collect();
    costs.sort_unstable();
    let most = costs.get(MOST_PAIRS).map_or(u32::MAX, |first_beyond| first_beyond - 1);
    calls.into_iter().filter(|call| cost(call) <= most).collect()
}

fn variables(vocabulary: &Vocabulary) -> Vec<Form> {
    (0..vocabulary.variables.len() as u8).map(|v| Form::atom(Atom::Variable(v))).collect()
}

/// All tuples of this length whose elements are among these forms.
fn tuples(of: &[Form], length: usize) -> Vec<Vec<Form>> {
    (0..length).fold(vec![Vec::new()], |rows, _| {
        let longer = |row: Vec<Form>| of.iter().map(move |form| [row.clone(), vec![form.clone()]].concat());
        rows.into_iter().flat_map(longer).collect()
    })
}

/// The arguments of functions of one parameter.
fn arguments(vocabulary: &Vocabulary) -> Vec<Form> {
    let [x, y] = [0, 1].map(|v| Form::atom(Atom::Variable(v)));
    let one = |n| Form::number(Ratio::whole(n));
    let minus = |form: &Form| form.scaled(Ratio::whole(-1));
    let mut all = vec![
        Some(x.clone()),
        Some(y.clone()),
        x.plus(&y),
        x.scaled(Ratio::whole(2)),
        x.times(&y),
        x.times(&x),
    ];
    all.extend([minus(&x), minus(&y), minus(&y).and_then(|y| x.plus(&y)), y.scaled(Ratio::whole(2))]);
    // Results at numbers, such as exp(0) == 1, are facts from which laws may follow.
    all.extend([Some(one(0)), Some(one(1)), Some(one(2)), x.plus(&one(1))]);
    if vocabulary.numbers == Numbers::Integers {
        all.extend([x.plus(&one(-1)), y.plus(&one(1)), y.plus(&one(-1)), x.plus(&one(2))]);
    }
    if let (Numbers::Floats { .. }, Some(pi)) = (vocabulary.numbers, vocabulary.constant("pi")) {
        let turn = |halves| Form::atom(Atom::Constant(pi)).scaled(Ratio::new(halves, 2)?);
        for halves in [1, 2, 4] {
            all.push(turn(halves).and_then(|turn| x.plus(&turn)));
        }
        for halves in [1, 2] {
            all.push(turn(halves).and_then(|turn| turn.plus(&minus(&x)?)));
        }
        all.push(x.times(&x).and_then(|square| square.times(&x)));
    }
    all.into_iter().flatten().collect()
}

/// The possible arguments of functions of two parameters.
fn arguments_of_two(vocabulary: &Vocabulary) -> Vec<Form> {
    let variables = variables(vocabulary);
    let one = |n| Form::number(Ratio::whole(n));
    let mut all: Vec<Option<Form>> = variables.iter().cloned().map(Some).collect();
    all.extend([Some(one(0)), Some(one(1))]);
    if vocabulary.numbers != Numbers::Integers {
        // For the second power, `pow(x, 2)`.
        all.push(Some(one(2)));
    }
    for (i, a) in variables.iter().enumerate() {
        all.extend([a.scaled(Ratio::whole(-1)), a.scaled(Ratio::whole(2)), a.times(a)]);
        for b in &variables[..i] {
            all.extend([b.plus(a), b.times(a), a.scaled(Ratio::whole(-1)).and_then(|a| b.plus(&a))]);
        }
    }
    all.into_iter().flatten().collect()
}

/// Calls inside calls. A function of one parameter is applied to the result of another one at x, as in `exp(ln(x))`. A function
/// of two parameters is applied to its own result, as in `gcd(gcd(x, y), z)`.
fn nested_calls(vocabulary: &Vocabulary, plain: &Calls) -> Vec<Call> {
    let variables = variables(vocabulary);
    let mut nested = Vec::new();
    for (id, inner) in plain.iter() {
        let mut distinct = inner.arguments.clone();
        distinct.sort();
        distinct.dedup();
        let is_plain = distinct.iter().all(|argument| variables.contains(argument));
        if !is_plain || distinct.len() < inner.arguments.len() {
            continue;
        }
        let result = Form::atom(Atom::Call(id));
        for (function, declared) in vocabulary.functions.iter().enumerate() {
            match declared.parameters.len() {
                1 if inner.arguments[0] == variables[0] && inner.arguments.len() == 1 => {
                    nested.push(Call { function, arguments: vec![result.clone()] });
                }
                2 if function == inner.function => {
                    for other in &variables {
                        nested.push(Call { function, arguments: vec![result.clone(), other.clone()] });
                        nested.push(Call { function, arguments: vec![other.clone(), result.clone()] });
                    }
                }
                _ => {}
            }
        }
    }
    nested
}

/// The forms that replace variables when instances of a law are made: all arguments that some call has, and small numbers.
pub(super) fn instances(calls: &Calls) -> Vec<Form> {
    let mut all: Vec<Form> = [-1, 0, 1, 2].map(|n| Form::number(Ratio::whole(n))).into();
    for argument in calls.iter().flat_map(|(_, call)| &call.arguments) {
        if !all.contains(argument) {
            all.push(argument.clone());
        }
    }
    all
}

/// Whether a call has an argument that is not a sum of multiples of variables, such as `x + 1`, `x * y` or `g(x)`.
pub(super) fn is_special(call: &Call) -> bool {
    let is_variable = |product: &Product| matches!(product[..], [Atom::Variable(_)]);
    call.arguments.iter().flat_map(Form::terms).any(|(product, _)| !is_variable(product))
}

/// The calls inside the arguments of a call.
pub(super) fn inner(call: &Call) -> impl Iterator<Item = CallId> {
    let atoms = call.arguments.iter().flat_map(Form::terms).flat_map(|(product, _)| product);
    atoms.filter_map(|atom| match atom {
        Atom::Call(id) => Some(*id),
        _ => None,
    })
}
