//! Why a relation cannot take part in compositions.

use thiserror::Error;

/// Why a relation cannot be read as a change of the input and what it does to the output, and so takes no part in
/// compositions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// The relation does not check against the functions.
    #[error("it does not fit the functions under test: {0}")]
    Wrong(String),
    /// The expectation is not one comparison that can be chained.
    #[error("it expects `{0}`, which is no single `==`, `~=`, `<`, `<=`, `>` or `>=`")]
    NoComparison(String),
    /// All calls take the source input.
    #[error("it makes no follow-up call: no input is changed")]
    NoFollowUp,
    /// No follow-up call stands alone on one side of the comparison, so that the other side does not say what its output is.
    #[error("no follow-up call stands alone on a side of `{0}`")]
    NotAlone(String),
    /// The follow-up call is part of its own expectation.
    #[error("the expectation of `{0}` contains that call itself")]
    OnBothSides(String),
    /// The follow-up input is made from outputs: the composition would have to run the function to change an input.
    #[error("the input of `{0}` is made from the output of a call")]
    FeedsBack(String),
    /// No variable of the relation is the source input of the function that the follow-up calls.
    #[error("no variable of it is an input of `{0}`")]
    NoSource(String),
    /// Its condition calls a function with other arguments than the source input has.
    #[error("its condition makes a call with changed arguments")]
    ConditionOfFollowUp,
    /// It asks whether calls fail. The composition replaces calls by expectations, which cannot be asked that.
    #[error("it asks whether `{0}` fails")]
    Observes(String),
    /// A second `~=`, whose tolerance would change with the composition.
    #[error("`{0}` has a `~=` that is not the comparison of the follow-up call")]
    SecondApproximation(String),
}
