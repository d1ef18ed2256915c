//! Mutation analysis where it is hard: mutants that never end, functions that remember, modules without source places;
//! and a mutant among all others does what it does as a module of its own.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use dodona_mutants::{Describer, Form, Mutant, Mutants, Plan, Scope, alone};
use dodona_mutation::{
    Callees, KeepMatrix, MutateOptions, MutateOutcome, Mutation, MutationBounds, OperatorSet, mutate,
};
use dodona_records::{Against, Judgement, KillKind, Mode, MutantRecord, Pruning, RelationVerdict};
use dodona_sources::{Sampler, Seed};
use dodona_subject::{Fuel, Function, Manifest};
use dodona_target::{Calls, Column, Interruption, Outcome};
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Executable, Isolation, Options};

const WAT: &str = r#"(module
  (memory (export "memory") 1)
  (global $seen (mut i32) (i32.const 0))
  ;; Counts to n.
  (func $count (export "count") (param $n i32) (result i32) (local $i i32)
    (block $done (loop $next
      (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
    (local.get $i))
  ;; n, by recursion.
  (func $down (export "down") (param $n i32) (result i32)
    (if (result i32) (i32.eqz (local.get $n))
      (then (i32.const 0))
      (else (i32.add (call $down (i32.sub (local.get $n) (i32.const 1))) (i32.const 1)))))
  ;; Takes n pages, one at a time.
  (func $grown (export "grown") (param $n i32) (result i32)
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $n)))
      (drop (memory.grow (i32.const 1)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $next)))
    (memory.size))
  (func $ratio (export "ratio") (param $a i32) (param $b i32) (result i32)
    (i32.div_s (local.get $a) (i32.or (local.get $b) (i32.const 1))))
  ;; Remembers: in one instance the second call would differ from the first.
  (func $total (export "total") (param $n i32) (result i32)
    (global.set $seen (i32.add (global.get $seen) (local.get $n)))
    (i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (global.get $seen)))
    (i32.load (i32.const 64)))
  (func $nothing (export "nothing"))
  ;; As many turns as asked for, up to 200,000.
  (func $spin (export "spin") (param $n i32) (result i32) (local $i i32)
    (if (i32.gt_s (local.get $n) (i32.const 200000)) (then (local.set $n (i32.const 200000))))
    (block $done (loop $next
      (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
    (local.get $i))
  (func $size (export "size") (param $x i32) (result i32)
    (i32.and (local.get $x) (i32.const 7))))"#;

const MANIFEST: &str = r#"
module = "hard.wat"
relations = ["hard.mr"]
[limits]
memory = "1 MiB"
stack = "16 KiB"
[[function]]
signature = "count(n: i32) -> i32"
domain.n = { range = [0, 50] }
[[function]]
signature = "down(d: i32) -> i32"
domain.d = { range = [100, 200] }
[[function]]
signature = "grown(p: i32) -> i32"
domain.p = { range = [0, 3] }
[[function]]
signature = "ratio(a: i32, b: i32) -> i32"
domain.a = { range = [0, 100] }
domain.b = { range = [0, 6] }
[[function]]
signature = "total(t: i32) -> i32"
domain.t = { range = [1, 100] }
[[function]]
signature = "nothing()"
[[function]]
signature = "spin(s: i32) -> i32"
domain.s = { range = [0, 2000000] }
sample.s = { range = [0, 10] }
[[function]]
signature = "size(x: i32) -> i32"
domain.x = { range = [0, 1000000] }
sample.x = { distribution = "uniform" }
"#;

const RELATIONS: &str = "
relation follows: spin(size(x)) >= 0
relation wrong:   count(n) == n + 1
";

fn write(folder: &Path, files: &[(&str, &str)]) -> Arc<Workbench> {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("writes");
    }
    open(folder)
}

fn open(folder: &Path) -> Arc<Workbench> {
    let manifest = Manifest::find(folder).unwrap_or_else(|e| panic!("{e:#?}"));
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")))
}

/// The functions above, in a folder that lives as long as the first of the pair.
fn hard() -> (tempfile::TempDir, Arc<Workbench>) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [("hard.wat", WAT), ("dodona.toml", MANIFEST), ("hard.mr", RELATIONS)];
    let workbench = write(folder.path(), &files);
    (folder, workbench)
}

