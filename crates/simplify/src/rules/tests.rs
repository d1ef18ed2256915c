//! Tests each rule by itself: it applies to some terms, and its two sides are equal on every row.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

use std::collections::BTreeMap;

use dodona_relations::{
    Program, Relation, Verdict, ast::Expression, check, check::CallSites, parse, parse_expression,
};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Scalar, Sequence, Signature, Type, Value};
use egg::{ENodeOrVar, Id, Pattern, PatternAst, Searcher, Subst, Var};

use super::super::facts::Facts;

use super::super::meaning::{Meaning, Terms};
use super::super::read::Reader;
use super::super::term::Term;
use super::super::write::literal;
use super::super::write::written;
use super::{RULES, Rule};

/// The parameters of the only function under test. It takes all variables and never fails.
const VARIABLES: [(&str, &str); 12] = [
    ("n", "i32"),
    ("m", "i64"),
    ("x", "f64"),
    ("y", "f64"),
    ("z", "f32"),
    ("b", "bool"),
    ("c", "bool"),
    ("xs", "[i32]"),
    ("ys", "[f64]"),
    ("zs", "[i32]"),
    ("t", "text"),
    ("u", "text"),
];

/// Expressions put in place of the variables of rules: of every type, some undefined in some rows.
const LEAVES: [&str; 44] = [
    "1 div n < 2",
    "m mod n == 0",
    "xs[0]",
    "m div n",
    "n",
    "m",
    "n",
    "m",
    "n * m",
    "n - 1",
    "1 div n",
    "m ^ 3",
    "len(xs)",
    "abs(n) + 1",
    "n / 2",
    "x",
    "y",
    "z",
    "x + y",
    "1.5 / y",
    "floor(x)",
    "nan",
    "b",
    "c",
    "1 / n < 1",
    "x < y",
    "n < m",
    "xs",
    "zs",
    "ys",
    "xs * m",
    "[n, m]",
    "[x, 0.5]",
    "[]",
    "xs[0..n]",
    "t",
    "u",
    "\"\\xff\\xc3(\"",
    "concat(t, u)",
    "t[0]",
    "x * 2",
    "-n",
    "1 / 2",
    "abs(m) + 1",
];

/// Literals put in place of the variables of rules, more often for variables from which a rule computes a literal.
const LITERALS: [&str; 17] = [
    "1.0",
    "0.0",
    "-1.0",
    "0",
    "1",
    "-1",
    "2",
    "-2",
    "3",
    "7",
    "0.5",
    "-0.0",
    "-2.5",
    "1e300",
    "true",
    "\"\"",
    "170141183460469231731687303715884105727",
];

/// A pseudo-random generator that gives the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        all[(self.0 >> 33) as usize % all.len()]
    }
}

fn function() -> Signature {
    let parameters = VARIABLES.map(|(name, ty)| dodona_target::Parameter::new(name, ty.parse().unwrap()));
    Signature::new("all", parameters.into(), Some(Type::Scalar(Scalar::Bool)))
}

struct Fine;

impl Caller for Fine {
    fn call(&mut self, _: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments[0].len();
        let mut output = Column::empty(Type::Scalar(Scalar::Bool));
        (0..rows).for_each(|_| output.push(&Value::Bool(true)));
        Ok(Calls { outcomes: vec![Outcome::Returned; rows], outputs: vec![output] })
    }
}

/// Source inputs with many special values.
fn rows() -> Vec<Column> {
    let mut dice = Dice(7);
    let ints = [0, 1, -1, 2, 3, -7, 13, i32::MAX.into(), i32::MIN.into()];
    let floats =
        [0.0, -0.0, 1.0, -2.5, 0.5, f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, 9007199254740993.0];
    let columns = VARIABLES.map(|(_, ty)| {
        let ty: Type = ty.parse().unwrap();
        let mut column = Column::empty(ty);
        for _ in 0..100 {
            let length = dice.of(&[0, 1, 2, 4]);
            column.push(&match ty {
                Type::Scalar(Scalar::Bool) => Value::Bool(dice.of(&[true, false])),
                Type::Scalar(Scalar::F64) => Value::Float(dice.of(&floats)),
                Type::Scalar(Scalar::F32) => Value::Float(f64::from(dice.of(&floats) as f32)),
                Type::Scalar(Scalar::I64) => {
                    Value::Int(dice.of(&[ints.as_slice(), &[i64::MAX.into(), i64::MIN.into()]].concat()))
                }
                Type::Scalar(_) => Value::Int(dice.of(&ints)),
                Type::Text => {
                    Value::Text(dice.of(&[&b""[..], b"a", b"ab", b"\xa9", b"\xc3", "é".as_bytes()]).into())
                }
                Type::Sequence(Scalar::F64) => {
                    Value::Sequence(Sequence::Float((0..length).map(|_| dice.of(&floats)).collect()))
                }
                Type::Sequence(_) => {
                    Value::Sequence(Sequence::Int((0..length).map(|_| dice.of(&ints)).collect()))
                }
            });
        }
        column
    });
    columns.into()
}

