//! Compares the evaluator with the relation language itself.

use dodona_relations::{Precondition, ast::Expression};
use dodona_target::{Column, Parameter, Scalar, Signature, Type, Value};
use proptest::prelude::*;

use super::*;
use crate::discovery::{Place, Variable};

const TYPES: [(&str, Type); 11] = [
    ("a", Type::Scalar(Scalar::I64)),
    ("b", Type::Scalar(Scalar::I64)),
    ("x", Type::Scalar(Scalar::F64)),
    ("y", Type::Scalar(Scalar::F64)),
    ("p", Type::Scalar(Scalar::Bool)),
    ("q", Type::Scalar(Scalar::Bool)),
    ("s", Type::Text),
    ("t", Type::Text),
    ("xs", Type::Sequence(Scalar::I64)),
    ("ys", Type::Sequence(Scalar::F64)),
    ("ps", Type::Sequence(Scalar::Bool)),
];

/// A function that has the variables as parameters, so that its precondition can be any expression over them.
fn function(requires: String) -> Signature {
    let parameters = TYPES.iter().map(|(name, ty)| Parameter::new(*name, *ty)).collect();
    let function = Signature::new("f", parameters, Some(Type::Scalar(Scalar::I32)));
    Signature { requires: Some(requires), ..function }
}

fn pairs(columns: Vec<Column>, correct: usize) -> Pairs {
    let rows = columns[0].len();
    let variable = |(i, (name, ty)): (usize, &(&str, Type))| Variable {
        place: Place::SourceInput(i),
        ty: (*ty).into(),
        expression: Expression::name(*name),
    };
    Pairs {
        variables: TYPES.iter().enumerate().map(variable).collect(),
        columns,
        correct,
        mutants: vec![0; rows - correct],
        mutant_count: 1,
        refused: vec![],
        crashed: vec![],
        constants: vec![],
    }
}

/// The rows on which the relation language finds the expression true.
fn language(expression: &Expression, columns: &[Column]) -> Vec<bool> {
    let function = function(expression.to_string());
    let predicate = Precondition::compile(&function).unwrap_or_else(|e| panic!("{expression}: {e:?}"));
    predicate.expect("it has one").evaluate(columns)
}

/// The rows on which the evaluator finds a term true, in the order of the pairs.
fn evaluated(evaluator: &mut Evaluator, terms: &Terms, term: TermId) -> Vec<bool> {
    let holds = evaluator.holds(terms, term);
    let bit = |row| {
        if row < evaluator.correct() {
            row
        } else {
            evaluator.layout.incorrect_bit(row - evaluator.correct())
        }
    };
    (0..evaluator.correct() + evaluator.incorrect()).map(|row| holds.contains(bit(row))).collect()
}

fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-8i8..8).prop_map(f64::from),
        // Numbers that `~=` considers equal, and numbers just too far apart.
        prop::sample::select(vec![1.0, 1.0 + 9e-10, 1.0 + 2e-9, 5e-13, -3e-13]),
        prop::sample::select(vec![
            0.5,
            -0.0,
            1e-10,
            -3.25,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e300
        ]),
    ]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec!["", "a", "ab", "Ba", "ä", "äbß", "7", "-1", "true", "0.5"])
        .prop_map(|s| s.as_bytes().to_vec())
}

fn value(ty: Type, int: std::ops::Range<i64>) -> BoxedStrategy<Value> {
    use dodona_target::{Kind, Sequence};
    match ty {
        Type::Text => text().prop_map(|t| Value::Text(t.into())).boxed(),
        Type::Scalar(s) => match s.kind() {
            Kind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
            Kind::Int => int.prop_map(|i| Value::Int(i.into())).boxed(),
            Kind::Float => float().prop_map(Value::Float).boxed(),
        },
        Type::Sequence(s) => match s.kind() {
            Kind::Bool => prop::collection::vec(any::<bool>(), 0..4)
                .prop_map(|v| Value::Sequence(Sequence::Bool(v)))
                .boxed(),
            Kind::Int => prop::collection::vec(int.prop_map(i128::from), 0..4)
                .prop_map(|v| Value::Sequence(Sequence::Int(v)))
                .boxed(),
            Kind::Float => {
                prop::collection::vec(float(), 0..4).prop_map(|v| Value::Sequence(Sequence::Float(v))).boxed()
            }
        },
    }
}

