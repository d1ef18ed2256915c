//! A source input that refuted a relation, turned into an execution that the search learns from.

use dodona_inference::discovery::{Pairs, Place, Transformation, Variable};
use dodona_records::Binding;
use dodona_relations::{FollowUp, FollowUpInputs, evaluate_expression, parse_expression};
use dodona_target::{Caller as _, Column, Signature, Value};
use dodona_workbench::{LabError, LoadedRelation, SubjectCaller, Workbench};

use crate::collect::change;

/// Runs pairs of a source and a follow-up test case of one transformation.
pub(super) struct PairRunner {
    /// The variables of the pairs.
    variables: Vec<Variable>,
    /// Empty columns, one for each variable.
    blank: Vec<Column>,
    function: usize,
    change: FollowUp,
}

/// Executions of the original that the search does not know yet, by the outcome of the follow-up call.
#[derive(Clone, Debug, Default)]
pub(super) struct LearnedExecutions {
    /// Values of all variables.
    correct: Vec<Vec<Value>>,
    /// Values of the source variables, for executions whose follow-up call did not return.
    refused: Vec<Vec<Value>>,
}

/// The same executions as columns.
pub(super) struct LearnedColumns {
    /// One column for each variable.
    pub(super) correct: Vec<Column>,
    /// One column for each source variable.
    pub(super) refused: Vec<Column>,
}

impl PairRunner {
    /// A runner of these pairs; `None` if they do not have the outputs of both calls.
    ///
    /// # Errors
    /// When the follow-up call is not valid, which would be a bug in Dodona.
    pub(super) fn new(
        functions: &[Signature],
        function: usize,
        transformation: &Transformation,
        pairs: &Pairs,
    ) -> Result<Option<PairRunner>, LabError> {
        let has = |place: Place| pairs.variables.iter().any(|v| v.place == place);
        if !has(Place::SourceOutput(0)) || !has(Place::FollowUpOutput(0)) {
            return Ok(None);
        }
        let blank = pairs.columns.iter().map(|column| column.select(&[])).collect();
        let change = change(functions, function, transformation)?;
        Ok(Some(PairRunner { variables: pairs.variables.clone(), blank, function, change }))
    }

    /// Runs both calls on a source input, given by one value for each parameter, and adds the execution to those learned.
    ///
    /// # Errors
    /// When the host fails, or the caller is stopped.
    pub(super) fn run(
        &self,
        values: &[Value],
        caller: &mut SubjectCaller,
        learned: &mut LearnedExecutions,
    ) -> Result<(), LabError> {
        let types = self.change.parameters().iter();
        let inputs: Vec<Column> =
            values.iter().zip(types).map(|(value, ty)| Column::one(*ty, value)).collect();
        let source = caller.call(self.function, &inputs)?;
        let FollowUpInputs { rows, arguments } = self.change.inputs(&inputs, &source)?;
        if rows.is_empty() {
            return Ok(());
        }
        let follow_up = caller.call(self.function, &arguments)?;
        let value = |v: &Variable| match v.place {
            Place::SourceInput(i) => inputs[i].value(0),
            Place::FollowUpInput(i) => arguments[i].value(0),
            Place::SourceOutput(i) => source.outputs[i].value(0),
            Place::FollowUpOutput(i) => follow_up.outputs[i].value(0),
        };
        if follow_up.outcomes[0].has_outputs() {
            learned.correct.push(self.variables.iter().map(value).collect());
        } else {
            learned.refused.push(self.variables.iter().filter(|v| v.place.is_source()).map(value).collect());
        }
        Ok(())
    }

    /// The learned executions as columns.
    pub(super) fn columns(&self, learned: &LearnedExecutions) -> LearnedColumns {
        let variables = self.variables.iter().zip(&self.blank);
        let of_source = variables.filter(|(v, _)| v.place.is_source()).map(|(_, blank)| blank.clone());
        LearnedColumns {
            correct: filled(self.blank.clone(), &learned.correct),
            refused: filled(of_source.collect(), &learned.refused),
        }
    }
}

impl LearnedExecutions {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.correct.is_empty() && self.refused.is_empty()
    }
}

/// The source input of a counterexample, with one value for each parameter, evaluated from its literals.
pub(super) fn values(
    workbench: &Workbench,
    relation: &LoadedRelation,
    source: &[Binding],
) -> Option<Vec<Value>> {
    let functions = &workbench.functions();
    let variable = relation.relation.variables().first()?;
    let literal = |name: &str| -> Option<Value> {
        let binding = source.iter().find(|b| b.name == name)?;
        let expression = parse_expression(&binding.value).ok()?;
        evaluate_expression(&expression, functions, &mut workbench.caller()).ok()?.value
    };
    functions[variable.function].parameters.iter().map(|p| literal(&p.name)).collect()
}

fn filled(mut columns: Vec<Column>, rows: &[Vec<Value>]) -> Vec<Column> {
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    columns
}
