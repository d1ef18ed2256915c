//! Patterns of a function that refuses inputs by negative results, and of bounds and multiples.

use std::path::Path;

use dodona_inference::patterns::{
    Atom, Change, Described, Expected, FollowUpOutputs, Order, Pattern, Vocabulary,
};
use dodona_subject::Manifest;
use dodona_target::{Column, Kind, Signature, Value};

fn function() -> Signature {
    let text = "name = \"fees\"\nmodule = \"fees.wasm\"\n[[function]]\n\
                signature = \"fee(amount: i32, balance: i32) -> i32\"\ndomain.amount = { range = [0, 90000] }\n";
    Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest").signatures().remove(0)
}

/// A hundredth of the amount in steps of ten, at least 10 and at most 500; -1 where the balance is too low.
fn fee(amount: i128, balance: i128) -> i128 {
    let fee = (amount / 1000 * 10).clamp(10, 500);
    if amount + fee > balance { -1 } else { fee }
}

fn outputs() -> Column {
    Column::Int((0..400).map(|i| fee(i * 217, 40_000 + i * 100)).collect())
}

fn vocabulary() -> Vocabulary {
    Vocabulary::new(&function(), &[(Value::Int(1000), 4), (Value::Int(10), 2)], &outputs())
}

fn unless_negative(expected: Expected) -> Expected {
    Expected::UnlessNegative(Box::new(expected))
}

fn shift(by: i128) -> Change {
    Change::Shift { parameters: vec![0], by: Value::Int(by) }
}

#[test]
fn negative_outputs_with_few_values_are_refusals() {
    let vocabulary = vocabulary();
    assert!(vocabulary.is_refusal(&Value::Int(-1)));
    assert!(!vocabulary.is_refusal(&Value::Int(0)) && !vocabulary.is_refusal(&Value::Int(10)));
    let of = |outputs: Vec<i128>| Vocabulary::new(&function(), &[], &Column::Int(outputs));
    let differences = of((-200..200).collect());
    assert!(!differences.is_refusal(&Value::Int(-1)), "200 different negative outputs are numbers");
    assert!(!of(vec![-1; 400]).is_refusal(&Value::Int(-1)), "without other outputs nothing is refused");
    assert!(!of(vec![4; 400]).is_refusal(&Value::Int(-1)), "no output is negative");
}

#[test]
fn expectations_are_about_the_outputs_that_are_no_refusals() {
    let seen = FollowUpOutputs { differences: vec![Value::Int(10)], results: Vec::new() };
    let under_shift = vocabulary().expected(&shift(1000), &seen, &function());
    assert!(under_shift.contains(&unless_negative(Expected::Plus(Value::Int(10)))), "{under_shift:?}");
    assert!(under_shift.contains(&unless_negative(Expected::NotLower)));
    assert!(!under_shift.contains(&unless_negative(Expected::Differs)), "this says little");
    let of_one = vocabulary().expected(&Change::None, &FollowUpOutputs::default(), &function());
    assert!(of_one.contains(&unless_negative(Expected::AtLeast(Value::Int(10)))), "{of_one:?}");
    assert!(of_one.contains(&Expected::AtMost(Value::Int(10))), "a refusal is below every bound");
    assert!(!of_one.contains(&unless_negative(Expected::AtMost(Value::Int(10)))));
    assert!(of_one.contains(&unless_negative(Expected::MultipleOf(10))));
    let plain = Vocabulary::new(&function(), &[], &Column::Int((0..400).map(|i| i % 7 * 4).collect()));
    let plain = plain.expected(&Change::None, &FollowUpOutputs::default(), &function());
    assert!(plain.iter().all(|expected| expected.of_others() == expected), "{plain:?}");
}

#[test]
fn a_negative_output_meets_what_is_expected_of_the_others() {
    let (source, follow_up) = (Column::Int(vec![10, 10, 10, -1]), Column::Int(vec![20, -1, 5, -1]));
    let expected = unless_negative(Expected::NotLower);
    let broken = expected.broken(&[], &source, &follow_up);
    assert_eq!((0..4).map(|row| broken.contains(row)).collect::<Vec<_>>(), [false, false, true, false]);
    let about = expected.applies(&follow_up);
    assert_eq!((0..4).map(|row| about.contains(row)).collect::<Vec<_>>(), [true, false, true, false]);
    assert_eq!(Expected::NotLower.applies(&follow_up).count_ones(..), 4);
    assert!(expected.is_of_both() && !unless_negative(Expected::MultipleOf(2)).is_of_both());
}