fn column(ty: Type, rows: usize, int: std::ops::Range<i64>) -> impl Strategy<Value = Column> {
    prop::collection::vec(value(ty, int), rows).prop_map(move |values| {
        let mut column = Column::empty(ty);
        values.iter().for_each(|v| column.push(v));
        column
    })
}

fn columns(rows: usize, int: std::ops::Range<i64>) -> impl Strategy<Value = Vec<Column>> {
    TYPES.map(|(_, ty)| column(ty, rows, int.clone()).boxed()).to_vec()
}

/// Boolean terms, built by applying operators to terms built before, as `choices` says.
fn grow(
    terms: &mut Terms,
    operators: &[Operator],
    variables: std::ops::Range<u16>,
    leaves: &[Leaf],
    choices: &[(u16, u16, u16)],
) -> Vec<TermId> {
    let mut made: Vec<TermId> = variables.map(|v| terms.leaf(Leaf::Variable(v))).collect();
    made.extend(leaves.iter().map(|leaf| terms.leaf(*leaf)));
    for &(operator, a, b) in choices {
        let operator = operators[usize::from(operator) % operators.len()];
        // The first operands, from the chosen terms on, that the operator takes.
        let one = |n: u16, k: u16| made[usize::from(n.wrapping_add(k)) % made.len()];
        let found = (0..60).find_map(|k| {
            let operands = &[one(a, k), one(b, k * 7)][..operator.arity()];
            // A zero from a sequence or from a quotient of integers has lost its sign, but in the language its text shows the sign.
            let is_whole = matches!(terms.ty(operands[0]), Ty::Int | Ty::Bool);
            let is_plain = terms.variables(operands[0]) >> 8 == 0 && terms.size(operands[0]) <= 3;
            let is_told = operator == Operator::Text && !is_whole && !is_plain;
            let is_quotient = operator == Operator::Text && terms.ty(operands[0]) == Ty::Number;
            let is_large = operands.iter().map(|&o| terms.size(o)).sum::<usize>() > 12;
            if is_told || is_large || is_quotient { None } else { terms.apply(operator, operands) }
        });
        made.extend(found);
    }
    made.retain(|&term| terms.ty(term) == Ty::Bool && terms.size(term) > 1);
    made
}

/// Without the empty sequences of Booleans and floats: both are written `[]`, which the language reads as a sequence of integers.
const LEAVES: [Leaf; 9] = [
    Leaf::Int(0),
    Leaf::Int(2),
    Leaf::Int(-1),
    Leaf::Float(0x3fe0_0000_0000_0000),
    Leaf::Float(0),
    Leaf::Bool(true),
    Leaf::Bool(false),
    Leaf::Empty(EmptyKind::Text),
    Leaf::Empty(EmptyKind::Ints),
];

const INTEGER: [Operator; 12] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Quotient,
    Operator::Remainder,
    Operator::Min,
    Operator::Max,
    Operator::Abs,
    Operator::Negate,
    Operator::Equal,
    Operator::Less,
    Operator::LessEqual,
];

fn choices(count: usize) -> impl Strategy<Value = Vec<(u16, u16, u16)>> {
    prop::collection::vec(any::<(u16, u16, u16)>(), count)
}

