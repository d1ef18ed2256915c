//! Inner calls: source calls of basic relations that are follow-up calls of the composite one, and sequences that do not use them.

use dodona_relations::{Program, Verdict, Violation, ast::File, check};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Scalar, Trap, Type, Value};

use super::world::{COSINE, SINE, composed, functions};
use crate::composition::{Sequence, unchanged};

/// `grow(n) = 2n`, wrong at 13 and failing at 14, and `late(n) = 2n - 4`, failing at the multiples of 5.
struct Failing;

impl Caller for Failing {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let mut column = Column::empty(Type::Scalar(Scalar::I32));
        let mut outcomes = Vec::new();
        for row in 0..arguments[0].len() {
            let Value::Int(n) = arguments[0].value(row) else { panic!("an integer") };
            let result = match (functions()[function].name.as_str(), n) {
                ("grow", 13) => Some(0),
                ("grow", n) => (n != 14).then_some(2 * n),
                ("late", n) => (n % 5 != 0).then_some(2 * n - 4),
                (other, _) => panic!("{other} is not called"),
            };
            outcomes.push(result.map_or(Outcome::Trapped(Trap::Unreachable), |_| Outcome::Returned));
            column.push(&Value::Int(result.unwrap_or_default()));
        }
        Ok(Calls { outcomes, outputs: vec![column] })
    }
}

fn verdict(relation: &dodona_relations::ast::Relation, n: i128) -> Verdict {
    let functions = functions();
    let checked = check(&File { relations: vec![relation.clone()] }, &functions).expect("it is checked");
    let mut column = Column::empty(Type::Scalar(Scalar::I32));
    column.push(&Value::Int(n));
    Program::compile(&checked[0], &functions)
        .evaluate(0, &[column], &mut Failing)
        .expect("the calls are made")[0]
}

const AHEAD: &str = "relation shift: grow(n + 2) == grow(n) + 4\nrelation ahead: grow(n + 1) == late(n) + 6";

#[test]
fn the_lenient_relation_says_nothing_where_an_inner_call_fails_and_all_else_elsewhere() {
    let composite = composed(AHEAD, "", &[1, 2]).expect("both are of grow");
    let lenient = composite.lenient.expect("`late(n + 2)` is an inner call");
    assert_eq!(
        lenient.body.to_string(),
        "defined(late(n + 2)) implies defined(grow(n + 2 + 1)) and grow(n + 2 + 1) == late(n + 2) + 6"
    );
    let failed = Verdict::Violated(Violation::FollowUp(Outcome::Trapped(Trap::Unreachable)));
    let wrong = Verdict::Violated(Violation::False);
    for (n, plain, soft) in [
        (8, failed, Verdict::Holds),
        (9, Verdict::Holds, Verdict::Holds),
        (10, wrong, wrong),
        // The outer call fails although the inner one does not: that is a fault.
        (11, failed, wrong),
        (13, failed, Verdict::Holds),
    ] {
        assert_eq!([verdict(&composite.relation, n), verdict(&lenient, n)], [plain, soft], "{n}");
    }
}

#[test]
fn what_takes_the_source_input_or_is_a_follow_up_already_is_no_inner_call() {
    let without = |text: &str, numbers: &[usize]| {
        let composite = composed(text, "", numbers).expect("it can be composed");
        assert_eq!(composite.lenient, None, "{}", composite.relation);
    };
    without(AHEAD, &[2]);
    without(AHEAD, &[1, 1]);
    // `grow(n + 1)` is replaced by what `ahead` says, `late(n)`, which takes the source input.
    without(AHEAD, &[2, 1]);
    // `late(n + 1)` is a follow-up call of `both` itself, where a failure violates it.
    without("relation shift: grow(n + 2) == grow(n) + 4\nrelation both: grow(n - 1) == late(n + 1)", &[1, 2]);
}

#[test]
fn a_sequence_that_uses_nothing_of_its_first_relations_is_an_instance() {
    let instance = |text: &str, library: &str, numbers: &[usize]| {
        composed(text, library, numbers).expect("it can be composed").instance_of
    };
    // Without relations of the cosine, `cos(2 * x)` stays.
    assert_eq!(instance(SINE, "", &[8, 2]), Some(Sequence::new(&[1])));
    assert_eq!(instance(SINE, COSINE, &[8, 2]), None);
    assert_eq!(instance(SINE, "", &[4, 8, 2]), Some(Sequence::new(&[1])));
    assert_eq!(instance(SINE, "", &[8, 2, 1]), Some(Sequence::new(&[1, 0])));
    assert_eq!(instance(SINE, "", &[1, 4]), None);
    assert_eq!(instance(SINE, "", &[2]), None);
}

#[test]
fn what_changes_no_input_is_asked_about() {
    let text =
        "relation reversed: sort(reverse(xs)) == sort(xs)\nrelation more: sort(xs + 1) == sort(xs) + 1";
    let asked = |numbers: &[usize]| {
        let composite = composed(text, "", numbers).expect("both are of sort");
        unchanged(&composite, &functions()).map(|asked| asked.body.to_string())
    };
    assert_eq!(asked(&[1, 1]).as_deref(), Some("sort(xs) == sort(xs) and reverse(reverse(xs)) == xs"));
    // Arithmetic has its normal form.
    assert_eq!(asked(&[2, 2]), None);
}
