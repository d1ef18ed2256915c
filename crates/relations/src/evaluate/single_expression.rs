//! Evaluates a single expression without variables, as `dodona call` needs.

use dodona_target::{Domain, Predicate, Signature, Value};

use super::explain::{CallExplanation, explained};
use super::run::{Outside, Record, Run};
use super::schedule::{Plan, site};
use crate::Diagnostic;
use crate::ast::{Bound, Expression, Node};
use crate::check::{CallSites, Group, Typing, Variables};
use crate::graph::Graph;
use dodona_target::{CallError, Caller};

/// The value of an expression, and the calls that it made.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressionResult {
    /// The value; `None` if the expression is undefined or is a call that returns nothing.
    pub value: Option<Value>,
    /// The calls in the order in which they were made.
    pub calls: Vec<CallExplanation>,
}

/// Why an expression has no result.
#[derive(Debug, thiserror::Error)]
pub enum ExpressionError {
    /// The expression is wrong; spans are positions in its text.
    #[error("the expression is wrong: {}", .0.first().map_or("", |problem| problem.message.as_str()))]
    Wrong(Vec<Diagnostic>),
    /// A call could not be made.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// Evaluates an expression without variables: `gcd(12, 18)`, `len(join([1, 2])) + 1`.
///
/// Arguments must belong to their parameters' types; domains and preconditions are not tested. A call that does not
/// return has an undefined value.
///
/// # Errors
/// When the expression is wrong, an argument is outside its parameter's type, or a call could not be made.
pub fn evaluate_expression(
    expression: &Expression,
    functions: &[Signature],
    caller: &mut dyn Caller,
) -> Result<ExpressionResult, ExpressionError> {
    let calls = CallSites::collect(&[expression], functions, &Variables::default());
    let group = typed(expression, functions, &calls).map_err(ExpressionError::Wrong)?;
    let mut sites: Vec<_> = calls.sites.iter().map(|call| site(call, functions)).collect();
    for site in &mut sites {
        site.observed = true;
        for (_, _, domain) in &mut site.parameters {
            // A NUL would cut off a text that is passed as NUL-terminated, so `NoNul` is still required.
            let kept = domain.predicates.iter().copied().filter(|p| *p == Predicate::NoNul).collect();
            *domain = Domain { predicates: kept, ..Domain::default() };
        }
    }
    let plan = Plan::of_expression(&group, &sites);
    let mut run = Run::new(&plan, &sites, &[], 1);
    run.record = Some(Record::default());
    run.steps(caller)?;
    let record = run.record.take().unwrap_or_default();
    if let Some(Outside::Argument(call, argument, _)) = record.outside {
        let problem = outside(expression, &sites[call].text, argument, functions);
        return Err(ExpressionError::Wrong(vec![problem]));
    }
    let returns_nothing = matches!(expression.node, Node::Call { .. })
        && calls.find(expression).is_some_and(|call| sites[call].returns_nothing());
    let value = run.register(group.expect).value(0).filter(|_| !returns_nothing);
    Ok(ExpressionResult { value, calls: explained(record.calls, &sites) })
}

fn typed(
    expression: &Expression,
    functions: &[Signature],
    calls: &CallSites,
) -> Result<Group, Vec<Diagnostic>> {
    let mut graph = Graph::new(Bound::Relative(1e-9));
    let mut typing = Typing::new(&mut graph, functions, calls);
    let expect = typing.statement(expression);
    let (made, problems) = (typing.made, typing.problems);
    match (expect, made.into_iter().collect::<Option<Vec<_>>>()) {
        (Some(expect), Some(calls)) if problems.is_empty() => {
            Ok(Group { graph, calls, condition: None, expect, sides: None })
        }
        _ => Err(problems),
    }
}

fn outside(expression: &Expression, call: &str, argument: usize, functions: &[Signature]) -> Diagnostic {
    let Some((function, e)) = find(expression, call, argument) else {
        return Diagnostic::new(expression.span, format!("an argument of `{call}` is outside its type"));
    };
    let parameter = functions.iter().find(|f| f.name == *function).and_then(|f| f.parameters.get(argument));
    let label = parameter.map_or(String::new(), |p| format!("`{}: {}`", p.name, p.ty));
    Diagnostic::new(e.span, format!("`{e}` is outside the type of its parameter")).label(label)
}

/// The function name and one argument of the call that has this text.
fn find<'e>(e: &'e Expression, call: &str, argument: usize) -> Option<(&'e String, &'e Expression)> {
    match &e.node {
        Node::Call { function, arguments } if e.to_string() == call => {
            Some((&function.text, arguments.get(argument)?))
        }
        _ => e.children().into_iter().find_map(|child| find(child, call, argument)),
    }
}
