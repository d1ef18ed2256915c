//! The corpus of each fuzz target, replayed: what a fuzzer once found worth keeping stays without a defect.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use dodona_differential::{CHECKS, Counts};
use tar::Archive;

/// The most inputs of a target, as `scripts/fuzz.sh` chooses them.
const MOST: usize = 100;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// The inputs of a target, with their names.
fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let path = folder().join(format!("{target}.tar"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut inputs = Vec::new();
    for entry in Archive::new(file).entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("all its bytes");
        inputs.push((entry.path().expect("a name").into_owned(), bytes));
    }
    inputs
}

fn replay(target: &str) {
    let check = CHECKS.into_iter().find(|(name, _)| *name == target).expect("a check").1;
    let inputs = inputs(target);
    assert!((1..=MOST).contains(&inputs.len()), "{} inputs", inputs.len());
    let mut counts = Counts::new();
    for (name, bytes) in inputs {
        match check(&bytes) {
            Ok(case) => counts.add(case),
            Err(defect) => panic!("{target}/{}: {defect}", name.display()),
        }
    }
    println!("{counts}");
    assert!(counts.checked() > 0, "{counts}");
}

/// A test for each target, so that they run beside each other, and one that none is missing.
macro_rules! replayed {
    ($($target:ident)*) => {
        $(#[test] fn $target() { replay(stringify!($target)); })*

        #[test]
        fn every_target_has_its_corpus_replayed() {
            let replayed = [$(stringify!($target)),*];
            assert_eq!(replayed, CHECKS.map(|(name, _)| name));
            let mut archives: Vec<String> = std::fs::read_dir(folder())
                .expect("the corpora")
                .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".tar")?.to_owned()))
                .collect();
            archives.sort_unstable();
            assert_eq!(archives, replayed);
        }
    };
}

replayed! {
    engines_agree equivalent_mutants frames manifest matrix module never_proved ordered_mutants relations replies verbs
}
