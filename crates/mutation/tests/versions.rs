//! Faulty versions: other builds of a subject that are run as mutants are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_mutation::{
    FaultyVersion, KeepMatrix, MutateOptions, MutateOutcome, Mutation, OperatorSet, mutate, open_versions,
    stand_in_for,
};
use dodona_records::{Against, Judgement, KillKind, Mode, Proof, SameCodeAs, Share, VersionRecord};
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

const MANIFEST: &str = r#"
module = "m.wat"
[[function]]
signature = "sum(n: i32) -> i32"
domain.n = { range = [0, 50] }
[[function]]
signature = "twice(x: i32) -> i32"
domain.x = { range = [0, 1000] }
"#;

const RELATIONS: &str = "relation next: sum(n + 1) == sum(n) + n + 1
relation half: twice(x + x) == twice(x) + twice(x)
";

/// The sum of the numbers up to n, with the step and the start of the loop, and twice a number.
fn module(start: &str, step: &str, twice: &str) -> String {
    format!(
        r#"(module
  (func (export "sum") (param $n i32) (result i32) (local $i i32) (local $s i32)
    {start}
    (block $done (loop $next
      (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
      (local.set $i (i32.add (local.get $i) (i32.const {step})))
      (local.set $s (i32.add (local.get $s) (local.get $i)))
      (br $next)))
    (local.get $s))
  (func (export "twice") (param $x i32) (result i32) {twice}))"#
    )
}

const TWICE: &str = "(i32.shl (local.get $x) (i32.const 1))";

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
        std::fs::write(path, text).expect("writes");
    }
}

/// A subject with its versions in the folder `versions`, each a module with the manifest of the subject.
struct Subject {
    folder: tempfile::TempDir,
    workbench: Arc<Workbench>,
}

impl Subject {
    fn new(versions: &[(&str, &str)]) -> Subject {
        let folder = tempfile::tempdir().expect("a folder");
        let manifest = format!("{}\n{MANIFEST}", "relations = [\"r.mr\"]");
        write(
            folder.path(),
            &[("dodona.toml", &manifest), ("r.mr", RELATIONS), ("m.wat", &module("", "1", TWICE))],
        );
        for (name, wat) in versions {
            let files = [
                (format!("versions/{name}/dodona.toml"), MANIFEST),
                (format!("versions/{name}/m.wat"), *wat),
            ];
            write(folder.path(), &files.each_ref().map(|(name, text)| (name.as_str(), *text)));
        }
        let manifest = Manifest::find(folder.path()).unwrap_or_else(|e| panic!("{e:#?}"));
        let workbench = Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")));
        Subject { folder, workbench }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, paths: &[&str]) -> Result<Vec<Arc<FaultyVersion>>, LabError> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| self.path(path)).collect();
        open_versions(&self.workbench, &paths)
    }

    fn refused(&self, path: &str) -> String {
        self.open(&[path]).expect_err("refused").to_string()
    }

    /// The analysis of all versions, without mutants.
    fn run(&self, change: impl FnOnce(&mut MutateOptions)) -> Mutation {
        let versions = self.open(&["versions"]).unwrap_or_else(|e| panic!("{e:#?}"));
        let mut options = MutateOptions {
            versions,
            operators: OperatorSet::none(),
            inputs: 40,
            ..MutateOptions::default()
        };
        change(&mut options);
        match mutate(&self.workbench, &options, &Interruption::default(), &mut |_| {}).expect("it runs") {
            MutateOutcome::Analysed(mutation) => *mutation,
            MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
        }
    }
}

fn killers(version: &VersionRecord) -> Vec<&str> {
    version.killed_by.iter().map(|kill| kill.relation.as_str()).collect()
}

