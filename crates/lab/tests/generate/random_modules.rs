//! Functions drawn at random: what symbolic execution predicts of each path is what happens, bit for bit.

use dodona_lab::Bounds;
use proptest::prelude::*;

use super::{SYMBOLIC, replayed, with, written};

/// A WebAssembly type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    I32,
    I64,
    F32,
    F64,
}

use Ty::{F32, F64, I32, I64};

impl Ty {
    fn name(self) -> &'static str {
        match self {
            I32 => "i32",
            I64 => "i64",
            F32 => "f32",
            F64 => "f64",
        }
    }

    fn local(self) -> usize {
        self as usize
    }
}

const INTEGER: &[&str] = &[
    "add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr", "div_s", "div_u",
    "rem_s", "rem_u",
];
const FLOAT: &[&str] = &["add", "sub", "mul", "div", "min", "max", "copysign"];
const FLOAT_UNARY: &[&str] = &["abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"];
const INTEGER_ORDER: &[&str] = &["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"];
const FLOAT_ORDER: &[&str] = &["eq", "ne", "lt", "gt", "le", "ge"];

/// Operators of one operand from a type to a type.
const CONVERSIONS: &[(Ty, &str, Ty)] = &[
    (I32, "i32.wrap_i64", I64),
    (I32, "i32.trunc_sat_f32_s", F32),
    (I32, "i32.trunc_sat_f64_u", F64),
    (I32, "i32.trunc_f64_s", F64),
    (I32, "i32.reinterpret_f32", F32),
    (I32, "i32.extend8_s", I32),
    (I32, "i32.extend16_s", I32),
    (I32, "i32.clz", I32),
    (I32, "i32.popcnt", I32),
    (I32, "i32.eqz", I32),
    (I64, "i64.extend_i32_s", I32),
    (I64, "i64.extend_i32_u", I32),
    (I64, "i64.trunc_sat_f64_s", F64),
    (I64, "i64.trunc_f32_u", F32),
    (I64, "i64.reinterpret_f64", F64),
    (I64, "i64.extend32_s", I64),
    (I64, "i64.ctz", I64),
    (F32, "f32.convert_i32_s", I32),
    (F32, "f32.convert_i64_u", I64),
    (F32, "f32.demote_f64", F64),
    (F32, "f32.reinterpret_i32", I32),
    (F64, "f64.convert_i32_u", I32),
    (F64, "f64.convert_i64_s", I64),
    (F64, "f64.promote_f32", F32),
    (F64, "f64.reinterpret_i64", I64),
];

/// Constants near which much changes.
fn constant(ty: Ty) -> BoxedStrategy<String> {
    let text = |ty: Ty, value: String| format!("({}.const {value})", ty.name());
    match ty {
        I32 => prop_oneof![
            Just(0),
            Just(1),
            Just(-1),
            Just(i32::MIN),
            any::<i8>().prop_map(i32::from),
            any::<i32>()
        ]
        .prop_map(move |v| text(ty, v.to_string()))
        .boxed(),
        I64 => prop_oneof![
            Just(0),
            Just(1),
            Just(-1),
            Just(i64::MIN),
            any::<i8>().prop_map(i64::from),
            any::<i64>()
        ]
        .prop_map(move |v| text(ty, v.to_string()))
        .boxed(),
        F32 | F64 => {
            prop::sample::select(vec!["0", "-0", "1", "-1.5", "inf", "nan", "2147483648", "1e-30", "0.1"])
                .prop_map(move |v| text(ty, v.to_owned()))
                .boxed()
        }
    }
}

/// An expression of a type over the four parameters.
fn expression(ty: Ty, depth: u32) -> BoxedStrategy<String> {
    let local = Just(format!("(local.get {})", ty.local())).boxed();
    if depth == 0 {
        return prop_oneof![3 => local, 1 => constant(ty)].boxed();
    }
    let below = move |ty: Ty| expression(ty, depth - 1);
    let name = ty.name();
    let two = |names: &'static [&'static str]| {
        (prop::sample::select(names), below(ty), below(ty))
            .prop_map(move |(op, a, b)| format!("({name}.{op} {a} {b})"))
            .boxed()
    };
    let arithmetic = match ty {
        I32 | I64 => two(INTEGER),
        F32 | F64 => two(FLOAT),
    };
    let conversions: Vec<_> = CONVERSIONS.iter().filter(|(to, ..)| *to == ty).copied().collect();
    let converted = prop::sample::select(conversions)
        .prop_flat_map(move |(_, op, from)| below(from).prop_map(move |a| format!("({op} {a})")));
    let unary = match ty {
        F32 | F64 => (prop::sample::select(FLOAT_UNARY), below(ty))
            .prop_map(move |(op, a)| format!("({name}.{op} {a})"))
            .boxed(),
        I32 | I64 => converted.clone().boxed(),
    };
    let chosen =
        (condition(depth - 1), below(ty), below(ty)).prop_map(|(c, a, b)| format!("(select {a} {b} {c})"));
    // Through memory: two bytes on.
    let (store, load) = (format!("{name}.store"), format!("{name}.load"));
    let stored = below(ty).prop_map(move |a| {
        format!(
            "(block (result {name}) ({store} offset=64 (i32.const 0) {a}) ({load} offset=62 (i32.const 2)))"
        )
    });
    prop_oneof![4 => arithmetic, 2 => converted, 1 => unary, 1 => chosen, 1 => stored, 1 => local].boxed()
}

/// A truth value.
fn condition(depth: u32) -> BoxedStrategy<String> {
    let of = move |ty: Ty, names: &'static [&'static str]| {
        (prop::sample::select(names), expression(ty, depth), expression(ty, depth))
            .prop_map(move |(op, a, b)| format!("({}.{op} {a} {b})", ty.name()))
    };
    prop_oneof![
        3 => of(I32, INTEGER_ORDER),
        2 => of(I64, INTEGER_ORDER),
        1 => of(F32, FLOAT_ORDER),
        1 => of(F64, FLOAT_ORDER),
    ]
    .boxed()
}

/// A function that decides twice; its result is bits, so that those of NaN count.
fn module() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        expression(I64, 2),
        expression(F64, 2).prop_map(|x| format!("(i64.reinterpret_f64 {x})")),
        expression(F32, 2).prop_map(|x| format!("(i64.extend_i32_u (i32.reinterpret_f32 {x}))")),
        expression(I32, 2).prop_map(|x| format!("(i64.extend_i32_s {x})")),
    ]
    .boxed();
    (condition(2), condition(1), expression(I32, 1), value.clone(), value.clone(), value).prop_map(
        |(first, second, set, a, b, c)| {
            format!(
                "(module (memory 1) (func (export \"f\") (param i32 i64 f32 f64) (result i64)
                    (if (result i64) {first}
                        (then (local.set 0 {set}) (if (result i64) {second} (then {a}) (else {b})))
                        (else {c}))))"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn predictions_come_true(wat in module()) {
        let workbench = written("f(a: i32, b: i64, c: f32, d: f64) -> i64", "", &wat);
        for technique in SYMBOLIC {
            let bounds = Bounds { queries: 12, ..Bounds::default() };
            let mut options = with(technique, |search| {
                search.bounds = bounds;
                search.query_time = Some(std::time::Duration::from_millis(300));
            });
            options.count = Some(12);
            let generated = replayed(&workbench, 0, &options);
            prop_assert!(generated.record.inputs > 0);
        }
    }
}
