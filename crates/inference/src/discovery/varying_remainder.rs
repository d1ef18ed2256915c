//! Finds relations that order a remainder whose divisor varies, such as `f(x) mod f(x + 1) >= 3`: they hold mostly by chance.

use super::term::Node;
use super::{Operator, TermId, Terms};

/// Whether a relation has an order (`<`, `<=`) or a `!=` with a remainder whose divisor is not constant. The remainder and its range both
/// change with the input, so that such an order is often true of nearly all inputs without being a rule, and a sample may contain none of
/// those that violate it. For example, `f(x) mod f(x + 1) >= y mod 100` held on 422,305 of 422,308 random inputs of a function of four
/// parameters. Equations stay: that `q mod gcd(p, q)` is 0 says that the result divides `q`.
pub(super) fn orders_varying_remainder(terms: &Terms, expect: TermId) -> bool {
    let Node::Apply(operator, operands) = terms.node(expect) else { return false };
    match operator {
        Operator::Less | Operator::LessEqual | Operator::NotEqual => {
            operands.iter().any(|&side| has_varying_remainder(terms, side))
        }
        _ => operands.iter().any(|&part| orders_varying_remainder(terms, part)),
    }
}

fn has_varying_remainder(terms: &Terms, term: TermId) -> bool {
    let Node::Apply(operator, operands) = terms.node(term) else { return false };
    let is_one = *operator == Operator::Remainder && terms.variables(operands[1]) != 0;
    is_one || operands.iter().any(|&operand| has_varying_remainder(terms, operand))
}

#[cfg(test)]
mod tests {
    use super::super::samples::variables;
    use super::*;
    use crate::discovery::Leaf;

    #[test]
    fn an_order_of_a_remainder_by_an_output_is_found() {
        let variables = variables(&["x"], &[]);
        let mut terms = Terms::new(variables.iter().map(|variable| variable.ty).collect());
        let [x, f, g] = [0, 1, 2].map(|variable| terms.leaf(Leaf::Variable(variable)));
        let hundred = terms.leaf(Leaf::Int(100));
        let mut apply = |operator, a, b| terms.apply(operator, &[a, b]).expect("numbers");
        let (by_output, by_constant) =
            (apply(Operator::Remainder, f, g), apply(Operator::Remainder, x, hundred));
        let order = apply(Operator::LessEqual, by_constant, by_output);
        let deeper = apply(Operator::Add, by_output, x);
        let deeper = apply(Operator::Less, f, deeper);
        let harmless = apply(Operator::Less, by_constant, f);
        let both = apply(Operator::And, harmless, order);
        let equation = apply(Operator::Equal, by_output, by_constant);
        for term in [order, deeper, both] {
            assert!(orders_varying_remainder(&terms, term), "{term:?}");
        }
        for term in [harmless, equation] {
            assert!(!orders_varying_remainder(&terms, term), "{term:?}");
        }
    }
}
