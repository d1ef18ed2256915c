//! What the library does on targets of every kind.

#![cfg(feature = "wasm")]

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use dodona::records::{
    CheckRecord, DiscoveryRecord, LawsRecord, MutationRecord, RelationVerdict, StopReason,
};
use dodona::report::{Report as _, Styles};
use dodona::target::{
    CallError, Caller, Calls, Column, Ending, Interruption, Outcome, Parameter, Scalar, Session, Signature,
    Target, Traits, Type, Until,
};
use dodona::wasm::{Manifest, open};
use dodona::{
    CheckOptions, ComposeOptions, ComposeOutcome, DiscoverOptions, Framed, FramesOptions, IdentifyOptions,
    LabError, LawsOptions, MutateOptions, MutateOutcome, Regressions, Relations, SearchOptions, Workbench,
    check,
};

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn native_gcd() -> Arc<Workbench> {
    let test = dodona::function!(gcd(a: u32 in 0..=10_000, b: u32 in 0..=10_000) -> u32)
        .holds("gcd(b, a) == gcd(a, b)")
        .holds("gcd(a * 2, b * 2) == gcd(a, b) * 2")
        .holds("gcd(a, b) <= max(a, b)");
    test.workbench().expect("valid relations")
}

fn shipped(name: &str) -> Arc<Workbench> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name);
    Arc::new(open(Manifest::find(&folder).expect("a manifest")).expect("it opens"))
}

fn options() -> CheckOptions {
    CheckOptions { regressions: Regressions::Ignore, ..CheckOptions::default() }
}

fn never() -> Interruption {
    Interruption::default()
}

#[test]
fn what_works_on_code_says_that_it_needs_a_module() {
    let workbench = native_gcd();
    let needs = |what: &str| {
        format!(
            "{what} works on the code of a WebAssembly module, and `gcd` consists of native functions; compile it to WebAssembly and \
             declare its module in a manifest, dodona.toml"
        )
    };
    let mutated = dodona::mutate(&workbench, &MutateOptions::default(), &never(), &mut |_| {});
    assert_eq!(mutated.expect_err("no code").to_string(), needs("mutation analysis"));
    let proved = dodona::prove(&workbench, &[0], &SearchOptions::default(), &never(), &mut |_| {});
    assert_eq!(proved.expect_err("no code").to_string(), needs("a proof"));
    let discovered = dodona::discover(&workbench, 0, &DiscoverOptions::default(), &never(), &mut |_| {});
    let needed = needs("the choice of relations by the mutants that they catch");
    assert_eq!(discovered.expect_err("no code").to_string(), needed);
}

#[test]
fn laws_of_native_functions_are_found() {
    let options = LawsOptions { prove: None, ..LawsOptions::default() };
    let record = dodona::laws(&native_gcd(), &[0], &options, &never(), &mut |_| {}).expect("it runs");
    let texts: Vec<&str> = record.laws.iter().map(|law| law.text.trim()).collect();
    let symmetric = ["gcd(a, b) == gcd(b, a)", "gcd(b, a) == gcd(a, b)", "gcd(p, q) == gcd(q, p)"];
    assert!(texts.iter().any(|text| symmetric.iter().any(|law| text.ends_with(law))), "{texts:?}");
    assert!(record.mutants.is_empty() && record.laws.iter().all(|law| law.kills.is_empty()));
    let told = record.warnings.iter().any(|warning| warning.contains("these are native functions"));
    assert!(told, "{:?}", record.warnings);
}

#[test]
fn relations_of_native_functions_are_composed() {
    let options = ComposeOptions { layers: vec![2], ..ComposeOptions::default() };
    let composed = dodona::compose(&native_gcd(), &options, &never(), &mut |_| {}).expect("it runs");
    let ComposeOutcome::Composed(record) = composed else { panic!("{composed:?}") };
    assert!(!record.relations.is_empty());
    assert!(record.mutants.is_empty());
}

/// A fee as a specification states it.
fn fee(weight: u32, member: bool) -> u32 {
    if member { 0 } else { weight * 2 }
}

