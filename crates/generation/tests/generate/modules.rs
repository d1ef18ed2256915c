//! Modules written to be hard: each instruction that symbolic execution supports, with operands that it does not know.

use std::collections::BTreeSet;
use std::time::Duration;

use dodona_generation::{Bounds, GenerateOptions, Generated, StepLimits, Technique};
use dodona_records::GenerationRecord;

use super::{SYMBOLIC, beyond_bounds, options, replayed, with, written};

/// Generates inputs of a function by both techniques; those along paths.
fn run(signature: &str, wat: &str) -> Generated {
    run_within(signature, "", wat, &options(Technique::Path))
}

fn run_within(signature: &str, keys: &str, wat: &str, options: &GenerateOptions) -> Generated {
    let workbench = written(signature, keys, wat);
    for technique in SYMBOLIC {
        let generated = replayed(&workbench, 0, &GenerateOptions { technique, ..options.clone() });
        assert!(generated.record.inputs > 0, "{technique:?}: {:#?}", generated.record);
    }
    replayed(&workbench, 0, options)
}

/// How the calls end, each way once.
fn outcomes(generated: &Generated) -> BTreeSet<String> {
    generated.coverage.iter().map(|input| input.outcome.to_string()).collect()
}

fn is_complete(record: &GenerationRecord) -> bool {
    record.search.as_ref().is_some_and(|search| search.complete)
}

/// Fails unless every path was followed and the calls end in these ways alone.
fn ends(generated: &Generated, paths: u64, wanted: &[&str]) {
    assert!(is_complete(&generated.record), "{:#?}", generated.record);
    assert_eq!(generated.record.paths, paths, "{:#?}", generated.record);
    let wanted: BTreeSet<String> = wanted.iter().map(|&w| w.to_owned()).collect();
    assert_eq!(outcomes(generated), wanted);
}

/// Why paths were left.
fn cuts(generated: &Generated) -> Vec<String> {
    let search = generated.record.search.as_ref().expect("a search");
    search.cuts.keys().cloned().collect()
}

fn function(parameters: &str, result: &str, body: &str) -> String {
    format!("(module (memory 1) (func (export \"f\") {parameters} (result {result}) {body}))")
}

const ZERO: &str = "trapped: division by zero";
const OVERFLOW: &str = "trapped: integer overflow";
const OUTSIDE: &str = "trapped: out of bounds memory access";

#[test]
fn divisions_trap_by_zero_and_by_overflow() {
    for (width, ty) in [("i32", "i32"), ("i64", "i64")] {
        let pair = format!("(param {width} {width})");
        for (instruction, paths, wanted) in [
            ("div_s", 3, &["returned", ZERO, OVERFLOW][..]),
            ("div_u", 2, &["returned", ZERO]),
            ("rem_s", 2, &["returned", ZERO]),
            ("rem_u", 2, &["returned", ZERO]),
        ] {
            let body = format!("({width}.{instruction} (local.get 0) (local.get 1))");
            let generated = run(&format!("f(a: {ty}, b: {ty}) -> {ty}"), &function(&pair, width, &body));
            // A trap is no decision of the function: its paths are told apart by how they end.
            assert_eq!(generated.record.inputs, paths, "{width}.{instruction}");
            ends(&generated, 1, wanted);
        }
    }
}

#[test]
fn the_least_number_by_minus_one_is_no_remainder_and_no_trap() {
    let body = "(if (result i32) (i32.eqz (i32.rem_s (i32.const -2147483648) (local.get 0)))
        (then (i32.eq (local.get 0) (i32.const -1))) (else (i32.const 7)))";
    let generated = run("f(a: i32) -> i32", &function("(param i32)", "i32", body));
    ends(&generated, 3, &["returned", ZERO]);
}

#[test]
fn truncations_trap_and_saturating_ones_do_not() {
    for float in ["f32", "f64"] {
        for int in ["i32", "i64"] {
            for sign in ["s", "u"] {
                let signature = format!("f(x: {float}) -> {int}");
                let parameter = format!("(param {float})");
                let traps = format!("({int}.trunc_{float}_{sign} (local.get 0))");
                let generated = run(&signature, &function(&parameter, int, &traps));
                ends(&generated, 1, &["returned", OVERFLOW, "trapped: invalid conversion to integer"]);
                let saturates = format!(
                    "(if (result {int}) ({int}.eqz ({int}.trunc_sat_{float}_{sign} (local.get 0)))
                        (then ({int}.const 1)) (else ({int}.trunc_sat_{float}_{sign} (local.get 0))))"
                );
                ends(&run(&signature, &function(&parameter, int, &saturates)), 2, &["returned"]);
            }
        }
    }
}

