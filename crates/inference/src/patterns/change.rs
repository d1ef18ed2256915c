//! How a follow-up input is made from a source input.

use dodona_target::{Column, Sequence, Signature, Value};

/// A change of one or two parameters, given by their indices.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// There is no follow-up input: the pattern is about the source call.
    None,
    /// A parameter gets another value of its domain, which is a further variable of the relation.
    Anew {
        /// The parameter.
        parameter: usize,
        /// Whether the new value has to be larger than the old one, or smaller.
        direction: Direction,
    },
    /// A parameter gets a constant.
    Set {
        /// The parameter.
        parameter: usize,
        /// A value of its type.
        to: Value,
    },
    /// A number gets the value of another parameter. Code that compares the two is at its border then.
    Copy {
        /// The parameter that is changed.
        parameter: usize,
        /// The parameter whose value it gets.
        from: usize,
    },
    /// A number is added to numbers, or to all elements of sequences.
    Shift {
        /// The parameters, one or two.
        parameters: Vec<usize>,
        /// What is added to each, of their kind.
        by: Value,
    },
    /// A number is doubled, or all elements of a sequence.
    Double(usize),
    /// A Boolean is negated.
    Flip(usize),
    /// Two parameters are exchanged.
    Exchange(usize, usize),
    /// Sequences are reversed, all of them.
    Reverse(Vec<usize>),
}

/// Which new values a parameter may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the directions")]
pub enum Direction {
    Any,
    Up,
    Down,
}

impl Change {
    /// The arguments of the follow-up calls, one column for each parameter. `others` has the new values for [`Change::Anew`], a column for
    /// each parameter. The caller has to check whether the arguments lie in the types and domains of the parameters.
    ///
    /// # Panics
    /// When columns are missing.
    pub fn arguments(&self, sources: &[Column], others: &[Column]) -> Vec<Column> {
        let mut made = sources.to_vec();
        match self {
            Change::None => {}
            Change::Anew { parameter, .. } => made[*parameter] = others[*parameter].clone(),
            Change::Set { parameter, to } => {
                made[*parameter] = mapped(&sources[*parameter], |_| to.clone());
            }
            Change::Copy { parameter, from } => made[*parameter] = sources[*from].clone(),
            Change::Shift { parameters, by } => {
                for &parameter in parameters {
                    made[parameter] = mapped(&sources[parameter], |value| sum(&value, by));
                }
            }
            Change::Double(parameter) => {
                made[*parameter] = mapped(&sources[*parameter], |value| doubled(&value));
            }
            Change::Flip(parameter) => {
                let not = |value| if let Value::Bool(b) = value { Value::Bool(!b) } else { value };
                made[*parameter] = mapped(&sources[*parameter], not);
            }
            Change::Exchange(a, b) => made.swap(*a, *b),
            Change::Reverse(parameters) => {
                for &parameter in parameters {
                    made[parameter] = mapped(&sources[parameter], reversed);
                }
            }
        }
        made
    }

    /// Whether this parameter is changed.
    pub fn is_of(&self, parameter: usize) -> bool {
        match self {
            Change::None => false,
            Change::Anew { parameter: changed, .. }
            | Change::Set { parameter: changed, .. }
            | Change::Copy { parameter: changed, .. }
            | Change::Double(changed)
            | Change::Flip(changed) => *changed == parameter,
            Change::Shift { parameters, .. } | Change::Reverse(parameters) => parameters.contains(&parameter),
            Change::Exchange(a, b) => [*a, *b].contains(&parameter),
        }
    }

    /// The cost of reading it. A change to any value costs less than a change to a constant, because a relation that holds for any value
    /// says more.
    pub fn weight(&self) -> usize {
        match self {
            Change::None => 0,
            Change::Flip(_) | Change::Double(_) | Change::Exchange(..) => 2,
            Change::Anew { direction: Direction::Any, .. } => 2,
            Change::Anew { .. } | Change::Copy { .. } => 3,
            Change::Reverse(parameters) => 1 + parameters.len(),
            Change::Set { to: Value::Bool(_), .. } => 3,
            Change::Set { .. } => 5,
            Change::Shift { parameters, .. } => 4 + parameters.len(),
        }
    }

