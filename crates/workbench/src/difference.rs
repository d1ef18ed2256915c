//! In what two sequences or texts differ, in a few words: nobody finds it in two hundred numbers.

use std::collections::HashMap;

use dodona_target::{Sequence, Value, double_bits};

/// So many elements are named.
const NAMED: usize = 4;

/// What makes `left OPERATOR right` false, where both are sequences or texts. `None` where nothing is to be said that the sides do not show.
pub(crate) fn difference(operator: &str, left: &Value, right: &Value) -> Option<String> {
    let (left, right) = (Elements::of(left)?, Elements::of(right)?);
    let (left, right) = Elements::alike(left, right);
    match operator {
        "is_subset_of" => missing(&left, &right),
        "is_disjoint_from" => shared(&left, &right),
        "is_permutation_of" => counted(&left, &right),
        "==" => first(&left, &right),
        _ => None,
    }
}

/// The elements of a sequence, or the characters of a text, as they are compared and as they are written.
struct Elements(Vec<(Key, String)>);

/// What is compared of an element.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Int(i128),
    /// The bits of a float: those of all NaN are the same, and those of both zeros.
    Float(u64),
    Other(String),
}

impl Elements {
    fn of(value: &Value) -> Option<Elements> {
        let float = |x: f64| (Key::Float(double_bits(x + 0.0)), Value::Float(x).to_string());
        Some(Elements(match value {
            Value::Sequence(Sequence::Int(items)) => {
                items.iter().map(|x| (Key::Int(*x), x.to_string())).collect()
            }
            Value::Sequence(Sequence::Float(items)) => items.iter().map(|x| float(*x)).collect(),
            Value::Sequence(Sequence::Bool(items)) => {
                items.iter().map(|x| (Key::Other(x.to_string()), x.to_string())).collect()
            }
            Value::Text(text) => {
                let text = std::str::from_utf8(text).ok()?;
                let character = |c: char| {
                    (Key::Other(c.to_string()), Value::Text(c.to_string().as_str().into()).to_string())
                };
                text.chars().map(character).collect()
            }
            _ => return None,
        }))
    }

    /// Integers beside floats are compared as floats.
    fn alike(left: Elements, right: Elements) -> (Elements, Elements) {
        let is_float = |all: &Elements| all.0.iter().any(|(key, _)| matches!(key, Key::Float(_)));
        if !is_float(&left) && !is_float(&right) {
            return (left, right);
        }
        let float = |(key, text): (Key, String)| match key {
            Key::Int(x) => (Key::Float(double_bits(x as f64)), text),
            key => (key, text),
        };
        let floats = |all: Elements| Elements(all.0.into_iter().map(float).collect());
        (floats(left), floats(right))
    }

    fn counts(&self) -> HashMap<&Key, usize> {
        let mut counts = HashMap::new();
        self.0.iter().for_each(|(key, _)| *counts.entry(key).or_default() += 1);
        counts
    }

    /// Those elements, each once, with the index of their first.
    fn distinct(&self, is: impl Fn(&Key) -> bool) -> Vec<(usize, &Key, &str)> {
        let mut seen = std::collections::HashSet::new();
        let all = self.0.iter().enumerate();
        all.filter(|(_, (key, _))| is(key) && seen.insert(key))
            .map(|(index, (key, text))| (index, key, text.as_str()))
            .collect()
    }
}

/// Elements of the left side that the right one does not have.
fn missing(left: &Elements, right: &Elements) -> Option<String> {
    let there = right.counts();
    let missing = left.distinct(|key| !there.contains_key(key));
    told(missing.len(), "of left", "not in right", &places(&missing))
}

/// Elements of both sides.
fn shared(left: &Elements, right: &Elements) -> Option<String> {
    let there = right.counts();
    let shared = left.distinct(|key| there.contains_key(key));
    told(shared.len(), "of left", "in right too", &places(&shared))
}

