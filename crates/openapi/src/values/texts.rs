//! Texts: listed ones, classes of characters, formats.

use dodona_target::{Domain, Sampling, Type};
use serde_json::{Map, Value};

use super::Values;
use crate::pattern::{Simple, simple};

/// How many characters a text has beyond the least, where a document does not say.
const REACH: u64 = 32;

/// The greatest length that is believed.
const LONGEST: u64 = 1 << 16;

/// Texts that are drawn for a format. All are of one era and differ in what is often mistaken: ends of years, leap days, letters of both cases.
const FORMATS: [(&str, &[&str]); 12] = [
    ("date", &["2024-02-29", "2023-12-31", "2024-01-01", "2024-07-15", "2000-02-29"]),
    (
        "date-time",
        &[
            "2024-02-29T12:00:00Z",
            "2023-12-31T23:59:59Z",
            "2024-01-01T00:00:00Z",
            "2024-07-15T08:30:00+02:00",
        ],
    ),
    ("time", &["00:00:00Z", "12:00:00Z", "23:59:59Z"]),
    ("duration", &["P1D", "PT1H", "P1Y2M"]),
    (
        "uuid",
        &[
            "00000000-0000-4000-8000-000000000000",
            "123e4567-e89b-42d3-a456-426614174000",
            "ffffffff-ffff-4fff-bfff-ffffffffffff",
        ],
    ),
    ("email", &["a@example.com", "first.last+tag@example.org"]),
    ("uri", &["https://example.com/", "https://example.org/a?b=c#d"]),
    ("url", &["https://example.com/", "https://example.org/a?b=c#d"]),
    ("hostname", &["example.com", "a-b.example.org"]),
    ("ipv4", &["127.0.0.1", "192.0.2.255"]),
    ("ipv6", &["::1", "2001:db8::ff"]),
    ("byte", &["AA==", "SGVsbG8="]),
];

/// The texts of a schema.
pub(super) fn values(keys: &Map<String, Value>, listed: Option<Vec<Value>>) -> Result<Values, String> {
    let mut notes = Vec::new();
    let mut domain = Domain { length: length(keys)?, ..Domain::default() };
    let pattern = keys.get("pattern").and_then(Value::as_str);
    let understood = pattern.and_then(simple);
    let mut texts = listed
        .map(|listed| listed.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<String>>());
    match understood {
        Some(Simple::Class { alphabet, least, most }) => {
            domain.alphabet = Some(alphabet);
            domain.length = Some(closer(domain.length, least, most)?);
        }
        Some(Simple::Texts(those)) => {
            texts = Some(match texts {
                Some(texts) => texts.into_iter().filter(|text| those.contains(text)).collect(),
                None => those,
            });
        }
        None => {}
    }
    let format = keys.get("format").and_then(Value::as_str).unwrap_or_default();
    if texts.is_none() && domain.alphabet.is_none() {
        texts = of_format(keys, format, pattern, &mut notes)?;
    } else if let Some(pattern) = pattern.filter(|pattern| simple(pattern).is_none()) {
        notes.push(format!("the values that are listed were not held against the pattern {pattern}"));
    }
    if let Some(mut texts) = texts {
        texts.retain(|text| domain.contains_text(text.as_bytes()));
        let mut distinct: Vec<String> = Vec::new();
        texts.into_iter().for_each(|text| {
            if !distinct.contains(&text) {
                distinct.push(text)
            }
        });
        if distinct.is_empty() {
            return Err(
                "no value fits: none of the texts has a length and characters that are allowed".to_owned()
            );
        }
        domain = Domain { texts: Some(distinct), ..Domain::default() };
    }
    Ok(Values { ty: Type::Text, domain, sampling: Sampling::default(), notes })
}

fn length(keys: &Map<String, Value>) -> Result<Option<(u64, u64)>, String> {
    // Tools write lengths as floats, too.
    let bound = |name: &str| keys.get(name).and_then(Value::as_f64).filter(|n| *n >= 0.0).map(|n| n as u64);
    match (bound("minLength"), bound("maxLength")) {
        (None, None) => Ok(None),
        (least, most) => closer(None, least.unwrap_or(0), most).map(Some),
    }
}

/// The lengths that two conditions allow.
fn closer(present: Option<(u64, u64)>, least: u64, most: Option<u64>) -> Result<(u64, u64), String> {
    let most = most.unwrap_or_else(|| present.map_or(least.saturating_add(REACH), |(_, most)| most));
    let (low, high) = present.unwrap_or((0, u64::MAX));
    let (low, high) = (low.max(least), high.min(most));
    match low <= high && low <= LONGEST {
        true => Ok((low, high.min(LONGEST))),
        false if low > high => {
            Err(format!("no value fits: no text has at least {low} and at most {high} characters"))
        }
        false => Err(format!("its values have at least {low} characters")),
    }
}

/// Texts of a format, or those that the document shows where it has a pattern that no domain can say.
fn of_format(
    keys: &Map<String, Value>,
    format: &str,
    pattern: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<String>>, String> {
    if format == "binary" {
        return Err("its values are files".to_owned());
    }
    let many = keys.get("examples").and_then(Value::as_array).into_iter().flatten();
    let shown = keys.get("default").into_iter().chain(keys.get("example")).chain(many);
    let shown: Vec<String> = shown.filter_map(Value::as_str).map(str::to_owned).collect();
    let known = FORMATS.iter().find(|(name, _)| *name == format);
    match (pattern, known) {
        (Some(pattern), _) if shown.is_empty() => {
            Err(format!("its pattern {pattern} is no class of characters, and the document shows no value"))
        }
        (Some(pattern), _) => {
            notes.push(format!("only values that the document shows: no domain says the pattern {pattern}"));
            Ok(Some(shown))
        }
        (None, Some((_, texts))) => {
            notes.push(format!("some values of the format {format}"));
            Ok(Some(shown.into_iter().chain(texts.iter().map(|text| (*text).to_owned())).collect()))
        }
        (None, None) => {
            if !format.is_empty() && format != "password" {
                notes.push(format!("any text: the format {format} is not known"));
            }
            Ok(None)
        }
    }
}