fn terms() -> Terms {
    Terms::new(TYPES.iter().map(|(_, ty)| (*ty).into()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn terms_mean_what_the_language_says(
        (columns, correct) in (1usize..150).prop_flat_map(|n| (columns(n, -9..9), 0..=n)),
        choices in choices(150),
    ) {
        let mut terms = terms();
        let names: Vec<_> = TYPES.iter().map(|(name, _)| Expression::name(*name)).collect();
        // The smallest cache drops columns all the time, but the results are the same.
        let mut evaluator = Evaluator::with_memory(&pairs(columns.clone(), correct), correct << 12);
        for term in grow(&mut terms, &Operator::ALL, 0..11, &LEAVES, &choices) {
            let not = terms.apply(Operator::Not, &[term]).expect("it is Boolean");
            for term in [term, not] {
                let written = terms.write(term, &names);
                // Beside the tolerance the language asks calls what rounding explains, and the evaluator permits a share of the usual
                // size of the numbers.
                if !written.to_string().contains("~=") {
                    prop_assert_eq!(
                        evaluated(&mut evaluator, &terms, term), language(&written, &columns),
                        "{}", written
                    );
                }
            }
        }
    }

    /// A row is undefined where 64 bits do not suffice, so a term that is true here is true in the language, but not vice versa.
    #[test]
    fn wide_integers_are_exact(
        columns in prop_oneof![
            columns(70, i64::MIN..i64::MAX),
            columns(70, -(1 << 53)..1 << 53),
            columns(70, -(1 << 27)..1 << 27),
        ],
        choices in choices(80),
    ) {
        let mut terms = terms();
        let names: Vec<_> = TYPES.iter().map(|(name, _)| Expression::name(*name)).collect();
        let mut evaluator = Evaluator::new(&pairs(columns.clone(), 35));
        let leaves = [Leaf::Int(i64::MIN), Leaf::Int(-1), Leaf::Int(0), Leaf::Int((1 << 53) + 1)];
        for term in grow(&mut terms, &INTEGER, 0..2, &leaves, &choices) {
            let not = terms.apply(Operator::Not, &[term]).expect("it is Boolean");
            let mut defined = vec![false; 70];
            for term in [term, not] {
                let written = terms.write(term, &names);
                let holds = evaluated(&mut evaluator, &terms, term);
                for (row, (holds, language)) in holds.iter().zip(language(&written, &columns)).enumerate() {
                    prop_assert!(!holds | language, "{} in row {}", written, row);
                    defined[row] |= holds;
                }
            }
            let bits = evaluator.column(&terms, term).defined.clone();
            let said: Vec<_> = (0..70)
                .map(|row| bits.as_ref().is_none_or(|b| b.contains(if row < 35 { row } else { row + 29 })))
                .collect();
            prop_assert_eq!(said, defined, "{}", terms.write(term, &names));
        }
    }
}

#[test]
fn quotients_of_wide_integers_are_exact_where_they_divide() {
    let odd = (1i128 << 61) + 3;
    let mut columns: Vec<_> = TYPES.iter().map(|(_, ty)| Column::empty(*ty)).collect();
    (0..4).for_each(|_| columns.iter_mut().for_each(Column::push_default));
    columns[0] = Column::Int(vec![odd * 3, -odd, (1 << 60) * 7, 21]);
    columns[1] = Column::Int(vec![3, -1, 1 << 60, 7]);
    let (mut evaluator, mut terms) = (Evaluator::new(&pairs(columns.clone(), 4)), terms());
    let (a, b) = (terms.leaf(Leaf::Variable(0)), terms.leaf(Leaf::Variable(1)));
    let exact = terms.apply(Operator::Quotient, &[a, b]).expect("integers");
    let quotient = terms.apply(Operator::Divide, &[a, b]).expect("numbers");
    let same = terms.apply(Operator::Equal, &[quotient, exact]).expect("numbers");
    let names = [Expression::name("a"), Expression::name("b")];
    assert_eq!(language(&terms.write(same, &names), &columns), [true; 4]);
    assert_eq!(evaluated(&mut evaluator, &terms, same), [true; 4]);
}

/// Rows with `x` from 0 to 3, the first two of them correct, and the terms `x` and `x < 1`.
fn four_rows() -> (Evaluator, Terms, TermId, TermId) {
    let mut columns: Vec<_> = TYPES.iter().map(|(_, ty)| Column::empty(*ty)).collect();
    for row in 0..4 {
        columns.iter_mut().for_each(Column::push_default);
        let Column::Int(a) = &mut columns[0] else { unreachable!("the first is of integers") };
        a[row] = row as i128;
    }
    let evaluator = Evaluator::new(&pairs(columns, 2));
    let mut terms = terms();
    let (a, one) = (terms.leaf(Leaf::Variable(0)), terms.leaf(Leaf::Int(1)));
    let less = terms.apply(Operator::Less, &[a, one]).expect("numbers");
    (evaluator, terms, a, less)
}

#[test]
fn scores_count_wrong_rows() {
    let (mut evaluator, mut terms, a, less) = four_rows();
    let score = evaluator.score(&terms, less);
    assert_eq!((score.false_positives, score.false_negatives), (1, 0));
    assert_eq!(evaluator.caught(&terms, None, less), [0, 1]);
    assert_eq!(evaluator.right(&terms, less).rows().collect::<Vec<_>>(), [0, 64, 65]);
    let three = terms.leaf(Leaf::Int(3));
    let condition = terms.apply(Operator::Equal, &[a, three]);
    let score = evaluator.score_when(&terms, condition, less);
    assert_eq!((score.false_positives, score.false_negatives), (0, 1));
    assert_eq!(evaluator.caught(&terms, condition, less), [1]);
    let other = terms.apply(Operator::NotEqual, &[a, three]).expect("numbers");
    assert_eq!(evaluator.score(&terms, other).missed, score.missed);
    assert_ne!(evaluator.score(&terms, less).missed, score.missed);
}

#[test]
fn an_undefined_expectation_is_violated() {
    let (mut evaluator, mut terms, a, _) = four_rows();
    let zero = terms.leaf(Leaf::Int(0));
    let quotient = terms.apply(Operator::Quotient, &[a, zero]).expect("integers");
    for operator in [Operator::Equal, Operator::NotEqual] {
        let expect = terms.apply(operator, &[quotient, quotient]).expect("numbers");
        let score = evaluator.score(&terms, expect);
        assert_eq!((score.false_positives, score.false_negatives), (2, 0));
    }
}

#[test]
fn correct_rows_are_added_before_the_incorrect_ones() {
    let (mut evaluator, terms, _, less) = four_rows();
    let more: Vec<_> = evaluator.given.iter().map(|column| column.select(&[3, 0, 3])).collect();
    evaluator.add_correct(&more);
    assert_eq!((evaluator.correct(), evaluator.incorrect()), (5, 2));
    let score = evaluator.score(&terms, less);
    assert_eq!((score.false_positives, score.false_negatives), (3, 0));
    assert_eq!(evaluated(&mut evaluator, &terms, less), [true, false, false, true, false, false, false]);
}

#[test]
fn no_rows_are_no_mistakes() {
    let columns: Vec<_> = TYPES.iter().map(|(_, ty)| Column::empty(*ty)).collect();
    let mut evaluator = Evaluator::new(&pairs(columns.clone(), 0));
    let mut terms = terms();
    let never = terms.leaf(Leaf::Bool(false));
    let score = evaluator.score(&terms, never);
    assert_eq!((score.false_positives, score.false_negatives), (0, 0));
    evaluator.add_correct(&columns);
    assert_eq!(evaluator.score(&terms, never), score);
}

#[test]
fn columns_follow_their_terms_to_other_numbers() {
    let (mut evaluator, terms, a, less) = four_rows();
    let score = evaluator.score(&terms, less);
    let count = evaluator.evaluated();
    // The same terms, but made in another order.
    let mut other = self::terms();
    let one = other.leaf(Leaf::Int(1));
    let again = other.leaf(Leaf::Variable(0));
    let moved = other.apply(Operator::Less, &[again, one]).expect("numbers");
    evaluator.renumber(|term| if term == less { Some(moved) } else { (term == a).then_some(again) });
    assert_eq!(evaluator.score(&other, moved), score);
    assert_eq!(evaluator.evaluated(), count);
}
