//! Discovery from end to end, on shipped subjects: what is to be found is found, holds, and is the same for any number of threads.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dodona_discovery::{
    DiscoverOptions, DiscoverProgress, Faults, Forms, LawsOptions, LawsStage, SOURCES_BY, SoFar, Stage,
    discover, laws,
};
use dodona_generation::Technique;
use dodona_inference::discovery::{SearchKind, Settings};
use dodona_mutation::{Callees, OperatorSet};
use dodona_records::{DiscoveryRecord, DiscoveryStop};
use dodona_relations::ast::{BinaryOperator, Body, Node, Relation};
use dodona_relations::parse;
use dodona_simplify::equivalent;
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;

fn open(folder: &Path) -> Arc<Workbench> {
    let manifest = Manifest::find(folder).expect("a manifest");
    Arc::new(dodona_wasm::open(Manifest { relations: Vec::new(), ..manifest }).expect("it opens"))
}

fn shipped(name: &str) -> Arc<Workbench> {
    open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name))
}

/// A small search under the transformations of these names, ended by what is counted. No input comes from a path: a solver takes
/// most of the time of a test, and its clock decides how many there are. Few operators make mutants, because all that are not
/// searched with are scored on at the end.
fn small(seed: u64, only: &[&str]) -> DiscoverOptions {
    DiscoverOptions {
        seed: Seed(seed),
        time: None,
        work: None,
        relations: 4,
        everything: true,
        inputs: 300,
        techniques: vec![Technique::Adaptive, Technique::Random],
        frames: None,
        files: Vec::new(),
        transformations: 64,
        only: only.iter().map(|&name| name.to_owned()).collect(),
        executions: 1_000,
        callees: Callees::WithSource,
        operators: OperatorSet::parse(&["AOR", "ROR"]).expect("operators"),
        hold_out: 0.0,
        mutants: 60,
        faults: Faults::All,
        versions: Vec::new(),
        forms: Default::default(),
        settings: Settings { population: 100, migrants: 16, enumerate_size: 4, ..Settings::default() },
        generations: 10,
        evolution_share: 0.5,
        fresh: 5_000,
        prove: None,
        jobs: NonZeroUsize::MIN,
        so_far: SoFar::default(),
    }
}

fn found(workbench: &Arc<Workbench>, function: &str, options: &DiscoverOptions) -> DiscoveryRecord {
    let function = workbench.function(function).expect("it is there");
    discover(workbench, function, options, &Interruption::default(), &mut |_| {}).expect("it runs")
}

#[test]
fn mutants_that_stand_for_others_are_enough_to_search_and_to_score_with() {
    let workbench = shipped("gcd");
    let all = found(&workbench, "gcd", &small(1, &["PermuteParameters(p, q)"]));
    let few = DiscoverOptions { faults: Faults::Dominators, ..small(1, &["PermuteParameters(p, q)"]) };
    let few = found(&workbench, "gcd", &few);
    let seen = |record: &DiscoveryRecord| record.searched_mutants.len() + record.held_out.len();
    assert!(seen(&few) > 0 && seen(&few) < seen(&all) / 2, "{} of {}", seen(&few), seen(&all));
    assert!(!few.relations.is_empty());
}

/// Whatever enumeration would still have to do, generations have their share of the time.
#[test]
fn enumeration_leaves_a_share_of_the_time_to_evolution() {
    let workbench = shipped("gcd");
    // So long that the clock decides nothing else.
    let time = Some(Duration::from_secs(1_000_000));
    let with = |evolution_share: f64, search: SearchKind| {
        let mut options = DiscoverOptions { time, evolution_share, ..small(1, &["PermuteParameters(p, q)"]) };
        (options.settings.search, options.generations) = (search, 2);
        let work = found(&workbench, "gcd", &options).work;
        (work.enumerated > 0, work.generations)
    };
    assert_eq!(with(1.0, SearchKind::Auto), (false, 2), "all of the time is left to evolution");
    assert!(with(0.5, SearchKind::Auto).0, "there is time for both");
    assert_eq!(with(1.0, SearchKind::Enumerate), (true, 0), "enumeration alone leaves nothing");
    assert_eq!(with(0.0, SearchKind::Evolve), (false, 2));
}

