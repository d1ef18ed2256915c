//! Categories and choices: reading them, their frames, conditions from samples, and the relations that are written.

use std::collections::BTreeSet;

use dodona_frames::identification::{
    Aspect, Candidate, Change, Cube, Evidence, Expectation, Frame, IoFrame, JointChange, Literal, MisfitKind,
    Part, Specification, changes, classify, contradiction, cover, frames, relation_of,
};
use dodona_relations::{check, parse};
use dodona_target::{
    Column, Domain, Number, NumberRange, Output, OutputName, Parameter, Scalar, Sequence, Signature, Type,
    Value,
};
use fixedbitset::FixedBitSet;
use proptest::prelude::*;

const TEXT: &str = r#"
constraints = ["member.yes implies age.adult"]
scenarios = ["member.yes implies fee.free", "member.no and age.adult implies fee.paid"]

[input.age]
child = "age < 18"
adult = "age >= 18"

[input.member]
yes = "member"
no = "not member"

[output.fee]
free = "result == 0"
paid = "result > 0"

[order]
fee = ["free", "paid"]
"#;

fn parameter(name: &str, scalar: Scalar, range: Option<(i128, i128)>) -> Parameter {
    let mut domain = Domain::default();
    domain
        .numbers
        .ranges
        .extend(range.map(|(low, high)| NumberRange { low: Number::Int(low), high: Number::Int(high) }));
    Parameter { domain, ..Parameter::new(name, Type::Scalar(scalar)) }
}

fn function() -> Signature {
    let parameters =
        vec![parameter("age", Scalar::I32, Some((0, 99))), parameter("member", Scalar::Bool, None)];
    Signature::new("fee", parameters, Some(Type::Scalar(Scalar::I32)))
}

fn read(text: &str) -> Result<Specification, Vec<dodona_target::Diagnostic>> {
    let function = function();
    let parameters: Vec<_> = function.parameters.iter().map(|p| (p.name.clone(), p.ty)).collect();
    Specification::read(text, &parameters, &[Output::new(OutputName::Return, Type::Scalar(Scalar::I32))])
}

