//! Laws of everything drawn at random: it lies in the domain, it depends on the seed alone, and it
//! reaches the values it should.

use dodona_sources::{Sampler, Seed};
use dodona_target::{
    Column, Distribution, Domain, Number, NumberRange, Numbers, Predicate, Sampling, Scalar, Sequence, Type,
    Value,
};
use proptest::prelude::*;
use proptest::sample::select;

fn scalar() -> impl Strategy<Value = Scalar> {
    select(&Scalar::ALL[..])
}

fn ty() -> impl Strategy<Value = Type> {
    prop_oneof![
        3 => scalar().prop_map(Type::Scalar),
        3 => scalar().prop_map(Type::Sequence),
        1 => Just(Type::Text)
    ]
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        (-4i128..5).prop_map(Number::Int),
        (-300i128..300).prop_map(Number::Int),
        any::<i64>().prop_map(|i| Number::Int(i.into())),
        any::<u64>().prop_map(|i| Number::Int(i.into())),
        (-3.0..3.0f64).prop_map(Number::Float),
        any::<f64>().prop_map(Number::Float),
        Just(Number::Float(f64::INFINITY)),
        Just(Number::Float(-0.0)),
    ]
}

fn range() -> impl Strategy<Value = NumberRange> {
    prop_oneof![
        4 => (number(), number()).prop_map(|(a, b)| match a.as_f64() <= b.as_f64() {
            true => NumberRange { low: a, high: b },
            false => NumberRange { low: b, high: a },
        }),
        2 => number().prop_map(|n| NumberRange { low: n, high: n }),
        1 => (number(), number()).prop_map(|(low, high)| NumberRange { low, high }),
    ]
}

fn length() -> impl Strategy<Value = Option<(u64, u64)>> {
    prop_oneof![
        Just(None),
        (0u64..6).prop_map(|n| Some((n, n))),
        (0u64..6, 0u64..20).prop_map(|(low, more)| Some((low, low + more))),
    ]
}

fn alphabet() -> impl Strategy<Value = Option<Vec<char>>> {
    prop_oneof![
        2 => Just(None),
        3 => prop::collection::vec(select(vec!['a', 'b', ' ', '0', '9', 'é', '日', '\0', '\n']), 0..6).prop_map(Some)
    ]
}

fn domain() -> impl Strategy<Value = Domain> {
    let numbers =
        (prop::collection::vec(range(), 0..4), prop::collection::vec(number(), 0..3), any::<bool>())
            .prop_map(|(ranges, except, exclude_nan)| Numbers { ranges, except, exclude_nan });
    let texts = prop_oneof![
        3 => Just(None),
        1 => prop::collection::vec("[ab0é]{0,3}", 0..4).prop_map(Some)
    ];
    let predicates = prop::sample::subsequence(Predicate::ALL.to_vec(), 0..=3);
    (numbers, length(), alphabet(), texts, predicates).prop_map(
        |(numbers, length, alphabet, texts, predicates)| Domain {
            numbers,
            length,
            alphabet,
            texts,
            predicates,
        },
    )
}

fn sampling() -> impl Strategy<Value = Sampling> {
    let favour = prop_oneof![
        (-3i128..300).prop_map(Value::Int),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Float),
        "[ab0]{0,3}".prop_map(|s| Value::Text(s.into())),
        prop::collection::vec(-3i128..300, 0..4).prop_map(|v| Value::Sequence(Sequence::Int(v))),
        prop::collection::vec(any::<f64>(), 0..4).prop_map(|v| Value::Sequence(Sequence::Float(v))),
    ];
    (
        prop::option::of(range()),
        select(&Distribution::ALL[..]),
        length(),
        alphabet(),
        prop::collection::vec(favour, 0..4),
        prop::option::of(0.0..=1.0),
    )
        .prop_map(|(range, distribution, length, alphabet, favour, favour_rate)| Sampling {
            range,
            distribution,
            length,
            alphabet,
            favour,
            favour_rate,
        })
}