fn options(function: &str, against: Against) -> MutateOptions {
    MutateOptions {
        functions: vec![function.to_owned()],
        callees: Callees::Left,
        operators: OperatorSet::all(),
        relations: vec!["follows".to_owned()],
        against,
        inputs: 30,
        files: vec![],
        made: vec![],
        seed: Seed(3),
        jobs: NonZeroUsize::MIN,
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        keep_matrix: KeepMatrix::No,
        bounds: MutationBounds::default(),
        versions: Vec::new(),
    }
}

fn run(workbench: &Arc<Workbench>, options: &MutateOptions) -> Mutation {
    match mutate(workbench, options, &Interruption::default(), &mut |_| {}).expect("it runs") {
        MutateOutcome::Analysed(mutation) => *mutation,
        MutateOutcome::BaselineViolated(record) => panic!("the baseline is violated: {record:#?}"),
    }
}

fn inputs_only(workbench: &Arc<Workbench>, function: &str) -> Vec<MutantRecord> {
    run(workbench, &options(function, Against::Inputs)).record.mutants
}

/// How a mutant was killed, found by its instruction and by what it became.
fn how(mutants: &[MutantRecord], place: &str, after: &str) -> KillKind {
    let found = mutants.iter().find(|m| m.places[0].to_string() == place && m.after == after);
    let found = found.unwrap_or_else(|| panic!("no mutant {place} → {after}"));
    assert!(!matches!(found.judgement, Judgement::Alive | Judgement::Equivalent { .. }), "{found:#?}");
    found.revealed_by.as_ref().expect("revealed").how.clone()
}

fn trap(trap: &str) -> KillKind {
    KillKind::Trap { trap: trap.to_owned() }
}

#[test]
fn mutants_that_never_end_or_trap_are_killed_and_the_kind_is_named() {
    let (_folder, workbench) = hard();
    let count = inputs_only(&workbench, "count");
    assert_eq!(how(&count, "count+8", "i32.sub"), KillKind::OutOfFuel);
    assert_eq!(how(&count, "count+5", "unreachable; br_if 1"), trap("unreachable"));
    assert_eq!(how(&count, "count+4", "i32.lt_s"), KillKind::Output);
    let down = inputs_only(&workbench, "down");
    assert_eq!(how(&down, "down+7", "i32.add"), trap("call stack exhausted"));
    let grown = inputs_only(&workbench, "grown");
    assert_eq!(how(&grown, "grown+10", "i32.add"), trap("memory limit reached"));
    let ratio = inputs_only(&workbench, "ratio");
    assert_eq!(how(&ratio, "ratio+3", "i32.and"), trap("division by zero"));
    let total = inputs_only(&workbench, "total");
    assert_eq!(how(&total, "total+4", "i32.const -1"), trap("out of bounds memory access"));
}

#[test]
fn a_function_without_a_mutation_site_has_an_empty_table() {
    let (_folder, workbench) = hard();
    let record = run(&workbench, &options("nothing", Against::Inputs)).record;
    assert_eq!(record.mutants, []);
    assert_eq!((record.score(), record.suite_score()), (None, None));
    assert_eq!((record.work.pairs, record.by_operator().len()), (0, 0));
}

#[test]
fn without_source_places_mutants_are_told_in_instructions() {
    let (_folder, workbench) = hard();
    let mutants = inputs_only(&workbench, "ratio");
    for mutant in &mutants {
        let place = &mutant.places[0];
        assert_eq!((&place.file, place.line, place.column, &mutant.source_line), (&None, None, None, &None));
        assert!(!mutant.before.is_empty() && !mutant.after.is_empty(), "{mutant:#?}");
    }
    let division = mutants.iter().find(|m| m.operator == "AOR").expect("a division");
    assert_eq!((division.before.as_str(), division.after.as_str()), ("i32.div_s", "i32.add"));
    assert_eq!(division.places[0].to_string(), "ratio+4");
}