fn specification() -> Specification {
    read(TEXT).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn frames_satisfy_the_constraints() {
    let specification = specification();
    let words: Vec<String> = frames(&specification).map(|frame| specification.words(&frame)).collect();
    assert_eq!(words, ["age.child member.no", "age.adult member.yes", "age.adult member.no"]);
    assert_eq!(contradiction(&specification), None);
}

#[test]
fn constraints_that_contradict_each_other_are_named() {
    let text = TEXT.replace(
        r#"["member.yes implies age.adult"]"#,
        r#"["member.yes implies age.adult", "age.child", "age.adult or member.no", "member.yes"]"#,
    );
    let specification = read(&text).expect("well formed");
    assert_eq!(frames(&specification).count(), 0);
    let guilty = contradiction(&specification).expect("nothing satisfies all");
    let texts: Vec<&str> = guilty.iter().map(|i| specification.constraints[*i].1.as_str()).collect();
    assert_eq!(texts, ["age.child", "age.adult or member.no", "member.yes"]);
}

#[test]
fn rows_are_sorted_into_frames_and_misfits_are_shown() {
    let text = TEXT.replace("age >= 18", "age > 18").replace("not member", "not member or age == 7");
    let specification = read(&text).expect("well formed");
    let columns = [Column::Int(vec![3, 18, 30, 7]), Column::Bool(vec![false, true, true, true])];
    let classified = classify(&specification.inputs, &columns, 4);
    assert_eq!(classified.frames, [Some(Frame(vec![0, 1])), None, Some(Frame(vec![1, 0])), None]);
    let found: Vec<_> = classified.misfits.iter().map(|m| (m.category, m.kind.clone(), m.row)).collect();
    assert_eq!(found, [(0, MisfitKind::Gap, 1), (1, MisfitKind::Overlap(0, 1), 3)]);
}

/// Scenarios leave one choice of the fee for adults, and an order of outputs follows: who becomes a member pays less.
#[test]
fn what_is_stated_follows_from_scenarios_and_order() {
    let specification = specification();
    let (member, guest, child) = (Frame(vec![1, 0]), Frame(vec![1, 1]), Frame(vec![0, 1]));
    assert_eq!(specification.stated(&member), [[0]]);
    assert_eq!(specification.stated(&child), [[0, 1]]);
    assert!(specification.states(Expectation::Less, &guest, &member));
    assert!(specification.states(Expectation::AtLeast, &member, &guest));
    assert!(!specification.states(Expectation::Less, &child, &member), "a child may pay nothing");
    assert!(!specification.states(Expectation::Equal, &guest, &guest));
}

#[test]
fn distances_count_categories() {
    let frame =
        |input: &[u16], output: u16| IoFrame { input: Frame(input.to_vec()), output: Frame(vec![output]) };
    assert_eq!(frame(&[0, 1, 2], 0).distance(&frame(&[0, 2, 1], 1)), 2);
}

#[test]
fn changes_come_from_the_constants_of_choices() {
    let changes = changes(&function().parameters, &specification());
    let written: Vec<String> =
        changes.iter().map(|change| format!("{} {}", change.word, change.value())).collect();
    let wanted = ["plus age + 1", "minus age - 1", "times 2 * age", "set 18", "not not member"];
    assert_eq!(written, wanted, "ages are not negative, so that none is negated");
}

#[test]
fn the_strongest_expectation_comes_first() {
    let strongest = |source: &[i128], follow_up: &[i128]| {
        let (source, follow_up) = (Column::Int(source.to_vec()), Column::Int(follow_up.to_vec()));
        let evidence = Evidence { ty: Type::Scalar(Scalar::I32), source: &source, follow_up: &follow_up };
        let holds = |e: &Expectation| evidence.holds(*e).count_ones(..) == source.len();
        evidence.candidates().into_iter().find(holds)
    };
    assert_eq!(strongest(&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]), Some(Expectation::Equal));
    assert_eq!(strongest(&[1, 2, 3, 4, 5], &[4, 5, 6, 7, 8]), Some(Expectation::Difference(3.0)));
    assert_eq!(strongest(&[0, 2, 3, 4, 5, 7], &[0, 4, 6, 8, 10, 14]), Some(Expectation::Ratio(2.0)));
    assert_eq!(strongest(&[1, 2, 3, 4, 5], &[0, 1, 2, 3, 3]), Some(Expectation::Less));
    assert_eq!(strongest(&[1, 2, 3, 4, 5], &[1, 9, 3, 7, 5]), Some(Expectation::AtLeast));
    assert_eq!(strongest(&[1, 2, 3, 4, 5], &[2, 1, 4, 3, 6]), Some(Expectation::Different));
    assert_eq!(strongest(&[1, 2], &[2, 2]), Some(Expectation::AtLeast));
}

#[test]
fn texts_have_relations_of_parts() {
    let texts = |values: &[&str]| {
        let mut column = Column::empty(Type::Text);
        values.iter().for_each(|text| column.push(&dodona_target::Value::Text((*text).into())));
        column
    };
    let (source, follow_up) = (texts(&["ab", "c"]), texts(&["abc", "cc"]));
    let evidence = Evidence { ty: Type::Text, source: &source, follow_up: &follow_up };
    assert_eq!(evidence.holds(Expectation::Extends).count_ones(..), 2);
    assert_eq!(evidence.holds(Expectation::PrefixOf).count_ones(..), 0);
    assert_eq!(evidence.holds(Expectation::Contains).count_ones(..), 2);
    let empty = texts(&["", ""]);
    let trivial = Evidence { ty: Type::Text, source: &empty, follow_up: &follow_up };
    let all: FixedBitSet = [0, 1].into_iter().collect();
    assert!(trivial.is_bound(Expectation::Extends, &all), "every text begins with nothing");
    assert!(!evidence.is_bound(Expectation::Extends, &all));
}

/// The least output is not greater than any other: that says nothing of the two calls.
#[test]
fn an_order_against_a_bound_is_none() {
    let (source, follow_up) = (Column::Int(vec![0, 0, 5]), Column::Int(vec![3, 4, 6]));
    let evidence = Evidence { ty: Type::Scalar(Scalar::I32), source: &source, follow_up: &follow_up };
    let rows = |rows: &[usize]| rows.iter().copied().collect::<FixedBitSet>();
    assert!(evidence.is_bound(Expectation::AtLeast, &rows(&[0, 1])));
    assert!(!evidence.is_bound(Expectation::AtLeast, &rows(&[0, 2])));
    assert!(!evidence.is_bound(Expectation::Equal, &rows(&[0, 1])));
}

