//! Decides which inputs may be run at all, for inputs from every source.
//!
//! This is the only place that decides it: for the source inputs of a relation in `Program::evaluate`, for the inputs of a function in
//! [`Eligibility`]. Only inputs from a sampler are not tested (`Program::evaluate_drawn`), because they are drawn inside the domain.

use dodona_target::{Column, Domain, Parameter, Signature, Type, Value};

use super::domain;
use super::precondition::Precondition;
use crate::Diagnostic;
use crate::apply::register::{Lane, Register};

/// The conditions that an input of a function must satisfy: its values lie in the types and domains of the
/// parameters, and the precondition holds.
///
/// Samplers draw only from the domains. Inputs from files, kept counterexamples and searches are tested here.
#[derive(Clone, Debug)]
pub struct Eligibility<'f> {
    parameters: &'f [Parameter],
    requires: Option<Precondition>,
}

impl<'f> Eligibility<'f> {
    /// The conditions for the inputs of a function.
    ///
    /// # Errors
    /// What is wrong with its precondition; spans are places in the text of [`Signature::requires`].
    pub fn of(function: &'f Signature) -> Result<Eligibility<'f>, Vec<Diagnostic>> {
        Ok(Eligibility { parameters: &function.parameters, requires: Precondition::compile(function)? })
    }

    /// For each row whether it is an eligible input; a single row if there are no columns.
    ///
    /// # Panics
    /// When there is not one column for each parameter, of the parameter's kind and all of the same length.
    pub fn rows(&self, columns: &[Column]) -> Vec<bool> {
        let mut eligible = self.in_domains(columns);
        if let Some(requires) = &self.requires {
            eligible.iter_mut().zip(requires.evaluate(columns)).for_each(|(row, holds)| *row &= holds);
        }
        eligible
    }

    /// For each row whether it lies in the parameters' types and domains, regardless of the precondition.
    ///
    /// # Panics
    /// As [`Eligibility::rows`].
    pub fn in_domains(&self, columns: &[Column]) -> Vec<bool> {
        let domains = self.parameters.iter().map(|p| (p.ty, &p.domain));
        let rows = columns.first().map_or(1, Column::len);
        within(columns, domains).unwrap_or_else(|| vec![true; rows])
    }

    /// Whether these values, one for each parameter, are an eligible input.
    ///
    /// # Panics
    /// When a value is missing or not of its parameter's kind.
    pub fn holds(&self, values: &[Value]) -> bool {
        let inside = |(p, value): (&Parameter, &Value)| p.domain.contains(p.ty, value);
        self.parameters.iter().zip(values).all(inside)
            && self.requires.as_ref().is_none_or(|requires| requires.holds(values))
    }
}

/// For each row whether it lies in the types and domains, one for each column; `None` if all rows do.
pub(super) fn within<'d>(
    columns: &[Column],
    domains: impl Iterator<Item = (Type, &'d Domain)>,
) -> Option<Vec<bool>> {
    let mut inside: Option<Vec<bool>> = None;
    for (column, (ty, domain)) in columns.iter().zip(domains) {
        let Lane::Many(rows) = domain::inside(&Register::borrowed(column), ty, domain) else { continue };
        if rows.iter().all(|row| *row) {
            continue;
        }
        match &mut inside {
            Some(all) => all.iter_mut().zip(rows.iter()).for_each(|(all, row)| *all &= row),
            None => inside = Some(rows.into_owned()),
        }
    }
    inside
}
