//! Composition from end to end, on shipped subjects and on small modules: what is composed holds, and is the same for any number of
//! threads.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use dodona_discovery::{ComposeOptions, ComposeOutcome, ComposeStage, compose};
use dodona_generation::SearchOptions;
use dodona_inference::composition::{SearchKind, Settings};
use dodona_records::{CompositionRecord, CompositionStop, DiscoveryProof};
use dodona_relations::parse;
use dodona_simplify::equivalent;
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

fn shipped(name: &str) -> Arc<Workbench> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name);
    Arc::new(dodona_wasm::open(Manifest::find(&folder).expect("a manifest")).expect("it opens"))
}

/// `f(x) = 3 * x` on whole numbers from -1000 to 1000, with these relations.
fn triple(relations: &str) -> (tempfile::TempDir, Arc<Workbench>) {
    let folder = tempfile::tempdir().expect("a folder");
    let module = r#"(module (func (export "f") (param i32) (result i32)
        (i32.mul (local.get 0) (i32.const 3))))"#;
    std::fs::write(folder.path().join("m.wat"), module).expect("written");
    std::fs::write(folder.path().join("m.mr"), relations).expect("written");
    let manifest = "module = \"m.wat\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\nrelations = [\"m.mr\"]\n\
                    domain.x = { range = [-1000, 1000] }\n";
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    let workbench = dodona_wasm::open(Manifest::find(folder.path()).expect("a manifest")).expect("it opens");
    (folder, Arc::new(workbench))
}

const TRIPLE: &str = "relation next: f(x + 1) == f(x) + 3\nrelation odd: f(-x) == -f(x)\n";

/// A few fresh inputs, and no mutants.
fn small() -> ComposeOptions {
    ComposeOptions { fresh: 2_000, mutants: 0, ..ComposeOptions::default() }
}

fn outcome(workbench: &Arc<Workbench>, options: &ComposeOptions) -> Result<ComposeOutcome, LabError> {
    compose(workbench, options, &Interruption::default(), &mut |_| {})
}

fn composed(workbench: &Arc<Workbench>, options: &ComposeOptions) -> CompositionRecord {
    match outcome(workbench, options).expect("it runs") {
        ComposeOutcome::Composed(record) => *record,
        ComposeOutcome::BasicsViolated(check) => panic!("{check:#?}"),
    }
}

/// Whether a composite relation says what a text says.
fn says(workbench: &Workbench, record: &CompositionRecord, wanted: &str) -> bool {
    let relation = |text: &str| parse(text).expect("a relation").relations.remove(0);
    let wanted = relation(&format!("relation wanted: {wanted}"));
    let functions = &workbench.functions();
    record.relations.iter().any(|one| equivalent(&relation(&one.text), &wanted, functions))
}

/// `f(x) = x`, and `g(x) = x + 1`, which fails where this code leaves a number other than 0 on the stack.
fn failing(fails: &str) -> (tempfile::TempDir, Arc<Workbench>) {
    let folder = tempfile::tempdir().expect("a folder");
    let module = format!(
        r#"(module (func (export "f") (param i32) (result i32) (local.get 0))
        (func (export "g") (param i32) (result i32)
            (if {fails} (then (unreachable))) (i32.add (local.get 0) (i32.const 1))))"#
    );
    std::fs::write(folder.path().join("m.wat"), module).expect("written");
    let relations = "relation shift: f(x + 2) == f(x) + 2\nrelation ahead: f(x + 1) == g(x) + f(x) - x\nrelation odd: f(-x) == -f(x)\n";
    std::fs::write(folder.path().join("m.mr"), relations).expect("written");
    let manifest = "module = \"m.wat\"\nrelations = [\"m.mr\"]\n\
                    [[function]]\nsignature = \"f(x: i32) -> i32\"\ndomain.x = { range = [-100000, 100000] }\n\
                    [[function]]\nsignature = \"g(x: i32) -> i32\"\ndomain.x = { range = [-100000, 100000] }\n";
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    let workbench = dodona_wasm::open(Manifest::find(folder.path()).expect("a manifest")).expect("it opens");
    (folder, Arc::new(workbench))
}

