//! Heads: what a term applies to its operands.

use crate::discovery::{EmptyKind, Operator};

/// The head of a term: what it applies to its operands, or the term itself if it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A variable of the vocabulary.
    Variable(u8),
    /// An integer.
    Int(i64),
    /// A float, as the bits of its `f64`.
    Float(u64),
    /// `true` or `false`.
    Bool(bool),
    /// The empty text, or an empty sequence.
    Empty(EmptyKind),
    /// A word or operator of the language.
    Word(Operator),
    /// An output of a call.
    Output {
        /// The function.
        function: u8,
        /// Which of its outputs.
        output: u8,
    },
}

/// A head that has operands.
pub(super) enum Applied {
    Word(Operator),
    Call(u8),
}
