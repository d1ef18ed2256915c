//! What the enumeration of terms needs from its caller, who can run the functions under test.

use super::equation::Equation;
use super::equation_term::Terms;
use super::values::Values;

/// What fresh inputs show of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreshVerdict {
    /// None of them refuted it.
    Holds,
    /// One of them refuted it, or it cannot be tested.
    Refuted,
    /// There is no more time.
    Stopped,
}

/// Runs the functions under test.
pub trait Laboratory {
    /// The error of a run.
    type Error;

    /// The values of all outputs of a function for arguments.
    ///
    /// # Errors
    /// When the function cannot be run; a call that does not return is a row without a value.
    fn call(&mut self, function: usize, arguments: &[&Values]) -> Result<Vec<Values>, Self::Error>;

    /// Tests an equation on other inputs than those that suggested it.
    ///
    /// # Errors
    /// When the functions cannot be run.
    fn judge(&mut self, terms: &Terms, equation: Equation) -> Result<FreshVerdict, Self::Error>;

    /// Whether there is time left.
    fn may_go_on(&self) -> bool;
}
