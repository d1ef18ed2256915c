//! Sets of mutation operators by the names that tools and papers gave them.

use std::collections::BTreeSet;

use dodona_subject::nearest;

use super::{DEFINITIONS, MutationOperator};

/// A set of mutation operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSet(BTreeSet<MutationOperator>);

/// A name that is neither an operator nor a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no mutation operator or set is called `{name}`{hint}")]
pub struct UnknownOperator {
    /// The name.
    pub name: String,
    hint: String,
}

/// The named sets; those of tools are our reading of their documentation, in terms of our operators.
const SETS: &[(&str, &[&str])] = &[("selective", &["AOR", "ROR"])];

impl OperatorSet {
    /// Every operator.
    pub fn all() -> OperatorSet {
        OperatorSet(MutationOperator::all().collect())
    }

    /// Reads names of operators and sets, in any case; no names mean every operator.
    ///
    /// # Errors
    /// The first name that is neither, with the nearest that is.
    pub fn parse<S: AsRef<str>>(names: &[S]) -> Result<OperatorSet, UnknownOperator> {
        if names.is_empty() {
            return Ok(OperatorSet::all());
        }
        let mut set = BTreeSet::new();
        for name in names {
            set.extend(named(name.as_ref()).ok_or_else(|| unknown(name.as_ref()))?);
        }
        Ok(OperatorSet(set))
    }

    /// Whether an operator is in the set.
    pub fn contains(&self, operator: MutationOperator) -> bool {
        self.0.contains(&operator)
    }

    /// The operators, in their order.
    pub fn iter(&self) -> impl Iterator<Item = MutationOperator> + '_ {
        self.0.iter().copied()
    }
}

fn named(name: &str) -> Option<Vec<MutationOperator>> {
    if name.eq_ignore_ascii_case("all") {
        return Some(MutationOperator::all().collect());
    }
    if let Some((_, codes)) = SETS.iter().find(|(set, _)| set.eq_ignore_ascii_case(name)) {
        return Some(codes.iter().filter_map(|code| operator(code)).collect());
    }
    operator(name).map(|operator| vec![operator])
}

fn operator(name: &str) -> Option<MutationOperator> {
    let is = |code: &&str| code.eq_ignore_ascii_case(name);
    let found = DEFINITIONS.iter().find(|d| is(&d.code) || d.aliases.iter().any(|alias| is(alias)));
    found.map(|d| d.operator)
}

fn unknown(name: &str) -> UnknownOperator {
    let sets = SETS.iter().map(|(set, _)| *set).chain(["all"]);
    let codes = DEFINITIONS.iter().flat_map(|d| d.aliases.iter().copied().chain([d.code]));
    let upper = name.to_ascii_uppercase();
    let near = nearest(&upper, codes).or_else(|| nearest(name, sets.clone()));
    let hint = match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; sets are {}", sets.collect::<Vec<_>>().join(", ")),
    };
    UnknownOperator { name: name.to_owned(), hint }
}
