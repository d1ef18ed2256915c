//! Unary and binary operators.

/// An operator with one operand, written before the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// A row for each operator with two operands: its name, and the word or sign that the language uses for it.
macro_rules! binary_operators {
    ($($name:ident, $word:literal;)*) => {
        /// An operator with two operands, written between the operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are the operators")]
        pub enum BinaryOperator {
            $($name,)*
        }

        impl BinaryOperator {
            /// Every operator, from the loosest binding to the tightest.
            pub const ALL: [BinaryOperator; [$($word),*].len()] = [$(BinaryOperator::$name),*];

            /// The word or sign that the language uses for the operator.
            pub fn word(self) -> &'static str {
                match self {
                    $(BinaryOperator::$name => $word,)*
                }
            }
        }
    };
}

binary_operators! {
    Iff, "iff";
    Implies, "implies";
    Or, "or";
    Xor, "xor";
    And, "and";
    Equal, "==";
    NotEqual, "!=";
    Less, "<";
    LessEqual, "<=";
    Greater, ">";
    GreaterEqual, ">=";
    Approximate, "~=";
    Contains, "contains";
    PrefixOf, "is_prefix_of";
    SuffixOf, "is_suffix_of";
    SubsetOf, "is_subset_of";
    DisjointFrom, "is_disjoint_from";
    PermutationOf, "is_permutation_of";
    Add, "+";
    Subtract, "-";
    Multiply, "*";
    Divide, "/";
    Quotient, "div";
    Remainder, "mod";
    Power, "^";
}

impl BinaryOperator {
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
}
