//! Values of several parts, values that may be missing, results that may be errors, and choices.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::{World, function};
use dodona_relations::{Verdict, Violation};
use dodona_target::{Given, Outcome, Output, OutputName, Scalar, Signature, Type, Value};

fn int(i: i128) -> Value {
    Value::Int(i)
}

fn flag() -> Type {
    Type::Scalar(Scalar::Bool)
}

fn part(name: &str, ty: Type, given: Option<(usize, bool)>) -> Output {
    let name = if name.is_empty() { OutputName::Return } else { OutputName::Part(name.to_owned()) };
    Output { name, ty, given: given.map(|(output, is)| Given { output, is }) }
}

fn with_outputs(signature: &str, outputs: Vec<Output>) -> Signature {
    Signature { outputs, ..function(signature) }
}

/// `half(n) -> Option<i64>` of even numbers, `root(n) -> Result<i64, text>` of squares, `split(n) -> (i64, i64)`, and
/// `find(n) -> Result<Option<i64>, text>`, which is an error below 0 and has a value where n is even.
fn world() -> World {
    let number = Type::Scalar(Scalar::I64);
    let half =
        with_outputs("half(n: i64)", vec![part("", number, Some((1, true))), part("is_some", flag(), None)]);
    let root = with_outputs(
        "root(n: i64)",
        vec![
            part("", number, Some((1, true))),
            part("is_ok", flag(), None),
            part("err", Type::Text, Some((1, false))),
        ],
    );
    let split = with_outputs("split(n: i64)", vec![part("0", number, None), part("1", number, None)]);
    let find = with_outputs(
        "find(n: i64)",
        vec![
            part("", number, Some((2, true))),
            part("is_ok", flag(), None),
            part("is_some", flag(), Some((1, true))),
            part("err", Type::Text, Some((1, false))),
        ],
    );
    World::new(vec![
        (half, |v| match v[0] {
            Value::Int(n) if n % 2 == 0 => Ok(vec![Value::Int(n / 2), Value::Bool(true)]),
            _ => Ok(vec![Value::Int(0), Value::Bool(false)]),
        }),
        (root, |v| {
            let Value::Int(n) = v[0] else { unreachable!() };
            let root = (0..=n.max(0)).find(|r| r * r == n);
            let said = if n < 0 { "negative" } else { "no square" };
            Ok(match root {
                Some(r) => vec![Value::Int(r), Value::Bool(true), Value::Text("".into())],
                None => vec![Value::Int(0), Value::Bool(false), Value::Text(said.into())],
            })
        }),
        (split, |v| {
            let Value::Int(n) = v[0] else { unreachable!() };
            Ok(vec![Value::Int(n / 10), Value::Int(n % 10)])
        }),
        (find, |v| {
            let Value::Int(n) = v[0] else { unreachable!() };
            if n == 99 {
                return Err(Outcome::OutOfFuel);
            }
            let (ok, some) = (n >= 0, n >= 0 && n % 2 == 0);
            let said = if ok { "" } else { "negative" };
            Ok(vec![
                Value::Int(n / 2 * i128::from(some)),
                Value::Bool(ok),
                Value::Bool(some),
                Value::Text(said.into()),
            ])
        }),
    ])
}

/// The verdicts of a relation at 4 and at 3.
fn at_4_and_3(text: &str) -> [Verdict; 2] {
    let mut world = world();
    [4, 3].map(|n| world.verdict(&format!("relation r: {text}"), &[int(n)]))
}

const HOLDS: Verdict = Verdict::Holds;
const VIOLATED: Verdict = Verdict::Violated(Violation::False);

