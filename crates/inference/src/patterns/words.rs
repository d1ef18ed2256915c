//! Makes names and sentences for patterns, such as a person would write.

use dodona_target::{Sequence, Signature, Value};

use super::change::Direction;
use super::pattern::Described;
use super::{Atom, Change, Expected, Order, Pattern};

impl Pattern {
    /// The name of a pattern: the function, the change, the expectation, and what the condition is about.
    pub fn name(&self, described: &Described<'_>) -> String {
        self.name_with(described, &change_name(&self.change, described.function))
    }

    /// The name of a pattern. `change` is the part for the change.
    pub(super) fn name_with(&self, described: &Described<'_>, change: &str) -> String {
        let function = described.function;
        if self.is_symmetry(function) {
            return identifier(&[&function.name, "symmetric"]);
        }
        let expected = match (&self.change, self.expected.of_others()) {
            (Change::Anew { direction: Direction::Any, parameter }, Expected::Same)
                if self.expected == Expected::Same =>
            {
                let parameter = &function.parameters[*parameter].name;
                return identifier(&[
                    &function.name,
                    parameter,
                    "irrelevant",
                    &self.condition_name(function),
                ]);
            }
            (Change::None, Expected::Is(value)) => format!("is_{}", value_name(value)),
            (Change::None, Expected::IsParameter(p)) => format!("is_{}", function.parameters[*p].name),
            (_, Expected::Same) => "same".to_owned(),
            (_, Expected::Differs) => "changes".to_owned(),
            (_, Expected::NotLower) => "never_lower".to_owned(),
            (_, Expected::NotHigher) => "never_higher".to_owned(),
            (_, Expected::Higher) => "raises".to_owned(),
            (_, Expected::Lower) => "lowers".to_owned(),
            (_, Expected::Is(value)) => format!("gives_{}", value_name(value)),
            (_, Expected::IsParameter(p)) => format!("gives_{}", function.parameters[*p].name),
            (_, Expected::Plus(by)) => format!("adds_{}", value_name(by)),
            (_, Expected::Twice) => "doubles".to_owned(),
            (_, Expected::Divides(_)) => "divides".to_owned(),
            (_, Expected::Within(..)) => "within".to_owned(),
            (_, Expected::AtLeast(low)) => format!("at_least_{}", value_name(low)),
            (_, Expected::AtMost(high)) => format!("at_most_{}", value_name(high)),
            (_, Expected::MultipleOf(number)) => format!("multiple_of_{number}"),
            (_, Expected::UnlessNegative(_)) => String::new(),
        };
        let unless = if self.is_unless_negative() { "unless_negative" } else { "" };
        identifier(&[&function.name, change, &expected, unless, &self.condition_name(function)])
    }

    /// What the pattern says, in words.
    pub fn sentence(&self, described: &Described<'_>) -> String {
        self.sentence_with(described, &change_words(&self.change, described.function))
    }

