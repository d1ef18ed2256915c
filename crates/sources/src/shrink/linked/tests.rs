use dodona_target::{NumberRange, Numbers, Sequence};
use proptest::prelude::*;

use super::super::{Shrinker, simpler};
use super::*;

fn ty(text: &str) -> Type {
    text.parse().expect("a type")
}

fn int(value: &Value) -> i128 {
    if let Value::Int(i) = value { *i } else { panic!("{value} is no integer") }
}

fn float(value: &Value) -> f64 {
    if let Value::Float(x) = value { *x } else { panic!("{value} is no float") }
}

fn ints(value: &Value) -> &[i128] {
    if let Value::Sequence(Sequence::Int(v)) = value {
        v
    } else {
        panic!("{value} is no sequence of integers")
    }
}

fn text(value: &Value) -> String {
    if let Value::Text(bytes) = value {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        panic!("{value} is no text")
    }
}

/// Shrinks values one by one and together, in turn, until neither finds a simpler failure.
fn shrunk(
    parameters: &[(Type, &Domain)],
    values: Vec<Value>,
    fails: &dyn Fn(&[Value]) -> bool,
) -> Vec<Value> {
    assert!(fails(&values));
    let mut values = values;
    let mut linked = Linked::new(parameters.to_vec());
    loop {
        let before = values.clone();
        for (i, (ty, domain)) in parameters.iter().enumerate() {
            let mut shrinker = Shrinker::new(*ty, domain, values[i].clone());
            while let Some(candidate) = shrinker.candidate() {
                let mut changed = values.clone();
                changed[i] = candidate.value().clone();
                if fails(&changed) {
                    values = changed;
                    shrinker.take(candidate);
                }
            }
        }
        linked.restart(values);
        while let Some(candidate) = linked.candidate() {
            let value = |i: usize| candidate.value(i).unwrap_or(&linked.values()[i]).clone();
            let changed: Vec<Value> = (0..parameters.len()).map(value).collect();
            if fails(&changed) {
                linked.take(candidate);
                assert_eq!(linked.values(), changed);
            }
        }
        values = linked.values().to_vec();
        if values == before {
            assert!(!linked.met_its_bound());
            return values;
        }
    }
}

/// Asserts what values of these types become, written as literals.
fn become_(types: &[&str], values: &[Value], fails: impl Fn(&[Value]) -> bool, expected: &str) {
    let domain = Domain::default();
    let parameters: Vec<(Type, &Domain)> = types.iter().map(|t| (ty(t), &domain)).collect();
    let small = shrunk(&parameters, values.to_vec(), &fails);
    let written: Vec<String> = small.iter().map(Value::to_string).collect();
    assert_eq!(written.join(" "), expected, "from {values:?}");
}

fn numbers(numbers: &[i128]) -> Vec<Value> {
    numbers.iter().copied().map(Value::Int).collect()
}

fn floats(numbers: &[f64]) -> Vec<Value> {
    numbers.iter().copied().map(Value::Float).collect()
}

fn sequence(items: &[i128]) -> Value {
    Value::Sequence(Sequence::Int(items.to_vec()))
}

