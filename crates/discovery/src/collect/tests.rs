//! Executions of subjects that come with Dodona and of small ones.

use std::path::Path;

use dodona_inference::discovery::{Place, Template, transformations};
use dodona_relations::{Precondition, parse_expression};
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption, Until};
use dodona_wasm::Workbench;

use std::num::NonZeroUsize;

use dodona_generation::{Technique, constants};
use dodona_mutation::{Callees, OperatorSet};

use super::*;
use crate::sources::{SourceInputs, sources};
use crate::{DiscoverOptions, SoFar};

fn shipped(name: &str) -> Arc<Workbench> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name);
    let mut manifest = Manifest::find(&path).expect("a subject");
    manifest.relations.clear();
    Arc::new(dodona_wasm::open(manifest).expect("it opens"))
}

/// A module with this text, and a manifest for it.
fn module(text: &str, manifest: &str) -> (tempfile::TempDir, Arc<Workbench>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), text).expect("written");
    let path = folder.path().join("dodona.toml");
    std::fs::write(&path, format!("module = \"m.wat\"\n{manifest}")).expect("written");
    let manifest = Manifest::find(&path).expect("a manifest");
    (folder, Arc::new(dodona_wasm::open(manifest).expect("it opens")))
}

fn options(inputs: u64) -> DiscoverOptions {
    DiscoverOptions {
        seed: Seed(1),
        time: None,
        work: None,
        relations: 8,
        everything: false,
        inputs,
        // Executions along paths take a solver most of the time of a test, and are collected like all others.
        techniques: vec![Technique::Random],
        frames: None,
        files: Vec::new(),
        only: Vec::new(),
        transformations: 64,
        executions: 9000,
        callees: Callees::Left,
        operators: OperatorSet::all(),
        hold_out: 0.0,
        mutants: usize::MAX,
        faults: Faults::All,
        forms: Default::default(),
        settings: dodona_inference::discovery::Settings::default(),
        generations: 0,
        fresh: 0,
        prove: None,
        jobs: NonZeroUsize::MIN,
        evolution_share: 0.0,
        versions: Vec::new(),
        so_far: SoFar::default(),
    }
}

fn of(workbench: &Workbench, function: usize, inputs: u64) -> SourceInputs {
    sources(workbench, function, &options(inputs), &Until::default()).expect("sources")
}

/// How executions are collected in a test.
#[derive(Clone)]
struct CollectCase {
    executions: usize,
    jobs: usize,
    hold_out: f64,
    operators: OperatorSet,
    constants: Vec<(Value, u64)>,
}

/// With operators that change results, branches, constants and calls. With all of them most of the time goes into compiling mutants.
fn case(executions: usize, jobs: usize) -> CollectCase {
    let operators = OperatorSet::parse(&["AOR", "ROR", "LCR", "SDL", "RSR"]).expect("operators");
    CollectCase { executions, jobs, hold_out: 0.0, operators, constants: Vec::new() }
}

fn try_collect(
    workbench: &Arc<Workbench>,
    function: usize,
    sources: &SourceInputs,
    wanted: &[Transformation],
    how: CollectCase,
    until: &Until,
) -> Result<Collected, LabError> {
    let asked = DiscoverOptions {
        jobs: NonZeroUsize::new(how.jobs).expect("more than none"),
        operators: how.operators,
        ..options(0)
    };
    let target = DiscoveryTarget::new(workbench, function, &asked, &Until::default()).expect("its mutants");
    let how = CollectOptions {
        executions: how.executions,
        hold_out: how.hold_out,
        mutants: usize::MAX,
        faults: Faults::All,
        analysis: target.mutate_options(&asked),
        constants: how.constants,
        seed: Seed(1),
        effort: 1.0,
    };
    collect(&target, sources, wanted, &how, until, &mut |_, _| {})
}

fn collected(
    workbench: &Arc<Workbench>,
    function: usize,
    sources: &SourceInputs,
    wanted: &[Transformation],
    how: CollectCase,
) -> Collected {
    try_collect(workbench, function, sources, wanted, how, &Until::default()).expect("collected")
}

