//! Parses tokens to syntax trees; this module parses relations, its submodule the expressions inside them.

mod cursor;
mod expression;

use crate::Diagnostic;
use crate::ast::{Assignment, Binding, Body, Bound, Constants, Expression, File, Name, Relation, Tolerance};
use crate::token::{Placed, Token, tokens};
use cursor::Cursor;

pub(crate) type Parsed<T> = Result<T, Diagnostic>;

/// How deeply expressions may nest: deeper than people write, but shallow enough for every thread's stack.
pub(crate) const DEEPEST: usize = 100;

/// Parses a file of relations.
///
/// ```
/// let file = dodona_relations::parse("relation commutes: gcd(p, q) == gcd(q, p)").unwrap();
/// assert_eq!(file.to_string(), "relation commutes: gcd(p, q) == gcd(q, p)\n");
/// ```
///
/// # Errors
/// Everything that is wrong: after a mistake, parsing continues with the next relation.
pub fn parse(text: &str) -> Result<File, Vec<Diagnostic>> {
    let (tokens, mut problems) = tokens(text);
    let mut relations = Vec::new();
    for part in parts(&tokens) {
        match relation(&mut Cursor::new(part, text.len())) {
            Ok(relation) => relations.push(relation),
            // The lexer has already reported what is wrong there.
            Err(_) if part.iter().any(|t| t.token == Token::Bad) => {}
            Err(problem) => problems.push(problem),
        }
    }
    finish(File { relations }, problems)
}

/// Parses a single expression, such as a precondition or what `dodona call` takes.
///
/// ```
/// let sum = dodona_relations::parse_expression("1+2 * x").unwrap();
/// assert_eq!(sum.to_string(), "1 + 2 * x");
/// ```
///
/// # Errors
/// Everything that is wrong with the expression.
pub fn parse_expression(text: &str) -> Result<Expression, Vec<Diagnostic>> {
    let (tokens, problems) = tokens(text);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut cursor = Cursor::new(&tokens, text.len());
    let whole = cursor.expression().and_then(|e| cursor.end("an operator or the end").map(|()| e));
    whole.map_err(|problem| vec![problem])
}

fn finish<T>(value: T, mut problems: Vec<Diagnostic>) -> Result<T, Vec<Diagnostic>> {
    problems.sort_by_key(|p| p.span.start);
    if problems.is_empty() { Ok(value) } else { Err(problems) }
}

/// Splits the tokens before every word `relation`.
fn parts(tokens: &[Placed]) -> Vec<&[Placed]> {
    let begins = |t: &Placed| matches!(&t.token, Token::Name(word) if word == "relation");
    let mut starts: Vec<usize> = (0..tokens.len()).filter(|&i| i == 0 || begins(&tokens[i])).collect();
    starts.push(tokens.len());
    starts.windows(2).map(|pair| &tokens[pair[0]..pair[1]]).collect()
}

fn relation(c: &mut Cursor<'_>) -> Parsed<Relation> {
    let start = c.span();
    c.word("relation").map_err(|p| p.hint("a relation is written `relation name: f(x) == f(-x)`"))?;
    let name = c.name("a name for the relation")?;
    let bindings = bindings(c)?;
    let function = if c.take_word("of") { Some(c.name("the name of a function")?) } else { None };
    c.sign(":").map_err(|p| p.hint("the head of a relation ends with `:`, as in `relation odd: …`"))?;
    let constants = constants(c)?;
    let condition = condition(c)?;
    let begins_with_if = c.is_word("if");
    let (body, tolerance) = rest(c).map_err(|problem| match begins_with_if && problem.hint.is_none() {
        true => problem.hint("a condition is written `when x > 0: …`"),
        false => problem,
    })?;
    let span = start.to(c.last());
    Ok(Relation { name, bindings, function, constants, condition, body, tolerance, span })
}

/// Parses the expectation and its tolerance, up to the end of the relation.
fn rest(c: &mut Cursor<'_>) -> Parsed<(Body, Option<Tolerance>)> {
    let body = body(c)?;
    let tolerance = tolerance(c)?;
    c.end("an operator, `within` or the end of the relation").map_err(|p| p.maybe_hint(misplaced(c)))?;
    Ok((body, tolerance))
}

/// What to do with a condition or with constants that stand behind the expectation.
fn misplaced(c: &mut Cursor<'_>) -> Option<String> {
    if c.is_word("for") {
        return Some("constants stand before what is expected: `for k in {2, 3}: …`".to_owned());
    }
    if !["if", "when", "where"].into_iter().any(|word| c.take_word(word)) {
        return None;
    }
    let condition = c.expression().map_or_else(|_| "x > 0".to_owned(), |condition| condition.to_string());
    Some(format!("a condition stands before what is expected: `when {condition}: …`"))
}

