//! Unary and binary operators.

/// An operator with one operand, written before the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// An operator with two operands, written between the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the operators")]
pub enum BinaryOperator {
    Iff,
    Implies,
    Or,
    Xor,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Approximate,
    Contains,
    PrefixOf,
    SuffixOf,
    Add,
    Subtract,
    Multiply,
    Divide,
    Quotient,
    Remainder,
    Power,
}

impl BinaryOperator {
    /// Every operator, from the loosest binding to the tightest.
    pub const ALL: [BinaryOperator; 22] = [
        BinaryOperator::Iff,
        BinaryOperator::Implies,
        BinaryOperator::Or,
        BinaryOperator::Xor,
        BinaryOperator::And,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterEqual,
        BinaryOperator::Approximate,
        BinaryOperator::Contains,
        BinaryOperator::PrefixOf,
        BinaryOperator::SuffixOf,
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Quotient,
        BinaryOperator::Remainder,
        BinaryOperator::Power,
    ];

    /// The comparison with its sides exchanged: `>=` for `<=`, and `==` for itself. `None` if there is no operator for it, as for
    /// `is_prefix_of`.
    pub fn flipped(self) -> Option<BinaryOperator> {
        use BinaryOperator as B;
        match self {
            B::Less => Some(B::Greater),
            B::LessEqual => Some(B::GreaterEqual),
            B::Greater => Some(B::Less),
            B::GreaterEqual => Some(B::LessEqual),
            B::Equal | B::NotEqual | B::Approximate => Some(self),
            _ => None,
        }
    }

    /// The word or sign that the language uses for the operator.
    pub fn word(self) -> &'static str {
        use BinaryOperator as B;
        match self {
            B::Iff => "iff",
            B::Implies => "implies",
            B::Or => "or",
            B::Xor => "xor",
            B::And => "and",
            B::Equal => "==",
            B::NotEqual => "!=",
            B::Less => "<",
            B::LessEqual => "<=",
            B::Greater => ">",
            B::GreaterEqual => ">=",
            B::Approximate => "~=",
            B::Contains => "contains",
            B::PrefixOf => "is_prefix_of",
            B::SuffixOf => "is_suffix_of",
            B::Add => "+",
            B::Subtract => "-",
            B::Multiply => "*",
            B::Divide => "/",
            B::Quotient => "div",
            B::Remainder => "mod",
            B::Power => "^",
        }
    }
}
