//! Follow-up inputs of a transformation. The evaluator of relations makes them, so domains and preconditions apply as in a check.

use dodona_inference::discovery::{Transformation, outputs};
use dodona_relations::ast::{self, BinaryOperator, Body, Expression, Name, Node, Span};
use dodona_relations::{Program, Role, check};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Signature};

use dodona_workbench::LabError;

/// A transformation as a relation with a source call and a follow-up call.
pub(crate) struct FollowUpMaker {
    program: Program,
    /// The indices of the source call and of the follow-up call among the relation's calls.
    source: usize,
    follow_up: usize,
    /// Empty columns, one for each output.
    blank: Vec<Column>,
    parameters: usize,
}

/// The follow-up inputs of some source inputs.
#[derive(Clone, Debug)]
pub(crate) struct FollowUps {
    /// The rows of the source inputs that have a follow-up input. There is none if the source call did not return, or if the
    /// follow-up input is undefined, outside its domain, or excluded by the precondition.
    pub(crate) rows: Vec<u32>,
    /// One column for each parameter, with one row for each of `rows`.
    pub(crate) arguments: Vec<Column>,
}

impl FollowUpMaker {
    /// The maker of follow-up inputs of a transformation of a function, given by its index.
    ///
    /// # Errors
    /// When the follow-up call is not a valid call, which would be a bug in Dodona.
    pub(crate) fn new(
        functions: &[Signature],
        function: usize,
        transformation: &Transformation,
    ) -> Result<FollowUpMaker, LabError> {
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
        Ok(FollowUpMaker {
            program: Program::compile(&checked[0], functions),
            source,
            // A call comes after the calls in its arguments.
            follow_up: calls.len() - 1,
            blank: declared.outputs.iter().map(|output| Column::empty(output.ty)).collect(),
            parameters: declared.parameters.len(),
        })
    }

    /// The follow-up inputs of these source inputs, given the source calls.
    pub(crate) fn follow_ups(&self, sources: &[Column], calls: &Calls) -> Result<FollowUps, LabError> {
        let mut planner = Planner { maker: self, calls, found: None };
        self.program.evaluate(0, sources, &mut planner)?;
        let none = || FollowUps { rows: Vec::new(), arguments: self.no_rows(sources) };
        Ok(planner.found.unwrap_or_else(none))
    }

    fn no_rows(&self, sources: &[Column]) -> Vec<Column> {
        sources.iter().take(self.parameters).map(|column| column.select(&[])).collect()
    }
}

/// `f(x) == f(t(x))` for the first output.
fn relation(function: &Signature, transformation: &Transformation) -> ast::Relation {
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

/// Answers the source call with the known calls, and records the arguments of the follow-up call without making it.
struct Planner<'a> {
    maker: &'a FollowUpMaker,
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
        if call == self.maker.source {
            return Ok(select(self.calls, &rows));
        }
        let answer = self.blank(rows.len());
        if call == self.maker.follow_up {
            self.found = Some(FollowUps { rows, arguments: arguments.to_vec() });
        }
        Ok(answer)
    }
}

impl Planner<'_> {
    /// Calls that returned default values.
    fn blank(&self, rows: usize) -> Calls {
        let mut outputs = self.maker.blank.clone();
        outputs.iter_mut().for_each(|column| (0..rows).for_each(|_| column.push_default()));
        Calls { outcomes: vec![Outcome::Returned; rows], outputs }
    }
}

/// The calls of these rows.
pub(crate) fn select(calls: &Calls, rows: &[u32]) -> Calls {
    Calls {
        outcomes: rows.iter().map(|&row| calls.outcomes[row as usize]).collect(),
        outputs: calls.outputs.iter().map(|column| column.select(rows)).collect(),
    }
}
