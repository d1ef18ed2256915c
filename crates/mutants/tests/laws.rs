//! The laws of mutants on every subject that ships.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dodona_mutants::{Callees, Describer, MutationOperator, Scope, laws};
use dodona_subject::Manifest;
use dodona_subject::build::{Rebuild, load};

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

/// Each subject, with whether its callees are mutated too.
const SUBJECTS: &[(&str, Callees)] = &[
    ("triangle", Callees::Included),
    ("gcd", Callees::Included),
    ("tcas", Callees::Included),
    ("sorting", Callees::Included),
    ("codec", Callees::Included),
    ("trig", Callees::Left),
    ("tokens", Callees::Left),
    ("mymethod", Callees::Included),
    ("path-directed/baggage", Callees::Left),
    ("third-party/libm-sin", Callees::Included),
    ("third-party/qsort", Callees::Included),
    ("genmorph", Callees::Left),
];

#[test]
fn every_mutant_of_every_subject_keeps_the_laws_and_every_operator_makes_some() {
    let mut counts: BTreeMap<MutationOperator, usize> = BTreeMap::new();
    for (name, callees) in SUBJECTS {
        let manifest = Manifest::find(&subjects().join(name)).expect("a subject");
        let module = load(&manifest, Rebuild::WhenStale).expect("it builds");
        let scope = Scope::of(&module, &manifest.functions, callees, &manifest);
        let debug = module.debug_info();
        let mut describer = Describer::new(debug.as_ref(), manifest.folder());
        let made = laws::check(&module, &scope, &mut describer).unwrap_or_else(|broken| {
            let first: Vec<String> = broken.iter().take(20).map(ToString::to_string).collect();
            panic!("{name}: {} laws broken: {}", broken.len(), first.join("; "))
        });
        println!("{name}: {} mutants of {} functions", made.values().sum::<usize>(), scope.functions.len());
        for (operator, count) in made {
            *counts.entry(operator).or_default() += count;
        }
    }
    println!("{counts:?}");
    let idle: Vec<_> = MutationOperator::all().filter(|o| !counts.contains_key(o)).collect();
    assert!(idle.is_empty(), "these make no mutant on any subject: {idle:?}");
}
