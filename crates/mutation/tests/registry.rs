//! Crates of the registry as subjects: what is mutated is their code, and places in it are named by the crate.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use dodona_generation::{Instrumented, Statement, StatementScope};
use dodona_mutants::{Callees, OperatorSet};
use dodona_mutation::{KeepMatrix, MutateOptions, MutateOutcome, MutationBounds, mutate};
use dodona_records::{Against, Judgement, Mode, MutationRecord, Pruning};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

const HYPOT: &str = r#"
    name = "hypot"
    [build]
    crate = "libm"
    version = "0.2"
    [[function]]
    signature = "hypot(x: f64, y: f64) -> f64"
    relations = ["hypot.mr"]
    [[function]]
    signature = "cbrt(x: f64) -> f64"
"#;

const LEVENSHTEIN: &str = r#"
    name = "levenshtein"
    [build]
    crate = "strsim"
    version = "0.11"
    [[function]]
    signature = "levenshtein(a: text, b: text) -> usize"
    relations = ["levenshtein.mr"]
    domain.a = { length = [0, 6] }
    domain.b = { length = [0, 6] }
"#;

/// A subject in a folder of its own.
struct Subject {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Subject {
    fn new(manifest: &str, relations: &[(&str, &str)]) -> Subject {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in relations {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let path = folder.path().join("dodona.toml");
        std::fs::write(&path, manifest).expect("written");
        Subject { _folder: folder, path }
    }

    fn try_open(&self) -> Result<Workbench, LabError> {
        dodona_wasm::open(Manifest::read(&self.path).expect("a manifest"))
    }

    fn open(&self) -> Arc<Workbench> {
        Arc::new(self.try_open().unwrap_or_else(|e| panic!("{e}")))
    }
}

fn hypot() -> Subject {
    Subject::new(HYPOT, &[("hypot.mr", "relation symmetric: hypot(x, y) == hypot(y, x)\n")])
}

fn levenshtein() -> Subject {
    let relations = "relation symmetric: levenshtein(a, b) == levenshtein(b, a)\n\
                     relation itself: when a == b: levenshtein(a, b) == 0\n";
    Subject::new(LEVENSHTEIN, &[("levenshtein.mr", relations)])
}

fn options(operators: &[&str], callees: Callees) -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees,
        operators: OperatorSet::parse(operators).expect("operators"),
        relations: vec![],
        against: Against::Both,
        inputs: 40,
        files: vec![],
        made: vec![],
        seed: Seed(5),
        jobs: NonZeroUsize::new(2).expect("two"),
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

fn run(workbench: &Arc<Workbench>, options: &MutateOptions) -> MutationRecord {
    let outcome = mutate(workbench, options, &Interruption::default(), &mut |_| {}).expect("it runs");
    match outcome {
        MutateOutcome::Analysed(mutation) => mutation.record,
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

/// The files that mutants stand in.
fn files(record: &MutationRecord) -> BTreeSet<&str> {
    let places = record.mutants.iter().flat_map(|mutant| &mutant.places);
    places.map(|place| place.file.as_deref().expect("a place in the source")).collect()
}

#[test]
fn the_code_of_the_crate_is_mutated_and_never_the_glue() {
    let subject = hypot();
    let workbench = subject.open();
    let record = run(&workbench, &options(&["ROR", "AOR", "RSR"], Callees::Left));
    let files = files(&record);
    assert!(
        files.iter().all(|file| file.starts_with("libm-0.2.") && file.contains("/src/math/")),
        "{files:?}"
    );
    assert!(files.iter().any(|file| file.ends_with("hypot.rs")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("cbrt.rs")), "{files:?}");
    // The score is over that code, and in its words.
    let row = record.totals();
    assert!(row.mutants > 300 && row.killed > 0 && row.alive > 0, "{row:?}");
    let hypot =
        record.mutants.iter().find(|m| m.places[0].file.as_ref().is_some_and(|f| f.ends_with("hypot.rs")));
    let hypot = hypot.expect("a mutant of hypot");
    let library = hypot.places[0].library.as_ref().expect("it lies in the registry");
    let text = std::fs::read_to_string(library).expect("the registry's file");
    let line = text.lines().nth(hypot.places[0].line.expect("a line") as usize - 1).expect("as long");
    assert_eq!(hypot.source_line.as_deref(), Some(line.trim()));
    assert!(
        record.mutated.iter().any(|m| m.function.starts_with("libm::") && m.mutants > 0),
        "{:?}",
        record.mutated
    );
    assert!(record.skipped.iter().any(|site| site.reason.contains("glue")), "{:?}", record.skipped);
}

#[test]
fn a_function_of_the_crate_has_the_mutants_that_its_export_reaches() {
    let subject = hypot();
    let only = MutateOptions { functions: vec!["cbrt".into()], ..options(&["ROR"], Callees::Left) };
    let only = MutateOptions { against: Against::Inputs, ..only };
    let record = run(&subject.open(), &only);
    assert!(files(&record).iter().all(|file| !file.ends_with("hypot.rs")), "{:?}", files(&record));
    assert!(record.mutants.iter().all(|mutant| mutant.judgement != Judgement::NotRun));
}

#[test]
fn memory_and_text_are_mutated_only_by_name() {
    let subject = levenshtein();
    let workbench = subject.open();
    // They need not be run for this.
    let list = |callees| dodona_mutation::list(&workbench, &options(&["ROR"], callees));
    let own = list(Callees::Left).expect("it lists");
    assert_eq!(files(&own).into_iter().collect::<Vec<_>>(), ["strsim-0.11.1/src/lib.rs"]);
    let all = list(Callees::Included).expect("it lists");
    assert!(
        !files(&all).iter().any(|file| file.contains("malloc") || file.starts_with("core/")),
        "{:?}",
        files(&all)
    );
    // More callees leave the numbers as they are.
    let numbers =
        |record: &MutationRecord| record.mutants.iter().map(|m| (m.id, m.key.clone())).collect::<Vec<_>>();
    assert!(numbers(&all).starts_with(&numbers(&own)));
    let named = list(Callees::Named(vec!["dlmalloc".into()])).expect("it lists");
    assert!(files(&named).iter().any(|file| file.starts_with("dlmalloc-")), "{:?}", files(&named));
    let error = list(Callees::Named(vec!["dlmaloc".into()]));
    let error = error.expect_err("no code goes by that name").to_string();
    assert!(error.contains("dlmaloc") && error.contains("strsim"), "{error}");
}

#[test]
fn of_a_crate_that_re_exports_others_their_code_is_mutated_and_covered() {
    let manifest = r#"
        name = "facade"
        [build]
        crate = "num"
        version = "0.4"
        [[function]]
        signature = "gcd(a: i64, b: i64) -> i64"
        call = "num::integer::gcd(a, b)"
        domain.a = { range = [0, 1000] }
        domain.b = { range = [0, 1000] }
        relations = ["gcd.mr"]
    "#;
    let subject = Subject::new(manifest, &[("gcd.mr", "relation symmetric: gcd(a, b) == gcd(b, a)\n")]);
    let workbench = subject.open();
    let record = run(&workbench, &options(&["ROR"], Callees::Left));
    assert!(files(&record).iter().any(|file| file.starts_with("num-integer-")), "{:?}", files(&record));
    let warned = record.warnings.iter().any(|warning| warning.contains("re-exports"));
    assert!(warned, "{:?}", record.warnings);
    let instrumented = Instrumented::new(&workbench, 0, StatementScope::AtHand).expect("it loads");
    let is_theirs =
        |s: &Statement| matches!(s, Statement::Line { file, .. } if file.starts_with("num-integer-"));
    assert!(instrumented.statements().iter().any(is_theirs));
}

#[test]
fn coverage_counts_the_lines_of_the_crate() {
    let subject = levenshtein();
    let workbench = subject.open();
    let instrumented = Instrumented::new(&workbench, 0, StatementScope::AtHand).expect("it loads");
    let is_own =
        |s: &Statement| matches!(s, Statement::Line { file, .. } if file == "strsim-0.11.1/src/lib.rs");
    assert!(instrumented.statements().len() > 5 && instrumented.statements().iter().all(is_own));
}

#[test]
fn a_signature_that_does_not_fit_is_told_in_its_own_words() {
    let wrong = [
        (LEVENSHTEIN.replace("usize", "u32"), "write usize"),
        (LEVENSHTEIN.replace("levenshtein(a", "levenstein(a"), "path = "),
        (
            LEVENSHTEIN
                .replace("signature = \"levenshtein", "path = \"strsim::hamming\"\nsignature = \"hamming"),
            "with its `Option<…>` or `Result<…>`",
        ),
    ];
    for (manifest, advice) in wrong {
        let manifest = manifest.replace("relations = [\"levenshtein.mr\"]", "");
        let subject = Subject::new(&manifest, &[]);
        let Err(error) = subject.try_open() else { panic!("it builds: {manifest}") };
        let error = error.to_string();
        assert!(error.contains(advice) && !error.contains("-->"), "{error}");
    }
}