#[test]
fn nan_keeps_its_payload_where_no_arithmetic_is_done() {
    // Bits of NaN with a payload, through the operators that move bits alone: only the exact payload comes to the end.
    let body = "(if (result i32)
        (i64.eq (i64.reinterpret_f64 (f64.neg (f64.abs (f64.copysign (local.get 0) (f64.const -1)))))
                (i64.const 0xfff80000deadbeef))
        (then (i32.const 1)) (else (i32.const 0)))";
    // A manifest's NaN is any NaN, so the function takes the bits.
    let bits =
        function("(param i64)", "i32", &body.replace("(local.get 0)", "(f64.reinterpret_i64 (local.get 0))"));
    let generated = run("f(bits: i64) -> i32", &bits);
    ends(&generated, 2, &["returned"]);
    let arithmetic = "(if (result i32)
        (i64.eq (i64.reinterpret_f64 (f64.add (f64.reinterpret_i64 (local.get 0)) (f64.const 1)))
                (i64.const 0x7ff80000deadbeef))
        (then (i32.const 1)) (else (i32.const 0)))";
    let generated = run("f(bits: i64) -> i32", &function("(param i64)", "i32", arithmetic));
    ends(&generated, 1, &["returned"]);
    assert_eq!(beyond_bounds(&generated.record), 0, "no arithmetic gives a payload: proved");
}

#[test]
fn zeros_have_signs() {
    let body = "(if (result i32) (f64.eq (local.get 0) (f64.const 0))
        (then (if (result i32) (f64.lt (f64.div (f64.const 1) (local.get 0)) (f64.const 0))
            (then (i32.const -1)) (else (i32.const 1))))
        (else (i32.const 0)))";
    let generated = run("f(x: f64) -> i32", &function("(param f64)", "i32", body));
    ends(&generated, 3, &["returned"]);
    let least = "(if (result i32) (i32.eq (i32.reinterpret_f32 (f32.min (local.get 0) (local.get 1)))
        (i32.const 0x80000000)) (then (i32.const 1)) (else (i32.const 0)))";
    let generated = run("f(x: f32, y: f32) -> i32", &function("(param f32 f32)", "i32", least));
    ends(&generated, 2, &["returned"]);
}

