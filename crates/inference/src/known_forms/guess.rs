//! Which forms are tried of which functions.

use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

use dodona_relations::ast::{
    self, BinaryOperator, Body, Bound, Expression, Name, Node, Relation, Span, Tolerance,
};
use dodona_relations::{check, parse, to_primed};
use dodona_target::names::{READS_BACK, answers, undoes};
use dodona_target::{Output, OutputName, Scalar, Signature, Type};

use super::filled::{Spoken, filled, words};
use super::form::{About, FORMS, Form, STEPS, UNDOES};
use super::points::of_points;
use super::sense::{is_hidden, says_nothing};

/// A relation of a known form, to be tried.
///
/// It is written as its [`Display`](std::fmt::Display) says: `relation NAME: …`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownForm {
    /// The relation.
    pub relation: Relation,
    /// What it says in words.
    pub words: String,
    /// Whether the names of the functions say so, and not their types alone.
    pub by_name: bool,
    /// Its form.
    pub form: &'static Form,
    /// The functions and parameters that it is about.
    pub(super) about: Vec<Place>,
}

/// A function with the output and the parameters that a form is about, by their indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) function: usize,
    pub(super) output: usize,
    pub(super) parameters: Vec<usize>,
}

impl fmt::Display for KnownForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.relation.to_string().trim_end())
    }
}

impl KnownForm {
    /// What it says, without its name and header.
    pub fn says(&self) -> String {
        let bare = Relation { bindings: Vec::new(), name: Name::new("r"), ..self.relation.clone() };
        let text = bare.to_string();
        text.trim().trim_start_matches("relation r: ").to_owned()
    }

    /// The functions that it calls, by their indices.
    pub fn functions(&self) -> impl Iterator<Item = usize> {
        self.about.iter().map(|place| place.function)
    }
}

/// So many pairs of functions whose types fit are tried. It is a bound on the time for a crate of a hundred functions of texts, of which 10,000 pairs fit.
const PAIRS: usize = 300;

/// Subjects with more functions are not looked at by threes.
const MOST_FOR_THREES: usize = 8;

/// So many outputs of a function are spoken of: of a program three, of a tuple as many parts.
const OUTPUTS: usize = 3;

/// Functions with more parameters are spoken of one parameter at a time. Of six there would be thirty pairs.
const MOST_FOR_PAIRS: usize = 4;

/// The relations to try, those that names suggest first.
///
/// ```
/// use dodona_inference::known_forms::known_forms;
/// use dodona_target::{Parameter, Scalar, Signature, Type};
///
/// let number = Type::Scalar(Scalar::U64);
/// let parameters = ["a", "b"].map(|name| Parameter::new(name, number)).to_vec();
/// let gcd = Signature::new("gcd", parameters, Some(number));
/// let found = known_forms(&[gcd]);
/// assert!(found.iter().any(|form| form.to_string() == "relation gcd_of_exchanged: gcd(b, a) == gcd(a, b)"));
/// ```
pub fn known_forms(functions: &[Signature]) -> Vec<KnownForm> {
    let mut guesses = Guesses::new(functions);
    for function in 0..functions.len() {
        guesses.alone(function);
        guesses.found.extend(of_points(functions, function));
    }
    guesses.pairs();
    if functions.len() <= MOST_FOR_THREES {
        guesses.threes();
    }
    let mut found = guesses.found;
    found.sort_by_key(|guess| !guess.by_name);
    found
}

/// The steps that are tried of whole numbers.
pub fn steps() -> impl Iterator<Item = i128> {
    STEPS.iter().map(|(step, _)| *step)
}

/// That a step of a parameter adds this much to the result: `day(y, d + 7) == day(y, d) + 7`, and of a result that repeats `weekday(n + 7) == weekday(n)`. `None` where
/// it cannot be said, or for a step that is not tried.
///
/// ```
/// use dodona_inference::known_forms::step;
/// use dodona_target::{Parameter, Scalar, Signature, Type};
///
/// let number = Type::Scalar(Scalar::I32);
/// let weekday = Signature::new("weekday", vec![Parameter::new("n", number)], Some(number));
/// let relation = step(&[weekday], 0, 0, (7, 0)).unwrap().to_string();
/// assert_eq!(relation, "relation weekday_repeats_after_7: weekday(n + 7) == weekday(n)");
/// ```
pub fn step(
    functions: &[Signature],
    function: usize,
    parameter: usize,
    (step, adds): (i128, i128),
) -> Option<KnownForm> {
    let form = &STEPS.iter().find(|(other, _)| *other == step)?.1;
    let sign = if adds < 0 { "-" } else { "+" };
    let added = if adds == 0 { String::new() } else { format!(" {sign} {}", adds.unsigned_abs()) };
    let relation = parse(&format!("relation form: {}{added}", form.says)).ok()?.relations.pop()?;
    let mut guesses = Guesses::new(functions);
    guesses.say(form, &relation, &[Place { function, output: 0, parameters: vec![parameter] }], false);
    let mut found = guesses.found.pop()?;
    let what = match adds {
        0 => format!("repeats_after_{step}"),
        adds => format!("plus_{step}_{}_{}", if adds < 0 { "takes" } else { "adds" }, adds.unsigned_abs()),
    };
    found.relation.name.text = found.relation.name.text.replace(form.name, &what);
    let name = &functions[function].parameters[parameter].name;
    found.words = match adds {
        0 => format!("the result repeats after {step} of {name}"),
        adds if adds < 0 => format!("adding {step} to {name} takes {} from the result", -adds),
        adds => format!("adding {step} to {name} adds {adds} to the result"),
    };
    Some(found)
}

