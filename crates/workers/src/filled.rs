//! Templates with the values of a row of arguments in them.

use dodona_subject::{Template, TemplatePart};
use dodona_target::{Column, Sequence, Value};

/// The text that a template becomes: numbers in decimal, the elements of a sequence with commas between.
pub(crate) fn filled(template: &Template, arguments: &[Column], row: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(plain) => text.extend(plain.bytes()),
            TemplatePart::Parameter(index) | TemplatePart::Words(index) => {
                text.extend(elements(&arguments[*index].value(row)).join(&b','));
            }
        }
    }
    text
}

/// A value as text; of a sequence each element.
pub(crate) fn elements(value: &Value) -> Vec<Vec<u8>> {
    match value {
        Value::Text(text) => vec![text.to_vec()],
        Value::Sequence(Sequence::Bool(items)) => items.iter().map(|x| x.to_string().into_bytes()).collect(),
        Value::Sequence(Sequence::Int(items)) => items.iter().map(|x| x.to_string().into_bytes()).collect(),
        Value::Sequence(Sequence::Float(items)) => {
            items.iter().map(|x| Value::Float(*x).to_string().into_bytes()).collect()
        }
        other => vec![other.to_string().into_bytes()],
    }
}
