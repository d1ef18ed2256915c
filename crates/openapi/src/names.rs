//! Names that signatures can have, and what they are made of.

use std::collections::HashSet;

use dodona_target::names::RESERVED;

/// Words that the candidates are written with: a function of such a name would hide the word. And those that can be read as another thing in some places.
const USED: [&str; 16] = [
    "len", "lines", "distinct", "concat", "sorted", "reverse", "upper", "lower", "min", "max", "of",
    "absolute", "none", "some", "ok", "err",
];

/// Words in lower case of a name in any of the usual spellings: `minPrice`, `min-price`, `filter[min_price]`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_inside = false;
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            (is_inside, was_lower) = (false, false);
            continue;
        }
        if !is_inside || (was_lower && c.is_ascii_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
        (is_inside, was_lower) = (true, c.is_ascii_lowercase() || c.is_ascii_digit());
    }
    words
}

/// A name that a signature can have: of letters, digits and `_`, and no word of the relation language.
pub(crate) fn identifier(name: &str) -> String {
    let is_usable = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut own = if is_usable { name.to_owned() } else { words(name).join("_") };
    if own.is_empty() || own.starts_with(|c: char| c.is_ascii_digit()) {
        own.insert(0, '_');
    }
    // A lone `_` is hard to read, and says nothing.
    if own.chars().all(|c| c == '_') {
        own.push_str("value");
    }
    if RESERVED.contains(&own.as_str()) || USED.contains(&own.as_str()) {
        own.push('_');
    }
    own
}

/// Names of which none is given twice.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// The name, or with a number behind it the next that is free.
    pub(crate) fn free(&mut self, name: &str) -> String {
        let name = identifier(name);
        let numbered = (2_usize..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.unwrap_or(name);
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_spellings_have_words() {
        assert_eq!(words("minPrice"), ["min", "price"]);
        assert_eq!(words("filter[min_price]"), ["filter", "min", "price"]);
        assert_eq!(words("$top"), ["top"]);
        assert_eq!(words("_sort"), ["sort"]);
        assert!(words("→").is_empty());
    }

    #[test]
    fn identifiers_are_no_words_and_come_once() {
        assert_eq!(identifier("min-price"), "min_price");
        assert_eq!(identifier("in"), "in_");
        assert_eq!(identifier("3d"), "_3d");
        assert_eq!(identifier("→"), "_value");
        let mut names = Names::default();
        assert_eq!([names.free("a"), names.free("a"), names.free("a_2")], ["a", "a_2", "a_2_2"]);
    }
}