fn candidate(cubes: Vec<Cube>, changes: Vec<Change>) -> Candidate {
    let changes = changes.into_iter().map(JointChange::from).collect();
    Candidate { changes, aspect: Aspect::whole(0), expectation: Expectation::AtLeast, cubes, support: 9 }
}

#[test]
fn relations_are_written_in_the_language() {
    let (function, specification) = (function(), specification());
    let all = changes(&function.parameters, &specification);
    let one = |literal, choice: u16| (literal, BTreeSet::from([choice]));
    let cube = Cube {
        literals: vec![one(Literal::Source(1), 1), one(Literal::FollowUp(0), 1), one(Literal::Output(0), 0)],
    };
    let relation =
        relation_of(&candidate(vec![cube], vec![all[0].clone()]), "older", &function, &specification);
    let text = "relation older: when not member and age + 1 >= 18 and fee(age, member) == 0: \
                fee(age + 1, member) >= fee(age, member)";
    assert_eq!(relation.to_string(), text);
    let mut twice = all[0].clone();
    twice.constant = Some(dodona_relations::ast::Expression::new(dodona_relations::ast::Node::Int(2)));
    let joined = candidate(vec![Cube::default()], vec![all[0].clone(), twice]);
    let relation = relation_of(&joined, "older", &function, &specification);
    assert_eq!(
        relation.to_string(),
        "relation older: for k in {1, 2}: fee(age + k, member) >= fee(age, member)"
    );
    let file = parse(&relation.to_string()).expect("what is printed parses");
    assert!(check(&file, &[function]).is_ok());
}

/// Frames that differ in categories of two parameters: both change at once.
#[test]
fn several_parameters_change_at_once() {
    let (function, specification) = (function(), specification());
    let all = changes(&function.parameters, &specification);
    let of = |word: &str| all.iter().find(|change| change.word == word).expect("there is one").clone();
    let one = |literal, choice: u16| (literal, BTreeSet::from([choice]));
    let cube = Cube {
        literals: vec![
            one(Literal::Source(1), 1),
            one(Literal::FollowUp(0), 1),
            one(Literal::FollowUp(1), 0),
        ],
    };
    let joint = |change: Change| JointChange::of(vec![change, of("not")]);
    let candidate = |changes| Candidate { changes, ..candidate(vec![cube.clone()], vec![of("plus")]) };
    let text = |candidate: &Candidate| relation_of(candidate, "both", &function, &specification).to_string();
    assert_eq!(
        text(&candidate(vec![joint(of("plus"))])),
        "relation both: when not member and age + 1 >= 18: fee(age + 1, not member) >= fee(age, member)"
    );
    let mut further = of("plus");
    further.constant = Some(dodona_relations::ast::Expression::new(dodona_relations::ast::Node::Int(2)));
    let varied = [joint(of("plus")), joint(further)];
    assert_eq!(varied[0].differs_in_constant(&varied[1]), Some(0));
    assert_eq!(varied[0].differs_in_constant(&JointChange::from(of("plus"))), None);
    assert_eq!(varied[0].word(&function.parameters), "age_plus_member_not");
    let text = text(&candidate(varied.to_vec()));
    assert!(text.starts_with("relation both: for k in {1, 2}: when not member and age + k >= 18"), "{text}");
    assert!(text.ends_with("fee(age + k, not member) >= fee(age, member)"), "{text}");
    let file = parse(&text).expect("what is printed parses");
    assert!(check(&file, std::slice::from_ref(&function)).is_ok());
}

/// A parameter that is set to a constant is in the choice of that constant.
#[test]
fn what_a_change_brings_about_is_no_condition() {
    let (function, specification) = (function(), specification());
    let mut set = changes(&function.parameters, &specification).into_iter();
    let set = set.rfind(|change| change.word == "set" && change.parameter == 0).expect("there is one");
    let one = |literal, choice: u16| (literal, BTreeSet::from([choice]));
    let cube = Cube { literals: vec![one(Literal::Source(0), 0), one(Literal::FollowUp(0), 1)] };
    let text = relation_of(&candidate(vec![cube], vec![set]), "grown", &function, &specification).to_string();
    assert_eq!(text, "relation grown: when age < 18: fee(18, member) >= fee(age, member)");
}

