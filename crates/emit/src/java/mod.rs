//! Property tests in Java: a class of tests for JUnit 5.
//!
//! # Decisions
//! - A value is a plain `Object`: a `Boolean`, a `BigInteger`, a `Double`, a `String` or a `List`, and null where there is none. Types of our
//!   own would be sixty more lines in every file, and tests would read `Value.of(1)` where they read `mrWhole(1)`. The price is that the
//!   compiler does not tell a text from a number; the relation checker has done it before.
//! - Methods are called directly and not by reflection, so that people can step into them, and a wrong type is an error of the compiler.
//!   The price is that types have to be known: they are those that the manifest spells out, else the smallest that hold all values.

mod draw;
mod java_dialect;
mod java_functions;
mod java_types;
mod layout;

use std::fmt::Write as _;

use dodona_relations::Relation;
use dodona_target::Parameter;

use super::domain::{Check, checks, is_of_single, predicate_word};
use super::names::Names;
use super::script::{Again, Expr, Standing, Statement, Test, Used, tests};
use super::write::{Dialect, apply, expression, indented};
use super::{EmitContext, EmitError, Language, prelude};
pub(super) use java_dialect::Java;
use java_dialect::{number, text};
#[cfg(test)]
pub(super) use layout::imports;

/// Keywords, methods of `Object`, and names that the emitted file itself uses.
const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
    "_",
    "var",
    "yield",
    "record",
    "sealed",
    "permits",
    "clone",
    "equals",
    "finalize",
    "getClass",
    "hashCode",
    "notify",
    "notifyAll",
    "toString",
    "wait",
    "Arrays",
    "BigInteger",
    "Double",
    "Functions",
    "List",
    "Object",
    "Random",
    "SEED",
    "CASES",
    "inputs",
    "random",
    "mrElement",
    "mrRepetition",
];

pub(super) const PRELUDE: &str = concat!(
    include_str!("prelude/values.java"),
    "\n",
    include_str!("prelude/calls.java"),
    "\n",
    include_str!("prelude/numbers.java"),
    "\n",
    include_str!("prelude/comparisons.java"),
    "\n",
    include_str!("prelude/sequences.java"),
    "\n",
    include_str!("prelude/domains.java"),
    "\n",
    include_str!("prelude/draws.java"),
    "\n",
);

/// The emitted test file.
pub(super) fn file(relations: &[Relation], context: &EmitContext<'_>) -> Result<String, EmitError> {
    let mut names = Names::camel(KEYWORDS);
    let tests = tests(relations, context, &mut names, "");
    let used = Used::of(&tests);
    let helpers = java_functions::Helpers::new(&used, context, &mut names);
    let mut members: Vec<String> = helpers.stubs(&used).into_iter().collect();
    for each in &tests {
        members.push(
            test(each, &helpers)
                .map_err(|why| EmitError::inexpressible(each.relation, Language::Java, why))?,
        );
    }
    members.extend(helpers.calls(&used).map_err(|problem| problem.of(&tests, Language::Java))?);
    members.extend(helpers.draws(&used).map_err(|problem| problem.of(&tests, Language::Java))?);
    let code = members.join("\n");
    let prelude = prelude::needed(PRELUDE, "//:", "\n\n", &code);
    Ok(layout::file(context, &helpers.classes(&used), &code, &prelude))
}

/// Lines of a comment. Java reads an escape of Unicode in comments, too, and a wrong one is an error.
fn comment(text: &str) -> String {
    text.lines().map(|line| format!("// {}\n", line.replace("\\u", "\\ u"))).collect()
}

fn test(test: &Test<'_>, helpers: &java_functions::Helpers<'_>) -> Result<String, String> {
    let mut code = comment(&test.comment.join("\n")) + &comment(test.relation.text());
    if let Some(label) = &test.label {
        code += &comment(&format!("Here {label}."));
    }
    let _ = writeln!(code, "@Test\nvoid {}() {{\n    mrCheck(inputs -> {{", test.name);
    for variable in &test.variables {
        let (name, draw) = (&variable.name, helpers.draw(variable));
        let _ = writeln!(code, "        Object {name} = inputs.keep(\"{name}\", {draw}(inputs.random()));");
    }
    for statement in &test.statements {
        code.push_str(&indented(&self::statement(statement, helpers, assume)?, 8));
    }
    let expect = expression::<Java>(&test.expect)?;
    let calls = test.statements.iter().filter_map(judged);
    let operands: Vec<String> = ["inputs".to_owned(), expect].into_iter().chain(calls).collect();
    let _ = writeln!(code, "        mrJudge({});\n    }});\n}}", operands.join(", "));
    for again in &test.agains {
        code += &format!("\n{}", self::again(again, helpers)?);
    }
    Ok(code)
}

