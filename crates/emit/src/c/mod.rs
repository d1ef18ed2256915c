//! Tests in C: a program with a `main`.

mod c_dialect;
mod c_functions;
mod draw;

use std::fmt::Write as _;

use dodona_relations::Relation;
use dodona_target::{Number, Parameter, Predicate, Scalar, Type};

use super::domain::{Check, checks, is_of_single, predicate_word};
use super::names::Names;
use super::script::{Again, Expr, Standing, Statement, Test, Used, tests};
use super::write::{Dialect, REPETITION, apply, expression, indented};
use super::{EmitContext, EmitError, Language, prelude};
pub(super) use c_dialect::C;
use c_dialect::{array, characters, integer, literal};

/// Keywords of C and C++, macros of the headers, and names that the emitted file itself uses.
const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "bool",
    "true",
    "false",
    "NULL",
    "EOF",
    "errno",
    "stdin",
    "stdout",
    "stderr",
    "assert",
    "asm",
    "typeof",
    "linux",
    "unix",
    "main",
    "call",
    "class",
    "new",
    "delete",
    "this",
    "template",
    "try",
    "catch",
    "throw",
    "namespace",
    "using",
    "public",
    "private",
    "protected",
    "friend",
    "virtual",
    "operator",
    "and",
    "or",
    "not",
    "xor",
    "int32_t",
    "int64_t",
    "size_t",
];

pub(super) const PRELUDE: &str = concat!(
    include_str!("prelude/values.c"),
    "\n",
    include_str!("prelude/calls.c"),
    "\n",
    include_str!("prelude/numbers.c"),
    "\n",
    include_str!("prelude/comparisons.c"),
    "\n",
    include_str!("prelude/sequences.c"),
    "\n",
    include_str!("prelude/domains.c"),
    "\n",
    include_str!("prelude/draws.c"),
    "\n",
);

/// The headers that the prelude needs; the `#define`s at the start request all POSIX declarations.
pub(super) const HEADERS: &str = "#define _XOPEN_SOURCE 700\n#define _DEFAULT_SOURCE\n#define _DARWIN_C_SOURCE\n\
     #include <setjmp.h>\n#include <signal.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
     #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// The emitted test program.
pub(super) fn file(relations: &[Relation], context: &EmitContext<'_>) -> Result<String, EmitError> {
    let mut names = Names::new(KEYWORDS);
    context.functions.iter().for_each(|f| drop(names.give(f.symbol())));
    let tests = tests(relations, context, &mut names, "relation_");
    let used = Used::of(&tests);
    let helpers = c_functions::Helpers::new(&used, context.functions, &mut names);
    let mut code = helpers.declarations(&used, context).map_err(|e| e.of(&tests, Language::C))?;
    code += &helpers.calls(&used).map_err(|e| e.of(&tests, Language::C))?;
    code += &helpers.draws(&used).map_err(|e| e.of(&tests, Language::C))?;
    for each in &tests {
        code +=
            &test(each, &helpers).map_err(|why| EmitError::inexpressible(each.relation, Language::C, why))?;
    }
    code += &main(&tests, context);
    let prelude = prelude::needed(PRELUDE, "//:", "\n\n", &code);
    Ok(format!("{}{prelude}\n{code}", head(context)))
}

fn head(context: &EmitContext<'_>) -> String {
    let include = match context.module {
        "" => String::new(),
        module => format!("\n#include \"{module}\"\n"),
    };
    let how = if context.module.ends_with(".c") {
        "cc -std=c99 -o test THIS.c -lm"
    } else {
        "cc -std=c99 -o test THIS.c FUNCTIONS.c -lm"
    };
    format!(
        "/* Metamorphic relations as a test program, written by Dodona.\n\n   Build and run it with GCC or clang: {how} && ./test\n   \
         It returns 0 where all relations hold, 1 after the first counterexample, 2 where a relation met no eligible input.\n   \
         The tests stand at the end, behind what the words of the relations mean. */\n{HEADERS}{include}\n"
    )
}

/// Breaks up `/*` and `*/`, which must not occur inside a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// The function that computes the sides of a `~=` again; it returns false where they have no value.
fn again(again: &Again, helpers: &c_functions::Helpers<'_>) -> Result<String, String> {
    let mut code = format!(
        "static bool {}(const mr_value *variables, int {REPETITION}, mr_value *sides) {{\n",
        again.name.name
    );
    for (i, variable) in again.name.variables.iter().enumerate() {
        let _ = writeln!(code, "    mr_value {variable} = variables[{i}];\n    (void){variable};");
    }
    for statement in &again.statements {
        code.push_str(&indented(&self::statement(statement, helpers, "false")?, 4));
    }
    let [left, right] = [expression::<C>(&again.sides[0])?, expression::<C>(&again.sides[1])?];
    let _ = writeln!(code, "    sides[0] = {left};\n    sides[1] = {right};\n    return true;\n}}\n");
    Ok(code)
}