#[test]
fn random_bytes_that_do_not_fit_in_memory_are_not_drawn() {
    // The first call fails. The bytes of the second are then the first that are drawn, and decide the path.
    let wat = "(module
        (import \"wasi_snapshot_preview1\" \"random_get\" (func $random_get (param i32 i32) (result i32)))
        (memory (export \"memory\") 1)
        (func (export \"f\") (param i32) (result i32)
            (drop (call $random_get (i32.const 8) (i32.const -9)))
            (drop (call $random_get (i32.const 0) (i32.const 8)))
            (if (result i32) (i32.eq (local.get 0) (i32.load8_u (i32.const 0)))
                (then (i32.const -1))
                (else (i32.load (i32.const 4))))))";
    let generated = run("f(n: i32) -> i32", wat);
    assert_eq!(generated.record.branches.covered, 2, "{:#?}", generated.record);
}

/// A module whose allocator counts how often it was asked, and whose function branches on the count.
fn counting_allocations(parameters: &str) -> String {
    format!(
        "(module
        (memory (export \"memory\") 2)
        (global $asked (mut i32) (i32.const 0))
        (func (export \"malloc\") (param i32) (result i32)
            (global.set $asked (i32.add (global.get $asked) (i32.const 1)))
            (i32.const 32768))
        (func (export \"f\") {parameters} (result i32)
            (i32.store (i32.const 16) (i32.const 0x6363))
            (if (i32.gt_s (local.get 0) (global.get $asked)) (then (i32.store8 (i32.const 16) (i32.const 0x61))))
            (if (i32.eqz (global.get $asked)) (then (i32.store8 (i32.const 17) (i32.const 0x62))))
            (i32.const 16)))"
    )
}

#[test]
fn the_allocator_is_asked_only_where_something_is_passed_by_its_address() {
    let keys = "result = 'nul-terminated'";
    let scalars = run_within(
        "f(n: i32) -> text",
        keys,
        &counting_allocations("(param i32)"),
        &options(Technique::Path),
    );
    ends(&scalars, 2, &["returned"]);
    let wat = counting_allocations("(param i32 i32 i32)");
    let with_text = run_within(
        "f(n: i32, t: text) -> text",
        "result = 'nul-terminated'",
        &wat,
        &options(Technique::Path),
    );
    assert!(with_text.record.paths >= 2, "{:#?}", with_text.record);
    assert!(with_text.record.mismatches.is_empty(), "{:#?}", with_text.record);
}

#[test]
fn memory_is_written_and_read_by_every_width() {
    // Stores that overlap, then loads across them; the result is compared with a constant, so that a path needs all bytes right.
    let body = "(i64.store (i32.const 16) (local.get 0))
        (i32.store offset=3 (i32.const 16) (local.get 1))
        (i32.store16 (i32.const 18) (local.get 1))
        (i64.store32 (i32.const 21) (i64.shl (local.get 0) (i64.const 8)))
        (i64.store8 (i32.const 20) (local.get 0))
        (i64.store16 (i32.const 30) (local.get 0))
        (i32.store8 (i32.const 31) (local.get 1))
        (i64.add
            (i64.xor (i64.load (i32.const 17)) (i64.load32_s (i32.const 19)))
            (i64.add (i64.load16_u (i32.const 18)) (i64.load8_s (i32.const 21))))
        (i64.extend_i32_s (i32.add (i32.load16_s (i32.const 20)) (i32.load8_u (i32.const 22))))
        (i64.xor (i64.load16_s (i32.const 30)))
        (i64.sub (i64.load32_u (i32.const 23)))
        (i64.add (i64.load8_u (i32.const 31)))
        i64.xor
        local.set 2
        (if (result i64) (i64.eq (local.get 2) (i64.const 0x0123456789abcdef))
            (then (i64.const 1)) (else (local.get 2)))";
    let generated =
        run("f(a: i64, b: i32) -> i64", &function("(param i64 i32)", "i64", &format!("(local i64) {body}")));
    assert!(generated.record.mismatches.is_empty() && generated.record.inputs >= 1);
    let floats =
        "(f64.store (i32.const 8) (local.get 0)) (f32.store (i32.const 20) (f32.demote_f64 (local.get 0)))
        (if (result f64) (f64.lt (f64.load (i32.const 8)) (f64.promote_f32 (f32.load (i32.const 20))))
            (then (f64.const 1)) (else (f64.load (i32.const 8))))";
    ends(&run("f(x: f64) -> f64", &function("(param f64)", "f64", floats)), 2, &["returned"]);
}

#[test]
fn a_symbolic_address_into_a_small_table_is_a_choice_within_the_term() {
    let wat = "(module (memory 1) (data (i32.const 64) \"\\05\\03\\09\\01\")
        (func (export \"f\") (param i32) (result i32)
            (if (result i32) (i32.eq (i32.load8_u offset=64 (i32.and (local.get 0) (i32.const 3))) (i32.const 9))
                (then (i32.const 1)) (else (i32.const 0)))))";
    ends(&run("f(i: i32) -> i32", wat), 2, &["returned"]);
    // Stored through a symbolic address, and read beside it.
    let wat = "(module (memory 1) (func (export \"f\") (param i32 i32) (result i32)
        (i32.store offset=64 (i32.shl (i32.and (local.get 0) (i32.const 3)) (i32.const 2)) (local.get 1))
        (if (result i32) (i32.eq (i32.load (i32.const 68)) (i32.const 77)) (then (i32.const 1)) (else (i32.const 0)))))";
    ends(&run("f(i: i32, x: i32) -> i32", wat), 2, &["returned"]);
}

#[test]
fn a_symbolic_address_anywhere_is_followed_for_some_values_and_the_rest_is_counted() {
    let body = "(i32.load8_u (local.get 0))";
    let generated = run("f(at: i32) -> i32", &function("(param i32)", "i32", body));
    assert!(!is_complete(&generated.record));
    assert_eq!(outcomes(&generated), BTreeSet::from(["returned".to_owned(), OUTSIDE.to_owned()]));
    let cuts = cuts(&generated);
    assert!(cuts.len() == 1 && cuts[0].contains("more values than were followed"), "{cuts:?}");
}

#[test]
fn tables_are_jumped_through_by_direction() {
    let body = "(block (block (block (block (br_table 0 1 1 2 3 (local.get 0)))
            (return (i32.const 10))) (return (i32.const 20))) (return (i32.const 30))) (i32.const 40)";
    ends(&run("f(i: i32) -> i32", &function("(param i32)", "i32", body)), 4, &["returned"]);
}

#[test]
fn several_results_are_passed_on() {
    let wat = "(module (func $both (param i32 i32) (result i32 i32 i32)
            (i32.add (local.get 0) (local.get 1)) (i32.sub (local.get 0) (local.get 1)) (local.get 0))
        (func (export \"f\") (param i32 i32) (result i32)
            (call $both (local.get 0) (local.get 1))
            (block (param i32 i32 i32) (result i32 i32) drop) i32.mul
            (if (param) (result i32) (i32.eq (i32.const 15)) (then (i32.const 1)) (else (i32.const 0)))))";
    ends(&run("f(a: i32, b: i32) -> i32", wat), 2, &["returned"]);
}