/// A relation with this expectation; `None` if its types are wrong.
fn relation(expect: &str, function: &Signature) -> Option<Relation> {
    let names: Vec<&str> = VARIABLES.iter().map(|(name, _)| *name).collect();
    // The call comes first, so that the variables are in the order of the function's parameters.
    let text = format!("relation r: all({}) and ({expect})", names.join(", "));
    let file = parse(&text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    Some(check(&file, std::slice::from_ref(function)).ok()?.remove(0))
}

/// The verdicts on a relation with this expectation.
fn verdicts(expect: &str, rows: &[Column], function: &Signature) -> Option<Vec<Verdict>> {
    let program = Program::compile(&relation(expect, function)?, std::slice::from_ref(function));
    Some(program.evaluate(0, rows, &mut Fine).unwrap())
}

/// A side of a rule with these expressions in place of its variables.
fn filled(side: &PatternAst<Term>, leaves: &BTreeMap<Var, Expression>) -> Option<Expression> {
    let mut done: Vec<Expression> = Vec::new();
    for node in side {
        done.push(match node {
            ENodeOrVar::Var(v) => leaves.get(v)?.clone(),
            ENodeOrVar::ENode(term) => {
                let operands = term.operands.iter().map(|id| done[usize::from(*id)].clone()).collect();
                written(&term.operator, operands)?
            }
        });
    }
    done.pop()
}

fn meaning() -> Meaning {
    let mut meaning = Meaning::new(&[]);
    let facts = VARIABLES.map(|(name, ty)| (name.to_owned(), Facts::of_type(ty.parse().unwrap())));
    meaning.names.extend(facts);
    meaning
}

/// Both sides of a rule with these expressions in place of its variables; `None` if the rule does not apply to them.
fn applied(rule: &Rule, leaves: &BTreeMap<Var, Expression>) -> Option<(Expression, Expression)> {
    let from = filled(rule.searcher.get_pattern_ast()?, leaves)?;
    let mut terms = Terms::new(meaning());
    let calls = CallSites::default();
    let root = Reader::new(&[], &calls, &mut terms).read(&from)?;
    let mut complete = leaves.clone();
    let ids: BTreeMap<Var, Id> =
        leaves.iter().map(|(v, e)| (*v, Reader::new(&[], &calls, &mut terms).read(e).unwrap())).collect();
    terms.rebuild();
    let matches = rule.search(&terms);
    rule.apply(&mut terms, &matches);
    terms.rebuild();
    let to = rule.applier.get_pattern_ast()?;
    let pattern = Pattern::new(to.clone());
    let found = pattern.search_eclass(&terms, root)?;
    let fits = |subst: &&Subst| {
        ids.iter().all(|(v, id)| subst.get(*v).is_none_or(|found| terms.find(*found) == terms.find(*id)))
    };
    let subst = found.substs.iter().find(fits)?;
    let new: Var = "?new".parse().unwrap();
    if let Some(id) = subst.get(new) {
        complete.insert(new, literal(terms[*id].data.constant.as_ref()?));
    }
    Some((from, filled(to, &complete)?))
}

/// These texts parsed as expressions.
fn parsed(texts: &[&str]) -> Vec<Expression> {
    texts.iter().map(|text| parse_expression(text).unwrap()).collect()
}

fn leaf(v: Var, (leaves, literals): (&[Expression], &[Expression]), dice: &mut Dice) -> Expression {
    let computed_with = ["?c", "?d", "?e", "?k", "?n"].contains(&v.to_string().as_str());
    let all = if computed_with && dice.of(&[true, false]) { literals } else { leaves };
    dice.of(&all.iter().collect::<Vec<_>>()).clone()
}

/// Asserts that two expressions are defined in the same rows and are equal there.
fn assert_same(a: &Expression, b: &Expression, rows: &[Column], function: &Signature, rule: &str) {
    let same =
        verdicts(&format!("({a}) == ({b})"), rows, function).unwrap_or_else(|| panic!("{rule}: {a} == {b}"));
    let own = |e: &Expression| verdicts(&format!("({e}) == ({e})"), rows, function).unwrap();
    // Floats that are equal may still be zeros of different sign, so the texts are compared too.
    let written = verdicts(&format!("text({a}) == text({b})"), rows, function);
    for (row, ((same, a_own), b_own)) in same.iter().zip(own(a)).zip(own(b)).enumerate() {
        let inputs: Vec<Value> = rows.iter().map(|column| column.value(row)).collect();
        let as_written = written.as_ref().is_none_or(|all| all[row] == *same);
        assert!(
            a_own == b_own && a_own == *same && as_written,
            "{rule}: `{a}` is {a_own:?}, `{b}` is {b_own:?}, equal: {same:?} for {inputs:?}"
        );
    }
}

#[test]
fn every_rule_applies_and_is_right() {
    let (function, rows) = (function(), rows());
    let (leaves, literals) = (parsed(&LEAVES), parsed(&LITERALS));
    let mut idle = Vec::new();
    for rule in RULES.iter() {
        let mut dice = Dice(1);
        let mut applications = 0;
        for _ in 0..1500 {
            let variables = rule.searcher.vars().into_iter();
            let leaves: BTreeMap<Var, Expression> =
                variables.map(|v| (v, leaf(v, (&leaves, &literals), &mut dice))).collect();
            let Some((from, to)) = applied(rule, &leaves).filter(|(from, to)| from != to) else { continue };
            if relation(&format!("({from}) == ({from})"), &function).is_none() {
                continue;
            }
            assert_same(&from, &to, &rows, &function, rule.name.as_str());
            applications += 1;
            if applications == 6 {
                break;
            }
        }
        if applications == 0 {
            idle.push(rule.name.as_str());
        }
    }
    assert!(idle.is_empty(), "rules that never applied: {idle:#?}");
}
