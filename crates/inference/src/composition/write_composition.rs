//! Writes compositions as relations of the language.

use std::collections::BTreeMap;

use dodona_relations::ast::{
    BinaryOperator, Binding, Body, Expression, File, Name, Node, Relation, Span, Tolerance, binary, call,
    chain, output,
};
use dodona_relations::{check, check::names};
use dodona_target::{Parameter, Signature};

use super::basic::{Basic, OutputOf, calls, further, input, output_of, replace_names};
use super::guard::Point;
use super::interval::Interval;
use super::nesting::Composition;
use super::{Comparison, Incomposable, Sequence, lenient};

/// A composite metamorphic relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Composite {
    /// The basic relations that it is made of.
    pub sequence: Sequence,
    /// The relation. Its name joins those of the basic relations, the innermost first: `odd_then_quarter`. The follow-up
    /// call stands on the left, and the relation checks against the functions of the composer.
    pub relation: Relation,
    /// The relation without the conditions that keep inputs inside the domains. Two orders of the same steps have different
    /// inputs between the steps, and so different conditions, but say the same: this is what is compared.
    pub unguarded: Relation,
    /// The relation for functions that fail: it says nothing of an input for which an inner call ends without a value. `None` where the
    /// relation itself looks at all of these calls.
    ///
    /// An inner call is the source call of a basic relation, which says nothing where that call fails. Behind another step it is
    /// a follow-up call, and a follow-up call that fails violates a relation. The conditions of a relation look at source calls only,
    /// so that this stands in the expectation: `defined(g(x + 2)) implies defined(f(x + 3)) and f(x + 3) == g(x + 2)`.
    pub lenient: Option<Relation>,
    /// The last relations of the sequence, where the expectation uses nothing of what the others say: the relation is that of these
    /// alone, at an input that the others change. `sin(2 * x + pi / 2) ~= cos(2 * x)` is the quarter turn at `2 * x`.
    pub instance_of: Option<Sequence>,
    /// How many calls of functions under test a metamorphic group takes (section 4.3 counts these as the cost).
    pub runs: usize,
}

/// A composite relation and its checked form. The checked form can be compiled at once; printing, parsing and checking a
/// relation take longer than running it.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The relation.
    pub composite: Composite,
    /// The relation, checked against the functions of the composer.
    pub checked: dodona_relations::Relation,
}

/// The composition as a relation.
///
/// # Errors
/// When the language refuses it.
pub(super) fn write(made: &Composition<'_>, sequence: &Sequence) -> Result<Composed, Incomposable> {
    let functions = made.functions;
    let follow_up = follow_up(made, functions);
    let own = conjunction(made.conditions.iter().cloned());
    let condition = conjunction(made.conditions.iter().cloned().chain(guards(made, functions)));
    let parts: Vec<&Expression> = [&follow_up, &made.expectation].into_iter().chain(&condition).collect();
    let names = chosen_names(made, &functions[made.function], &parts);
    let named = |e: &Expression| replace_names(e, &|name| names.get(name).map(Expression::name));
    let expect = binary(made.link.comparison.operator(), named(&follow_up), named(&made.expectation));
    let approximate = made.link.comparison == Comparison::Approximate;
    let relation = Relation {
        name: Name::new(joined_names(made.basics, sequence)),
        bindings: bindings(made, functions, &names),
        function: None,
        constants: None,
        condition: condition.as_ref().map(named),
        body: Body::Calls(expect),
        tolerance: approximate.then(|| Tolerance { bound: made.link.bound, span: Span::default() }),
        span: Span::default(),
    };
    let file = File { relations: vec![relation] };
    let checked = check(&file, functions).ok().and_then(|all| all.into_iter().next());
    let (Some(checked), Some(relation)) = (checked, file.relations.into_iter().next()) else {
        return Err(Incomposable::Unwritable);
    };
    let sources: Vec<Expression> = made.sources.iter().map(named).collect();
    let lenient = lenient::lenient(&relation, &checked, &sources, functions)?;
    let unguarded = Relation { condition: own.as_ref().map(named), ..relation.clone() };
    let runs = checked.calls().len();
    let composite =
        Composite { sequence: sequence.clone(), relation, unguarded, lenient, instance_of: None, runs };
    Ok(Composed { composite, checked })
}

fn joined_names(basics: &[Basic], sequence: &Sequence) -> String {
    let names: Vec<&str> = sequence.relations().map(|i| basics[i].name()).collect();
    names.join("_then_")
}

fn follow_up(made: &Composition<'_>, functions: &[Signature]) -> Expression {
    output(call(&functions[made.function].name, made.arguments.clone()), made.output.as_deref())
}

