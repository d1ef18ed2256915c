use dodona_target::{Number, NumberRange, Numbers, Predicate, Sampling, Scalar, Sequence};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::{Sampler, Seed};

fn ty() -> impl Strategy<Value = Type> {
    let scalar = select(&Scalar::ALL[..]);
    prop_oneof![
        3 => scalar.clone().prop_map(Type::Scalar),
        2 => scalar.prop_map(Type::Sequence),
        1 => Just(Type::Text)
    ]
}

fn domain() -> impl Strategy<Value = Domain> {
    let number = || {
        prop_oneof![
            (-300i128..300).prop_map(Number::Int),
            any::<i64>().prop_map(|i| Number::Int(i.into())),
            (-3.0..3.0f64).prop_map(Number::Float),
            any::<f64>().prop_map(Number::Float),
        ]
    };
    let range = (number(), number()).prop_map(|(a, b)| match a.as_f64() <= b.as_f64() {
        true => NumberRange { low: a, high: b },
        false => NumberRange { low: b, high: a },
    });
    let numbers = (prop::collection::vec(range, 0..3), prop::collection::vec(number(), 0..2))
        .prop_map(|(ranges, except)| Numbers { ranges, except, exclude_nan: false });
    let length = prop::option::of((0u64..4, 0u64..9).prop_map(|(low, more)| (low, low + more)));
    let alphabet = prop::option::of(prop::collection::vec(select(vec!['x', 'Z', '7', 'é', '\n']), 1..5));
    let predicates = prop::sample::subsequence(Predicate::ALL.to_vec(), 0..=3);
    (numbers, length, alphabet, predicates).prop_map(|(numbers, length, alphabet, predicates)| Domain {
        numbers,
        length,
        alphabet,
        texts: None,
        predicates,
    })
}

/// Every candidate of a value.
fn candidates(ty: Type, domain: &Domain, value: &Value) -> Vec<Value> {
    let mut shrinker = Shrinker::new(ty, domain, value.clone());
    std::iter::from_fn(|| shrinker.candidate()).map(|candidate| candidate.value).collect()
}

/// Shrinks a value by taking the first candidate that fails, and counts the steps.
fn shrunk(ty: Type, domain: &Domain, value: Value, fails: impl Fn(&Value) -> bool) -> (Value, usize) {
    assert!(fails(&value));
    let mut shrinker = Shrinker::new(ty, domain, value);
    let mut steps = 0;
    while let Some(next) = shrinker.candidate() {
        if fails(next.value()) {
            shrinker.take(next);
            steps += 1;
            assert!(steps < 5000, "shrinking does not end: {}", shrinker.value());
        }
    }
    (shrinker.value, steps)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_candidate_is_in_the_domain_and_simpler(ty in ty(), domain in domain(), seed: u64) {
        let Ok(sampler) = Sampler::new(ty, &domain, &Sampling::default()) else { return Ok(()) };
        let column = sampler.column(&mut Seed(seed).stream("x", 0), 3);
        for row in 0..3 {
            let value = column.value(row);
            for candidate in candidates(ty, &domain, &value) {
                prop_assert!(domain.contains(ty, &candidate), "{candidate} of {value}");
                prop_assert!(simpler(&candidate, &value) && !simpler(&value, &candidate));
            }
        }
    }

    #[test]
    fn the_order_is_strict_and_transitive(ty in ty(), seed: u64) {
        let sampler = Sampler::new(ty, &Domain::default(), &Sampling::default()).expect("some");
        let column = sampler.column(&mut Seed(seed).stream("x", 0), 3);
        let [a, b, c] = [0, 1, 2].map(|row| column.value(row));
        prop_assert!(!simpler(&a, &a));
        prop_assert!(!(simpler(&a, &b) && simpler(&b, &a)));
        prop_assert!(!(simpler(&a, &b) && simpler(&b, &c)) || simpler(&a, &c));
    }

    #[test]
    fn whatever_fails_always_shrinks_to_the_simplest_number(
        s in select(vec![Scalar::Bool, Scalar::I8, Scalar::U64, Scalar::I64]),
        domain in domain(),
        seed: u64,
    ) {
        let ty = Type::Scalar(s);
        let Ok(sampler) = Sampler::new(ty, &domain, &Sampling::default()) else { return Ok(()) };
        let value = sampler.column(&mut Seed(seed).stream("x", 0), 1).value(0);
        let nearest = Set::of_domain(s, &domain).nearest_zero().expect("a member");
        let simplest = if s == Scalar::Bool { Value::Bool(nearest == 1) } else { Value::Int(nearest) };
        prop_assert_eq!(shrunk(ty, &domain, value, |_| true).0, simplest);
    }

    #[test]
    fn whatever_fails_always_ends(ty in ty(), domain in domain(), seed: u64) {
        let Ok(sampler) = Sampler::new(ty, &domain, &Sampling::default()) else { return Ok(()) };
        let value = sampler.column(&mut Seed(seed).stream("x", 0), 1).value(0);
        let (_, steps) = shrunk(ty, &domain, value, |_| true);
        prop_assert!(steps < 200, "{steps}");
    }

    #[test]
    fn a_threshold_is_found_to_the_last_integer(threshold in 0i128..1_000_000_000, more in 0i128..1_000_000_000) {
        let ty = Type::Scalar(Scalar::I64);
        let fails = |v: &Value| matches!(v, Value::Int(i) if *i >= threshold);
        let (value, steps) = shrunk(ty, &Domain::default(), Value::Int(threshold + more), fails);
        prop_assert_eq!(value, Value::Int(threshold));
        prop_assert!(steps < 70, "{steps}");
    }
}

