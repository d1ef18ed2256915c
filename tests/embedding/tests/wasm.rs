//! A subject compiled to WebAssembly, and one with a fault, opened by a program of somebody else.

use std::path::Path;
use std::sync::Arc;

use dodona::records::RelationVerdict;
use dodona::target::Interruption;
use dodona::wasm::{Manifest, open};
use dodona::{CheckOptions, Regressions, check};

fn verdicts(subject: &str) -> Vec<(String, RelationVerdict)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(subject);
    let workbench = Arc::new(open(Manifest::find(&folder).expect("a manifest")).expect("it opens"));
    let options = CheckOptions { regressions: Regressions::Ignore, ..CheckOptions::default() };
    let record = check(workbench, &options, &Interruption::default(), &mut |_| {}).expect("it runs");
    record.relations.into_iter().map(|relation| (relation.name.clone(), relation.verdict())).collect()
}

#[test]
fn a_subject_holds() {
    let verdicts = verdicts("triangle");
    assert!(
        !verdicts.is_empty() && verdicts.iter().all(|(_, verdict)| *verdict == RelationVerdict::Holds),
        "{verdicts:?}"
    );
}

#[test]
fn an_injected_fault_is_caught() {
    assert!(verdicts("gcd/faulty").iter().any(|(_, verdict)| *verdict == RelationVerdict::Violated));
}
