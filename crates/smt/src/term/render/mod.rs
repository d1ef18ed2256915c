//! Terms as people read them: in infix notation, as in source code.

mod comparison;
mod constant;
#[cfg(test)]
mod tests;
mod written_bits;

use super::{Op, Sort, Term, Terms, Variable};

/// Characters that a rendered term has at most, the last an ellipsis.
const LONGEST: usize = 240;
/// The most nodes that are visited. A shared node is written again wherever it occurs.
const MOST_NODES: u32 = 160;
const DEEPEST: u32 = 40;

/// How tightly an expression binds, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    BitOr,
    BitXor,
    BitAnd,
    Comparison,
    Shift,
    Sum,
    Product,
    Sign,
    Atom,
}

/// An expression and how tightly it binds.
struct Text {
    text: String,
    binding: Binding,
}

/// A rendering in progress.
struct Renderer<'a> {
    terms: &'a Terms,
    nodes: u32,
    depth: u32,
}

impl Terms {
    /// The term in the notation of source code, cut off with an ellipsis after 240 characters: `y + x == 0`, `text[0] == 'a'`,
    /// `0 <= a < 10` for an unsigned comparison of a signed number.
    ///
    /// ```
    /// use dodona_smt::term::{Op, Sort, Term, Terms};
    /// let mut terms = Terms::new();
    /// let (x, y) = (terms.variable("x", Sort::Bits(32)), terms.variable("y", Sort::Bits(32)));
    /// let sum = terms.binary(Op::Add, y, x);
    /// let zero = terms.equal(sum, Term::bits(32, 0));
    /// assert_eq!(terms.render(zero), "y + x == 0");
    /// let not = terms.not(zero);
    /// assert_eq!(terms.render(not), "y + x != 0");
    /// ```
    pub fn render(&self, term: Term) -> String {
        let mut text = Renderer { terms: self, nodes: 0, depth: 0 }.term(term).text;
        if let Some((end, _)) = text.char_indices().nth(LONGEST - 1)
            && text.chars().count() > LONGEST
        {
            text.truncate(end);
            text.push('…');
        }
        text
    }
}

fn atom(text: impl Into<String>) -> Text {
    Text { text: text.into(), binding: Binding::Atom }
}

fn called(function: &str, arguments: &[&str]) -> Text {
    atom(format!("{function}({})", arguments.join(", ")))
}

impl Text {
    /// The text, in parentheses if its surroundings bind tighter.
    fn within(self, binding: Binding) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text }
    }
}