/// That a function gives one of two integers, whatever its arguments: `offset(time) == 3600 or offset(time) == 7200`. `None` where it cannot be said.
pub fn one_of_two(functions: &[Signature], function: usize, [less, greater]: [i128; 2]) -> Option<KnownForm> {
    let text = format!("relation form: F() == {less} or F() == {greater}");
    let relation = parse(&text).ok()?.relations.pop()?;
    let mut guesses = Guesses::new(functions);
    guesses.say(&ONE_OF_TWO, &relation, &[Place { function, output: 0, parameters: Vec::new() }], false);
    let mut found = guesses.found.pop()?;
    let written = |number: i128| number.to_string().replace('-', "minus_");
    let name = format!("is_{}_or_{}", written(less), written(greater));
    found.relation.name.text = found.relation.name.text.replace(ONE_OF_TWO.name, &name);
    found.words = format!("the result is {less} or {greater}");
    Some(found)
}

/// The form of [`one_of_two`].
static ONE_OF_TWO: Form = Form::law("one_of_two", "F() == 0 or F() == 1", "the result is one of two");

impl KnownForm {
    /// The same with a wider tolerance, where it is an equation up to rounding: 1e-6 of the results, or a difference that is small beside what the function usually
    /// gives. What comes out of an iteration, or of sums in which terms cancel each other, is not exact to nine digits.
    pub fn with_wider_tolerance(&self, usual: f64) -> Option<KnownForm> {
        let (Body::Calls(expect) | Body::Primed { expect, .. }) = &self.relation.body;
        let is_near =
            expect.has(&|e: &Expression| matches!(e.node, Node::Binary(BinaryOperator::Approximate, ..)));
        let absolute = 10f64.powf((usual.abs() * WIDER).log10().floor());
        if !is_near || !absolute.is_normal() {
            return None;
        }
        let bound = match absolute > MOST_ABSOLUTE {
            true => Bound::Relative(WIDER),
            false => Bound::Either { relative: WIDER, absolute },
        };
        let tolerance = Some(Tolerance { bound, span: Span::default() });
        Some(KnownForm { relation: Relation { tolerance, ..self.relation.clone() }, ..self.clone() })
    }
}

/// The wider tolerance.
const WIDER: f64 = 1e-6;

/// The largest absolute part of it. Results of up to 1e8 are in units that people use, such as metres round the Earth; larger ones come of inputs from the whole range of floats,
/// and a difference that is small beside them says nothing of the others.
const MOST_ABSOLUTE: f64 = 100.0;

/// Forms with their syntax trees.
type Parsed = Vec<(&'static Form, Relation)>;

/// All forms, by what they are about.
static PARSED: LazyLock<Vec<(About, Parsed)>> = LazyLock::new(|| {
    let parsed = |form: &'static Form| {
        let relation = parse(&format!("relation form: {}", form.says)).ok()?.relations.pop()?;
        Some((form, relation))
    };
    FORMS.iter().map(|(about, forms)| (*about, forms.iter().filter_map(parsed).collect())).collect()
});

fn parsed(about: About) -> &'static [(&'static Form, Relation)] {
    PARSED.iter().find(|(of, _)| *of == about).map_or(&[], |(_, forms)| forms)
}

pub(super) struct Guesses<'a> {
    pub(super) functions: &'a [Signature],
    pub(super) found: Vec<KnownForm>,
    names: HashSet<String>,
}