#[test]
fn a_version_is_killed_crashes_times_out_or_does_as_the_subject() {
    let versions = [
        ("1-killed", module("", "2", TWICE)),
        ("2-crashes", module("", "1", "unreachable")),
        ("3-endless", module("", "0", TWICE)),
        ("4-same", module("(local.set $s (i32.const 0))", "1", TWICE)),
        ("5-revealed", module("", "1", "(i32.mul (local.get $x) (i32.const 3))")),
    ];
    let subject = Subject::new(&versions.each_ref().map(|(name, wat)| (*name, wat.as_str())));
    let record = subject.run(|_| {}).record;
    assert!(record.mutants.is_empty(), "there are no mutants: {:?}", record.mutants);
    let [killed, crashes, endless, same, revealed] = &record.versions[..] else { panic!("five versions") };
    assert_eq!((killed.name.as_str(), &killed.judgement), ("1-killed", &Judgement::Killed));
    assert_eq!(killers(killed), ["next"]);
    assert_eq!(crashes.judgement, Judgement::Crashed);
    assert_eq!(crashes.failed.as_ref().map(|f| &f.how), Some(&KillKind::Trap { trap: "unreachable".into() }));
    // An endless loop ends within the fuel of a mutant. Where it begins at some inputs only, a relation may kill it on others.
    assert!(matches!(endless.judgement, Judgement::TimedOut | Judgement::Killed), "{endless:#?}");
    assert!(same.is_as_original(Against::Both) && same.same_as.is_none(), "{same:#?}");
    assert_eq!(revealed.judgement, Judgement::Alive, "3 x is as linear as 2 x");
    let found = revealed.revealed_by.as_ref().expect("inputs reveal it");
    assert_eq!((found.how.clone(), found.inputs >= 1), (KillKind::Output, true));
    assert_eq!(record.versions_detected(), Share { covered: 3, total: 5 });
    assert_eq!(record.score(), None, "versions are no mutants: {record:#?}");
}

#[test]
fn mutants_have_the_same_score_beside_versions() {
    let subject = Subject::new(&[("faulty", &module("", "2", TWICE))]);
    let beside = subject.run(|options| options.operators = OperatorSet::all()).record;
    let alone = subject
        .run(|options| {
            options.operators = OperatorSet::all();
            options.versions.clear();
        })
        .record;
    assert!(alone.score().is_some_and(|score| score > 0.0));
    assert_eq!((beside.score(), beside.totals()), (alone.score(), alone.totals()));
    assert_eq!((beside.versions.len(), alone.versions.len()), (1, 0));
}

#[test]
fn what_runs_is_the_same_for_any_number_of_threads_and_whenever_a_run_ends() {
    let versions =
        [("a", module("", "2", TWICE)), ("b", module("", "3", TWICE)), ("c", module("", "1", "unreachable"))];
    let subject = Subject::new(&versions.each_ref().map(|(name, wat)| (*name, wat.as_str())));
    let one = subject.run(|_| {}).record.versions;
    let three = subject.run(|options| options.jobs = 3.try_into().expect("not 0")).record.versions;
    assert_eq!(one, three);
    for mode in [Mode::StopAtKill, Mode::Matrix, Mode::Classes] {
        let other = subject.run(|options| options.mode = mode).record.versions;
        let judged = |all: &[VersionRecord]| all.iter().map(|v| v.judgement.clone()).collect::<Vec<_>>();
        assert_eq!(judged(&one), judged(&other), "{mode:?}");
    }
}

#[test]
fn the_code_of_the_subject_and_the_same_version_twice_are_no_further_faults() {
    let faulty = module("", "2", TWICE);
    let versions = [("a", faulty.as_str()), ("b", &faulty), ("original", &module("", "1", TWICE))];
    let subject = Subject::new(&versions);
    let record = subject.run(|_| {}).record;
    let same: Vec<_> = record.versions.iter().map(|version| version.same_as.clone()).collect();
    assert_eq!(same, [None, Some(SameCodeAs::Version { name: "a".into() }), Some(SameCodeAs::Subject)]);
    assert_eq!(record.versions[2].judgement, Judgement::Equivalent { proof: Proof::SameCode });
    assert_eq!(record.versions_detected(), Share { covered: 1, total: 1 });
    // The subject itself as a version of its own.
    let itself = subject.open(&["dodona.toml"]).expect("it opens");
    assert_eq!(itself[0].same_as(), Some(&dodona_mutation::SameCode::Subject));
}