/// Every `step`-th transformation.
fn some(workbench: &Workbench, function: usize, step: usize) -> Vec<Transformation> {
    all(workbench, function).into_iter().step_by(step).collect()
}

fn all(workbench: &Workbench, function: usize) -> Vec<Transformation> {
    let constants = constants(workbench, function);
    transformations(workbench.functions(), function, &constants, 64, 1)
}

fn named(workbench: &Workbench, function: usize, names: &[&str]) -> Vec<Transformation> {
    let all = all(workbench, function);
    let find = |name: &&str| all.iter().find(|t| t.name == *name).unwrap_or_else(|| panic!("{name}")).clone();
    names.iter().map(find).collect()
}

fn place(pairs: &Pairs, place: Place) -> &Column {
    let index = pairs.variables.iter().position(|v| v.place == place).unwrap_or_else(|| panic!("{place:?}"));
    &pairs.columns[index]
}

fn ints(column: &Column) -> &[i128] {
    match column {
        Column::Int(v) => v,
        other => panic!("{other:?}"),
    }
}

fn rows(columns: &[Column]) -> Vec<String> {
    let row = |row: usize| columns.iter().map(|c| c.value(row).to_string()).collect::<Vec<_>>().join(" | ");
    (0..columns.first().map_or(0, Column::len)).map(row).collect()
}

#[test]
fn pow_under_one_less() {
    let workbench = shipped("genmorph");
    let pow = workbench.function("pow").expect("pow");
    let mut sources = of(&workbench, pow, 300);
    // The example of GenMorph.
    let rows = sources.len();
    sources.columns[0].push(&Value::Int(-128));
    sources.columns[1].push(&Value::Int(2));
    sources.calls.outcomes.push(dodona_target::Outcome::Returned);
    sources.calls.outputs[0].push(&Value::Int(16384));
    assert_eq!(sources.len(), rows + 1);
    let wanted = named(&workbench, pow, &["NumericAddition(e, -1)", "PermuteParameters(k, e)"]);
    let found = collected(&workbench, pow, &sources, &wanted, case(9000, 2));
    let pairs = &found.pairs[0];
    let written: Vec<String> = pairs.variables.iter().map(|v| v.expression.to_string()).collect();
    assert_eq!(written, ["k", "e", "pow(k, e)", "e - 1", "pow(k, e - 1)"]);
    let (k, e) = (ints(place(pairs, Place::SourceInput(0))), ints(place(pairs, Place::SourceInput(1))));
    let (less, out) =
        (ints(place(pairs, Place::FollowUpInput(1))), ints(place(pairs, Place::SourceOutput(0))));
    let follow = ints(place(pairs, Place::FollowUpOutput(0)));
    assert!(pairs.correct > 100 && pairs.rows() == k.len() && !pairs.mutants.is_empty());
    let wraps = |k: i128, e: i128| i128::from((0..e).fold(1i32, |p, _| p.wrapping_mul(k as i32)));
    for row in 0..pairs.rows() {
        assert_eq!(less[row], e[row] - 1);
        let right = out[row] == wraps(k[row], e[row]) && follow[row] == wraps(k[row], e[row] - 1);
        assert_eq!(
            right,
            row < pairs.correct,
            "pow({}, {}) = {}, then {}",
            k[row],
            e[row],
            out[row],
            follow[row]
        );
    }
    assert!((0..pairs.correct).any(|row| (k[row], e[row], follow[row]) == (-128, 2, -128)));
    // pow(k, -1) traps.
    let refused = ints(&pairs.refused[1]);
    assert!(!refused.is_empty() && refused.iter().all(|&e| e == 0), "{refused:?}");
    // If parameters are exchanged, the follow-up input needs no variables of its own.
    let written: Vec<String> = found.pairs[1].variables.iter().map(|v| v.expression.to_string()).collect();
    assert_eq!(written, ["k", "e", "pow(k, e)", "pow(e, k)"]);
}