fn rows(column: &Column) -> impl Iterator<Item = Value> {
    (0..column.len()).map(|row| column.value(row))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn everything_drawn_is_in_the_domain(ty in ty(), domain in domain(), sampling in sampling(), seed: u64) {
        let Ok(sampler) = Sampler::new(ty, &domain, &sampling) else { return Ok(()) };
        let column = sampler.column(&mut Seed(seed).stream("x", 0), 100);
        prop_assert_eq!(column.len(), 100);
        for value in rows(&column) {
            prop_assert!(domain.contains(ty, &value), "{value} of {ty}");
        }
    }

    #[test]
    fn a_domain_is_empty_exactly_where_no_value_is_in_it(
        scalar in select(vec![Scalar::Bool, Scalar::I8, Scalar::U8]),
        domain in domain(),
        sampling in sampling(),
    ) {
        let members: Vec<i128> = match scalar {
            Scalar::Bool => (0..2).filter(|&i| domain.contains(Type::Scalar(scalar), &Value::Bool(i == 1))).collect(),
            _ => (-128..256).filter(|&i| domain.contains(Type::Scalar(scalar), &Value::Int(i))).collect(),
        };
        let drawn = Sampler::new(Type::Scalar(scalar), &domain, &sampling);
        prop_assert_eq!(drawn.is_err(), members.is_empty());
    }

    #[test]
    fn the_same_stream_gives_the_same_column(ty in ty(), domain in domain(), sampling in sampling(), seed: u64) {
        let Ok(sampler) = Sampler::new(ty, &domain, &sampling) else { return Ok(()) };
        let draw = || sampler.column(&mut Seed(seed).stream("x", 7), 20);
        prop_assert_eq!(format!("{:?}", draw()), format!("{:?}", draw()));
    }

    #[test]
    fn single_floats_are_single(domain in domain(), sampling in sampling(), seed: u64) {
        let Ok(sampler) = Sampler::new(Type::Scalar(Scalar::F32), &domain, &sampling) else { return Ok(()) };
        let Column::Float(drawn) = sampler.column(&mut Seed(seed).stream("x", 0), 50) else { unreachable!() };
        for x in drawn {
            prop_assert!(x.is_nan() || f64::from(x as f32) == x);
        }
    }
}

fn draw(ty: Type, domain: &Domain, sampling: &Sampling, rows: usize) -> Vec<Value> {
    let sampler = Sampler::new(ty, domain, sampling).expect("the domain holds something");
    let column = sampler.column(&mut Seed(11).stream("x", 0), rows);
    (0..rows).map(|row| column.value(row)).collect()
}

fn ranged(low: i128, high: i128) -> Domain {
    let range = NumberRange { low: Number::Int(low), high: Number::Int(high) };
    Domain { numbers: Numbers { ranges: vec![range], ..Numbers::default() }, ..Domain::default() }
}

fn int(value: &Value) -> i128 {
    if let Value::Int(i) = value { *i } else { panic!("{value} is not an integer") }
}

fn float(value: &Value) -> f64 {
    if let Value::Float(x) = value { *x } else { panic!("{value} is not a float") }
}

#[test]
fn integers_without_a_range_reach_zero_one_limits_and_powers_of_two() {
    let drawn = draw(Type::Scalar(Scalar::I32), &Domain::default(), &Sampling::default(), 40_000);
    let wanted = [0, 1, -1, i32::MAX, i32::MIN, i32::MAX - 1, 1 << 16, (1 << 16) - 1, -(1 << 16), 1 << 30];
    for special in wanted {
        assert!(drawn.contains(&Value::Int(special.into())), "{special} never came up");
    }
}

#[test]
fn floats_without_a_range_reach_zeros_subnormals_infinities_and_nan() {
    let drawn = draw(Type::Scalar(Scalar::F64), &Domain::default(), &Sampling::default(), 20_000);
    let bits: Vec<u64> = drawn.iter().map(|v| float(v).to_bits()).collect();
    for special in [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::from_bits(1)] {
        assert!(bits.contains(&special.to_bits()), "{special:?} never came up");
    }
    assert!(drawn.iter().any(|v| float(v).is_nan()));
    assert!(drawn.iter().any(|v| float(v).is_subnormal()));
}

