//! Follow-up inputs alone: the evaluator of relations makes them, so domains and preconditions apply as in a check.

use dodona_target::{CallError, Caller, Calls, Column, Outcome, Signature, Type};

use crate::ast::{BinaryOperator, Body, Expression, File, Name, Relation, Span, binary};
use crate::{Diagnostic, Program, Role, check};

/// A change of the inputs of a function, compiled: it makes follow-up inputs of source inputs, and nothing is called for that.
///
/// ```
/// use dodona_relations::{FollowUp, parse_expression};
/// use dodona_target::{Calls, Column, Outcome, Parameter, Scalar, Signature, Type};
///
/// let number = Type::Scalar(Scalar::I32);
/// let functions = [Signature::new("f", vec![Parameter::new("x", number)], Some(number))];
/// let [source, changed] = ["f(x)", "f(f(x) + x)"].map(|call| parse_expression(call).unwrap());
/// let change = FollowUp::compile(0, &source, &changed, &functions).unwrap();
///
/// let sources = [Column::Int(vec![1, 2, 3])];
/// // The second call did not return.
/// let calls = Calls {
///     outcomes: vec![Outcome::Returned, Outcome::OutOfFuel, Outcome::Returned],
///     outputs: vec![Column::Int(vec![10, 0, 30])],
/// };
/// let made = change.inputs(&sources, &calls).unwrap();
/// assert_eq!(made.rows, [0, 2]);
/// assert_eq!(made.arguments, [Column::Int(vec![11, 33])]);
/// ```
pub struct FollowUp {
    program: Program,
    /// The indices of the two calls among those of the compiled relation.
    source: usize,
    follow_up: usize,
    /// Empty columns, one for each output.
    blank: Vec<Column>,
    /// The types of the parameters.
    parameters: Vec<Type>,
}

/// The follow-up inputs of some source inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUpInputs {
    /// The rows of the source inputs that have a follow-up input. There is none if the source call did not return, or if the
    /// follow-up input is undefined, outside its domain, or excluded by the precondition.
    pub rows: Vec<u32>,
    /// One column for each parameter, with one row for each of `rows`.
    pub arguments: Vec<Column>,
}

impl FollowUp {
    /// Compiles a change of the inputs of the function with this index, given as the source call and the follow-up call. The arguments of
    /// the follow-up call may contain the source call.
    ///
    /// # Errors
    /// When the calls are not valid, or the function has no output.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn compile(
        function: usize,
        source: &Expression,
        follow_up: &Expression,
        functions: &[Signature],
    ) -> Result<FollowUp, Vec<Diagnostic>> {
        let declared = &functions[function];
        let side = |call: &Expression| {
            let call = call.clone();
            match declared.outputs.first() {
                Some(output) => call.output(&output.name),
                None => call,
            }
        };
        // A relation that makes both calls. It is evaluated for its calls; whether it holds does not matter.
        let equal = binary(BinaryOperator::Equal, side(source), side(follow_up));
        let relation = Relation {
            name: Name::new("follow_up"),
            bindings: Vec::new(),
            function: None,
            constants: None,
            condition: None,
            body: Body::Calls(equal),
            tolerance: None,
            span: Span::default(),
        };
        let checked = check(&File { relations: vec![relation] }, functions)?;
        let calls = checked[0].calls();
        Ok(FollowUp {
            program: Program::compile(&checked[0], functions),
            source: calls.iter().position(|call| call.role == Role::Source).unwrap_or(0),
            // A call comes after the calls in its arguments.
            follow_up: calls.len() - 1,
            blank: declared.outputs.iter().map(|output| Column::empty(output.ty)).collect(),
            parameters: declared.parameters.iter().map(|parameter| parameter.ty).collect(),
        })
    }

    /// The types of the function's parameters.
    pub fn parameters(&self) -> &[Type] {
        &self.parameters
    }

    /// The follow-up inputs of these source inputs, a column for each parameter, given their calls.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    pub fn inputs(&self, sources: &[Column], calls: &Calls) -> Result<FollowUpInputs, CallError> {
        let mut planner = Planner { change: self, calls, found: None };
        self.program.evaluate(0, sources, &mut planner)?;
        let no_rows = || self.parameters.iter().map(|ty| Column::empty(*ty)).collect();
        Ok(planner.found.unwrap_or_else(|| FollowUpInputs { rows: Vec::new(), arguments: no_rows() }))
    }
}

/// Answers the source call with the known calls, and records the arguments of the follow-up call without making it.
struct Planner<'a> {
    change: &'a FollowUp,
    calls: &'a Calls,
    found: Option<FollowUpInputs>,
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
        if call == self.change.source {
            return Ok(self.calls.select(&rows));
        }
        let answer = self.blank(rows.len());
        if call == self.change.follow_up {
            self.found = Some(FollowUpInputs { rows, arguments: arguments.to_vec() });
        }
        Ok(answer)
    }
}

impl Planner<'_> {
    /// Calls that returned default values.
    fn blank(&self, rows: usize) -> Calls {
        let mut outputs = self.change.blank.clone();
        outputs.iter_mut().for_each(|column| (0..rows).for_each(|_| column.push_default()));
        Calls { outcomes: vec![Outcome::Returned; rows], outputs }
    }
}
