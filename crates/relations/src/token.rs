//! Splits text into tokens.

use bstr::BString;
use winnow::ascii::{digit1, till_line_ending};
use winnow::combinator::{alt, delimited, dispatch, empty, fail, opt, preceded, repeat, terminated};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::{any, one_of, take_while};

use crate::Diagnostic;
use crate::ast::Span;
use crate::foreign;

/// A token of the language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name or a word of the language.
    Name(String),
    /// A name with a prime after it.
    Primed(String),
    /// The magnitude of an integer, up to the magnitude of the smallest `i128`.
    Int(u128),
    /// A finite float.
    Float(f64),
    /// A text without its quotes and with its escapes resolved.
    Text(BString),
    /// An operator or a bracket.
    Sign(&'static str),
    /// Text that could not be read; a diagnostic has already been reported for it.
    Bad,
}

/// A token and its position.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// The operators and brackets. A sign comes before every sign that is a prefix of it.
const SIGNS: [&str; 23] = [
    "==", "!=", "<=", ">=", "~=", "..", "<", ">", "=", "+", "-", "*", "/", "^", "(", ")", "[", "]", "{", "}",
    ",", ":", ".",
];

type Parsed<T> = winnow::Result<T, EmptyError>;

/// A token whose digits and escapes have not been interpreted yet.
enum Shape<'i> {
    Name(&'i str),
    Primed(&'i str),
    Int(&'i str),
    Float(&'i str),
    Text(&'i str),
    Sign(&'static str),
}

fn name<'i>(input: &mut &'i str) -> Parsed<&'i str> {
    let start = |c: char| c.is_alphabetic() || c == '_';
    let rest = |c: char| c.is_alphanumeric() || c == '_';
    (one_of(start), take_while(0.., rest)).take().parse_next(input)
}

fn digits<'i>(input: &mut &'i str) -> Parsed<&'i str> {
    (one_of('0'..='9'), take_while(0.., ('0'..='9', '_'))).take().parse_next(input)
}

fn number<'i>(input: &mut &'i str) -> Parsed<Shape<'i>> {
    let fraction = preceded('.', digits);
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1);
    let ((_, point, power), text) = (digits, opt(fraction), opt(exponent)).with_taken().parse_next(input)?;
    Ok(if point.is_some() || power.is_some() { Shape::Float(text) } else { Shape::Int(text) })
}

fn text<'i>(input: &mut &'i str) -> Parsed<Shape<'i>> {
    let plain = take_while(1.., |c| !matches!(c, '"' | '\\' | '\n')).void();
    let escape = preceded('\\', one_of(|c| c != '\n')).void();
    delimited('"', repeat::<_, _, (), _, _>(0.., alt((plain, escape))).take(), '"')
        .map(Shape::Text)
        .parse_next(input)
}

fn sign<'i>(input: &mut &'i str) -> Parsed<Shape<'i>> {
    let found = SIGNS.into_iter().find(|sign| input.starts_with(sign)).ok_or(EmptyError)?;
    *input = &input[found.len()..];
    Ok(Shape::Sign(found))
}

fn shape<'i>(input: &mut &'i str) -> Parsed<Shape<'i>> {
    alt((terminated(name, '\'').map(Shape::Primed), name.map(Shape::Name), number, text, sign))
        .parse_next(input)
}

/// What stands behind a dot: `.0.1` is part 1 of part 0, and no fraction.
fn part<'i>(input: &mut &'i str) -> Parsed<Shape<'i>> {
    alt((digits.map(Shape::Int), shape)).parse_next(input)
}

fn follows(tokens: &[Placed], is: impl Fn(&Token) -> bool) -> bool {
    tokens.last().is_some_and(|before| is(&before.token))
}

fn blank(input: &mut &str) -> Parsed<()> {
    // Some editors begin a file with an invisible byte order mark; it counts as white space.
    let space = take_while(1.., |c: char| c.is_whitespace() || c == '\u{feff}').void();
    let comment = ('#', till_line_ending).void();
    repeat(0.., alt((space, comment))).parse_next(input)
}

/// Reads all tokens. Unreadable text becomes [`Token::Bad`] with a diagnostic, and reading continues after it.
pub(crate) fn tokens(source: &str) -> (Vec<Placed>, Vec<Diagnostic>) {
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    let mut rest = source;
    loop {
        // Neither parser can fail: `blank` also accepts the empty text, and if `shape` fails, `skip` continues.
        let _ = blank(&mut rest);
        let start = source.len() - rest.len();
        if rest.is_empty() {
            return (tokens, problems);
        }
        let before = rest;
        // `f(x).1` is a part of what a call returns; elsewhere `.1` is a number as other languages have it.
        let is_part = rest.starts_with('.')
            && follows(&tokens, |token| {
                matches!(token, Token::Sign(")") | Token::Int(_) | Token::Name(_) | Token::Primed(_))
            });
        let foreign = if is_part { None } else { foreign(&mut rest, start) };
        let result = match foreign {
            Some(problem) => Err(problem),
            None => match if follows(&tokens, |token| *token == Token::Sign(".")) {
                part(&mut rest)
            } else {
                shape(&mut rest)
            } {
                Ok(shape) => read(shape, start),
                Err(EmptyError) => {
                    rest = before;
                    Err(skip(&mut rest, start))
                }
            },
        };
        let span = Span { start, end: source.len() - rest.len() };
        let token = result.unwrap_or_else(|problem| {
            problems.push(problem);
            Token::Bad
        });
        tokens.push(Placed { token, span });
    }
}