#[test]
fn an_inner_call_that_fails_violates_no_composite_relation() {
    // `g(x)` is a source call of `ahead`, which says nothing where it fails. Behind another step it is a follow-up call.
    for (fails, share) in [
        ("(i32.eqz (i32.rem_s (local.get 0) (i32.const 5)))", "one input in five: in the search"),
        ("(i32.eqz (i32.rem_s (local.get 0) (i32.const 1009)))", "one in a thousand: among fresh inputs"),
    ] {
        let (_folder, workbench) = failing(fails);
        // Where the inputs of the search show by chance that an inner call fails, and not that its relation does, a sequence is rejected.
        let of_seed = |seed| {
            composed(&workbench, &ComposeOptions { seed: Seed(seed), fresh: 20_000, mutants: 20, ..small() })
        };
        let is_whole = |record: &CompositionRecord| record.layers[0].accepted == 9;
        let record = (0..5).map(of_seed).find(is_whole);
        let record = record.unwrap_or_else(|| panic!("{share}: {:#?}", of_seed(0)));
        assert_eq!(
            (record.layers[0].rejected, record.layers[0].refuted),
            (0, 0),
            "{share}: {:#?}",
            record.refuted
        );
        let text = |name: &str| {
            let found = record.relations.iter().find(|one| one.name == name);
            found.unwrap_or_else(|| panic!("{name} of {:#?}", record.relations)).text.trim_end().to_owned()
        };
        assert_eq!(
            text("shift_then_ahead"),
            "relation shift_then_ahead: defined(g(x + 2)) implies defined(f(x + 2 + 1)) and f(x + 2 + 1) == g(x + 2) + (f(x) + 2) - (x + 2)",
            "{share}"
        );
        // The source call of the inner relation is one of the composite relation too.
        assert!(!text("ahead_then_odd").contains("defined"), "{share}");
    }
}

#[test]
fn where_no_inner_call_fails_nothing_is_asked() {
    let (_folder, workbench) = failing("(i32.const 0)");
    let record = composed(&workbench, &small());
    assert!(record.relations.iter().all(|one| !one.text.contains("defined")), "{:#?}", record.relations);
}

#[test]
fn what_says_no_more_than_a_basic_relation_is_counted_and_left_out() {
    // `bound` looks at the follow-up call alone, so that it says behind `next` what it says of every input.
    let (_folder, workbench) =
        triple("relation next: f(x + 1) == f(x) + 3\nrelation bound: f(x - 1) <= 3 * x\n");
    let record = composed(&workbench, &small());
    let layer = &record.layers[0];
    let names: Vec<&str> = record.relations.iter().map(|one| one.name.as_str()).collect();
    // `bound_then_next` is `f(x - 1 + 1) <= 3 * x + 3`, as is `next_then_bound`.
    assert_eq!((layer.instances, names.as_slice()), (3, &["next_then_next"][..]));
}

#[test]
fn a_change_that_is_undone_says_nothing_of_sequences_too() {
    let record = composed(&shipped("sorting"), &small());
    assert!(record.layers[0].trivial > 0, "{:#?}", record.layers);
    assert!(
        record.relations.iter().all(|one| !one.text.contains("reverse(reverse(xs)))")),
        "{:#?}",
        record.relations
    );
}

#[test]
fn relations_that_take_no_part_are_measured_with_the_others() {
    let text = "relation next: f(x + 1) == f(x) + 3\nrelation far: f(x + 5) == f(x) + 15\n\
                relation triple: f(x) == x + x + x\n";
    let (_folder, workbench) = triple(text);
    let record = composed(&workbench, &ComposeOptions { mutants: 100, ..small() });
    assert_eq!((record.given.relations, record.given.runs), (3, 5));
    let (basics, given) = (record.killed_by_basics().covered, record.killed_by_given().covered);
    assert!(given > basics, "{given} {basics}: only `triple` tells `f(x) = 3 * x + 1`");
    assert!(record.killed_by_chosen().covered <= record.killed_by_all().covered);
}

#[test]
fn two_relations_compose_in_both_orders() {
    let (_folder, workbench) = triple(TRIPLE);
    let record = composed(&workbench, &small());
    let layer = &record.layers[0];
    assert_eq!((layer.tried, layer.accepted, layer.sequences), (4, 4, 4));
    assert_eq!(layer.search, "exhaustive");
    // Odd twice is the identity. The other three say three things.
    assert_eq!((layer.trivial, layer.said_before, layer.distinct), (1, 0, 3));
    assert!(says(&workbench, &record, "f(1 - x) == 3 - f(x)"), "{:#?}", record.relations);
    assert!(says(&workbench, &record, "when x <= 999: f(-x - 1) == -f(x) - 3"), "{:#?}", record.relations);
    assert!(record.relations.iter().all(|one| one.held > 1_900 && one.fitness == one.eligible));
}

