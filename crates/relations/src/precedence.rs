//! How tightly operators bind: one table for the parser, the printer, and whoever counts parentheses.

use crate::ast::BinaryOperator as B;

/// The loosest operator's level.
pub const LOOSEST: u8 = 1;
/// The level of `not`.
pub const NOT: u8 = 6;
/// The level of comparisons and `traps`, which do not chain.
pub const COMPARISON: u8 = 7;
/// The level of arithmetic operands of comparisons.
pub const SUM: u8 = 8;
/// The level of unary minus.
pub const NEGATE: u8 = 10;
/// The level of indexing, selection, and everything that needs no parentheses.
pub const POSTFIX: u8 = 12;

/// A side of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the operator.
    Left,
    /// Behind it.
    Right,
}

/// The level of an operator.
pub fn of(operator: B) -> u8 {
    match operator {
        B::Iff => LOOSEST,
        B::Implies => 2,
        B::Or => 3,
        B::Xor => 4,
        B::And => 5,
        B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Approximate => {
            COMPARISON
        }
        B::Contains | B::PrefixOf | B::SuffixOf => COMPARISON,
        B::Add | B::Subtract => SUM,
        B::Multiply | B::Divide | B::Quotient | B::Remainder => 9,
        B::Power => 11,
    }
}

/// The least level that an operand may have without parentheses.
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
