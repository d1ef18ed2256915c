//! Which inputs may be run at all: the one place that decides it for inputs from anywhere.

use dodona_subject::{Column, Domain, Function, Parameter, Type, Value};

use super::domain;
use super::predicate::Predicate;
use super::register::{Lane, Register};
use crate::Diagnostic;

/// What an input of a function must be: values of its parameters' types and domains that its precondition allows.
///
/// Whatever draws inputs keeps to the domains by itself; inputs of files, of kept counterexamples and of searches are asked
/// here.
#[derive(Clone, Debug)]
pub struct Eligibility<'f> {
    parameters: &'f [Parameter],
    requires: Option<Predicate>,
}

impl<'f> Eligibility<'f> {
    /// That of a function.
    ///
    /// # Errors
    /// What is wrong with its precondition; spans are places in the text of [`Function::requires`].
    pub fn of(function: &'f Function) -> Result<Eligibility<'f>, Vec<Diagnostic>> {
        Ok(Eligibility { parameters: &function.parameters, requires: Predicate::compile(function)? })
    }

    /// Which rows are eligible inputs; one row where there are no columns.
    ///
    /// # Panics
    /// When there is not one column a parameter, of its kind and of one length.
    pub fn rows(&self, columns: &[Column]) -> Vec<bool> {
        let mut eligible = self.in_domains(columns);
        if let Some(requires) = &self.requires {
            eligible.iter_mut().zip(requires.evaluate(columns)).for_each(|(row, holds)| *row &= holds);
        }
        eligible
    }

    /// Which rows lie in the parameters' types and domains, whatever the precondition says.
    ///
    /// # Panics
    /// As [`Eligibility::rows`].
    pub fn in_domains(&self, columns: &[Column]) -> Vec<bool> {
        let domains = self.parameters.iter().map(|p| (p.ty, &p.domain));
        let rows = columns.first().map_or(1, Column::len);
        within(columns, domains).unwrap_or_else(|| vec![true; rows])
    }

    /// Whether one value a parameter is an eligible input.
    ///
    /// # Panics
    /// When a value is missing or not of its parameter's kind.
    pub fn holds(&self, values: &[Value]) -> bool {
        let inside = |(p, value): (&Parameter, &Value)| p.domain.contains(p.ty, value);
        self.parameters.iter().zip(values).all(inside)
            && self.requires.as_ref().is_none_or(|requires| requires.holds(values))
    }
}

/// Which rows lie in types and domains, one a column; `None` where all do.
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
