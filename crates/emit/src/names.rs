//! Identifiers that a language accepts.

use std::collections::HashSet;

/// The names given so far; no name is given twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    used: HashSet<String>,
    keywords: &'static [&'static str],
    style: Style,
}

/// How a language writes names of several words.
#[derive(Clone, Copy, Debug, Default)]
enum Style {
    /// As they are wished, with an underscore before a number.
    #[default]
    AsWished,
    /// In camel case.
    Camel,
}

impl Names {
    /// No names given yet; keywords are never given.
    pub(super) fn new(keywords: &'static [&'static str]) -> Names {
        Names { used: HashSet::new(), keywords, style: Style::AsWished }
    }

    /// No names given yet; those that are given are in camel case.
    pub(super) fn camel(keywords: &'static [&'static str]) -> Names {
        Names { style: Style::Camel, ..Names::new(keywords) }
    }

    /// An empty set of names for the same language.
    pub(super) fn fresh(&self) -> Names {
        Names { used: HashSet::new(), ..*self }
    }

    /// A name as similar to the wished name as the language and the names given before allow.
    pub(super) fn give(&mut self, wish: &str) -> String {
        let plain = self.styled(wish);
        let wish = if self.keywords.contains(&plain.as_str()) { format!("{plain}_") } else { plain };
        let mut name = wish.clone();
        let mut number = 2;
        while self.used.contains(&name) {
            name = self.with_number(&wish, number);
            number += 1;
        }
        self.used.insert(name.clone());
        name
    }

    /// The wished name followed by the first free number, counted from 1: `gcd_1`.
    pub(super) fn numbered(&mut self, wish: &str) -> String {
        let plain = self.styled(wish);
        let name = (1u64..).map(|n| self.with_number(&plain, n)).find(|name| !self.used.contains(name));
        let name = name.unwrap_or_else(|| unreachable!("there are more numbers than names"));
        self.used.insert(name.clone());
        name
    }

    fn styled(&self, wish: &str) -> String {
        match self.style {
            Style::AsWished => plain(wish),
            Style::Camel => camel(wish),
        }
    }

    fn with_number(&self, name: &str, number: u64) -> String {
        match self.style {
            Style::AsWished => format!("{name}_{number}"),
            Style::Camel => format!("{name}{number}"),
        }
    }
}

/// The wish with every character that is not an ASCII letter, digit or underscore replaced by `_`, and without a
/// digit first.
pub(super) fn plain(wish: &str) -> String {
    let mut name: String =
        wish.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || name == "_" {
        name.insert(0, '_');
    }
    name
}

/// The name in snake case: `nextPrime` becomes `next_prime`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before = ' ';
    for c in plain(name).chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        before = c;
    }
    snake
}

/// The name in camel case: `next_prime` becomes `nextPrime`. Underscores before and behind it stay.
pub(super) fn camel(name: &str) -> String {
    let plain = plain(name);
    let before = plain.len() - plain.trim_start_matches('_').len();
    let mut camel = String::new();
    let mut is_first = false;
    for (i, c) in plain.char_indices() {
        match c {
            '_' if i >= before && plain[i..].contains(|c| c != '_') => is_first = true,
            c if is_first => {
                camel.push(c.to_ascii_uppercase());
                is_first = false;
            }
            c => camel.push(c),
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_given_once() {
        let mut names = Names::new(&["fn"]);
        let given: Vec<String> = ["fn", "fn", "a-b", "a_b", "2nd", "_"].map(|n| names.give(n)).to_vec();
        assert_eq!(given, ["fn_", "fn__2", "a_b", "a_b_2", "_2nd", "__"]);
        assert_eq!(
            [names.numbered("a_b"), names.numbered("gcd"), names.numbered("gcd")],
            ["a_b_1", "gcd_1", "gcd_2"]
        );
    }

    #[test]
    fn java_has_camel_case() {
        assert_eq!(
            ["next_prime", "_x", "a__b_", "nextPrime", "2nd", "_", "is_2d"].map(camel),
            ["nextPrime", "_x", "aB_", "nextPrime", "_2nd", "__", "is2d"]
        );
        let mut names = Names::camel(&["int"]);
        let given: Vec<String> = ["int", "int", "a_b", "aB", "a_b2"].map(|n| names.give(n)).to_vec();
        assert_eq!(given, ["int_", "int_2", "aB", "aB2", "aB22"]);
        assert_eq!([names.numbered("a_b"), names.fresh().numbered("a_b")], ["aB1", "aB1"]);
    }

    #[test]
    fn rust_names_functions_in_snake_case() {
        assert_eq!(
            ["nextPrime", "gcd", "meanOf", "log10", "HTTPGet"].map(snake),
            ["next_prime", "gcd", "mean_of", "log10", "httpget"]
        );
    }
}
