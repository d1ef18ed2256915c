//! Terms as SMT-LIB 2 (logic `QF_BVFP`). Each node is declared once under a name. It is declared again if the level that it was
//! declared in was left.
//!
//! SMT-LIB has one NaN, whereas NaNs of WebAssembly have payloads. So operations that only move bits are written as bits, and arithmetic
//! gives the canonical NaN. Every operator is tested against the solvers that are installed.

mod expression;
mod float;
mod literal;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{NodeId, Op, Sort, Term, Terms, Variable};
use expression::Writer;

/// The name of a variable in SMT-LIB: `v0`, `v1`, …
pub fn variable_name(variable: Variable) -> String {
    format!("v{}", variable.0)
}

/// In which forms a node is written. Floats are also written as their bits, because SMT-LIB has one NaN and a program may read
/// the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Value,
    Bits,
}

type Definition = (NodeId, Form);

/// Writes terms for a solver that remembers what it was told. Nothing is written twice within the open levels.
///
/// A float that a program reads as bits is a constant of its own, which an assertion relates to the float in the level where it
/// appears. Every other node is a definition.
///
/// ```
/// use dodona_smt::term::{Op, Sort, SmtLib, Term, Terms};
/// let mut terms = Terms::new();
/// let x = terms.variable("x", Sort::Bits(8));
/// let less = terms.compare(Op::UnsignedLess, x, Term::bits(8, 10));
/// let (mut smt, mut text) = (SmtLib::new(), String::new());
/// smt.assert(&terms, less, &mut text);
/// assert_eq!(text, "(declare-const v0 (_ BitVec 8))\n(define-fun n1 () Bool (bvult v0 #x0a))\n(assert n1)\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct SmtLib {
    written: FxHashSet<Definition>,
    levels: Vec<Vec<Definition>>,
}

impl SmtLib {
    /// Nothing written, at the outermost level.
    pub fn new() -> SmtLib {
        SmtLib::default()
    }

    /// Enters a level: writes `(push 1)`.
    pub fn push(&mut self, out: &mut String) {
        self.levels.push(Vec::new());
        out.push_str("(push 1)\n");
    }

    /// Leaves a level, forgetting what was written in it: writes `(pop 1)`, nothing at the outermost level.
    pub fn pop(&mut self, out: &mut String) {
        if let Some(level) = self.levels.pop() {
            for definition in level {
                self.written.remove(&definition);
            }
            out.push_str("(pop 1)\n");
        }
    }

    /// How many levels are open.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Writes the definitions that a term needs, and an assertion that it is true.
    ///
    /// # Panics
    /// When the term is no truth value.
    pub fn assert(&mut self, terms: &Terms, term: Term, out: &mut String) {
        assert_eq!(term.sort(), Sort::Bool, "only truth values can be asserted");
        let name = self.define(terms, term, out);
        let _ = writeln!(out, "(assert {name})");
    }

    /// Writes the definitions that a term needs, and returns its name or literal.
    pub fn define(&mut self, terms: &Terms, term: Term, out: &mut String) -> String {
        let Term::Node(_, id) = term else { return literal::value(term) };
        let mut open = vec![(id, Form::Value)];
        while let Some(&definition) = open.last() {
            if self.written.contains(&definition) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(needs(terms, definition).into_iter().filter(|need| !self.written.contains(need)));
            if open.len() == before {
                open.pop();
                self.write(terms, definition, out);
            }
        }
        literal::name(terms, (id, Form::Value))
    }

    fn write(&mut self, terms: &Terms, definition: Definition, out: &mut String) {
        Writer { terms, out }.define(definition);
        self.written.insert(definition);
        if let Some(level) = self.levels.last_mut() {
            level.push(definition);
        }
    }
}

/// The definitions that have to be written before another one.
fn needs(terms: &Terms, (id, form): Definition) -> SmallVec<[Definition; 3]> {
    let node = terms.node(id);
    let value_first = form == Form::Bits && !float::moves_bits(node.op);
    if value_first {
        return SmallVec::from_slice(&[(id, Form::Value)]);
    }
    let as_bits = form == Form::Bits || matches!(node.op, Op::ToBits | Op::FloatCopySign);
    let need = |operand: &Term| match *operand {
        Term::Node(sort, id) if as_bits && sort.is_float() => Some((id, Form::Bits)),
        Term::Node(_, id) => Some((id, Form::Value)),
        Term::Constant(..) => None,
    };
    node.operands.iter().filter_map(need).collect()
}
