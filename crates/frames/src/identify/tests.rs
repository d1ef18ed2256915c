//! Tests of identification: what is listed after an interruption (between two steps, so that no clock decides when), what a declared order of
//! outputs gives, and which candidate pairs are the nearest.

use std::sync::Arc;

use dodona_records::IdentifiedRelation;
use dodona_sources::Seed;
use dodona_subject::Manifest;

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
    subject_with("")
}

/// The subject, with more at the start of its file of categories and choices.
fn subject_with(head: &str) -> (tempfile::TempDir, Framed) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        let head = if name == "frames.toml" { head } else { "" };
        std::fs::write(folder.path().join(name), format!("{head}{text}")).expect("written");
    }
    let manifest = Manifest::find(folder.path()).expect("a manifest");
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("a subject"));
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

#[test]
fn the_declared_order_of_outputs_gives_relations_and_with_scenarios_states_them() {
    let birth = "[input.birth]\nnow = 'age == 0'\nbefore = 'age != 0'\n";
    let order = "[order]\nfee = ['none', 'some']\n".to_owned() + birth;
    let identified = |head: &str| {
        let (_folder, framed) = subject_with(head);
        let mut pairs = Vec::new();
        let found = identify(&framed, &options(), &Interruption::default(), &mut |pair| {
            pairs.extend(pair.text("pair").map(|text| format!("{text}  # {}", pair.origin)));
        });
        (found.expect("it runs").record.relations, pairs)
    };
    let says = |relation: &IdentifiedRelation| {
        relation.text.contains("out > 0") && relation.text.ends_with("expect out' < out")
    };
    // No fee is the least that there is, so that a lower one says no more than that there was one.
    let (none, _) = identified(birth);
    assert!(!none.iter().any(says), "{none:?}");
    let (ordered, pairs) = identified(&order);
    let of_order: Vec<&IdentifiedRelation> = ordered.iter().filter(|relation| says(relation)).collect();
    assert!(!of_order.is_empty() && of_order.iter().all(|relation| !relation.stated), "{ordered:?}");
    assert!(ordered.iter().all(|relation| !relation.text.contains("out' != out")), "{ordered:?}");
    assert!(pairs.iter().any(|pair| pair.ends_with("expect out' < out  # order")), "{pairs:?}");
    let mut texts: Vec<&str> =
        pairs.iter().filter_map(|pair| pair.split_once(':')).map(|(_, says)| says).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), pairs.len(), "no relation twice");
    let stated = "scenarios = ['age.young implies fee.none']\n".to_owned() + &order;
    let (stated, _) = identified(&stated);
    assert!(stated.iter().any(|relation| says(relation) && relation.stated), "{stated:?}");
}

#[test]
fn so_many_pairs_are_the_nearest_ones() {
    let (_folder, framed) = subject_with("[input.parity]\neven = 'age mod 2 == 0'\nodd = 'age mod 2 == 1'\n");
    let count = |seed, pairs| {
        let frames = FramesOptions { seed: Seed(seed), ..FramesOptions::default() };
        let options = IdentifyOptions { pairs, frames, ..options() };
        let mut told = Vec::new();
        let found = identify(&framed, &options, &Interruption::default(), &mut |pair| told.push(pair));
        (found.expect("it runs").record.pairs, told)
    };
    // Not every sample shows two pairs.
    let seed = (0..10).find(|seed| count(*seed, None).0 >= 2).expect("two pairs with one of ten seeds");
    let (one, told) = count(seed, Some(1));
    assert_eq!((one, told.len()), (1, 1), "{told:?}");
}