#[test]
fn layers_say_what_fewer_layers_have_said() {
    let (_folder, workbench) = triple("relation odd: f(-x) == -f(x)\nrelation flip: f(0 - x) == 0 - f(x)\n");
    let record = composed(&workbench, &ComposeOptions { layers: vec![2, 3], ..small() });
    let [two, three] = record.layers.as_slice() else { panic!("{:#?}", record.layers) };
    assert_eq!((two.accepted, two.trivial), (4, 4));
    assert_eq!((three.accepted, three.said_before, three.distinct), (8, 8, 0));
    assert!(record.relations.is_empty());
}

#[test]
fn a_basic_relation_that_does_not_hold_is_named() {
    let (_folder, workbench) = triple("relation odd: f(-x) == -f(x)\nrelation wrong: f(x + 1) == f(x) + 2\n");
    let Ok(ComposeOutcome::BasicsViolated(check)) = outcome(&workbench, &small()) else { panic!("it holds") };
    let names: Vec<&str> = check.relations.iter().map(|relation| relation.name.as_str()).collect();
    assert_eq!(names, ["wrong"]);
    assert!(check.relations[0].counterexample.is_some());
}

#[test]
fn one_relation_is_too_few_and_the_others_are_told() {
    let (_folder, workbench) = triple("relation odd: f(-x) == -f(x)\nrelation bound: f(x) <= 3000\n");
    let error = outcome(&workbench, &small()).expect_err("one is too few").to_string();
    assert_eq!(
        error,
        "1 basic relation: a composition needs at least 2\n  `bound` takes no part: it makes no follow-up call: no input is changed"
    );
}

#[test]
fn layers_are_bounded() {
    let (_folder, workbench) = triple(TRIPLE);
    for layers in [0, 1, 20] {
        let error =
            outcome(&workbench, &ComposeOptions { layers: vec![layers], ..small() }).expect_err("bounded");
        assert_eq!(error.to_string(), format!("{layers} layers: a composition has 2 to 8"));
    }
}

#[test]
fn follow_ups_that_leave_the_domain_are_counted() {
    let (_folder, workbench) =
        triple("relation far: f(x + 1001) == f(x) + 3003\nrelation next: f(x + 1) == f(x) + 3\n");
    let record = composed(&workbench, &small());
    // From the least input, twice 1001 is beyond the greatest one.
    assert_eq!(record.layers[0].rarely_eligible, 1, "{:#?}", record.layers);
    assert_eq!(record.layers[0].accepted, 3);
}

#[test]
fn relations_of_functions_that_never_meet_are_counted() {
    let record = composed(&shipped("sorting"), &small());
    let refused: Vec<&str> = record.layers[0].refused.iter().map(|refused| refused.why.as_str()).collect();
    assert_eq!(refused, ["a relation is about a function of which the others do not speak"]);
    assert!(record.layers[0].distinct > 5, "{:#?}", record.layers);
    assert_eq!(record.layers[0].refuted, 0);
}

#[test]
fn mutants_tell_which_relations_are_worth_more() {
    let (_folder, workbench) = triple(TRIPLE);
    let record = composed(&workbench, &ComposeOptions { mutants: 100, ..small() });
    assert!(!record.mutants.is_empty() && record.killed_by_all().covered > 0);
    assert!(record.killed_by_all().covered >= record.killed_by_basics().covered);
    let killed = |name: &String| {
        let basic = record.basics.iter().find(|basic| basic.name == *name).map(|basic| &basic.killed);
        basic.or_else(|| record.relations.iter().find(|one| one.name == *name).map(|one| &one.killed))
    };
    // The chosen relations kill together what all of them kill, but for one in a hundred and what only one seed shows.
    let mut together: Vec<_> =
        record.chosen.iter().flat_map(|name| killed(name).expect("a relation")).collect();
    together.sort_unstable();
    together.dedup();
    assert_eq!(together.len() as u64, record.killed_by_chosen().covered);
    assert!(together.len() as f64 >= 0.95 * record.killed_by_all().covered as f64, "{together:?}");
    assert_eq!(record.front.last().map(|point| point.killed), Some(record.killed_by_all().covered));
    assert!(record.mean_score(1).is_some_and(|score| score > 0.0 && score <= 1.0));
}

#[test]
fn composite_relations_are_proved() {
    let (_folder, workbench) = triple(TRIPLE);
    let record = composed(&workbench, &ComposeOptions { prove: Some(SearchOptions::default()), ..small() });
    // Without a solver they are only tested.
    let is_proved = |proof: &DiscoveryProof| matches!(proof, DiscoveryProof::ProvedWithin { .. });
    let proved = record.relations.iter().filter(|one| is_proved(&one.proof)).count();
    assert!(proved == record.relations.len() || proved == 0, "{:#?}", record.relations);
}

