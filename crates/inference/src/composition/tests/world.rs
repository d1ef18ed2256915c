//! Functions under test written in Rust, and relations of them.

use std::path::Path;
use std::sync::LazyLock;

use dodona_relations::{Program, Relation, Verdict, ast::File, check, parse};
use dodona_subject::Manifest;
use dodona_target::{
    CallError, Caller, Calls, Column, Outcome, Scalar, Sequence as Elements, Signature, Trap, Type, Value,
};

use crate::composition::{
    Basic, Composed, Composer, Composite, Counts, Evaluator, Incomposable, Sequence, Unreadable, read,
};

/// The functions of the tests. `grow` is defined for numbers from 0 to 100, and `share` for a divisor other than 0.
const FUNCTIONS: &str = r#"
module = "tests.wasm"
[[function]]
signature = "sin(x: f64) -> f64"
[[function]]
signature = "cos(x: f64) -> f64"
[[function]]
signature = "gcd(p: i32, q: i32) -> i32"
[[function]]
signature = "sort(xs: [i32]) -> [i32]"
[[function]]
signature = "shout(t: text) -> text"
[[function]]
signature = "grow(n: i32) -> i32"
domain.n = { range = [0, 100] }
[[function]]
signature = "length(x: f64) -> f64"
[[function]]
signature = "share(a: i32, b: i32) -> i32"
requires = "b != 0"
[[function]]
signature = "late(n: i32) -> i32"
"#;

/// The eight basic relations of sin in Table 1.
pub(in crate::composition) const SINE: &str = "
relation m1: sin(-x) == -sin(x)
relation m2: sin(x + pi/2) ~= cos(x) within 1e-9
relation m3: sin(x - pi/2) ~= -cos(x) within 1e-9
relation m4: sin(x + pi) ~= -sin(x) within 1e-9
relation m5: sin(x - pi) ~= -sin(x) within 1e-9
relation m6: sin(x + 2*pi) ~= sin(x) within 1e-9
relation m7: sin(x - 2*pi) ~= sin(x) within 1e-9
relation m8: sin(2*x) ~= 2*sin(x)*cos(x) within 1e-9
";

/// The eight basic relations of cos in Table 1.
pub(in crate::composition) const COSINE: &str = "
relation c1: cos(-x) == cos(x)
relation c2: cos(x + pi/2) ~= -sin(x) within 1e-9
relation c3: cos(x - pi/2) ~= sin(x) within 1e-9
relation c4: cos(x + pi) ~= -cos(x) within 1e-9
relation c5: cos(x - pi) ~= -cos(x) within 1e-9
relation c6: cos(x + 2*pi) ~= cos(x) within 1e-9
relation c7: cos(x - 2*pi) ~= cos(x) within 1e-9
relation c8: cos(2*x) ~= 2*cos(x)^2 - 1 within 1e-9
";

static PARSED: LazyLock<Vec<Signature>> =
    LazyLock::new(|| Manifest::parse(Path::new("dodona.toml"), FUNCTIONS).expect("a manifest").signatures());

pub(super) fn functions() -> Vec<Signature> {
    PARSED.clone()
}

pub(super) fn parsed(text: &str) -> File {
    parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

/// The only relation of a text, read.
pub(super) fn reading(text: &str) -> Result<Vec<Basic>, Unreadable> {
    read(&parsed(text).relations[0], &functions())
}

/// All relations of a text, read.
pub(super) fn basics(text: &str, functions: &[Signature]) -> Vec<Basic> {
    let read = |r| read(r, functions).unwrap_or_else(|why| panic!("{r}: {why}"));
    parsed(text).relations.iter().flat_map(read).collect()
}

/// The composition of relations of a text, given by their numbers from 1.
pub(in crate::composition) fn composed(
    text: &str,
    library: &str,
    numbers: &[usize],
) -> Result<Composite, Incomposable> {
    let functions = functions();
    let composer = Composer::new(basics(text, &functions), basics(library, &functions), &functions);
    let indices: Vec<usize> = numbers.iter().map(|n| n - 1).collect();
    composer.compose(&Sequence::new(&indices))
}

/// What a composition says, without its name and header.
pub(super) fn expectation(text: &str, library: &str, numbers: &[usize]) -> String {
    let composite = composed(text, library, numbers).unwrap_or_else(|why| panic!("{numbers:?}: {why}"));
    let relation = dodona_relations::ast::Relation { bindings: Vec::new(), ..composite.relation };
    let text = relation.to_string();
    text.split_once(": ").expect("a name stands before the colon").1.to_owned()
}

/// Calls of the functions above.
pub(super) struct World;

impl Caller for World {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments[0].len();
        let results = (0..rows).map(|row| {
            let values: Vec<Value> = arguments.iter().map(|column| column.value(row)).collect();
            result(function, &values)
        });
        let results: Vec<Option<Value>> = results.collect();
        let outcome = |r: &Option<Value>| match r {
            Some(_) => Outcome::Returned,
            None => Outcome::Trapped(Trap::Unreachable),
        };
        let mut column = Column::empty(PARSED[function].outputs[0].ty);
        for result in &results {
            match result {
                Some(value) => column.push(value),
                None => column.push_default(),
            }
        }
        Ok(Calls { outcomes: results.iter().map(outcome).collect(), outputs: vec![column] })
    }
}