    /// The header entry, a condition, and the assignments of the primed notation. `differs` says whether the expectation may be false if
    /// the new value equals the old one; then the condition excludes equal values.
    pub(super) fn text(&self, function: &Signature, differs: bool) -> (String, Option<String>, String) {
        let name = |parameter: &usize| function.parameters[*parameter].name.as_str();
        let given = |parameter: &usize, value: String| format!("{}' = {value}", name(parameter));
        let plain = |given: String| (String::new(), None, given);
        match self {
            Change::None => plain(String::new()),
            Change::Anew { parameter, direction } => {
                let new = new_name(function, name(parameter));
                let condition = match direction {
                    Direction::Any => differs.then(|| format!("{new} != {}", name(parameter))),
                    Direction::Up => Some(format!("{new} > {}", name(parameter))),
                    Direction::Down => Some(format!("{new} < {}", name(parameter))),
                };
                let header = format!("({new}: {}.{})", function.name, name(parameter));
                let given = given(parameter, new);
                (header, condition, given)
            }
            Change::Set { parameter, to } => plain(given(parameter, to.to_string())),
            Change::Copy { parameter, from } => plain(given(parameter, name(from).to_owned())),
            Change::Shift { parameters, by } => {
                let of = |parameter: &usize| given(parameter, added(name(parameter), by));
                plain(parameters.iter().map(of).collect::<Vec<_>>().join(", "))
            }
            Change::Double(parameter) => plain(given(parameter, format!("2*{}", name(parameter)))),
            Change::Flip(parameter) => plain(given(parameter, format!("not {}", name(parameter)))),
            Change::Reverse(parameters) => {
                let of = |parameter: &usize| given(parameter, format!("reverse({})", name(parameter)));
                plain(parameters.iter().map(of).collect::<Vec<_>>().join(", "))
            }
            Change::Exchange(a, b) => {
                plain(format!("{}, {}", given(a, name(b).to_owned()), given(b, name(a).to_owned())))
            }
        }
    }
}

/// Whether neither the function nor a parameter of it has this name.
pub(super) fn is_free(function: &Signature, name: &str) -> bool {
    function.name != name && function.parameter(name).is_none()
}

/// A name for a new value of a parameter: `new_up`, with a number if something else is called like that.
fn new_name(function: &Signature, parameter: &str) -> String {
    let first = format!("new_{parameter}");
    std::iter::once(first.clone())
        .chain((2..).map(|n| format!("new_{parameter}_{n}")))
        .find(|name| is_free(function, name))
        .unwrap_or(first)
}

/// `x + 3`, or `x - 3` if the number is negative.
fn added(name: &str, by: &Value) -> String {
    match by {
        Value::Int(by) if *by < 0 => format!("{name} - {}", by.unsigned_abs()),
        Value::Float(by) if *by < 0.0 => format!("{name} - {}", Value::Float(-by)),
        by => format!("{name} + {by}"),
    }
}

fn sum(value: &Value, by: &Value) -> Value {
    match (value, by) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.saturating_add(*b)),
        (Value::Float(a), Value::Float(b)) => Value::Float(a + b),
        (Value::Sequence(Sequence::Int(all)), Value::Int(b)) => {
            Value::Sequence(Sequence::Int(all.iter().map(|a| a.saturating_add(*b)).collect()))
        }
        (Value::Sequence(Sequence::Float(all)), Value::Float(b)) => {
            Value::Sequence(Sequence::Float(all.iter().map(|a| a + b).collect()))
        }
        _ => value.clone(),
    }
}

fn doubled(value: &Value) -> Value {
    match value {
        Value::Int(a) => Value::Int(a.saturating_add(*a)),
        Value::Float(a) => Value::Float(a + a),
        Value::Sequence(Sequence::Int(all)) => {
            Value::Sequence(Sequence::Int(all.iter().map(|a| a.saturating_add(*a)).collect()))
        }
        Value::Sequence(Sequence::Float(all)) => {
            Value::Sequence(Sequence::Float(all.iter().map(|a| a + a).collect()))
        }
        _ => value.clone(),
    }
}

fn reversed(value: Value) -> Value {
    let Value::Sequence(mut sequence) = value else { return value };
    match &mut sequence {
        Sequence::Bool(all) => all.reverse(),
        Sequence::Int(all) => all.reverse(),
        Sequence::Float(all) => all.reverse(),
    }
    Value::Sequence(sequence)
}

fn mapped(column: &Column, change: impl Fn(Value) -> Value) -> Column {
    let mut made = column.select(&[]);
    (0..column.len()).for_each(|row| made.push(&change(column.value(row))));
    made
}
