//! Property tests in Python, which call the functions under test in their WebAssembly module.

mod python_dialect;
mod python_functions;
mod strategy;

use std::fmt::Write as _;

use dodona_relations::Relation;
use dodona_target::{Number, Parameter};

use super::domain::{Check, checks, is_of_single, predicate_word};
use super::names::Names;
use super::problem::Problem;
use super::script::{Again, Expr, Standing, Statement, Test, Used, tests};
use super::write::{Dialect, REPETITION, apply, expression, indented};
use super::{EmitContext, EmitError, Language, prelude};
pub(super) use python_dialect::Python;
use python_dialect::{list, text, truth};

/// Keywords, and names that the emitted file itself uses.
const KEYWORDS: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "atexit",
    "functools",
    "math",
    "operator",
    "os",
    "re",
    "struct",
    "sys",
    "tempfile",
    "wasmtime",
    "assume",
    "given",
    "seed",
    "settings",
    "st",
    "HealthCheck",
    "MODULE",
    "ALLOCATOR",
    "FUEL",
    "SOURCE",
    "FOLLOW_UP",
    "OBSERVED",
    "relation_test",
    "MrCall",
    "self",
    "match",
];

pub(super) const PRELUDE: &str = concat!(
    include_str!("prelude/calls.py"),
    "\n",
    include_str!("prelude/numbers.py"),
    "\n",
    include_str!("prelude/comparisons.py"),
    "\n",
    include_str!("prelude/sequences.py"),
    "\n",
    include_str!("prelude/domains.py"),
    "\n",
);

/// The emitted test file.
pub(super) fn file(relations: &[Relation], context: &EmitContext<'_>) -> Result<String, EmitError> {
    let mut names = Names::new(KEYWORDS);
    let tests = tests(relations, context, &mut names, "test_");
    let used = Used::of(&tests);
    let helpers = python_functions::Helpers::new(&used, context.functions, &mut names);
    let strategies = helpers.strategies(&used);
    let mut code =
        strategies.map_err(|(place, why)| Problem::Parameter(place, why).of(&tests, Language::Python))?;
    code += &helpers.calls(&used);
    for each in &tests {
        code += &test(each, &helpers)
            .map_err(|why| EmitError::inexpressible(each.relation, Language::Python, why))?;
    }
    let prelude = prelude::needed(PRELUDE, "#:", "\n\n\n", &code);
    Ok(format!("{}{code}# What the words of the relations mean.\n\n\n{prelude}\n\n{MAIN}", head(context)))
}