/// The relation of a text, without its condition.
fn bare(text: &str) -> Relation {
    let mut file = parse(text).expect("a relation");
    Relation { condition: None, ..file.relations.remove(0) }
}

/// What a relation says, each part that `and` joins alone.
fn parts(relation: &Relation) -> Vec<Relation> {
    let Body::Calls(expect) = &relation.body else { panic!("a relation over calls") };
    let mut open = vec![expect.clone()];
    let mut parts = Vec::new();
    while let Some(expect) = open.pop() {
        match expect.node {
            Node::Binary(BinaryOperator::And, a, b) => open.extend([*a, *b]),
            _ => parts.push(Relation { body: Body::Calls(expect), ..relation.clone() }),
        }
    }
    parts
}

/// Whether a part of a relation says the same as one of these, where its condition holds.
fn says(workbench: &Workbench, record: &DiscoveryRecord, wanted: &[&str]) -> bool {
    let functions = &workbench.functions();
    let wanted: Vec<Relation> = wanted.iter().map(|w| bare(&format!("relation wanted: {w}"))).collect();
    let says = |part: &Relation| wanted.iter().any(|w| equivalent(part, w, functions));
    record.relations.iter().any(|relation| parts(&bare(&relation.text)).iter().any(says))
}

/// The function alone. A search in a module of 23 functions takes three times as long, most of it in compiling the others.
const POW: &str = r"
static int product(int a, int b) {
    int result;
    if (__builtin_mul_overflow(a, b, &result)) __builtin_trap();
    return result;
}

int power(int k, int e) {
    int result = 1, square = k;
    if (e < 0) __builtin_trap();
    for (;;) {
        if (e & 1) result = product(result, square);
        e >>= 1;
        if (e == 0) return result;
        square = product(square, square);
    }
}";

/// The mean, updated value by value so that it cannot overflow. It is one of positive numbers: where integers cancel each other, what is left of
/// the rounding inside the function is beyond every relative tolerance.
const MEAN: &str = r"
double mean(const int *values, int n) {
    if (n < 1) __builtin_trap();
    double mean = values[0];
    for (int i = 1; i < n; i++) mean += (values[i] - mean) / (i + 1);
    return mean;
}";

/// The sine by its series, of an angle less than half a turn away from 0.
const SINE: &str = r"
double sine(double x) {
    double angle = x - 6.283185307179586 * __builtin_rint(x / 6.283185307179586);
    double term = angle, sum = angle;
    for (int n = 2; n < 26; n += 2) {
        term *= -angle * angle / (n * (n + 1));
        sum += term;
    }
    return sum;
}";

const OF_POW: &str = "signature = 'pow(k: i32, e: i32) -> i32'\nexport = 'power'\n\
                      sample.k = { range = [-12, 12], favour = [2, -2] }\n\
                      sample.e = { range = [-1, 8], distribution = 'uniform', favour = [30, 31] }\n";

const OF_MEAN: &str = "signature = 'meanOf(values: [i32]) -> f64'\nexport = 'mean'\n\
                       domain.values = { range = [1, 1000000], length = [0, 128] }\n\
                       sample.values = { range = [1, 10000], length = [0, 16] }\n";

const OF_SINE: &str = "signature = 'sin(x: f64) -> f64'\nexport = 'sine'\ndomain.x = { range = [-1000.0, 1000.0] }\n\
     sample.x = { range = [-20.0, 20.0] }\n";

