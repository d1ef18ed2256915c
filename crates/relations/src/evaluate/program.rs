//! Checked relations compiled to lists of steps, and their verdicts.

use dodona_target::{Column, Signature, Value};

use super::explain::Explanation;
use super::run::Run;
use super::schedule::{Plan, Site, Variable, site};
use super::verdict::Verdict;
use crate::check::Relation;
use crate::plan::PlanView;
use dodona_target::{CallError, Caller};

/// A compiled relation: for each metamorphic group the steps that compute verdicts from columns of source inputs.
///
/// Compile a relation once and use the program for any number of columns, from any number of threads.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) plans: Vec<Plan>,
    pub(super) sites: Vec<Site>,
    variables: Vec<Variable>,
}

impl Program {
    /// Compiles a checked relation.
    ///
    /// # Panics
    /// When `functions` are not those that the relation was checked with.
    pub fn compile(relation: &Relation, functions: &[Signature]) -> Program {
        let sites: Vec<Site> = relation.calls().iter().map(|call| site(call, functions)).collect();
        let plans = relation.group_list().iter().map(|group| Plan::new(group, &sites)).collect();
        let variable = |v: &crate::Variable| {
            let parameter = &functions[v.function].parameters[v.parameter];
            Variable { name: v.name.clone(), ty: parameter.ty, domain: parameter.domain.clone() }
        };
        let variables = relation.variables().iter().map(variable).collect();
        Program { plans, sites, variables }
    }

    /// The verdict on one metamorphic group for every row of source inputs.
    ///
    /// `group` is an index as in [`Relation::group_label`]; `variables` has one column for each of
    /// [`Relation::variables`], all of the same length. A row is ineligible if a value lies outside the type or
    /// domain of the parameter that its variable is drawn for. A relation without variables has one row.
    ///
    /// # Errors
    /// When the caller could not make its calls, or returned a wrong number of rows or columns.
    ///
    /// # Panics
    /// When there is no such group, or columns are missing, have a wrong kind or differ in length.
    pub fn evaluate(
        &self,
        group: usize,
        variables: &[Column],
        caller: &mut dyn Caller,
    ) -> Result<Vec<Verdict>, CallError> {
        self.run(group, variables, SourceOrigin::Given, caller)
    }

    /// [`Program::evaluate`] for source inputs that are known to lie in the domains of their variables, such as those
    /// of a sampler: the domains are not tested again.
    ///
    /// # Errors
    /// As for [`Program::evaluate`].
    ///
    /// # Panics
    /// As [`Program::evaluate`].
    pub fn evaluate_drawn(
        &self,
        group: usize,
        variables: &[Column],
        caller: &mut dyn Caller,
    ) -> Result<Vec<Verdict>, CallError> {
        self.run(group, variables, SourceOrigin::Drawn, caller)
    }

    fn run(
        &self,
        group: usize,
        variables: &[Column],
        sources: SourceOrigin,
        caller: &mut dyn Caller,
    ) -> Result<Vec<Verdict>, CallError> {
        assert_eq!(variables.len(), self.variables.len(), "a column for each variable");
        let rows = variables.first().map_or(1, Column::len);
        assert!(variables.iter().all(|column| column.len() == rows), "columns of one length");
        if rows == 0 {
            return Ok(Vec::new());
        }
        let mut run = Run::new(&self.plans[group], &self.sites, variables, rows);
        if sources == SourceOrigin::Given {
            run.sources_in_domain(&self.variables);
        }
        run.verdicts(caller)
    }

    /// The steps of a metamorphic group, for evaluation on values other than columns. `group` is an index as in
    /// [`Relation::group_label`].
    ///
    /// # Panics
    /// When there is no such group.
    pub fn plan(&self, group: usize) -> PlanView<'_> {
        PlanView { plan: &self.plans[group], sites: &self.sites }
    }

    /// The verdict on a single source input, with everything that led to it.
    ///
    /// # Errors
    /// As for [`Program::evaluate`].
    ///
    /// # Panics
    /// When there is no such group, or values are missing or have a wrong type.
    pub fn explain(
        &self,
        group: usize,
        variables: &[Value],
        caller: &mut dyn Caller,
    ) -> Result<Explanation, CallError> {
        assert_eq!(variables.len(), self.variables.len(), "a value for each variable");
        let column = |(value, variable): (&Value, &Variable)| Column::one(variable.ty, value);
        let columns: Vec<Column> = variables.iter().zip(&self.variables).map(column).collect();
        Run::new(&self.plans[group], &self.sites, &columns, 1).explanation(&self.variables, caller)
    }
}

/// The origin of source inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceOrigin {
    /// From a sampler, which draws only from the domains.
    Drawn,
    /// From elsewhere, so the domains must be tested.
    Given,
}