#[test]
fn a_sampled_range_keeps_infinities_and_nan_away() {
    let range = NumberRange { low: Number::Float(-1e300), high: Number::Float(1e300) };
    let sampling = Sampling { range: Some(range), ..Sampling::default() };
    let drawn = draw(Type::Scalar(Scalar::F64), &Domain::default(), &sampling, 20_000);
    assert!(drawn.iter().all(|v| float(v).is_finite()));
}

#[test]
fn uniform_is_uniform_and_logarithmic_is_not() {
    let share = |distribution, below: f64| {
        let sampling = Sampling { distribution, favour_rate: Some(0.0), ..Sampling::default() };
        let ints = draw(Type::Scalar(Scalar::I32), &ranged(0, 999_999), &sampling, 10_000);
        let floats = draw(Type::Scalar(Scalar::F64), &ranged(0, 1_000_000), &sampling, 10_000);
        let count = |small: usize| small as f64 / 10_000.0;
        let ints = count(ints.iter().filter(|v| (int(v) as f64) < below).count());
        let floats = count(floats.iter().filter(|v| float(v) < below).count());
        (ints, floats)
    };
    let (ints, floats) = share(Distribution::Uniform, 250_000.0);
    assert!((0.23..0.27).contains(&ints) && (0.23..0.27).contains(&floats), "{ints} {floats}");
    // A million is about 20 powers of two, of which 1000 is 10, and 0 takes one more.
    let (ints, floats) = share(Distribution::Logarithmic, 1000.0);
    assert!((0.45..0.60).contains(&ints), "{ints}");
    assert!((0.6..0.9).contains(&floats), "{floats}");
    let (ints, _) = share(Distribution::Mixed, 1000.0);
    assert!((0.22..0.31).contains(&ints), "{ints}");
}

#[test]
fn logarithmic_draws_both_signs_and_keeps_to_its_range() {
    let sampling =
        Sampling { distribution: Distribution::Logarithmic, favour_rate: Some(0.0), ..Sampling::default() };
    let drawn = draw(Type::Scalar(Scalar::I64), &ranged(-1_000_000, 1_000_000), &sampling, 10_000);
    let negative = drawn.iter().filter(|v| int(v) < 0).count();
    assert!((4_300..5_200).contains(&negative), "{negative}");
    let far = draw(Type::Scalar(Scalar::I64), &ranged(1000, 1003), &sampling, 4000);
    for i in 1000..=1003 {
        let count = far.iter().filter(|v| int(v) == i).count();
        assert!((850..1150).contains(&count), "{i} came up {count} times");
    }
}

#[test]
fn large_logarithmic_integers_are_odd_as_often_as_even() {
    let sampling =
        Sampling { distribution: Distribution::Logarithmic, favour_rate: Some(0.0), ..Sampling::default() };
    let drawn = draw(Type::Scalar(Scalar::U64), &ranged(1 << 60, 1 << 63), &sampling, 4000);
    let odd = drawn.iter().filter(|v| int(v) % 2 == 1).count();
    assert!((1800..2200).contains(&odd), "{odd}");
}

#[test]
fn every_listed_value_comes_up() {
    let points = [3, 17, 1_000_000].map(|n| NumberRange { low: Number::Int(n), high: Number::Int(n) });
    let wide = NumberRange { low: Number::Int(2_000_000), high: Number::Int(9_000_000) };
    let ranges = points.into_iter().chain([wide]).collect();
    let domain = Domain { numbers: Numbers { ranges, ..Numbers::default() }, ..Domain::default() };
    let drawn = draw(Type::Scalar(Scalar::I32), &domain, &Sampling::default(), 4000);
    for point in [3, 17, 1_000_000] {
        let count = drawn.iter().filter(|v| int(v) == point).count();
        assert!(count > 700, "{point} came up {count} times");
    }
    assert!(drawn.iter().filter(|v| int(v) >= 2_000_000).count() > 700);
}