#[test]
fn outputs_of_parameters_that_are_written_to() {
    let workbench = shipped("genmorph");
    let sort = workbench.function("sort").expect("sort");
    let sources = of(&workbench, sort, 200);
    let wanted = named(&workbench, sort, &["SequenceFlip(array)", "FeedBack(array)"]);
    let how = CollectCase { operators: OperatorSet::all(), ..case(500, 2) };
    let found = collected(&workbench, sort, &sources, &wanted, how);
    let written: Vec<String> = found.pairs[0].variables.iter().map(|v| v.expression.to_string()).collect();
    let source = "sort(array, fromIndex, toIndex).array";
    let follow_up = "sort(reverse(array), fromIndex, toIndex).array";
    assert_eq!(written, ["array", "fromIndex", "toIndex", source, "reverse(array)", follow_up]);
    // In the original, sorting again changes nothing. The follow-up input of a mutant is the mutant's own output.
    let fed = &found.pairs[1];
    let (once, twice) = (place(fed, Place::SourceOutput(0)), place(fed, Place::FollowUpOutput(0)));
    assert!(fed.correct > 50 && !fed.mutants.is_empty());
    assert!((0..fed.correct).all(|row| once.same(row, twice, row)));
    assert!(fed.variables.iter().all(|v| !matches!(v.place, Place::FollowUpInput(_))), "it is the output");
}

/// Runs each row again: correct rows agree with the original, incorrect rows do not, and no row occurs twice.
#[test]
fn rows_are_what_they_are_said_to_be() {
    let workbench = shipped("genmorph");
    for name in ["gcd", "abbreviate", "join", "isSorted"] {
        let function = workbench.function(name).expect(name);
        let sources = of(&workbench, function, 60);
        let mut wanted = some(&workbench, function, 5);
        wanted.extend(all(&workbench, function).into_iter().filter(Transformation::feeds_back).take(2));
        let how = CollectCase { constants: constants(&workbench, function), ..case(150, 2) };
        let found = collected(&workbench, function, &sources, &wanted, how);
        assert_eq!(found.pairs.len(), wanted.len());
        for (pairs, transformation) in found.pairs.iter().zip(&wanted) {
            check_rows(&workbench, function, pairs, transformation);
        }
    }
}

fn check_rows(workbench: &Workbench, function: usize, pairs: &Pairs, transformation: &Transformation) {
    let declared = &workbench.functions()[function];
    assert!(pairs.correct <= 150 && pairs.mutants.len() <= 150, "{}", transformation.name);
    assert!(pairs.columns.iter().all(|column| column.len() == pairs.rows()), "{}", transformation.name);
    let correct: Vec<u32> = (0..pairs.correct as u32).collect();
    let columns: Vec<Column> = pairs.columns.iter().map(|c| c.select(&correct)).collect();
    let mut seen = std::collections::HashSet::new();
    assert!(rows(&columns).into_iter().all(|row| seen.insert(row)), "{}: a row twice", transformation.name);
    let source: Vec<Column> =
        (0..declared.parameters.len()).map(|i| place(pairs, Place::SourceInput(i)).clone()).collect();
    if pairs.rows() == 0 {
        return;
    }
    let predicate = Precondition::compile(declared).expect("it compiles");
    assert!(predicate.is_none_or(|p| p.evaluate(&source).into_iter().all(|holds| holds)));
    let mut runner = workbench.target.executable.runner();
    let calls = runner.call(function, &source).expect("it runs");
    let again = change(workbench.functions(), function, transformation).expect("a maker of follow-up inputs");
    let follow_ups = again.inputs(&source, &calls).expect("follow-up inputs");
    if follow_ups.rows.is_empty() {
        return;
    }
    let follow_up_calls = runner.call(function, &follow_ups.arguments).expect("it runs");
    let mut same_rows = 0;
    for (i, &row) in follow_ups.rows.iter().enumerate() {
        let row = row as usize;
        let outputs = |calls: &dodona_target::Calls, at: usize, place_of: fn(usize) -> Place| {
            (0..calls.outputs.len()).all(|o| calls.outputs[o].same(at, place(pairs, place_of(o)), row))
        };
        let same =
            outputs(&calls, row, Place::SourceOutput) && outputs(&follow_up_calls, i, Place::FollowUpOutput);
        assert_eq!(same, row < pairs.correct, "{}: row {row}", transformation.name);
        same_rows += usize::from(same);
    }
    assert_eq!(same_rows, pairs.correct, "{}", transformation.name);
}