/// Steps over a sign or a number as other languages write it, and reports what to write.
fn foreign(rest: &mut &str, start: usize) -> Option<Diagnostic> {
    let (found, hint) = match foreign::sign(rest) {
        Some((sign, hint)) => (sign, hint.to_owned()),
        None => foreign::number(rest)?,
    };
    let problem = Diagnostic::new(start..start + found.len(), format!("unexpected `{found}`")).hint(hint);
    *rest = &rest[found.len()..];
    Some(problem)
}

/// Steps over text that is not a token and reports what is wrong with it.
fn skip(rest: &mut &str, start: usize) -> Diagnostic {
    if rest.starts_with('"') {
        let line = rest.find('\n').unwrap_or(rest.len());
        *rest = &rest[line..];
        return Diagnostic::new(start..start + line, "text without a closing `\"`")
            .hint("text ends on its line; write `\\n` for a line break");
    }
    let c = rest.chars().next().unwrap_or_default();
    *rest = &rest[c.len_utf8()..];
    let problem = Diagnostic::new(start..start + c.len_utf8(), format!("unexpected character {c:?}"));
    match c {
        '!' => problem.hint("write `not` to negate and `!=` for \"differs from\""),
        '&' => problem.hint("write `and`"),
        '|' => problem.hint("write `or`; the absolute value is `abs(x)`"),
        '%' => problem.hint("write `mod`"),
        ';' => problem.hint("leave it out: a relation ends where the next one begins"),
        '~' => problem.hint("write `~=` for \"about equal\""),
        '\'' => {
            problem.hint("a prime stands directly behind a name: `out'`; text is written in double quotes")
        }
        _ => problem,
    }
}

fn read(shape: Shape<'_>, start: usize) -> Result<Token, Diagnostic> {
    Ok(match shape {
        Shape::Name(name) => Token::Name(name.to_owned()),
        Shape::Primed(name) => Token::Primed(name.to_owned()),
        Shape::Sign(sign) => Token::Sign(sign),
        Shape::Text(body) => Token::Text(unescape(body, start + 1)?),
        Shape::Int(text) => match text.replace('_', "").parse() {
            Ok(value) if value <= i128::MIN.unsigned_abs() => Token::Int(value),
            _ => {
                return Err(too_large(text, start, "integers are 128 bits wide; write a float such as 1e40"));
            }
        },
        Shape::Float(text) => match text.replace('_', "").parse::<f64>() {
            Ok(value) if value == 0.0 && has_value(text) => return Err(too_small(text, start)),
            Ok(value) if value.is_finite() => Token::Float(value),
            _ => return Err(too_large(text, start, "write `inf` for infinity")),
        },
    })
}

/// Whether the digits of a float before its exponent are not all 0.
fn has_value(text: &str) -> bool {
    let digits = text.split(['e', 'E']).next().unwrap_or(text);
    digits.contains(|c: char| matches!(c, '1'..='9'))
}

fn too_small(text: &str, start: usize) -> Diagnostic {
    Diagnostic::new(start..start + text.len(), format!("`{text}` is too small: the nearest float is 0"))
        .hint("the smallest float above 0 is 5e-324; write 0 if that is meant")
}

fn too_large(text: &str, start: usize, hint: &str) -> Diagnostic {
    Diagnostic::new(start..start + text.len(), format!("`{text}` is too large")).hint(hint)
}

/// Resolves the escapes of a text that begins at byte `start`.
fn unescape(body: &str, start: usize) -> Result<BString, Diagnostic> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let place = start + body.len() - rest.len();
        escape(&mut rest, &mut bytes).map_err(|EmptyError| {
            let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            Diagnostic::new(place..place + length, format!("unknown escape `{}`", &rest[..length]))
                .hint(r#"the escapes are \n \r \t \0 \" \\ \u{1f600} and \xff"#)
        })?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes.into())
}

fn unicode(input: &mut &str) -> Parsed<Vec<u8>> {
    delimited('{', take_while(1..=6, |c: char| c.is_ascii_hexdigit()), '}')
        .verify_map(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?))
        .map(|c: char| c.to_string().into_bytes())
        .parse_next(input)
}

fn byte(input: &mut &str) -> Parsed<Vec<u8>> {
    take_while(2..=2, |c: char| c.is_ascii_hexdigit())
        .verify_map(|digits| u8::from_str_radix(digits, 16).ok())
        .map(|byte| vec![byte])
        .parse_next(input)
}

/// Reads one escape and appends its bytes; leaves the input unchanged if there is no escape.
fn escape(rest: &mut &str, bytes: &mut Vec<u8>) -> Parsed<()> {
    let mut after = *rest;
    let found: Vec<u8> = preceded(
        '\\',
        dispatch! { any;
            'n' => empty.value(b"\n".to_vec()),
            'r' => empty.value(b"\r".to_vec()),
            't' => empty.value(b"\t".to_vec()),
            '0' => empty.value(b"\0".to_vec()),
            '"' => empty.value(b"\"".to_vec()),
            '\\' => empty.value(b"\\".to_vec()),
            'u' => unicode,
            'x' => byte,
            _ => fail,
        },
    )
    .parse_next(&mut after)?;
    bytes.extend(found);
    *rest = after;
    Ok(())
}