/// The subject of one function in C, with what a manifest says of it.
fn alone(code: &str, function: &str) -> (tempfile::TempDir, Arc<Workbench>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("alone.c"), code).expect("written");
    let manifest = format!("[build]\nc = ['alone.c']\n\n[[function]]\n{function}");
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    let workbench = open(folder.path());
    (folder, workbench)
}

#[test]
fn the_power_of_one_less_is_found_by_every_seed() {
    let (_folder, workbench) = alone(POW, OF_POW);
    for seed in 0..3 {
        let record = found(&workbench, "pow", &small(seed, &["NumericAddition(e, -1)"]));
        let wanted = ["pow(k, e - 1) == pow(k, e) / k", "pow(k, e) == k * pow(k, e - 1)"];
        assert!(says(&workbench, &record, &wanted), "seed {seed}: {:#?}", record.relations);
    }
}

#[test]
fn evolution_alone_finds_it_too() {
    let (_folder, workbench) = alone(POW, OF_POW);
    let mut options = small(1, &["NumericAddition(e, -1)"]);
    options.settings = Settings { population: 300, search: SearchKind::Evolve, ..Settings::default() };
    options.generations = 60;
    let record = found(&workbench, "pow", &options);
    assert!(record.work.enumerated == 0 && record.work.evaluated > 0, "{record:#?}");
    assert!(record.relations.iter().any(|r| !r.caught.is_empty()), "{:#?}", record.relations);
}

#[test]
fn inputs_of_all_techniques_lead_to_it_too() {
    // The solver is soon done with this function's paths.
    let workbench = shipped("triangle");
    let options =
        DiscoverOptions { techniques: SOURCES_BY.to_vec(), ..small(1, &["PermuteParameters(a, b)"]) };
    let record = found(&workbench, "triangle", &options);
    let wanted = ["triangle(b, a, c) == triangle(a, b, c)"];
    assert!(says(&workbench, &record, &wanted), "{:#?}", record.relations);
}

#[test]
fn the_relations_that_people_know_are_found() {
    let (_folder_of_mean, mean) = alone(MEAN, OF_MEAN);
    let (_folder_of_sine, sine) = alone(SINE, OF_SINE);
    let cases: [(&Arc<Workbench>, &str, &str, &[&str]); 5] = [
        (&shipped("gcd"), "gcd", "PermuteParameters(p, q)", &["gcd(q, p) == gcd(p, q)"]),
        (&mean, "meanOf", "SequenceFlip(values)", &["meanOf(reverse(values)) ~= meanOf(values)"]),
        // Of x and of -x, each inequality alone says that the function is odd.
        (
            &shipped("trig"),
            "sin",
            "NumericMultiplication(x, -1)",
            &["sin(-x) == -sin(x)", "sin(-x) ~= -sin(x)", "sin(-x) >= -sin(x)", "sin(-x) <= -sin(x)"],
        ),
        (
            &sine,
            "sin",
            "NumericAddition(x, 2 * pi)",
            // Some mutants of a series leave the range of the sine, so that a bound is worth its node.
            &[
                "sin(x + 2 * pi) ~= sin(x)",
                "sin(x + 2 * pi) - sin(x) ~= 0",
                "sin(x + 2 * pi) ~= min(sin(x), 1)",
                "sin(x + 2 * pi) ~= max(sin(x), -1)",
            ],
        ),
        (
            &shipped("sorting"),
            "insertion_sort",
            "FeedBack(xs)",
            // The word says more than that a second sort changes nothing.
            &[
                "insertion_sort(insertion_sort(xs).xs).xs == insertion_sort(xs).xs",
                "insertion_sort(insertion_sort(xs).xs).xs == sorted(xs)",
            ],
        ),
    ];
    for (workbench, function, transformation, wanted) in cases {
        // Of inputs along paths a slow machine has fewer, and a choice may fall otherwise: not with every seed.
        let is_found = (0..3).any(|seed| {
            // The library's sine has few mutants of its own, so that it takes those of all operators.
            let mut options = small(seed, &[transformation]);
            if transformation == "NumericMultiplication(x, -1)" {
                options.operators = OperatorSet::all();
            }
            let record = found(workbench, function, &options);
            says(workbench, &record, wanted)
        });
        assert!(is_found, "{function} under {transformation}");
    }
}