#[test]
fn an_exception_in_a_range_does_not_bend_the_distribution() {
    let mut domain = ranged(0, 999_999);
    domain.numbers.except = vec![Number::Int(5)];
    let sampling =
        Sampling { distribution: Distribution::Uniform, favour_rate: Some(0.0), ..Sampling::default() };
    let drawn = draw(Type::Scalar(Scalar::I32), &domain, &sampling, 10_000);
    assert!(drawn.iter().filter(|v| int(v) < 5).count() < 5);
}

#[test]
fn favoured_values_come_at_their_rate() {
    let sampling = Sampling { favour: vec![Value::Int(777)], favour_rate: Some(0.5), ..Sampling::default() };
    let drawn = draw(Type::Scalar(Scalar::I32), &Domain::default(), &sampling, 9000);
    let count = drawn.iter().filter(|v| int(v) == 777).count();
    // Half of the rows, shared with the corners, the powers of two and those of ten.
    assert!((975..1275).contains(&count), "{count}");
}

#[test]
fn a_favoured_value_outside_the_domain_is_passed_over() {
    let sampling = Sampling { favour: vec![Value::Int(-5)], favour_rate: Some(1.0), ..Sampling::default() };
    let drawn = draw(Type::Scalar(Scalar::I32), &ranged(0, 9), &sampling, 200);
    assert!(drawn.iter().all(|v| (0..10).contains(&int(v))));
}

#[test]
fn sequences_come_empty_single_equal_sorted_and_reversed() {
    let drawn = draw(Type::Sequence(Scalar::I32), &Domain::default(), &Sampling::default(), 4000);
    let rows: Vec<&Vec<i128>> = drawn
        .iter()
        .map(|v| if let Value::Sequence(Sequence::Int(v)) = v { v } else { panic!("{v}") })
        .collect();
    let long = |test: fn(&[i128]) -> bool| rows.iter().filter(|v| v.len() > 5 && test(v)).count();
    assert!(rows.iter().any(|v| v.is_empty()) && rows.iter().any(|v| v.len() == 1));
    assert!(long(|v| v.iter().all(|x| *x == v[0])) > 20);
    assert!(long(|v| v.is_sorted() && v[0] < v[v.len() - 1]) > 20);
    assert!(long(|v| v.is_sorted_by(|a, b| a >= b) && v[0] > v[v.len() - 1]) > 20);
    assert!(long(|v| v.iter().collect::<std::collections::HashSet<_>>().len() * 2 < v.len()) > 20);
}

#[test]
fn distinct_sequences_use_up_a_small_domain() {
    let mut domain = ranged(1, 4);
    domain.length = Some((4, 4));
    domain.predicates = vec![Predicate::Distinct, Predicate::Sorted];
    for value in draw(Type::Sequence(Scalar::U8), &domain, &Sampling::default(), 50) {
        assert_eq!(value, Value::Sequence(Sequence::Int(vec![1, 2, 3, 4])));
    }
}

#[test]
fn text_comes_empty_blank_numeric_and_in_several_bytes() {
    let drawn = draw(Type::Text, &Domain::default(), &Sampling::default(), 4000);
    let texts: Vec<&str> = drawn
        .iter()
        .map(|v| if let Value::Text(t) = v { std::str::from_utf8(t).expect("UTF-8") } else { panic!("{v}") })
        .collect();
    let some = |test: fn(&str) -> bool| assert!(texts.iter().any(|t| test(t)));
    some(str::is_empty);
    some(|t| t.len() > 3 && t.chars().all(|c| c == ' '));
    some(|t| t.len() > 3 && t.chars().all(|c| c.is_ascii_digit()));
    some(|t| t.chars().any(|c| c.len_utf8() == 4));
    some(|t| t.chars().count() > 3 && t.chars().all(|c| t.starts_with(c)));
    let printable = |t: &&&str| t.chars().all(|c| (' '..='~').contains(&c));
    assert!(texts.iter().filter(printable).count() > 3500);
}