fn result(function: usize, values: &[Value]) -> Option<Value> {
    Some(match (function, values) {
        (0, [Value::Float(x)]) => Value::Float(x.sin()),
        (1, [Value::Float(x)]) => Value::Float(x.cos()),
        (2, [Value::Int(p), Value::Int(q)]) => {
            Value::Int(Some(gcd(p.abs(), q.abs())).filter(|d| *d < 1 << 31)?)
        }
        (3, [Value::Sequence(Elements::Int(xs))]) => {
            let mut xs = xs.clone();
            xs.sort();
            Value::Sequence(Elements::Int(xs))
        }
        (4, [Value::Text(t)]) => Value::Text(t.to_ascii_uppercase().into()),
        // Outside of its domain it does what its relations do not say.
        (5, [Value::Int(n)]) => Value::Int(if (0..=100).contains(n) { n * 2 } else { 0 }),
        (6, [Value::Float(x)]) => Value::Float(x.abs()),
        (8, [Value::Int(n)]) => return result(5, &[Value::Int(n - 2)]),
        (7, [Value::Int(a), Value::Int(b)]) => Value::Int(a.checked_div(*b)?),
        _ => return None,
    })
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The verdicts of a relation on rows of source inputs.
pub(super) fn verdicts(relation: &dodona_relations::ast::Relation, rows: &[Vec<Value>]) -> Vec<Verdict> {
    let functions = functions();
    let checked = check(&File { relations: vec![relation.clone()] }, &functions);
    let checked = &checked.unwrap_or_else(|problems| panic!("{relation}: {problems:?}"))[0];
    let columns = columns(checked, rows, &functions);
    Program::compile(checked, &functions).evaluate(0, &columns, &mut World).expect("the calls are made")
}

fn columns(relation: &Relation, rows: &[Vec<Value>], functions: &[Signature]) -> Vec<Column> {
    let column = |(i, v): (usize, &dodona_relations::Variable)| {
        let ty = functions[v.function].parameters[v.parameter].ty;
        let mut column = Column::empty(ty);
        let fitting = |value: &Value| match (ty, value) {
            (Type::Scalar(Scalar::I32), Value::Float(x)) => Value::Int(x.round() as i128),
            (_, value) => value.clone(),
        };
        rows.iter().for_each(|row| column.push(&fitting(&row[i])));
        column
    };
    relation.variables().iter().enumerate().map(column).collect()
}

/// A hundred numbers in [0, 20], as in section 4.1, a row each; each further variable takes the next number. Variables that
/// are integers take these numbers rounded.
pub(super) fn numbers() -> Vec<Vec<Value>> {
    let number = |i: usize| Value::Float((i as f64 * 0.618_033_988_749_895).fract() * 20.0);
    (0..100).map(|i| (0..8).map(|j| number(i + j)).collect()).collect()
}

/// Evaluates composites of functions of one float on these hundred numbers.
pub(super) struct OnNumbers {
    pub(super) evaluated: usize,
}

impl Evaluator for OnNumbers {
    type Error = std::convert::Infallible;

    fn evaluate(&mut self, composed: &[Composed]) -> Result<Vec<Counts>, Self::Error> {
        self.evaluated += composed.len();
        Ok(composed.iter().map(|c| counts(&verdicts(&c.composite.relation, &numbers()))).collect())
    }
}

pub(super) fn counts(verdicts: &[Verdict]) -> Counts {
    let count = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|v| is(v)).count() as u32;
    Counts { eligible: count(|v| v.is_eligible()), holds: count(|v| v.holds()), failing: 0 }
}