#[test]
fn one_thread_or_two() {
    let workbench = shipped("genmorph");
    for name in ["stirling", "difference"] {
        let function = workbench.function(name).expect(name);
        let sources = of(&workbench, function, 100);
        let wanted = some(&workbench, function, 9);
        let [one, two] =
            [1, 2].map(|jobs| collected(&workbench, function, &sources, &wanted, case(300, jobs)));
        assert_eq!(one.mutated, two.mutated);
        for (a, b) in one.pairs.iter().zip(&two.pairs) {
            assert_eq!(rows(&a.columns), rows(&b.columns));
            assert_eq!((a.correct, &a.mutants, &a.crashed), (b.correct, &b.mutants, &b.crashed));
            assert_eq!(rows(&a.refused), rows(&b.refused));
        }
    }
}

#[test]
fn mutants_that_are_held_out_are_not_run() {
    let workbench = shipped("genmorph");
    let function = workbench.function("gcd").expect("gcd");
    let sources = of(&workbench, function, 50);
    let wanted = named(&workbench, function, &["PermuteParameters(p, q)"]);
    let whole = collected(&workbench, function, &sources, &wanted, case(200, 2));
    let half =
        collected(&workbench, function, &sources, &wanted, CollectCase { hold_out: 0.5, ..case(200, 2) });
    let mut both = [half.mutated.searched.clone(), half.mutated.held_out.clone()].concat();
    both.sort();
    assert_eq!(both, whole.mutated.searched);
    assert!(half.mutated.searched.len().abs_diff(half.mutated.held_out.len()) <= 1);
    assert_eq!(half.pairs[0].mutant_count, half.mutated.searched.len());
    assert!(half.pairs[0].mutants.iter().all(|&m| (m as usize) < half.mutated.searched.len()));
    let most =
        collected(&workbench, function, &sources, &wanted, CollectCase { hold_out: 0.999, ..case(200, 1) });
    assert_eq!(most.mutated.searched.len(), 1, "the search sees at least one");
}

const MANIFEST: &str = "[[function]]\nsignature = \"f(x: i32) -> i32\"\nsample.x = { range = [-50, 50] }\n";

#[test]
fn a_mutant_that_stops_where_the_original_returns_is_crashed() {
    // A mutant of the addition in 100 / ((x & 7) + 1) divides by zero.
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (i32.div_s (i32.const 100) (i32.add (i32.and (local.get 0) (i32.const 7)) (i32.const 1)))))"#;
    let (_folder, workbench) = module(text, MANIFEST);
    let sources = of(&workbench, 0, 100);
    let wanted = named(&workbench, 0, &["NumericAddition(x, 1)"]);
    let found = collected(&workbench, 0, &sources, &wanted, case(1000, 2));
    assert!(!found.pairs[0].crashed.is_empty());
    assert!(rows(&found.pairs[0].refused).is_empty());
}

#[test]
fn source_calls_that_trap_are_left_out_and_follow_up_calls_that_trap_are_refused() {
    // 100 / x.
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (i32.div_s (i32.const 100) (local.get 0))))"#;
    let (_folder, workbench) = module(text, MANIFEST);
    let sources = of(&workbench, 0, 400);
    let wanted = named(&workbench, 0, &["NumericAddition(x, 1)"]);
    let found = collected(&workbench, 0, &sources, &wanted, case(1000, 2));
    let pairs = &found.pairs[0];
    assert!(!ints(place(pairs, Place::SourceInput(0))).contains(&0));
    assert_eq!(rows(&pairs.refused), ["-1 | -100"]);
}

#[test]
fn a_function_without_mutants_has_correct_executions_and_a_warning() {
    let text = r#"(module (func (export "f") (param i32) (result i32) (local.get 0)))"#;
    let (_folder, workbench) = module(text, MANIFEST);
    let sources = of(&workbench, 0, 50);
    let wanted = named(&workbench, 0, &["NumericAddition(x, 1)"]);
    let none = CollectCase { operators: OperatorSet::parse(&["AOR"]).expect("known"), ..case(1000, 2) };
    let found = collected(&workbench, 0, &sources, &wanted, none);
    assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
    assert!(found.pairs[0].correct > 10 && found.pairs[0].mutants.is_empty());
}