#[test]
fn a_version_has_the_functions_that_tests_call_in_any_order() {
    let subject = Subject::new(&[]);
    let other = r#"
module = "m.wat"
[[function]]
signature = "twice(y: i32) -> i32"
"#;
    let wat = format!(r#"(module (func (export "twice") (param $x i32) (result i32) {TWICE}))"#);
    write(subject.folder.path(), &[("other/dodona.toml", other), ("other/m.wat", &wat)]);
    let versions = subject.open(&["other"]).expect("it has one of the functions");
    assert!(stand_in_for(&versions, &[1].into()).is_ok());
    let lacking = stand_in_for(&versions, &[0, 1].into()).expect_err("it has no sum").to_string();
    assert!(lacking.ends_with("other: it has no function `sum(n: i32) -> i32`"), "{lacking}");
    let options = MutateOptions {
        versions,
        functions: vec!["twice".to_owned()],
        operators: OperatorSet::none(),
        ..MutateOptions::default()
    };
    let outcome = mutate(&subject.workbench, &options, &Interruption::default(), &mut |_| {});
    let Ok(MutateOutcome::Analysed(mutation)) = outcome else { panic!("{outcome:#?}") };
    assert!(mutation.record.versions[0].is_as_original(Against::Both), "{:#?}", mutation.record.versions);
    let all = MutateOptions { functions: Vec::new(), ..options };
    let refused =
        mutate(&subject.workbench, &all, &Interruption::default(), &mut |_| {}).expect_err("refused");
    assert!(refused.to_string().contains("it has no function `sum(n: i32) -> i32`"), "{refused}");
}

#[test]
fn what_is_no_version_names_itself_and_says_why() {
    let subject = Subject::new(&[]);
    let i64s = r#"
module = "m.wat"
[[function]]
signature = "sum(n: i64) -> i32"
"#;
    let wat = r#"(module (func (export "sum") (param i64) (result i32) (i32.const 0)))"#;
    write(
        subject.folder.path(),
        &[
            ("types/dodona.toml", i64s),
            ("types/m.wat", wat),
            ("broken/dodona.toml", MANIFEST),
            ("broken/m.wat", "(module (func"),
            ("exports/dodona.toml", MANIFEST),
            ("exports/m.wat", r#"(module (func (export "add") (result i32) (i32.const 0)))"#),
            ("empty/notes.txt", ""),
        ],
    );
    let differs = "it has `sum(n: i64) -> i32`, and the subject has `sum(n: i32) -> i32`";
    for (path, why) in
        [("types", differs), ("broken", "m.wat"), ("exports", "sum"), ("empty", "no faulty version")]
    {
        let words = subject.refused(path);
        let path = subject.path(path).display().to_string();
        assert!(words.contains(&path) && words.contains(why), "{words}");
    }
}

#[test]
fn a_module_alone_is_declared_as_the_subject_is() {
    let subject = Subject::new(&[]);
    let bytes = wat::parse_str(module("", "2", TWICE)).expect("valid");
    std::fs::create_dir(subject.path("versions")).expect("a folder");
    std::fs::write(subject.path("versions/two.wasm"), bytes).expect("writes");
    let record = subject.run(|_| {}).record;
    assert_eq!(
        (record.versions[0].name.as_str(), &record.versions[0].judgement),
        ("two", &Judgement::Killed)
    );
}

#[test]
fn the_matrix_has_a_row_a_version() {
    let versions =
        [("a", module("", "2", TWICE)), ("same", module("(local.set $s (i32.const 0))", "1", TWICE))];
    let subject = Subject::new(&versions.each_ref().map(|(name, wat)| (*name, wat.as_str())));
    let Mutation { record, matrix } = subject.run(|options| {
        (options.mode, options.keep_matrix) = (Mode::Matrix, KeepMatrix::Yes);
        options.operators = OperatorSet::parse(&["ROR"]).expect("it is one");
    });
    let matrix = matrix.expect("it was asked for");
    assert_eq!(matrix.rows(), record.mutants.len() + 2);
    assert!(!record.mutants.is_empty());
    let kills = |name: &str| matrix.count(matrix.row_of_version(name).expect("a row"));
    let revealed = record.versions[0].revealed_by.as_ref().map_or(0, |revealed| revealed.inputs);
    let groups: u64 = record.versions[0].killed_by.iter().map(|kill| kill.groups).sum();
    assert_eq!((kills("a"), kills("same")), (revealed + groups, 0));
    assert!(groups > 1);
}
