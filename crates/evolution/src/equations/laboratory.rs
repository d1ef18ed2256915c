//! What the enumeration of terms asks of the owner of the functions under test.

use super::equation::Equation;
use super::term::Terms;
use super::values::Values;

/// What the owner of the functions under test says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No other input refuted it.
    Holds,
    /// An input refuted it, or it cannot be put to a test.
    Refuted,
    /// There is no more time.
    Stopped,
}

/// Runs the functions under test.
pub trait Laboratory {
    /// What can go wrong.
    type Error;

    /// The values of all outputs of a function for arguments.
    ///
    /// # Errors
    /// When the function cannot be run; a call that does not return is a row without a value.
    fn call(&mut self, function: usize, arguments: &[&Values]) -> Result<Vec<Values>, Self::Error>;

    /// Puts an equation to other inputs than those that suggested it.
    ///
    /// # Errors
    /// When the functions cannot be run.
    fn judge(&mut self, terms: &Terms, equation: Equation) -> Result<Verdict, Self::Error>;

    /// Whether there is time left.
    fn may_go_on(&self) -> bool;
}
