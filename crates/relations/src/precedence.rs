//! How tightly operators bind: the one table that parser and printer share.

use crate::ast::BinaryOperator as B;

/// The level of a whole expression, and of `if … then … else …`, which reaches as far as it can.
pub const LOOSEST: u8 = 0;
/// The level of `not`.
pub const NOT: u8 = 6;
/// The level of comparisons, `traps` and `is`, which cannot be chained.
pub const COMPARISON: u8 = 7;
/// The level of sums, which are the loosest operands that comparisons take without parentheses.
pub const SUM: u8 = 8;
/// The level of unary minus.
pub const NEGATE: u8 = 10;
/// The level of indexing, selection, and everything that needs no parentheses.
pub const POSTFIX: u8 = 12;

/// The side of an operator on which an operand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the operator.
    Left,
    /// Behind the operator.
    Right,
}

/// The level of an operator.
pub fn of(operator: B) -> u8 {
    match operator {
        B::Iff => 1,
        B::Implies => 2,
        B::Or => 3,
        B::Xor => 4,
        B::And => 5,
        B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Approximate => {
            COMPARISON
        }
        B::Contains | B::PrefixOf | B::SuffixOf => COMPARISON,
        B::SubsetOf | B::DisjointFrom | B::PermutationOf => COMPARISON,
        B::Add | B::Subtract => SUM,
        B::Multiply | B::Divide | B::Quotient | B::Remainder => 9,
        B::Power => 11,
    }
}

/// The lowest level that an operand on this side may have without parentheses.
pub fn operand(operator: B, side: Side) -> u8 {
    match (operator, side) {
        (B::Implies, Side::Left) => of(B::Implies) + 1,
        (B::Implies, Side::Right) => of(B::Implies),
        (B::Power, Side::Left) => POSTFIX,
        (B::Power, Side::Right) => NEGATE,
        (_, Side::Left) if of(operator) != COMPARISON => of(operator),
        _ => of(operator) + 1,
    }
}
