//! Applies a change to all samples: makes the follow-up inputs, determines their frames, and calls the function on them.

use crate::identification::{Frame, JointChange, classify};
use dodona_relations::ast::{BinaryOperator, Body, Expression, File, Name, Node, Relation, Span};
use dodona_relations::{Program, Role, check};
use dodona_target::{CallError, Caller, Calls, Column};
use dodona_workbench::{LabError, SubjectCaller};

use crate::framed::Framed;
use crate::samples::Samples;

/// The executions of source and follow-up inputs under one change.
pub(crate) struct Trial {
    /// The sample of each row.
    pub(crate) sources: Vec<u32>,
    /// The frame of each follow-up input.
    pub(crate) frames: Vec<Option<Frame>>,
    /// The output choices of each follow-up input.
    pub(crate) outputs: Vec<Option<Frame>>,
    /// Whether the follow-up call did not return: no relation holds there.
    pub(crate) failed: Vec<bool>,
    /// Whether the follow-up input differs from the source input.
    pub(crate) changed: Vec<bool>,
    /// The outputs of the source inputs, one column for each output.
    pub(crate) before: Vec<Column>,
    /// The outputs of the follow-up inputs, one column for each output.
    pub(crate) after: Vec<Column>,
}

/// Runs the follow-up inputs of all samples. Follow-up inputs outside the domain are left out, and so are samples whose source call did not
/// return. `None` if the change does not fit the function, for example if its constant is no value of the parameter's type.
///
/// # Errors
/// When the host fails.
pub(crate) fn trial(
    framed: &Framed,
    samples: &Samples,
    change: &JointChange,
    caller: &mut SubjectCaller,
) -> Result<Option<Trial>, LabError> {
    let functions = &framed.workbench.functions();
    let file = File { relations: vec![probe(framed, change)] };
    let Ok(checked) = check(&file, functions) else { return Ok(None) };
    let relation = &checked[0];
    let Some(source) = relation.calls().iter().position(|call| call.role == Role::Source) else {
        return Ok(None);
    };
    let program = Program::compile(relation, functions);
    let mut recorder = Recorder { source, samples, caller, found: None };
    let variables: Vec<Column> =
        relation.variables().iter().map(|v| samples.columns[v.parameter].clone()).collect();
    program.evaluate(0, &variables, &mut recorder)?;
    let Some((rows, arguments, calls)) = recorder.found else { return Ok(None) };
    Ok(Some(sorted(framed, samples, &rows, &arguments, &calls)))
}

/// The relation `f(t(x)) == f(x)`. It is evaluated only to make its calls; whether it holds does not matter.
fn probe(framed: &Framed, change: &JointChange) -> Relation {
    let source = framed.output(framed.call(&[]), 0);
    let follow_up = framed.output(framed.call(&change.values()), 0);
    let same = Node::Binary(BinaryOperator::Equal, Box::new(follow_up), Box::new(source));
    Relation {
        name: Name::new("probe"),
        bindings: Vec::new(),
        function: None,
        constants: None,
        condition: None,
        body: Body::Calls(Expression::new(same)),
        tolerance: None,
        span: Span::default(),
    }
}

/// The trial with the rows in which the source call returned.
fn sorted(framed: &Framed, samples: &Samples, rows: &[u32], arguments: &[Column], calls: &Calls) -> Trial {
    let returned = |i: &u32| samples.calls.outcomes[rows[*i as usize] as usize].has_outputs();
    let kept: Vec<u32> = (0..rows.len() as u32).filter(returned).collect();
    let sources: Vec<u32> = kept.iter().map(|i| rows[*i as usize]).collect();
    let select = |columns: &[Column], rows: &[u32]| -> Vec<Column> {
        columns.iter().map(|column| column.select(rows)).collect()
    };
    let arguments = select(arguments, &kept);
    let after = select(&calls.outputs, &kept);
    let specification = &framed.specification;
    let is_changed = |i: usize| {
        arguments.iter().zip(&samples.columns).any(|(new, old)| !new.same(i, old, sources[i] as usize))
    };
    Trial {
        frames: classify(&specification.inputs, &arguments, kept.len()).frames,
        outputs: classify(&specification.outputs, &after, kept.len()).frames,
        failed: kept.iter().map(|i| !calls.outcomes[*i as usize].has_outputs()).collect(),
        changed: (0..kept.len()).map(is_changed).collect(),
        before: select(&samples.calls.outputs, &sources),
        after,
        sources,
    }
}

/// Answers a source call with the known outputs of the samples, and makes and records the follow-up calls.
struct Recorder<'a> {
    source: usize,
    samples: &'a Samples,
    caller: &'a mut SubjectCaller,
    found: Option<(Vec<u32>, Vec<Column>, Calls)>,
}

impl Caller for Recorder<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.caller.call(function, arguments)
    }

    fn call_at(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let rows: Vec<u32> =
            (0..arguments.first().map_or(1, Column::len)).map(|i| source(i) as u32).collect();
        if call == self.source {
            let known = &self.samples.calls;
            return Ok(Calls {
                outcomes: rows.iter().map(|row| known.outcomes[*row as usize]).collect(),
                outputs: known.outputs.iter().map(|column| column.select(&rows)).collect(),
            });
        }
        let calls = self.caller.call(function, arguments)?;
        self.found = Some((rows, arguments.to_vec(), calls.clone()));
        Ok(calls)
    }
}