#[test]
fn functions_are_called_through_a_table_by_a_symbolic_index() {
    let wat = "(module (type $t (func (param i32) (result i32))) (table 4 funcref) (elem (i32.const 0) $inc $dec $wrong)
        (func $inc (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
        (func $dec (param i32) (result i32) (i32.sub (local.get 0) (i32.const 1)))
        (func $wrong (result i32) (i32.const 0))
        (func (export \"f\") (param i32 i32) (result i32)
            (call_indirect (type $t) (local.get 0) (i32.and (local.get 1) (i32.const 7)))))";
    let generated = run("f(x: i32, i: i32) -> i32", wat);
    let wanted = [
        "returned",
        "trapped: indirect call type mismatch",
        "trapped: indirect call to null",
        "trapped: out of bounds table access",
    ];
    assert_eq!(outcomes(&generated), wanted.map(str::to_owned).into());
}

#[test]
fn memory_grows_by_a_symbolic_number_of_pages() {
    let wat = "(module (memory 1 3) (func (export \"f\") (param i32) (result i32)
        (if (i32.eq (memory.grow (i32.and (local.get 0) (i32.const 3))) (i32.const -1)) (then (return (i32.const -1))))
        (i32.store8 (i32.const 131071) (i32.const 5))
        (memory.size)))";
    let generated = run("f(pages: i32) -> i32", wat);
    assert_eq!(outcomes(&generated), BTreeSet::from(["returned".to_owned(), OUTSIDE.to_owned()]));
    assert!(is_complete(&generated.record), "{:#?}", generated.record);
}

#[test]
fn bulk_memory_moves_symbols() {
    let wat = "(module (memory 1) (data $d \"abcdefgh\")
        (func (export \"f\") (param i32 i32) (result i32)
            (memory.fill (i32.const 100) (local.get 0) (i32.const 8))
            (memory.init $d (i32.const 104) (i32.const 2) (i32.const 2))
            (memory.copy (i32.const 102) (i32.const 100) (i32.const 6))
            (data.drop $d)
            (memory.copy (i32.const 200) (i32.const 100) (i32.and (local.get 1) (i32.const 3)))
            (if (result i32) (i32.eq (i32.load (i32.const 200)) (i32.const 0x00070707))
                (then (i32.const 1)) (else (i32.load (i32.const 104))))))";
    let generated = run("f(byte: i32, size: i32) -> i32", wat);
    assert!(is_complete(&generated.record), "{:#?}", generated.record);
    // Only three bytes of sevens make the word.
    assert!(generated.record.branches.covered == 2, "{:#?}", generated.record);
    let dropped = "(module (memory 1) (data $d \"abcdefgh\") (func (export \"f\") (param i32) (result i32)
        (data.drop $d) (memory.init $d (i32.const 0) (i32.const 0) (i32.and (local.get 0) (i32.const 1))) (i32.const 3)))";
    assert_eq!(
        outcomes(&run("f(n: i32) -> i32", dropped)),
        BTreeSet::from(["returned".to_owned(), OUTSIDE.to_owned()])
    );
}

#[test]
fn globals_and_unreachable_code_are_part_of_a_path() {
    let wat = "(module (global $g (mut i64) (i64.const 5))
        (func (export \"f\") (param i64) (result i64)
            (global.set $g (i64.mul (global.get $g) (local.get 0)))
            (if (i64.eq (global.get $g) (i64.const 35)) (then unreachable))
            (select (global.get $g) (local.get 0) (i64.lt_s (local.get 0) (i64.const 0)))))";
    // `select` decides nothing: both of its values are one path.
    ends(&run("f(x: i64) -> i64", wat), 2, &["returned", "trapped: unreachable"]);
}