#[test]
fn linked_integers_shrink_together() {
    let two = ["i32", "i32"];
    become_(&two, &numbers(&[987_654, 987_654]), |v| v[0] == v[1] && int(&v[0]) > 5, "6 6");
    become_(
        &two,
        &numbers(&[1_000_037, 1_000_000]),
        |v| int(&v[0]) == int(&v[1]) + 37 && int(&v[0]) > 100,
        "101 64",
    );
    become_(
        &two,
        &numbers(&[-1_000_000, -1_000_037]),
        |v| int(&v[0]) == int(&v[1]) + 37 && int(&v[0]) < -100,
        "-101 -138",
    );
    become_(&two, &numbers(&[734_218, 367_109]), |v| int(&v[0]) == 2 * int(&v[1]) && int(&v[1]) > 5, "12 6");
    become_(
        &two,
        &numbers(&[734_213, 73_421]),
        |v| int(&v[0]) == 10 * int(&v[1]) + 3 && int(&v[1]) > 5,
        "63 6",
    );
    become_(
        &two,
        &numbers(&[-51_234, 51_234]),
        |v| int(&v[0]) == -int(&v[1]) && int(&v[1]).abs() > 5,
        "6 -6",
    );
    become_(&two, &numbers(&[417, 583]), |v| int(&v[0]) + int(&v[1]) == 1000, "0 1000");
    become_(&two, &numbers(&[417, 583]), |v| int(&v[0]) + int(&v[1]) == 1000 && int(&v[0]) > 9, "10 990");
    become_(&two, &numbers(&[0b1011_0110_1101, 0b1011_0110_1000]), |v| int(&v[0]) ^ int(&v[1]) == 5, "0 5");
    become_(&["i64", "i64"], &numbers(&[1 << 61, 1 << 61]), |v| v[0] == v[1] && int(&v[0]) > 5, "6 6");
    become_(&["u8", "i64"], &numbers(&[251, 251]), |v| int(&v[0]) == int(&v[1]) && int(&v[0]) > 5, "6 6");
}

#[test]
fn three_linked_integers_shrink_together() {
    let three = ["i32", "i32", "i32"];
    become_(&three, &numbers(&[987_654; 3]), |v| v[0] == v[1] && v[1] == v[2] && int(&v[0]) > 5, "6 6 6");
    let chain = |v: &[Value]| int(&v[0]) == int(&v[1]) + 3 && int(&v[1]) == int(&v[2]) + 4 && int(&v[2]) > 5;
    become_(&three, &numbers(&[800_007, 800_004, 800_000]), chain, "13 10 6");
    let scaled = |v: &[Value]| int(&v[0]) == 2 * int(&v[1]) && int(&v[1]) == 3 * int(&v[2]) && int(&v[2]) > 5;
    become_(&three, &numbers(&[600_000, 300_000, 100_000]), scaled, "36 18 6");
    let signs = |v: &[Value]| v[0] == v[1] && int(&v[0]) == -int(&v[2]) && int(&v[0]).abs() > 5;
    become_(&three, &numbers(&[77_777, 77_777, -77_777]), signs, "6 6 -6");
    let sum = |v: &[Value]| int(&v[0]) + int(&v[1]) == int(&v[2]) && int(&v[2]) > 100;
    become_(&three, &numbers(&[5_000, 7_000, 12_000]), sum, "0 101 101");
    become_(
        &["i32"; 8],
        &numbers(&[987_654; 8]),
        |v| v.windows(2).all(|w| w[0] == w[1]) && int(&v[0]) > 5,
        "6 6 6 6 6 6 6 6",
    );
}

#[test]
fn linked_floats_shrink_together() {
    let two = ["f64", "f64"];
    become_(&two, &floats(&[9876.54321, 9876.54321]), |v| v[0] == v[1] && float(&v[0]) > 5.5, "6.0 6.0");
    become_(
        &two,
        &floats(&[0.731_249_1, -0.731_249_1]),
        |v| float(&v[0]) == -float(&v[1]) && float(&v[0]) > 0.25,
        "1.0 -1.0",
    );
    become_(
        &two,
        &floats(&[98_765.5, 98_765.0]),
        |v| float(&v[0]) == float(&v[1]) + 0.5 && float(&v[1]) > 5.0,
        "6.0 5.5",
    );
    become_(
        &two,
        &floats(&[1751.0, 875.5]),
        |v| float(&v[0]) == 2.0 * float(&v[1]) && float(&v[1]) > 5.0,
        "11.0 5.5",
    );
    become_(&two, &floats(&[417.25, 582.75]), |v| float(&v[0]) + float(&v[1]) == 1000.0, "0.0 1000.0");
    become_(
        &["f32", "f32"],
        &floats(&[f64::from(731.3f32); 2]),
        |v| v[0] == v[1] && float(&v[0]) > 5.5,
        "6.0 6.0",
    );
    become_(
        &["i32", "f64"],
        &[Value::Int(7312), Value::Float(7312.0)],
        |v| int(&v[0]) as f64 == float(&v[1]) && int(&v[0]) > 5,
        "6 6.0",
    );
}