#[test]
fn a_value_that_may_be_missing_is_the_value_inside_and_undefined_without_one() {
    assert_eq!(at_4_and_3("half(n) + half(n) == n"), [HOLDS, Verdict::Undefined]);
    assert_eq!(at_4_and_3("half(n) is some"), [HOLDS, VIOLATED]);
    assert_eq!(at_4_and_3("half(n) is none"), [VIOLATED, HOLDS]);
    assert_eq!(at_4_and_3("half(n) is some iff n mod 2 == 0"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("half(n).is_some == defined(half(n) + 0)"), [HOLDS, HOLDS]);
    let [eligible, other] = at_4_and_3("when half(n) is some: half(n) >= 0");
    assert_eq!((eligible, other.is_eligible()), (HOLDS, false));
}

#[test]
fn none_some_ok_and_err_are_compared_as_values() {
    assert_eq!(at_4_and_3("half(n) == none"), [VIOLATED, HOLDS]);
    assert_eq!(at_4_and_3("half(n) != none"), [HOLDS, VIOLATED]);
    assert_eq!(at_4_and_3("half(n) == some(2)"), [HOLDS, VIOLATED]);
    assert_eq!(at_4_and_3("none == half(n) or half(n) != some(3)"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("root(n) == ok(2)"), [HOLDS, VIOLATED]);
    assert_eq!(at_4_and_3("root(n) == err(\"no square\")"), [VIOLATED, HOLDS]);
    assert_eq!(at_4_and_3("root(n) is err implies root(n).err == \"no square\""), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("find(n) is ok and (find(n) is some or find(n) == none)"), [HOLDS, HOLDS]);
}

#[test]
fn whole_values_are_equal_if_their_parts_are() {
    assert_eq!(at_4_and_3("half(n) == half(n + 0)"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("half(n) == half(n + 1)"), [VIOLATED, VIOLATED]);
    assert_eq!(at_4_and_3("half(n) == half(n + 2)"), [VIOLATED, HOLDS]);
    assert_eq!(at_4_and_3("half(n) != half(n + 2)"), [HOLDS, VIOLATED]);
    assert_eq!(at_4_and_3("root(n) == root(n)"), [HOLDS, HOLDS]);
    // Both are errors at 3, of different words.
    assert_eq!(at_4_and_3("root(n) == root(-n)"), [VIOLATED, VIOLATED]);
    assert_eq!(at_4_and_3("split(n) == split(n + 10 - 10)"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("split(n) == split(n + 10)"), [VIOLATED, VIOLATED]);
    assert_eq!(at_4_and_3("find(n) == find(-n)"), [VIOLATED, VIOLATED]);
    // What is inside of what is not there decides nothing.
    assert_eq!(at_4_and_3("find(-n) == find(-n) and find(n) == find(n)"), [HOLDS, HOLDS]);
    assert_eq!(
        at_4_and_3("not (find(-n) is some) and not (find(-n) is none) and find(-n) != none"),
        [HOLDS, HOLDS]
    );
    assert_eq!(at_4_and_3("find(-n) != some(2) and find(-n) == err(\"negative\")"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("split(n).0 == 0 and split(n).1 == n"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("split(n) ~= split(n) within 1e-3"), [HOLDS, HOLDS]);
}

#[test]
fn a_part_is_passed_on_like_any_value() {
    assert_eq!(at_4_and_3("half(half(n)) == 1"), [HOLDS, Verdict::Undefined]);
    assert_eq!(at_4_and_3("split(split(n).1) == split(n)"), [HOLDS, HOLDS]);
}

#[test]
fn what_cannot_be_said_of_a_value_is_told() {
    let world = world();
    let told = |text: &str| {
        let problems = world.problems(&format!("relation r: {text}"));
        format!("{} {}", problems[0].message, problems[0].hint.clone().unwrap_or_default())
    };
    assert!(told("split(n) == 3").contains("several parts"), "{}", told("split(n) == 3"));
    assert!(told("split(n) + 1 == 3").contains("several values"), "{}", told("split(n) + 1 == 3"));
    assert!(told("split(n).2 == 3").contains("no output `2`"), "{}", told("split(n).2 == 3"));
    assert!(told("split(n) is some").contains("an Option"), "{}", told("split(n) is some"));
    assert!(told("half(n) is ok").contains("a Result"), "{}", told("half(n) is ok"));
    assert!(told("half(n) is full").contains("`some`, `none`, `ok` or `err`"), "{}", told("half(n) is full"));
    assert!(told("half(n) == split(n)").contains("different parts"), "{}", told("half(n) == split(n)"));
    assert!(told("n == none").contains("cannot be that"), "{}", told("n == none"));
    assert!(told("n is some").contains("is said of a call"), "{}", told("n is some"));
}

#[test]
fn a_choice_takes_one_of_two_values_and_asks_nothing_of_the_other() {
    assert_eq!(at_4_and_3("(if half(n) is some then 2 * half(n) else n) == n"), [HOLDS, HOLDS]);
    assert_eq!(at_4_and_3("if n == 4 then half(n) == 2 else half(n) == none"), [HOLDS, HOLDS]);
    assert_eq!(
        at_4_and_3("split(n).1 == (if 1 div (n - 4) > 0 then 1 else 2)"),
        [Verdict::Undefined, VIOLATED]
    );
    assert_eq!(
        at_4_and_3(
            "len(if n > 3 then \"abc\" else \"\") == (if n > 3 then 3 else 0) and split(n) == split(n)"
        ),
        [HOLDS, HOLDS]
    );
    assert_eq!(
        at_4_and_3("(if n > 3 then 1 else 0.5) * 2 == (if n > 3 then 2 else 1) and split(n) == split(n)"),
        [HOLDS, HOLDS]
    );
    assert_eq!(
        at_4_and_3("(if n > 3 then [1] else []) contains 1 iff n > 3 and split(n) == split(n)"),
        [HOLDS, HOLDS]
    );
    let problems = world().problems("relation r: (if n > 3 then 1 else \"a\") == half(n)");
    assert!(problems[0].message.contains("one type"), "{problems:?}");
    let problems = world().problems("relation r: if n > 3 then half(n) == 2");
    assert!(problems[0].message.contains("`else`"), "{problems:?}");
}
