//! Reads relations as changes of the input and what they do to the output (section 3.1, formula 1).

use std::collections::BTreeMap;

use dodona_relations::ast::{Body, Bound, Expression, File, Name, Node, Relation};
use dodona_relations::check::{CallSites, Role, Variables, names};
use dodona_relations::{check, to_calls};
use dodona_target::Signature;

use super::basic::{Basic, Further, OutputOf, calls, further, input, output_of, replace_names};
use super::{Comparison, Unreadable};

/// The tolerance of `~=` in a relation that gives none.
const DEFAULT_BOUND: Bound = Bound::Relative(1e-9);

/// Reads a relation as `f(T(x)) COMPARISON E`. The sides may be exchanged: the follow-up call, alone on a side, is read
/// as f(T(x)), and the other side as E. If a follow-up call stands alone on either side, the left one is taken.
///
/// A relation with `for` gives one basic relation for each constant.
///
/// # Errors
/// When the relation has no such form, and why.
///
/// ```
/// use dodona_inference::composition::{Comparison, read};
/// use dodona_relations::parse;
/// use dodona_subject::Manifest;
///
/// let manifest = "module = \"s.wasm\"\n[[function]]\nsignature = \"sin(x: f64) -> f64\"\n";
/// let functions = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).unwrap().signatures();
/// let file = parse("relation odd: -sin(x) == sin(-x)  relation one: sin(x) <= 1").unwrap();
/// let odd = &read(&file.relations[0], &functions).unwrap()[0];
/// assert_eq!((odd.name(), odd.comparison()), ("odd", Comparison::Equal));
/// let refused = read(&file.relations[1], &functions).unwrap_err();
/// assert_eq!(refused.to_string(), "it makes no follow-up call: no input is changed");
/// ```
pub fn read(relation: &Relation, functions: &[Signature]) -> Result<Vec<Basic>, Unreadable> {
    check(&File { relations: vec![relation.clone()] }, functions).map_err(|problems| wrong(&problems))?;
    let relation = to_calls(relation, functions).map_err(|problem| wrong(&[problem]))?;
    let Some(constants) = relation.constants.clone() else {
        return Ok(vec![read_one(&relation, functions)?]);
    };
    let with = |(i, value): (usize, &Expression)| {
        let mut one = put_in(&relation, &constants.name.text, value);
        one.name = Name::new(format!("{}_{}", relation.name.text, i + 1));
        read_one(&one, functions)
    };
    constants.values.iter().enumerate().map(with).collect()
}

fn wrong(problems: &[dodona_relations::Diagnostic]) -> Unreadable {
    Unreadable::Wrong(problems.first().map(|p| p.message.clone()).unwrap_or_default())
}

/// The relation with the name of the constant replaced by a value.
fn put_in(relation: &Relation, name: &str, value: &Expression) -> Relation {
    let put = |e: &Expression| replace_names(e, &|found| (found == name).then(|| value.clone()));
    let body = match &relation.body {
        Body::Calls(expect) => Body::Calls(put(expect)),
        primed => primed.clone(),
    };
    let condition = relation.condition.as_ref().map(put);
    Relation { constants: None, condition, body, ..relation.clone() }
}

/// The parts of a relation in the notation of calls.
struct Reader<'a> {
    functions: &'a [Signature],
    expressions: Vec<&'a Expression>,
    variables: Variables,
    calls: CallSites,
}

/// The two sides of a relation, with the follow-up call on the left.
struct Sides<'e> {
    follow_up: OutputOf<'e>,
    comparison: Comparison,
    expectation: &'e Expression,
}

fn read_one(relation: &Relation, functions: &[Signature]) -> Result<Basic, Unreadable> {
    let Body::Calls(expect) = &relation.body else { unreachable!("`to_calls` leaves no primes") };
    let expressions: Vec<&Expression> = relation.condition.iter().chain([expect]).collect();
    let variables = Variables::collect(relation, &expressions, functions).map_err(|p| wrong(&p))?;
    if CallSites::asks_of_follow_up(relation.condition.as_ref(), functions, &variables) {
        return Err(Unreadable::ConditionOfFollowUp);
    }
    let calls = CallSites::collect(&expressions, functions, &variables);
    let reader = Reader { functions, expressions, variables, calls };
    reader.refuse_observed()?;
    let sides = reader.sides(expect)?;
    reader.refuse_second_approximation(relation, &sides)?;
    let inputs = reader.inputs(sides.follow_up.function)?;
    Ok(reader.basic(relation, &sides, &inputs))
}

