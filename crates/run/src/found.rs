//! The relations that searches find, until they are checked.

use std::collections::BTreeSet;

use dodona_records::{Finder, statement};
use dodona_target::Signature;
use dodona_workbench::Relations;

/// A relation that was found, until it is checked.
pub(crate) struct Found {
    pub(crate) text: String,
    pub(crate) words: Option<String>,
    pub(crate) by: Finder,
}

/// The relations that were found by now. One that says what another says is left out.
pub(crate) struct Gathered {
    /// Names that are taken.
    names: BTreeSet<String>,
    /// What relations say, without their names.
    said: BTreeSet<String>,
    pub(crate) found: Vec<Found>,
}

impl Gathered {
    /// Nothing beside the accepted relations.
    pub(crate) fn beside(accepted: &Relations) -> Gathered {
        let relations = || accepted.iter().map(|loaded| &loaded.relation);
        Gathered {
            names: relations().map(|relation| relation.name().to_owned()).collect(),
            said: relations().map(|one| statement(one.text(), one.name()).to_owned()).collect(),
            found: Vec::new(),
        }
    }

    /// Adds a relation of these functions, given by its text and its name.
    pub(crate) fn add(
        &mut self,
        functions: &[Signature],
        (text, name): (&str, &str),
        words: Option<String>,
        by: Finder,
    ) {
        // A law that calls a function which has another name or type by now is none.
        let is_valid = Relations::of_text(text, functions).is_ok();
        if is_valid && self.said.insert(statement(text, name).to_owned()) {
            let text = named(text, name, &mut self.names);
            self.found.push(Found { text, words, by });
        }
    }
}

/// The text of a relation, with another name if its own is taken.
fn named(text: &str, name: &str, taken: &mut BTreeSet<String>) -> String {
    if taken.insert(name.to_owned()) {
        return text.to_owned();
    }
    let numbered = (2..).map(|number| format!("{name}_{number}")).find(|name| taken.insert(name.clone()));
    match (numbered, text.trim_start().strip_prefix(&format!("relation {name}"))) {
        (Some(numbered), Some(rest)) => format!("relation {numbered}{rest}"),
        _ => text.to_owned(),
    }
}
