//! Expressions of the source's kind, as trees.

/// A value or a statement as a programmer would write it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression {
    /// What it is.
    pub kind: Kind,
    /// The instruction of the original whose value this is, unchanged; `None` for what a mutant computes.
    pub at: Option<u32>,
    /// The instruction of the original that this condition is the opposite of.
    pub denies: Option<u32>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A local, with the name of the variable that it holds where that is known.
    Local {
        /// Its index.
        index: u32,
        /// The variable's name.
        name: Option<String>,
    },
    /// A constant.
    Constant(Constant),
    /// A global by name.
    Global(String),
    /// An operation on one value.
    Unary(Unary, Box<Expression>),
    /// An operation on two values.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// One of two values.
    Select {
        /// Which: the first when it is not zero.
        condition: Box<Expression>,
        /// The first.
        then: Box<Expression>,
        /// The second.
        otherwise: Box<Expression>,
    },
    /// What lies at an address.
    Load {
        /// The bytes that are read.
        width: u32,
        /// The constant part of the address.
        offset: u64,
        /// The rest of the address.
        address: Box<Expression>,
    },
    /// A function's result.
    Call(String, Vec<Expression>),
    /// A value stored in a variable or in memory.
    Assign(Box<Expression>, Box<Expression>),
    /// A branch that is always taken.
    Jump,
    /// A branch taken when the value is not zero.
    Condition(Box<Expression>),
    /// A branch by the value.
    Switch(Box<Expression>),
    /// The end of the call.
    Return(Vec<Expression>),
    /// A trap.
    Trap,
    /// Several statements in order; nothing at all when empty.
    Sequence(Vec<Expression>),
    /// Something that is not worth its words, such as a value from several paths.
    Opaque,
}

/// A constant of a WebAssembly type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    /// An integer of 32 or 64 bits, as signed.
    Int(i64),
    /// A float of 32 bits.
    Single(f32),
    /// A float of 64 bits.
    Double(f64),
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    /// 1 for zero, else 0.
    Not,
    /// The negated float.
    Negate,
    /// A conversion to a type of this name.
    Convert(&'static str),
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Binary {
    /// Which.
    pub operator: Operator,
    /// What it operates on.
    pub numbers: Numbers,
}

/// How an operation reads its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// As signed integers, or integers where the sign does not matter.
    Signed,
    /// As unsigned integers.
    Unsigned,
    /// As floats.
    Float,
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the usual names")]
pub(super) enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Xor,
    Or,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Operator {
    /// As C, C++, Rust and Zig write it.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::And => "&",
            Operator::Xor => "^",
            Operator::Or => "|",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
        }
    }

    /// The operator written so, if it is one of these.
    pub(super) fn of_symbol(symbol: &str) -> Option<Operator> {
        use Operator as O;
        let all = [
            O::Multiply,
            O::Divide,
            O::Remainder,
            O::Add,
            O::Subtract,
            O::ShiftLeft,
            O::ShiftRight,
            O::And,
            O::Xor,
            O::Or,
            O::Less,
            O::LessEqual,
            O::Greater,
            O::GreaterEqual,
            O::Equal,
            O::NotEqual,
        ];
        all.into_iter().find(|o| o.symbol() == symbol)
    }

    /// For a relation: the one that holds where this one does not, of ordered values.
    pub(super) fn negated(self) -> Option<Operator> {
        Some(match self {
            Operator::Less => Operator::GreaterEqual,
            Operator::LessEqual => Operator::Greater,
            Operator::Greater => Operator::LessEqual,
            Operator::GreaterEqual => Operator::Less,
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            _ => return None,
        })
    }

    /// The operator that gives the same with its operands exchanged, if there is one.
    pub(super) fn exchanged(self) -> Option<Operator> {
        Some(match self {
            Operator::Less => Operator::Greater,
            Operator::LessEqual => Operator::GreaterEqual,
            Operator::Greater => Operator::Less,
            Operator::GreaterEqual => Operator::LessEqual,
            Operator::Divide
            | Operator::Remainder
            | Operator::Subtract
            | Operator::ShiftLeft
            | Operator::ShiftRight => return None,
            same => same,
        })
    }

    /// Whether it gives 0 or 1.
    pub(super) fn is_relation(self) -> bool {
        self.negated().is_some()
    }
}

impl Expression {
    /// An expression that a mutant computes.
    pub(super) fn new(kind: Kind) -> Expression {
        Expression { kind, at: None, denies: None }
    }

