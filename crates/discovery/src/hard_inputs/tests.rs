use std::num::NonZeroUsize;

use dodona_subject::Manifest;
use dodona_wasm::Workbench;

use super::*;
use crate::relation_of::parsed;

/// A module with this text and the functions of this manifest.
pub(crate) fn module(text: &str, functions: &str) -> (tempfile::TempDir, Workbench) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.wat"), text).expect("written");
    let path = folder.path().join("dodona.toml");
    std::fs::write(&path, format!("module = \"m.wat\"\n{functions}")).expect("written");
    let manifest = Manifest::find(&path).expect("a manifest");
    (folder, dodona_wasm::open(manifest).expect("it opens"))
}

fn judged(text: &str, functions: &str, relation: &str) -> HardVerdict {
    let (_folder, workbench) = module(text, functions);
    let hard = HardInputs::new(&workbench.any(), Seed(0), NonZeroUsize::MIN);
    let relation = parsed(&format!("relation r: {relation}")).expect("a relation");
    hard.judge(&relation, &Until::default()).expect("it runs")
}

const NEAREST: &str = r#"(module (func (export "nearest") (param f64) (result f64) (f64.nearest (local.get 0)))
    (func (export "up") (param f64) (result f64) (f64.floor (f64.add (local.get 0) (f64.const 0.5)))))"#;
const NUMBER: &str = "[[function]]\nsignature = \"nearest(x: f64) -> f64\"\nsample.x = { range = [-1e6, 1e6] }\n\
    [[function]]\nsignature = \"up(x: f64) -> f64\"\nsample.x = { range = [-1e6, 1e6] }\n";

#[test]
fn numbers_halfway_between_others_are_tried() {
    let verdict = judged(NEAREST, NUMBER, "nearest(x) == up(x)");
    assert!(matches!(verdict, HardVerdict::Violated(_)), "{verdict:?}");
    assert_eq!(judged(NEAREST, NUMBER, "nearest(nearest(x)) == nearest(x)"), HardVerdict::Holds);
}

const SAME: &str = r#"(module (func (export "same") (param i32) (result i32) (local.get 0)))"#;
const BYTE: &str = "[[function]]\nsignature = \"same(x: i32) -> i32\"\ndomain.x = { range = [0, 255] }\n";

#[test]
fn what_is_true_of_a_few_inputs_only_is_special() {
    assert_eq!(judged(SAME, BYTE, "same(x ^ 2) == x ^ 2"), HardVerdict::Special);
    assert_eq!(judged(SAME, BYTE, "same(x + 1) == x + 1"), HardVerdict::Holds);
    // A condition with a number says which inputs are meant.
    assert_eq!(judged(SAME, BYTE, "when x >= 250: same(x) >= 250"), HardVerdict::Holds);
}

/// A multiplicative hash of bytes, and their number.
const HASH: &str = r#"(module (memory (export "memory") 2) (global $next (mut i32) (i32.const 1024))
    (func (export "alloc") (param i32) (result i32) (global.get $next))
    (func (export "hash") (param $at i32) (param $size i32) (result i32) (local $sum i32)
        (local.set $sum (i32.const -2128831035))
        (block $end (loop $each
            (br_if $end (i32.eqz (local.get $size)))
            (local.set $sum (i32.mul (i32.xor (local.get $sum) (i32.load8_u (local.get $at))) (i32.const 16777619)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $size (i32.sub (local.get $size) (i32.const 1)))
            (br $each)))
        (local.get $sum))
    (func (export "size") (param i32 i32) (result i32) (local.get 1)))"#;
const BYTES: &str = "[[function]]\nsignature = \"hash(data: [u8]) -> u32\"\n[[function]]\nsignature = \"size(data: [u8]) -> u32\"\n";

#[test]
fn bounds_of_results_that_are_spread_like_random_numbers_are_none() {
    let (_folder, workbench) = module(HASH, BYTES);
    assert_eq!(scattered(&workbench.any(), Seed(0), &Until::default()), ["hash"]);
    assert_eq!(judged(HASH, BYTES, "hash(data) >= len(data)"), HardVerdict::Special);
    assert_eq!(judged(HASH, BYTES, "size(data) >= len(data)"), HardVerdict::Holds);
    assert_eq!(judged(HASH, BYTES, "hash([]) == 2166136261"), HardVerdict::Holds);
}

/// The sum of bytes, in nine bits.
const TOTAL: &str = r#"(module (memory (export "memory") 2)
    (func (export "alloc") (param i32) (result i32) (i32.const 1024))
    (func (export "total") (param $at i32) (param $size i32) (result i32) (local $sum i32)
        (block $end (loop $each
            (br_if $end (i32.eqz (local.get $size)))
            (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $at))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $size (i32.sub (local.get $size) (i32.const 1)))
            (br $each)))
        (i32.and (local.get $sum) (i32.const 511))))"#;

#[test]
fn sums_of_long_sequences_of_small_and_of_great_numbers_are_drawn() {
    let bytes = "[[function]]\nsignature = \"total(data: [u8]) -> u32\"\ndomain.data = { length = [1, 100] }\n\
                 sample.data = { length = [1, 24] }\n";
    for law in [
        "when sorted(data)[len(data) - 1] <= 16: total(data) == sum(data)",
        "when sorted(data)[0] >= 240 and len(data) > 30: total(data) >= 16",
    ] {
        assert!(matches!(judged(TOTAL, bytes, law), HardVerdict::Violated(_)), "{law}");
    }
}

#[test]
fn characters_that_are_one_with_their_neighbours_are_drawn() {
    let text = Parameter::new("t", Type::Text);
    let joining = sampling(&text, Way::Joining).expect("texts have letters");
    assert_eq!(joining.length, Some((1, FEW)));
    assert!(joining.alphabet.is_some_and(|letters| letters.contains(&'\u{fe0f}') && letters.contains(&'Ⅻ')));
    // Letters that a domain does not have are not drawn.
    let mut digits = text;
    digits.domain.alphabet = Some(('0'..='9').collect());
    assert_eq!(sampling(&digits, Way::Joining).and_then(|sampling| sampling.alphabet), Some(vec!['1']));
    assert_eq!(sampling(&digits, Way::Folding), None);
}