#[test]
fn a_relation_that_the_original_violates_stops_the_analysis() {
    let (_folder, workbench) = hard();
    let wrong = MutateOptions { relations: vec!["wrong".to_owned()], ..options("count", Against::Both) };
    let mut heard = 0;
    let outcome = mutate(&workbench, &wrong, &Interruption::default(), &mut |_| heard += 1).expect("it runs");
    let MutateOutcome::BaselineViolated(record) = outcome else { panic!("analysed: {outcome:#?}") };
    assert_eq!(record.relations[0].verdict(), RelationVerdict::Violated);
    assert_eq!(heard, 0, "no mutant was run");
}

/// A mutant of `size` makes the follow-up `spin` long where the original's is short. That is no fault of `spin`.
#[test]
fn a_follow_up_on_another_input_has_the_fuel_that_the_original_needs_there() {
    let (_folder, workbench) = hard();
    let record = run(&workbench, &options("size", Against::Both)).record;
    let found = |m: &MutantRecord| m.revealed_by.as_ref().and_then(|r| r.found.parse::<i64>().ok());
    let long = record.mutants.iter().filter(|m| found(m).is_some_and(|turns| turns > 20_000)).count();
    assert!(long > 0, "no mutant makes the follow-up long");
    let killed = record.mutants.iter().flat_map(|m| &m.killed_by);
    let spent: Vec<_> = killed.filter(|kill| kill.how == KillKind::OutOfFuel).collect();
    assert!(spent.is_empty(), "{spent:#?}");
}

#[test]
fn a_follow_up_that_never_ends_is_out_of_fuel() {
    let (_folder, workbench) = hard();
    let record = run(&workbench, &options("spin", Against::Both)).record;
    let mut mutants = record.mutants.iter();
    let backwards = mutants.find(|m| m.operator == "AOR" && m.after == "i32.sub").expect("counting down");
    assert_eq!(backwards.killed_by[0].how, KillKind::OutOfFuel, "{backwards:#?}");
}

#[test]
fn mutants_of_a_command_are_killed_by_what_it_writes_and_by_how_it_ends() {
    const UPPER: &str = "#include <unistd.h>
int main(void) {
    char c;
    while (read(0, &c, 1) == 1) {
        if (c == '!') { return 3; }
        if ('a' <= c && c <= 'z') { c -= 'a' - 'A'; }
        write(1, &c, 1);
    }
    return 0;
}
";
    const COMMAND: &str = r#"
relations = ["upper.mr"]
[build]
c = ["upper.c"]
[[function]]
signature = "upper(text: text) -> command"
lower.text = "stdin"
sample.text = { length = [0, 12], alphabet-ranges = ["A-Z", "a-z"], favour = ["a!b"] }
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let relation = "relation again: upper(upper(text).stdout).stdout == upper(text).stdout\n";
    let files = [("upper.c", UPPER), ("dodona.toml", COMMAND), ("upper.mr", relation)];
    let workbench = write(folder.path(), &files);
    let options = MutateOptions { relations: vec![], ..options("upper", Against::Both) };
    let record = run(&workbench, &options).record;
    let kinds: BTreeSet<String> =
        record.mutants.iter().filter_map(|m| Some(m.revealed_by.as_ref()?.how.to_string())).collect();
    assert!(kinds.contains("other outputs") && kinds.contains("trapped: unreachable"), "{kinds:?}");
    let exit = record.mutants.iter().find(|m| m.before.contains("3") && m.after.contains("4"));
    let exit = exit.expect("a mutant of the exit code");
    assert_eq!(exit.places[0].line, Some(5), "{exit:#?}");
    assert_eq!(exit.revealed_by.as_ref().expect("another exit code").how, KillKind::Output);
    assert!(record.relations[0].kills > 0);
}

#[test]
fn calls_of_a_function_that_remembers_do_not_see_each_other() {
    let (_folder, workbench) = hard();
    let total = workbench.functions().iter().position(|f| f.name == "total").expect("declared");
    assert!(matches!(workbench.target.executable.isolation(total), Isolation::Fresh { .. }));
    agrees_with_modules_of_their_own(&workbench, 40, 3);
}

