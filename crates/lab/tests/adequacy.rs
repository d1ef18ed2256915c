//! k-MR coverage of what was run: which group is an association, what is added until it is enough, and what groups reveal.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use dodona_lab::{CodeCriterion, Criterion, Executed, UntilAdequate, associate, group_kills, until_adequate};
use dodona_records::AdequacyRecord;
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption, Until};
use dodona_wasm::Workbench;
use fixedbitset::FixedBitSet;

/// The absolute value, but for 12345, where it is one too many; zero is a statement of its own.
const MODULE: &str = r#"(module (func (export "size") (param $x i32) (result i32)
    (if (i32.eqz (local.get $x)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $x) (i32.const 12345)) (then (return (i32.const 12346))))
    (if (i32.lt_s (local.get $x) (i32.const 0)) (then (return (i32.sub (i32.const 0) (local.get $x)))))
    (local.get $x)))"#;

const MANIFEST: &str = r#"
name = "size"
module = "size.wat"
relations = ["size.mr"]
[[function]]
signature = "size(x: i32) -> i32"
domain.x = { range = [-20000, 20000] }
sample.x = { distribution = "uniform", favour-rate = 0.0 }
"#;

/// Relations of three forms; `mirrored` has that of `negated`.
const RELATIONS: &str = "
relation negated of size: given x' = -x expect out' == out
relation mirrored of size: when x > 0: given x' = 0 - x expect out' == out
relation farther of size: when x > 0: given x' = x + 1 expect out' > out
relation never of size: when x > 30000: given x' = x + 2 expect out' >= out
";

fn subject(relations: &str) -> (tempfile::TempDir, Arc<Workbench>) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("size.wat", MODULE), ("dodona.toml", MANIFEST), ("size.mr", relations)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let manifest = Manifest::find(folder.path()).expect("a manifest");
    let workbench = dodona_wasm::open(manifest).expect("a subject");
    (folder, Arc::new(workbench))
}

fn executed(workbench: &Workbench, columns: &[Column]) -> Executed {
    let all: Vec<usize> = (0..workbench.relations.len()).collect();
    let until = Until::interrupted(&Interruption::default());
    associate(&workbench.any(), 0, &all, columns, Seed(0), &until).expect("it runs")
}

fn until(workbench: &Workbench, relations: &[usize], k: usize, most: u64) -> (AdequacyRecord, Vec<usize>) {
    let options = UntilAdequate {
        k,
        criterion: Criterion::Code(CodeCriterion::Branch),
        most,
        seed: Seed(1),
        jobs: NonZeroUsize::MIN,
    };
    let reached =
        until_adequate(&workbench.any(), 0, relations, &options, &Interruption::default()).expect("it runs");
    assert_eq!(reached.columns[0].len() as u64, reached.record.sources);
    (reached.record, reached.added)
}

#[test]
fn an_ineligible_group_is_no_association_and_a_violated_one_is() {
    let (_folder, workbench) = subject(RELATIONS);
    let executed = executed(&workbench, &[Column::Int(vec![5, -5, 12345])]);
    assert_eq!(executed.relations, [0, 1, 2, 3]);
    let of = |source: usize| {
        let mut relations: Vec<usize> = executed.associations.of_source(source).collect();
        relations.sort_unstable();
        relations
    };
    assert_eq!([of(0), of(1), of(2)], [vec![0, 1, 2], vec![0], vec![0, 1, 2]]);
    // 12346 beside 12345, and 12346 is not greater than 12346.
    assert_eq!(executed.violated, [(0, 2), (1, 2), (2, 2)]);
    assert_eq!(executed.forms.len(), 3, "{:?}", executed.forms);
    assert_eq!([0, 1].map(|source| executed.associations.different(source)), [2, 1]);
}

/// A source input whose group turns out to be ineligible was called, and covers nothing.
#[test]
fn only_groups_cover() {
    let (_folder, workbench) = subject("relation farther of size: given x' = x + 19990 expect out' >= out");
    let executed = executed(&workbench, &[Column::Int(vec![5, 500, -5])]);
    assert_eq!(executed.associations.len(), 2);
    let sources: BTreeSet<u32> = executed.called[0].iter().map(|(source, _)| *source).collect();
    assert_eq!((executed.called[0].len(), sources), (4, BTreeSet::from([0, 2])));
}

#[test]
fn sources_are_added_until_every_branch_is_tested() {
    let (_folder, workbench) = subject(RELATIONS);
    // No random input of a few thousand is 12345; an input along its path is.
    let (record, added) = until(&workbench, &[0], 1, 4096);
    assert_eq!(record.reached, record.whole, "{record:?}");
    assert!(added.is_empty());
    assert_eq!(record.violated, ["negated"]);
}

#[test]
fn relations_are_added_where_they_raise_the_degree() {
    let (_folder, workbench) = subject(RELATIONS);
    let (record, added) = until(&workbench, &[0], 2, 256);
    // `mirrored` has the form of the one that is there, `never` is never eligible.
    assert_eq!(added, [2]);
    assert!(record.reached < record.whole);
    let words = record.warnings.join("; ");
    assert!(words.contains("relations were added that --relation does not name: farther"), "{words}");
}

#[test]
fn what_cannot_be_reached_is_said() {
    let (_folder, workbench) = subject("relation negated of size: given x' = -x expect out' == out");
    let (record, _) = until(&workbench, &[0], 3, 256);
    let words = record.warnings.join("; ");
    assert!(words.contains("the output relations have 1 form: k = 3 needs relations of 2 more"), "{words}");
    assert!(record.reached < record.whole);
}

/// A mutant that some group reveals is one whose output some input shows, and groups that fail on the original reveal nothing.
#[test]
fn groups_reveal_mutants_that_inputs_show() {
    let (_folder, workbench) = subject(RELATIONS);
    let columns = [Column::Int((-40..40).chain([12345, 12344]).collect())];
    let executed = executed(&workbench, &columns);
    let how = (Seed(0), NonZeroUsize::MIN);
    let kills =
        group_kills(&workbench, 0, &executed, &columns, how, &Interruption::default()).expect("it runs");
    assert!(kills.mutants.len() > 20, "{}", kills.mutants.len());
    let rows = columns[0].len();
    let killed = kills.groups.iter().filter(|groups| !groups.is_clear()).count();
    assert!(killed > 10, "{killed} of {}", kills.mutants.len());
    for (groups, inputs) in kills.groups.iter().zip(&kills.inputs) {
        assert!(groups.ones().all(|group| group / rows < executed.relations.len()));
        assert!(groups.is_clear() || !inputs.is_clear() || shown_elsewhere(groups, rows));
        let violated = executed.violated.iter().map(|(relation, source)| relation * rows + source);
        assert!(violated.into_iter().all(|group| !groups.contains(group)));
    }
}

/// Whether every group that reveals a mutant has a follow-up input that is none of the source inputs.
fn shown_elsewhere(groups: &FixedBitSet, rows: usize) -> bool {
    groups.ones().all(|group| group % rows == 79 || group % rows >= 80)
}

#[test]
fn the_subjects_that_ship_say_the_same_twice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/triangle");
    let workbench = dodona_wasm::open(Manifest::find(&folder).expect("a manifest")).expect("a subject");
    let all: Vec<usize> = (0..workbench.relations.len()).collect();
    assert_eq!(until(&workbench, &all, 2, 128), until(&workbench, &all, 2, 128));
}