fn bindings(c: &mut Cursor<'_>) -> Parsed<Vec<Binding>> {
    if !c.take_sign("(") {
        return Ok(Vec::new());
    }
    c.list(")", "`,` or `)`", |c| {
        let variable = c.name("a variable")?;
        c.sign(":").map_err(|p| p.hint("a header entry is written `x: function.parameter`"))?;
        let function = c.name("the name of a function")?;
        c.sign(".").map_err(|p| p.hint("a header entry is written `x: function.parameter`"))?;
        Ok(Binding { variable, function, parameter: c.name("the name of a parameter")? })
    })
}

fn constants(c: &mut Cursor<'_>) -> Parsed<Option<Constants>> {
    if !c.take_word("for") {
        return Ok(None);
    }
    let name = c.name("a name for the constant")?;
    c.word("in").map_err(|p| p.hint("write `for k in {2, 3}:`"))?;
    c.sign("{").map_err(|p| p.hint("write `for k in {2, 3}:`"))?;
    let values = c.list("}", "`,` or `}`", Cursor::expression)?;
    if values.is_empty() {
        return Err(Diagnostic::new(name.span, format!("`for {} in {{}}` has no constant", name.text))
            .hint("name at least one: a relation without a metamorphic group checks nothing"));
    }
    c.sign(":").map_err(|p| p.hint("`for k in {…}` ends with `:`"))?;
    Ok(Some(Constants { name, values }))
}

fn condition(c: &mut Cursor<'_>) -> Parsed<Option<Expression>> {
    if !c.take_word("when") {
        return Ok(None);
    }
    let condition = c.expression()?;
    c.sign(":").map_err(|p| p.hint("the condition after `when` ends with `:`"))?;
    Ok(Some(condition))
}

fn body(c: &mut Cursor<'_>) -> Parsed<Body> {
    if c.take_word("expect") {
        return Ok(Body::Primed { given: Vec::new(), expect: c.expression()? });
    }
    if !c.take_word("given") {
        return c.expression().map(Body::Calls);
    }
    let mut given = vec![assignment(c)?];
    while c.take_sign(",") {
        given.push(assignment(c)?);
    }
    c.word("expect").map_err(|p| p.hint("write `given p' = q, q' = p expect out' == out`"))?;
    Ok(Body::Primed { given, expect: c.expression()? })
}

fn assignment(c: &mut Cursor<'_>) -> Parsed<Assignment> {
    let hint = "write `p' = …` for a parameter of the follow-up input";
    let parameter = c.primed().map_err(|p| p.hint(hint))?;
    c.sign("=").map_err(|p| p.hint(hint))?;
    Ok(Assignment { parameter, value: c.expression()? })
}

fn tolerance(c: &mut Cursor<'_>) -> Parsed<Option<Tolerance>> {
    let start = c.span();
    if !c.take_word("within") {
        return Ok(None);
    }
    let bound = bound(c);
    let span = start.to(c.last());
    let wrong = || {
        Diagnostic::new(
            span,
            "`within` takes a relative tolerance, an absolute one, or a whole number of `ulp`",
        )
        .hint("write `within 1e-9`, `within 1e-9 or 1e-15 absolute`, or `within 4 ulp`")
    };
    Ok(Some(Tolerance { bound: bound.ok_or_else(wrong)?, span }))
}

/// What stands behind `within`; `None` if it is no tolerance.
fn bound(c: &mut Cursor<'_>) -> Option<Bound> {
    let first = c.next_token();
    if c.take_word("ulp") {
        return match first {
            Some(Token::Int(n)) => Some(Bound::Ulps(u64::try_from(n).ok()?)),
            _ => None,
        };
    }
    let number = |token: Option<Token>| match token {
        Some(Token::Int(n)) => Some(n as f64),
        Some(Token::Float(x)) => Some(x),
        _ => None,
    };
    let first = number(first)?;
    if c.take_word("absolute") {
        return Some(Bound::Either { relative: 0.0, absolute: first });
    }
    if !c.take_word("or") {
        return Some(Bound::Relative(first));
    }
    let absolute = number(c.next_token())?;
    c.take_word("absolute").then_some(Bound::Either { relative: first, absolute })
}

/// A name from its text and position.
pub(crate) fn named(text: &str, span: crate::ast::Span) -> Name {
    Name { text: text.to_owned(), span }
}