#[test]
fn a_domain_that_allows_very_long_sequences_does_not_draw_them_unasked() {
    let domain = Domain { length: Some((2, u64::MAX)), ..Domain::default() };
    let column = Sampler::new(Type::Sequence(Scalar::U8), &domain, &Sampling::default())
        .expect("sequences of two exist")
        .column(&mut Seed(3).stream("x", 0), 200);
    assert!(rows(&column).all(|v| matches!(v, Value::Sequence(s) if (2..=258).contains(&s.len()))));
}

#[track_caller]
fn empty(ty: &str, domain: Domain, message: &str) {
    let ty = ty.parse().expect("a type");
    let error = Sampler::new(ty, &domain, &Sampling::default()).expect_err("nothing is in the domain");
    assert_eq!(error.to_string(), message);
}

#[test]
fn an_empty_domain_says_which_keys_leave_nothing() {
    empty("i32", ranged(5, 1), "domain contains nothing: no i32 is in range [5, 1] (write [1, 5])");
    empty(
        "u8",
        ranged(300, 400),
        "domain contains nothing: no u8 is in range [300, 400] (u8 holds 0 to 255)",
    );
    let mut point = ranged(5, 6);
    point.numbers.except = vec![Number::Int(5), Number::Float(6.0)];
    empty(
        "i8",
        point,
        "domain contains nothing: no i8 is in range [5, 6] except 5, 6.0 (i8 holds -128 to 127)",
    );
    let tenth = NumberRange { low: Number::Float(0.1), high: Number::Float(0.1) };
    let tenth =
        Domain { numbers: Numbers { ranges: vec![tenth], ..Numbers::default() }, ..Domain::default() };
    empty(
        "f32",
        tenth,
        "domain contains nothing: no f32 is in range [0.1, 0.1] (the nearest f32 is 0.10000000149011612)",
    );
    let length = Domain { length: Some((5, 1)), ..Domain::default() };
    empty("text", length, "domain contains nothing: length [5, 1] has its least above its greatest");
    let mut few = ranged(1, 3);
    few.length = Some((4, 9));
    few.predicates = vec![Predicate::Distinct];
    empty(
        "[i16]",
        few,
        "domain contains nothing: length [4, 9] asks for at least 4, and range, alphabet, `is` and 32-bit memory allow at most 3",
    );
    let texts = Domain { texts: Some(vec!["é".into()]), alphabet: Some(vec!['e']), ..Domain::default() };
    empty("text", texts, "domain contains nothing: none of values \"é\" satisfies length, alphabet and `is`");
}

#[test]
fn every_listed_float_comes_up_nan_too() {
    let point = |x: f64| NumberRange { low: Number::Float(x), high: Number::Float(x) };
    let tenth = f64::from(0.1f32);
    let ranges = vec![point(tenth), NumberRange::NAN, point(0.5)];
    let domain = Domain { numbers: Numbers { ranges, ..Numbers::default() }, ..Domain::default() };
    let plain = Sampling { favour_rate: Some(0.0), ..Sampling::default() };
    let is = |x: f64, v: &Value| *v == Value::Float(x);
    for scalar in [Scalar::F32, Scalar::F64] {
        let drawn = draw(Type::Scalar(scalar), &domain, &plain, 4000);
        for x in [tenth, f64::NAN, 0.5] {
            let count = drawn.iter().filter(|v| is(x, v)).count();
            assert!(count > 1000, "{scalar}: {x} came up {count} times");
        }
        let rows = draw(Type::Sequence(scalar), &domain, &plain, 400);
        let holds_nan = |v: &&Value| v.to_string().contains("nan");
        assert!(rows.iter().filter(holds_nan).count() > 200, "{scalar}");
    }
    let nan = Numbers { ranges: vec![NumberRange::NAN], ..Numbers::default() };
    let only = Domain { numbers: nan.clone(), ..Domain::default() };
    assert!(
        draw(Type::Scalar(Scalar::F64), &only, &Sampling::default(), 100).iter().all(|v| is(f64::NAN, v))
    );
    let none = Domain { numbers: Numbers { exclude_nan: true, ..nan }, ..Domain::default() };
    assert!(Sampler::new(Type::Scalar(Scalar::F64), &none, &Sampling::default()).is_err());
}