    /// The expressions in it, outermost only.
    pub(super) fn children(&mut self) -> Vec<&mut Expression> {
        match &mut self.kind {
            Kind::Unary(_, inner) | Kind::Load { address: inner, .. } => vec![inner],
            Kind::Condition(inner) | Kind::Switch(inner) => vec![inner],
            Kind::Binary(_, left, right) | Kind::Assign(left, right) => vec![left, right],
            Kind::Select { condition, then, otherwise } => vec![condition, then, otherwise],
            Kind::Call(_, all) | Kind::Return(all) | Kind::Sequence(all) => all.iter_mut().collect(),
            Kind::Local { .. }
            | Kind::Constant(_)
            | Kind::Global(_)
            | Kind::Trap
            | Kind::Jump
            | Kind::Opaque => Vec::new(),
        }
    }

    /// Whether some operator in it reads its operands as unsigned.
    pub(super) fn has_unsigned(&self) -> bool {
        let here = match &self.kind {
            Kind::Binary(op, ..) => op.numbers == Numbers::Unsigned,
            _ => false,
        };
        here || self.clone().children().into_iter().any(|child| child.has_unsigned())
    }

    /// An integer.
    pub(super) fn int(value: i64) -> Expression {
        Expression::new(Kind::Constant(Constant::Int(value)))
    }

    /// The value, where it is an integer constant.
    pub(super) fn as_int(&self) -> Option<i64> {
        match self.kind {
            Kind::Constant(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether it gives 0 or 1 by what it computes.
    pub(super) fn is_boolean(&self) -> bool {
        let is_bit = |e: &Expression| e.is_boolean() || matches!(e.as_int(), Some(0 | 1));
        match &self.kind {
            Kind::Unary(Unary::Not, _) => true,
            Kind::Binary(op, left, right) => match op.operator {
                Operator::And | Operator::Or | Operator::Xor => {
                    (left.is_boolean() && is_bit(right)) || (right.is_boolean() && is_bit(left))
                }
                relation => relation.is_relation(),
            },
            _ => false,
        }
    }

    /// The condition that holds where this one, read as a condition, does not.
    #[must_use]
    pub(super) fn negated(&self) -> Expression {
        let opposite = self.opposite();
        // The opposite of the opposite is the original again.
        Expression {
            at: self.denies.or(opposite.at),
            denies: self.at.or(opposite.denies),
            kind: opposite.kind,
        }
    }

    fn opposite(&self) -> Expression {
        let both = |operator: Operator, left: &Expression, right: &Expression| {
            let numbers = Numbers::Signed;
            Expression::new(Kind::Binary(
                Binary { operator, numbers },
                left.clone().into(),
                right.clone().into(),
            ))
        };
        match &self.kind {
            Kind::Unary(Unary::Not, inner) => inner.as_condition(),
            Kind::Binary(op, left, right) => match op.operator {
                // De Morgan's laws.
                Operator::And if left.is_boolean() && right.is_boolean() => {
                    both(Operator::Or, &left.negated(), &right.negated())
                }
                Operator::Or if left.is_boolean() && right.is_boolean() => {
                    both(Operator::And, &left.negated(), &right.negated())
                }
                Operator::Xor if left.is_boolean() && right.is_boolean() => {
                    both(Operator::Equal, left, right)
                }
                relation => match relation.negated().filter(|_| op.numbers != Numbers::Float) {
                    Some(operator) => {
                        Expression::new(Kind::Binary(Binary { operator, ..*op }, left.clone(), right.clone()))
                    }
                    None => self.denied(),
                },
            },
            Kind::Constant(Constant::Int(value)) => Expression::int(i64::from(*value == 0)),
            _ => self.denied(),
        }
    }

    fn denied(&self) -> Expression {
        Expression::new(Kind::Unary(Unary::Not, Box::new(self.clone())))
    }

    /// As a condition: numbers are compared with zero.
    #[must_use]
    pub(super) fn as_condition(&self) -> Expression {
        match &self.kind {
            Kind::Constant(Constant::Int(value)) => Expression::int(i64::from(*value != 0)),
            Kind::Opaque => self.clone(),
            _ if self.is_boolean() => self.clone(),
            _ => {
                let differs = Binary { operator: Operator::NotEqual, numbers: Numbers::Signed };
                Expression::new(Kind::Binary(differs, Box::new(self.clone()), Box::new(Expression::int(0))))
            }
        }
    }
}

/// Something that is not known in words.
pub(super) const OPAQUE: Expression = Expression { kind: Kind::Opaque, at: None, denies: None };

/// A value that is assigned to a target.
pub(super) fn assign(target: Kind, value: Expression) -> Kind {
    Kind::Assign(Box::new(Expression::new(target)), Box::new(value))
}

/// The last values of a stack, taken; fewer where it has not so many.
pub(super) fn popped(stack: &mut Vec<Expression>, count: usize) -> Vec<Expression> {
    let start = stack.len().saturating_sub(count);
    stack.split_off(start)
}
