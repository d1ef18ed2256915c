//! Expressions as text, with no more parentheses than the language needs.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::expression::{Binary, Constant, Expression, Kind, Numbers, Operator, Unary};
use crate::source::language::{ATOM, CONDITIONAL, Language, PREFIX};

/// The depth to which expressions are written out.
const DEPTH: u32 = 5;

/// Whether unsigned operators are marked, as `<u`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signs {
    /// They are written like signed ones.
    Plain,
    /// They have a `u` behind them.
    Marked,
}

impl Signs {
    /// The ways to write a change, the better one first: if only one side has unsigned operators, they are marked.
    pub(super) fn for_change(before: &Expression, after: &Expression) -> &'static [Signs] {
        if before.has_unsigned() == after.has_unsigned() {
            &[Signs::Plain, Signs::Marked]
        } else {
            &[Signs::Marked]
        }
    }
}

/// A value that the source has.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Its text there.
    pub text: String,
    /// How tightly it binds.
    pub binding: u8,
    /// Where it stands, in bytes from the start of the file.
    pub start: usize,
}

/// The values and names that the source has words for.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Values, by the instruction that computes them.
    pub values: BTreeMap<u32, Written>,
    /// The opposites of conditions, by the instruction that computes the condition.
    pub opposites: BTreeMap<u32, Written>,
    /// Functions, by their names in the code.
    pub calls: BTreeMap<String, String>,
}

/// Writes expressions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renderer<'a> {
    /// The language, which determines the precedences.
    pub language: Language,
    /// Whether unsigned operators are marked.
    pub signs: Signs,
    /// What is written as in the source.
    pub known: &'a Known,
}

