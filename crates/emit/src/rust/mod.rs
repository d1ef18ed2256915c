//! Property tests in Rust.

mod rust_dialect;
mod rust_functions;
mod rust_results;

use std::fmt::Write as _;

use dodona_relations::Relation;
use dodona_target::Number;

use super::domain::{Check, checks, is_of_single, predicate_word, type_word};
use super::names::Names;
use super::script::{Again, Expr, Standing, Statement, Test, Used, tests};
use super::write::{Dialect, REPETITION, apply, expression, indented};
use super::{EmitContext, EmitError, Language, prelude};
pub(super) use rust_dialect::Rust;

pub(super) const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized",
    "use", "virtual", "where", "while", "yield", "any", "config", "main", "mr", "Value",
];

/// The entries of `KEYWORDS` that are not keywords of Rust but names that the emitted file itself uses.
pub(super) const OWN: &[&str] = &["any", "config", "main", "mr", "Value"];

pub(super) const PRELUDE: &str = concat!(
    include_str!("prelude/values.rs"),
    "\n",
    include_str!("prelude/calls.rs"),
    "\n",
    include_str!("prelude/numbers.rs"),
    "\n",
    include_str!("prelude/comparisons.rs"),
    "\n",
    include_str!("prelude/sequences.rs"),
    "\n",
    include_str!("prelude/domains.rs"),
    "\n",
    include_str!("prelude/draws.rs"),
    "\n",
);

/// The emitted test file.
pub(super) fn file(relations: &[Relation], context: &EmitContext<'_>) -> Result<String, EmitError> {
    if context.module.trim().is_empty() {
        return Err(EmitError::NoModule);
    }
    let mut names = Names::new(KEYWORDS);
    let tests = tests(relations, context, &mut names, "");
    let used = Used::of(&tests);
    let helpers = rust_functions::Helpers::new(&used, context, &mut names);
    let mut body = String::new();
    for each in &tests {
        let written = test(each, &helpers)
            .map_err(|why| EmitError::inexpressible(each.relation, Language::Rust, why))?;
        body.push_str(&indented(&written, 4));
        body.push('\n');
    }
    let calls = helpers.calls(&used, context, &tests)?;
    let strategies = helpers.strategies(&used, context, &tests)?;
    let body = body.trim_end();
    let code = format!("{body}\n}}\n\n{calls}{strategies}");
    let prelude = prelude::needed(PRELUDE, "//:", "\n\n", &code);
    Ok(format!(
        "{}{code}/// What the words of the relations mean.\n#[allow(dead_code, unused_imports)]\nmod mr {{\n{}}}\n",
        head(context),
        indented(&prelude, 4)
    ))
}

fn head(context: &EmitContext<'_>) -> String {
    let EmitContext { seed, cases, .. } = context;
    format!(
        "//! Metamorphic relations as property tests, written by Dodona. They need the crate `proptest` (1.6 or later).\n\n\
         #![allow(non_snake_case, unused_variables, clippy::all)]\n\n\
         use mr::{{Standing, Value}};\nuse proptest::prelude::*;\nuse proptest::test_runner::RngSeed;\n\n\
         fn config() -> ProptestConfig {{\n    ProptestConfig {{\n        cases: {cases},\n        \
         // Inputs that a relation does not speak of are drawn again.\n        max_global_rejects: {},\n        \
         rng_seed: RngSeed::Fixed({seed}),\n        failure_persistence: None,\n        \
         ..ProptestConfig::default()\n    }}\n}}\n\nproptest! {{\n    #![proptest_config(config())]\n\n",
        u64::from(*cases).saturating_mul(100).min(u32::MAX.into())
    )
}

fn test(test: &Test<'_>, helpers: &rust_functions::Helpers) -> Result<String, String> {
    let mut text: String = test.comment.iter().map(|line| format!("/// {line}\n")).collect();
    if !text.is_empty() {
        text.push_str("///\n");
    }
    let _ = writeln!(text, "/// `{}`", test.relation.text());
    if let Some(label) = &test.label {
        let _ = writeln!(text, "///\n/// Here {label}.");
    }
    let draws: Vec<String> =
        test.variables.iter().map(|v| format!("{} in {}()", v.name, helpers.strategy(v))).collect();
    let draws = if draws.is_empty() { "_ in Just(())".to_owned() } else { draws.join(", ") };
    let _ = writeln!(text, "#[test]\nfn {}({draws}) {{", test.name);
    for again in &test.agains {
        text.push_str(&indented(&self::again(again, helpers)?, 4));
    }
    for statement in &test.statements {
        text.push_str(&indented(&self::statement(statement, helpers, assume)?, 4));
    }
    let calls: Vec<String> = test.statements.iter().filter_map(judged).collect();
    let expect = expression::<Rust>(&test.expect)?;
    let _ = writeln!(
        text,
        "    mr::judge(\n        &[{}],\n        Value::from({expect}),\n    )?;\n}}",
        calls.join(", ")
    );
    Ok(text)
}

