//! Reads values from the cells of a table.

use dodona_target::{Kind, Scalar, Sequence, Type, Value};

use crate::json::NotOfType;

/// Reads a value of a type from plain text: `true`, `-7`, `0.5`, `nan`, `-inf`, `[1, 2]`; text is taken as it is.
///
/// ```
/// use dodona_sources::file::from_text;
/// use dodona_target::{Sequence, Value};
/// let value = from_text("[u8]".parse()?, "[1, 255]")?;
/// assert_eq!(value, Value::Sequence(Sequence::Int(vec![1, 255])));
/// assert!(from_text("u8".parse()?, "256").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotOfType`] when the text is not a value of the type, or a number outside the type.
pub fn from_text(ty: Type, text: &str) -> Result<Value, NotOfType> {
    let found = || not_of_type(ty, text, None);
    match ty {
        Type::Text => Ok(Value::Text(text.into())),
        Type::Scalar(s) => match s.kind() {
            Kind::Bool => boolean(text).map(Value::Bool).ok_or_else(found),
            Kind::Int => integer(s, text).map(Value::Int).ok_or_else(found),
            Kind::Float => float(s, text).map(Value::Float).ok_or_else(found),
        },
        Type::Sequence(s) => {
            let inner = text.trim().strip_prefix('[').and_then(|t| t.strip_suffix(']')).ok_or_else(found)?;
            Ok(Value::Sequence(match s.kind() {
                Kind::Bool => Sequence::Bool(elements(s, inner, boolean)?),
                Kind::Int => Sequence::Int(elements(s, inner, |t| integer(s, t))?),
                Kind::Float => Sequence::Float(elements(s, inner, |t| float(s, t))?),
            }))
        }
    }
}

fn not_of_type(ty: Type, text: &str, element: Option<usize>) -> NotOfType {
    const MOST: usize = 60;
    let mut found: String = text.chars().take(MOST).collect();
    if found.len() < text.len() {
        found.push('…');
    }
    NotOfType { ty, found: format!("`{found}`"), element }
}

fn elements<T>(s: Scalar, inner: &str, one: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, NotOfType> {
    if inner.trim().is_empty() {
        return Ok(Vec::new());
    }
    let element = |(index, text): (usize, &str)| {
        one(text).ok_or_else(|| not_of_type(Type::Scalar(s), text.trim(), Some(index)))
    };
    inner.split(',').enumerate().map(element).collect()
}

fn boolean(text: &str) -> Option<bool> {
    text.trim().parse().ok()
}

fn integer(s: Scalar, text: &str) -> Option<i128> {
    let i = text.trim().parse().ok()?;
    s.integer_range().filter(|&(low, high)| low <= i && i <= high).map(|_| i)
}

fn float(s: Scalar, text: &str) -> Option<f64> {
    let text = text.trim();
    let x: f64 = text.parse().ok()?;
    // A finite number that only rounds to infinity is not a value of the type.
    let is_named = text.chars().any(|c| c.is_ascii_alphabetic() && !c.eq_ignore_ascii_case(&'e'));
    if x.is_infinite() && !is_named {
        return None;
    }
    crate::json::of_type(s, x)
}
