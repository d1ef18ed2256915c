//! Every subject that ships, by every technique.

use std::path::Path;
use std::time::Duration;

use dodona_generation::{
    Bounds, GenerateOptions, Instrumented, StatementScope, StepLimits, Technique, generate_with,
};
use dodona_subject::Manifest;
use dodona_target::{Domain, Interruption, Sampling};
use dodona_wasm::{WasmTarget, Workbench};
use dodona_workbench::Relations;

use super::{SYMBOLIC, as_predicted, beyond_bounds, options, replayed, rows, shipped, with};

/// The subjects, but for one of many functions, with what they are explored within: everything, or so many questions.
const SUBJECTS: &[(&str, Option<u64>)] = &[
    ("triangle", None),
    ("tcas", None),
    ("mymethod", None),
    ("sorting", None),
    ("third-party/qsort", None),
    ("path-directed/baggage", None),
    ("path-directed/charge", None),
    ("path-directed/parking", None),
    ("path-directed/phone", None),
    ("gcd", Some(8)),
    ("tokens", Some(150)),
    ("trig", Some(8)),
    ("elementary", Some(8)),
    ("codec", Some(40)),
    ("fib", Some(8)),
    ("third-party/libm-sin", Some(8)),
    ("path-directed/math", Some(8)),
    ("path-directed/number", Some(100)),
    ("path-directed/tax", Some(100)),
];

/// Options that end after so many questions, each a short one.
fn within(technique: Technique, queries: u64) -> GenerateOptions {
    let step = StepLimits { steps: 30_000, ..StepLimits::default() };
    let bounds = Bounds { step, queries, total_steps: 100_000, ..Bounds::default() };
    with(technique, |search| {
        search.bounds = bounds;
        search.query_time = Some(Duration::from_millis(20));
    })
}

/// Generates inputs of every function by both symbolic techniques.
fn explored(workbench: &Workbench, queries: Option<u64>) {
    for function in 0..workbench.functions().len() {
        let name = &workbench.functions()[function].name;
        let instrumented = Instrumented::new(workbench, function, StatementScope::AtHand).expect("it loads");
        for technique in SYMBOLIC {
            let options = queries.map_or_else(|| options(technique), |queries| within(technique, queries));
            let never = Interruption::default();
            let generated = as_predicted(generate_with(workbench, &instrumented, &options, &never));
            let record = &generated.record;
            assert!(record.inputs > 0, "{name} by {technique:?}: {record:#?}");
            assert!(record.inputs >= record.paths && record.paths > 0, "{name} by {technique:?}");
            if queries.is_none() {
                assert!(record.search.as_ref().is_some_and(|search| search.complete), "{name}: {record:#?}");
                assert_eq!(beyond_bounds(record), 0, "{name}: what is not covered is proved infeasible");
            }
        }
    }
}

#[test]
fn inputs_run_as_predicted_and_cover_what_can_be_covered() {
    for (name, queries) in SUBJECTS {
        explored(&shipped(name), *queries);
    }
}

#[test]
fn every_subject_is_in_the_list() {
    let mut found = Vec::new();
    for folder in ["", "path-directed", "third-party"] {
        for entry in std::fs::read_dir(super::subjects().join(folder)).expect("readable") {
            let path = entry.expect("an entry").path();
            let manifest = std::fs::read_to_string(path.join("dodona.toml")).unwrap_or_default();
            if !manifest.is_empty() && !path.ends_with("genmorph") {
                let name = Path::new(folder).join(path.file_name().expect("named"));
                found.push(name.display().to_string());
            }
        }
    }
    found.sort();
    let mut listed: Vec<&str> = SUBJECTS.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

/// Of methods of libraries many are beyond a short search, and each input that is found is right all the same.
#[test]
fn inputs_of_library_methods_run_as_predicted() {
    explored(&shipped("genmorph"), Some(2));
}

#[test]
fn each_technique_gives_as_many_inputs_as_are_wanted_and_the_same_again() {
    for name in ["triangle", "tcas", "path-directed/baggage"] {
        let workbench = shipped(name);
        // What makes inputs of frames is handed in by the room that knows categories and choices.
        for technique in Technique::ALL.into_iter().filter(|technique| *technique != Technique::Frames) {
            for count in [1, 7, 130] {
                let wanted = GenerateOptions { count: Some(count), ..options(technique) };
                let generated = replayed(&workbench, 0, &wanted);
                assert_eq!(generated.record.inputs, count as u64, "{name} by {technique:?}");
                assert_eq!(rows(&generated).len(), count);
                assert_eq!(rows(&generated), rows(&replayed(&workbench, 0, &wanted)), "{technique:?}");
            }
        }
    }
}

#[test]
fn other_inputs_of_a_path_are_different_ones() {
    let generated =
        replayed(&shipped("triangle"), 0, &GenerateOptions { count: Some(60), ..options(Technique::Path) });
    let mut different = rows(&generated);
    different.sort();
    different.dedup();
    assert_eq!((different.len(), generated.record.paths), (60, 10));
}

#[test]
fn another_seed_gives_other_inputs_of_the_same_paths() {
    let workbench = shipped("tcas");
    for technique in SYMBOLIC {
        let seeded = |seed| {
            let seed = dodona_sources::Seed(seed);
            replayed(&workbench, 0, &GenerateOptions { seed, ..options(technique) })
        };
        let (one, other) = (seeded(1), seeded(2));
        assert_ne!(rows(&one), rows(&other));
        let paths = |g: &dodona_generation::Generated| {
            let mut paths: Vec<_> = g.coverage.iter().map(|input| input.path.hash).collect();
            paths.sort_unstable();
            paths
        };
        assert_eq!(paths(&one), paths(&other));
    }
}

/// A subject without what its manifest knows of its inputs: random ones are drawn from the types alone.
fn bare(name: &str, domain: &Domain) -> Workbench {
    let WasmTarget { manifest, module, executable, .. } = shipped(name).target;
    let mut manifest = Manifest::clone(&manifest);
    for parameter in &mut manifest.functions[0].signature.parameters {
        parameter.sampling = Sampling::default();
        parameter.domain = domain.clone();
    }
    Workbench::new(WasmTarget::new(manifest, module, executable), Relations::default())
}

/// Paths and edges that inputs along paths take, and a hundred times as many random ones.
fn against_random(workbench: &Workbench, longest: usize) -> [(u64, u64); 2] {
    let path = with(Technique::Path, |search| search.longest = longest);
    let path = replayed(workbench, 0, &path).record;
    assert!(path.search.as_ref().is_some_and(|search| search.complete), "{path:#?}");
    let count = Some(100 * path.inputs as usize);
    let random = replayed(workbench, 0, &GenerateOptions { count, ..options(Technique::Random) }).record;
    [path, random].map(|record| (record.paths, record.branches.covered))
}

#[test]
fn a_hundred_times_as_many_random_inputs_run_fewer_paths() {
    let [path, random] = against_random(&bare("triangle", &Domain::default()), 4);
    assert!(path.0 > random.0 && path.1 > random.1, "triangle: {path:?}, random {random:?}");
    // Random inputs miss paths of these, and few edges or none.
    let [path, random] = against_random(&bare("tcas", &Domain::default()), 4);
    assert!(path.0 > random.0 && path.1 >= random.1, "tcas: {path:?}, random {random:?}");
    let short = Domain { length: Some((0, 2)), ..Domain::default() };
    let [path, random] = against_random(&bare("tokens", &short), 2);
    assert!(path.0 > random.0 && path.1 >= random.1, "tokens: {path:?}, random {random:?}");
}