#[test]
fn frames_of_native_functions_have_inputs_and_relations() {
    let folder = std::env::temp_dir().join(format!("dodona-frames-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("frames.toml");
    let text = "[input.weight]\nlight = \"weight <= 20\"\nheavy = \"weight > 20\"\n[input.member]\nyes = \"member\"\n\
                no = \"not member\"\n[output.fee]\nfree = \"result == 0\"\npaid = \"result > 0\"\n";
    std::fs::write(&file, text).expect("a file");
    let workbench = dodona::function!(fee(weight: u32 in 1..=40, member: bool) -> u32).workbench();
    let framed = Framed::open(&workbench.expect("a workbench"), Some(&file), None).expect("frames");
    let samples = dodona::frames(&framed, &FramesOptions::default(), &never()).expect("it runs");
    assert_eq!(samples.frames.len(), 4);
    assert!(samples.rows() >= 4, "{}", samples.rows());
    let identified =
        dodona::identify(&framed, &IdentifyOptions::default(), &never(), &mut |_| {}).expect("it runs");
    assert!(!identified.record.relations.is_empty());
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

/// `double(x)`, by a target that fails after some calls.
struct Unreliable {
    functions: Vec<Signature>,
    calls: u64,
}

struct Failing {
    calls: u64,
    costs: Vec<u64>,
}

impl Target for Unreliable {
    fn name(&self) -> &str {
        "unreliable"
    }

    fn declared_in(&self) -> &Path {
        Path::new("unreliable.toml")
    }

    fn functions(&self) -> &[Signature] {
        &self.functions
    }

    fn traits(&self) -> Traits {
        Traits { kind: "answers over a wire", isolated: true, deterministic: true, unit_of_cost: "answers" }
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(Failing { calls: self.calls, costs: Vec::new() })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(Unreliable { functions: self.functions.clone(), calls: self.calls })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Caller for Failing {
    fn call(&mut self, _function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let Some(left) = self.calls.checked_sub(1) else { return Err(CallError::new("the wire is cut")) };
        self.calls = left;
        let Column::Int(numbers) = &arguments[0] else { return Err(CallError::new("numbers alone")) };
        self.costs = vec![1; numbers.len()];
        let doubled = numbers.iter().map(|number| number * 2).collect();
        Ok(Calls { outcomes: vec![Outcome::Returned; numbers.len()], outputs: vec![Column::Int(doubled)] })
    }
}

impl Session for Failing {
    fn end_at(&mut self, _until: &Until) {}

    fn costs(&self) -> &[u64] {
        &self.costs
    }

    fn why(&mut self, _function: usize, _arguments: &[Column], _outcome: Outcome) -> Ending {
        Ending::default()
    }
}

fn unreliable(calls: u64, relations: &str) -> Arc<Workbench> {
    let number = Type::Scalar(Scalar::I32);
    let functions = vec![Signature::new("double", vec![Parameter::new("x", number)], Some(number))];
    let relations = Relations::of_text(relations, &functions).expect("valid");
    Arc::new(Workbench::new(Unreliable { functions, calls }, relations))
}

#[test]
fn a_target_that_fails_half_way_keeps_what_was_found() {
    let options = CheckOptions { sources: 100_000, jobs: 1.try_into().expect("one"), ..options() };
    let text = "relation odd: double(-x) == -double(x)\nrelation same: double(x) == x\n";
    let whole = check(unreliable(u64::MAX, text), &options, &never(), &mut |_| {}).expect("it runs");
    assert_eq!(whole.relations[0].verdict(), RelationVerdict::Holds);
    let cut = check(unreliable(4, "relation odd: double(-x) == -double(x)"), &options, &never(), &mut |_| {});
    let error = cut.expect_err("the wire is cut");
    assert_eq!(error.to_string(), "could not call the function under test: the wire is cut");
    let LabError::CutShort(record) = error else { panic!("{error}") };
    let run = record.relations[0].sources;
    assert!(0 < run && run < 100_000, "{run}");
    assert_eq!(record.stop, StopReason::Interrupted { run, planned: 100_000 });
    let printed = [*record].terminal(Styles::plain());
    assert!(printed.contains(&format!("the target failed after {run} of 100000 sources")), "{printed}");
    assert!(printed.contains("the wire is cut"), "{printed}");
}

/// JSON, read and written again.
fn again<T: serde::de::DeserializeOwned + serde::Serialize>(json: &str) -> String {
    let record: T = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    serde_json::to_string(&record).expect("it is written")
}

#[test]
fn records_read_back() {
    let faulty = check(shipped("gcd/faulty"), &options(), &never(), &mut |_| {}).expect("it runs");
    assert!(faulty.relations.iter().any(|relation| relation.counterexample.is_some()));
    let checked = serde_json::to_string(&faulty).expect("JSON");
    assert_eq!(again::<CheckRecord>(&checked), checked);

    let workbench = shipped("triangle");
    let mutated =
        dodona::mutate(&workbench, &MutateOptions::default(), &never(), &mut |_| {}).expect("it runs");
    let MutateOutcome::Analysed(mutation) = mutated else { panic!("the original holds") };
    let mutated = serde_json::to_string(&mutation.record).expect("JSON");
    assert_eq!(again::<MutationRecord>(&mutated), mutated);

    let time = Some(std::time::Duration::from_secs(3));
    let laws = LawsOptions { time, ..LawsOptions::default() };
    let record = dodona::laws(&shipped("gcd"), &[0], &laws, &never(), &mut |_| {}).expect("it runs");
    let found = serde_json::to_string(&record).expect("JSON");
    assert_eq!(again::<LawsRecord>(&found), found);

    let discover = DiscoverOptions { time, ..DiscoverOptions::default() };
    let record = dodona::discover(&shipped("gcd"), 0, &discover, &never(), &mut |_| {}).expect("it runs");
    let found = serde_json::to_string(&record).expect("JSON");
    assert_eq!(again::<DiscoveryRecord>(&found), found);
}

#[test]
fn a_precondition_that_is_none_is_told_before_anything_is_called() {
    let workbench = dodona::function!(gcd(a: u32, b: u32) -> u32).requires("a >").workbench();
    let error = workbench.err().expect("no condition");
    let LabError::Relations { path, text, problems } = error else { panic!("{error}") };
    assert!(path.display().to_string().ends_with("targets.rs, requires of `gcd`"), "{}", path.display());
    assert_eq!((text.as_str(), problems.len()), ("a >", 1));
}

#[test]
#[should_panic(expected = "nothing is tested: say a relation with `.holds(")]
fn a_function_without_relations_is_not_tested() {
    dodona::function!(gcd(a: u32, b: u32) -> u32).check();
}
