//! Relations that only seem to compare outputs: what they say is true of each output alone.

use super::column::{Data, block};
use super::term::Node;
use super::{Bits, Evaluator, Operator, TermId, Terms};

/// Whether a comparison that holds on the correct rows holds between any two of them, so that it compares nothing. Both sides
/// of an equation are then the same constant, or all values of the smaller side lie below all values of the greater side.
/// `q mod gcd(p + 31, q) == p mod gcd(p, q)` says that both sides are 0, and `f(y) > -f(x)` says that results are positive. A
/// conjunction compares nothing if none of its parts does. That `max(f(x), f(y))` is not some constant is about each output
/// alone too, and mostly only says that the constant is a rare output.
pub(super) fn is_disguised(
    evaluator: &mut Evaluator,
    terms: &Terms,
    condition: Option<TermId>,
    expect: TermId,
) -> bool {
    let Node::Apply(operator, operands) = terms.node(expect) else { return false };
    let (operator, operands) = (*operator, operands.clone());
    match (operator, &operands[..]) {
        (Operator::And, parts) => parts.iter().all(|&part| is_disguised(evaluator, terms, condition, part)),
        (
            Operator::Equal
            | Operator::Approximate
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessEqual,
            &[a, b],
        ) => {
            let eligible = condition.map(|condition| evaluator.holds(terms, condition));
            let (Some(a), Some(b)) = (
                extent(evaluator, terms, eligible.as_ref(), a),
                extent(evaluator, terms, eligible.as_ref(), b),
            ) else {
                return false;
            };
            match operator {
                Operator::Equal | Operator::Approximate => a.is_constant() && b.is_constant(),
                Operator::NotEqual => {
                    a.is_constant() || b.is_constant() || a.greatest < b.least || b.greatest < a.least
                }
                Operator::Less => a.greatest < b.least,
                _ => a.greatest <= b.least,
            }
        }
        _ => false,
    }
}

/// The least and the greatest value of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    least: f64,
    greatest: f64,
}

impl Extent {
    fn is_constant(&self) -> bool {
        self.least == self.greatest
    }
}

/// The least and the greatest value of a term on the correct rows where a condition is true. Texts and sequences are
/// represented by numbers, of which only equality means something. `None` if there is no row, or if a value is not a number.
fn extent(evaluator: &mut Evaluator, terms: &Terms, eligible: Option<&Bits>, term: TermId) -> Option<Extent> {
    let column = evaluator.column(terms, term);
    let correct = evaluator.correct_words() * 64;
    let rows = eligible.unwrap_or(evaluator.rows()).rows().take_while(|&row| row < correct);
    let mut extent: Option<Extent> = None;
    for row in rows {
        if column.defined.as_ref().is_some_and(|defined| !defined.contains(row)) {
            continue;
        }
        let value = match &column.data {
            Data::Bool(bits) => f64::from(u8::from(bits.contains(row))),
            Data::Real(blocks) => block(blocks, row / 64)[row % 64],
            Data::Wide(blocks) => block(blocks, row / 64)[row % 64] as f64,
            Data::Ids(blocks) => f64::from(block(blocks, row / 64)[row % 64]),
        };
        if value.is_nan() {
            return None;
        }
        let so_far = extent.unwrap_or(Extent { least: value, greatest: value });
        extent = Some(Extent { least: so_far.least.min(value), greatest: so_far.greatest.max(value) });
    }
    extent
}

#[cfg(test)]
mod tests {
    use dodona_target::Column;

    use super::super::samples::variables;
    use super::*;
    use crate::discovery::{Leaf, Pairs};

    #[test]
    fn what_any_two_rows_obey_compares_nothing() {
        let columns = [[1, 2, 3], [4, 5, 6], [0, 0, 0], [1, 2, 3]];
        let variables = variables(&["a", "b"], &[]);
        let mut terms = Terms::new(variables.iter().map(|variable| variable.ty).collect());
        let pairs = Pairs {
            columns: columns.map(|values| Column::Int(values.to_vec())).to_vec(),
            variables,
            correct: 3,
            mutants: vec![],
            mutant_count: 0,
            refused: vec![],
            crashed: vec![],
            constants: vec![],
        };
        let mut evaluator = Evaluator::new(&pairs);
        let [low, high, zero, same] = [0, 1, 2, 3].map(|v| terms.leaf(Leaf::Variable(v)));
        let mut is = |operator, a, b| {
            let term = terms.apply(operator, &[a, b]).expect("numbers compare");
            is_disguised(&mut evaluator, &terms, None, term)
        };
        assert!(is(Operator::Less, low, high) && is(Operator::NotEqual, low, high));
        assert!(is(Operator::Equal, zero, zero) && is(Operator::NotEqual, low, zero));
        assert!(!is(Operator::Equal, low, same) && !is(Operator::LessEqual, low, same));
        assert!(!is(Operator::NotEqual, low, same));
    }
}