#[test]
fn linked_elements_shrink_together() {
    let pair = |v: &[Value]| ints(&v[0]).windows(2).any(|w| w[0] == w[1] && w[0] > 50);
    become_(&["[i32]"], &[sequence(&[3, 9, 100_000, 100_000, 5])], pair, "[51, 51]");
    let step = |v: &[Value]| ints(&v[0]).windows(2).any(|w| w[0] + 7 == w[1] && w[0] > 50);
    become_(&["[i32]"], &[sequence(&[3, 9, 100_000, 100_007, 5])], step, "[51, 58]");
    let contains = |v: &[Value]| ints(&v[0]).contains(&int(&v[1])) && int(&v[1]) > 50;
    become_(&["[i32]", "i32"], &[sequence(&[3, 9, 100_000, 5]), Value::Int(100_000)], contains, "[51] 51");
    let across = |v: &[Value]| ints(&v[0]).iter().any(|x| *x > 50 && ints(&v[1]).contains(x));
    become_(&["[i32]", "[i64]"], &[sequence(&[1, 777, 3]), sequence(&[8, 9, 777])], across, "[51] [51]");
    let total = |v: &[Value]| ints(&v[0]).iter().sum::<i128>() == int(&v[1]) && int(&v[1]) > 50;
    become_(&["[i32]", "i32"], &[sequence(&[300, 500, 200]), Value::Int(1000)], total, "[51] 51");
    let letters = |v: &[Value]| text(&v[0]).as_bytes().windows(2).any(|w| w[0] == w[1] && w[0] > b'p');
    become_(&["text"], &[Value::Text("hello zzzap".into())], letters, r#""qq""#);
    let next = |v: &[Value]| text(&v[0]).as_bytes().windows(2).any(|w| w[0] + 1 == w[1]);
    become_(&["text"], &[Value::Text("jumps xy".into())], next, r#""ab""#);
}

#[test]
fn linked_lengths_shrink_together() {
    let two = [sequence(&[4, 8, 1, 9]), sequence(&[7, 7, 70, 7])];
    let same = |v: &[Value]| ints(&v[0]).len() == ints(&v[1]).len() && ints(&v[1]).contains(&70);
    become_(&["[i32]", "[i32]"], &two, same, "[0] [70]");
    let reversed = |v: &[Value]| {
        text(&v[0]) == text(&v[1]).chars().rev().collect::<String>() && text(&v[0]).contains('=')
    };
    become_(&["text", "text"], &["xy=q1", "1q=yx"].map(|t| Value::Text(t.into())), reversed, r#""=" "=""#);
    let equal = |v: &[Value]| v[0] == v[1] && text(&v[0]).chars().count() > 2;
    become_(&["text", "text"], &["zq=é1", "zq=é1"].map(|t| Value::Text(t.into())), equal, r#""aaa" "aaa""#);
    let count = |v: &[Value]| ints(&v[0]).len() as i128 == int(&v[1]) && ints(&v[0]).contains(&70);
    become_(&["[i32]", "u8"], &[sequence(&[4, 8, 70, 1]), Value::Int(4)], count, "[70] 1");
    let index =
        |v: &[Value]| usize::try_from(int(&v[1])).is_ok_and(|i| ints(&v[0]).get(i).is_some_and(|x| *x > 50));
    become_(&["[i32]", "i32"], &[sequence(&[4, 8, 70, 1]), Value::Int(2)], index, "[51] 0");
    let matrix =
        |v: &[Value]| int(&v[1]) * int(&v[2]) == ints(&v[0]).len() as i128 && ints(&v[0]).contains(&70);
    let values = [sequence(&[4, 8, 70, 1, 5, 5]), Value::Int(2), Value::Int(3)];
    become_(&["[i32]", "u8", "u8"], &values, matrix, "[70] 1 1");
    let both = |v: &[Value]| {
        let lengths = [ints(&v[0]).len() as i128, ints(&v[1]).len() as i128, int(&v[2])];
        lengths == [lengths[0]; 3] && ints(&v[1]).contains(&70)
    };
    become_(&["[i32]", "[i32]", "u8"], &[two[0].clone(), two[1].clone(), Value::Int(4)], both, "[0] [70] 1");
    let balanced = |v: &[Value]| {
        let mut depth = 0;
        let step = |c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        };
        text(&v[0]).chars().all(step) && depth == 0 && text(&v[0]).contains('(')
    };
    become_(&["text"], &[Value::Text("(a(b)()c(d(e)))".into())], balanced, r#""()""#);
}

#[test]
fn linked_values_stay_in_their_domains() {
    let range = |low, high| Domain {
        numbers: Numbers {
            ranges: vec![NumberRange {
                low: dodona_target::Number::Int(low),
                high: dodona_target::Number::Int(high),
            }],
            ..Numbers::default()
        },
        ..Domain::default()
    };
    let (low, high) = (range(10, 1_000_000), range(70, 2_000_000));
    let ty = ty("i32");
    let gap = |v: &[Value]| int(&v[0]) + 37 == int(&v[1]);
    assert_eq!(shrunk(&[(ty, &low), (ty, &high)], numbers(&[900_000, 900_037]), &gap), numbers(&[33, 70]));
    let equal = |v: &[Value]| v[0] == v[1];
    assert_eq!(shrunk(&[(ty, &low), (ty, &high)], numbers(&[900_000, 900_000]), &equal), numbers(&[70, 70]));
}

#[test]
fn a_search_that_meets_its_bound_says_so() {
    let domain = Domain::default();
    let mut linked = Linked::new(vec![(ty("[i64]"), &domain)]);
    linked.restart(vec![sequence(&(0..50).map(|i| i * i * 1009 + 17).collect::<Vec<_>>())]);
    linked.most = 10_000;
    let candidates = std::iter::from_fn(|| linked.candidate()).count();
    assert!((50..200).contains(&candidates), "{candidates}");
    assert!(linked.met_its_bound());
    let mut long = Linked::new(vec![(ty("[i64]"), &domain)]);
    long.restart(vec![sequence(&[5; 65])]);
    assert!(long.met_its_bound(), "one element is not tried");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_candidate_is_in_the_domains_and_the_first_change_is_simpler(
        a: i16, b: i16, x in -1e6..1e6f64, xs in prop::collection::vec(-40i128..40, 0..5), t in "[a-cé=(]{0,4}",
    ) {
        let sorted = Domain { predicates: vec![dodona_target::Predicate::Sorted], ..Domain::default() };
        let any = Domain::default();
        let mut xs = xs;
        xs.sort_unstable();
        let parameters = vec![(ty("i16"), &any), (ty("i16"), &any), (ty("f64"), &any), (ty("[i32]"), &sorted), (ty("text"), &any)];
        let values = vec![Value::Int(a.into()), Value::Int(b.into()), Value::Float(x), sequence(&xs), Value::Text(t.as_str().into())];
        let mut linked = Linked::new(parameters.clone());
        linked.restart(values.clone());
        while let Some(candidate) = linked.candidate() {
            for (i, (ty, domain)) in parameters.iter().enumerate() {
                prop_assert!(candidate.value(i).is_none_or(|value| domain.contains(*ty, value)));
            }
            let first = (0..values.len()).find_map(|i| {
                candidate.value(i).filter(|value| **value != values[i]).map(|value| (i, value))
            });
            prop_assert!(first.is_some_and(|(i, value)| simpler(value, &values[i])), "{candidate:?}");
        }
    }
}
