//! Reads the answers of a solver. Nothing is trusted: an answer may be cut off, garbled or not SMT-LIB at all.

/// An answer that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedReply {
    /// The solver reports an error, in these words.
    #[error("the solver reports: {0}")]
    Reported(String),
    /// The answer is not what was asked for.
    #[error("the solver's answer is not understood: {0}")]
    Unexpected(String),
}

/// What `check-sat` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckSatResult {
    /// `sat`
    Satisfiable,
    /// `unsat`
    Unsatisfiable,
    /// `unknown`, or one of the words that stand for it when a limit is reached.
    Unknown,
}

/// The verdict in all that was printed for a query.
///
/// # Errors
/// When an error is reported anywhere, or anything but one verdict is printed.
///
/// ```
/// use dodona_smt::solver::reply::{CheckSatResult, verdict};
///
/// assert_eq!(verdict("sat\n"), Ok(CheckSatResult::Satisfiable));
/// assert!(verdict("(error \"line 1: unknown constant x\")\nsat\n").is_err());
/// ```
pub fn verdict(text: &str) -> Result<CheckSatResult, MalformedReply> {
    let expressions = expressions(text)?;
    match expressions.as_slice() {
        [Expression::Atom("sat")] => Ok(CheckSatResult::Satisfiable),
        [Expression::Atom("unsat")] => Ok(CheckSatResult::Unsatisfiable),
        [Expression::Atom("unknown" | "timeout")] => Ok(CheckSatResult::Unknown),
        _ => Err(unexpected(text)),
    }
}

/// The values in the answer to `get-value`: names with their bits, in the order of the answer.
///
/// # Errors
/// When an error is reported, or the answer is not one list of names with values of at most 128 bits.
///
/// ```
/// use dodona_smt::solver::reply::values;
///
/// let read = values("((x #x0f) (y (_ bv3 8)) (b true))").unwrap();
/// assert_eq!(read, [("x".to_owned(), 15), ("y".to_owned(), 3), ("b".to_owned(), 1)]);
/// ```
pub fn values(text: &str) -> Result<Vec<(String, u128)>, MalformedReply> {
    let expressions = expressions(text)?;
    let [Expression::List(pairs)] = expressions.as_slice() else { return Err(unexpected(text)) };
    pairs.iter().map(|pair| named_value(pair).ok_or_else(|| unexpected(text))).collect()
}

/// Nothing is expected: commands that succeed are silent.
///
/// # Errors
/// When something is answered.
pub fn nothing(text: &str) -> Result<(), MalformedReply> {
    if expressions(text)?.is_empty() { Ok(()) } else { Err(unexpected(text)) }
}

#[derive(Debug, PartialEq)]
enum Expression<'a> {
    Atom(&'a str),
    List(Vec<Expression<'a>>),
}

fn unexpected(text: &str) -> MalformedReply {
    MalformedReply::Unexpected(format!("{:?}", text.chars().take(120).collect::<String>()))
}

/// All expressions of a text, unless one of them is an error.
fn expressions(text: &str) -> Result<Vec<Expression<'_>>, MalformedReply> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    for token in Tokens(text) {
        match token {
            "(" => open.push(Vec::new()),
            ")" => match (open.pop(), open.last_mut()) {
                (Some(list), Some(outer)) => outer.push(Expression::List(list)),
                _ => return Err(unexpected(text)),
            },
            atom => open.last_mut().ok_or_else(|| unexpected(text))?.push(Expression::Atom(atom)),
        }
    }
    let (Some(all), true) = (open.pop(), open.is_empty()) else { return Err(unexpected(text)) };
    all.iter().find_map(error).map_or(Ok(()), Err)?;
    Ok(all)
}

fn error(expression: &Expression) -> Option<MalformedReply> {
    let Expression::List(words) = expression else { return None };
    match words.as_slice() {
        [Expression::Atom("error"), Expression::Atom(words)] => {
            Some(MalformedReply::Reported(words.trim_matches('"').to_owned()))
        }
        [Expression::Atom("error"), ..] => Some(MalformedReply::Reported("an error".to_owned())),
        _ => None,
    }
}

fn named_value(pair: &Expression) -> Option<(String, u128)> {
    let Expression::List(pair) = pair else { return None };
    let [Expression::Atom(name), value] = pair.as_slice() else { return None };
    let name = name.strip_prefix('|').map_or(Some(*name), |quoted| quoted.strip_suffix('|'))?;
    if name.contains('"') { None } else { Some((name.to_owned(), bits(value)?)) }
}