#[test]
fn outputs_are_multiples_of_the_greatest_number_that_divides_them() {
    let divisor = |outputs: Vec<i128>| {
        let vocabulary = Vocabulary::new(&function(), &[], &Column::Int(outputs));
        let multiple = |expected: &Expected| match expected.of_others() {
            Expected::MultipleOf(number) => Some(*number),
            _ => None,
        };
        vocabulary.bounds.iter().find_map(multiple)
    };
    assert_eq!(divisor((0..40).map(|i| i * 15).collect()), Some(15));
    assert_eq!(divisor((-20..20).map(|i| i * 15).collect()), Some(15));
    assert_eq!(
        divisor((0..40).map(|i| if i % 9 == 0 { -1 } else { i * 15 }).collect()),
        Some(15),
        "-1 is a refusal"
    );
    assert_eq!(divisor((0..40).map(|i| i * 15 + i % 3).collect()), None);
    assert_eq!(divisor((0..40).map(|i| i % 4 * 15).collect()), None, "three values, which say more");
    assert_eq!(divisor(vec![0; 40]), None);
    let mut extreme = vec![i128::MIN, i128::MIN / 2, 0];
    extreme.extend((1..10).map(|i| i * 4));
    assert_eq!(divisor(extreme), Some(4));
}

#[test]
fn numbers_that_are_added_are_constants_of_the_code_too() {
    let changes = vocabulary().changes;
    for by in [1, -1, 10, 1000, -1000] {
        assert!(changes.contains(&shift(by)), "{by}");
    }
}

#[test]
fn refusals_bounds_and_multiples_are_said_in_words() {
    let function = function();
    let described = Described { function: &function, output: "out", kind: Kind::Int };
    let condition = vec![Atom::Output { order: Order::AtLeast, value: Value::Int(0) }];
    let pattern = Pattern {
        change: shift(1000),
        condition,
        or: Vec::new(),
        expected: unless_negative(Expected::Plus(Value::Int(10))),
    };
    assert_eq!(pattern.name(&described), "fee_amount_plus_1000_adds_10_unless_negative_if_result_at_least_0");
    assert_eq!(
        pattern.sentence(&described),
        "where the result is at least 0, adding 1000 to amount adds 10 to the result, unless the new result is negative"
    );
    assert_eq!(
        pattern.text("x", &described),
        "relation x of fee: when out >= 0: given amount' = amount + 1000 expect out' < 0 or out' == out + 10"
    );
    let of_one = |expected| Pattern { change: Change::None, condition: Vec::new(), or: Vec::new(), expected };
    let least = of_one(unless_negative(Expected::AtLeast(Value::Int(10))));
    assert_eq!(least.sentence(&described), "the result is at least 10, unless it is negative");
    assert_eq!(least.text("x", &described), "relation x of fee: expect out < 0 or out >= 10");
    let multiple = of_one(Expected::MultipleOf(5));
    assert_eq!(multiple.sentence(&described), "the result is a multiple of 5");
    assert_eq!(
        multiple.text(&multiple.name(&described), &described),
        "relation fee_multiple_of_5 of fee: expect out mod 5 == 0"
    );
    assert_eq!(of_one(Expected::AtMost(Value::Int(9))).sentence(&described), "the result is at most 9");
    // Anew has a name of its own only where it is said of all outputs.
    let anew = Change::Anew { parameter: 1, direction: dodona_inference::patterns::Direction::Any };
    let of_anew = |expected| Pattern { change: anew.clone(), ..of_one(expected) };
    assert_eq!(of_anew(Expected::Same).sentence(&described), "balance does not matter");
    assert_eq!(
        of_anew(unless_negative(Expected::Same)).sentence(&described),
        "another balance leaves the result, unless the new result is negative"
    );
}
