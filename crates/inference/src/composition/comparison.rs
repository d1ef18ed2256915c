//! How the output of a follow-up call compares with its expectation.

use std::fmt;

use dodona_relations::ast::BinaryOperator;

/// How the output of a follow-up call compares with its expectation: `follow-up COMPARISON expectation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `~=`
    Approximate,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// The comparison that an operator makes; `None` for operators of which no two can be chained, such as `!=`.
    ///
    /// ```
    /// use dodona_inference::composition::Comparison;
    /// use dodona_relations::ast::BinaryOperator;
    /// assert_eq!(Comparison::of(BinaryOperator::LessEqual), Some(Comparison::LessEqual));
    /// assert_eq!(Comparison::of(BinaryOperator::NotEqual), None);
    /// ```
    pub fn of(operator: BinaryOperator) -> Option<Comparison> {
        Some(match operator {
            BinaryOperator::Equal => Comparison::Equal,
            BinaryOperator::Approximate => Comparison::Approximate,
            BinaryOperator::Less => Comparison::Less,
            BinaryOperator::LessEqual => Comparison::LessEqual,
            BinaryOperator::Greater => Comparison::Greater,
            BinaryOperator::GreaterEqual => Comparison::GreaterEqual,
            _ => return None,
        })
    }

    /// The operator of the relation language that makes this comparison.
    pub fn operator(self) -> BinaryOperator {
        match self {
            Comparison::Equal => BinaryOperator::Equal,
            Comparison::Approximate => BinaryOperator::Approximate,
            Comparison::Less => BinaryOperator::Less,
            Comparison::LessEqual => BinaryOperator::LessEqual,
            Comparison::Greater => BinaryOperator::Greater,
            Comparison::GreaterEqual => BinaryOperator::GreaterEqual,
        }
    }

    /// The comparison that says the same when both sides are exchanged: `a <= b` is `b >= a`. Negating both sides also
    /// has this effect.
    pub fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            symmetric => symmetric,
        }
    }

    /// The weaker comparison that also allows both sides to be equal.
    pub(super) fn weakened(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::LessEqual,
            Comparison::Greater => Comparison::GreaterEqual,
            other => other,
        }
    }

    /// Whether it is one of `<`, `<=`, `>`, `>=`.
    pub(super) fn is_order(self) -> bool {
        !matches!(self, Comparison::Equal | Comparison::Approximate)
    }

    /// What follows of a and c when `a self b` and `b next c`. `None` when nothing follows: two orders of opposite
    /// directions, or an order beside an approximation, whose tolerance an order cannot express.
    pub(super) fn chained(self, next: Comparison) -> Option<Comparison> {
        match (self, next) {
            (Comparison::Equal, other) | (other, Comparison::Equal) => Some(other),
            (a, b) if a == b => Some(a),
            (a, b) if a.weakened() == b.weakened() => Some(if a.weakened() == a { b } else { a }),
            _ => None,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operator().word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Comparison as C;

    const ALL: [C; 6] = [C::Equal, C::Approximate, C::Less, C::LessEqual, C::Greater, C::GreaterEqual];

    #[test]
    fn operators_and_comparisons_are_one_to_one() {
        for comparison in ALL {
            assert_eq!(C::of(comparison.operator()), Some(comparison));
            assert_eq!(comparison.flipped().flipped(), comparison);
        }
    }

    #[test]
    fn a_chain_holds_for_all_numbers_for_which_its_links_hold() {
        let holds = |c: C, a: i32, b: i32| match c {
            C::Equal => a == b,
            C::Approximate => (a - b).abs() <= 1,
            C::Less => a < b,
            C::LessEqual => a <= b,
            C::Greater => a > b,
            C::GreaterEqual => a >= b,
        };
        for first in ALL {
            for second in ALL.into_iter().filter(|c| (first, *c) != (C::Approximate, C::Approximate)) {
                let Some(chain) = first.chained(second) else { continue };
                for [a, b, c] in (0..64).map(|n| [n % 4, n / 4 % 4, n / 16]) {
                    assert!(!holds(first, a, b) || !holds(second, b, c) || holds(chain, a, c));
                }
            }
        }
        assert_eq!(C::Less.chained(C::LessEqual), Some(C::Less));
        assert_eq!(C::LessEqual.chained(C::Less), Some(C::Less));
        assert_eq!(C::Equal.chained(C::Greater), Some(C::Greater));
        assert_eq!(C::Less.chained(C::Greater), None);
        assert_eq!(C::Approximate.chained(C::LessEqual), None);
    }
}