/// Elements that one side has more often than the other one.
fn counted(left: &Elements, right: &Elements) -> Option<String> {
    let (of_left, of_right) = (left.counts(), right.counts());
    let count = |counts: &HashMap<&Key, usize>, key: &Key| counts.get(key).copied().unwrap_or(0);
    let more = left.distinct(|key| count(&of_left, key) > count(&of_right, key));
    let less = right.distinct(|key| count(&of_left, key) < count(&of_right, key));
    let words: Vec<String> = more
        .iter()
        .chain(&less)
        .map(|(_, key, text)| {
            format!("{text} ({} times in left, {} in right)", count(&of_left, key), count(&of_right, key))
        })
        .collect();
    told(words.len(), "", "not equally often in both", &words)
}

/// The first element that differs, and the lengths.
fn first(left: &Elements, right: &Elements) -> Option<String> {
    let (here, there) = (&left.0, &right.0);
    let lengths = match here.len() == there.len() {
        true => String::new(),
        false => format!("; left has {} elements, right {}", here.len(), there.len()),
    };
    // Two numbers beside each other are seen.
    if here.len().max(there.len()) <= NAMED {
        return None;
    }
    let index = here.iter().zip(there).position(|((a, _), (b, _))| a != b);
    Some(match index {
        Some(index) => {
            format!("they first differ at index {index}: {} and {}{lengths}", here[index].1, there[index].1)
        }
        None => format!("one is the beginning of the other{lengths}"),
    })
}

fn places(elements: &[(usize, &Key, &str)]) -> Vec<String> {
    elements.iter().map(|(index, _, text)| format!("{text} (index {index})")).collect()
}

/// `2 elements of left are not in right: 7 (index 0), 9 (index 3)`
fn told(count: usize, whose: &str, what: &str, words: &[String]) -> Option<String> {
    let (one, are) = if count == 1 { ("element", "is") } else { ("elements", "are") };
    let whose = if whose.is_empty() { String::new() } else { format!(" {whose}") };
    let more = if count > NAMED { ", …" } else { "" };
    let named = words.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    (count > 0).then(|| format!("{count} {one}{whose} {are} {what}: {named}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(items: &[i128]) -> Value {
        Value::Sequence(Sequence::Int(items.to_vec()))
    }

    #[test]
    fn what_makes_a_comparison_of_sequences_false_is_named() {
        let of =
            |operator: &str, left: &[i128], right: &[i128]| difference(operator, &ints(left), &ints(right));
        let said = |operator: &str, left: &[i128], right: &[i128], words: &str| {
            assert_eq!(of(operator, left, right).as_deref(), Some(words));
        };
        said("is_subset_of", &[1, 7, 2, 7], &[1, 2], "1 element of left is not in right: 7 (index 1)");
        said(
            "is_disjoint_from",
            &[1, 2, 3],
            &[3, 1],
            "2 elements of left are in right too: 1 (index 0), 3 (index 2)",
        );
        said(
            "is_permutation_of",
            &[1, 1, 2],
            &[1, 2, 3],
            "2 elements are not equally often in both: 1 (2 times in left, 1 in right), 3 (0 times in left, 1 in right)",
        );
        let five = [1, 2, 3, 4, 5];
        said("==", &five, &[1, 2, 3, 9, 5], "they first differ at index 3: 4 and 9");
        said("==", &five, &five[..4], "one is the beginning of the other; left has 5 elements, right 4");
        said(
            "is_subset_of",
            &five,
            &[],
            "5 elements of left are not in right: 1 (index 0), 2 (index 1), 3 (index 2), 4 (index 3), …",
        );
        assert_eq!(of("==", &[1], &[2]), None);
        assert_eq!(of("contains", &five, &five), None);
    }

    #[test]
    fn numbers_are_compared_as_the_language_compares_them() {
        let floats = |items: &[f64]| Value::Sequence(Sequence::Float(items.to_vec()));
        let missing = |left: &Value, right: &Value| difference("is_subset_of", left, right);
        assert_eq!(missing(&floats(&[f64::NAN, -0.0, 1.0]), &floats(&[-f64::NAN, 0.0, 1.0])), None);
        assert_eq!(missing(&ints(&[1, 2]), &floats(&[1.0, 2.0])), None);
        let text = |text: &str| Value::Text(text.into());
        assert_eq!(
            difference("==", &text("héllo"), &text("hello")).as_deref(),
            Some("they first differ at index 1: \"é\" and \"e\"")
        );
    }
}