#[test]
fn an_interrupted_collection_has_what_was_run() {
    let workbench = shipped("genmorph");
    let function = workbench.function("gcd").expect("gcd");
    let sources = of(&workbench, function, 50);
    let wanted = all(&workbench, function);
    let stop = Interruption::raised();
    let found =
        try_collect(&workbench, function, &sources, &wanted, case(100, 2), &Until::interrupted(&stop));
    assert!(found.is_ok_and(|found| found.pairs.iter().all(|pairs| pairs.mutants.is_empty())));
}

#[test]
fn every_follow_up_call_of_every_shipped_function_checks() {
    for name in ["gcd", "genmorph", "mymethod", "sorting", "tcas", "tokens", "triangle", "trig"] {
        let workbench = shipped(name);
        let functions = &workbench.functions();
        for (index, function) in functions.iter().enumerate() {
            let made = all(&workbench, index);
            assert!(!made.is_empty(), "{}", function.name);
            for t in made {
                assert!(change(functions, index, &t).is_ok(), "{}: {}", function.name, t.given());
                let calls = [t.source(), t.follow_up()].map(|call| call.to_string());
                assert!(calls.iter().all(|call| parse_expression(call).is_ok()), "{calls:?}");
            }
        }
    }
}

#[test]
fn two_in_a_row_are_there_too() {
    let workbench = shipped("genmorph");
    let function = workbench.function("center").expect("center");
    let made = all(&workbench, function);
    assert_eq!(made.len(), 64);
    assert!(made.iter().any(|t| t.template == Template::Sequence));
}

#[test]
fn only_what_makes_other_inputs_inside_the_domain_is_tried() {
    let text =
        r#"(module (func (export "f") (param i32) (result i32) (i32.mul (local.get 0) (local.get 0))))"#;
    let manifest = "[[function]]\nsignature = \"f(x: i32) -> i32\"\ndomain.x = { range = [0, 3] }\n";
    let (_folder, workbench) = module(text, manifest);
    let sources = of(&workbench, 0, 50);
    let kept = useful(&workbench, 0, &sources, &[], 64, 1).expect("transformations");
    let names: Vec<&str> = kept.iter().map(|t| t.name.as_str()).collect();
    assert!(
        names.contains(&"NumericAddition(x, -1)") && names.contains(&"NumericAddition(x, 1)"),
        "{names:?}"
    );
    // This transformation leaves the domain from every value.
    assert!(!names.contains(&"NumericAddition(x, 10)"), "{names:?}");
    let mut seen = std::collections::HashSet::new();
    for transformation in &kept {
        let maker = change(workbench.functions(), 0, transformation).expect("a maker of follow-up inputs");
        let made = maker.inputs(&sources.columns, &sources.calls).expect("follow-up inputs");
        assert!(seen.insert((made.rows, rows(&made.arguments))), "{}", transformation.name);
    }
}

#[test]
fn long_texts_are_left_out() {
    let workbench = shipped("genmorph");
    let function = workbench.function("repeat").expect("repeat");
    let mut sources = of(&workbench, function, 100);
    sources.columns[0].push(&Value::Text("abcd".into()));
    sources.columns[1].push(&Value::Int(1000));
    sources.calls.outcomes.push(dodona_target::Outcome::Returned);
    sources.calls.outputs[0].push(&Value::Text("abcd".repeat(1000).into()));
    let wanted = named(&workbench, function, &["NumericMultiplication(count, 10)", "FeedBack(string)"]);
    let found = collected(&workbench, function, &sources, &wanted, case(500, 2));
    for pairs in &found.pairs {
        assert!(pairs.correct > 20 && !pairs.mutants.is_empty());
        assert!(!ints(place(pairs, Place::SourceInput(1))).contains(&1000));
        for output in [Place::SourceOutput(0), Place::FollowUpOutput(0)] {
            let Column::Text(texts) = place(pairs, output) else { panic!("texts") };
            assert!(texts.rows().all(|text| text.len() <= 1024));
        }
    }
}