/// The texts of some default draws.
fn texts(seed: u64, rows: usize) -> Vec<String> {
    let sampler = Sampler::new(Type::Text, &Domain::default(), &Sampling::default()).expect("not empty");
    let text = |value| match value {
        Value::Text(bytes) => String::from_utf8(bytes.into()).expect("UTF-8"),
        other => panic!("{other} is no text"),
    };
    (0..rows.div_ceil(1000) as u64)
        .flat_map(|chunk| {
            self::rows(&sampler.column(&mut Seed(seed).stream("x", chunk), 1000)).collect::<Vec<_>>()
        })
        .map(text)
        .collect()
}

#[test]
fn a_thousand_texts_have_several_with_each_character_that_ends_something() {
    for seed in 0..20 {
        let texts = texts(seed, 1000);
        for end in ['\0', '\n', '\r', '\t'] {
            let with = texts.iter().filter(|text| text.contains(end)).count();
            assert!((3..60).contains(&with), "{end:?}: {with} of seed {seed}");
        }
    }
}

#[test]
fn texts_have_characters_that_join_combine_fold_and_lie_at_the_edges() {
    let texts = texts(5, 10_000);
    let groups = [
        "\u{200b}",
        "\u{200c}",
        "\u{200d}",
        "\u{feff}",
        "e\u{301}",
        "\u{301}",
        "İ",
        "ß",
        "ﬁ",
        "🇩🇪",
        "👩\u{200d}💻",
        "\u{d7ff}",
        "\u{e000}",
        "\u{fffd}",
        "\r\n",
        "\u{7f}",
        "\u{80}",
        "\u{7ff}",
        "\u{800}",
        "\u{ffff}",
        "\u{10000}",
        "\u{10ffff}",
    ];
    for group in groups {
        let with = texts.iter().filter(|text| text.contains(group)).count();
        assert!(with >= 5, "{group:?}: {with}");
    }
    let plain = texts.iter().filter(|t| t.bytes().all(|b| (b' '..=b'~').contains(&b))).count();
    assert!(plain > 8_000, "most texts stay plain: {plain}");
}

#[test]
fn special_characters_keep_to_the_alphabet_and_the_lengths() {
    let letters =
        Domain { alphabet: Some(vec!['a', '\n', '\u{301}']), length: Some((3, 3)), ..Domain::default() };
    let drawn = draw(Type::Text, &letters, &Sampling::default(), 2000);
    assert!(drawn.iter().all(|value| letters.contains(Type::Text, value)));
    let no_nul = Domain { predicates: vec![Predicate::NoNul], ..Domain::default() };
    let drawn = draw(Type::Text, &no_nul, &Sampling::default(), 5000);
    assert!(drawn.iter().all(|value| no_nul.contains(Type::Text, value)));
}

#[test]
fn numbers_around_powers_of_ten_are_drawn() {
    let integers = draw(Type::Scalar(Scalar::I64), &Domain::default(), &Sampling::default(), 60_000);
    for wanted in [10, 99, 100, 1001, -1000, -9999, 10_i128.pow(9), 10_i128.pow(18) - 1, -(10_i128.pow(18))] {
        assert!(integers.iter().any(|value| int(value) == wanted), "{wanted}");
    }
    let floats = draw(Type::Scalar(Scalar::F64), &Domain::default(), &Sampling::default(), 200_000);
    for wanted in [1e3, -1e6, 1e15 + 1.0, 1e22, 1e-7, 0.1f64.next_down(), 1000f64.next_up(), 99.0] {
        assert!(floats.iter().any(|value| float(value) == wanted), "{wanted}");
    }
    let few = draw(Type::Scalar(Scalar::I32), &ranged(90, 110), &Sampling::default(), 1000);
    assert!(few.iter().all(|value| (90..=110).contains(&int(value))));
}

