//! Writes patterns that set the same parameter to different constants as one relation:
//! `for k in {1, 2}: given zone' = k expect out' <= out`.

use std::cmp::Ordering;

use dodona_target::{Sequence, Signature, Value};

use super::change::is_free;
use super::words::{listed, set_name, set_words, value_name};
use super::{Change, Described, Pattern};

/// Patterns that set one parameter to different constants, and are the same otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedPatterns {
    /// The pattern with the first constant.
    first: Pattern,
    /// The parameter that is set.
    parameter: usize,
    /// The constants, at least one, of the type of the parameter.
    constants: Vec<Value>,
}

/// The constant that a pattern sets a parameter to.
fn constant(pattern: &Pattern) -> Option<&Value> {
    if let Change::Set { to, .. } = &pattern.change { Some(to) } else { None }
}

/// Whether two patterns differ only in the constant that they set one parameter to. Boolean constants are not merged: `true` and `false`
/// together are all values, and a pattern that is true for any value is shorter.
fn differ_in_constant(a: &Pattern, b: &Pattern) -> bool {
    let is_number = |value: &Value| match value {
        Value::Sequence(sequence) => !matches!(sequence, Sequence::Bool(_)),
        value => !matches!(value, Value::Bool(_)),
    };
    match (&a.change, &b.change) {
        (Change::Set { parameter, to }, Change::Set { parameter: other, .. }) => {
            let is_same = a.condition == b.condition && a.or == b.or && a.expected == b.expected;
            parameter == other && is_number(to) && is_same
        }
        _ => false,
    }
}

impl MergedPatterns {
    /// Groups of patterns, given by their indices, such that each group is written as one relation. Groups are in the order of their first
    /// patterns.
    pub fn groups(patterns: &[&Pattern]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            match groups.iter_mut().find(|group| differ_in_constant(patterns[group[0]], pattern)) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        groups
    }

    /// Merges the patterns of one group; `None` if there are fewer than two.
    ///
    /// ```
    /// use dodona_inference::patterns::{Change, Described, Expected, MergedPatterns, Pattern};
    /// use dodona_target::{Kind, Value};
    /// use dodona_subject::Manifest;
    /// # let text = "name = \"fees\"\nmodule = \"fees.wasm\"\n[[function]]\nsignature = \"fee(zone: i32, k: i32) -> i32\"\n";
    /// # let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), text).unwrap();
    /// # let function = &manifest.functions[0];
    /// let zone = |to| Pattern {
    ///     change: Change::Set { parameter: 0, to: Value::Int(to) },
    ///     condition: Vec::new(),
    ///     or: Vec::new(),
    ///     expected: Expected::NotHigher,
    /// };
    /// let (one, two) = (zone(1), zone(2));
    /// let fee = Described { function, output: "out", kind: Kind::Int };
    /// let merged = MergedPatterns::new(&[&one, &two]).unwrap();
    /// assert_eq!(
    ///     merged.text("cheap", &fee),
    ///     "relation cheap of fee: for c in {1, 2}: given zone' = c expect out' <= out"
    /// );
    /// assert_eq!(merged.name(&fee), "fee_zone_set_to_1_or_2_never_higher");
    /// assert_eq!(merged.sentence(&fee), "setting zone to 1 or 2 never raises the result");
    /// ```
    pub fn new(patterns: &[&Pattern]) -> Option<MergedPatterns> {
        let mut constants: Vec<Value> = patterns.iter().filter_map(|one| constant(one)).cloned().collect();
        constants.sort_by(order);
        let first = (*patterns.first()?).clone();
        let Change::Set { parameter, .. } = first.change else { return None };
        (constants.len() > 1).then_some(MergedPatterns { first, parameter, constants })
    }

    /// The text of one relation with this name, which has a metamorphic group for each constant.
    pub fn text(&self, name: &str, described: &Described<'_>) -> String {
        let variable = free_name(described.function);
        let scalars: Vec<String> = self.constants.iter().map(|value| scalar(value).to_string()).collect();
        let value = match self.constants.first() {
            Some(Value::Sequence(sequence)) => format!("[{}]", vec![variable; sequence.len()].join(", ")),
            _ => variable.to_owned(),
        };
        let given = format!("{}' = {value}", self.parameter(described));
        let constants = format!("for {variable} in {{{}}}: ", scalars.join(", "));
        self.first.written(name, described, &constants, (String::new(), None, given))
    }

    /// The name, which lists all constants.
    pub fn name(&self, described: &Described<'_>) -> String {
        let names: Vec<String> = self.constants.iter().map(value_name).collect();
        let change = set_name(self.parameter(described), &names.join("_or_"));
        self.first.name_with(described, &change)
    }

    /// What the patterns say, in words.
    pub fn sentence(&self, described: &Described<'_>) -> String {
        let constants: Vec<String> = self.constants.iter().map(ToString::to_string).collect();
        let change = set_words(self.parameter(described), &listed(&constants, "or"));
        self.first.sentence_with(described, &change)
    }

    /// The name of the parameter that is set.
    fn parameter<'f>(&self, described: &Described<'f>) -> &'f str {
        &described.function.parameters[self.parameter].name
    }
}

/// The order of two constants: numbers by their size, other constants by their text.
fn order(a: &Value, b: &Value) -> Ordering {
    match (scalar(a), scalar(b)) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Float(a), Value::Float(b)) => a.total_cmp(&b),
        (a, b) => a.to_string().cmp(&b.to_string()),
    }
}

/// The number itself or, for a sequence, the number that all of its elements are.
fn scalar(value: &Value) -> Value {
    match value {
        Value::Sequence(Sequence::Int(all)) => all.first().map_or_else(|| value.clone(), |i| Value::Int(*i)),
        Value::Sequence(Sequence::Float(all)) => {
            all.first().map_or_else(|| value.clone(), |x| Value::Float(*x))
        }
        value => value.clone(),
    }
}

/// A short name that no parameter and no function of the relation has.
fn free_name(function: &Signature) -> &'static str {
    let names = ["k", "c", "constant", "one_constant", "the_constant"];
    names.into_iter().find(|name| is_free(function, name)).unwrap_or("any_of_these")
}
