//! The rows of `testdata/semantics/words.toml` as test cases.

use std::path::Path;

use dodona_relations::ast::{Bound, Node};
use dodona_relations::plan::{Op, Word};
use dodona_relations::{evaluate_expression, parse, parse_expression};
use dodona_target::{CallError, Caller, Calls, Column, Value};

use super::cases::Case;

/// A case for each row, in the order of the files. Rows with text that is not UTF-8 are left out: Rust has no constant for it. So are those
/// of words that the checker rewrites, which no prelude has.
pub(super) fn written() -> Vec<Case> {
    let tables = |file: &str, key: &str| -> Vec<toml::Table> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/semantics").join(file);
        let table: toml::Table = std::fs::read_to_string(path).expect("readable").parse().expect("TOML");
        table[key]
            .as_array()
            .expect("tables")
            .iter()
            .map(|t| t.as_table().expect("a table").clone())
            .collect()
    };
    let words = tables("words.toml", "word").into_iter().flat_map(|table| of_word(&table));
    words.chain(tables("tolerances.toml", "tolerance").iter().flat_map(of_tolerance)).collect()
}

fn of_tolerance(table: &toml::Table) -> Vec<Case> {
    let relation = format!("relation r: f(x) ~= 1 {}", table["within"].as_str().expect("text"));
    let relation = parse(&relation).expect("a relation").relations.remove(0);
    let bound = relation.tolerance.map_or(Bound::Relative(1e-9), |tolerance| tolerance.bound);
    let rows = table["rows"].as_array().expect("rows").iter();
    rows.map(|row| {
        let texts = row["arguments"].as_array().expect("arguments").iter();
        let operands: Vec<_> = texts.map(|text| Some(value(text.as_str().expect("a literal")))).collect();
        let case = Case::new(Op::Approximate { single: false }, bound, &operands);
        let wanted = Some(Value::Bool(row["is"].as_bool().expect("a truth value")));
        assert!(case.agrees(&wanted), "{case:?} is not {wanted:?}");
        case
    })
    .collect()
}

fn of_word(table: &toml::Table) -> Vec<Case> {
    let text = table["expression"].as_str().expect("text");
    let expression = parse_expression(text).expect("an expression");
    let Node::Call { function, .. } = &expression.node else { panic!("{text} is no word") };
    let word = Word::find(&function.text).unwrap_or_else(|| panic!("{text} is no word"));
    let rows = table["rows"].as_array().expect("rows").iter().filter(|_| !word.is_rewritten());
    rows.filter_map(|row| case(word, row)).collect()
}

fn case(word: &Word, row: &toml::Value) -> Option<Case> {
    let texts = row["arguments"].as_array().expect("arguments").iter();
    let operands: Vec<Value> = texts.map(|text| value(text.as_str().expect("a literal"))).collect();
    let has_bytes = |v: &Value| matches!(v, Value::Text(t) if std::str::from_utf8(t).is_err());
    if operands.iter().any(has_bytes) {
        return None;
    }
    let operands: Vec<Option<Value>> = operands.into_iter().map(Some).collect();
    let case = Case::new(word.op, Bound::Relative(1e-9), &operands);
    let wanted = row.get("is").map(|text| value(text.as_str().expect("a literal")));
    assert!(case.agrees(&wanted), "{case:?} is not {wanted:?}");
    Some(case)
}

fn value(literal: &str) -> Value {
    struct NoCalls;
    impl Caller for NoCalls {
        fn call(&mut self, _: usize, _: &[Column]) -> Result<Calls, CallError> {
            Err(CallError::new("literals call nothing"))
        }
    }
    let expression = parse_expression(literal).unwrap_or_else(|p| panic!("{literal}: {p:?}"));
    let result = evaluate_expression(&expression, &[], &mut NoCalls);
    result.unwrap_or_else(|p| panic!("{literal}: {p}")).value.expect("a literal has a value")
}
