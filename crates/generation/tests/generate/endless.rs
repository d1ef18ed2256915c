//! Paths that do not end: the input that leads into an endless loop is an input like any other.

use dodona_generation::{GenerateOptions, Generated, Technique};
use dodona_records::GenerationRecord;

use super::{SYMBOLIC, options, replayed, rows, with, written};

/// Few instructions a path, so that a test takes milliseconds; far more than the straight code of these modules.
const STEPS: u64 = 5_000;

/// Generates by both techniques; the inputs along paths.
fn run(signature: &str, keys: &str, wat: &str) -> Generated {
    let workbench = written(signature, keys, wat);
    let short = |technique| with(technique, |search| search.bounds.step.steps = STEPS);
    for technique in SYMBOLIC {
        let generated = replayed(&workbench, 0, &short(technique));
        assert!(unended(&generated.record) > 0, "{technique:?}: {:#?}", generated.record);
    }
    replayed(&workbench, 0, &short(Technique::Path))
}

fn outcomes(generated: &Generated) -> Vec<String> {
    generated.coverage.iter().map(|input| input.outcome.to_string()).collect()
}

/// The inputs whose calls end so.
fn ended(generated: &Generated, how: &str) -> Vec<String> {
    let rows = rows(generated).into_iter().zip(outcomes(generated));
    rows.filter(|(_, outcome)| outcome == how).map(|(row, _)| row).collect()
}

fn unended(record: &GenerationRecord) -> u64 {
    record.search.as_ref().expect("a search").unended.values().sum()
}

/// A function that goes into some code where its argument is 7, and gives 1 otherwise.
fn at_seven(code: &str, others: &str) -> String {
    format!(
        "(module (memory 1) {others} (func (export \"f\") (param i32) (result i32) (local i32 i32)
            (if (i32.eq (local.get 0) (i32.const 7)) (then {code})) (i32.const 1)))"
    )
}

const LIMITS: &str = "[limits]\nfuel = 100_000";

#[test]
fn the_way_to_memory_that_grows_without_end_is_an_input() {
    let code = "(loop (drop (memory.grow (i32.const 1))) (br 0))";
    let keys = "[limits]\nfuel = 100_000\nmemory = \"4 MiB\"";
    let generated = run("f(x: i32) -> i32", keys, &at_seven(code, ""));
    assert!(rows(&generated).iter().any(|row| row == "7"), "{:?}", rows(&generated));
}

#[test]
fn the_way_into_an_endless_loop_is_an_input() {
    for code in [
        // Nothing changes.
        "(loop (br 0))",
        // A local counts, and wraps around.
        "(loop (local.set 1 (i32.add (local.get 1) (i32.const 1))) (br 0))",
        // Memory changes.
        "(loop (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 3))) (br 0))",
        // It could end, and never does.
        "(loop (local.set 1 (i32.add (local.get 1) (i32.const 2))) (br_if 0 (i32.ne (local.get 1) (i32.const 7))))",
        // A callee does not return.
        "(call $spin)",
    ] {
        let generated = run("f(x: i32) -> i32", LIMITS, &at_seven(code, "(func $spin (loop (br 0)))"));
        assert_eq!(ended(&generated, "out of fuel"), ["7"], "{code}: {:#?}", generated.record);
        assert_eq!(ended(&generated, "returned").len(), 1, "{code}");
        let record = &generated.record;
        assert_eq!(unended(record), 1, "{code}: {record:#?}");
        let search = record.search.as_ref().expect("a search");
        assert!(search.cuts.is_empty() && !search.complete, "{code}: {search:#?}");
        assert_eq!(search.stop, "every path was followed to its end or to a bound", "{code}");
        assert!(record.warnings.is_empty(), "{code}: {:?}", record.warnings);
    }
}

#[test]
fn a_loop_that_ends_beyond_the_fuel_is_out_of_fuel() {
    let code = "(loop (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        (br_if 0 (i32.ne (local.get 1) (i32.const -2147483648))))";
    let generated = run("f(x: i32) -> i32", LIMITS, &at_seven(code, ""));
    assert_eq!(ended(&generated, "out of fuel"), ["7"]);
}

#[test]
fn a_loop_that_ends_beyond_the_bound_and_within_the_fuel_is_what_its_run_shows() {
    let code = "(loop (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        (br_if 0 (i32.ne (local.get 1) (i32.const 3000))))";
    let generated = replayed(
        &written("f(x: i32) -> i32", LIMITS, &at_seven(code, "")),
        0,
        &with(Technique::Path, |search| search.bounds.step.steps = STEPS),
    );
    assert_eq!(outcomes(&generated), ["returned", "returned"]);
    assert!(rows(&generated).contains(&"7".to_owned()));
    assert_eq!(unended(&generated.record), 1);
    // Where the bound suffices it is a path like any other.
    let whole =
        replayed(&written("f(x: i32) -> i32", LIMITS, &at_seven(code, "")), 0, &options(Technique::Path));
    assert_eq!(unended(&whole.record), 0);
    assert!(whole.record.search.as_ref().expect("a search").complete);
}

#[test]
fn the_way_into_an_endless_recursion_is_an_input() {
    for others in [
        "(func $down (call $down))",
        "(func $down (drop (call $deep (i32.const 0))))
         (func $deep (param i32) (result i32) (i32.add (call $deep (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))",
    ] {
        let generated = run("f(x: i32) -> i32", "", &at_seven("(call $down)", others));
        assert_eq!(unended(&generated.record), 1, "{:#?}", generated.record);
        assert_eq!(ended(&generated, "returned").len(), 1);
        assert!(rows(&generated).contains(&"7".to_owned()), "{:?}", rows(&generated));
    }
}

#[test]
fn the_way_into_an_endless_loop_over_a_sequence_is_an_input() {
    // Where an element is 9, its place is looked at for ever.
    let wat = "(module (memory (export \"memory\") 1) (func (export \"f\") (param i32 i32) (result i32) (local i32)
        (block (loop
            (br_if 1 (i32.ge_u (local.get 2) (local.get 1)))
            (br_if 0 (i32.eq (i32.load (i32.add (local.get 0) (i32.shl (local.get 2) (i32.const 2)))) (i32.const 9)))
            (local.set 2 (i32.add (local.get 2) (i32.const 1)))
            (br 0)))
        (local.get 2)))";
    let generated = run("f(xs: [i32]) -> i32", LIMITS, wat);
    let has_nine = |row: &String| row.trim_matches(['[', ']']).split(", ").any(|element| element == "9");
    let endless = ended(&generated, "out of fuel");
    assert!(!endless.is_empty() && endless.iter().all(has_nine), "{endless:?}");
    assert!(!ended(&generated, "returned").iter().any(has_nine));
}

#[test]
fn as_many_inputs_as_are_asked_for_are_kept_with_endless_ones() {
    let workbench = written("f(x: i32) -> i32", LIMITS, &at_seven("(loop (br 0))", ""));
    let search = with(Technique::Path, |search| search.bounds.step.steps = STEPS);
    let generated = replayed(&workbench, 0, &GenerateOptions { count: Some(5), ..search });
    assert_eq!(generated.coverage.len(), 5);
    assert_eq!(ended(&generated, "out of fuel"), ["7"]);
}
