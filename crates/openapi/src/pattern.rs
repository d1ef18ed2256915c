//! Regular expressions that a domain can say: one class of characters, or a choice of texts.

/// What the texts are that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Simple {
    /// Texts of these characters, at least and at most so many.
    Class { alphabet: Vec<char>, least: u64, most: Option<u64> },
    /// These texts.
    Texts(Vec<String>),
}

/// The most repetitions and texts that are believed.
const MOST: u64 = 1 << 16;

/// The meaning of a pattern such as `^[a-z]{2,5}$`, `^\d+$` or `^(asc|desc)$`; `None` of every other one.
///
/// A pattern of JSON Schema is searched for anywhere in the text, so that one without both ends says little of the whole and is none of these.
pub(crate) fn simple(pattern: &str) -> Option<Simple> {
    let inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
    texts(inner).or_else(|| class(inner))
}

fn texts(inner: &str) -> Option<Simple> {
    let choice = inner.strip_prefix("(?:").or_else(|| inner.strip_prefix('('));
    let choice = match choice {
        Some(choice) => choice.strip_suffix(')')?,
        None if inner.contains('|') => return None,
        None => inner,
    };
    let is_literal =
        |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | ':' | ','));
    let texts: Vec<String> = choice.split('|').map(str::to_owned).collect();
    texts.iter().all(|text| !text.is_empty() && is_literal(text)).then_some(Simple::Texts(texts))
}

fn class(inner: &str) -> Option<Simple> {
    let mut chars = inner.chars().peekable();
    let alphabet = match chars.next()? {
        '[' => {
            let mut alphabet = Vec::new();
            loop {
                match chars.next()? {
                    ']' if !alphabet.is_empty() => break alphabet,
                    '^' | '[' | ']' => return None,
                    '\\' => alphabet.extend(escaped(chars.next()?)?),
                    low if chars.peek() == Some(&'-') => {
                        chars.next();
                        match chars.next()? {
                            ']' => {
                                alphabet.extend([low, '-']);
                                break alphabet;
                            }
                            high if low <= high && high != '\\' && high as u32 - (low as u32) < 0x1000 => {
                                alphabet.extend(low..=high);
                            }
                            _ => return None,
                        }
                    }
                    c => alphabet.push(c),
                }
            }
        }
        '\\' => escaped(chars.next()?)?,
        _ => return None,
    };
    let (least, most) = repetitions(&chars.collect::<String>())?;
    Some(Simple::Class { alphabet, least, most })
}

/// The characters of `\d`, `\w` and of an escaped sign.
fn escaped(c: char) -> Option<Vec<char>> {
    match c {
        'd' => Some(('0'..='9').collect()),
        'w' => Some(('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']).collect()),
        c if c.is_ascii_punctuation() => Some(vec![c]),
        _ => None,
    }
}

fn repetitions(text: &str) -> Option<(u64, Option<u64>)> {
    match text {
        "" => return Some((1, Some(1))),
        "*" => return Some((0, None)),
        "+" => return Some((1, None)),
        "?" => return Some((0, Some(1))),
        _ => {}
    }
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let number = |text: &str| text.parse::<u64>().ok().filter(|n| *n <= MOST);
    match inner.split_once(',') {
        None => number(inner).map(|n| (n, Some(n))),
        Some((least, "")) => number(least).map(|least| (least, None)),
        Some((least, most)) => {
            let (least, most) = (number(least)?, number(most)?);
            (least <= most).then_some((least, Some(most)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_patterns_are_understood() {
        let class = |alphabet: &str, least, most| {
            Some(Simple::Class { alphabet: alphabet.chars().collect(), least, most })
        };
        assert_eq!(simple("^[a-c]+$"), class("abc", 1, None));
        assert_eq!(simple("^[A-C_-]{2,5}$"), class("ABC_-", 2, Some(5)));
        assert_eq!(simple(r"^\d{3}$"), class("0123456789", 3, Some(3)));
        assert_eq!(simple(r"^[\da\.]*$"), class("0123456789a.", 0, None));
        assert_eq!(simple("^(id|price)$"), Some(Simple::Texts(vec!["id".into(), "price".into()])));
        assert_eq!(simple("^(?:a)$"), Some(Simple::Texts(vec!["a".into()])));
        assert_eq!(simple("^asc$"), Some(Simple::Texts(vec!["asc".into()])));
    }

    #[test]
    fn others_are_not() {
        for pattern in [
            "",
            "^",
            "$",
            "^$x",
            "[a-z]+",
            "^[a-z]+",
            "^[^a]$",
            "^a.c$",
            "^a|b$",
            "^(a|b)+$",
            "^[a-z]+[0-9]$",
            "^[z-a]$",
            "^[]$",
            "^[a",
            r"^\",
            r"^\s$",
            "^[a]{5,2}$",
            "^[a]{99999999}$",
            "^(a|(b))$",
        ] {
            assert_eq!(simple(pattern), None, "{pattern}");
        }
    }
}
