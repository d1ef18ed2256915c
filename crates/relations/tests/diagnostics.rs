//! What is said of mistakes, with the place and a hint.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::*;
use dodona_relations::{Diagnostic, check, evaluate_expression, parse, parse_expression};

/// A diagnostic as a terminal would show it.
fn shown(text: &str, problem: &Diagnostic) -> String {
    let start = text[..problem.span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or("");
    let column = text[start..problem.span.start].chars().count();
    let width = text[problem.span.clone()].chars().take_while(|c| *c != '\n').count().max(1);
    let hint = problem.hint.as_ref().map_or(String::new(), |hint| format!("\n= {hint}"));
    let pad = " ".repeat(column);
    let caret = format!("{pad}{} {}", "^".repeat(width), problem.label);
    format!("{}\n| {line}\n| {}{hint}", problem.message, caret.trim_end())
}

fn problems(text: &str) -> String {
    let world = library();
    let found: Vec<String> = world.problems(text).iter().map(|p| shown(text, p)).collect();
    found.join("\n\n")
}

/// Every mistake with what is said of it, one behind the other.
fn document(mistakes: &[(&str, &str)]) -> String {
    let one = |(name, text): &(&str, &str)| format!("## {name}\n{}\n", problems(text));
    mistakes.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn mistakes_in_reading() {
    insta::assert_snapshot!(document(&[
        ("an argument of another type", r#"relation r: mean("a") ~= mean(xs)"#),
        ("a missing parenthesis", "relation r: sin(-x ~= sin(x)\nrelation s: cos(x) == cos(-x)"),
        (
            "several mistakes in one file",
            "relation r: sin(x) ==\nrelation s: cos(x) == * 2\nrelation t: gcd(p, q) > 0"
        ),
        ("text before the first relation", "sin(x) == 1"),
        ("a relation without a colon", "relation odd sin(x) == 1"),
        ("an empty file of constants", "relation r: for k in {}: sin(x) == k"),
        ("a condition without a colon", "relation r: when x > 0 sin(x) > 0"),
        ("a chained comparison", "relation r: 0 <= x <= 1"),
        ("a chained trap", "relation r: sin(x) == 1 traps"),
        ("not where an operand stands", "relation r: sin(x) == not 1"),
        ("a word as a name", "relation r(when: sin.x): sin(when) == 1"),
        ("a word as an operand", "relation r: sin(x) == and"),
        ("an unclosed text", "relation r: tokens(\"abc).exit == 0\nrelation s: tokens(text) == 1"),
        ("an unknown escape", r#"relation r: tokens("\q").exit == 0"#),
        ("a strange character", "relation r: sin(x) == 1 && true"),
        ("an integer too large", "relation r: gcd(p, q) < 999999999999999999999999999999999999999999"),
        ("a float too large", "relation r: sin(x) < 1e999"),
        ("a float too small", "relation r: sin(x) < 0.01e-400"),
        (
            "the least integer without its sign",
            "relation r: gcd(p, q) < 170141183460469231731687303715884105728"
        ),
        ("a tolerance that is none", "relation r: sin(x) ~= 1 within x"),
        ("a fraction of an ulp", "relation r: sin(x) ~= 1 within 1.5 ulp"),
        ("something behind the end", "relation r: sin(x) ~= 1 within 1e-9 and true"),
        ("no given", "relation r: given expect out' == out"),
        ("no expect", "relation r: given p' = q"),
        ("one equals sign", "relation r: sin(x) = 1"),
        ("if for when", "relation r: if x > 0: sin(x) > 0"),
        ("if with parentheses", "relation r: if (x > 0): sin(x) > 0"),
        ("a long row of a sign", &format!("relation r: x{} == 1", " + 1".repeat(120))),
    ]));
}

#[test]
fn signs_of_other_languages() {
    insta::assert_snapshot!(document(&[
        ("an arrow for implies", "relation r: x > 0 => sin(x) > 0\nrelation s: x > 0 -> sin(x) > 0"),
        ("a longer arrow for implies", "relation r: x > 0 ==> sin(x) > 0\nrelation s: x > 0 ⇒ sin(x) > 0"),
        ("an arrow for iff", "relation r: x > 0 <=> sin(x) > 0\nrelation s: x > 0 <-> sin(x) > 0"),
        ("stars for a power", "relation r: sin(x) ** 2 <= 1"),
        ("slashes for a quotient", "relation r: gcd(p, q) // 2 >= 0"),
        ("a comment of another language", "relation r: sin(x) <= 1 /* always */"),
        ("three equals signs", "relation r: sin(x) === sin(x)\nrelation s: sin(x) !== 2"),
        ("brackets for differs from", "relation r: sin(x) <> 2"),
        ("at most the wrong way round", "relation r: sin(x) =< 1"),
        ("doubled letters of logic", "relation r: sin(x) <= 1 && cos(x) <= 1 || true"),
        (
            "signs of mathematics",
            "relation r: sin(x) ≤ 1 ∧ sin(x) ≥ −1\nrelation s: sin(x) ≠ 2\nrelation t: sin(x) ≈ 0"
        ),
        ("a semicolon at the end", "relation r: sin(x) <= 1;"),
        ("a hexadecimal integer", "relation r: gcd(p, q) < 0x10\nrelation s: gcd(p, q) < 0b1010 + 0o17"),
        ("a float without a digit before the point", "relation r: sin(x) > .5"),
    ]));
}

#[test]
fn conditions_behind_what_is_expected() {
    insta::assert_snapshot!(document(&[
        ("if at the end", "relation r: sin(x) >= 0 if x > 0 and x < pi"),
        ("when at the end", "relation r: sin(x) ~= 0 within 1e-9 when x == 0"),
        ("where at the end", "relation r: given x' = -x expect out' == out where (x == 0)"),
        ("an unfinished condition at the end", "relation r: sin(x) >= 0 if x >"),
        ("for at the end", "relation r: gcd(k * p, q) > 0 for k in {1, 2}"),
    ]));
}

#[test]
fn names_of_other_languages() {
    insta::assert_snapshot!(document(&[
        ("constants", "relation r: sin(x) == NaN or sin(x) == INFINITY or sin(x) == PI"),
        ("Booleans", "relation r: (sin(x) <= 1) == True\nrelation s: (sin(x) > 1) == FALSE"),
        ("the length", "relation r: length(sort(xs)) == size(xs)"),
        ("a power", "relation r: powf(sin(x), 2) <= 1"),
        (
            "a function of numbers",
            "relation r: fabs(sin(x)) <= 1 and log(exp(sin(x))) <= 1 and round(sin(x)) <= 1"
        ),
        ("an operator as a function", "relation r: mod(gcd(p, q), 2) <= 1 and contains(sort([1]), 1)"),
        ("the length as an output", "relation r: len(sort(xs)) == xs.length"),
    ]));
}

#[test]
fn a_word_of_another_language_beside_a_function_that_is_near() {
    let mut world = library();
    for function in &mut world.functions {
        if function.name == "sort" {
            function.name = "order".to_owned();
        }
    }
    let hint = |world: &World, text: &str| world.problems(text)[0].hint.clone().unwrap();
    assert_eq!(hint(&world, "relation r: order(sort(xs)) == order(xs)"), "write `sorted(s)`");
    world.functions[0].name = "sorts".to_owned();
    let both = hint(&world, "relation r: order(sort(xs)) == order(xs)");
    assert_eq!(both, "did you mean `sorts`? or write `sorted(s)`");
}

#[test]
fn mistakes_in_names_and_types() {
    insta::assert_snapshot!(document(&[
        ("a tolerance without use", "relation r: sin(x) == 1 within 1e-9"),
        ("an unknown function", "relation r: gdc(p, q) > 0"),
        ("an unknown name", "relation r: gcd(pp, q) > 0"),
        ("a name of another functions parameter", "relation r: gcd(p, q) > x"),
        ("a function as a name", "relation r: gcd > 0"),
        ("out among calls", "relation r: gcd(p, q) == out"),
        ("a prime among calls", "relation r: gcd(p', q) == 1"),
        ("too few arguments", "relation r: gcd(p) == 1"),
        ("a word with too many arguments", "relation r: sin(x) == len([1], 2)"),
        ("an unknown function in the header", "relation r(x: sine.x): sin(x) == 1"),
        ("an unknown parameter in the header", "relation r(x: gcd.r): sin(x) == 1"),
        ("a header entry not used", "relation r(y: sin.x): sin(x) == 1"),
        ("a variable twice", "relation r(y: sin.x, y: cos.x): sin(y) == 1"),
        ("a constant like a variable", "relation r(k: sin.x): for k in {1}: sin(k) == 1"),
        ("a constant that calls", "relation r: for k in {gcd(1, 2)}: gcd(p, q) > k"),
        ("a constant of a variable", "relation r: for k in {p}: gcd(p, q) > k"),
        ("a constant without a value", "relation r: for k in {1 / 0}: gcd(p, q) > k"),
        ("two relations of one name", "relation r: sin(x) == 1\nrelation r: sin(x) == 2"),
        ("nothing called", "relation r: 1 + 1 == 2"),
        ("a number expected to be true", "relation r: gcd(p, q)"),
        ("a condition that is a number", "relation r: when p: gcd(p, q) > 0"),
        ("logic of numbers", "relation r: gcd(p, q) and 1"),
        ("comparing different types", "relation r: gcd(p, q) == \"1\""),
        ("ordering texts", "relation r: tokens(text).stdout < \"a\""),
        ("adding texts", "relation r: concat(tokens(text).stdout, 1) == \"a\" + \"b\""),
        ("adding sequences", "relation r: sort(xs) == xs + xs"),
        ("integer division of floats", "relation r: sin(x) div 2 == 0"),
        ("a minus of a truth", "relation r: -(sin(x) > 0)"),
        ("the length of a number", "relation r: len(gcd(p, q)) == 0"),
        ("an index that is a text", "relation r: sort(xs)[\"a\"] == 0"),
        ("an index of a number", "relation r: gcd(p, q)[0] == 0"),
        ("a sequence of texts", "relation r: [\"a\"] == sort(xs)"),
        ("containing something else", "relation r: sort(xs) contains \"a\""),
        ("a command without an output", "relation r: tokens(text) == \"\""),
        ("an unknown output", "relation r: tokens(text).stdou == \"\""),
        ("an output of a plain function", "relation r: gcd(p, q).stdout == \"\""),
        ("an output of no call", "relation r: xs.stdout == sort(xs)"),
        ("a function that returns nothing", "relation r: fill(xs, x) == xs"),
        ("what does not trap", "relation r: gcd(p, q) + 1 traps"),
    ]));
}

#[test]
fn operands_that_a_word_does_not_take() {
    let mut world = library();
    for (expression, message) in [
        ("trim(1)", "`trim` takes text, found `integer`"),
        ("trim([1])", "`trim` takes text, found `[integer]`"),
        ("trim(\"a\", \"b\")", "`trim` takes 1 argument, found 2"),
        ("distinct(true)", "`distinct` takes a sequence or text, found `bool`"),
        ("count([1])", "`count` takes 2 arguments, found 1"),
        ("count([1], true)", "`count` does not go with `[integer]` and `bool`"),
        ("count([true], 1)", "`count` does not go with `[bool]` and `integer`"),
        ("count([1, 2], [1])", "`count` does not go with `[integer]` and `[integer]`"),
        ("count(\"a\", 1)", "`count` does not go with `text` and `integer`"),
        ("count(1, 1)", "`count` does not go with `integer` and `integer`"),
        ("concat(1, 2)", "`concat` does not go with `integer` and `integer`"),
        ("min(true, \"\")", "`min` takes a number, found `text`"),
        ("min(true, 1)", "`min` takes a number, found `bool`"),
        ("sum([true])", "`sum` takes a sequence of numbers, found `[bool]`"),
        ("text([1])", "`text` takes a number or Boolean, found `[integer]`"),
        ("trimm(\"a\")", "unknown function `trimm`"),
    ] {
        let problems = world.problems(&format!("relation r: sin(x) == 1 and defined({expression})"));
        assert_eq!(problems[0].message, message, "{expression}");
    }
    let hint = |text: &str, world: &mut World| world.problems(text)[0].hint.clone().unwrap();
    let counted = hint("relation r: sin(x) == count([1], \"a\")", &mut world);
    assert_eq!(counted, "write `count(sequence, element)` or `count(text, text)`");
    assert!(hint("relation r: sin(x) == trimm(\"a\")", &mut world).contains("`trim`"));
}

#[test]
fn mistakes_in_the_primed_notation() {
    insta::assert_snapshot!(document(&[
        ("a primed relation of no function", "relation r: given z' = z expect out' == out"),
        ("a primed relation of several", "relation r: given x' = -x expect out' == -out"),
        ("a primed parameter that is none", "relation r of gcd: given x' = p expect out' == out"),
        ("a primed name that is nothing", "relation r: given p' = q expect outt' == out"),
        ("a prime in the follow up input", "relation r: given p' = q' expect out' == out"),
        ("a prime in the condition", "relation r: when out' > 0: given p' = q expect out' == out"),
        ("a parameter given twice", "relation r: given p' = q, p' = -q expect out' == out"),
        ("a header entry that is not used", "relation r(z: gcd.p) of gcd: given p' = q expect out' == out"),
        (
            "a header entry that hides a parameter",
            "relation r(p: gcd.q) of gcd: given p' = q expect out' == out"
        ),
        ("a constant that hides a parameter", "relation r: for p in {1}: given p' = q expect out' == out"),
        ("an unknown function after of", "relation r of gdc: given p' = q expect out' == out"),
    ]));
}

#[test]
fn nesting_is_bounded() {
    for deep in [
        format!("relation r: {}x{} == sin(x)", "(".repeat(100_000), ")".repeat(100_000)),
        format!("relation r: {}x == sin(x)", "-".repeat(100_000)),
        format!("relation r: x{} == sin(x)", " + 1".repeat(100_000)),
        format!("relation r: x{} == sin(x)", "[0]".repeat(100_000)),
        format!("relation r: x{} == sin(x)", " ^ 1".repeat(100_000)),
        format!("relation r: {} x", "not ".repeat(100_000)),
        format!("relation r: {}", "sin(".repeat(100_000)),
        format!("relation r: {}", "[".repeat(100_000)),
        format!("relation r: true{}", " implies true".repeat(100_000)),
    ] {
        let problems = parse(&deep).unwrap_err();
        assert_eq!(problems[0].message, "expression nested more than 100 deep", "{}", &deep[..40]);
    }
}

/// On the stack that a thread has by default.
#[test]
fn the_deepest_expression_fits_a_small_stack() {
    let depth = 96;
    let texts = [
        format!("relation r: x{} == sin(x)", " + 1".repeat(depth)),
        format!("relation r: {}x{} == sin(x)", "(-".repeat(depth / 2), ")".repeat(depth / 2)),
        format!("relation r: {}x{} == 1", "sin(".repeat(depth), ")".repeat(depth)),
        format!("relation r: given x' = {}x expect out' == {}x'", "-".repeat(depth), "-".repeat(depth)),
    ];
    let run = move || {
        for text in texts {
            let text = text.replace("relation r: given", "relation r of sin: given");
            let file = parse(&text).unwrap();
            check(&file, &library().functions).unwrap();
            assert_eq!(parse(&file.to_string()).unwrap(), file);
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_wrong_precondition_is_told_where_its_function_is_called() {
    let mut world = library();
    world.functions[0].requires = Some("p > r".to_owned());
    let problem = &world.problems("relation r: gcd(p, q) > 0")[0];
    assert_eq!(problem.message, "the precondition of `gcd` is wrong: unknown name `r`");
    assert_eq!(problem.hint.as_deref(), Some("it stands in the manifest: `requires = \"p > r\"`"));
    assert_eq!(problem.span, 12..15);
    let problems = dodona_relations::Precondition::compile(&world.functions[0]).unwrap_err();
    assert_eq!((problems[0].message.as_str(), problems[0].span.clone()), ("unknown name `r`", 4..5));
    world.functions[0].requires = Some("gcd(p, q) == 1".to_owned());
    let problems = dodona_relations::Precondition::compile(&world.functions[0]).unwrap_err();
    assert_eq!(problems[0].message, "unknown function `gcd`");
    let hint = problems[0].hint.as_deref().unwrap();
    assert!(hint.contains("`requires`") && hint.contains("it cannot call functions under test"), "{hint}");
}

#[test]
fn an_expression_with_an_argument_outside_its_type() {
    let mut world = library();
    let functions = world.functions.clone();
    let wrong = |text: &str, world: &mut World| {
        let expression = parse_expression(text).unwrap();
        match evaluate_expression(&expression, &functions, world).unwrap_err() {
            dodona_relations::ExpressionError::Wrong(problems) => shown(text, &problems[0]),
            other => panic!("{other}"),
        }
    };
    let texts = ["1 + gcd(gcd(4, 2), 3000000000)", "gcd(0.5, 2)", "gcd(p, 2)"];
    insta::assert_snapshot!(texts.map(|text| wrong(text, &mut world)).join("\n\n"));
}