impl Renderer<'_> {
    /// An expression as text.
    pub(super) fn text(&self, expression: &Expression) -> String {
        self.write(expression, DEPTH).0
    }

    /// A condition as text: constants are `true` and `false`.
    pub(super) fn condition(&self, expression: &Expression) -> String {
        match expression.as_int() {
            Some(value) if self.written(expression).is_none() => (value != 0).to_string(),
            _ => self.text(expression),
        }
    }

    /// The value as it is written in the source.
    fn written(&self, expression: &Expression) -> Option<&Written> {
        let value = expression.at.and_then(|at| self.known.values.get(&at));
        value.or_else(|| self.known.opposites.get(&expression.denies?))
    }

    /// The text and how tightly its outermost operator binds.
    fn write(&self, expression: &Expression, depth: u32) -> (String, u8) {
        if let Some(written) = self.written(expression) {
            return (written.text.clone(), written.binding);
        }
        let Some(depth) = depth.checked_sub(1) else {
            return match expression.kind {
                Kind::Local { .. } | Kind::Constant(_) | Kind::Global(_) => self.write(expression, 1),
                _ => ("…".into(), ATOM),
            };
        };
        match &expression.kind {
            Kind::Local { name: Some(name), .. } => (name.clone(), ATOM),
            Kind::Local { index, name: None } => (format!("local{index}"), ATOM),
            Kind::Constant(value) => constant(value),
            Kind::Global(name) => (name.clone(), ATOM),
            Kind::Unary(op, inner) => self.unary(*op, inner, depth),
            Kind::Binary(op, left, right) => self.binary(*op, left, right, depth),
            Kind::Select { condition, then, otherwise } => {
                let condition = self.operand(&condition.as_condition(), CONDITIONAL + 1, depth);
                let (then, otherwise) = (self.operand(then, 1, depth), self.operand(otherwise, 1, depth));
                (format!("{condition} ? {then} : {otherwise}"), CONDITIONAL)
            }
            Kind::Load { width, offset, address } => self.load(*width, *offset, address, depth),
            Kind::Call(name, arguments) => {
                let name = self.known.calls.get(name).unwrap_or(name);
                (format!("{name}({})", self.list(arguments, depth)), ATOM)
            }
            Kind::Assign(target, value) => self.assignment(target, value, depth),
            Kind::Condition(condition) => (self.condition(&condition.as_condition()), CONDITIONAL),
            Kind::Switch(value) => (format!("switch ({})", self.write(value, depth).0), CONDITIONAL),
            Kind::Return(values) if values.is_empty() => ("return".into(), CONDITIONAL),
            Kind::Return(values) => (format!("return {}", self.list(values, depth)), CONDITIONAL),
            Kind::Trap => ("trap".into(), ATOM),
            Kind::Jump => ("jump".into(), ATOM),
            Kind::Sequence(parts) => self.sequence(parts, depth),
            Kind::Opaque => ("…".into(), ATOM),
        }
    }

    fn assignment(&self, target: &Expression, value: &Expression, depth: u32) -> (String, u8) {
        if let (Some(sign), Kind::Binary(_, old, _)) = (shortcut(target, value), &value.kind) {
            // The variable that is read, for which the source may have a name.
            return (format!("{sign}{}", self.operand(old, PREFIX, depth)), PREFIX);
        }
        let value = self.write(value, depth).0;
        (format!("{} = {value}", self.write(target, depth).0), CONDITIONAL)
    }

    fn sequence(&self, parts: &[Expression], depth: u32) -> (String, u8) {
        if parts.is_empty() {
            return ("(removed)".into(), ATOM);
        }
        self.in_short(parts, depth).unwrap_or_else(|| {
            let parts: Vec<_> = parts.iter().map(|p| self.write(p, depth).0).collect();
            (parts.join("; "), CONDITIONAL)
        })
    }

    /// Statements before a value that mutation operators write, by their usual names.
    fn in_short(&self, parts: &[Expression], depth: u32) -> Option<(String, u8)> {
        let [statement, value] = parts else { return None };
        match &statement.kind {
            // The value was fetched before.
            Kind::Assign(target, new) if alike(target, value) => {
                let sign = shortcut(target, new)?;
                Some((format!("{}{sign}", self.operand(value, ATOM, depth)), ATOM))
            }
            Kind::Binary(Binary { operator: Operator::Divide, .. }, one, _) if one.as_int() == Some(1) => {
                Some((format!("trap_on_zero({})", self.write(value, depth).0), ATOM))
            }
            _ => None,
        }
    }

    /// An operand, in parentheses if it binds less tightly than necessary.
    fn operand(&self, expression: &Expression, least: u8, depth: u32) -> String {
        let (text, binding) = self.write(expression, depth);
        if binding < least { format!("({text})") } else { text }
    }

    fn list(&self, expressions: &[Expression], depth: u32) -> String {
        expressions.iter().map(|e| self.write(e, depth).0).collect::<Vec<_>>().join(", ")
    }

    fn unary(&self, op: Unary, inner: &Expression, depth: u32) -> (String, u8) {
        match op {
            Unary::Not => match inner.as_condition().negated() {
                // A float that is not less than another may be unordered, and no relation says this.
                denied if matches!(denied.kind, Kind::Unary(Unary::Not, _)) => {
                    (format!("!{}", self.operand(inner, PREFIX, depth)), PREFIX)
                }
                // One level stands for two here: the operator and its negation.
                plain => self.write(&plain, depth + 1),
            },
            Unary::Negate => (minus(&self.operand(inner, PREFIX, depth)), PREFIX),
            Unary::Convert(ty) => (format!("({ty}){}", self.operand(inner, PREFIX, depth)), PREFIX),
        }
    }

    fn binary(&self, op: Binary, left: &Expression, right: &Expression, depth: u32) -> (String, u8) {
        if let Some(value) = magnitude(op, left, right) {
            return (format!("abs({})", self.write(value, depth).0), ATOM);
        }
        if let (Some(first), Some(second), Some(operator)) =
            (self.written(left), self.written(right), op.operator.exchanged())
            && first.start > second.start
        {
            // The compiler exchanged the operands; the order of the source is easier to read.
            return self.binary(Binary { operator, ..op }, right, left, depth);
        }
        if let (Operator::Add, Some(value @ i64::MIN..0)) = (op.operator, right.as_int())
            && self.written(right).is_none()
            && value > i64::MIN
        {
            let minus = Binary { operator: Operator::Subtract, ..op };
            return self.binary(minus, left, &Expression::int(-value), depth);
        }
        if let (Operator::Subtract, Some(0), Numbers::Signed) = (op.operator, left.as_int(), op.numbers)
            && self.written(left).is_none()
        {
            return (minus(&self.operand(right, PREFIX, depth)), PREFIX);
        }
        if let (Operator::Xor, Some(-1)) = (op.operator, right.as_int())
            && self.written(right).is_none()
        {
            let sign = if self.language == Language::Rust { "!" } else { "~" };
            return (format!("{sign}{}", self.operand(left, PREFIX, depth)), PREFIX);
        }
        let symbol = match op.operator {
            Operator::And if left.is_boolean() && right.is_boolean() => "&&",
            Operator::Or if left.is_boolean() && right.is_boolean() => "||",
            Operator::Xor if left.is_boolean() && right.is_boolean() => "!=",
            other => other.symbol(),
        };
        let binding = self.language.precedence(symbol).unwrap_or(CONDITIONAL);
        // Without parentheses, mixed bitwise operators, shifts and relations of relations would be correct but easy to misread.
        let is_mixed = matches!(symbol, "&" | "^" | "|" | "<<" | ">>");
        let least = |operand: &Expression, least: u8| {
            let compares = op.operator.is_relation() || symbol == "!=";
            if is_mixed || (compares && operand.is_boolean()) { PREFIX } else { least }
        };
        let left = self.operand(left, least(left, binding), depth);
        let right = self.operand(right, least(right, binding + 1), depth);
        let mark = match (self.signs, op.numbers) {
            (Signs::Marked, Numbers::Unsigned) => "u",
            _ => "",
        };
        (format!("{left} {symbol}{mark} {right}"), binding)
    }

    /// `xs[i]` where the address says so, else `*(p + 8)`.
    fn load(&self, width: u32, offset: u64, address: &Expression, depth: u32) -> (String, u8) {
        if let Kind::Binary(Binary { operator: Operator::Add, .. }, base, more) = &address.kind
            && let Some(more) = more.as_int().filter(|_| self.written(address).is_none())
            && let Some(offset) = offset.checked_add_signed(more)
        {
            return self.load(width, offset, base, depth);
        }
        let shift = i64::from(width.trailing_zeros());
        if let Kind::Binary(Binary { operator: Operator::Add, .. }, base, index) = &address.kind
            && let Kind::Binary(Binary { operator: Operator::ShiftLeft, .. }, index, by) = &index.kind
            && by.as_int() == Some(shift)
            && offset.is_multiple_of(u64::from(width))
            && matches!(base.kind, Kind::Local { .. } | Kind::Global(_))
        {
            let base = self.operand(base, ATOM, depth);
            let mut index = self.operand(index, 12, depth);
            if offset > 0 {
                let _ = write!(index, " + {}", offset / u64::from(width));
            }
            return (format!("{base}[{index}]"), ATOM);
        }
        let text = match offset {
            0 => self.operand(address, PREFIX, depth),
            _ => format!("({} + {offset})", self.operand(address, 12, depth)),
        };
        (format!("*{text}"), PREFIX)
    }
}

