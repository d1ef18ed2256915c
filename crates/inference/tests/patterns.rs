//! Patterns of a function of thresholds, from its executions.

use std::path::Path;

use dodona_inference::patterns::{
    Atom, Change, Described, Direction, Expected, FollowUpOutputs, Order, Pattern, Vocabulary, conditions,
    rows_where,
};
use dodona_relations::{check, parse, to_calls};
use dodona_subject::Manifest;
use dodona_target::{Column, Kind, Signature, Value};
use fixedbitset::FixedBitSet;

/// Five for the first hour, nine for more, nothing for members.
fn fee(minutes: i128, member: bool) -> i128 {
    match (member, minutes) {
        (true, _) => 0,
        (false, ..=60) => 5,
        (false, _) => 9,
    }
}

fn function() -> Signature {
    let text = "name = \"fees\"\nmodule = \"fees.wasm\"\n[[function]]\n\
                signature = \"fee(minutes: i32, member: bool) -> i32\"\ndomain.minutes = { range = [0, 600] }\n";
    Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest").signatures().remove(0)
}

fn inputs() -> Vec<Column> {
    let minutes = (0..400).map(|i| i * 37 % 601).collect();
    let member = (0..400).map(|i| i % 3 == 0).collect();
    vec![Column::Int(minutes), Column::Bool(member)]
}

fn outputs(inputs: &[Column]) -> Column {
    let (Column::Int(minutes), Column::Bool(member)) = (&inputs[0], &inputs[1]) else { panic!("{inputs:?}") };
    Column::Int(minutes.iter().zip(member).map(|(minutes, member)| fee(*minutes, *member)).collect())
}

/// The conditions under which an expectation holds, in words of the language.
fn found(change: &Change, expected: &Expected) -> Vec<String> {
    let (function, inputs) = (function(), inputs());
    let source = outputs(&inputs);
    let vocabulary = Vocabulary::new(&function, &[(Value::Int(60), 2)], &source);
    let others: Vec<Column> =
        inputs.iter().map(|column| column.select(&(0..400).rev().collect::<Vec<_>>())).collect();
    let arguments = change.arguments(&inputs, &others);
    let valid = rows_where(400, |row| match change {
        Change::Anew { direction: Direction::Up, parameter } => {
            let number = |column: &Column| if let Value::Int(i) = column.value(row) { i } else { 0 };
            number(&arguments[*parameter]) > number(&inputs[*parameter])
        }
        _ => true,
    });
    let broken = expected.broken(&inputs, &source, &outputs(&arguments));
    let rows = |atom: &Atom| match vocabulary.may_stand(atom, change, expected) {
        true => atom.rows(&inputs, &source),
        false => FixedBitSet::with_capacity(400),
    };
    let atoms: Vec<FixedBitSet> = vocabulary.atoms.iter().map(rows).collect();
    let described = Described { function: &function, output: "out", kind: Kind::Int };
    conditions(&valid, &broken, &atoms, 10)
        .into_iter()
        .map(|condition| Pattern {
            change: change.clone(),
            condition: condition.atoms.iter().map(|&atom| vocabulary.atoms[atom].clone()).collect(),
            or: Vec::new(),
            expected: expected.clone(),
        })
        .map(|pattern| pattern.text("x", &described).replacen("relation x of fee: ", "", 1))
        .collect()
}

#[test]
fn conditions_are_the_most_general_ones() {
    let up = Change::Anew { parameter: 0, direction: Direction::Up };
    let larger = found(&up, &Expected::NotLower);
    assert_eq!(
        larger,
        ["relation x(new_minutes: fee.minutes) of fee: when new_minutes > minutes: \
                         given minutes' = new_minutes expect out' >= out"]
    );
    let nothing = found(&Change::None, &Expected::Is(Value::Int(0)));
    assert!(nothing.contains(&"when member: expect out == 0".to_owned()), "{nothing:?}");
    let short = found(&Change::None, &Expected::Is(Value::Int(5)));
    assert!(short.contains(&"when minutes <= 60 and not member: expect out == 5".to_owned()), "{short:?}");
    assert!(found(&Change::Flip(1), &Expected::Same).is_empty(), "membership always matters");
}