#[track_caller]
fn becomes(ty: &str, domain: Domain, value: Value, fails: impl Fn(&Value) -> bool, expected: &str) {
    let (value, _) = shrunk(ty.parse().expect("a type"), &domain, value, fails);
    assert_eq!(value.to_string(), expected);
}

fn float(v: &Value) -> f64 {
    if let Value::Float(x) = v { *x } else { panic!("{v}") }
}

fn ints(v: &Value) -> &[i128] {
    if let Value::Sequence(Sequence::Int(v)) = v { v } else { panic!("{v}") }
}

fn ranged(low: f64, high: f64) -> Domain {
    let range = NumberRange { low: Number::Float(low), high: Number::Float(high) };
    Domain { numbers: Numbers { ranges: vec![range], ..Numbers::default() }, ..Domain::default() }
}

#[test]
fn floats_shrink_to_what_a_person_would_write() {
    let any = Domain::default;
    let f = |x| Value::Float(x);
    becomes("f64", any(), f(-937.2193), |v| float(v).abs() > 100.0, "101.0");
    becomes("f64", any(), f(0.731_249_1), |v| float(v).fract() != 0.0, "0.1");
    becomes("f64", any(), f(0.731_249_1), |v| float(v) > 0.25 && float(v) < 0.9, "0.3");
    becomes("f64", any(), f(0.731_249_1), |v| float(v) > 0.61 && float(v) < 0.9, "0.7");
    becomes("f64", any(), f(0.718_281_828), |v| float(v) > 0.71 && float(v) < 0.72, "0.711");
    becomes("f64", any(), f(1.7e308), |v| float(v) > 1e200, "1e201");
    becomes("f64", any(), f(f64::NAN), |_| true, "0.0");
    becomes("f64", any(), f(f64::NAN), |v| !float(v).is_finite(), "inf");
    becomes("f64", any(), f(f64::NAN), |v| float(v).is_nan(), "nan");
    becomes("f64", any(), f(-0.0), |_| true, "0.0");
    becomes("f64", any(), f(-0.0), |v| float(v).is_sign_negative(), "-0.0");
    becomes("f64", any(), f(3.2e-310), |v| float(v) != 0.0 && float(v).abs() < 1e-307, "1e-308");
    becomes("f64", ranged(0.2, 0.9), f(0.731_249_1), |_| true, "0.2");
    becomes("f64", ranged(-0.4, -0.3), f(-0.333_333), |_| true, "-0.3");
    becomes("f64", ranged(17.3, 900.0), f(731.2), |_| true, "18.0");
    becomes("f32", any(), f(0.171_3f32.into()), |v| float(v) > 0.05 && float(v) < 0.3, "0.10000000149011612");
}

