//! Runs checks in tests: on the corpus of a fuzz target, and on seeded cases.
//!
//! The corpus of a target is `fuzz/corpus/TARGET.tar`.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use tar::Archive;

use crate::{CHECKS, Check, Counts, seeded};

/// The most inputs of a target, as `scripts/fuzz.sh` chooses them.
const MOST: usize = 100;

/// The folder of the corpora.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// Runs the check of a target on its corpus.
///
/// # Panics
/// When a case shows a defect, none checks anything, or the corpus is too large, empty or missing.
pub fn replay(target: &str) {
    let (_, check) = CHECKS.iter().find(|(name, _)| *name == target).expect("a check of that name");
    let inputs = inputs(&folder().join(format!("{target}.tar")));
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

/// The targets that have a corpus, in alphabetical order.
///
/// # Panics
/// When the folder of the corpora is missing.
pub fn corpora() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the corpora");
    let mut targets: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".tar")?.to_owned()))
        .collect();
    targets.sort_unstable();
    targets
}

/// The inputs of a corpus, with their names.
fn inputs(archive: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let file = File::open(archive).unwrap_or_else(|error| panic!("{}: {error}", archive.display()));
    let mut inputs = Vec::new();
    for entry in Archive::new(file).entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("all its bytes");
        inputs.push((entry.path().expect("a name").into_owned(), bytes));
    }
    inputs
}

/// Runs a check on seeded cases of `length` bytes each. The fuzz targets run the same checks, without an end.
///
/// # Panics
/// At the first defect, with the seed that shows it again.
pub fn on_seeds(check: Check, seeds: std::ops::Range<u64>, length: usize) -> Counts {
    let mut counts = Counts::new();
    for seed in seeds {
        match check(&seeded(seed, length)) {
            Ok(case) => counts.add(case),
            Err(defect) => panic!("seed {seed} of {length} bytes: {defect}"),
        }
    }
    println!("{counts}");
    counts
}