/// What is true of two changes one after the other needs no line of its own.
#[test]
fn relations_follow_each_other() {
    use Expectation as E;
    for (one, next, both) in [
        (E::Equal, E::Less, Some(E::Less)),
        (E::AtMost, E::Less, Some(E::Less)),
        (E::AtMost, E::AtMost, Some(E::AtMost)),
        (E::Difference(2.0), E::AtLeast, Some(E::Greater)),
        (E::Difference(2.0), E::Difference(-2.0), Some(E::Equal)),
        (E::Difference(2.0), E::AtMost, None),
        (E::Ratio(2.0), E::Ratio(0.5), Some(E::Equal)),
        (E::Ratio(2.0), E::Less, None),
        (E::Extends, E::Contains, Some(E::Contains)),
        (E::Extends, E::Extends, Some(E::Extends)),
        (E::Different, E::Different, None),
    ] {
        assert_eq!(one.then(next), both, "{one:?} {next:?}");
    }
}

#[test]
fn a_condition_allows_what_its_literals_do() {
    let one = |literal, choice: u16| (literal, BTreeSet::from([choice]));
    let cube = Cube {
        literals: vec![one(Literal::Source(0), 1), one(Literal::FollowUp(0), 0), one(Literal::Output(0), 2)],
    };
    let frame = |choice: u16| Frame(vec![choice]);
    assert!(cube.allows(&frame(1), &frame(2), &frame(0)));
    for (source, output, after) in [(0, 2, 0), (1, 1, 0), (1, 2, 1)] {
        assert!(!cube.allows(&frame(source), &frame(output), &frame(after)));
    }
}

/// Three categories of numbers: names, ranges and one that is no range.
fn ranges() -> (Signature, Specification) {
    let mut function = function();
    function.parameters = vec![
        parameter("level", Scalar::I32, None),
        parameter("weight", Scalar::I32, None),
        parameter("fare", Scalar::F64, None),
    ];
    let text = r#"
        [input.level]
        none = "level == 0"
        low = "level == 1"
        middle = "level == 2"
        high = "3 == level"
        [input.weight]
        heavy = "weight > 40"
        light = "weight <= 20"
        middle = "weight > 20 and weight <= 40"
        [input.fare]
        free = "fare == 0.0"
        cheap = "fare > 0.0 and fare < 9.5"
        dear = "fare >= 9.5"
        [input.odd]
        zero = "weight mod 3 == 0"
        one = "weight mod 3 == 1"
        two = "weight mod 3 == 2"
        [output.fee]
        free = "result == 0"
        paid = "result > 0""#;
    let parameters: Vec<_> = function.parameters.iter().map(|p| (p.name.clone(), p.ty)).collect();
    let output = Output::new(OutputName::Return, Type::Scalar(Scalar::I32));
    let specification = Specification::read(text, &parameters, &[output]).expect("well formed");
    (function, specification)
}

/// The condition of a relation under cubes, each literal with its choices; the first change of the weight is by 1.
fn condition(cubes: &[&[(Literal, &[u16])]]) -> String {
    let (function, specification) = ranges();
    let changes = changes(&function.parameters, &specification);
    let plus = changes.into_iter().find(|change| change.parameter == 1).expect("a change of the weight");
    let cube = |literals: &&[(Literal, &[u16])]| Cube {
        literals: literals.iter().map(|(l, choices)| (*l, choices.iter().copied().collect())).collect(),
    };
    let candidate = candidate(cubes.iter().map(cube).collect(), vec![plus]);
    let text = relation_of(&candidate, "r", &function, &specification).to_string();
    let file = parse(&text).expect("what is printed parses");
    assert!(check(&file, &[function]).is_ok(), "{text}");
    let condition = text.strip_prefix("relation r: ").expect("a relation");
    condition.split_once(": fee").map_or(String::new(), |(when, _)| when.to_owned())
}