fn shipped(subject: &str) -> Arc<Workbench> {
    open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(subject))
}

#[test]
fn mutants_of_triangle_behave_as_modules_of_their_own() {
    agrees_with_modules_of_their_own(&shipped("triangle"), 200, 3);
}

#[test]
fn mutants_of_gcd_behave_as_modules_of_their_own() {
    agrees_with_modules_of_their_own(&shipped("gcd"), 100, 3);
}

#[test]
fn mutants_of_sorting_behave_as_modules_of_their_own() {
    agrees_with_modules_of_their_own(&shipped("sorting"), 50, 13);
}

/// Many times what the originals use, so that endless mutants end soon.
const FUEL: u64 = 20_000;

/// Runs every so-many-th mutant on random inputs, chosen in each form of one module and alone.
fn agrees_with_modules_of_their_own(workbench: &Workbench, inputs: usize, step: usize) {
    let (module, manifest) = (&workbench.target.module, &workbench.target.manifest);
    let scope = Scope::of(module, &manifest.functions, &Callees::Left, manifest);
    let all = Mutants::generate(module, &scope, usize::MAX, &mut Describer::new(None, manifest.folder()));
    let mutants: Vec<&Mutant> = all.mutants.iter().step_by(step).collect();
    assert!(mutants.len() > 30, "{} mutants are few", mutants.len());
    let mut options = Options::of(manifest);
    options.limits.fuel = Fuel(FUEL);
    let mut together: Vec<_> = [Form::CopyPerPlace, Form::CopyPerMutant, Form::SwitchPerPlace]
        .map(|form| {
            let plan = Plan::new(module, &all, &mutants, form);
            let loaded =
                Executable::load_with_variants(module, &manifest.functions, &options, &plan.variants);
            (form, plan.choices, loaded.expect("all load").runner())
        })
        .into();
    for (number, mutant) in mutants.iter().enumerate() {
        let own = alone(module, &all, mutant).expect("a valid module");
        let own = Executable::load(&own, &manifest.functions, &options).expect("it loads");
        for (index, function) in manifest.functions.iter().enumerate() {
            let arguments = drawn(function, Seed(mutant.id.0.into()), inputs);
            let mut own = own.runner();
            let expected = own.call(index, &arguments).expect("it runs");
            for (form, choices, runner) in &mut together {
                runner.choose(choices[number]);
                let found = runner.call(index, &arguments).expect("it runs");
                let what = format!("{} {} of {}, {form:?}", mutant.id, mutant.operator, function.name);
                let fuel = (own.fuel_used(), runner.fuel_used());
                same(&expected, &found, fuel, &arguments, &what);
            }
        }
    }
}

fn drawn(function: &Function, seed: Seed, rows: usize) -> Vec<Column> {
    let column = |parameter: &dodona_target::Parameter| {
        let sampler = Sampler::new(parameter.ty, &parameter.domain, &parameter.sampling);
        sampler.expect("a domain").column(&mut seed.stream(&parameter.name, 0), rows)
    };
    function.parameters.iter().map(column).collect()
}

fn same(expected: &Calls, found: &Calls, fuel: (&[u64], &[u64]), arguments: &[Column], what: &str) {
    for row in 0..expected.outcomes.len() {
        let (a, b) = (expected.outcomes[row], found.outcomes[row]);
        let input = || arguments.iter().map(|column| column.value(row)).collect::<Vec<_>>();
        if a != b && (a == Outcome::OutOfFuel || b == Outcome::OutOfFuel) {
            // Alone, the mutant's own instructions are charged; in a copy, the original's.
            assert!(fuel.0[row].min(fuel.1[row]) > FUEL / 4, "{what} on {:?}: {a:?}, {b:?}", input());
            continue;
        }
        assert_eq!(a, b, "{what} on {:?}", input());
        if a.has_outputs() {
            for (a, b) in expected.outputs.iter().zip(&found.outputs) {
                assert!(a.same(row, b, row), "{what} on {:?}", input());
            }
        }
    }
}

