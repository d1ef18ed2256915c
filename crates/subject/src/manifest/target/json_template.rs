//! The JSON body of a request with the values of parameters in it.

use dodona_target::{Diagnostic, Number};

use super::super::section::Item;
use super::template::template;
use crate::outside::{JsonTemplate, TemplatePart};

/// Reads a body: a string that is `{x}` alone is the value of the parameter as JSON; in any other string the value stands as text.
pub(super) fn json_template(item: &Item<'_>, names: &[String]) -> Option<JsonTemplate> {
    if item.as_str().is_some() {
        return text(item, names);
    }
    if let Some(items) = item.as_list() {
        let items = items.iter().map(|item| json_template(item, names));
        return items.collect::<Option<_>>().map(JsonTemplate::List);
    }
    if item.is_table() {
        let fields = item.section("an object")?;
        let field =
            |(name, _, item): (&str, _, Item<'_>)| Some((name.to_owned(), json_template(&item, names)?));
        return fields.named().map(field).collect::<Option<_>>().map(JsonTemplate::Object);
    }
    if item.is_boolean() {
        return Some(JsonTemplate::Fixed(item.boolean()?.into()));
    }
    let number = match item.number()? {
        Number::Int(i) => i64::try_from(i).ok().map(Into::into),
        Number::Float(x) => serde_json::Number::from_f64(x).map(serde_json::Value::Number),
    };
    if number.is_none() {
        item.problem(Diagnostic::new(item.span(), "JSON has no such number"));
    }
    number.map(JsonTemplate::Fixed)
}

fn text(item: &Item<'_>, names: &[String]) -> Option<JsonTemplate> {
    let template = template(item, names)?;
    match template.parts.as_slice() {
        [TemplatePart::Parameter(index)] => Some(JsonTemplate::Parameter(*index)),
        [TemplatePart::Words(_)] => {
            let problem = Diagnostic::new(item.span(), "a string of JSON is one text");
            item.problem(problem.hint("write {xs}: alone in a string it is the list of its elements"));
            None
        }
        _ => Some(JsonTemplate::Text(template)),
    }
}