    /// What the pattern says, in words. `change` is the part for the change, which ends with a space.
    pub(super) fn sentence_with(&self, described: &Described<'_>, change: &str) -> String {
        let function = described.function;
        let words = |condition: &Vec<Atom>| {
            condition.iter().map(|atom| atom.words(function)).collect::<Vec<_>>().join(" and ")
        };
        let conditions: Vec<String> = self.conditions().map(words).collect();
        let place = match self.condition.is_empty() {
            true => String::new(),
            false => format!("where {}, ", conditions.join(", or ")),
        };
        if let (Change::Anew { direction: Direction::Any, parameter }, Expected::Same) =
            (&self.change, &self.expected)
        {
            return format!("{place}{} does not matter", function.parameters[*parameter].name);
        }
        let name = |parameter: &usize| &function.parameters[*parameter].name;
        let expected = match (&self.change, self.expected.of_others()) {
            (Change::None, Expected::Is(value)) => format!("the result is {value}"),
            (Change::None, Expected::IsParameter(p)) => format!("the result is {}", name(p)),
            (_, Expected::Same) => "leaves the result".to_owned(),
            (_, Expected::Differs) => "changes the result".to_owned(),
            (_, Expected::NotLower) => "never lowers the result".to_owned(),
            (_, Expected::NotHigher) => "never raises the result".to_owned(),
            (_, Expected::Higher) => "raises the result".to_owned(),
            (_, Expected::Lower) => "lowers the result".to_owned(),
            (_, Expected::Is(value)) => format!("makes the result {value}"),
            (_, Expected::IsParameter(p)) => format!("makes the result {}", name(p)),
            (_, Expected::Plus(by)) => changed_by("the result", by),
            (_, Expected::Twice) => "doubles the result".to_owned(),
            (_, Expected::Divides(parameters)) => {
                let names: Vec<&str> = parameters.iter().map(|p| name(p).as_str()).collect();
                format!("the result divides {}", names.join(" and "))
            }
            (_, Expected::Within(low, high)) => format!("the result is at least {low} and at most {high}"),
            (_, Expected::AtLeast(low)) => format!("the result is at least {low}"),
            (_, Expected::AtMost(high)) => format!("the result is at most {high}"),
            (_, Expected::MultipleOf(number)) => format!("the result is a multiple of {number}"),
            (_, Expected::UnlessNegative(_)) => String::new(),
        };
        let unless = match (&self.change, self.is_unless_negative()) {
            (_, false) => "",
            (Change::None, true) => ", unless it is negative",
            (_, true) => ", unless the new result is negative",
        };
        format!("{place}{change}{expected}{unless}")
    }

    fn is_unless_negative(&self) -> bool {
        matches!(self.expected, Expected::UnlessNegative(_))
    }

    /// Whether the pattern says that two parameters of the function may be exchanged.
    fn is_symmetry(&self, function: &Signature) -> bool {
        matches!((&self.change, &self.expected), (Change::Exchange(..), Expected::Same))
            && self.condition.is_empty()
            && function.parameters.len() == 2
    }

    fn condition_name(&self, function: &Signature) -> String {
        let of = |atom: &Atom| match atom {
            Atom::Constant { parameter, order, constant: Value::Bool(wanted) } => {
                let is_plain = (*order == Order::Equal) == *wanted;
                format!("{}{}", if is_plain { "" } else { "not_" }, function.parameters[*parameter].name)
            }
            Atom::Constant { parameter, order, constant } => {
                let name = &function.parameters[*parameter].name;
                format!("{name}_{}_{}", order_name(*order), value_name(constant))
            }
            Atom::Every { parameter, order, constant } => {
                let name = &function.parameters[*parameter].name;
                format!("every_{name}_{}_{}", order_name(*order), value_name(constant))
            }
            Atom::Parameters { left, order, right } => {
                let (left, right) = (&function.parameters[*left].name, &function.parameters[*right].name);
                format!("{left}_{}_{right}", order_name(*order))
            }
            Atom::Output { order, value } => format!("result_{}_{}", order_name(*order), value_name(value)),
        };
        let names = |condition: &Vec<Atom>| condition.iter().map(of).collect::<Vec<_>>().join("_and_");
        match self.condition.is_empty() {
            true => String::new(),
            false => format!("if_{}", self.conditions().map(names).collect::<Vec<_>>().join("_or_")),
        }
    }
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Equal => "is",
        Order::NotEqual => "is_not",
        Order::Less => "below",
        Order::AtMost => "at_most",
        Order::More => "above",
        Order::AtLeast => "at_least",
    }
}

/// A value as a part of a name: `minus_3`, `0_5`. A sequence of one value only has the name of the value.
pub(super) fn value_name(value: &Value) -> String {
    let first = match value {
        Value::Sequence(Sequence::Bool(all)) => all.first().map(ToString::to_string),
        Value::Sequence(Sequence::Int(all)) => all.first().map(ToString::to_string),
        _ => None,
    };
    first.unwrap_or_else(|| value.to_string().replace('"', "")).replacen('-', "minus_", 1)
}

