//! Terms as the language writes them.

use dodona_relations::ast::{Expression, Node, call, output};

use super::equation_term::{TermId, Terms};
use super::head::Head;
use super::vocabulary::Vocabulary;
use crate::discovery::{EmptyKind, Operator};

/// A term as the language writes it.
pub(super) fn expression(vocabulary: &Vocabulary, terms: &Terms, id: TermId) -> Expression {
    let term = terms.get(id);
    let operands: Vec<Expression> =
        term.operands.iter().map(|&operand| expression(vocabulary, terms, operand)).collect();
    Expression::new(match term.head {
        Head::Variable(v) => Node::Name(vocabulary.variables[usize::from(v)].name.clone()),
        Head::Int(value) => Node::Int(value.into()),
        Head::Float(bits) => Node::Float(f64::from_bits(bits)),
        Head::Bool(value) => Node::Bool(value),
        Head::Empty(EmptyKind::Text) => Node::Text("".into()),
        Head::Empty(_) => Node::Sequence(Vec::new()),
        Head::Word(operator) => return operator.write(in_order(operator, operands)),
        Head::Output { function, output: of } => {
            let declared = &vocabulary.functions[usize::from(function)];
            let selector = declared.outputs[usize::from(of)].selector.as_deref();
            return output(call(&declared.name, operands), selector);
        }
    })
}

/// The operands in the order in which people write them: `2 * len(b)`, `len(b) + 2`, `len(b) mod 3 == 0`.
fn in_order(operator: Operator, mut operands: Vec<Expression>) -> Vec<Expression> {
    let is_number = |e: &Expression| matches!(e.node, Node::Int(_));
    if let [a, b] = &operands[..] {
        let is_exchanged = match operator {
            Operator::Multiply => is_number(b),
            Operator::Add | Operator::Equal => is_number(a),
            _ => false,
        };
        if is_exchanged {
            operands.swap(0, 1);
        }
    }
    operands
}