impl<'a> Guesses<'a> {
    pub(super) fn new(functions: &'a [Signature]) -> Guesses<'a> {
        Guesses { functions, found: Vec::new(), names: HashSet::new() }
    }

    /// Forms of one function.
    fn alone(&mut self, function: usize) {
        let signature = &self.functions[function];
        if reads_back(signature) {
            return self.say_all(About::Promise, &[of_first(function, 0)], true);
        }
        let count = signature.parameters.len();
        for output in outputs(signature) {
            let place = |parameters: Vec<usize>| [Place { function, output, parameters }];
            self.say_all(About::Output, &place(Vec::new()), false);
            (0..count).for_each(|one| self.say_all(About::Parameter, &place(vec![one]), false));
            for (first, second) in ordered_pairs(count).filter(|_| count <= MOST_FOR_PAIRS) {
                self.say_all(About::TwoParameters, &place(vec![first, second]), false);
            }
        }
    }

    /// Forms of two functions.
    fn pairs(&mut self) {
        let mut tried = 0;
        for (first, second) in ordered_pairs(self.functions.len()) {
            let [f, g] = [first, second].map(|function| &self.functions[function]);
            let by_name = undoes(&f.name, &g.name) || answers(&f.name, &g.name);
            let is_tried = fits(f, g) || has_same_types(f, g);
            if reads_back(f) || reads_back(g) || !is_tried || (!by_name && tried >= PAIRS) {
                continue;
            }
            tried += usize::from(!by_name);
            self.pair(first, second);
        }
    }

    fn pair(&mut self, first: usize, second: usize) {
        let [f, g] = [first, second].map(|function| &self.functions[function]);
        let places = |parameters| [first, second].map(|function| of_first(function, parameters));
        if has_same_types(f, g) {
            self.say_all(About::Compared, &places(1), false);
            if f.parameters.len() == 2 {
                self.say_all(About::Operations, &places(2), false);
            }
        }
        if fits(f, g) {
            if answers(&f.name, &g.name) {
                self.say_all(About::Answered, &places(1), true);
            }
            self.say_all(About::Composed, &places(1), undoes(&f.name, &g.name));
        }
    }

    /// Forms of three functions.
    fn threes(&mut self) {
        for (first, second) in ordered_pairs(self.functions.len()) {
            for third in (0..self.functions.len()).filter(|third| *third != first && *third != second) {
                let [f, g, h] = [first, second, third].map(|function| &self.functions[function]);
                if fits(g, h) && takes(f) == takes(g) && gives(h) == gives(f) {
                    let places = [first, second, third].map(|function| of_first(function, 1));
                    self.say_all(About::ThreeFunctions, &places, false);
                }
            }
        }
    }

    /// Adds all relations that can be said of some functions. `by_name`: the names of the functions say the first of them.
    fn say_all(&mut self, of: About, about: &[Place], by_name: bool) {
        for (place, (form, relation)) in parsed(of).iter().enumerate() {
            let is_exchanged = match about {
                [one] => matches!(one.parameters[..], [first, second] if first > second),
                [first, second] => first.function > second.function,
                _ => false,
            };
            let is_twice = form.is_symmetric && is_exchanged;
            // Functions of one type to itself are met too often by chance, and hardly ever belong together.
            let function = about.first().map(|place| &self.functions[place.function]);
            let is_chance = form.name == UNDOES && !by_name && function.is_some_and(|f| takes(f) == gives(f));
            if !is_twice && !is_chance {
                self.say(form, relation, about, by_name && place == 0);
            }
        }
    }

    /// Adds a relation, if it can be said.
    pub(super) fn say(&mut self, form: &'static Form, relation: &Relation, about: &[Place], by_name: bool) {
        let has_output = |place: &Place| place.output < self.functions[place.function].outputs.len();
        if !about.iter().all(has_output)
            || is_hidden(relation, self.functions)
            || says_nothing(form, about, self.functions)
        {
            return;
        }
        let renamed = self.with_names_of_first(about);
        let spoken: Vec<Spoken<'_>> = about
            .iter()
            .zip(&renamed)
            .map(|(place, function)| Spoken {
                function,
                output: place.output,
                parameters: place.parameters.clone(),
            })
            .collect();
        let Some(mut relation) = filled(relation, &spoken) else { return };
        relation.name = Name::new(self.name(form, about));
        let file = ast::File { relations: vec![relation] };
        if check(&file, self.functions).is_err() {
            return;
        }
        let relation = file.relations.into_iter().next().expect("one was put there");
        let relation = shorter(relation, self.functions);
        self.names.insert(relation.name.text.clone());
        self.found.push(KnownForm {
            relation,
            words: words(form, &spoken),
            by_name,
            form,
            about: about.to_vec(),
        });
    }

    /// The functions that a form is about. Where they take the same, the parameters of the others are called like those of the first.
    fn with_names_of_first(&self, about: &[Place]) -> Vec<Signature> {
        let mut functions: Vec<Signature> =
            about.iter().map(|place| self.functions[place.function].clone()).collect();
        if let [first, others @ ..] = functions.as_mut_slice() {
            for other in others.iter_mut().filter(|other| has_same_types(first, other)) {
                for (own, name) in other.parameters.iter_mut().zip(&first.parameters) {
                    own.name.clone_from(&name.name);
                }
            }
        }
        functions
    }

    /// `gcd_of_exchanged`, `price_days_never_lower`, `decode_undoes_encode`
    fn name(&self, form: &Form, about: &[Place]) -> String {
        let [first, others @ ..] = about else { return form.name.to_owned() };
        let f = &self.functions[first.function];
        let mut name = match (form.name, others) {
            (_, []) => {
                let is_one_of_several = first.parameters.len() < f.parameters.len();
                let parameters = first.parameters.iter().filter(|_| is_one_of_several);
                let parameters = parameters.map(|&parameter| format!("_{}", f.parameters[parameter].name));
                let selector = f.outputs[first.output].name.selector();
                let selector =
                    selector.map(|name| format!("_{}", name.replace('.', "_"))).unwrap_or_default();
                format!("{}{selector}{}_{}", f.name, parameters.collect::<String>(), form.name)
            }
            (UNDOES, [g]) => format!("{}_{UNDOES}_{}", self.functions[g.function].name, f.name),
            (_, others) => {
                let others = others.iter().map(|place| format!("_{}", self.functions[place.function].name));
                format!("{}_{}{}", f.name, form.name, others.collect::<String>())
            }
        };
        // The same of another order of the parameters: the last one tells which.
        if self.names.contains(&name)
            && let [place] = about
            && let Some(&last) = place.parameters.last()
        {
            name = format!("{name}_{}", f.parameters[last].name);
        }
        let whole = name.clone();
        let mut count = 1;
        while self.names.contains(&name) {
            count += 1;
            name = format!("{whole}_{count}");
        }
        name
    }
}

/// With so many parameters a call is longer than what a relation says of one of them.
const MANY: usize = 5;

/// A relation in the notation of pairs, if it calls a function of many parameters: `given x' = -x expect out' == out`.
fn shorter(relation: Relation, functions: &[Signature]) -> Relation {
    let Body::Calls(expect) = &relation.body else { return relation };
    let calls_long = |e: &Expression| match &e.node {
        Node::Call { arguments, .. } => arguments.len() >= MANY,
        _ => false,
    };
    match expect.has(&calls_long) {
        true => to_primed(&relation, functions).unwrap_or(relation),
        false => relation,
    }
}

/// The first parameters of a function, with its first output.
fn of_first(function: usize, parameters: usize) -> Place {
    Place { function, output: 0, parameters: (0..parameters).collect() }
}

fn ordered_pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (0..count).map(move |second| (first, second))).filter(|(a, b)| a != b)
}

