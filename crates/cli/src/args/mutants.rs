//! The arguments that choose mutants: operators, and whose code is mutated.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use dodona_mutation::{Callees, FaultyVersion, OperatorSet, OutsideVersion, open_versions};
use dodona_wasm::Workbench;

use crate::failure::Failure;
use crate::open::{self, Subject};

/// The mutation operators.
#[derive(Debug, Args)]
pub(crate) struct OperatorsArgs {
    /// Mutation operators and sets of them, separated by commas: all, selective, AOR, ROR, …
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    operators: Vec<String>,
}

impl OperatorsArgs {
    /// The operators that are named.
    ///
    /// # Errors
    /// When nothing is called so.
    pub(crate) fn set(&self) -> Result<OperatorSet, Failure> {
        let names: Vec<&str> = self.operators.iter().map(|name| name.trim()).collect();
        OperatorSet::parse(&names).map_err(Failure::usage)
    }
}

/// Other builds of the subject, with faults of their own.
#[derive(Debug, Args)]
pub(crate) struct VersionsArgs {
    /// Faulty versions of the subject, run beside the mutants: folders with a dodona.toml, folders of such folders, and modules; of Python code also folders with changed modules, and
    /// `cosmic-ray` or `mutmut`, which then make the mutants
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    versions: Vec<PathBuf>,
}

impl VersionsArgs {
    /// Whether any is named.
    pub(crate) fn are_named(&self) -> bool {
        !self.versions.is_empty()
    }

    /// Builds and loads the versions that are named.
    ///
    /// # Errors
    /// When one cannot be built or loaded, or is no version of the subject.
    pub(crate) fn open(&self, subject: &Workbench) -> Result<Vec<Arc<FaultyVersion>>, Failure> {
        open_versions(subject, &self.versions).map_err(open::lab_failure)
    }

    /// Finds the versions that are named of functions outside of WebAssembly.
    ///
    /// # Errors
    /// When a folder has none, or one declares other functions.
    pub(crate) fn outside(&self, subject: &Subject) -> Result<Vec<OutsideVersion>, Failure> {
        dodona::outside_versions(&subject.manifest, &subject.workbench, &self.versions)
            .map_err(open::lab_failure)
    }
}

/// What else than the functions under test is mutated.
#[derive(Debug, Args)]
pub(crate) struct CalleesArgs {
    /// Mutate also the code that is called: of functions whose source lies in the manifest's folder (`source`), of all but the
    /// languages' own libraries (`all`), or of these crates and functions, separated by commas (`memchr,alloc`)
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_value = "source", default_missing_value = "all", value_parser = callees)]
    pub(crate) callees: Callees,
}

/// Reads which callees are mutated: a word, or names.
fn callees(text: &str) -> Result<Callees, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    match text {
        "none" => Ok(Callees::Left),
        "source" => Ok(Callees::WithSource),
        "all" => Ok(Callees::Included),
        _ if names.iter().any(String::is_empty) => {
            Err("write none, source, all, or names separated by commas, such as memchr,alloc".to_owned())
        }
        _ => match names.iter().find(|name| ["none", "source", "all"].contains(&name.as_str())) {
            Some(word) => Err(format!("`{word}` stands alone")),
            None => Ok(Callees::Named(names)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_are_a_word_or_names() {
        let words = [("none", Callees::Left), ("source", Callees::WithSource), ("all", Callees::Included)];
        for (word, meaning) in words {
            assert_eq!(callees(word), Ok(meaning));
            assert!(callees(&format!("memchr,{word}")).is_err_and(|error| error.contains("stands alone")));
        }
        assert_eq!(callees("memchr, alloc"), Ok(Callees::Named(vec!["memchr".into(), "alloc".into()])));
        for text in ["", ",", "memchr,"] {
            assert!(callees(text).is_err(), "{text}");
        }
    }
}
