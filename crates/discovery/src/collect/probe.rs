//! Follow-up inputs of a transformation: made by the evaluator of relations, so that domains and preconditions count as in a check.

use dodona_evolution::discovery::{Transformation, outputs};
use dodona_relations::ast::{self, BinaryOperator, Body, Expression, Name, Node, Span};
use dodona_relations::{CallError, Caller, Program, Role, check};
use dodona_subject::{Calls, Column, Function, Outcome};

use dodona_workbench::LabError;

/// A transformation as a relation that makes its two calls.
pub(crate) struct Probe {
    program: Program,
    /// The source call and the follow-up call, by their numbers in the relation.
    source: usize,
    follow_up: usize,
    /// Columns without rows, one an output.
    blank: Vec<Column>,
    parameters: usize,
}

/// Follow-up inputs of some source inputs.
#[derive(Clone, Debug)]
pub(crate) struct FollowUps {
    /// The rows of the source inputs that have one: not those whose source call did not return, nor those whose
    /// follow-up input is undefined, out of its domain, or excluded by the precondition.
    pub(crate) rows: Vec<u32>,
    /// A column a parameter, a row for each of `rows`.
    pub(crate) arguments: Vec<Column>,
}

impl Probe {
    /// The probe of a transformation of this function, by its index.
    ///
    /// # Errors
    /// When the follow-up call is none, which is a mistake of ours.
    pub(crate) fn new(
        functions: &[Function],
        function: usize,
        transformation: &Transformation,
    ) -> Result<Probe, LabError> {
        let declared = &functions[function];
        let relation = relation(declared, transformation);
        let file = ast::File { relations: vec![relation] };
        let checked = check(&file, functions).map_err(|problems| LabError::Relations {
            path: transformation.name.clone().into(),
            text: file.to_string(),
            problems,
        })?;
        let calls = checked[0].calls();
        let source = calls.iter().position(|call| call.role == Role::Source).unwrap_or(0);
        Ok(Probe {
            program: Program::compile(&checked[0], functions),
            source,
            // Inner calls come before those that they are arguments of.
            follow_up: calls.len() - 1,
            blank: declared.outputs().iter().map(|output| Column::empty(output.ty)).collect(),
            parameters: declared.parameters.len(),
        })
    }

    /// The follow-up inputs of these source inputs, given what the source calls gave.
    pub(crate) fn follow_ups(&self, sources: &[Column], calls: &Calls) -> Result<FollowUps, LabError> {
        let mut planner = Planner { probe: self, calls, found: None };
        self.program.evaluate(0, sources, &mut planner)?;
        let none = || FollowUps { rows: Vec::new(), arguments: self.no_rows(sources) };
        Ok(planner.found.unwrap_or_else(none))
    }

    fn no_rows(&self, sources: &[Column]) -> Vec<Column> {
        sources.iter().take(self.parameters).map(|column| column.select(&[])).collect()
    }
}

/// `f(x) == f(t(x))`, of the first output.
fn relation(function: &Function, transformation: &Transformation) -> ast::Relation {
    let side = |call: Expression| outputs(function, &call).into_iter().next().map_or(call, |(_, e)| e);
    let sides = [side(transformation.source()), side(transformation.follow_up())].map(Box::new);
    let [source, follow_up] = sides;
    ast::Relation {
        name: Name::new("probe"),
        bindings: Vec::new(),
        function: None,
        constants: None,
        condition: None,
        body: Body::Calls(Expression::new(Node::Binary(BinaryOperator::Equal, source, follow_up))),
        tolerance: None,
        span: Span::default(),
    }
}

/// Answers the source call with what is known and keeps the arguments of the follow-up call, which it does not make.
struct Planner<'a> {
    probe: &'a Probe,
    calls: &'a Calls,
    found: Option<FollowUps>,
}

impl Caller for Planner<'_> {
    fn call(&mut self, _function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        Ok(self.blank(arguments.first().map_or(1, Column::len)))
    }

    fn call_at(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        _function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let rows: Vec<u32> =
            (0..arguments.first().map_or(1, Column::len)).map(|i| source(i) as u32).collect();
        if call == self.probe.source {
            return Ok(select(self.calls, &rows));
        }
        let answer = self.blank(rows.len());
        if call == self.probe.follow_up {
            self.found = Some(FollowUps { rows, arguments: arguments.to_vec() });
        }
        Ok(answer)
    }
}

impl Planner<'_> {
    /// Calls that all gave nothing in particular.
    fn blank(&self, rows: usize) -> Calls {
        let mut outputs = self.probe.blank.clone();
        outputs.iter_mut().for_each(|column| (0..rows).for_each(|_| column.push_default()));
        Calls { outcomes: vec![Outcome::Returned; rows], outputs }
    }
}

/// Some rows of calls.
pub(crate) fn select(calls: &Calls, rows: &[u32]) -> Calls {
    Calls {
        outcomes: rows.iter().map(|&row| calls.outcomes[row as usize]).collect(),
        outputs: calls.outputs.iter().map(|column| column.select(rows)).collect(),
    }
}
