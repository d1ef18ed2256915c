//! The list of operators and the sets.

use std::collections::BTreeSet;

use super::*;
use crate::OperatorSet;

#[test]
fn all_is_the_variants_in_their_order() {
    let all: Vec<_> = MutationOperator::all().collect();
    // Each is the place of its variant, so that sets are ordered as mutants are numbered.
    assert!(all.iter().enumerate().all(|(place, operator)| *operator as usize == place));
    assert_eq!(MutationOperator::San as usize + 1, all.len());
}

#[test]
fn names_are_unique_and_resolve() {
    let mut seen = BTreeSet::new();
    for definition in DEFINITIONS {
        for name in [definition.code].iter().chain(definition.aliases) {
            assert!(seen.insert(name.to_lowercase()), "{name} is taken");
            let set = OperatorSet::parse(&[name.to_lowercase()]).unwrap();
            assert_eq!(set.iter().collect::<Vec<_>>(), [definition.operator]);
        }
        assert_eq!(definition.operator.code(), definition.code);
        assert!(!definition.title.is_empty());
    }
    assert!(OperatorSet::names().all(|name| seen.insert(name.to_owned())), "a set is called as an operator");
}

#[test]
fn sets_name_only_operators() {
    for name in OperatorSet::names() {
        let set = OperatorSet::parse(&[name]).unwrap();
        assert!(set.iter().count() > 1 || name == "none", "{name}");
        for member in super::super::set::members(name) {
            assert!(set.iter().any(|o| o.code() == *member), "{name} names {member}, which is no operator");
        }
    }
}

#[test]
fn selective_is_what_offutt_et_al_found_sufficient() {
    let set = OperatorSet::parse(&["selective"]).unwrap();
    let codes: Vec<_> = set.iter().map(MutationOperator::code).collect();
    assert_eq!(codes, ["AOR", "ROR", "LCR", "ABS", "AOIU", "AOIS", "LOI", "COI"]);
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let near = |name| OperatorSet::parse(&[name]).unwrap_err().to_string();
    assert_eq!(near("svrr"), "no mutation operator or set is called `svrr`; did you mean `SVR`?");
    assert_eq!(near("mujva"), "no mutation operator or set is called `mujva`; did you mean `mujava`?");
}