fn bits(value: &Expression) -> Option<u128> {
    match value {
        Expression::Atom("true") => Some(1),
        Expression::Atom("false") => Some(0),
        Expression::Atom(word) => match word.as_bytes() {
            [b'#', b'b', ..] => digits(&word[2..], 2),
            [b'#', b'x', ..] => digits(&word[2..], 16),
            _ => None,
        },
        Expression::List(words) => match words.as_slice() {
            [Expression::Atom("_"), Expression::Atom(number), Expression::Atom(_)] => {
                digits(number.strip_prefix("bv")?, 10)
            }
            _ => None,
        },
    }
}

/// `from_str_radix` would take a sign as well.
fn digits(text: &str, radix: u32) -> Option<u128> {
    text.chars().all(|digit| digit.is_digit(radix)).then(|| u128::from_str_radix(text, radix).ok())?
}

/// Parentheses, strings, quoted symbols and everything else between blanks, as slices of the text.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start();
        let length = match rest.as_bytes().first()? {
            b'(' | b')' => 1,
            b'"' => string_length(rest),
            b'|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || "()\"|".contains(c)).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at(length);
        self.0 = rest;
        Some(token)
    }
}

/// The length of the string that a text begins with; in it a quotation mark is written twice.
fn string_length(text: &str) -> usize {
    let mut from = 1;
    while let Some(at) = text[from..].find('"') {
        from += at + 1;
        if !text[from..].starts_with('"') {
            return from;
        }
        from += 1;
    }
    text.len()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn verdicts_of_all_spellings() {
        assert_eq!(verdict(" unsat\r\n"), Ok(CheckSatResult::Unsatisfiable));
        assert_eq!(verdict("unknown"), Ok(CheckSatResult::Unknown));
        assert_eq!(verdict("timeout\n"), Ok(CheckSatResult::Unknown));
    }

    #[test]
    fn anything_else_is_no_verdict() {
        for text in ["", "sat sat", "sat\nunsat", "satisfiable", "(sat)", "sat)", "((sat", "\"sat\""] {
            assert!(matches!(verdict(text), Err(MalformedReply::Unexpected(_))), "{text}");
        }
    }

    #[test]
    fn an_error_is_found_beside_a_verdict() {
        let reported = verdict("(error \"line 3: \"\"x\"\" (unknown\")\nsat");
        assert_eq!(reported, Err(MalformedReply::Reported("line 3: \"\"x\"\" (unknown".to_owned())));
        assert!(matches!(verdict("(error oops oops)"), Err(MalformedReply::Reported(_))));
    }

    #[test]
    fn values_over_several_lines() {
        let text = "(\n(|a b| #b0000000000000010)\n  (y\n   (_ bv18446744073709551616 128))\n)\n";
        assert_eq!(values(text), Ok(vec![("a b".to_owned(), 2), ("y".to_owned(), 1 << 64)]));
    }

    #[test]
    fn values_that_are_none() {
        for text in [
            "",
            "sat",
            "((x))",
            "((x #xg))",
            "((x #b2))",
            "((x (_ bv-1 8)))",
            "((x #b+1))",
            "((x 3))",
            "((x #b1)",
            "(x #b1)",
            "((x #x))",
            "((x #x100000000000000000000000000000000))",
            "((x (fp #b0 #b1 #b0)))",
            "((x #b1)) ((y #b1))",
        ] {
            assert!(values(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[()\"|#bx_ sat0-9é\n]{0,60}") {
            let kinds = [verdict(&text).is_ok(), values(&text).is_ok(), nothing(&text).is_ok()];
            prop_assert!(kinds.into_iter().filter(|read| *read).count() <= 1);
        }

        #[test]
        fn names_and_values_read_back_from_what_may_be_an_answer(text in r#"\(( ?\((v[0-9]|\|[a b]\||") ?(#[bx][0-9a-f]{1,33}|true|\(_ bv[0-9]{1,40} 8\))\)){0,4}\)?"#) {
            if let Ok(read) = values(&text) {
                let printed: Vec<String> = read.iter().map(|(name, value)| format!("(|{name}| (_ bv{value} 128))")).collect();
                prop_assert_eq!(values(&format!("({})", printed.join(" "))), Ok(read));
            }
        }

        #[test]
        fn values_read_back(value: u128, bool: bool) {
            let text = format!("((a #x{value:032x}) (b #b{value:b}) (c (_ bv{value} 128)) (d {bool}))");
            let read: Vec<u128> = values(&text).unwrap().into_iter().map(|(_, value)| value).collect();
            prop_assert_eq!(read, [value, value, value, bool.into()]);
        }
    }
}
