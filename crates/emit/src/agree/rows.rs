//! The rows of `testdata/semantics/words.toml` as test cases.

use std::path::Path;

use dodona_relations::ast::{Bound, Node};
use dodona_relations::plan::Word;
use dodona_relations::{CallError, Caller, evaluate_expression, parse_expression};
use dodona_subject::{Calls, Column, Value};

use super::cases::Case;

/// A case for each row, in the file's order. Rows with text that is not UTF-8 are left out: Rust has no constant for it.
pub(super) fn written() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/semantics/words.toml");
    let table: toml::Table = std::fs::read_to_string(path).expect("readable").parse().expect("TOML");
    let words = table["word"].as_array().expect("words");
    words.iter().flat_map(|word| of_word(word.as_table().expect("a table"))).collect()
}

fn of_word(table: &toml::Table) -> Vec<Case> {
    let text = table["expression"].as_str().expect("text");
    let expression = parse_expression(text).expect("an expression");
    let Node::Call { function, .. } = &expression.node else { panic!("{text} is no word") };
    let word = Word::find(&function.text).unwrap_or_else(|| panic!("{text} is no word"));
    table["rows"].as_array().expect("rows").iter().filter_map(|row| case(word, row)).collect()
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
