//! A pattern means the same as the relation that is written for it: rows of recorded executions are judged as the relation language judges them.

use std::path::Path;

use dodona_inference::patterns::{
    Atom, Change, Described, Direction, Expected, FollowUpOutputs, Pattern, Vocabulary,
};
use dodona_relations::{Program, check, parse};
use dodona_subject::Manifest;
use dodona_target::{CallError, Caller, Calls, Column, Kind, Outcome, Sequence, Signature, Value};

/// What parcels of these weights cost, with which of them are urgent, and where they go.
struct Parcels(Vec<Signature>);

impl Parcels {
    fn new() -> Parcels {
        let text = "name = \"parcels\"\nmodule = \"parcels.wasm\"\n[[function]]\n\
                    signature = \"cost(weights: [i32], urgent: [bool], to: text, notes: [i32]) -> i32\"\n\
                    domain.weights = { length = 3, range = [0, 50] }\n\
                    domain.urgent = { length = 3 }\n\
                    domain.to = { length = [0, 6], alphabet-ranges = [\"A-Z\", \"a-z\"] }\n\
                    domain.notes = { length = [0, 2], range = [0, 3] }\n\
                    sample.to = { favour = [\"Rome\", \"Oslo\"] }\n";
        Parcels(Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest").signatures())
    }

    fn outputs(arguments: &[Column]) -> Column {
        let cost = |row| {
            let value = |parameter: usize| arguments[parameter].value(row);
            let (Value::Sequence(Sequence::Int(weights)), Value::Sequence(Sequence::Bool(urgent))) =
                (value(0), value(1))
            else {
                panic!("{arguments:?}")
            };
            let each = weights.iter().zip(urgent).map(|(weight, urgent)| weight * if urgent { 3 } else { 1 });
            each.sum::<i128>() - if value(2) == Value::Text("Oslo".into()) { 20 } else { 5 }
        };
        Column::Int((0..arguments[0].len()).map(cost).collect())
    }
}

impl Caller for Parcels {
    fn call(&mut self, _: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let outputs = Parcels::outputs(arguments);
        Ok(Calls { outcomes: vec![Outcome::Returned; outputs.len()], outputs: vec![outputs] })
    }
}

/// Rows of arguments that differ by the number that they begin with.
fn rows(first: usize, function: &Signature) -> Vec<Column> {
    let mut columns: Vec<Column> = function.parameters.iter().map(|p| Column::empty(p.ty)).collect();
    for row in first..first + 120 {
        let weights = (0..3).map(|place| (row * (7 + place) / 3 % 4 * 10) as i128).collect();
        let urgent = (0..3).map(|place| row >> place & 1 == 1).collect();
        let to = ["Rome", "Oslo", "", "Rom"][row / 5 % 4];
        let notes = (0..row % 3).map(|place| (row / 3 + place) as i128 % 4).collect();
        columns[0].push(&Value::Sequence(Sequence::Int(weights)));
        columns[1].push(&Value::Sequence(Sequence::Bool(urgent)));
        columns[2].push(&Value::Text(to.into()));
        columns[3].push(&Value::Sequence(Sequence::Int(notes)));
    }
    columns
}

/// Whether the relation of a pattern applies to a row, as far as its change says.
fn applies(
    pattern: &Pattern,
    function: &Signature,
    sources: &[Column],
    arguments: &[Column],
    row: usize,
) -> bool {
    let is_inside = function
        .parameters
        .iter()
        .zip(arguments)
        .all(|(parameter, column)| parameter.domain.contains(parameter.ty, &column.value(row)));
    let is_another = match &pattern.change {
        Change::Anew { parameter, direction: Direction::Any } => {
            pattern.expected == Expected::Same
                || sources[*parameter].value(row) != arguments[*parameter].value(row)
        }
        _ => true,
    };
    is_inside && is_another
}

#[test]
fn a_pattern_means_what_its_relation_says() {
    let mut parcels = Parcels::new();
    let functions = parcels.0.clone();
    let function = &functions[0];
    let (sources, others) = (rows(0, function), rows(1000, function));
    let outputs = Parcels::outputs(&sources);
    let vocabulary = Vocabulary::new(function, &[(Value::Int(20), 2), (Value::Int(10), 1)], &outputs);
    let described = Described { function, output: "out", kind: Kind::Int };
    let (mut judged, mut eligible, mut violated) = (0, 0, 0);
    let seen = FollowUpOutputs { differences: vec![Value::Int(10)], results: vec![Value::Int(20)] };
    for change in &vocabulary.changes {
        let arguments = change.arguments(&sources, &others);
        let follow_ups = Parcels::outputs(&arguments);
        for expected in vocabulary.expected(change, &seen, function) {
            let broken = expected.broken(&sources, &outputs, &follow_ups);
            let allowed =
                || vocabulary.atoms.iter().filter(|atom| vocabulary.may_stand(atom, change, &expected));
            // Every other pattern has a second condition, the atom after the first.
            let next = allowed().skip(1).map(Some).chain([None]);
            for (place, (atom, other)) in allowed().zip(next).enumerate() {
                let other = other.filter(|_| place % 2 == 0);
                let pattern = Pattern {
                    change: change.clone(),
                    condition: vec![atom.clone()],
                    or: other.into_iter().map(|other| vec![other.clone()]).collect(),
                    expected: expected.clone(),
                };
                let text = pattern.text("x", &described);
                let file = parse(&text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
                let checked =
                    check(&file, &functions).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
                let of = |variable: &dodona_relations::Variable| {
                    let from = if variable.name.starts_with("new_") { &others } else { &sources };
                    from[variable.parameter].clone()
                };
                let columns: Vec<Column> = checked[0].variables().iter().map(of).collect();
                let program = Program::compile(&checked[0], &functions);
                let verdicts = program.evaluate(0, &columns, &mut parcels).expect("verdicts");
                let rows = |atom: &Atom| atom.rows(&sources, &outputs);
                let atoms = other.map_or_else(|| rows(atom), |other| &rows(atom) | &rows(other));
                for (row, verdict) in verdicts.iter().enumerate() {
                    let is_eligible =
                        atoms.contains(row) && applies(&pattern, function, &sources, &arguments, row);
                    assert_eq!(verdict.is_eligible(), is_eligible, "{text}, row {row}: {verdict:?}");
                    assert_eq!(
                        verdict.is_violation(),
                        is_eligible && broken.contains(row),
                        "{text}, row {row}"
                    );
                    eligible += usize::from(is_eligible);
                    violated += usize::from(verdict.is_violation());
                }
                judged += 1;
            }
        }
    }
    assert!(
        judged > 1_000 && violated > 1_000 && eligible > violated + 1_000,
        "{judged}, {eligible}, {violated}"
    );
    let has = |wanted: fn(&Atom) -> bool| vocabulary.atoms.iter().any(wanted);
    assert!(has(|atom| matches!(atom, Atom::Every { .. })));
    assert!(has(|atom| matches!(atom, Atom::Constant { constant: Value::Text(_), .. })));
}

/// Columns of a table are reversed together, and a sequence of one length is set to one value throughout.
#[test]
fn sequences_have_changes_of_their_own() {
    let functions = Parcels::new().0;
    let outputs = Parcels::outputs(&rows(0, &functions[0]));
    let vocabulary = Vocabulary::new(&functions[0], &[(Value::Int(20), 2)], &outputs);
    let described = Described { function: &functions[0], output: "out", kind: Kind::Int };
    let text = |change: &Change| {
        let pattern = Pattern {
            change: change.clone(),
            condition: Vec::new(),
            or: Vec::new(),
            expected: Expected::Same,
        };
        (pattern.name(&described), pattern.sentence(&described))
    };
    let all: Vec<(String, String)> = vocabulary.changes.iter().map(text).collect();
    for (name, sentence) in [
        ("cost_weights_urgent_reversed_same", "reversing weights and urgent leaves the result"),
        ("cost_weights_set_to_20_same", "setting weights to [20, 20, 20] leaves the result"),
        ("cost_double_weights_same", "doubling weights leaves the result"),
        ("cost_to_set_to_Rome_same", "setting to to \"Rome\" leaves the result"),
        ("cost_to_irrelevant", "to does not matter"),
    ] {
        assert!(all.contains(&(name.to_owned(), sentence.to_owned())), "{name}: {all:#?}");
    }
    assert!(
        all.iter().all(|(name, _)| !name.starts_with("cost_notes_set_to")),
        "lengths of notes differ: {all:#?}"
    );
}