/// A call, with what its failure means for the verdict; `None` if the statement is not a call.
fn judged(statement: &Statement) -> Option<String> {
    let Statement::Call { name, standing, .. } = statement else { return None };
    Some(match standing {
        Standing::Source | Standing::ObservedSource => format!("{name}.source()"),
        Standing::FollowUp => format!("{name}.followUp()"),
        Standing::ObservedFollowUp => format!("{name}.observed()"),
    })
}

/// A case that is not eligible is drawn again.
fn assume(holds: &str) -> String {
    format!("mrAssume({holds});")
}

/// The method that computes the sides of a `~=` again; it returns null where they have no value.
fn again(again: &Again, helpers: &java_functions::Helpers<'_>) -> Result<String, String> {
    let variables: String = again.name.variables.iter().map(|v| format!("Object {v}, ")).collect();
    let mut code =
        format!("private static Object[] {}({variables}int {}) {{\n", again.name.name, Java::repetition());
    let unless = |holds: &str| format!("if (!({holds})) {{\n    return null;\n}}");
    for statement in &again.statements {
        code.push_str(&indented(&self::statement(statement, helpers, unless)?, 4));
    }
    let [left, right] = [expression::<Java>(&again.sides[0])?, expression::<Java>(&again.sides[1])?];
    let _ = writeln!(code, "    return new Object[] {{{left}, {right}}};\n}}");
    Ok(code)
}

/// A statement. `only_if` writes what goes on only where a condition holds.
fn statement(
    statement: &Statement,
    helpers: &java_functions::Helpers<'_>,
    only_if: impl Fn(&str) -> String,
) -> Result<String, String> {
    let all = |items: &[Expr]| items.iter().map(expression::<Java>).collect::<Result<Vec<String>, String>>();
    Ok(match statement {
        Statement::Let { name, value } => format!("Object {name} = {};", expression::<Java>(value)?),
        Statement::Condition(holds) => only_if(&format!("mrIsTrue({})", expression::<Java>(holds)?)),
        Statement::Domain { value, function, parameter } => {
            let value = expression::<Java>(value)?;
            only_if(&conditions(helpers.parameter(*function, *parameter), &value))
        }
        Statement::Requires { arguments, holds } => {
            let (arguments, holds) = (all(arguments)?.join(", "), expression::<Java>(holds)?);
            only_if(&format!("!mrMade({arguments}) || mrIsTrue({holds})"))
        }
        Statement::Call { name, function, arguments, standing } => {
            let call =
                format!("MrCall {name} = {}({});", helpers.call(*function), all(arguments)?.join(", "));
            match standing {
                Standing::Source => format!("{call}\n{}", only_if(&format!("{name}.returned()"))),
                _ => call,
            }
        }
    })
}

/// Java code that tests whether a value satisfies the conditions of a parameter's type and domain.
pub(super) fn conditions(parameter: &Parameter, value: &str) -> String {
    let checks = checks(parameter.ty, &parameter.domain);
    let single = apply::<Java>("to_single", &[value.to_owned()]);
    let value = |c| if is_of_single(&checks, c) { &single } else { value };
    let conditions: Vec<String> = checks.iter().map(|c| check(*c, value(*c))).collect();
    conditions.join(" && ")
}

/// Java code that tests one condition on a value.
fn check(check: Check<'_>, value: &str) -> String {
    let (word, more): (&str, Vec<String>) = match check {
        Check::Type(ty) => ("fits", vec![format!("\"{ty}\"")]),
        Check::Ranges(ranges) => {
            ("in_ranges", ranges.iter().map(|r| range(&number(r.low), &number(r.high))).collect())
        }
        Check::Except(numbers) => ("is_none_of", numbers.iter().map(|n| number(*n)).collect()),
        Check::NoNan => ("has_no_nan", Vec::new()),
        Check::Length(least, most) => ("has_length", vec![Java::natural(least), Java::natural(most)]),
        Check::Alphabet(chars) => ("has_alphabet", vec![text(chars.iter().collect::<String>().as_bytes())]),
        Check::Texts(texts) => ("is_one_of", texts.iter().map(|t| text(t.as_bytes())).collect()),
        Check::Predicate(predicate) => (predicate_word(predicate), Vec::new()),
    };
    let operands: Vec<String> = [value.to_owned()].into_iter().chain(more).collect();
    apply::<Java>(word, &operands)
}

fn range(low: &str, high: &str) -> String {
    apply::<Java>("range", &[low.to_owned(), high.to_owned()])
}