/// Two functions: one of few instructions, and one that is an expression of so many operands.
fn large(operands: usize) -> (tempfile::TempDir, Arc<Workbench>) {
    let terms: String =
        (0..operands).map(|i| format!("(local.get 0) (i32.{}) ", ["add", "mul"][i % 2])).collect();
    let wat = format!(
        r#"(module (func (export "small") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
            (func $large (export "large") (param i32) (result i32) (local.get 0) {terms}))"#
    );
    let function = |name: &str| format!("[[function]]\nsignature = \"{name}(x: i32) -> i32\"\n");
    let manifest = format!("module = \"m.wat\"\n{}{}", function("small"), function("large"));
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = write(folder.path(), &[("m.wat", &wat), ("dodona.toml", &manifest)]);
    (folder, workbench)
}

#[test]
fn functions_that_are_too_large_are_left_out_and_named() {
    let (_folder, workbench) = large(6_000);
    let both = |instructions: usize| MutateOptions {
        functions: vec![],
        relations: vec![],
        bounds: MutationBounds { instructions, ..MutationBounds::default() },
        ..options("small", Against::Inputs)
    };
    let record = run(&workbench, &both(MutationBounds::default().instructions)).record;
    assert!(!record.mutants.is_empty());
    assert!(
        record.mutants.iter().all(|m| m.places.iter().all(|p| p.function.contains("small"))),
        "{record:#?}"
    );
    let skipped = record.skipped.iter().find(|site| site.place.function.contains("large")).expect("told");
    assert_eq!(skipped.reason, "12002 instructions; --max-instructions 12002 mutates it");
    let warning = "1 function is too large to mutate: large (12002 instructions); \
                   `mutate --max-instructions N` mutates functions of up to N";
    assert_eq!(record.warnings, [warning]);
    // At its own length it is not too large.
    let (_folder, workbench) = large(10);
    let record = run(&workbench, &both(22)).record;
    assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    assert!(record.mutants.iter().any(|m| m.places[0].function.contains("large")));
    assert!(!run(&workbench, &both(21)).record.warnings.is_empty());
}

#[test]
fn mutants_that_are_not_compared_are_counted() {
    let (_folder, workbench) = large(10);
    let few = MutateOptions {
        functions: vec![],
        relations: vec![],
        bounds: MutationBounds { compared: 0, ..MutationBounds::default() },
        ..options("small", Against::Inputs)
    };
    let record = run(&workbench, &few).record;
    let count = record.mutants.len();
    assert!(
        record.warnings[0].starts_with(&format!("{count} of {count} mutants were not compared")),
        "{:?}",
        record.warnings
    );
    assert!(
        !record
            .mutants
            .iter()
            .any(|m| matches!(m.judgement, Judgement::Equivalent { .. } | Judgement::Duplicate { .. }))
    );
}

#[test]
fn mutants_of_a_function_without_parameters_are_infected_in_every_group() {
    let wat = r#"(module
      (func (export "answer") (result i32) (i32.const 42))
      (func (export "id") (param $x i32) (result i32) (local.get $x)))"#;
    let manifest = "module = \"m.wat\"\nrelations = [\"m.mr\"]\n[[function]]\nsignature = \"answer() -> i32\"\n\
                    [[function]]\nsignature = \"id(x: i32) -> i32\"\ndomain.x = { range = [-1000, 1000] }\n";
    let relation = "relation follows: answer() + id(x) == 42 + x\n";
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = write(folder.path(), &[("m.wat", wat), ("dodona.toml", manifest), ("m.mr", relation)]);
    let kills = |pruning| {
        let options = MutateOptions { pruning, mode: Mode::Matrix, ..options("answer", Against::Relations) };
        let mutants = run(&workbench, &options).record.mutants;
        mutants.into_iter().map(|m| (m.id, m.after, m.killed_by)).collect::<Vec<_>>()
    };
    let pruned = kills(Pruning::Infected);
    assert_eq!(pruned, kills(Pruning::Off));
    let groups: Vec<u64> = pruned.iter().flat_map(|(_, _, kills)| kills).map(|kill| kill.groups).collect();
    assert!(!groups.is_empty() && groups.iter().all(|&groups| groups == 30), "{groups:?}");
}
