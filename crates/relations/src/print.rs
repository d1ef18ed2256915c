//! Prints syntax trees as text, with no more parentheses than needed.

use std::fmt::{self, Display, Formatter, Write};

use dodona_target::{write_float, write_text};

use crate::ast::{Body, Bound, Expression, File, Node, Relation, Tolerance, UnaryOperator};
use crate::precedence::{self, LOOSEST, Side};

/// Prints each relation on a line of its own.
impl Display for File {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.relations.iter().try_for_each(|relation| writeln!(f, "{relation}"))
    }
}

/// Prints the relation on one line, without a line break at the end.
impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "relation {}", self.name.text)?;
        if !self.bindings.is_empty() {
            f.write_char('(')?;
            separated(f, &self.bindings, |f, b| {
                write!(f, "{}: {}.{}", b.variable.text, b.function.text, b.parameter.text)
            })?;
            f.write_char(')')?;
        }
        if let Some(function) = &self.function {
            write!(f, " of {}", function.text)?;
        }
        f.write_str(": ")?;
        if let Some(constants) = &self.constants {
            write!(f, "for {} in {{", constants.name.text)?;
            separated(f, &constants.values, |f, e| write!(f, "{e}"))?;
            f.write_str("}: ")?;
        }
        if let Some(condition) = &self.condition {
            write!(f, "when {condition}: ")?;
        }
        write!(f, "{}", self.body)?;
        self.tolerance.iter().try_for_each(|tolerance| write!(f, " {tolerance}"))
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Body::Calls(expect) => write!(f, "{expect}"),
            Body::Primed { given, expect } if given.is_empty() => write!(f, "expect {expect}"),
            Body::Primed { given, expect } => {
                f.write_str("given ")?;
                separated(f, given, |f, a| write!(f, "{}' = {}", a.parameter.text, a.value))?;
                write!(f, " expect {expect}")
            }
        }
    }
}

impl Display for Tolerance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.bound {
            Bound::Relative(x) => write!(f, "within {x:?}"),
            Bound::Either { relative: 0.0, absolute } => write!(f, "within {absolute:?} absolute"),
            Bound::Either { relative, absolute } => {
                write!(f, "within {relative:?} or {absolute:?} absolute")
            }
            Bound::Ulps(n) => write!(f, "within {n} ulp"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, self, LOOSEST)
    }
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut one: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        one(f, item)?;
    }
    Ok(())
}

/// The level at which the expression's outermost operator binds.
fn level(expression: &Expression) -> u8 {
    match &expression.node {
        Node::Int(n) if *n < 0 => precedence::NEGATE,
        Node::Float(x) if x.is_sign_negative() && !x.is_nan() => precedence::NEGATE,
        Node::Unary(UnaryOperator::Negate, _) => precedence::NEGATE,
        Node::Unary(UnaryOperator::Not, _) => precedence::NOT,
        Node::Binary(operator, ..) => precedence::of(*operator),
        Node::Traps(_) | Node::Is(..) => precedence::COMPARISON,
        Node::If(..) => LOOSEST,
        _ => precedence::POSTFIX,
    }
}

/// Writes an expression, in parentheses if it binds looser than `least`.
fn write(f: &mut Formatter<'_>, expression: &Expression, least: u8) -> fmt::Result {
    if level(expression) < least {
        f.write_char('(')?;
        write(f, expression, LOOSEST)?;
        return f.write_char(')');
    }
    match &expression.node {
        Node::Bool(b) => write!(f, "{b}"),
        Node::Int(n) => write!(f, "{n}"),
        Node::Float(x) => write_float(f, *x),
        Node::Text(text) => write_text(f, text),
        Node::Name(name) => f.write_str(name),
        Node::Primed(name) => write!(f, "{name}'"),
        Node::Unary(operator, operand) => unary(f, *operator, operand),
        Node::Binary(operator, left, right) => {
            write(f, left, precedence::operand(*operator, Side::Left))?;
            write!(f, " {} ", operator.word())?;
            write(f, right, precedence::operand(*operator, Side::Right))
        }
        Node::Traps(call) => {
            write(f, call, precedence::SUM)?;
            f.write_str(" traps")
        }
        Node::Is(value, presence) => {
            write(f, value, precedence::SUM)?;
            write!(f, " is {}", presence.word())
        }
        Node::If(condition, then, otherwise) => write!(f, "if {condition} then {then} else {otherwise}"),
        _ => bracketed(f, &expression.node),
    }
}

fn unary(f: &mut Formatter<'_>, operator: UnaryOperator, operand: &Expression) -> fmt::Result {
    match (operator, &operand.node) {
        (UnaryOperator::Not, _) => {
            f.write_str("not ")?;
            write(f, operand, precedence::NOT)
        }
        // Without parentheses, parsing would make the sign part of the literal.
        (UnaryOperator::Negate, Node::Int(_) | Node::Float(_)) if level(operand) == precedence::POSTFIX => {
            write!(f, "-({operand})")
        }
        (UnaryOperator::Negate, _) => {
            f.write_char('-')?;
            write(f, operand, precedence::NEGATE)
        }
    }
}

fn bracketed(f: &mut Formatter<'_>, node: &Node) -> fmt::Result {
    match node {
        Node::Sequence(items) => {
            f.write_char('[')?;
            separated(f, items, |f, e| write(f, e, LOOSEST))?;
            f.write_char(']')
        }
        Node::Call { function, arguments } => {
            write!(f, "{}(", function.text)?;
            separated(f, arguments, |f, e| write(f, e, LOOSEST))?;
            f.write_char(')')
        }
        Node::Select(of, output) => {
            write(f, of, precedence::POSTFIX)?;
            write!(f, ".{}", output.text)
        }
        Node::Index(sequence, index) => {
            write(f, sequence, precedence::POSTFIX)?;
            write!(f, "[{index}]")
        }
        Node::Slice(sequence, from, to) => {
            write(f, sequence, precedence::POSTFIX)?;
            f.write_char('[')?;
            from.iter().try_for_each(|e| write(f, e, LOOSEST))?;
            f.write_str("..")?;
            to.iter().try_for_each(|e| write(f, e, LOOSEST))?;
            f.write_char(']')
        }
        _ => Ok(()),
    }
}
