//! `dodona call SUBJECT EXPRESSION`

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use dodona::Native;
use dodona_records::{Binding, CallRecord};
use dodona_relations::ast::{Expression, Node};
use dodona_relations::{Diagnostic, ExpressionError, evaluate_expression, parse_expression};

use crate::args::{NativeArgs, RelationFiles, SubjectArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::{complain, write};

/// Evaluate an expression over calls: dodona call subjects/gcd 'gcd(12, 18)'
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// An expression of the relation language without variables
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
    #[command(flatten)]
    pub(crate) native: NativeArgs,
}

/// Evaluates the expression and prints its value; where that says too little, every call with its outputs.
pub(crate) fn run(args: &CallArgs) -> Result<Exit, Failure> {
    let text = &args.expression;
    let wrong = |problems: Vec<Diagnostic>| Failure::problems(Path::new("expression"), text, problems);
    let expression = parse_expression(text).map_err(wrong)?;
    let path = &args.subject.path;
    let native = match args.native.native {
        true => {
            Some(open::natively(open::functions_of(path)?, &RelationFiles::default(), &[], &args.native)?)
        }
        false => None,
    };
    let workbench = match &native {
        Some(native) => Arc::clone(&native.workbench),
        None => open::any_for_functions(path, &called(&expression))?.workbench,
    };
    let mut caller = workbench.caller();
    let result = match evaluate_expression(&expression, workbench.functions(), &mut caller) {
        Ok(result) => result,
        Err(ExpressionError::Wrong(problems)) => return Err(wrong(problems)),
        Err(ExpressionError::Call(error)) => return Err(Failure::new(Exit::Subject, error)),
    };
    let calls: Vec<CallRecord> =
        result.calls.iter().map(|c| dodona_workbench::call_record(&workbench, c, &mut caller)).collect();
    let mut out = String::new();
    let tells_all = matches!(calls.as_slice(), [one] if one.outputs.len() <= 1 && result.value.is_some());
    if !tells_all {
        calls.iter().for_each(|call| tell(&mut out, call));
    }
    match &result.value {
        Some(value) => out += &format!("{value}\n"),
        // How one call ended says it all.
        None if matches!(expression.node, Node::Call { .. }) && calls.len() == 1 => {}
        None => out += "undefined\n",
    }
    write(&out)?;
    let warnings = native.iter().flat_map(Native::warnings);
    warnings.for_each(|warning| complain(&format!("warning: {warning}\n")));
    Ok(Exit::Success)
}

/// The names of what an expression calls, words of the relation language among them.
fn called(expression: &Expression) -> BTreeSet<&str> {
    let (mut names, mut open) = (BTreeSet::new(), vec![expression]);
    while let Some(expression) = open.pop() {
        if let Node::Call { function, .. } = &expression.node {
            names.insert(function.text.as_str());
        }
        open.extend(expression.children());
    }
    names
}

fn tell(out: &mut String, call: &CallRecord) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "{}: {}", call.text, call.ended());
    for Binding { name, value } in &call.outputs {
        let name = if name.is_empty() { "value" } else { name };
        let _ = writeln!(out, "  {name} = {value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_wherever_they_stand() {
        let text = "f(g(1)) == -h([2, i(3)])[j(4)] + len(k(5)) and (l(6) traps)";
        let expression = parse_expression(text).expect("an expression");
        let names: Vec<&str> = called(&expression).into_iter().collect();
        assert_eq!(names, ["f", "g", "h", "i", "j", "k", "l", "len"]);
    }
}
