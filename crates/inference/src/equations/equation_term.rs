//! Terms over the functions under test and the words of the language. Equal terms have equal ids.

use dodona_relations::plan::Ty;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::head::Head;
use super::vocabulary::Vocabulary;

/// The id of a term in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The number of the term. Operands have smaller numbers.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term: a head with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The head.
    pub head: Head,
    /// The operands, or arguments.
    pub operands: SmallVec<[TermId; 3]>,
}

/// Properties of a term that do not depend on its values.
#[derive(Clone, Copy, Debug)]
struct Facts {
    ty: Ty,
    size: u32,
    calls: u32,
    /// Bit `i` is set if variable `i` occurs.
    variables: u64,
}

/// All terms of a search.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: IndexSet<Term, FxBuildHasher>,
    facts: Vec<Facts>,
}

impl Terms {
    /// Adds a term and gives its id. `None` where a word does not take operands of these types. The operands of a commutative
    /// operator are sorted.
    pub fn insert(&mut self, vocabulary: &Vocabulary, head: Head, operands: &[TermId]) -> Option<TermId> {
        let mut operands: SmallVec<[TermId; 3]> = operands.into();
        let types: SmallVec<[Ty; 3]> = operands.iter().map(|&operand| self.ty(operand)).collect();
        let ty = match head {
            Head::Variable(v) => vocabulary.variables[usize::from(v)].ty,
            Head::Int(_) => Ty::Int,
            Head::Float(_) => Ty::Float,
            Head::Bool(_) => Ty::Bool,
            Head::Empty(kind) => kind.ty(),
            Head::Word(operator) => operator.result(&types)?,
            Head::Output { function, output } => {
                vocabulary.functions[usize::from(function)].outputs[usize::from(output)].ty
            }
        };
        if matches!(head, Head::Word(operator) if operator.is_commutative()) {
            operands.sort();
        }
        let facts = self.facts_of(ty, head, &operands);
        let (index, is_new) = self.terms.insert_full(Term { head, operands });
        if is_new {
            self.facts.push(facts);
        }
        Some(TermId(index as u32))
    }

    fn facts_of(&self, ty: Ty, head: Head, operands: &[TermId]) -> Facts {
        let own = match head {
            Head::Variable(v) => 1 << v,
            _ => 0,
        };
        let of = operands.iter().map(|operand| self.facts[operand.index()]);
        let is_call = u32::from(matches!(head, Head::Output { .. }));
        of.fold(Facts { ty, size: 1, calls: is_call, variables: own }, |all, operand| Facts {
            ty,
            size: all.size + operand.size,
            calls: all.calls + operand.calls,
            variables: all.variables | operand.variables,
        })
    }

    /// The term that is this head alone, if it is among the terms.
    pub(super) fn leaf(&self, head: Head) -> Option<TermId> {
        let term = Term { head, operands: SmallVec::new() };
        self.terms.get_index_of(&term).map(|index| TermId(index as u32))
    }

    /// The term with this id.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Whether it is a variable.
    pub fn is_variable(&self, id: TermId) -> bool {
        matches!(self.get(id).head, Head::Variable(_))
    }

    /// The type of its values.
    pub fn ty(&self, id: TermId) -> Ty {
        self.facts[id.index()].ty
    }

    /// The number of heads in it.
    pub fn size(&self, id: TermId) -> u32 {
        self.facts[id.index()].size
    }

    /// The number of calls in it.
    pub fn calls(&self, id: TermId) -> u32 {
        self.facts[id.index()].calls
    }

    /// The variables that occur in it: bit `i` is set for variable `i`.
    pub fn variables(&self, id: TermId) -> u64 {
        self.facts[id.index()].variables
    }

    /// The functions that are called in it, each once.
    pub fn functions(&self, id: TermId) -> Vec<usize> {
        let mut found = Vec::new();
        self.visit(id, &mut |id| {
            if let Head::Output { function, .. } = self.get(id).head {
                found.push(usize::from(function));
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Shows a term and all terms inside it.
    pub(super) fn visit(&self, id: TermId, show: &mut dyn FnMut(TermId)) {
        show(id);
        self.get(id).operands.iter().for_each(|&operand| self.visit(operand, show));
    }
}