/// The outputs that are spoken of: not those that only say whether another one is there.
fn outputs(function: &Signature) -> Vec<usize> {
    let is_tag = |place: usize| {
        function.outputs.iter().any(|output| output.given.is_some_and(|given| given.output == place))
    };
    // The error of a call that may return none is there only where the value is not.
    let is_told = |place: &usize| *place == 0 || function.outputs[*place].given.is_none();
    (0..function.outputs.len()).filter(|&place| !is_tag(place)).filter(is_told).take(OUTPUTS).collect()
}

fn takes(function: &Signature) -> Option<Type> {
    function.parameters.first().map(|parameter| parameter.ty)
}

fn gives(function: &Signature) -> Option<Type> {
    function.outputs.first().map(|output| output.ty)
}

/// Whether what the first function gives may be the first argument of the second one.
fn fits(f: &Signature, g: &Signature) -> bool {
    takes(f).is_some() && gives(f).is_some() && gives(g).is_some() && takes(g) == gives(f)
}

/// Whether two functions take and give values of the same types.
fn has_same_types(f: &Signature, g: &Signature) -> bool {
    let types = |function: &Signature| function.parameters.iter().map(|p| p.ty).collect::<Vec<_>>();
    !f.parameters.is_empty() && types(f) == types(g) && gives(f).is_some() && gives(f) == gives(g)
}

/// Whether a function tells whether a value is read back from its own text.
fn reads_back(function: &Signature) -> bool {
    let is_bool = |output: &Output| {
        output.name == OutputName::Return && output.ty == Type::Scalar(Scalar::Bool) && output.given.is_none()
    };
    function.name.ends_with(READS_BACK) && function.outputs.first().is_some_and(is_bool)
}