#[test]
fn choices_beside_each_other_are_one_range() {
    let (level, weight, fare, odd) =
        (Literal::Source(0), Literal::Source(1), Literal::Source(2), Literal::Source(3));
    for (literal, choices, wanted) in [
        (level, &[0, 1][..], "when level <= 1"),
        (level, &[1, 2], "when level >= 1 and level <= 2"),
        (level, &[2, 3], "when level >= 2"),
        (level, &[0, 3], "when level == 0 or 3 == level"),
        (level, &[0, 2, 3], "when level != 1"),
        (level, &[0, 1, 2], "when level <= 2"),
        (weight, &[1, 2], "when weight <= 40"),
        (weight, &[0, 2], "when weight > 20"),
        (weight, &[0, 1], "when not (weight > 20 and weight <= 40)"),
        (fare, &[0, 1], "when fare < 9.5"),
        (fare, &[1, 2], "when fare > 0.0"),
        (odd, &[0, 2], "when weight mod 3 != 1"),
        (odd, &[1], "when weight mod 3 == 1"),
        (weight, &[0, 1, 2], ""),
        (Literal::FollowUp(1), &[1, 2], "when weight + 1 <= 40"),
    ] {
        assert_eq!(condition(&[&[(literal, choices)]]), wanted, "{literal:?} {choices:?}");
    }
}

#[test]
fn conditions_that_are_joined_by_or_are_as_few_as_they_can_be() {
    let (level, weight, after) = (Literal::Source(0), Literal::Source(1), Literal::FollowUp(1));
    for (cubes, wanted) in [
        // What one condition keeps out is allowed by the other.
        (
            &[&[(level, &[0][..])][..], &[(level, &[1, 2, 3]), (weight, &[1])]][..],
            "when level == 0 or weight <= 20",
        ),
        // One contains the other.
        (&[&[(weight, &[1, 2])], &[(level, &[0]), (weight, &[1])]], "when weight <= 40"),
        (&[&[(weight, &[1])], &[(weight, &[1])]], "when weight <= 20"),
        // What both have in common is said once.
        (
            &[&[(level, &[0]), (weight, &[1])], &[(level, &[0]), (after, &[0])]],
            "when level == 0 and (weight <= 20 or weight >= 40)",
        ),
        // Ranges of one integer, some of them after the change.
        (&[&[(weight, &[0, 2])], &[(after, &[1])]], "when weight != 20"),
        (&[&[(weight, &[1])], &[(after, &[1, 2])]], "when weight <= 39"),
        (&[&[(level, &[0])], &[(level, &[1, 2, 3])]], ""),
        (&[&[(level, &[0])], &[(weight, &[0])]], "when level == 0 or weight > 40"),
    ] {
        assert_eq!(condition(cubes), wanted);
    }
}

/// A constant of a relation is not called like a parameter or the function.
#[test]
fn the_constant_of_a_relation_has_a_name_of_its_own() {
    let mut function = function();
    function.parameters = vec![parameter("k", Scalar::I32, None), parameter("k2", Scalar::I32, None)];
    let text = "[input.a]\nlow = \"k < 5\"\nmiddle = \"k >= 5 and k < 20\"\nhigh = \"k >= 20\"\n";
    let parameters: Vec<_> = function.parameters.iter().map(|p| (p.name.clone(), p.ty)).collect();
    let output = Output::new(OutputName::Return, Type::Scalar(Scalar::I32));
    let specification = Specification::read(text, &parameters, &[output]).expect("well formed");
    let changes = changes(&function.parameters, &specification);
    let plus: Vec<Change> = changes.into_iter().filter(|change| change.word == "plus").collect();
    assert_eq!(plus.iter().map(|c| c.value().to_string()).collect::<Vec<_>>(), ["k + 1", "k + 15"]);
    let joined = candidate(vec![Cube::default()], plus);
    let relation = relation_of(&joined, "more", &function, &specification);
    assert_eq!(relation.to_string(), "relation more: for k3 in {1, 15}: fee(k + k3, k2) >= fee(k, k2)");
    let file = parse(&relation.to_string()).expect("what is printed parses");
    assert!(check(&file, &[function]).is_ok());
}

/// A float holds only some of the integers of 64 bits.
#[test]
fn large_constants_are_kept_to_the_last_digit() {
    let mut function = function();
    function.parameters = vec![parameter("a", Scalar::U64, None)];
    let text = "[input.a]\nlow = \"a < 18446744073709550999\"\nmiddle = \"a >= 18446744073709550999 and a < 18446744073709551000\"\n\
                high = \"a >= 18446744073709551000\"\n";
    let parameters: Vec<_> = function.parameters.iter().map(|p| (p.name.clone(), p.ty)).collect();
    let output = Output::new(OutputName::Return, Type::Scalar(Scalar::I32));
    let specification = Specification::read(text, &parameters, &[output]).expect("well formed");
    let changes = changes(&function.parameters, &specification);
    let written: Vec<String> =
        changes.iter().map(|change| format!("{} {}", change.word, change.value())).collect();
    let wanted =
        ["plus a + 1", "minus a - 1", "times 2 * a", "set 18446744073709550999", "set 18446744073709551000"];
    assert_eq!(written, wanted);
}