#[test]
fn bits_are_counted_rotated_and_extended() {
    let body = "(i32.xor (i32.rotl (local.get 0) (local.get 1)) (i32.rotr (local.get 1) (i32.clz (local.get 0))))
        (i32.add (i32.ctz (local.get 1)) (i32.popcnt (local.get 0)))
        (i32.add (i32.extend8_s (local.get 0)) (i32.extend16_s (local.get 1)))
        (i32.shl (local.get 0) (local.get 1)) (i32.shr_s (local.get 1) (local.get 0))
        i32.or i32.xor i32.add i32.sub local.set 2
        (if (result i32) (i32.gt_s (local.get 2) (i32.const 1000)) (then (local.get 2)) (else (i32.const 0)))";
    let wat = function("(param i32 i32)", "i32", &format!("(local i32) {body}"));
    ends(&run("f(a: i32, b: i32) -> i32", &wat), 2, &["returned"]);
}

#[test]
fn recursion_without_end_ends_at_its_bound() {
    let wat = "(module (func $f (export \"f\") (param i32) (result i32)
        (if (result i32) (local.get 0)
            (then (i32.add (call $f (i32.sub (local.get 0) (i32.const 1))) (i32.const 1)))
            (else (i32.const 0)))))";
    let generated = run("f(n: i32) -> i32", wat);
    assert!(!is_complete(&generated.record) && generated.record.inputs >= 30, "{:#?}", generated.record);
    // Not by choice: the frames are counted.
    let wat = "(module (func $f (export \"f\") (param i32) (result i32) (call $f (i32.add (local.get 0) (i32.const 1)))))";
    let workbench = written("f(n: i32) -> i32", "", wat);
    let record = super::generate(&workbench, 0, &options(Technique::Path)).expect("it ends").record;
    let unended = &record.search.as_ref().expect("a search").unended;
    assert!(record.inputs == 1 && unended.keys().any(|cut| cut.contains("nested too deep")), "{record:#?}");
}

/// Euclid's: no bound on its loop, and the solver does not like remainders of remainders.
const GCD: &str = "(module (func (export \"f\") (param i32 i32) (result i32) (local i32)
    (block $end (loop $again
        (br_if $end (i32.eqz (local.get 1)))
        (local.set 2 (i32.rem_u (local.get 0) (local.get 1)))
        (local.set 0 (local.get 1)) (local.set 1 (local.get 2)) (br $again)))
    (if (result i32) (i32.eq (local.get 0) (i32.const 12)) (then (i32.const -1)) (else (local.get 0)))))";

#[test]
fn a_loop_without_bound_ends_at_its_budget_with_inputs_for_every_branch() {
    for technique in SYMBOLIC {
        let bounds = Bounds { queries: 8, ..Bounds::default() };
        let workbench = written("f(p: i32, q: i32) -> i32", "", GCD);
        let options = with(technique, |search| {
            search.bounds = bounds;
            search.query_time = Some(Duration::from_millis(50));
        });
        let generated = replayed(&workbench, 0, &options);
        let (record, search) = (&generated.record, generated.record.search.as_ref().expect("a search"));
        assert!(search.stop.contains("8 queries"), "{technique:?}: {record:#?}");
        assert_eq!(record.branches.covered, 4, "{technique:?}: {record:#?}");
    }
}

#[test]
fn a_bound_on_questions_is_kept_where_an_address_has_many_values() {
    // Each of 256 addresses is a question of its own.
    let wat = "(module (memory 1) (func (export \"f\") (param i32) (result i32)
        (i32.load8_u (i32.mul (i32.and (local.get 0) (i32.const 255)) (local.get 0)))))";
    for technique in SYMBOLIC {
        let workbench = written("f(p: i32) -> i32", "", wat);
        let options = with(technique, |search| {
            search.bounds = Bounds { queries: 3, ..Bounds::default() };
            search.query_time = Some(Duration::from_millis(500));
        });
        let generated = replayed(&workbench, 0, &options);
        let search = generated.record.search.as_ref().expect("a search");
        assert!(search.stop.contains("3 queries"), "{technique:?}: {search:#?}");
        assert!(search.queries <= 3, "{technique:?}: {search:#?}");
    }
}

