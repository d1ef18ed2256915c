//! The language has one NaN: what it computes, and what it hands on, goes into a call with the same bits, in a run as in
//! a proof.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dodona_generation::{Bounds, SearchOptions, SearchOrder, prove};
use dodona_records::{ProofVerdict, RelationVerdict};
use dodona_relations::{evaluate_expression, parse_expression};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Interruption, Value};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, Regressions, check};

/// Functions that tell the bits of a NaN, and some that give a NaN with a sign or a payload.
const WAT: &str = r#"(module
  (memory (export "memory") 1)
  (func (export "sign") (param f64) (result i32)
    (i32.wrap_i64 (i64.shr_u (i64.reinterpret_f64 (local.get 0)) (i64.const 63))))
  (func (export "bits") (param f64) (result i64) (i64.reinterpret_f64 (local.get 0)))
  (func (export "sign_single") (param f32) (result i32)
    (i32.shr_u (i32.reinterpret_f32 (local.get 0)) (i32.const 31)))
  (func (export "bits_single") (param f32) (result i32) (i32.reinterpret_f32 (local.get 0)))
  (func (export "minus") (param f64) (result f64) (f64.neg (local.get 0)))
  (func (export "minus_single") (param f32) (result f32) (f32.neg (local.get 0)))
  (func (export "marked") (param f64) (result f64)
    (if (result f64) (f64.eq (local.get 0) (local.get 0))
      (then (local.get 0))
      (else (f64.reinterpret_i64 (i64.const 0xfff4000000001234)))))
  (func (export "marked_single") (param f32) (result f32)
    (if (result f32) (f32.eq (local.get 0) (local.get 0))
      (then (local.get 0))
      (else (f32.reinterpret_i32 (i32.const 0xff812345)))))
  ;; How many elements have the sign bit and are NaN, of both kinds of sequence.
  (func (export "odd") (param $p i32) (param $n i32) (result i32)
    (local $odd i32) (local $x f64)
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $x (f64.load (local.get $p)))
      (local.set $odd (i32.add (local.get $odd) (i32.and
        (f64.ne (local.get $x) (local.get $x))
        (i64.ne (i64.reinterpret_f64 (local.get $x)) (i64.const 0x7ff8000000000000)))))
      (local.set $p (i32.add (local.get $p) (i32.const 8)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $next)))
    (local.get $odd))
  (func (export "odd_single") (param $p i32) (param $n i32) (result i32)
    (local $odd i32) (local $x f32)
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $x (f32.load (local.get $p)))
      (local.set $odd (i32.add (local.get $odd) (i32.and
        (f32.ne (local.get $x) (local.get $x))
        (i32.ne (i32.reinterpret_f32 (local.get $x)) (i32.const 0x7fc00000)))))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $next)))
    (local.get $odd)))"#;

const MANIFEST: &str = r#"
module = "m.wat"
relations = ["m.mr"]
[[function]]
signature = "sign(a: f64) -> i32"
[[function]]
signature = "bits(b: f64) -> i64"
[[function]]
signature = "sign_single(s: f32) -> i32"
[[function]]
signature = "bits_single(t: f32) -> i32"
[[function]]
signature = "minus(m: f64) -> f64"
[[function]]
signature = "minus_single(n: f32) -> f32"
[[function]]
signature = "marked(k: f64) -> f64"
[[function]]
signature = "marked_single(j: f32) -> f32"
[[function]]
signature = "odd(xs: [f64]) -> i32"
domain.xs = { length = [0, 4] }
[[function]]
signature = "odd_single(ys: [f32]) -> i32"
domain.ys = { length = [0, 4] }
"#;

