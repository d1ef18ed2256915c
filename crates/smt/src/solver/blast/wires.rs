//! The bits of terms as wires of a circuit.

use rustc_hash::FxHashMap;

use super::circuit::{Circuit, Wire};
use crate::term::{Node, NodeId, Op, Sort, Term, Terms, Variable};

/// A constant factor with more ones than this is left out: each one is an adder.
const MOST_ONES: u32 = 4;

/// The wires of terms, the lowest bit first; a truth value is one wire.
pub(super) struct Bits<'t> {
    pub(super) circuit: Circuit,
    terms: &'t Terms,
    nodes: FxHashMap<NodeId, Vec<Wire>>,
    variables: FxHashMap<Variable, Vec<Wire>>,
    /// The results of operators that rules relate to each other.
    pub(super) results: Vec<Related>,
}

/// A result of which rules are known.
#[derive(Clone, Debug)]
pub(super) struct Related {
    pub(super) node: NodeId,
    pub(super) op: Op,
    pub(super) sort: Sort,
    pub(super) operands: Vec<Vec<Wire>>,
    pub(super) result: Vec<Wire>,
}

impl<'t> Bits<'t> {
    pub(super) fn new(terms: &'t Terms) -> Bits<'t> {
        Bits {
            circuit: Circuit::new(),
            terms,
            nodes: FxHashMap::default(),
            variables: FxHashMap::default(),
            results: Vec::new(),
        }
    }

    /// The wires of a term; `None` if the circuit would have more wires than this.
    pub(super) fn of(&mut self, term: Term, most: usize) -> Option<Vec<Wire>> {
        let terms = self.terms;
        // Operands come before what is made of them, so that no recursion is needed.
        for id in terms.nodes_below(&[term]) {
            if !self.nodes.contains_key(&id) {
                let wires = self.node(id, terms.node(id));
                debug_assert_eq!(wires.len(), usize::from(terms.node(id).sort.width()));
                self.nodes.insert(id, wires);
                if self.circuit.wires() > most {
                    return None;
                }
            }
        }
        Some(self.made(term))
    }

    /// The value of a variable in what the SAT solver found.
    pub(super) fn value(&self, variable: Variable) -> u128 {
        let wires = self.variables.get(&variable).into_iter().flatten().enumerate();
        wires.map(|(bit, wire)| u128::from(self.circuit.value(*wire)) << bit).sum()
    }

    /// The wires of a constant, or of a node that was made.
    fn made(&self, term: Term) -> Vec<Wire> {
        match term {
            Term::Constant(sort, value) => {
                (0..sort.width()).map(|bit| self.circuit.constant(value >> bit & 1 == 1)).collect()
            }
            Term::Node(_, id) => self.nodes[&id].clone(),
        }
    }

    /// Wires that may have any values.
    pub(super) fn any(&mut self, width: usize) -> Vec<Wire> {
        (0..width).map(|_| self.circuit.fresh()).collect()
    }

    fn node(&mut self, id: NodeId, node: &Node) -> Vec<Wire> {
        let width = usize::from(node.sort.width());
        if let Op::Variable(variable) = node.op {
            let wires = self.any(width);
            self.variables.insert(variable, wires.clone());
            return wires;
        }
        let operands: Vec<Vec<Wire>> = node.operands.iter().map(|operand| self.made(*operand)).collect();
        let known = match operands.as_slice() {
            [a] => self.one(node.op, a, width),
            // A constant factor stands second. Of a sum of several multiples it is hard to see what is known of products.
            [a, _] if node.op == Op::Mul => {
                let sum = node.operands[1].constant().and_then(|factor| self.multiple(a, factor));
                return self.related(id, node, operands, sum);
            }
            [a, b] => self.two(node.op, a, b),
            [condition, a, b] if node.op == Op::Ite => Some(self.choose(condition[0], a, b)),
            _ => None,
        };
        known.unwrap_or_else(|| self.related(id, node, operands, None))
    }

    fn one(&mut self, op: Op, a: &[Wire], width: usize) -> Option<Vec<Wire>> {
        let no = self.circuit.constant(false);
        let last = a.len() - 1;
        Some(match op {
            Op::Not => vec![!a[0]],
            Op::Extract { low } => a[usize::from(low)..][..width].to_vec(),
            Op::ZeroExtend => extended(a, width, no),
            Op::SignExtend => extended(a, width, a[last]),
            // A float and its bits have the same wires.
            Op::FromBits | Op::ToBits => a.to_vec(),
            Op::FloatAbs => with_sign(a, no),
            Op::FloatNegate => with_sign(a, !a[last]),
            Op::FloatCanonical => self.canonical(a),
            _ => return None,
        })
    }

    fn two(&mut self, op: Op, a: &[Wire], b: &[Wire]) -> Option<Vec<Wire>> {
        let circuit = &mut self.circuit;
        let mut each = |gate: fn(&mut Circuit, Wire, Wire) -> Wire| -> Vec<Wire> {
            a.iter().zip(b).map(|(a, b)| gate(circuit, *a, *b)).collect()
        };
        Some(match op {
            Op::And | Op::BitAnd => each(Circuit::and),
            Op::Or | Op::BitOr => each(Circuit::or),
            Op::BitXor => each(Circuit::xor),
            Op::Concat => [b, a].concat(),
            Op::FloatCopySign => with_sign(a, b[b.len() - 1]),
            Op::Equal => vec![self.equal(a, b)],
            Op::Add => self.sum(a, b, false),
            Op::Sub => self.sum(a, &negated(b), true),
            Op::UnsignedLess => vec![self.less(a, b)],
            Op::UnsignedLessEqual => vec![!self.less(b, a)],
            Op::SignedLess => vec![self.less(&signed(a), &signed(b))],
            Op::SignedLessEqual => vec![!self.less(&signed(b), &signed(a))],
            Op::ShiftLeft => {
                let reversed: Vec<Wire> = a.iter().rev().copied().collect();
                let mut shifted = self.shifted(&reversed, b, self.circuit.constant(false));
                shifted.reverse();
                shifted
            }
            Op::ShiftRight => self.shifted(a, b, self.circuit.constant(false)),
            Op::ShiftRightSigned => self.shifted(a, b, a[a.len() - 1]),
            _ => return self.float(op, a, b),
        })
    }

    pub(super) fn choose(&mut self, condition: Wire, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        a.iter().zip(b).map(|(a, b)| self.circuit.choose(condition, *a, *b)).collect()
    }

    pub(super) fn equal(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let mut all = self.circuit.constant(true);
        for (a, b) in a.iter().zip(b) {
            let differ = self.circuit.xor(*a, *b);
            all = self.circuit.and(all, !differ);
        }
        all
    }

    /// The sum of two numbers and a carry, without what does not fit.
    pub(super) fn sum(&mut self, a: &[Wire], b: &[Wire], carry: bool) -> Vec<Wire> {
        let mut carry = self.circuit.constant(carry);
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let differ = self.circuit.xor(*a, *b);
            sum.push(self.circuit.xor(differ, carry));
            carry = self.circuit.majority(*a, *b, carry);
        }
        sum
    }