#[test]
fn integers_shrink_into_domains_with_holes() {
    let mut domain = ranged(-50.0, -20.0);
    domain.numbers.ranges.push(NumberRange { low: Number::Int(40), high: Number::Int(1000) });
    becomes("i32", domain.clone(), Value::Int(777), |_| true, "-20");
    becomes("i32", domain.clone(), Value::Int(777), |v| matches!(v, Value::Int(i) if *i > 0), "40");
    becomes("i32", domain, Value::Int(-42), |v| matches!(v, Value::Int(i) if i % 7 == 0), "-21");
}

#[test]
fn sequences_shrink_to_the_elements_that_matter() {
    let row = || Value::Sequence(Sequence::Int(vec![9, -3, 812, 4, 77, -1000, 5, 5]));
    let any = Domain::default;
    becomes("[i32]", any(), row(), |v| ints(v).iter().any(|x| *x > 100), "[101]");
    becomes("[i32]", any(), row(), |v| ints(v).len() > 2, "[0, 0, 0]");
    becomes("[i32]", any(), row(), |v| ints(v).windows(2).any(|w| w[0] != w[1]), "[0, 1]");
    becomes(
        "[i32]",
        any(),
        row(),
        |v| ints(v).first().is_some_and(|x| *x != 0) && ints(v).len() > 1,
        "[1, 0]",
    );
    let fixed = Domain { length: Some((8, 8)), ..Domain::default() };
    becomes("[i32]", fixed, row(), |v| ints(v).contains(&77), "[0, 0, 0, 0, 0, 0, 0, 77]");
    let distinct = Domain { predicates: vec![Predicate::Distinct, Predicate::Sorted], ..Domain::default() };
    let sorted = Value::Sequence(Sequence::Int(vec![4, 10, 32, 57]));
    becomes("[i32]", distinct, sorted, |v| ints(v).len() >= 3, "[0, 1, 2]");
}

#[test]
fn text_shrinks_to_plain_letters() {
    let text = |t: &str| Value::Text(t.into());
    let has = |part: &'static str| move |v: &Value| matches!(v, Value::Text(t) if t.windows(part.len()).any(|w| w == part.as_bytes()));
    let longer = |n: usize| move |v: &Value| matches!(v, Value::Text(t) if t.to_string().chars().count() > n);
    becomes("text", Domain::default(), text("if x1 == \"é\" {\n}"), has("=="), "\"==\"");
    becomes("text", Domain::default(), text("if x1 == \"é\" {\n}"), longer(3), "\"aaaa\"");
    let alphabet = Domain { alphabet: Some(vec!['Z', 'x', 'é']), ..Domain::default() };
    becomes("text", alphabet, text("éZZé"), longer(2), "\"xxx\"");
    let listed = Domain { texts: Some(vec!["yes".into(), "no".into(), "maybe".into()]), ..Domain::default() };
    becomes("text", listed, text("maybe"), longer(2), "\"yes\"");
    let broken = Value::Text(b"\xff\xfeab".as_slice().into());
    becomes("text", Domain::default(), broken, |_| true, "\"\"");
}

/// A row of so many numbers that all differ.
fn long_row(length: i128) -> Value {
    Value::Sequence(Sequence::Int((0..length).map(|i| i * 1_000_003 + 7).collect()))
}

/// Shrinks a row of 60,000 numbers; returns the result and the total number of elements in all candidates.
fn walked(domain: Domain, fails: impl Fn(&[i128]) -> bool) -> (Vec<i128>, u64) {
    walked_within(long::BUDGET, long_row(60_000), domain, fails)
}

