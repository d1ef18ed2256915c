//! A source input that refuted a relation, turned into an execution that the search learns from.

use dodona_inference::discovery::{Pairs, Place, Variable};
use dodona_records::Binding;
use dodona_relations::{CallExplanation, Role, evaluate_expression, parse_expression};
use dodona_target::{Column, Value};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, LoadedRelation, SubjectCaller};

use crate::filter::values_by_variable;

/// Runs pairs of a source and a follow-up test case of one transformation: the variables of its pairs, and a relation that makes both
/// calls.
pub(super) struct PairRunner {
    variables: Vec<Variable>,
    /// Empty columns, one for each variable.
    blank: Vec<Column>,
    relation: LoadedRelation,
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
    /// When the relation that makes both calls is not valid, which would be a bug in Dodona.
    pub(super) fn new(workbench: &Workbench, pairs: &Pairs) -> Result<Option<PairRunner>, LabError> {
        let at = |place: Place| pairs.variables.iter().find(|v| v.place == place);
        let both = at(Place::SourceOutput(0)).zip(at(Place::FollowUpOutput(0)));
        let Some((source, follow_up)) = both else { return Ok(None) };
        let text = format!("relation probe: {} == {}", source.expression, follow_up.expression);
        let relation = workbench.with_relations(&text)?.relations.all.remove(0);
        let blank = pairs.columns.iter().map(|column| column.select(&[])).collect();
        Ok(Some(PairRunner { variables: pairs.variables.clone(), blank, relation }))
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
        let values = values_by_variable(&self.relation, values);
        let explanation = self.relation.program.explain(0, &values, caller)?;
        let call = |role: Role| explanation.calls.iter().rfind(|call| call.role == role);
        let Some(source) = call(Role::Source) else { return Ok(()) };
        match call(Role::FollowUp) {
            Some(follow_up) if follow_up.outcome.has_outputs() => {
                let value = |v: &Variable| value(v.place, source, follow_up);
                learned.correct.extend(self.variables.iter().map(value).collect::<Option<Vec<_>>>());
            }
            Some(follow_up) => {
                let places = self.variables.iter().filter(|v| v.place.is_source());
                let row = places.map(|v| value(v.place, source, follow_up)).collect::<Option<Vec<_>>>();
                learned.refused.extend(row);
            }
            None => {}
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

fn value(place: Place, source: &CallExplanation, follow_up: &CallExplanation) -> Option<Value> {
    match place {
        Place::SourceInput(i) => source.arguments.get(i).cloned(),
        Place::FollowUpInput(i) => follow_up.arguments.get(i).cloned(),
        Place::SourceOutput(i) => source.outputs.get(i).map(|(_, value)| value.clone()),
        Place::FollowUpOutput(i) => follow_up.outputs.get(i).map(|(_, value)| value.clone()),
    }
}

fn filled(mut columns: Vec<Column>, rows: &[Vec<Value>]) -> Vec<Column> {
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    columns
}
