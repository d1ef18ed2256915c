//! The canonical NaN of the relation language: a NaN that is passed to a call has the canonical bits, whatever computed it.
//!
//! Nothing else sees the bits of a NaN, so that no other code has to take care of them.

use std::collections::HashMap;

use dodona_smt::term::{Op, Term, Terms};
use dodona_target::{Kind, Parameter};

use crate::call::Symbol;

/// The depth to which a term is searched for the NaNs that it may be.
const DEEPEST: u32 = 8;

/// The bits that the NaNs of a float may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nan {
    /// It is never NaN.
    Never,
    /// Its NaN has the canonical bits.
    Canonical,
    /// Its NaN may have any bits.
    Any,
}

/// What is known of the floats among the source inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceFloats(HashMap<Term, Nan>);

impl SourceFloats {
    /// Notes the symbol that a source input of a parameter has. A NaN among source inputs is the canonical one.
    pub(super) fn add(&mut self, parameter: &Parameter, symbol: &Symbol) {
        if parameter.ty.scalar().is_none_or(|scalar| scalar.kind() != Kind::Float) {
            return;
        }
        let is_number = !parameter.domain.numbers.contains_nan();
        let nan = if is_number { Nan::Never } else { Nan::Canonical };
        let terms = match symbol {
            Symbol::Scalar(term) => std::slice::from_ref(term),
            Symbol::Elements(terms) => terms,
        };
        self.0.extend(terms.iter().map(|term| (*term, nan)));
    }

    /// The argument of a call: the same value, with the canonical NaN.
    pub(super) fn passed(&self, terms: &mut Terms, symbol: Symbol) -> Symbol {
        match symbol {
            Symbol::Scalar(x) => Symbol::Scalar(self.one(terms, x)),
            Symbol::Elements(all) => Symbol::Elements(all.into_iter().map(|x| self.one(terms, x)).collect()),
        }
    }

    fn one(&self, terms: &mut Terms, x: Term) -> Term {
        match x.sort().is_float() && self.nan(terms, x, DEEPEST) == Nan::Any {
            true => terms.apply(Op::FloatCanonical, x.sort(), &[x]),
            false => x,
        }
    }

    /// What bits the NaNs of a float may have.
    fn nan(&self, terms: &Terms, x: Term, depth: u32) -> Nan {
        let id = match x {
            // A known NaN is made canonical as it is folded.
            Term::Constant(..) => return Nan::Any,
            Term::Node(_, id) => id,
        };
        if let Some(known) = self.0.get(&x) {
            return *known;
        }
        if depth == 0 {
            return Nan::Any;
        }
        let node = terms.node(id);
        let of = |i: usize| self.nan(terms, node.operands[i], depth - 1);
        match node.op {
            Op::FloatCanonical => of(0).min(Nan::Canonical),
            Op::FloatNegate | Op::FloatCopySign if of(0) == Nan::Never => Nan::Never,
            Op::FromBits | Op::FloatNegate | Op::FloatCopySign => Nan::Any,
            // The canonical NaN has no sign to clear.
            Op::FloatAbs => of(0),
            Op::Ite => of(1).max(of(2)),
            Op::FloatCeil | Op::FloatFloor | Op::FloatTrunc | Op::FloatNearest | Op::FloatConvert => {
                of(0).min(Nan::Canonical)
            }
            _ => Nan::Canonical,
        }
    }
}