/// Relations that hold because there is one NaN: a word for each that computes a float, of both widths, in sequences,
/// in constants, handed on from one call to the next.
const HOLD: &str = "
relation root(a: sign.a): when a < 0: sign(sqrt(a)) == 0
relation difference(a: sign.a): when a == inf: bits(a - a) == bits(nan)
relation product(a: sign.a): when a == inf or a == -inf: sign(a * 0) == 0
relation floor(a: sign.a): when is_nan(a): sign(floor(-a)) == 0 and sign(ceil(-a)) == 0
relation square(a: sign.a): when is_nan(a): sign((-a)^2) == 0
relation sum(a: sign.a): when is_nan(a): sign((-a) + 1) == 0 and sign(1 - -a) == 0
relation flipped_sum(a: minus.m): when is_nan(a): sign(minus(a) + 0) == 0
relation greater(a: sign.a, b: sign.a): when is_nan(a) or is_nan(b): sign(max(-a, b)) == 0 and sign(max(a, -b)) == 0
relation lesser(a: sign.a, b: sign.a): when is_nan(a) or is_nan(b): sign(min(-a, b)) == 0 and sign(min(a, -b)) == 0
relation minus(a: sign.a): when is_nan(a): bits(-a) == bits(a)
relation magnitude(a: sign.a): when is_nan(a): bits(-abs(-a)) == bits(a)
relation quotient(a: sign.a): when a == inf: sign(a / a) == 0 and sign(-a / a) == 0 and sign((-nan) / 2) == 0
relation constant(a: sign.a): when a == 0: bits(-nan) == bits(nan) and bits(nan) == 9221120237041090560 and bits(sqrt(-1)) == bits(nan)
relation functions(a: sign.a): when a == 0: sign(ln(-1)) == 0 and sign(sin(inf)) == 0 and sign(cos(-inf)) == 0 and sign(exp(-nan)) == 0
relation handed(a: minus.m):   when is_nan(a): bits(minus(a)) == bits(a)
relation marked(a: marked.k):  when is_nan(a): bits(marked(a)) == bits(nan) and bits(-marked(a)) == bits(nan)
relation single_minus(s: sign_single.s): when is_nan(s): bits_single(-s) == bits_single(s) and bits_single(s) == 2143289344
relation single_root(s: sign_single.s): when s < 0: sign_single(sqrt(s)) == 0
relation single_sum(s: sign_single.s): when s == inf: sign_single(s - s) == 0 and sign_single(s * 0) == 0
relation single_handed(s: minus_single.n): when is_nan(s): bits_single(minus_single(s)) == bits_single(s)
relation single_marked(s: marked_single.j): when is_nan(s): bits_single(marked_single(s)) == 2143289344
relation single_constant(s: sign_single.s): when s == 0: bits_single(-nan) == bits_single(nan)
relation widened(s: marked_single.j): when is_nan(s): bits(marked_single(s)) == bits(nan) and bits(-marked_single(s)) == bits(nan) and bits(-s) == bits(nan)
relation narrowed(a: marked.k): when is_nan(a): bits_single(marked(a)) == 2143289344 and bits_single(-a) == 2143289344
relation in_sequence(xs: odd.xs): odd(xs) == 0 and odd(-xs) == 0 and odd(xs * -1) == 0 and odd(1 + -xs) == 0
relation elements(xs: odd.xs): when len(xs) == 2: odd([-xs[0], -sum(xs), abs(-xs[1])]) == 0 and sign(sum(-xs) - inf) <= 1
relation rearranged(xs: odd.xs): odd(reverse(-xs)) == 0 and odd(sorted(-xs)) == 0 and odd(concat(-xs, xs)) == 0 and odd(remove(-xs, 0)) == 0
relation collected(a: marked.k): odd([marked(a), -a, minus(a), sqrt(a)]) == 0
relation single_sequence(ys: odd_single.ys): odd_single(ys) == 0 and odd_single(-ys) == 0 and odd_single(ys * -1) == 0 and odd_single(reverse(-ys)) == 0
relation single_list(s: marked_single.j): odd_single([marked_single(s), -s, minus_single(s), sqrt(s)]) == 0
relation truncated(xs: odd.xs): odd_single(-xs) == 0
relation is_nan_still(a: minus.m): is_nan(minus(a)) iff is_nan(a)
relation twice(a: minus.m): bits(minus(minus(a))) == bits(a)
relation zeros(a: minus.m): when a == 0: sign(minus(a)) + sign(a) == 1 and sign(-a) + sign(a) == 1
";

/// Relations that look like it and do not hold, most of them at NaN alone.
const FAIL: &str = "
relation no_root(a: sign.a): when a < 0: sign(sqrt(a)) == 1
relation no_minus(a: sign.a): sign(-a) + sign(a) == 1
relation no_flip(a: minus.m): bits(minus(a)) != bits(a)
relation no_mark(a: marked.k): bits(marked(a)) == bits(a) and not is_nan(marked(a))
relation no_single(s: sign_single.s): sign_single(-s) + sign_single(s) == 1
relation no_sequence(xs: odd.xs): when len(xs) == 2: odd(xs) > 0 or not is_nan(xs[0])
relation no_single_sequence(ys: odd_single.ys): when len(ys) == 2: odd_single(ys) > 0 or not is_nan(ys[0])
";

/// Special floats, as the inputs of every variable.
const FLOATS: [&str; 16] = [
    "nan",
    "-nan",
    "inf",
    "-inf",
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "-2.5",
    "5e-324",
    "-5e-324",
    "1.1754943508222875e-38",
    "3.4028234663852886e38",
    "1e300",
    "-1e300",
];