impl Reader<'_> {
    fn refuse_observed(&self) -> Result<(), Unreadable> {
        match self.calls.sites.iter().find(|site| site.observed) {
            Some(site) => Err(Unreadable::Observes(site.text.clone())),
            None => Ok(()),
        }
    }

    fn refuse_second_approximation(&self, relation: &Relation, sides: &Sides<'_>) -> Result<(), Unreadable> {
        let mut parts = relation.condition.iter().chain([sides.expectation]);
        match parts.find(|e| e.approximates()) {
            Some(e) => Err(Unreadable::SecondApproximation(e.to_string())),
            None => Ok(()),
        }
    }

    fn sides<'e>(&self, expect: &'e Expression) -> Result<Sides<'e>, Unreadable> {
        let Node::Binary(operator, left, right) = &expect.node else {
            return Err(Unreadable::NoComparison(expect.to_string()));
        };
        let Some(comparison) = Comparison::of(*operator) else {
            return Err(Unreadable::NoComparison(expect.to_string()));
        };
        if self.calls.sites.iter().all(|site| site.role == Role::Source) {
            return Err(Unreadable::NoFollowUp);
        }
        let sides = match (self.follow_up(left), self.follow_up(right)) {
            (Some(follow_up), _) => Sides { follow_up, comparison, expectation: right },
            (None, Some(follow_up)) => {
                Sides { follow_up, comparison: comparison.flipped(), expectation: left }
            }
            (None, None) => return Err(Unreadable::NotAlone(expect.to_string())),
        };
        self.usable(sides)
    }

    /// The output of a follow-up call, if the expression is nothing else.
    fn follow_up<'e>(&self, e: &'e Expression) -> Option<OutputOf<'e>> {
        let found = output_of(e, self.functions)?;
        let place = self.calls.find(found.call)?;
        (self.calls.sites[place].role == Role::FollowUp).then_some(found)
    }

    fn usable<'e>(&self, sides: Sides<'e>) -> Result<Sides<'e>, Unreadable> {
        let call = sides.follow_up.call;
        if sides.follow_up.arguments.iter().any(|e| !calls(e, self.functions).is_empty()) {
            return Err(Unreadable::FeedsBack(call.to_string()));
        }
        if calls(sides.expectation, self.functions).contains(&call) {
            return Err(Unreadable::OnBothSides(call.to_string()));
        }
        Ok(sides)
    }

    /// For each parameter of a function the variable that is its source input. A source call says so; without one it is
    /// the variable that is bound to the parameter.
    fn inputs(&self, function: usize) -> Result<Vec<Option<String>>, Unreadable> {
        let parameters = &self.functions[function].parameters;
        let of = |(j, argument): (usize, &Expression)| match &argument.node {
            Node::Name(name) if self.variables.is_bound(name, function, j) => Some(name.clone()),
            _ => None,
        };
        let sources = self.expressions.iter().flat_map(|e| calls(e, self.functions)).filter_map(|call| {
            let found = output_of(call, self.functions).filter(|found| found.function == function)?;
            found.arguments.iter().enumerate().map(of).collect::<Option<Vec<String>>>()
        });
        let sources: Vec<Vec<String>> = sources.collect();
        let by_name = sources.iter().find(|s| s.iter().zip(parameters).all(|(name, p)| *name == p.name));
        if let Some(source) = by_name.or(sources.first()).filter(|source| !source.is_empty()) {
            return Ok(source.iter().cloned().map(Some).collect());
        }
        let bound = |j: usize| {
            let mut list = self.variables.list.iter();
            list.find(|v| self.variables.is_bound(&v.name, function, j)).map(|v| v.name.clone())
        };
        let inputs: Vec<Option<String>> = (0..parameters.len()).map(bound).collect();
        match inputs.iter().any(Option::is_some) {
            true => Ok(inputs),
            false => Err(Unreadable::NoSource(self.functions[function].name.clone())),
        }
    }

    /// The calls of the source input, as often as they are written.
    fn source_calls(&self) -> impl Iterator<Item = &Expression> {
        let all = self.expressions.iter().flat_map(|e| calls(e, self.functions));
        all.filter(|call| self.calls.find(call).is_some_and(|i| self.calls.sites[i].role == Role::Source))
    }

    fn basic(&self, relation: &Relation, sides: &Sides<'_>, inputs: &[Option<String>]) -> Basic {
        let follow_up = &sides.follow_up;
        let parts = follow_up.arguments.iter().chain([sides.expectation]).chain(&relation.condition);
        let (mut canonical, mut others) = (BTreeMap::new(), Vec::new());
        for (j, name) in inputs.iter().enumerate() {
            name.iter().for_each(|name| drop(canonical.insert(name.clone(), input(j))));
        }
        let mut used = Vec::new();
        parts.for_each(|e| names(e, &mut used));
        for variable in used.iter().filter_map(|name| self.variables.find(&name.text)) {
            let variable = &self.variables.list[variable];
            if !canonical.contains_key(&variable.name) {
                canonical.insert(variable.name.clone(), further(others.len()));
                let (name, function, parameter) =
                    (variable.name.clone(), variable.function, variable.parameter);
                others.push(Further { name, function, parameter });
            }
        }
        let rename = |e: &Expression| replace_names(e, &|name| canonical.get(name).map(Expression::name));
        Basic {
            name: relation.name.text.clone(),
            function: follow_up.function,
            output: follow_up.output.map(str::to_owned),
            arguments: follow_up.arguments.iter().map(rename).collect(),
            comparison: sides.comparison,
            expectation: rename(sides.expectation),
            condition: relation.condition.as_ref().map(rename),
            sources: self.source_calls().map(rename).collect(),
            bound: relation.tolerance.map_or(DEFAULT_BOUND, |t| t.bound),
            further: others,
        }
    }
}