/// Every change, expectation and atom gives a relation that the language takes.
#[test]
fn every_pattern_is_a_relation() {
    let function = function();
    let described = Described { function: &function, output: "out", kind: Kind::Int };
    let vocabulary =
        Vocabulary::new(&function, &[(Value::Int(60), 2), (Value::Int(-5), 1)], &outputs(&inputs()));
    let (mut changes, mut texts) = (vocabulary.changes.clone(), Vec::new());
    changes.push(Change::Shift { parameters: vec![0], by: Value::Int(-3) });
    for change in &changes {
        let seen = FollowUpOutputs {
            differences: vec![Value::Int(4), Value::Int(-4)],
            results: vec![Value::Int(-7), vocabulary.outputs[0].clone()],
        };
        for expected in vocabulary.expected(change, &seen, &function) {
            for atom in vocabulary.atoms.iter().map(Some).chain([None]) {
                let others = vocabulary.atoms.iter().filter(|_| atom.is_some());
                let pattern = Pattern {
                    change: change.clone(),
                    condition: atom.into_iter().cloned().collect(),
                    or: others.take(texts.len() % 3).map(|other| vec![other.clone()]).collect(),
                    expected: expected.clone(),
                };
                let name = pattern.name(&described);
                assert!(!pattern.sentence(&described).is_empty());
                texts.push(pattern.text(&name, &described));
            }
        }
    }
    assert!(texts.len() > 300, "{}", texts.len());
    for text in texts {
        let file = parse(&text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let functions = std::slice::from_ref(&function);
        let calls =
            to_calls(&file.relations[0], functions).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
        let file = dodona_relations::ast::File { relations: vec![calls] };
        assert!(check(&file, functions).is_ok(), "{text}");
    }
}

#[test]
fn an_output_that_divides_is_not_zero() {
    let inputs = [Column::Int(vec![12, 12, 0]), Column::Int(vec![8, 9, 0])];
    let outputs = Column::Int(vec![4, 4, 0]);
    let broken = Expected::Divides(vec![0, 1]).broken(&inputs, &outputs, &outputs);
    assert_eq!((0..3).map(|row| broken.contains(row)).collect::<Vec<_>>(), [false, true, true]);
    let nonzero = Atom::Output { order: Order::NotEqual, value: Value::Int(0) };
    assert_eq!(nonzero.rows(&inputs, &outputs).count_ones(..), 2);
}

/// A number gets the value of another one that means the same: of two amounts, or of two accounts.
#[test]
fn a_number_is_set_to_another_one_that_means_the_same() {
    let text = "name = \"fees\"\nmodule = \"fees.wasm\"\n[[function]]\n\
                signature = \"fee(sender: i32, amount: i32, receiver: i32, balance: i32, way: i32, kind: i32, rate: f64) -> i32\"\n\
                domain.sender = { values = [0, 17, 18, 19] }\ndomain.receiver = { values = [17, 18, 19] }\n\
                domain.way = { values = [0, 1] }\ndomain.kind = { values = [0, 1] }\n";
    let function =
        Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest").signatures().remove(0);
    let vocabulary = Vocabulary::new(&function, &[], &Column::Int(vec![0, 1, 0, 1]));
    let described = Described { function: &function, output: "out", kind: Kind::Int };
    let copies = vocabulary.changes.iter().filter(|change| matches!(change, Change::Copy { .. }));
    let patterns: Vec<Pattern> = copies
        .map(|change| {
            let expected = Expected::Is(Value::Int(-3));
            Pattern { change: change.clone(), condition: Vec::new(), or: Vec::new(), expected }
        })
        .collect();
    let sentences: Vec<String> = patterns.iter().map(|pattern| pattern.sentence(&described)).collect();
    assert_eq!(
        sentences,
        [
            "setting sender to receiver makes the result -3",
            "setting amount to balance makes the result -3",
            "setting receiver to sender makes the result -3",
            "setting balance to amount makes the result -3",
        ]
    );
    let name = patterns[0].name(&described);
    assert_eq!(
        patterns[0].text(&name, &described),
        "relation fee_sender_set_to_receiver_gives_minus_3 of fee: given sender' = receiver expect out' == -3"
    );
    let sources: Vec<Column> = (0..7).map(|parameter| Column::Int(vec![parameter, parameter + 10])).collect();
    let arguments = patterns[0].change.arguments(&sources, &sources);
    assert_eq!(arguments[0], Column::Int(vec![2, 12]));
    assert_eq!(arguments[1..], sources[1..]);
}
