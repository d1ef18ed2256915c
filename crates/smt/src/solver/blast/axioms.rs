//! What is known of operators that have no gates: products, quotients, remainders, and the arithmetic of floats.
//!
//! The results of such an operator may have any bits, so that only what is required of them here can be concluded. An operator gives equal results
//! for equal operands. Beyond that, these rules are about signs, zeros and NaN, because mutants differ in these: `-x * y` is `-(x * y)`, and `y - x` is
//! positive if `x < y`. Every rule is true for all operands.

use super::circuit::Wire;
use super::float_gates::{magnitude, negated, sign};
use super::wires::{Bits, Related};
use crate::term::{Evaluator, Node, NodeId, Op, Term};

/// The most earlier results of an operator that a result is related to. Each takes about as long as a sum.
const MOST_RELATED: usize = 16;

/// How the operands of two results with the same operator are related.
struct Pairing {
    equal: Wire,
    /// For two operands that may change places: each is equal to the other one of the other result.
    crossed: Option<Wire>,
}

impl Pairing {
    fn cases(&self) -> impl Iterator<Item = Wire> + use<> {
        std::iter::once(self.equal).chain(self.crossed)
    }
}

impl Bits<'_> {
    /// The result of an operator: that of an earlier one, if its operands are known to be the same, or else its gates or wires that may have any values,
    /// with what is known of them.
    pub(super) fn related(
        &mut self,
        id: NodeId,
        node: &Node,
        operands: Vec<Vec<Wire>>,
        gates: Option<Vec<Wire>>,
    ) -> Vec<Wire> {
        // A difference of floats is the sum with the negated one: with canonical NaN they have the same bits.
        let (op, operands) = match (node.op, operands.as_slice()) {
            (Op::FloatSub, [a, b]) => (Op::FloatAdd, vec![a.clone(), negated(b)]),
            _ => (node.op, operands),
        };
        let width = usize::from(node.sort.width());
        let result = gates.unwrap_or_else(|| self.any(width));
        let new = Related { node: id, op, sort: node.sort, operands, result };
        let is_like = |other: &&Related| {
            (new.op, new.sort, new.operands[0].len()) == (other.op, other.sort, other.operands[0].len())
        };
        let like: Vec<Related> =
            self.results.iter().rev().filter(is_like).take(MOST_RELATED).cloned().collect();
        for earlier in &like {
            let pairing = self.pairing(&new, earlier, |bits, a, b| bits.equal(a, b));
            if pairing.cases().any(|case| self.circuit.known(case) == Some(true)) {
                return earlier.result.clone();
            }
            self.require_same(&pairing, &new.result, &earlier.result);
        }
        self.alone(&new);
        like.iter().for_each(|earlier| self.opposites(&new, earlier));
        let result = new.result.clone();
        self.results.push(new);
        result
    }

    /// Requires of the first result with a wrong value that it has the right one for these operands. Returns whether there is a wrong one.
    ///
    /// `values` evaluates terms for the values of the variables that the SAT solver found.
    pub(super) fn correct(&mut self, values: &mut Evaluator<'_>) -> bool {
        for one in self.results.clone() {
            let right = values.value(Term::Node(one.sort, one.node));
            let found = one.result.iter().enumerate();
            let found: u128 = found.map(|(bit, wire)| u128::from(self.circuit.value(*wire)) << bit).sum();
            if found == right {
                continue;
            }
            let operands: Vec<Wire> = one.operands.concat();
            let are_these: Vec<Wire> =
                operands.iter().map(|wire| if self.circuit.value(*wire) { *wire } else { !*wire }).collect();
            let given = self.all_of(&are_these);
            let result: Vec<Wire> =
                (0..one.result.len()).map(|bit| self.circuit.constant(right >> bit & 1 == 1)).collect();
            self.require_equal(given, &one.result, &result);
            return true;
        }
        false
    }

    /// What is known of one result.
    fn alone(&mut self, Related { op, sort, operands, result, .. }: &Related) {
        if sort.is_float() {
            let (is_nan, nan) = (self.is_nan(result), self.canonical_nan(result.len()));
            self.require_equal(is_nan, result, &nan);
        }
        match (op, operands.as_slice()) {
            (Op::FloatAdd, [a, b]) => self.sum_of_floats(a, b, result),
            (Op::FloatMul | Op::FloatDivide, [a, b]) => self.product_of_floats(*op, a, b, result),
            (Op::FloatCeil | Op::FloatFloor | Op::FloatTrunc | Op::FloatNearest | Op::FloatConvert, [a]) => {
                let is_nan = self.is_nan(a);
                self.require_nan_if(result, is_nan);
                self.require_equal(!is_nan, &[sign(result)], &[sign(a)]);
            }
            (Op::FromSigned | Op::FromUnsigned, [a]) => {
                let never = self.circuit.constant(false);
                self.require_nan_if(result, never);
                let negative = if *op == Op::FromSigned { sign(a) } else { never };
                self.circuit.require_equal(sign(result), negative);
            }
            (Op::SignedRemainder, [a, _]) => {
                let some = self.any_of(result);
                self.require_equal(some, &[sign(result)], &[sign(a)]);
            }
            _ => {}
        }
    }

    /// The sum is positive if one number is greater than the other one negated, and zero only if they are equal.
    fn sum_of_floats(&mut self, a: &[Wire], b: &[Wire], result: &[Wire]) {
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        let (infinite_a, infinite_b) = (self.is_infinite(a), self.is_infinite(b));
        let signs_differ = self.circuit.xor(sign(a), sign(b));
        let infinite = self.circuit.and(infinite_a, infinite_b);
        let infinite = self.circuit.and(infinite, signs_differ);
        let is_nan = self.any_of(&[nan_a, nan_b, infinite]);
        self.require_nan_if(result, is_nan);

        let opposite = negated(b);
        let (positive, negative) = (self.float_less(&opposite, a), self.float_less(a, &opposite));
        let is_zero = self.is_zero(result);
        let both_negative = self.circuit.and(sign(a), sign(b));
        let zero = self.all_of(&[!is_nan, !positive, !negative]);
        let (yes, no) = (self.circuit.constant(true), self.circuit.constant(false));
        self.require_equal(positive, &[sign(result), is_zero], &[no, no]);
        self.require_equal(negative, &[sign(result), is_zero], &[yes, no]);
        self.require_equal(zero, &[sign(result), is_zero], &[both_negative, yes]);

        for (other, same) in [(a, b), (b, a)] {
            let (is_zero, is_other_zero) = (self.is_zero(other), self.is_zero(same));
            let is_same = self.all_of(&[is_zero, !is_other_zero, !is_nan]);
            self.require_equal(is_same, result, same);
        }
    }

    /// The sign of a product or quotient, and what zeros, infinities and 1 make of it.
    fn product_of_floats(&mut self, op: Op, a: &[Wire], b: &[Wire], result: &[Wire]) {
        let is_product = op == Op::FloatMul;
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        let (zero_a, zero_b) = (self.is_zero(a), self.is_zero(b));
        let (infinite_a, infinite_b) = (self.is_infinite(a), self.is_infinite(b));
        // A product is zero or infinite if a factor is. Of the quotient a / b the reciprocal of b is the factor.
        let (small_b, large_b) = if is_product { (zero_b, infinite_b) } else { (infinite_b, zero_b) };
        let without_value = [self.circuit.and(zero_a, large_b), self.circuit.and(infinite_a, small_b)];
        let is_nan = self.any_of(&[nan_a, nan_b, without_value[0], without_value[1]]);
        self.require_nan_if(result, is_nan);
        let sign_of_both = self.circuit.xor(sign(a), sign(b));
        self.require_equal(!is_nan, &[sign(result)], &[sign_of_both]);

        let (is_zero, is_infinite) = (self.is_zero(result), self.is_infinite(result));
        let yes = self.circuit.constant(true);
        for (factor, is_result) in
            [(zero_a, is_zero), (small_b, is_zero), (infinite_a, is_infinite), (large_b, is_infinite)]
        {
            let given = self.circuit.and(factor, !is_nan);
            self.require_equal(given, &[is_result], &[yes]);
        }
        let one = self.float_one(b.len());
        let factors = [(b, a), (a, b)];
        for (factor, other) in if is_product { &factors[..] } else { &factors[..1] } {
            let is_one = self.equal(magnitude(factor), magnitude(&one));
            let given = self.circuit.and(is_one, !is_nan);
            self.require_equal(given, magnitude(result), magnitude(other));
        }
    }

    /// What is known of two results of the same operator whose operands have other signs.
    fn opposites(&mut self, a: &Related, b: &Related) {
        match a.op {
            // The magnitude of a product depends on those of the factors alone, and so does that of a quotient. NaN is canonical and has one magnitude.
            Op::FloatMul | Op::FloatDivide => {
                let pairing = self.pairing(a, b, |bits, a, b| bits.equal(magnitude(a), magnitude(b)));
                self.require_same(&pairing, magnitude(&a.result), magnitude(&b.result));
            }
            Op::FloatAdd => {
                let pairing = self.pairing(a, b, |bits, a, b| bits.equal(a, &negated(b)));
                self.require_same(&pairing, magnitude(&a.result), magnitude(&b.result));
            }
            Op::Mul => self.negated_factors(a, b),
            Op::SignedDivide | Op::SignedRemainder => self.negated_quotients(a, b),
            _ => {}
        }
    }

    /// Requires that results are the same if their operands are paired.
    fn require_same(&mut self, pairing: &Pairing, a: &[Wire], b: &[Wire]) {
        pairing.cases().for_each(|given| self.require_equal(given, a, b));
    }

    /// A product changes its sign with one factor.
    fn negated_factors(&mut self, a: &Related, b: &Related) {
        let [a0, a1] = [&a.operands[0], &a.operands[1]];
        for [b0, b1] in [[0, 1], [1, 0]].map(|order| order.map(|place| &b.operands[place])) {
            let (equal_0, equal_1) = (self.equal(a0, b0), self.equal(a1, b1));
            let (minus_b0, minus_b1) = (self.minus(b0), self.minus(b1));
            let (negated_0, negated_1) = (self.equal(a0, &minus_b0), self.equal(a1, &minus_b1));
            let minus = self.minus(&b.result);
            for (left, right, result) in [
                (negated_0, equal_1, &minus),
                (equal_0, negated_1, &minus),
                (negated_0, negated_1, &b.result),
            ] {
                let given = self.circuit.and(left, right);
                self.require_equal(given, &a.result, result);
            }
        }
    }

    /// A quotient changes its sign with each operand, a remainder with the dividend. The least number is equal to itself negated, and a quotient by 0 has
    /// no such rule.
    fn negated_quotients(&mut self, a: &Related, b: &Related) {
        let is_quotient = a.op == Op::SignedDivide;
        let ([a0, a1], [b0, b1]) = ([&a.operands[0], &a.operands[1]], [&b.operands[0], &b.operands[1]]);
        let (equal_0, equal_1) = (self.equal(a0, b0), self.equal(a1, b1));
        let (minus_b0, minus_b1) = (self.minus(b0), self.minus(b1));
        let (opposite_0, opposite_1) = (self.equal(a0, &minus_b0), self.equal(a1, &minus_b1));
        let has_rule = if is_quotient { self.any_of(a1) } else { self.circuit.constant(true) };
        let negated_0 = self.all_of(&[opposite_0, !equal_0, has_rule]);
        let negated_1 = self.all_of(&[opposite_1, !equal_1, has_rule]);
        let minus = self.minus(&b.result);
        let (with_divisor, with_both) = if is_quotient { (&minus, &b.result) } else { (&b.result, &minus) };
        for (left, right, result) in [
            (negated_0, equal_1, &minus),
            (equal_0, negated_1, with_divisor),
            (negated_0, negated_1, with_both),
        ] {
            let given = self.circuit.and(left, right);
            self.require_equal(given, &a.result, result);
        }
    }

    /// How the operands of two results are related.
    fn pairing(
        &mut self,
        a: &Related,
        b: &Related,
        relation: fn(&mut Self, &[Wire], &[Wire]) -> Wire,
    ) -> Pairing {
        let mut both = |order: &[usize]| {
            let places = a.operands.iter().zip(order);
            let each: Vec<Wire> =
                places.map(|(operand, place)| relation(self, operand, &b.operands[*place])).collect();
            self.all_of(&each)
        };
        match a.operands.len() {
            1 => Pairing { equal: both(&[0]), crossed: None },
            _ => Pairing { equal: both(&[0, 1]), crossed: a.op.is_commutative().then(|| both(&[1, 0])) },
        }
    }

    /// A whole number with the other sign.
    fn minus(&mut self, a: &[Wire]) -> Vec<Wire> {
        let zero = vec![self.circuit.constant(false); a.len()];
        let inverted: Vec<Wire> = a.iter().map(|wire| !*wire).collect();
        self.sum(&zero, &inverted, true)
    }

    fn require_nan_if(&mut self, result: &[Wire], condition: Wire) {
        let is_nan = self.is_nan(result);
        self.circuit.require_equal(is_nan, condition);
    }

    /// Requires that wires have the same values if a condition holds.
    fn require_equal(&mut self, condition: Wire, a: &[Wire], b: &[Wire]) {
        // One wire says that all are equal, and it is the same wire wherever these are compared: no bit has to be tried.
        let equal = self.equal(a, b);
        self.circuit.require_any(&[!condition, equal]);
    }
}