/// The conjunction of conditions, without duplicates; `None` if there are none.
fn conjunction(conditions: impl Iterator<Item = Expression>) -> Option<Expression> {
    let mut all: Vec<Expression> = Vec::new();
    for condition in conditions {
        if !all.contains(&condition) {
            all.push(condition);
        }
    }
    chain(BinaryOperator::And, all)
}

/// The conditions that keep the inputs between the steps, and the source input of the innermost relation, in their domains,
/// where the language does not check this itself.
fn guards(made: &Composition<'_>, functions: &[Signature]) -> Vec<Expression> {
    let follow_up = follow_up(made, functions);
    let present = [&follow_up, &made.expectation].into_iter().flat_map(|e| calls(e, functions));
    let present: Vec<OutputOf<'_>> = present.filter_map(|call| output_of(call, functions)).collect();
    let same = |a: &Parameter, b: &Parameter| a.ty == b.ty && a.domain == b.domain;
    let certain = |e: &Expression, parameter: &Parameter| {
        let own = variable(made, functions, e).is_some_and(|p| same(p, parameter));
        own || present.iter().any(|call| {
            let mut pairs = functions[call.function].parameters.iter().zip(call.arguments);
            pairs.any(|(p, argument)| argument == e && same(p, parameter))
        })
    };
    let interval = |e: &Expression| Interval::of_parameter(variable(made, functions, e)?);
    let mut found = Vec::new();
    for point in made.points.iter().filter(|point| !present.iter().any(|call| point.is_input_of(call))) {
        let function = &functions[point.function];
        found.extend(point.domains(function, &certain, &interval));
        found.extend(point.precondition(function));
    }
    let source = &functions[made.innermost];
    let inputs = (0..source.parameters.len()).map(|j| Expression::name(input(j))).collect();
    found.extend(Point { function: made.innermost, arguments: inputs }.domains(source, &certain, &interval));
    found
}

/// The parameter for which a variable is drawn, if the expression is a variable. The source input is drawn for the function
/// under test.
fn variable<'f>(made: &Composition<'_>, functions: &'f [Signature], e: &Expression) -> Option<&'f Parameter> {
    let Node::Name(name) = &e.node else { return None };
    if let Some(j) = name.strip_prefix('#') {
        return functions[made.function].parameters.get(j.parse::<usize>().ok()?);
    }
    let variable = &made.further[name.strip_prefix('%')?.parse::<usize>().ok()?];
    Some(&functions[variable.function].parameters[variable.parameter])
}

/// A name for each variable that occurs. A variable of the source input is named like the parameter of the function under test,
/// any other keeps its name. A number is appended if another variable or a constant has this name.
fn chosen_names(
    made: &Composition<'_>,
    function: &Signature,
    parts: &[&Expression],
) -> BTreeMap<String, String> {
    let mut taken = Vec::new();
    parts.iter().for_each(|e| names(e, &mut taken));
    let mut taken: Vec<String> = taken.into_iter().map(|name| name.text).collect();
    let occurs = |name: &str| parts.iter().any(|e| e.mentions(name));
    let parameters = function.parameters.iter().map(|p| p.name.as_str()).enumerate();
    let inputs = parameters.map(|(j, name)| (input(j), name));
    let others = made.further.iter().enumerate().map(|(i, variable)| (further(i), variable.name.as_str()));
    let mut chosen = BTreeMap::new();
    for (canonical, wanted) in inputs.chain(others).filter(|(name, _)| occurs(name)) {
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let mut free =
            std::iter::once(wanted.to_owned()).chain(numbered).filter(|name| !taken.contains(name));
        if let Some(name) = free.next() {
            taken.push(name.clone());
            chosen.insert(canonical, name);
        }
    }
    chosen
}

/// The header, with an entry for each variable that is not named like the parameter of the function under test.
fn bindings(
    made: &Composition<'_>,
    functions: &[Signature],
    names: &BTreeMap<String, String>,
) -> Vec<Binding> {
    let parameter = |function: usize, parameter: usize| {
        let function = &functions[function];
        (function.name.clone(), function.parameters[parameter].name.clone())
    };
    let inputs = (0..functions[made.function].parameters.len())
        .map(|j| (input(j), parameter(made.function, j)))
        .filter(|(canonical, (_, name))| names.get(canonical) != Some(name));
    let others =
        made.further.iter().enumerate().map(|(i, v)| (further(i), parameter(v.function, v.parameter)));
    let binding = |(canonical, (function, parameter)): (String, (String, String))| {
        let variable = Name::new(names.get(&canonical)?.clone());
        Some(Binding { variable, function: Name::new(function), parameter: Name::new(parameter) })
    };
    inputs.chain(others).filter_map(binding).collect()
}