/// Whether two expressions are the same local.
fn alike(one: &Expression, other: &Expression) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Local { index: a, .. }, Kind::Local { index: b, .. }) => a == b,
        _ => false,
    }
}

/// `++` or `--`, for a local to which one more or less than itself is assigned.
fn shortcut(target: &Expression, value: &Expression) -> Option<&'static str> {
    let Kind::Binary(Binary { operator, .. }, old, by) = &value.kind else { return None };
    let by = match by.kind {
        _ if !alike(target, old) => return None,
        Kind::Constant(Constant::Int(by)) => by,
        Kind::Constant(Constant::Double(1.0) | Constant::Single(1.0)) => 1,
        Kind::Constant(Constant::Double(-1.0) | Constant::Single(-1.0)) => -1,
        _ => return None,
    };
    match (operator, by) {
        (Operator::Add, 1) | (Operator::Subtract, -1) => Some("++"),
        (Operator::Add, -1) | (Operator::Subtract, 1) => Some("--"),
        _ => None,
    }
}

/// The value of `(value ^ s) - s`, where s are the bits of its sign.
fn magnitude<'e>(op: Binary, left: &'e Expression, right: &Expression) -> Option<&'e Expression> {
    let Kind::Binary(Binary { operator: Operator::Xor, .. }, value, sign) = &left.kind else { return None };
    let Kind::Binary(Binary { operator: Operator::ShiftRight, numbers: Numbers::Signed }, of, by) =
        &sign.kind
    else {
        return None;
    };
    let is_sign = matches!(by.as_int(), Some(31 | 63)) && of.kind == value.kind && sign.kind == right.kind;
    (op.operator == Operator::Subtract && is_sign).then_some(value)
}

fn constant(value: &Constant) -> (String, u8) {
    let text = match value {
        Constant::Int(value) => value.to_string(),
        Constant::Single(value) => float(f64::from(*value), value.to_string()),
        Constant::Double(value) => float(*value, value.to_string()),
    };
    let binding = if text.starts_with('-') { PREFIX } else { ATOM };
    (text, binding)
}

/// A float as text that is read as a float.
fn float(value: f64, shortest: String) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "nan".into() } else { shortest };
    }
    let text = if shortest.len() > 20 { format!("{value:e}") } else { shortest };
    if text.contains(['.', 'e']) { text } else { format!("{text}.0") }
}

/// The negative of an operand. Two minus signs side by side would be read as a decrement.
fn minus(operand: &str) -> String {
    if operand.starts_with('-') { format!("-({operand})") } else { format!("-{operand}") }
}