    /// Whether one number is less than another, both without a sign: the highest bit in which they differ decides.
    pub(super) fn less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let mut less = self.circuit.constant(false);
        for (a, b) in a.iter().zip(b) {
            let differ = self.circuit.xor(*a, *b);
            less = self.circuit.choose(differ, *b, less);
        }
        less
    }

    /// A number times a constant; `None` where the constant has many ones.
    fn multiple(&mut self, a: &[Wire], factor: u128) -> Option<Vec<Wire>> {
        if factor.count_ones() > MOST_ONES {
            return None;
        }
        let no = self.circuit.constant(false);
        let mut product = vec![no; a.len()];
        for place in (0..a.len()).filter(|place| factor >> place & 1 == 1) {
            let mut shifted = vec![no; place];
            shifted.extend(&a[..a.len() - place]);
            product = self.sum(&product, &shifted, false);
        }
        Some(product)
    }

    /// A number shifted right by another one, with this wire coming in: by 1, 2, 4 and so on, each where the bit says so.
    fn shifted(&mut self, a: &[Wire], by: &[Wire], coming: Wire) -> Vec<Wire> {
        let mut shifted = a.to_vec();
        let mut beyond = self.circuit.constant(false);
        for (bit, wire) in by.iter().enumerate() {
            match 1usize.checked_shl(bit as u32).filter(|distance| *distance < a.len()) {
                None => beyond = self.circuit.or(beyond, *wire),
                Some(distance) => {
                    let mut moved = shifted[distance..].to_vec();
                    moved.resize(a.len(), coming);
                    shifted = self.choose(*wire, &moved, &shifted);
                }
            }
        }
        self.choose(beyond, &vec![coming; a.len()], &shifted)
    }
}

fn negated(a: &[Wire]) -> Vec<Wire> {
    a.iter().map(|wire| !*wire).collect()
}

/// A number with a sign as one without, in the same order: the sign is turned around.
fn signed(a: &[Wire]) -> Vec<Wire> {
    with_sign(a, !a[a.len() - 1])
}

pub(super) fn with_sign(a: &[Wire], sign: Wire) -> Vec<Wire> {
    let mut wires = a.to_vec();
    wires[a.len() - 1] = sign;
    wires
}

fn extended(a: &[Wire], width: usize, above: Wire) -> Vec<Wire> {
    let mut wires = a.to_vec();
    wires.resize(width, above);
    wires
}
