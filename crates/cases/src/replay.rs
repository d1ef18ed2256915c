//! Runs checks in tests: on the corpus of a fuzz target, and on seeded cases.
//!
//! The corpus of a target is `fuzz/corpus/CRATE/TARGET.tar`, where the crate is the one that has the check.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use tar::Archive;

use crate::{Check, Counts, seeded};

/// The most inputs of a target, as `scripts/fuzz.sh` chooses them.
const MOST: usize = 100;

/// The corpora of the checks of one crate.
#[derive(Clone, Copy, Debug)]
pub struct Corpora<'a> {
    /// The crate's folder below `fuzz/corpus`.
    pub folder: &'a str,
    /// The crate's checks by the names of their targets.
    pub checks: &'a [(&'static str, Check)],
}

impl Corpora<'_> {
    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(self.folder)
    }

    /// Runs the check of a target on its corpus.
    ///
    /// # Panics
    /// When a case shows a defect, none checks anything, or the corpus is too large, empty or missing.
    pub fn replay(&self, target: &str) {
        let (_, check) = self.checks.iter().find(|(name, _)| *name == target).expect("a check of that name");
        let inputs = inputs(&self.path().join(format!("{target}.tar")));
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

    /// Fails unless these targets, in alphabetical order, are the crate's checks, and each of them has a corpus.
    ///
    /// # Panics
    /// When a target, a check or a corpus is missing, or is there without the others.
    pub fn assert_targets(&self, targets: &[&str]) {
        let checks: Vec<&str> = self.checks.iter().map(|(name, _)| *name).collect();
        assert_eq!(targets, checks);
        let entries = std::fs::read_dir(self.path()).expect("the corpora");
        let mut archives: Vec<String> = entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".tar")?.to_owned()))
            .collect();
        archives.sort_unstable();
        assert_eq!(archives, targets);
    }
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

/// A test for each target of a crate, so that they run beside each other, and one that none is missing:
/// `replayed! { CORPORA: TARGET… }`.
#[macro_export]
macro_rules! replayed {
    ($corpora:ident: $($target:ident)*) => {
        $(#[test] fn $target() { $corpora.replay(stringify!($target)); })*

        #[test]
        fn every_target_has_its_corpus_replayed() {
            $corpora.assert_targets(&[$(stringify!($target)),*]);
        }
    };
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