impl Renderer<'_> {
    /// A term without an operand beside it. Bits are a signed or unsigned number, depending on their origin.
    fn term(&mut self, term: Term) -> Text {
        let Term::Node(sort, id) = term else { return constant::number(self.terms, term, term) };
        if self.nodes >= MOST_NODES || self.depth >= DEEPEST {
            return atom("…");
        }
        self.nodes += 1;
        self.depth += 1;
        let node = self.terms.node(id);
        let text = match node.operands[..] {
            [] => self.variable(node.op),
            [a] => self.one(node.op, sort, a),
            [a, b] => self.two(node.op, a, b),
            [condition, a, b] => self.choice(condition, a, b),
            _ => atom("…"),
        };
        self.depth -= 1;
        text
    }

    fn at(&mut self, term: Term, binding: Binding) -> String {
        self.term(term).within(binding)
    }

    fn free(&mut self, term: Term) -> String {
        self.term(term).text
    }

    fn variable(&self, op: Op) -> Text {
        match op {
            Op::Variable(Variable(index)) => atom(self.terms.variables()[index as usize].0.clone()),
            _ => atom("…"),
        }
    }

    fn choice(&mut self, condition: Term, a: Term, b: Term) -> Text {
        let negated =
            self.terms.as_two(a, Op::Sub).is_some_and(|(zero, x)| zero.constant() == Some(0) && x == b);
        let of_sign = self
            .terms
            .as_two(condition, Op::SignedLess)
            .is_some_and(|(x, zero)| zero.constant() == Some(0) && x == b);
        if negated && of_sign {
            let x = self.free(b);
            return called("abs", &[&x]);
        }
        let (condition, a, b) = (self.free(condition), self.free(a), self.free(b));
        atom(format!("(if {condition} then {a} else {b})"))
    }

    fn one(&mut self, op: Op, sort: Sort, a: Term) -> Text {
        let name = match op {
            Op::Not => return self.not(a),
            Op::Extract { low } => return self.extract(a, low, sort.width()),
            Op::ZeroExtend => return self.term(a),
            Op::SignExtend => return self.sign_extend(a, sort.width()),
            Op::FromBits if matches!(self.terms.op_of(a), Some(Op::Variable(_))) => return self.term(a),
            Op::FloatNegate => {
                let a = self.at(a, Binding::Sign);
                return Text { text: format!("-{a}"), binding: Binding::Sign };
            }
            // For people there is only one NaN.
            Op::FloatCanonical => return self.term(a),
            Op::FromBits => "from_bits",
            Op::ToBits => "bits",
            Op::CountLeadingZeros => "leading_zeros",
            Op::CountTrailingZeros => "trailing_zeros",
            Op::CountOnes => "count_ones",
            Op::FloatSqrt => "sqrt",
            Op::FloatAbs => "abs",
            Op::FloatCeil => "ceil",
            Op::FloatFloor => "floor",
            Op::FloatTrunc => "trunc",
            Op::FloatNearest => "nearest",
            Op::FloatConvert | Op::FromSigned | Op::FromUnsigned if sort == Sort::F32 => "f32",
            Op::FloatConvert | Op::FromSigned | Op::FromUnsigned => "f64",
            Op::ToSigned => "int",
            Op::ToUnsigned => "unsigned",
            _ => "…",
        };
        let a = self.free(a);
        called(name, &[&a])
    }

    fn two(&mut self, op: Op, a: Term, b: Term) -> Text {
        let (sign, binding) = match op {
            Op::And => ("and", Binding::And),
            Op::Or => ("or", Binding::Or),
            Op::Equal | Op::FloatEqual => return self.equal(a, b, "=="),
            Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
                return self.ordered(op, a, b);
            }
            Op::FloatLess => return self.compared(a, b, "<"),
            Op::FloatLessEqual => return self.compared(a, b, "<="),
            Op::Add => return self.sum(a, b),
            Op::Sub => return self.difference(a, b),
            Op::Concat => return self.concat(a, b),
            Op::BitAnd => ("&", Binding::BitAnd),
            Op::BitOr => ("|", Binding::BitOr),
            Op::BitXor => return self.exclusive_or(a, b),
            Op::ShiftLeft => ("<<", Binding::Shift),
            Op::ShiftRightSigned => (">>", Binding::Shift),
            Op::ShiftRight => (">>>", Binding::Shift),
            Op::FloatAdd => ("+", Binding::Sum),
            Op::FloatSub => ("-", Binding::Sum),
            Op::Mul | Op::FloatMul => ("*", Binding::Product),
            Op::SignedDivide | Op::FloatDivide => ("/", Binding::Product),
            Op::SignedRemainder => ("%", Binding::Product),
            Op::UnsignedDivide | Op::UnsignedRemainder => return self.unsigned_quotient(op, a, b),
            Op::FloatMin => return self.function("min", a, b),
            Op::FloatMax => return self.function("max", a, b),
            Op::FloatCopySign => return self.function("copysign", a, b),
            _ => return atom("…"),
        };
        self.infix(a, sign, b, binding)
    }

    fn function(&mut self, name: &str, a: Term, b: Term) -> Text {
        let (a, b) = (self.free(a), self.free(b));
        called(name, &[&a, &b])
    }

    /// `a sign b`. `b` has to bind tighter, unless the order of such operators does not matter.
    fn infix(&mut self, a: Term, sign: &str, b: Term, binding: Binding) -> Text {
        let tighter = match sign {
            "and" | "or" | "&" | "|" | "^" | "*" => binding,
            _ if binding == Binding::Sum => Binding::Product,
            _ => Binding::Sign,
        };
        let masks = matches!(binding, Binding::BitAnd | Binding::BitOr | Binding::BitXor);
        // Parentheses are always written between `and` and `or`, because few people know which binds tighter.
        let around = |term: Term, binding| match self.terms.op_of(term) {
            Some(Op::And) if sign == "or" => Binding::Not,
            _ => binding,
        };
        let (before, behind) = (around(a, binding), around(b, tighter));
        let left = self.at(a, before);
        let right = match b {
            Term::Constant(..) if masks => constant::mask(b),
            _ => constant_beside(self, b, a).within(behind),
        };
        Text { text: format!("{left} {sign} {right}"), binding }
    }
}

/// An operand beside another one, which says how a constant is read.
fn constant_beside(renderer: &mut Renderer<'_>, term: Term, other: Term) -> Text {
    match term {
        Term::Constant(..) => constant::number(renderer.terms, term, other),
        Term::Node(..) => renderer.term(term),
    }
}