fn test(test: &Test<'_>, helpers: &c_functions::Helpers<'_>) -> Result<String, String> {
    let here = test.label.as_ref().map(|label| format!("\n   Here {label}.")).unwrap_or_default();
    let above: String = test.comment.iter().map(|line| format!("{line}\n   ")).collect();
    let mut code = String::new();
    for again in &test.agains {
        code += &self::again(again, helpers)?;
    }
    code += &format!(
        "/* {} */\nstatic mr_verdict {}(void) {{\n",
        comment(&format!("{above}{}{here}", test.relation.text())),
        test.name
    );
    for variable in &test.variables {
        let _ = writeln!(code, "    mr_value {} = {}();", variable.name, helpers.draw(variable));
    }
    for statement in &test.statements {
        code.push_str(&indented(&self::statement(statement, helpers, "MR_INELIGIBLE")?, 4));
    }
    let calls: Vec<String> = test.statements.iter().filter_map(judged).collect();
    let expect = expression::<C>(&test.expect)?;
    let _ = writeln!(
        code,
        "    const mr_judged calls[] = {{{}}};\n    return mr_judge({}, calls, {expect});\n}}\n",
        calls.join(", "),
        calls.len()
    );
    Ok(code)
}

/// A call, paired with what its failure means for the verdict; `None` if the statement is not a call.
fn judged(statement: &Statement) -> Option<String> {
    let Statement::Call { name, standing, .. } = statement else { return None };
    let standing = match standing {
        Standing::Source | Standing::ObservedSource => "MR_SOURCE",
        Standing::FollowUp => "MR_FOLLOW_UP",
        Standing::ObservedFollowUp => "MR_OBSERVED",
    };
    Some(format!("{{{standing}, &{name}}}"))
}

/// A statement. Where a case is not eligible, `ineligible` is returned.
fn statement(
    statement: &Statement,
    helpers: &c_functions::Helpers<'_>,
    ineligible: &str,
) -> Result<String, String> {
    let all = |items: &[Expr]| items.iter().map(expression::<C>).collect::<Result<Vec<String>, String>>();
    let unless = |holds: String| format!("if (!({holds})) {{\n    return {ineligible};\n}}");
    Ok(match statement {
        Statement::Let { name, value } => format!("mr_value {name} = {};", expression::<C>(value)?),
        Statement::Condition(holds) => unless(format!("mr_is_true({})", expression::<C>(holds)?)),
        Statement::Domain { value, function, parameter } => {
            let value = expression::<C>(value)?;
            unless(conditions(helpers.parameter(*function, *parameter), &value))
        }
        Statement::Requires { arguments, holds } => {
            let arguments = array(all(arguments)?.into_iter());
            unless(format!("!mr_made({arguments}) || mr_is_true({})", expression::<C>(holds)?))
        }
        Statement::Call { name, function, arguments, standing } => {
            let call =
                format!("mr_call {name} = {}({});", helpers.call(*function), all(arguments)?.join(", "));
            match standing {
                Standing::Source => format!("{call}\n{}", unless(format!("mr_returned(&{name})"))),
                _ => call,
            }
        }
    })
}

/// C code that tests whether a value satisfies the conditions of a parameter's type and domain.
pub(super) fn conditions(parameter: &Parameter, value: &str) -> String {
    let checks = checks(parameter.ty, &parameter.domain);
    let single = apply::<C>("to_single", &[value.to_owned()]);
    let value = |c| if is_of_single(&checks, c) { &single } else { value };
    let conditions: Vec<String> = checks.iter().map(|c| check(*c, value(*c))).collect();
    conditions.join(" && ")
}

/// C code that tests one condition on a value.
fn check(check: Check<'_>, value: &str) -> String {
    let (word, more) = match check {
        Check::Type(ty) => ("fits", Some(bounds(ty))),
        Check::Ranges(ranges) => {
            ("in_ranges", Some(array(ranges.iter().flat_map(|r| [number(r.low), number(r.high)]))))
        }
        Check::Except(numbers) => ("is_none_of", Some(array(numbers.iter().map(|n| number(*n))))),
        Check::NoNan => ("has_no_nan", None),
        Check::Length(least, most) => ("has_length", Some(format!("{least}u, {most}u"))),
        Check::Alphabet(chars) => {
            ("has_alphabet", Some(characters(chars.iter().collect::<String>().as_bytes())))
        }
        Check::Texts(texts) => ("is_one_of", Some(array(texts.iter().map(|t| characters(t.as_bytes()))))),
        Check::Predicate(predicate @ (Predicate::Sorted | Predicate::Distinct | Predicate::NoNul)) => {
            (predicate_word(predicate), None)
        }
    };
    let operands: Vec<String> = [value.to_owned()].into_iter().chain(more).collect();
    apply::<C>(word, &operands)
}

/// A type as arguments of `mr_fits`.
fn bounds(ty: Type) -> String {
    match ty.scalar() {
        None => "MR_UTF8, 0, 0".to_owned(),
        Some(Scalar::F32) => "MR_SINGLES, 0, 0".to_owned(),
        Some(scalar) => match scalar.integer_range() {
            Some((low, high)) => format!("MR_INTEGERS, {}, {}", integer(low), integer(high)),
            None => "MR_ANY, 0, 0".to_owned(),
        },
    }
}

fn number(number: Number) -> String {
    match number {
        Number::Int(i) => format!("mr_whole({})", integer(i)),
        Number::Float(x) => format!("mr_real({})", C::float(x)),
    }
}

fn main(tests: &[Test<'_>], context: &EmitContext<'_>) -> String {
    let mut code = String::from("int main(void) {\n    static const mr_test tests[] = {\n");
    for test in tests {
        let _ = writeln!(
            code,
            "        {{\"{}\", {}, {}}},",
            test.name,
            literal(test.relation.text().as_bytes()),
            test.name
        );
    }
    let _ = writeln!(
        code,
        "    }};\n    return mr_main({}, tests, {}u, {}u);\n}}",
        tests.len(),
        context.cases,
        context.seed
    );
    code
}