/// [`walked`] of any row, with a bound on the total number of elements in all candidates.
fn walked_within(most: u64, row: Value, domain: Domain, fails: impl Fn(&[i128]) -> bool) -> (Vec<i128>, u64) {
    let mut shrinker = Shrinker::new(Type::Sequence(Scalar::I64), &domain, row);
    shrinker.most = most;
    let mut elements = 0;
    while let Some(next) = shrinker.candidate() {
        elements += ints(next.value()).len() as u64;
        if fails(ints(next.value())) {
            shrinker.take(next);
        }
    }
    (ints(shrinker.value()).to_vec(), elements)
}

#[test]
fn of_a_long_sequence_the_elements_that_matter_are_left() {
    let needle = 31_415 * 1_000_003 + 7;
    let (row, elements) = walked(Domain::default(), |v| v.contains(&needle));
    assert_eq!(row, [needle]);
    assert!(elements < long::BUDGET / 100, "{elements}");
    // The elements are far apart from each other and must keep this order.
    let needles: Vec<i128> = (0..40).map(|i| i * 1_499 * 1_000_003 + 7).collect();
    let has_all = |v: &[i128]| {
        let mut items = v.iter();
        needles.iter().all(|needle| items.any(|item| item == needle))
    };
    assert_eq!(walked(Domain::default(), has_all).0, needles);
}

#[test]
fn of_a_long_sequence_that_must_stay_long_the_values_become_simple() {
    let fixed = Domain { length: Some((60_000, 60_000)), ..Domain::default() };
    let (row, elements) = walked(fixed, |v| v[123] > 100 && v[59_999] != 0);
    let left: Vec<(usize, i128)> = row.iter().copied().enumerate().filter(|(_, item)| *item != 0).collect();
    assert_eq!((row.len(), left), (60_000, vec![(123, 101), (59_999, 1)]));
    assert!(elements <= long::BUDGET + 60_000, "{elements}");
}

#[test]
fn the_walk_over_a_long_sequence_ends_at_its_bound() {
    const LENGTH: usize = 20_000;
    const MOST: u64 = 100 * LENGTH as u64;
    for least in [0, 1, LENGTH as u64 - 1] {
        let domain = Domain { length: Some((least, LENGTH as u64)), ..Domain::default() };
        // Nothing simpler violates: every change of a third of the elements is tried in vain.
        let fails = |v: &[i128]| v.len() == LENGTH && v.iter().step_by(3).all(|x| *x > 5);
        let (row, elements) = walked_within(MOST, long_row(LENGTH as i128), domain, fails);
        assert_eq!(row.len(), LENGTH);
        assert!((MOST / 2..=MOST + LENGTH as u64).contains(&elements), "{elements}");
    }
    let sorted = Domain { predicates: vec![Predicate::Distinct, Predicate::Sorted], ..Domain::default() };
    let (row, _) = walked_within(long::BUDGET / 16, long_row(10_000), sorted, |v| v.len() >= 700);
    assert_eq!(row.len(), 700);
}

#[test]
fn of_a_long_text_the_characters_that_matter_are_left() {
    let text: String = (0..50_000).map(|i| if i == 40_000 { '=' } else { 'é' }).collect();
    let fails = |v: &Value| matches!(v, Value::Text(t) if t.contains(&b'='));
    let (value, steps) = shrunk(Type::Text, &Domain::default(), Value::Text(text.into()), fails);
    assert_eq!(value.to_string(), "\"=\"");
    assert!(steps < 40, "{steps}");
}

#[test]
fn a_value_of_another_type_has_no_candidates() {
    assert!(candidates(Type::Text, &Domain::default(), &Value::Int(5)).is_empty());
    assert!(candidates(Type::Scalar(Scalar::I32), &Domain::default(), &Value::Float(5.0)).is_empty());
}