const MAIN: &str = "if __name__ == \"__main__\":
    failed = 0
    for name, test in [each for each in globals().items() if each[0].startswith(\"test_\")]:
        try:
            test()
            print(f\"{name}: ok\")
        except Exception as error:
            failed += 1
            print(f\"{name}: FAILED: {type(error).__name__}: {error}\")
            for note in getattr(error, \"__notes__\", []):
                print(f\"    {note}\")
    sys.exit(1 if failed else 0)
";

fn head(context: &EmitContext<'_>) -> String {
    let EmitContext { module, seed, cases, allocator, fuel, .. } = context;
    let module = text(module.as_bytes());
    let allocator = allocator.map_or("None".to_owned(), |name| text(name.as_bytes()));
    format!(
        "\"\"\"Metamorphic relations as property tests, written by Dodona.

They need the packages hypothesis and wasmtime. Run this file, or let pytest find its tests.
\"\"\"

import atexit
import functools
import math
import operator
import os
import re
import struct
import sys
import tempfile

import wasmtime
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st

MODULE = {module}  # from the working directory, or from this file's
ALLOCATOR = {allocator}  # the export that gives memory for arguments
FUEL = {fuel}  # instructions of a call, about; one that uses them up counts as endless
SOURCE, FOLLOW_UP, OBSERVED = \"source\", \"follow-up\", \"observed\"


def relation_test(test):
    bounds = settings(
        max_examples={cases},
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    return seed({seed})(bounds(test))


"
    )
}

fn test(test: &Test<'_>, helpers: &python_functions::Helpers<'_>) -> Result<String, String> {
    let mut code = String::new();
    if !test.variables.is_empty() {
        let draws: Vec<String> =
            test.variables.iter().map(|v| format!("{}={}", v.name, helpers.strategy(v))).collect();
        let _ = writeln!(code, "@relation_test\n@given({})", draws.join(", "));
    }
    let variables: Vec<&str> = test.variables.iter().map(|v| v.name.as_str()).collect();
    let here = test.label.as_ref().map(|label| format!(" Here {label}.")).unwrap_or_default();
    let above: String = test.comment.iter().map(|line| format!("{line}\n    ")).collect();
    let about = format!("{above}{}{here}", test.relation.text()).replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(code, "def {}({}):\n    \"\"\"{about}\"\"\"", test.name, variables.join(", "));
    for again in &test.agains {
        code.push_str(&indented(&self::again(again, helpers)?, 4));
    }
    for statement in &test.statements {
        code.push_str(&indented(&self::statement(statement, helpers, assume)?, 4));
    }
    let calls: Vec<String> = test.statements.iter().filter_map(judged).collect();
    let expect = expression::<Python>(&test.expect)?;
    let _ = writeln!(code, "    mr_judge([{}], {expect})\n\n", calls.join(", "));
    Ok(code)
}

/// A call, paired with what its failure means for the verdict; `None` if the statement is not a call.
fn judged(statement: &Statement) -> Option<String> {
    let Statement::Call { name, standing, .. } = statement else { return None };
    let standing = match standing {
        Standing::Source | Standing::ObservedSource => "SOURCE",
        Standing::FollowUp => "FOLLOW_UP",
        Standing::ObservedFollowUp => "OBSERVED",
    };
    Some(format!("({standing}, {name})"))
}

/// A case that is not eligible is drawn again.
fn assume(holds: &str) -> String {
    format!("assume({holds})")
}

/// The function that computes the sides of a `~=` again; it returns `None` where they have no value.
fn again(again: &Again, helpers: &python_functions::Helpers<'_>) -> Result<String, String> {
    let mut code = format!("def {}({REPETITION}):\n", again.name.name);
    let unless = |holds: &str| format!("if not ({holds}):\n    return None");
    for statement in &again.statements {
        code.push_str(&indented(&self::statement(statement, helpers, unless)?, 4));
    }
    let [left, right] = [expression::<Python>(&again.sides[0])?, expression::<Python>(&again.sides[1])?];
    let _ = writeln!(code, "    return {left}, {right}\n");
    Ok(code)
}

/// A statement. `only_if` writes what goes on only where a condition holds.
fn statement(
    statement: &Statement,
    helpers: &python_functions::Helpers<'_>,
    only_if: impl Fn(&str) -> String,
) -> Result<String, String> {
    let all =
        |items: &[Expr]| items.iter().map(expression::<Python>).collect::<Result<Vec<String>, String>>();
    Ok(match statement {
        Statement::Let { name, value } => format!("{name} = {}", expression::<Python>(value)?),
        Statement::Condition(holds) => only_if(&format!("mr_is_true({})", expression::<Python>(holds)?)),
        Statement::Domain { value, function, parameter } => {
            let value = expression::<Python>(value)?;
            only_if(&conditions(helpers.parameter(*function, *parameter), &value))
        }
        Statement::Requires { arguments, holds } => {
            let (arguments, holds) = (all(arguments)?.join(", "), expression::<Python>(holds)?);
            only_if(&format!("not mr_made([{arguments}]) or mr_is_true({holds})"))
        }
        Statement::Call { name, function, arguments, standing } => {
            let call = format!("{name} = {}({})", helpers.call(*function), all(arguments)?.join(", "));
            match standing {
                Standing::Source => format!("{call}\n{}", only_if(&format!("{name}.returned"))),
                _ => call,
            }
        }
    })
}

/// Python code that tests whether a value satisfies the conditions of a parameter's type and domain.
pub(super) fn conditions(parameter: &Parameter, value: &str) -> String {
    let checks = checks(parameter.ty, &parameter.domain);
    let single = apply::<Python>("to_single", &[value.to_owned()]);
    let value = |c| if is_of_single(&checks, c) { &single } else { value };
    let conditions: Vec<String> = checks.iter().map(|c| check(*c, value(*c))).collect();
    conditions.join(" and ")
}

/// Python code that tests one condition on a value.
fn check(check: Check<'_>, value: &str) -> String {
    let (word, more) = match check {
        Check::Type(ty) => ("fits", Some(format!("\"{ty}\""))),
        Check::Ranges(ranges) => {
            let ranges = ranges.iter().map(|r| format!("({}, {})", number(r.low), number(r.high)));
            ("in_ranges", Some(list(ranges)))
        }
        Check::Except(numbers) => ("is_none_of", Some(list(numbers.iter().map(|n| number(*n))))),
        Check::NoNan => ("has_no_nan", None),
        Check::Length(least, most) => ("has_length", Some(format!("{least}, {most}"))),
        Check::Alphabet(chars) => ("has_alphabet", Some(text(chars.iter().collect::<String>().as_bytes()))),
        Check::Texts(texts) => ("is_one_of", Some(list(texts.iter().map(|t| text(t.as_bytes()))))),
        Check::Predicate(predicate) => (predicate_word(predicate), None),
    };
    let operands: Vec<String> = [value.to_owned()].into_iter().chain(more).collect();
    apply::<Python>(word, &operands)
}

fn number(number: Number) -> String {
    match number {
        Number::Int(i) => i.to_string(),
        Number::Float(x) => Python::float(x),
    }
}
