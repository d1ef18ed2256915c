//! Names of functions, parameters and relations that the relation language can read, each once.

use std::collections::BTreeSet;

use crate::manifest::is_word;

/// The names that are taken in one place: of a module's functions, or of one function's parameters.
#[derive(Default)]
pub(super) struct Names {
    /// Names that their owners keep as they are.
    kept: BTreeSet<String>,
    taken: BTreeSet<String>,
}

impl Names {
    /// Those of the names that can stand as they are are kept for their owners.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Names {
        let kept = names.filter(|name| is_usable(name)).map(str::to_owned).collect();
        Names { kept, taken: BTreeSet::new() }
    }

    /// The name of an exported function.
    pub(super) fn function(&mut self, export: &str) -> String {
        self.of_owner(export, 0)
    }

    /// The name of the parameter in this place.
    pub(super) fn parameter(&mut self, name: &str, place: usize) -> String {
        self.of_owner(name, place)
    }

    fn of_owner(&mut self, name: &str, place: usize) -> String {
        // The second of two that are called the same, as damaged debug information may have them, gets another name.
        match self.kept.remove(name) {
            true if self.taken.insert(name.to_owned()) => name.to_owned(),
            _ => self.free(name, place),
        }
    }

    /// A name like this one that nothing has; `place` names what has no name.
    pub(super) fn free(&mut self, name: &str, place: usize) -> String {
        let usable = usable(name, place);
        let numbered = (2..).map(|number| format!("{usable}_{number}"));
        let mut names = std::iter::once(usable.clone()).chain(numbered);
        let free =
            names.find(|name| !self.kept.contains(name) && !self.taken.contains(name)).unwrap_or(usable);
        self.taken.insert(free.clone());
        free
    }
}

fn is_usable(name: &str) -> bool {
    usable(name, 0) == name
}

/// A name that relations can use: ASCII letters, digits and `_`, and an `_` behind a word of the relation language.
fn usable(name: &str, place: usize) -> String {
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match clean.chars().next() {
        None => format!("p{place}"),
        Some(c) if c.is_ascii_digit() => format!("_{clean}"),
        _ if is_word(&clean) => format!("{clean}_"),
        _ => clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_can_stand_is_kept_by_its_owner() {
        let exports = ["a-b", "a_b", "mod", "in", "in_", "", "9", "ü"];
        let mut names = Names::of(exports.into_iter());
        let found = exports.map(|export| names.function(export));
        assert_eq!(found, ["a_b_2", "a_b", "mod_", "in__2", "in_", "p0", "_9", "_"]);
    }

    #[test]
    fn two_parameters_of_one_name_are_kept_apart() {
        let mut names = Names::of(["x", "x", "out"].into_iter());
        assert_eq!(
            [names.parameter("x", 0), names.parameter("x", 1), names.parameter("out", 2)],
            ["x", "x_2", "out_"]
        );
    }
}
