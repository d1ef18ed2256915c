//! What is left where somebody interrupts between two steps: no clock decides when.

use std::sync::Arc;

use dodona_subject::Manifest;
use dodona_workbench::Workbench;

use super::*;

const FILES: [(&str, &str); 3] = [
    (
        "fee.wat",
        r#"(module (func (export "fee") (param i32) (result i32)
            (if (i32.lt_s (local.get 0) (i32.const 60)) (then (return (i32.const 0))))
            (i32.mul (i32.const 5) (i32.sub (local.get 0) (i32.const 59)))))"#,
    ),
    (
        "dodona.toml",
        "name = 'fee'\nmodule = 'fee.wat'\n[[function]]\nsignature = 'fee(age: i32) -> i32'\ndomain.age = { range = [0, 1000] }\n",
    ),
    (
        "frames.toml",
        "[input.age]\nyoung = 'age < 60'\nold = 'age >= 60'\n[output.fee]\nnone = 'result == 0'\nsome = 'result > 0'\n",
    ),
];

fn subject() -> (tempfile::TempDir, Framed) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let manifest = Manifest::find(folder.path()).expect("a manifest");
    let workbench = Arc::new(Workbench::open(manifest).expect("a subject"));
    let framed = Framed::open(&workbench, None, None).expect("the file is right");
    (folder, framed)
}

fn options() -> IdentifyOptions {
    IdentifyOptions { fresh: 10_000, most: 100, ..IdentifyOptions::default() }
}

/// An identification in which the rounds of single changes are over.
fn after_the_rounds<'a>(
    framed: &'a Framed,
    options: &'a IdentifyOptions,
    until: &'a Until,
) -> (Work<'a>, Proposals) {
    let samples = samples(framed, &options.frames, &Interruption::default()).expect("inputs");
    let mut work = Work::new(framed, options, samples, until).expect("it runs");
    let singles: Vec<JointChange> = work.singles.iter().cloned().map(JointChange::from).collect();
    let proposals = work.rounds(&singles, &[], until).expect("it runs");
    (work, proposals)
}

fn no_pairs() -> pairs::Pairs {
    pairs::Pairs { pairs: 0, relations: 0, refuted: 0 }
}

#[test]
fn what_the_rounds_did_not_refute_is_listed_without_the_last_judgement() {
    let (_folder, framed) = subject();
    let (options, interrupted) = (options(), Interruption::default());
    let until = Until::interrupted(&interrupted);
    let (mut work, proposals) = after_the_rounds(&framed, &options, &until);
    interrupted.raise();
    let last = work.last(&proposals).expect("it ends");
    let joints = work.joints().expect("it ends");
    let record = work.finish(&proposals, &last, (&joints, &no_pairs()), &interrupted).record;
    let texts: Vec<&str> = record.relations.iter().map(|relation| relation.text.as_str()).collect();
    assert!(texts.iter().any(|text| text.contains("given age' = age + 1 expect out' >= out")), "{texts:?}");
    assert!(record.relations.iter().all(|relation| !relation.confirmed && relation.fresh >= 300));
    let warnings = record.frames.warnings.join("; ");
    assert!(
        warnings.contains("relations are not confirmed, since somebody interrupted before"),
        "{warnings}"
    );
}

#[test]
fn a_round_that_is_cut_short_keeps_what_stood_before() {
    let (_folder, framed) = subject();
    let (options, until) = (options(), Until::interrupted(&Interruption::default()));
    let (_, proposals) = after_the_rounds(&framed, &options, &until);
    let all = proposals.standing;
    let texts =
        |standing: &[Standing]| standing.iter().map(|s| format!("{:?}", s.candidate)).collect::<Vec<_>>();
    let before = texts(&all);
    assert!(before.len() > 2, "{before:?}");
    // The new round came to one relation, which stood before as well, with fewer samples.
    let repeated = Candidate { support: all[1].candidate.support + 7, ..all[1].candidate.clone() };
    let left = cut_short(vec![Standing { candidate: repeated.clone(), held: None }], all);
    let mut found = texts(&left);
    assert_eq!(found.remove(0), format!("{repeated:?}"));
    assert_eq!(found, [&before[..1], &before[2..]].concat());
}