fn subject(folder: &Path, relations: &str) -> Arc<Workbench> {
    for (name, text) in [("m.wat", WAT), ("m.toml", MANIFEST), ("m.mr", relations)] {
        std::fs::write(folder.join(name), text).expect("writes");
    }
    let manifest = Manifest::find(&folder.join("m.toml")).unwrap_or_else(|e| panic!("{e:#?}"));
    Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{e:#?}")))
}

/// Files of inputs with every special float in each place.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let write = |name: &str, header: &str, rows: Vec<String>| {
        let path = folder.join(name);
        std::fs::write(&path, format!("{header}\n{}\n", rows.join("\n"))).expect("writes");
        path
    };
    let single = |x: &&&str| x.parse::<f64>().is_ok_and(|x| !x.is_finite() || f64::from(x as f32) == x);
    let singles: Vec<&str> = FLOATS.iter().filter(single).copied().collect();
    let pairs = || FLOATS.iter().flat_map(|x| FLOATS.iter().map(move |y| (x, y)));
    let single_pairs = || singles.iter().flat_map(|x| singles.iter().map(move |y| (x, y)));
    vec![
        write("a.csv", "a,b", pairs().map(|(x, y)| format!("{x},{y}")).collect()),
        write("s.csv", "s", singles.iter().map(|x| x.to_string()).collect()),
        write("xs.csv", "xs", pairs().map(|(x, y)| format!("\"[{x}, {y}]\"")).collect()),
        write("ys.csv", "ys", single_pairs().map(|(x, y)| format!("\"[{x}, {y}]\"")).collect()),
    ]
}

fn checked(workbench: &Arc<Workbench>, folder: &Path) -> Vec<(String, RelationVerdict)> {
    let options = CheckOptions {
        sources: 500,
        files: files(folder),
        made: Vec::new(),
        relations: vec![],
        seed: Seed(3),
        jobs: NonZeroUsize::MIN,
        regressions: Regressions::Ignore,
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    };
    let record = check(workbench.clone(), &options, &Interruption::default(), &mut |_| {});
    let record = record.unwrap_or_else(|e| panic!("{e:#?}"));
    record.relations.iter().map(|r| (r.name.clone(), r.verdict())).collect()
}

fn proved(workbench: &Workbench) -> Vec<(String, ProofVerdict)> {
    let options = SearchOptions {
        longest: 2,
        order: SearchOrder::default(),
        bounds: Bounds::default(),
        time: Some(Duration::from_secs(300)),
        query_time: Some(Duration::from_secs(60)),
        solver: None,
        ..SearchOptions::default()
    };
    let all = workbench.select(&[]).expect("relations");
    let record = prove(workbench, &all, &options, &Interruption::default(), &mut |_| {}).expect("provable");
    record.relations.into_iter().map(|proof| (proof.name, proof.verdict)).collect()
}

#[test]
fn a_nan_that_goes_into_a_call_is_the_one_in_runs_and_in_proofs() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), HOLD);
    for (name, verdict) in checked(&workbench, folder.path()) {
        assert_eq!(verdict, RelationVerdict::Holds, "{name}");
    }
    for (name, verdict) in proved(&workbench) {
        assert!(matches!(verdict, ProofVerdict::Proved { .. }), "{name}: {verdict:?}");
    }
}

#[test]
fn what_one_nan_refutes_is_refuted_by_runs_and_by_proofs() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), FAIL);
    for (name, verdict) in checked(&workbench, folder.path()) {
        assert_eq!(verdict, RelationVerdict::Violated, "{name}");
    }
    for (name, verdict) in proved(&workbench) {
        assert!(matches!(verdict, ProofVerdict::Refuted { .. }), "{name}: {verdict:?}");
    }
}

/// `dodona call` evaluates an expression; it sees the same NaN as a check.
#[test]
fn a_single_call_takes_the_same_nan() {
    let folder = tempfile::tempdir().expect("a folder");
    let workbench = subject(folder.path(), HOLD);
    for text in [
        "bits(-nan) == bits(nan)",
        "bits(nan) == 9221120237041090560",
        "bits(inf - inf) == bits(nan)",
        "bits(sqrt(-1)) == bits(nan)",
        "bits(minus(nan)) == bits(nan)",
        "bits(marked(nan)) == bits(nan)",
        "bits_single(marked_single(nan)) == 2143289344",
        "odd([nan, -nan, minus(nan), inf - inf]) == 0",
        "odd_single([nan, -nan, minus(nan), inf - inf]) == 0",
    ] {
        let expression = parse_expression(text).expect("an expression");
        let functions = &workbench.functions();
        let result = evaluate_expression(&expression, functions, &mut workbench.caller());
        assert_eq!(result.expect("it is called").value, Some(Value::Bool(true)), "{text}");
    }
}