#[test]
fn whole_floats_are_those_of_the_integer_type() {
    for (ty, scalar) in [(Scalar::F64, Scalar::U8), (Scalar::F64, Scalar::I64), (Scalar::F32, Scalar::I32)] {
        let sampler = Sampler::whole(Type::Scalar(ty), scalar, &Domain::default(), &Sampling::default())
            .expect("not empty");
        let drawn: Vec<Value> = rows(&sampler.column(&mut Seed(1).stream("x", 0), 1000)).collect();
        let (low, high) = scalar.integer_range().expect("integers");
        for value in &drawn {
            let x = float(value);
            assert!(
                x.fract() == 0.0 && (low..=high).contains(&(x as i128)) && f64::from(x as f32) == x
                    || ty == Scalar::F64,
                "{x}"
            );
        }
        assert!(drawn.iter().any(|value| float(value) > 100.0));
    }
    let between = Domain {
        numbers: Numbers {
            ranges: vec![NumberRange { low: Number::Float(0.2), high: Number::Float(0.8) }],
            ..Numbers::default()
        },
        ..Domain::default()
    };
    assert!(Sampler::whole(Type::Scalar(Scalar::F64), Scalar::I32, &between, &Sampling::default()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn an_intersection_has_the_values_that_both_domains_have(ty in ty(), a in domain(), b in domain(), seed: u64) {
        // A manifest gives only the keys that a type has.
        let of_type = |domain: Domain| match ty {
            Type::Scalar(_) => Domain { length: None, alphabet: None, texts: None, ..domain },
            Type::Sequence(_) => Domain { alphabet: None, texts: None, ..domain },
            Type::Text => Domain { numbers: Numbers::default(), ..domain },
        };
        let (a, b) = (of_type(a), of_type(b));
        let both = a.intersection(&b);
        for domain in [&a, &b] {
            let Ok(sampler) = Sampler::new(ty, domain, &Sampling::default()) else { continue };
            for value in rows(&sampler.column(&mut Seed(seed).stream("x", 0), 20)) {
                if matches!(&value, Value::Text(t) if t.is_empty()) || matches!(&value, Value::Sequence(v) if v.is_empty()) {
                    continue;
                }
                let expected = a.contains(ty, &value) && b.contains(ty, &value);
                let found = both.as_ref().is_some_and(|both| both.contains(ty, &value));
                prop_assert_eq!(found, expected, "{} of {:?}", value, &both);
            }
        }
    }

    #[test]
    fn a_number_that_is_seen_in_a_domain_can_be_passed_for_it(from in scalar(), to in scalar(), domain in domain(), seed: u64) {
        if [from, to].contains(&Scalar::Bool) {
            return Ok(());
        }
        let (ty, parameter) = (Type::Scalar(from), Type::Scalar(to));
        let Some(seen) = domain.seen_from(ty, parameter) else { return Ok(()) };
        let is_whole = from.kind() != to.kind() && to.kind() == dodona_target::Kind::Int;
        let sampler = match is_whole {
            true => Sampler::whole(ty, to, &seen, &Sampling::default()),
            false => Sampler::new(ty, &seen, &Sampling::default()),
        };
        let Ok(sampler) = sampler else { return Ok(()) };
        for value in rows(&sampler.column(&mut Seed(seed).stream("x", 0), 20)) {
            let passed = match (&value, to.kind()) {
                (Value::Int(i), dodona_target::Kind::Float) => Value::Float(dodona_target::nearest_float(*i)),
                (Value::Float(x), dodona_target::Kind::Int) => Value::Int(*x as i128),
                _ => value.clone(),
            };
            prop_assert!(domain.contains(parameter, &passed), "{} as {} in {:?}", value, to, &domain);
        }
    }
}
