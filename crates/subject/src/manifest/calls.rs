//! `call = "…"`: code that calls a function, in a language whose code is compiled with that of the subject.

use super::functions::Entry;
use super::section::Section;
use super::written::{Spelling, Written};
use crate::ResultLowering;
use crate::function::usual_arguments;
use dodona_target::{Diagnostic, Type};

/// The code that calls a function, if it has any of its own. The name of the language is for messages.
pub(super) fn call(entry: &Entry<'_>, build: &Section<'_>, language: &str) -> Option<String> {
    let (code, span) = entry.call.as_ref()?;
    let function = &entry.function;
    let refuse = |message: String, hint: &str| {
        build.problems.add(Diagnostic::new(span.clone(), message).hint(hint));
    };
    if code.trim().is_empty() {
        let hint = format!("write the expression in {language}, as in call = \"f(x)\"");
        refuse("`call` is empty".to_owned(), &hint);
    }
    if function.export != function.name {
        refuse(
            format!("`export = \"{}\"` stands beside `call`", function.export),
            "remove it: the call names the function itself",
        );
    }
    let is_made = |result: &ResultLowering| {
        !matches!(result, ResultLowering::OutBuffer { .. } | ResultLowering::NulTerminated(_))
    };
    if !is_made(&function.result)
        || function.arguments != usual_arguments(&function.lowerings, &function.result)
    {
        refuse(
            "`result` and `arguments` say nothing beside `call`".to_owned(),
            "remove them: the call passes its arguments itself, and what it gives is copied",
        );
    }
    let result = entry.types.get(function.parameters.len());
    if let Some(part) = result.and_then(unsupported) {
        refuse(
            format!("a call in {language} cannot give {part}"),
            "its outputs are scalars, text, sequences, `Option<…>` of text or a sequence, or several of these by name, as in \
             (value: f64, error: f64)",
        );
    }
    let named = match result {
        Some(Written::Named(parts)) => parts.as_slice(),
        _ => &[],
    };
    let is_parameter = |name: &str| function.parameters.iter().any(|parameter| parameter.name == name);
    if let Some((name, _)) = named.iter().find(|(name, _)| is_parameter(name)) {
        refuse(
            format!("`{name}` is a parameter and an output of `{}`", function.name),
            "give the output another name: in the code of the call both are variables",
        );
    }
    Some(code.clone())
}

/// The part of a result that cannot be a variable in the code of a call.
pub(super) fn unsupported(ty: &Written) -> Option<String> {
    match ty {
        Written::Named(parts) => parts.iter().find_map(|(_, part)| match part {
            Written::Named(_) => Some(part.to_string()),
            part => unsupported(part),
        }),
        Written::Tuple(parts) if parts.is_empty() => None,
        Written::Option(inner) => match &**inner {
            Written::Value(Spelling { ty: Type::Scalar(_), .. }) => Some(ty.to_string()),
            Written::Value(_) => None,
            _ => Some(ty.to_string()),
        },
        Written::Value(_) => None,
        _ => Some(ty.to_string()),
    }
}