/// Twelve categories of seven choices have more combinations than anybody waits for.
#[test]
fn a_contradiction_of_the_last_categories_is_found_without_the_others() {
    let choices = |i: usize| -> String {
        (0..7).map(|c| format!("c{c} = \"age mod 7 == {c} and age >= {i} - {i}\"\n")).collect()
    };
    let categories: String = (0..12).map(|i| format!("[input.a{i}]\n{}", choices(i))).collect();
    let text =
        format!("constraints = [\"a0.c1 or a1.c1\", \"a11.c0 and not a11.c0\", \"a11.c2\"]\n{categories}");
    let specification = read(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(frames(&specification).count(), 0);
    assert_eq!(contradiction(&specification), Some(vec![1]));
    let text = text.replace("a11.c0 and not a11.c0", "true");
    assert_eq!(contradiction(&read(&text).expect("well formed")), None);
}

/// The part of the file that the first problem is about, with what is said of it.
fn shown(text: &str) -> (String, String) {
    let problem = read(text).expect_err("wrong").swap_remove(0);
    let hint = problem.hint.map_or_else(String::new, |hint| format!(" ({hint})"));
    (text[problem.span].to_owned(), format!("{}{hint}", problem.message))
}

#[test]
fn hints_speak_of_frames_and_places_are_those_of_the_file() {
    let of = |text: &str, part: &str, says: &str| {
        let (place, message) = shown(text);
        assert_eq!((place.as_str(), message.contains(says)), (part, true), "{message}");
    };
    of(
        &TEXT.replace("age < 18", "result < 18"),
        "result",
        "conditions of [input] speak of the parameters: age, member",
    );
    of(
        &TEXT.replace("result > 0", "fee(age, member) > 0"),
        "fee",
        "conditions of [output] speak of the output: result",
    );
    of(&TEXT.replace("result > 0", "result.exit > 0"), "result.exit", "speak of the output: result");
    of(&TEXT.replace("age < 18", "age' < 18"), "age'", "speak of the parameters");
    of(&TEXT.replace("age < 18", "ages < 18"), "ages", "did you mean `age`?");
    let escaped = r#"\"é\" == \"\\n\" and ages < 18"#;
    of(&TEXT.replace("age < 18", escaped), "ages", "did you mean `age`?");
    of(
        &TEXT.replace(r#"["free", "paid"]"#, r#"["free", 3]"#),
        "3",
        "expected the name of a choice in quotes, found integer",
    );
    let many: String = (0..3000).map(|i| format!("c{i} = \"age == {i}\"\n")).collect();
    of(&format!("[input.age]\n{many}"), "age", "`age` has 3000 choices, and 2000 are the most");
}

#[test]
fn constraints_are_told_as_they_are_written() {
    let row = vec!["age.adult"; 40].join(" or ");
    let text = TEXT.replace("member.yes implies age.adult", &row);
    let specification = read(&text).expect("well formed");
    assert_eq!(specification.constraints[0].1, row);
}

#[test]
fn mistakes_are_told_with_their_places() {
    let message = |text: &str| {
        let problems = read(text).expect_err("wrong");
        let first = &problems[0];
        let (line, column) = first.line_column(text);
        format!("{line}:{column} {} ({})", first.message, first.hint.clone().unwrap_or_default())
    };
    let with = |from: &str, to: &str| TEXT.replacen(from, to, 1);
    assert_eq!(message(&with("age < 18", "agee < 18")), "6:10 unknown name `agee` (did you mean `age`?)");
    assert_eq!(
        message(&with("member.yes implies age.adult", "member.yess implies age.adult")),
        "2:24 `member` has no choice `yess` (did you mean `yes`?)"
    );
    assert_eq!(
        message(&with("member.yes implies fee.free", "member.yes")),
        "3:15 a scenario says what follows from choices of inputs (write `category.choice implies output.choice`)"
    );
    assert_eq!(
        message(&with("fee = [\"free\", \"paid\"]", "fee = [\"free\", \"free\"]")),
        "18:16 a choice is named twice in an order ()"
    );
    assert_eq!(message(&with("[order]", "[orders]")), "17:2 unknown key `orders` (did you mean `order`?)");
    assert_eq!(
        message("constraints = []"),
        "1:1 there is no category of inputs (write [input.NAME] with a condition for each choice)"
    );
    assert_eq!(
        message(&with("child =", "\"1x\" =")),
        "6:1 `1x` is no name of the relation language (names have letters, digits and _, begin with a letter, and are no word of the language)"
    );
}

proptest! {
    /// Whatever rows hold: no condition covers a row in which it fails, and a row that could be told apart from all failing rows is covered.
    #[test]
    fn covers_cover_what_holds_and_nothing_that_fails(
        rows in prop::collection::vec((0u16..3, 0u16..3, 0u16..2, prop::bool::ANY), 1..40)
    ) {
        let slots = [Literal::Output(0), Literal::Source(0), Literal::Source(1)];
        let choices = [
            rows.iter().map(|row| row.2).collect::<Vec<_>>(),
            rows.iter().map(|row| row.0).collect(),
            rows.iter().map(|row| row.1).collect(),
        ];
        let with = |wanted: bool| -> FixedBitSet { (0..rows.len()).filter(|row| rows[*row].3 == wanted).collect() };
        let covers = cover(&slots, &choices, &with(true), &with(false), 1);
        let meets = |cover: &dodona_frames::identification::Cover, row: usize| {
            cover.cube.literals.iter().all(|(literal, allowed)| {
                let slot = slots.iter().position(|slot| slot == literal).unwrap_or_default();
                allowed.contains(&choices[slot][row])
            })
        };
        for row in 0..rows.len() {
            let is_covered = covers.iter().any(|cover| meets(cover, row));
            let key = |r: usize| (rows[r].0, rows[r].1, rows[r].2);
            let is_mixed = (0..rows.len()).any(|other| key(other) == key(row) && !rows[other].3);
            prop_assert_eq!(is_covered, rows[row].3 && !is_mixed, "row {}: {:?}", row, covers);
        }
    }
}

fn output(ty: Type) -> Output {
    Output::new(OutputName::Return, ty)
}

/// What a sequence column has.
fn sequences(rows: &[&[i128]]) -> Column {
    let mut column = Column::empty(Type::Sequence(Scalar::I32));
    let value = |row: &&[i128]| Value::Sequence(Sequence::Int(row.to_vec()));
    rows.iter().for_each(|row| column.push(&value(row)));
    column
}

#[test]
fn sequences_of_one_length_are_compared_place_by_place() {
    let results = [output(Type::Sequence(Scalar::I32))];
    let record = sequences(&[&[1, 2], &[], &[3, 4]]);
    let aspects = Aspect::all(&results, std::slice::from_ref(&record));
    let parts: Vec<Part> = aspects.iter().map(|aspect| aspect.part).collect();
    assert_eq!(parts, [Part::Whole, Part::Element(0), Part::Element(1)]);
    let (second, missing) = aspects[2].column(std::slice::from_ref(&record));
    assert_eq!((second, missing.ones().collect::<Vec<_>>()), (Column::Int(vec![2, 0, 4]), vec![1]));
    assert_eq!(aspects[2].ty(&results), Type::Scalar(Scalar::I32));

    let both = aspects[1].with_next(aspects[2]).expect("neighbours");
    assert_eq!(both.part, Part::Elements(0, 2));
    assert_eq!(both.expression(dodona_relations::ast::Expression::name("out")).to_string(), "out[0..2]");
    assert_eq!(aspects[2].with_next(aspects[1]), None);
    assert_eq!(aspects[0].with_next(aspects[1]), None);
}

#[test]
fn lists_are_compared_by_their_length_and_numbers_as_they_are() {
    let results = [output(Type::Sequence(Scalar::I32)), output(Type::Scalar(Scalar::I32))];
    let columns = [sequences(&[&[1, 2], &[7]]), Column::Int(vec![1, 2])];
    let aspects = Aspect::all(&results, &columns);
    let parts: Vec<(usize, Part)> = aspects.iter().map(|aspect| (aspect.output, aspect.part)).collect();
    assert_eq!(parts, [(0, Part::Whole), (0, Part::Length), (1, Part::Whole)]);
    assert_eq!(aspects[1].column(&columns).0, Column::Int(vec![2, 1]));
}