#[test]
fn what_is_found_does_not_depend_on_the_number_of_threads() {
    let workbench = shipped("gcd");
    let only = ["PermuteParameters(p, q)", "NumericAddition(q, 1)", "NumericMultiplication(p, -1)"];
    let records = [1, 2, 3].map(|jobs| {
        let jobs = NonZeroUsize::new(jobs).expect("above 0");
        let mut record = found(&workbench, "gcd", &DiscoverOptions { jobs, ..small(5, &only) });
        // What it took is the only thing that may differ.
        record.work.seconds = 0.0;
        record
    });
    assert_eq!(records[0], records[1]);
    assert_eq!(records[0], records[2]);
    assert!(!records[0].relations.is_empty());
}

#[test]
fn mutants_held_out_are_none_that_the_search_saw() {
    let workbench = shipped("gcd");
    let options = DiscoverOptions { hold_out: 0.5, ..small(2, &["PermuteParameters(p, q)"]) };
    let record = found(&workbench, "gcd", &options);
    assert!(record.searched_mutants.iter().all(|id| !record.held_out.contains(id)));
    let caught = record.relations.iter().flat_map(|r| &r.caught);
    assert!(caught.clone().count() > 0 && caught.clone().all(|id| record.searched_mutants.contains(id)));
    assert!(!record.held_out_caught.is_empty());
}

#[test]
fn an_interruption_at_once_leaves_a_record_without_relations() {
    let workbench = shipped("gcd");
    let function = workbench.function("gcd").expect("it is there");
    let interrupted = Interruption::raised();
    let record = discover(&workbench, function, &small(0, &[]), &interrupted, &mut |_| {}).expect("it ends");
    assert!(matches!(record.stop, DiscoveryStop::Interrupted { .. }), "{:?}", record.stop);
    assert!(record.relations.is_empty());
}

#[test]
fn an_interruption_keeps_what_was_found() {
    let workbench = shipped("gcd");
    let function = workbench.function("gcd").expect("it is there");
    let interrupted = Interruption::default();
    let options =
        small(0, &["PermuteParameters(p, q)", "NumericAddition(q, 1)", "NumericMultiplication(p, -1)"]);
    let mut interrupt = |progress: &DiscoverProgress| {
        if progress.relations > 0 {
            _ = interrupted.raise();
        }
    };
    let record = discover(&workbench, function, &options, &interrupted, &mut interrupt).expect("it ends");
    assert!(matches!(record.stop, DiscoveryStop::Interrupted { .. }), "{:?}", record.stop);
    assert!(!record.relations.is_empty(), "{record:#?}");
}

/// With little time, what is done first is what there is in the list.
#[test]
fn laws_are_looked_for_before_mutants_are_run() {
    let workbench = shipped("gcd");
    let function = workbench.function("gcd").expect("it is there");
    let interrupted = Interruption::default();
    let options = DiscoverOptions {
        forms: Forms { laws: true, patterns: false },
        ..small(0, &["PermuteParameters(p, q)"])
    };
    let mut stages = Vec::new();
    let mut note = |progress: &DiscoverProgress| stages.push(progress.stage);
    discover(&workbench, function, &options, &interrupted, &mut note).expect("it runs");
    stages.dedup();
    assert_eq!(stages[..3], [Stage::Sources, Stage::Forms, Stage::Executions], "{stages:?}");
}

/// A function of a million instructions a call.
const SLOW: &str = r#"(module (func (export "slow") (param i32) (result i32) (local i32)
    (loop (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        (br_if 0 (i32.ne (local.get 1) (i32.const 300000))))
    (i32.mul (local.get 0) (i32.const 3))))"#;