/// A call, paired with what its failure means for the verdict; `None` if the statement is not a call.
fn judged(statement: &Statement) -> Option<String> {
    let Statement::Call { name, standing, .. } = statement else { return None };
    let standing = match standing {
        Standing::Source | Standing::ObservedSource => "Source",
        Standing::FollowUp => "FollowUp",
        Standing::ObservedFollowUp => "Observed",
    };
    Some(format!("(Standing::{standing}, &{name})"))
}

/// A case that is not eligible is drawn again.
fn assume(holds: &str) -> String {
    format!("prop_assume!({holds});")
}

/// The closure that computes the sides of a `~=` again; it returns `None` where they have no value.
fn again(again: &Again, helpers: &rust_functions::Helpers) -> Result<String, String> {
    let mut text = format!("let {} = |{REPETITION}: Option<u32>| {{\n", again.name.name);
    let unless = |holds: &str| format!("if !({holds}) {{\n    return None;\n}}");
    for statement in &again.statements {
        text.push_str(&indented(&self::statement(statement, helpers, unless)?, 4));
    }
    let [left, right] = [expression::<Rust>(&again.sides[0])?, expression::<Rust>(&again.sides[1])?];
    let _ = writeln!(text, "    Some((Value::from({left}), Value::from({right})))\n}};");
    Ok(text)
}

/// A statement. `only_if` writes what goes on only where a condition holds.
fn statement(
    statement: &Statement,
    helpers: &rust_functions::Helpers,
    only_if: impl Fn(&str) -> String,
) -> Result<String, String> {
    let all = |items: &[Expr]| items.iter().map(expression::<Rust>).collect::<Result<Vec<String>, String>>();
    Ok(match statement {
        Statement::Let { name, value } => format!("let {name} = {};", expression::<Rust>(value)?),
        Statement::Condition(holds) => only_if(&format!("mr::is_true({})", expression::<Rust>(holds)?)),
        Statement::Domain { value, function, parameter } => {
            let value = reference(value)?;
            let conditions = joined(&helpers.checks(*function, *parameter), &value);
            only_if(&conditions)
        }
        Statement::Requires { arguments, holds } => {
            let arguments: Vec<String> =
                all(arguments)?.iter().map(|a| format!("Value::from({a})")).collect();
            let holds = expression::<Rust>(holds)?;
            only_if(&format!("!mr::made(&[{}]) || mr::is_true({holds})", arguments.join(", ")))
        }
        Statement::Call { name, function, arguments, standing } => {
            let call = format!("let {name} = {}({});", helpers.call(*function), all(arguments)?.join(", "));
            match standing {
                Standing::Source => format!("{call}\n{}", only_if(&format!("{name}.returned()"))),
                _ => call,
            }
        }
    })
}

/// A Rust expression for a reference to the value of `e`.
fn reference(e: &Expr) -> Result<String, String> {
    let written = expression::<Rust>(e)?;
    Ok(match e {
        Expr::Local(_) => written,
        Expr::Constant(_) | Expr::Returned(_) => format!("&Value::from({written})"),
        _ => format!("&{written}"),
    })
}

/// Rust code that tests one condition on a value.
fn check(check: Check<'_>, value: &str) -> String {
    let (word, more) = match check {
        Check::Type(ty) => (type_word(ty), None),
        Check::Ranges(ranges) => {
            let ranges: Vec<String> =
                ranges.iter().map(|r| format!("({}, {})", bound(r.low), bound(r.high))).collect();
            ("in_ranges".to_owned(), Some(format!("&[{}]", ranges.join(", "))))
        }
        Check::Except(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(|n| bound(*n)).collect();
            ("is_none_of".to_owned(), Some(format!("&[{}]", numbers.join(", "))))
        }
        Check::NoNan => ("has_no_nan".to_owned(), None),
        Check::Length(least, most) => ("has_length".to_owned(), Some(format!("{least}, {most}"))),
        Check::Alphabet(chars) => {
            ("has_alphabet".to_owned(), Some(format!("{:?}", chars.iter().collect::<String>())))
        }
        Check::Texts(texts) => ("is_one_of".to_owned(), Some(format!("&{texts:?}"))),
        Check::Predicate(predicate) => (predicate_word(predicate).to_owned(), None),
    };
    let operands: Vec<String> = [value.to_owned()].into_iter().chain(more).collect();
    apply::<Rust>(&word, &operands)
}

fn bound(number: Number) -> String {
    match number {
        Number::Int(i) => format!("mr::Bound::I({i})"),
        Number::Float(x) => format!("mr::Bound::F({})", Rust::float(x)),
    }
}

/// Rust code that tests whether a value satisfies the conditions of a parameter's type and domain.
fn conditions(parameter: &dodona_target::Parameter, value: &str) -> String {
    joined(&checks(parameter.ty, &parameter.domain), value)
}

/// Rust code that tests several conditions on a value; `value` is the text of a reference.
fn joined(checks: &[Check<'_>], value: &str) -> String {
    let single = format!("&{}", apply::<Rust>("to_single", &[value.to_owned()]));
    let value = |c| if is_of_single(checks, c) { &single } else { value };
    let conditions: Vec<String> = checks.iter().map(|c| check(*c, value(*c))).collect();
    conditions.join(" && ")
}
