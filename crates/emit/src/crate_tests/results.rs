//! What a function returns, as a test declares it, and how the value becomes that.

use dodona_subject::{Form, Spelling, Written};
use dodona_target::Type;

/// The type that a test declares: what the manifest shows as text is text.
pub(super) fn declared(ty: &Written) -> String {
    match ty {
        Written::Value(spelling) if spelling.is_of_the_manifest() => match spelling.ty {
            Type::Text => "String".to_owned(),
            _ => format!("Vec<{}>", spelling.scalar),
        },
        Written::Value(spelling) => spelling.in_rust(),
        Written::Option(value) => format!("Option<{}>", declared(value)),
        Written::Result(value, error) => format!("Result<{}, {}>", declared(value), declared(error)),
        Written::Tuple(parts) => tuple(&parts.iter().map(declared).collect::<Vec<_>>()),
        Written::Named(parts) => tuple(&parts.iter().map(|(_, part)| declared(part)).collect::<Vec<_>>()),
    }
}

/// Whether a part of it is converted whose type may be the declared one already.
pub(super) fn is_converted(ty: &Written) -> bool {
    match ty {
        Written::Value(spelling) => spelling.is_of_the_manifest(),
        Written::Option(value) => is_converted(value),
        Written::Result(value, error) => is_converted(value) || is_converted(error),
        Written::Tuple(parts) => parts.iter().any(is_converted),
        Written::Named(parts) => parts.iter().any(|(_, part)| is_converted(part)),
    }
}

fn tuple(parts: &[String]) -> String {
    let comma = if parts.len() == 1 { "," } else { "" };
    format!("({}{comma})", parts.join(", "))
}

/// The expression that makes what is declared of what the function returns; `None` if that is the same.
pub(super) fn made(ty: &Written, value: &str) -> Option<String> {
    match ty {
        Written::Value(Spelling { form: Form::Shown, .. }) => Some(format!("dodona::shown!({value})")),
        Written::Value(spelling) => spelling.is_of_the_manifest().then(|| format!("{value}.into()")),
        Written::Option(inner) => made(inner, "x").map(|x| format!("{value}.map(|x| {x})")),
        Written::Result(inner, error) => {
            let inner = made(inner, "x").map(|x| format!(".map(|x| {x})"));
            let error = made(error, "e").map(|e| format!(".map_err(|e| {e})"));
            let is_same = inner.is_none() && error.is_none();
            (!is_same).then(|| format!("{value}{}{}", inner.unwrap_or_default(), error.unwrap_or_default()))
        }
        // No manifest of a crate names the parts of a result.
        Written::Named(_) => None,
        Written::Tuple(parts) => {
            let names: Vec<String> = (0..parts.len()).map(|index| format!("part_{index}")).collect();
            let each = || parts.iter().zip(&names).map(|(part, name)| made(part, name));
            each().any(|part| part.is_some()).then(|| {
                let made = each().zip(&names).map(|(part, name)| part.unwrap_or_else(|| name.clone()));
                let made = tuple(&made.collect::<Vec<_>>());
                format!("{{ let {} = {value}; {made} }}", tuple(&names))
            })
        }
    }
}