#[test]
fn the_genetic_algorithm_finds_what_all_sequences_have() {
    let workbench = shipped("trig");
    let search = |search| {
        let settings = Settings { search, ..Settings::default() };
        let relations = ["odd", "half_turn", "supplement", "tan_odd", "tan_period"].map(String::from).into();
        composed(&workbench, &ComposeOptions { settings, relations, layers: vec![2, 3], ..small() })
    };
    let (all, found) = (search(SearchKind::Enumerate), search(SearchKind::Genetic));
    for (all, found) in all.layers.iter().zip(&found.layers) {
        assert!(found.accepted <= all.accepted);
        assert!(
            found.accepted as f64 >= 0.95 * all.accepted as f64,
            "{} of {}",
            found.accepted,
            all.accepted
        );
    }
}

#[test]
fn what_is_composed_does_not_depend_on_the_number_of_threads() {
    let workbench = shipped("gcd");
    let relations: Vec<String> = ["commutative", "signs", "absorbs", "identity"].map(String::from).into();
    let records = [1, 2, 3].map(|jobs| {
        let (jobs, relations) = (NonZeroUsize::new(jobs).expect("above 0"), relations.clone());
        let mut record = composed(&workbench, &ComposeOptions { jobs, relations, mutants: 6, ..small() });
        // What it took is the only thing that may differ.
        record.layers.iter_mut().for_each(|layer| layer.seconds = 0.0);
        record
    });
    assert_eq!(records[0], records[1]);
    assert_eq!(records[0], records[2]);
    assert!(!records[0].relations.is_empty());
}

#[test]
fn what_an_interruption_leaves_untested_is_not_reported() {
    let (_folder, workbench) = triple(TRIPLE);
    let interrupted = Interruption::default();
    let options = ComposeOptions { fresh: 100_000_000, ..small() };
    let record = compose(&workbench, &options, &interrupted, &mut |progress| {
        if progress.stage == ComposeStage::FreshInputs && progress.done > 0 {
            _ = interrupted.raise();
        }
    });
    let Ok(ComposeOutcome::Composed(record)) = record else { panic!("{record:#?}") };
    assert!(record.stop == CompositionStop::Interrupted && record.relations.is_empty(), "{record:#?}");
    assert_eq!((record.layers[0].unfinished, record.layers[0].untested), (3, 0));
}

#[test]
fn relations_of_one_name_are_told_apart() {
    let text =
        "relation scale: for k in {2, 3}: f(k * x) == k * f(x)\nrelation scale_1: f(x + 1) == f(x) + 3\n";
    let (_folder, workbench) = triple(text);
    let record = composed(&workbench, &ComposeOptions { mutants: 20, ..small() });
    let names: Vec<&str> = record.basics.iter().map(|basic| basic.name.as_str()).collect();
    assert_eq!(names, ["scale_1", "scale_2", "scale_1_2"]);
}

#[test]
fn layers_that_are_named_twice_are_searched_once() {
    let (_folder, workbench) = triple(TRIPLE);
    let record = composed(&workbench, &ComposeOptions { layers: vec![2, 3, 2], ..small() });
    let layers: Vec<u64> = record.layers.iter().map(|layer| layer.layers).collect();
    assert_eq!(layers, [2, 3]);
}

#[test]
fn an_interruption_at_once_leaves_a_record_without_relations() {
    let (_folder, workbench) = triple(TRIPLE);
    let interrupted = Interruption::raised();
    let record = compose(&workbench, &small(), &interrupted, &mut |_| {}).expect("it ends");
    let ComposeOutcome::Composed(record) = record else { panic!("{record:#?}") };
    assert!(
        record.stop == CompositionStop::Interrupted
            && record.relations.is_empty()
            && record.layers.is_empty()
    );
}

#[test]
fn at_the_end_of_the_time_the_record_names_the_bound_and_keeps_nothing_untested() {
    let (_folder, workbench) = triple(TRIPLE);
    // So many fresh inputs take hours.
    let time = Some(std::time::Duration::from_millis(1500));
    let record = composed(&workbench, &ComposeOptions { fresh: 100_000_000, time, ..small() });
    assert_eq!(record.stop, CompositionStop::TimeSpent { seconds: 1.5 });
    assert!(record.relations.is_empty(), "{record:#?}");
    assert!(record.layers.iter().all(|layer| layer.unfinished == layer.distinct), "{record:#?}");
    // With all the time that it needs, what is found is what is found without a bound.
    let time = Some(std::time::Duration::from_secs(100_000));
    let bounded = composed(&workbench, &ComposeOptions { time, ..small() });
    let free = composed(&workbench, &small());
    assert_eq!((bounded.stop, &bounded.relations), (CompositionStop::Finished, &free.relations));
}
