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
        let condition = self.condition_name(function);
        if let Some(parameter) = self.irrelevant(function) {
            return identifier(&[&function.name, parameter, "irrelevant", &condition]);
        }
        let [expected, _] = self.expected_words(function);
        let unless = if self.is_unless_negative() { "unless_negative" } else { "" };
        identifier(&[&function.name, change, &expected, unless, &condition])
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
        if let Some(parameter) = self.irrelevant(function) {
            return format!("{place}{parameter} does not matter");
        }
        let [_, expected] = self.expected_words(function);
        let unless = match (&self.change, self.is_unless_negative()) {
            (_, false) => "",
            (Change::None, true) => ", unless it is negative",
            (_, true) => ", unless the new result is negative",
        };
        format!("{place}{change}{expected}{unless}")
    }

    /// The parameter that does not matter, if the pattern says this.
    fn irrelevant<'f>(&self, function: &'f Signature) -> Option<&'f str> {
        match (&self.change, &self.expected) {
            (Change::Anew { direction: Direction::Any, parameter }, Expected::Same) => {
                Some(&function.parameters[*parameter].name)
            }
            _ => None,
        }
    }

    /// What is expected, as a part of a name and as a part of a sentence.
    fn expected_words(&self, function: &Signature) -> [String; 2] {
        let both = |name: &str, sentence: &str| [name.to_owned(), sentence.to_owned()];
        let of_name = |p: &usize| function.parameters[*p].name.as_str();
        match (&self.change, self.expected.of_others()) {
            (Change::None, Expected::Is(value)) => {
                [format!("is_{}", value_name(value)), format!("the result is {value}")]
            }
            (Change::None, Expected::IsParameter(p)) => {
                [format!("is_{}", of_name(p)), format!("the result is {}", of_name(p))]
            }
            (_, Expected::Same) => both("same", "leaves the result"),
            (_, Expected::Differs) => both("changes", "changes the result"),
            (_, Expected::NotLower) => both("never_lower", "never lowers the result"),
            (_, Expected::NotHigher) => both("never_higher", "never raises the result"),
            (_, Expected::Higher) => both("raises", "raises the result"),
            (_, Expected::Lower) => both("lowers", "lowers the result"),
            (_, Expected::Is(value)) => {
                [format!("gives_{}", value_name(value)), format!("makes the result {value}")]
            }
            (_, Expected::IsParameter(p)) => {
                [format!("gives_{}", of_name(p)), format!("makes the result {}", of_name(p))]
            }
            (_, Expected::Plus(by)) => [format!("adds_{}", value_name(by)), changed_by("the result", by)],
            (_, Expected::Twice) => both("doubles", "doubles the result"),
            (_, Expected::Divides(parameters)) => {
                let names: Vec<&str> = parameters.iter().map(of_name).collect();
                both("divides", &format!("the result divides {}", names.join(" and ")))
            }
            (_, Expected::Within(low, high)) => {
                both("within", &format!("the result is at least {low} and at most {high}"))
            }
            (_, Expected::AtLeast(low)) => {
                [format!("at_least_{}", value_name(low)), format!("the result is at least {low}")]
            }
            (_, Expected::AtMost(high)) => {
                [format!("at_most_{}", value_name(high)), format!("the result is at most {high}")]
            }
            (_, Expected::MultipleOf(number)) => {
                [format!("multiple_of_{number}"), format!("the result is a multiple of {number}")]
            }
            (_, Expected::UnlessNegative(_)) => both("", ""),
        }
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
                format!("{name}_{}_{}", order.name(), value_name(constant))
            }
            Atom::Every { parameter, order, constant } => {
                let name = &function.parameters[*parameter].name;
                format!("every_{name}_{}_{}", order.name(), value_name(constant))
            }
            Atom::Parameters { left, order, right } => {
                let (left, right) = (&function.parameters[*left].name, &function.parameters[*right].name);
                format!("{left}_{}_{right}", order.name())
            }
            Atom::Output { order, value } => format!("result_{}_{}", order.name(), value_name(value)),
        };
        let names = |condition: &Vec<Atom>| condition.iter().map(of).collect::<Vec<_>>().join("_and_");
        match self.condition.is_empty() {
            true => String::new(),
            false => format!("if_{}", self.conditions().map(names).collect::<Vec<_>>().join("_or_")),
        }
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