#[test]
fn a_slow_function_ends_with_a_record_that_says_that_the_clock_decided() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), SLOW).expect("written");
    let path = folder.path().join("dodona.toml");
    let text = "module = \"m.wat\"\n[[function]]\nsignature = \"slow(x: i32) -> i32\"\n";
    std::fs::write(&path, text).expect("written");
    let manifest = Manifest::find(&path).expect("a manifest");
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("it opens"));
    let options = DiscoverOptions { time: Some(Duration::from_millis(300)), ..small(0, &[]) };
    // Where the machine is busy there is no time for a single call, and the record is empty.
    let record = discover(&workbench, 0, &options, &Interruption::default(), &mut |_| {}).expect("it ends");
    assert!(record.time_decided);
    assert!(record.relations.iter().all(|relation| relation.held > 0), "{:#?}", record.relations);
}

/// Laws of `gcd` on so many fresh inputs, without mutants and proofs.
fn of_laws(fresh: u64) -> LawsOptions {
    let (seed, jobs) = (Seed(0), NonZeroUsize::MIN);
    LawsOptions { seed, time: None, fresh, everything: true, mutants: 0, jobs, ..LawsOptions::default() }
}

#[test]
fn a_law_whose_tests_are_cut_short_is_not_confirmed() {
    let workbench = shipped("gcd");
    let gcd = workbench.function("gcd").expect("it is there");
    let interrupted = Interruption::default();
    // The first laws have passed their first test then, of 2,000 inputs, and none the last one.
    let cut = laws(&workbench, &[gcd], &of_laws(50_000), &interrupted, &mut |progress| {
        if progress.stage == LawsStage::Filter && progress.laws >= 2 {
            interrupted.raise();
        }
    });
    let cut = cut.expect("it ends");
    assert!(cut.laws.is_empty(), "{:#?}", cut.laws);
    assert!(cut.unconfirmed.len() >= 2, "{:#?}", cut.unconfirmed);
    // A law with three constants makes three groups of an input.
    assert!(cut.unconfirmed.iter().all(|law| (1..=6_000).contains(&(law.held + law.ineligible))));
    // With as few inputs as that, the first test is enough.
    let few =
        laws(&workbench, &[gcd], &of_laws(2_000), &Interruption::default(), &mut |_| {}).expect("it ends");
    assert!(few.unconfirmed.is_empty() && few.laws.iter().all(|law| law.held + law.ineligible >= 2_000));
}

#[test]
fn what_is_known_before_the_search_is_noted_before_it() {
    let workbench = shipped("gcd");
    let forms = Forms { laws: true, patterns: false };
    let options = DiscoverOptions { forms, ..small(0, &[]) };
    let interrupted = Interruption::default();
    let mut noted = Vec::new();
    let gcd = workbench.function("gcd").expect("it is there");
    let record = discover(&workbench, gcd, &options, &interrupted, &mut |progress| {
        noted.extend(options.so_far.take().map(|record| (progress.stage, record)));
        if progress.stage == Stage::Enumeration {
            interrupted.raise();
        }
    });
    let record = record.expect("it ends");
    let before = |stage: Stage| noted.iter().find(|(at, _)| *at == stage).map(|(_, record)| record);
    let laws = before(Stage::Executions).expect("laws are noted before executions are collected");
    assert!(laws.unconfirmed.iter().any(|law| law.text.contains("gcd(q, p) == gcd(p, q)")), "{laws:#?}");
    assert!(laws.relations.is_empty());
    // Those whose tests had been as long as they have to be are confirmed, however the discovery ended.
    let all = record.relations.iter().map(|relation| &relation.text);
    let all: Vec<&String> = all.chain(record.unconfirmed.iter().map(|relation| &relation.text)).collect();
    assert!(all.iter().any(|text| text.contains("gcd(q, p) == gcd(p, q)")), "{record:#?}");
}
