//! What a name before parentheses means.

use dodona_target::Signature;

use crate::op::Word;

/// The meaning of a name before parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The function under test with this index.
    Function(usize),
    /// A word of the language.
    Word(&'static Word),
}

/// The meaning of a name that is called with this many arguments. A function under test hides a word of the language
/// of the same name, unless only the word takes that many arguments.
pub fn resolve(name: &str, arguments: usize, functions: &[Signature]) -> Option<Callee> {
    let function = functions.iter().position(|f| f.name == name);
    let fits = function.is_some_and(|f| functions[f].parameters.len() == arguments);
    let word = Word::find(name).filter(|word| function.is_none() || (!fits && word.arity() == arguments));
    word.map(Callee::Word).or(function.map(Callee::Function))
}
