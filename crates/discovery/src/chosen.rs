//! A relation that a discovery has chosen.

use std::sync::Arc;

use dodona_inference::discovery::Candidate;
use dodona_relations::ast;
use dodona_target::Signature;

use crate::readable::is_readable;

/// A relation that was chosen.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) by: ChosenBy,
    pub(super) relation: ast::Relation,
    pub(super) candidate: Arc<Candidate>,
}

/// What found a relation.
#[derive(Clone, Debug)]
pub(super) enum ChosenBy {
    /// The search under a transformation, given by its index.
    Search(usize),
    /// No search: the relation has a known form.
    Form(Arc<Form>),
}

/// What is known of a relation of a known form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) kind: FormKind,
    /// The name that its structure suggests.
    pub(super) name: String,
    /// What it says, in words.
    pub(super) words: String,
    /// The metamorphic groups of fresh inputs on which it held when it was found, and those that were not eligible.
    pub(super) held: u64,
    pub(super) ineligible: u64,
}

/// The known forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    /// A law over several calls ([`dodona_inference::laws`]).
    Law,
    /// A known form that textbooks have no name for ([`dodona_inference::known_forms`]).
    Known,
    /// What is true of the output of every call.
    Invariant,
    /// A change of one or two parameters under a condition ([`dodona_inference::patterns`]).
    Pattern,
}

impl FormKind {
    /// What the record calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            FormKind::Law => "law",
            FormKind::Known => "known form",
            FormKind::Invariant => "invariant",
            FormKind::Pattern => "pattern",
        }
    }
}

impl Chosen {
    /// The index of the transformation under whose search it was found.
    pub(super) fn transformation(&self) -> Option<usize> {
        match self.by {
            ChosenBy::Search(transformation) => Some(transformation),
            ChosenBy::Form(_) => None,
        }
    }

    /// Whether it is reported however little it adds to others: a law that has a name, which does not follow from other laws, or an invariant.
    pub(super) fn is_textbook(&self) -> bool {
        self.form().is_some_and(|form| matches!(form.kind, FormKind::Law | FormKind::Invariant))
    }

    /// Whether it may be listed: a law, a known form and what is true of every result read well as they are, and others if a person would write them.
    /// `known` are the numbers in the code.
    pub(super) fn reads_well(&self, functions: &[Signature], known: &[f64]) -> bool {
        match self.form().map(|form| form.kind) {
            Some(FormKind::Law | FormKind::Known | FormKind::Invariant) => true,
            Some(FormKind::Pattern) | None => is_readable(&self.relation, functions, known),
        }
    }

    /// Its form, if it is a known one.
    pub(super) fn form(&self) -> Option<&Form> {
        match &self.by {
            ChosenBy::Form(form) => Some(form),
            ChosenBy::Search(_) => None,
        }
    }
}