/// A list of words such as `1`, `1 or 2` or `1, 2 or 3`, with the word `last` before the last one.
pub(super) fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., end] => format!("{} {last} {end}", some.join(", ")),
    }
}

/// Words as a name that the relation language accepts.
fn identifier(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
    words.join("_").chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn change_name(change: &Change, function: &Signature) -> String {
    let name = |parameter: &usize| function.parameters[*parameter].name.as_str();
    match change {
        Change::None => String::new(),
        Change::Anew { parameter, direction: Direction::Any } => format!("other_{}", name(parameter)),
        Change::Anew { parameter, direction: Direction::Up } => format!("larger_{}", name(parameter)),
        Change::Anew { parameter, direction: Direction::Down } => format!("smaller_{}", name(parameter)),
        Change::Set { parameter, to } => set_name(name(parameter), &value_name(to)),
        Change::Copy { parameter, from } => set_name(name(parameter), name(from)),
        Change::Shift { parameters, by } => {
            let names: Vec<&str> = parameters.iter().map(name).collect();
            format!("{}_plus_{}", names.join("_"), value_name(by)).replace("plus_minus", "minus")
        }
        Change::Double(parameter) => format!("double_{}", name(parameter)),
        Change::Flip(parameter) => format!("{}_negated", name(parameter)),
        Change::Exchange(a, b) => format!("{}_{}_exchanged", name(a), name(b)),
        Change::Reverse(parameters) => {
            let names: Vec<&str> = parameters.iter().map(name).collect();
            format!("{}_reversed", names.join("_"))
        }
    }
}

/// Setting a parameter, as a part of a name.
pub(super) fn set_name(parameter: &str, value: &str) -> String {
    format!("{parameter}_set_to_{value}")
}

/// Setting a parameter, as the subject of a sentence, followed by a space.
pub(super) fn set_words(parameter: &str, value: &str) -> String {
    format!("setting {parameter} to {value} ")
}

/// The subject of a sentence, followed by a space.
fn change_words(change: &Change, function: &Signature) -> String {
    let name = |parameter: &usize| function.parameters[*parameter].name.as_str();
    match change {
        Change::None => String::new(),
        Change::Anew { parameter, direction: Direction::Any } => format!("another {} ", name(parameter)),
        Change::Anew { parameter, direction: Direction::Up } => format!("a larger {} ", name(parameter)),
        Change::Anew { parameter, direction: Direction::Down } => format!("a smaller {} ", name(parameter)),
        Change::Set { parameter, to } => set_words(name(parameter), &to.to_string()),
        Change::Copy { parameter, from } => set_words(name(parameter), name(from)),
        Change::Shift { parameters, by } => {
            let names: Vec<&str> = parameters.iter().map(name).collect();
            match by {
                Value::Int(by) if *by < 0 => format!("taking {} from {} ", -by, names.join(" and ")),
                by => format!("adding {by} to {} ", names.join(" and ")),
            }
        }
        Change::Double(parameter) => format!("doubling {} ", name(parameter)),
        Change::Flip(parameter) => format!("negating {} ", name(parameter)),
        Change::Exchange(a, b) => format!("exchanging {} and {} ", name(a), name(b)),
        Change::Reverse(parameters) => {
            let names: Vec<String> = parameters.iter().map(|p| name(p).to_owned()).collect();
            format!("reversing {} ", listed(&names, "and"))
        }
    }
}

fn changed_by(what: &str, by: &Value) -> String {
    match by {
        Value::Int(by) if *by < 0 => format!("takes {} from {what}", by.unsigned_abs()),
        Value::Float(by) if *by < 0.0 => format!("takes {} from {what}", Value::Float(-by)),
        by => format!("adds {by} to {what}"),
    }
}
