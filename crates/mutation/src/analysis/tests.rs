//! Modules of mutants: how many mutants one has, and what keeping them changes.

use dodona_mutants::{Callees, OperatorSet};
use dodona_records::{Against, MutationRecord, Pruning};
use dodona_sources::Seed;
use dodona_subject::Manifest;

use super::*;
use crate::mutate::mutate_set;
use crate::{MutateOutcome, MutationBounds};

const TWICE: &str = r#"(module (func (export "twice") (param i32) (result i32)
    local.get 0 i32.const 2 i32.mul local.get 0 i32.const 7 i32.gt_s i32.const 3 i32.mul i32.add))"#;

fn workbench() -> Arc<Workbench> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), TWICE).expect("written");
    let text = "module = 'm.wat'\n[[function]]\nsignature = 'twice(x: i32) -> i32'\n";
    let manifest = Manifest::parse(&folder.path().join("dodona.toml"), text).expect("valid");
    Arc::new(dodona_wasm::open(manifest).expect("opened"))
}

fn options() -> MutateOptions {
    MutateOptions {
        functions: vec![],
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: vec![],
        against: Against::Inputs,
        inputs: 20,
        files: vec![],
        made: vec![],
        seed: Seed(1),
        jobs: std::num::NonZeroUsize::MIN,
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

fn run(workbench: &Arc<Workbench>, set: &MutantSet<'_>, mutants: &[&Mutant]) -> MutationRecord {
    let wanted: Vec<_> = mutants.iter().map(|mutant| mutant.id).collect();
    let compare = |_: &mut Vec<String>| {
        let all = set.asked().into_iter().filter(|mutant| wanted.contains(&mutant.id));
        Ok(ComparedMutants::taken_as_distinct(all.collect()))
    };
    let until = Until::default();
    match mutate_set(workbench, set, compare, &options(), &until, &mut |_| {}).expect("it runs") {
        MutateOutcome::Analysed(mutation) => mutation.record,
        MutateOutcome::BaselineViolated(_) => panic!("there are no relations"),
    }
}

#[test]
fn a_module_has_at_least_one_mutant_and_as_many_as_fit() {
    let workbench = workbench();
    let set = MutantSet::generate(&workbench, &options()).expect("mutants");
    let mutants = set.asked();
    assert_eq!(part_length(&set.all, &mutants, usize::MAX), mutants.len());
    let few = part_length(&set.all, &mutants, 1);
    assert!((1..mutants.len()).contains(&few), "{few} of {}", mutants.len());
    let size = instructions(&set.all, &mutants);
    assert_eq!(part_length(&set.all, &mutants, size), mutants.len());
    assert!(part_length(&set.all, &mutants, size - 1) < mutants.len());
}

#[test]
fn kept_modules_change_no_result_and_serve_for_more_mutants() {
    let workbench = workbench();
    let compiling = MutantSet::generate(&workbench, &options()).expect("mutants");
    let keeping = MutantSet::generate(&workbench, &options()).expect("mutants").keeping_compiled(1 << 20);
    let mutants = keeping.asked();
    let some = &mutants[..mutants.len() / 2];
    let called = BTreeSet::from([0]);
    assert!(keeping.compiled.of_first(&mutants, &called).is_none());
    assert_eq!(run(&workbench, &keeping, some), run(&workbench, &compiling, some));
    let kept = keeping.compiled.of_first(&mutants, &called).expect("it is kept");
    assert_eq!(kept.mutants.len(), some.len());
    let with_another = keeping.compiled.of_first(&mutants, &BTreeSet::from([0, 1]));
    assert!(with_another.is_none(), "no other function can be called in it");
    // The first half is run in the module that is there, the other half in a new one.
    assert_eq!(run(&workbench, &keeping, &mutants), run(&workbench, &compiling, &mutants));
    assert!(compiling.compiled.of_first(&mutants, &called).is_none());
}

#[test]
fn what_does_not_fit_is_not_kept() {
    let workbench = workbench();
    let set = MutantSet::generate(&workbench, &options()).expect("mutants").keeping_compiled(1);
    let mutants = set.asked();
    run(&workbench, &set, &mutants);
    let called = BTreeSet::from([0]);
    assert!(set.compiled.of_first(&mutants, &called).is_none());
}