#[test]
fn what_is_beyond_the_bound_of_a_loop_is_counted_and_its_edges_have_an_input() {
    // Only a hundred turns come to the last branch.
    let wat = "(module (func (export \"f\") (param i32) (result i32) (local i32)
        (block $end (loop $again
            (br_if $end (i32.ge_u (local.get 1) (local.get 0)))
            (local.set 1 (i32.add (local.get 1) (i32.const 1))) (br $again)))
        (i32.gt_u (local.get 1) (i32.const 100))))";
    let step = StepLimits { loop_bound: 5, ..StepLimits::default() };
    let bounds = Bounds { step, ..Bounds::default() };
    let keys = "domain.n = { range = [1, 200] }";
    let generated =
        run_within("f(n: i32) -> i32", keys, wat, &with(Technique::Path, |search| search.bounds = bounds));
    assert!(!is_complete(&generated.record));
    assert!(cuts(&generated)[0].contains("--loop-bound"), "{:?}", cuts(&generated));
    assert_eq!(generated.record.branches.covered, 2);
    // Beyond the bound from the first turn on: there is no other path.
    let keys = "domain.n = { range = [100, 200] }";
    let generated =
        run_within("f(n: i32) -> i32", keys, wat, &with(Technique::Path, |search| search.bounds = bounds));
    assert_eq!(generated.record.branches.covered, 2, "{:#?}", generated.record);
}

#[test]
fn an_explosion_of_paths_ends_at_its_budget_with_what_it_has() {
    // A decision for each of 32 bits: 2^32 paths.
    let wat = "(module (func (export \"f\") (param i32) (result i32) (local i32 i32)
        (loop $again
            (if (i32.and (i32.shr_u (local.get 0) (local.get 1)) (i32.const 1))
                (then (local.set 2 (i32.add (local.get 2) (i32.const 3))))
                (else (local.set 2 (i32.xor (local.get 2) (i32.const 5)))))
            (local.set 1 (i32.add (local.get 1) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get 1) (i32.const 29))))
        (local.get 2)))";
    for order in dodona_generation::SearchOrder::ALL {
        let bounds = Bounds { paths: 50, live: 20, ..Bounds::default() };
        let options = with(Technique::Path, |search| {
            search.bounds = bounds;
            search.order = order;
        });
        let generated = replayed(&written("f(bits: i32) -> i32", "", wat), 0, &options);
        let search = generated.record.search.as_ref().expect("a search");
        assert!(!search.complete && generated.record.inputs > 0, "{order:?}: {:#?}", generated.record);
        let dropped = search.cuts.keys().any(|cut| cut.contains("--max-states"));
        assert!(dropped || search.stop.contains("50 paths"), "{order:?}: {:#?}", generated.record);
    }
}

#[test]
fn states_that_hold_much_are_dropped_before_there_are_many() {
    // A choice a turn, so that every state holds as many constraints as turns.
    let wat = "(module (func (export \"f\") (param i32) (result i32) (local i32 i32)
        (loop $again
            (if (i32.and (i32.shr_u (local.get 0) (local.get 1)) (i32.const 1))
                (then (local.set 2 (i32.add (local.get 2) (i32.const 3)))))
            (local.set 1 (i32.add (local.get 1) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get 1) (i32.const 29))))
        (local.get 2)))";
    let dropped = |held: usize| {
        let options = with(Technique::Path, |search| {
            search.bounds = Bounds { paths: 20, held, ..Bounds::default() };
            search.order = dodona_generation::SearchOrder::DepthFirst;
        });
        let generated = replayed(&written("f(bits: i32) -> i32", "", wat), 0, &options);
        let search = generated.record.search.as_ref().expect("a search");
        search.cuts.keys().any(|cut| cut.contains("--max-states"))
    };
    assert!(!dropped(Bounds::default().held));
    assert!(dropped(100));
}

#[test]
fn an_instruction_that_is_not_supported_is_named_with_its_place() {
    let wat = "(module (func (export \"f\") (param i32) (result i32)
        (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
        (i8x16.extract_lane_s 0 (i8x16.splat (local.get 0)))))";
    let generated = replayed(&written("f(x: i32) -> i32", "", wat), 0, &options(Technique::Path));
    assert_eq!(generated.record.inputs, 1);
    let cuts = cuts(&generated);
    assert!(cuts[0].contains("i8x16.splat") && cuts[0].contains("instruction 8"), "{cuts:?}");
}

#[test]
fn domains_that_contradict_themselves_are_refused() {
    let workbench = written(
        "f(n: i32, m: i32) -> i32",
        "requires = \"n < m and m < n\"",
        &function("(param i32 i32)", "i32", "(local.get 0)"),
    );
    for technique in SYMBOLIC {
        let error = super::generate(&workbench, 0, &options(technique)).expect_err("no input");
        assert!(error.to_string().contains("allow no input"), "{error}");
    }
}
