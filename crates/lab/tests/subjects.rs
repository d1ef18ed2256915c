//! Every subject that ships keeps its relations, and every faulty variant breaks one.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_records::{CheckRecord, RelationVerdict};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_workbench::{CheckOptions, Regressions, check};

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

/// Every folder with a manifest, except where programs for other tests lie.
fn manifests(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("readable");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).filter(|p| p.is_dir()).collect();
    paths.sort();
    for path in paths {
        if path.join("dodona.toml").exists() {
            found.push(path.clone());
        }
        if path.file_name().is_some_and(|n| n != "target" && n != ".dodona") {
            manifests(&path, found);
        }
    }
}

fn run(folder: &Path) -> CheckRecord {
    let manifest = Manifest::find(folder).unwrap_or_else(|e| panic!("{}: {e:#?}", folder.display()));
    assert!(manifest.specification.is_some(), "{} says where its meaning comes from", folder.display());
    let workbench = dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{}: {e:#?}", folder.display()));
    let place = folder.display();
    assert!(workbench.relations.len() >= 3, "{place} has {} relations", workbench.relations.len());
    for function in workbench.functions() {
        let called = format!("{}(", function.name);
        let speaks = |text: &str| text.contains(&called) || text.contains(&format!(" of {}:", function.name));
        assert!(
            workbench.relations.iter().any(|r| speaks(r.relation.text())),
            "{place}: none speaks of {called})"
        );
    }
    let options = CheckOptions {
        sources: 2000,
        files: vec![],
        made: Vec::new(),
        relations: vec![],
        seed: Seed(3),
        jobs: NonZeroUsize::new(2).expect("two"),
        regressions: Regressions::Ignore,
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    };
    let workbench = Arc::new(workbench);
    check(workbench.clone(), &options, &Interruption::default(), &mut |_| {}).expect("the check runs")
}

fn check_all(is_wanted: impl Fn(&Path) -> bool) {
    let mut folders = Vec::new();
    manifests(&subjects(), &mut folders);
    folders.retain(|f| is_wanted(f));
    assert!(!folders.is_empty());
    for folder in folders {
        let record = run(&folder);
        let verdicts = record.relations.iter().map(|r| (r.name.as_str(), r.verdict()));
        let faulty = folder.components().any(|c| c.as_os_str() == "faulty");
        let named = |wanted: RelationVerdict| -> Vec<&str> {
            verdicts.clone().filter(|(_, v)| *v == wanted).map(|(n, _)| n).collect()
        };
        let place = folder.display();
        assert_eq!(named(RelationVerdict::NeverEligible), [""; 0], "{place}: never eligible");
        let violated = named(RelationVerdict::Violated);
        match faulty {
            true => assert!(!violated.is_empty(), "{place}: no relation catches the fault"),
            false => assert_eq!(violated, [""; 0], "{place}: violated"),
        }
    }
}

fn is_rust(folder: &Path) -> bool {
    let text = std::fs::read_to_string(folder.join("dodona.toml")).expect("readable");
    text.contains("rust = ") || text.contains("crate = ")
}

#[test]
fn the_c_subjects_hold_and_their_faulty_variants_are_caught() {
    check_all(|f| !is_rust(f));
}

/// The first build takes minutes where the standard library has to be built too.
#[test]
fn the_rust_subjects_hold_and_their_faulty_variants_are_caught() {
    check_all(is_rust);
}
