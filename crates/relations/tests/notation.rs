//! Text to trees and back, and the two notations into each other.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::library;
use dodona_relations::ast::{
    Assignment, BinaryOperator, Binding, Body, Bound, Constants, Expression, File, Name, Node, Presence,
    Relation, Span, Tolerance, UnaryOperator,
};
use dodona_relations::{check, parse, parse_expression, to_calls, to_primed};
use proptest::prelude::*;
use proptest::sample::select;

fn node(node: Node) -> Expression {
    Expression::new(node)
}

fn names() -> impl Strategy<Value = String> {
    select(vec!["p", "q", "x1", "e", "größe", "_", "in_", "of", "ulp", "in", "text"]).prop_map(str::to_owned)
}

fn expressions() -> impl Strategy<Value = Expression> {
    let text = prop::collection::vec(any::<u8>(), 0..6).prop_map(|bytes| Node::Text(bytes.into()));
    let float = any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Node::Float);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Node::Bool),
        prop_oneof![any::<i128>(), -3i128..3, Just(i128::MIN)].prop_map(Node::Int),
        float,
        text,
        any::<String>().prop_map(|t| Node::Text(t.into())),
        names().prop_map(Node::Name),
        names().prop_map(Node::Primed),
    ]
    .prop_map(node);
    leaf.prop_recursive(6, 40, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let operator = select(BinaryOperator::ALL.to_vec());
        let function = prop_oneof![names(), Just("div".to_owned()), Just("contains".to_owned())];
        prop_oneof![
            4 => (operator, boxed(), boxed()).prop_map(|(o, a, b)| Node::Binary(o, a, b)),
            2 => (select(vec![UnaryOperator::Negate, UnaryOperator::Not]), boxed())
                .prop_map(|(o, a)| Node::Unary(o, a)),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(Node::Sequence),
            1 => (function, prop::collection::vec(inner.clone(), 0..3))
                .prop_map(|(f, arguments)| Node::Call { function: Name::new(f), arguments }),
            1 => (boxed(), names()).prop_map(|(e, output)| Node::Select(e, Name::new(output))),
            1 => (boxed(), boxed()).prop_map(|(s, i)| Node::Index(s, i)),
            1 => (boxed(), prop::option::of(boxed()), prop::option::of(boxed()))
                .prop_map(|(s, from, to)| Node::Slice(s, from, to)),
            1 => boxed().prop_map(Node::Traps),
            1 => (boxed(), select(Presence::ALL.to_vec())).prop_map(|(e, presence)| Node::Is(e, presence)),
            1 => (boxed(), boxed(), boxed()).prop_map(|(a, b, c)| Node::If(a, b, c)),
        ]
        .prop_map(node)
    })
}

fn relations() -> impl Strategy<Value = Relation> {
    let binding = (names(), names(), names()).prop_map(|(variable, function, parameter)| Binding {
        variable: Name::new(variable),
        function: Name::new(function),
        parameter: Name::new(parameter),
    });
    let constants = (names(), prop::collection::vec(expressions(), 1..3))
        .prop_map(|(name, values)| Constants { name: Name::new(name), values });
    let assignment = (names(), expressions())
        .prop_map(|(parameter, value)| Assignment { parameter: Name::new(parameter), value });
    let body = prop_oneof![
        expressions().prop_map(Body::Calls),
        (prop::collection::vec(assignment, 0..3), expressions())
            .prop_map(|(given, expect)| Body::Primed { given, expect }),
    ];
    let bound = prop_oneof![
        any::<u64>().prop_map(Bound::Ulps),
        (0.0..1e3).prop_map(Bound::Relative),
        (0.0..1e3, 0.0..1e3).prop_map(|(relative, absolute)| Bound::Either { relative, absolute }),
        (0.0..1e3).prop_map(|absolute| Bound::Either { relative: 0.0, absolute })
    ];
    let tolerance = bound.prop_map(|bound| Tolerance { bound, span: Span::default() });
    (
        (names(), prop::collection::vec(binding, 0..3), prop::option::of(names())),
        (prop::option::of(constants), prop::option::of(expressions())),
        (body, prop::option::of(tolerance)),
    )
        .prop_map(|((name, bindings, function), (constants, condition), (body, tolerance))| Relation {
            name: Name::new(name),
            bindings,
            function: function.map(Name::new),
            constants,
            condition,
            body,
            tolerance,
            span: Span::default(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_expression_comes_back(e in expressions()) {
        let text = e.to_string();
        prop_assert_eq!(parse_expression(&text), Ok(e), "{}", text);
    }

    #[test]
    fn a_file_comes_back(relations in prop::collection::vec(relations(), 0..3)) {
        let file = File { relations };
        let text = file.to_string();
        prop_assert_eq!(parse(&text), Ok(file), "{}", text);
    }

    #[test]
    fn nothing_makes_the_parser_panic(text in "[a-z0-9 .:'\"(){}\\[\\]<>=~!^*/+\\\\#\n-]{0,60}|\\PC{0,30}") {
        let _ = parse(&text);
        let _ = parse(&format!("relation r: {text}"));
        let _ = parse_expression(&text);
    }

    #[test]
    fn a_panic_free_check(relation in relations()) {
        let world = library();
        let _ = check(&File { relations: vec![relation] }, &world.functions);
    }
}

fn one(text: &str) -> Relation {
    parse(text).unwrap_or_else(|p| panic!("{text}: {p:?}")).relations.remove(0)
}

/// Texts and how they are printed.
#[test]
fn no_more_parentheses_than_needed() {
    for (written, printed) in [
        ("1+2*3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("2^3^4", "2 ^ 3 ^ 4"),
        ("(2^3)^4", "(2 ^ 3) ^ 4"),
        ("-x^2", "-x ^ 2"),
        ("(-x)^2", "(-x) ^ 2"),
        ("-3^2", "-3 ^ 2"),
        ("(-3)^2", "(-3) ^ 2"),
        ("2^-1", "2 ^ -1"),
        ("- -x", "--x"),
        ("-(3)", "-(3)"),
        ("a implies b implies c", "a implies b implies c"),
        ("(a implies b) implies c", "(a implies b) implies c"),
        ("not (a and b)", "not (a and b)"),
        ("not a == b", "not a == b"),
        ("(not a) == b", "(not a) == b"),
        ("a or b xor c and not d", "a or b xor c and not d"),
        ("a iff b or c implies d", "a iff b or c implies d"),
        ("(a or b) and c", "(a or b) and c"),
        ("f(x) traps", "f(x) traps"),
        ("not f(x) traps", "not f(x) traps"),
        ("(f(x) traps) == b", "(f(x) traps) == b"),
        ("t[..len(t)-1].stdout", "t[..len(t) - 1].stdout"),
        ("t[1..]", "t[1..]"),
        ("t[1..3][0]", "t[1..3][0]"),
        ("(a + b)[0]", "(a + b)[0]"),
        ("1_000 + 0.5e3", "1000 + 500.0"),
        (r#""a\"\\\n\t\r\0\u{e9}\xff""#, r#""a\"\\\n\t\r\0é\xff""#),
        ("s contains 3 and t is_prefix_of u", "s contains 3 and t is_prefix_of u"),
        ("div(7, 2) div 2", "div(7, 2) div 2"),
        ("[1, 2,]", "[1, 2]"),
        ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
    ] {
        assert_eq!(parse_expression(written).map(|e| e.to_string()), Ok(printed.to_owned()), "{written}");
    }
}

#[test]
fn precedence_from_loose_to_tight() {
    let text = "a iff b implies c or d xor e and not f == g + h * -i ^ j[0]";
    let grouped = "a iff (b implies (c or (d xor (e and (not (f == (g + (h * (-(i ^ (j[0])))))))))))";
    assert_eq!(parse_expression(text), parse_expression(grouped));
}

#[test]
fn a_relation_may_stand_on_many_lines() {
    let file = parse(
        "# two relations\nrelation a(x: cos.x, y: cos.x): # header\n  for k in {2, -1.5}:\n  when x < y:\n    \
         cos(x) ~= cos(y)\n    within 4 ulp\nrelation b of gcd: given p' = q,\n  q' = p\n expect out' == out\n",
    );
    let printed = "relation a(x: cos.x, y: cos.x): for k in {2, -1.5}: when x < y: cos(x) ~= cos(y) within 4 ulp\n\
                   relation b of gcd: given p' = q, q' = p expect out' == out\n";
    assert_eq!(file.unwrap().to_string(), printed);
}

#[test]
fn a_relation_prints_in_both_notations() {
    let functions = library().functions;
    for (calls, primed) in [
        (
            "relation commutes: gcd(q, p) == gcd(p, q)",
            "relation commutes of gcd: given p' = q, q' = p expect out' == out",
        ),
        (
            "relation period: sin(x + 2 * pi) ~= sin(x) within 1e-9",
            "relation period of sin: given x' = x + 2 * pi expect out' ~= out within 1e-9",
        ),
        (
            "relation scaled: for k in {2, 3}: when gcd(p, q) > 1: gcd(k * p, q) >= gcd(p, q)",
            "relation scaled of gcd: for k in {2, 3}: when out > 1: given p' = k * p expect out' >= out",
        ),
        (
            "relation again: sort(sort(xs)) == sort(xs)",
            "relation again of sort: given xs' = out expect out' == out",
        ),
        (
            "relation prefix: tokens(text[..1]).stdout is_prefix_of tokens(text).stdout",
            "relation prefix of tokens: given text' = text[..1] expect out'.stdout is_prefix_of out.stdout",
        ),
        (
            "relation fails: pow(k, e) > 0 implies pow(k, -e) traps",
            "relation fails of pow: given e' = -e expect out > 0 implies out' traps",
        ),
    ] {
        let turned = to_primed(&one(calls), &functions).unwrap().to_string();
        assert_eq!(turned, primed);
        assert_eq!(to_calls(&one(&turned), &functions).unwrap(), one(calls), "{turned}");
        assert!(check(&parse(primed).unwrap(), &functions).is_ok(), "{primed}");
    }
}

#[test]
fn some_relations_have_no_primed_notation() {
    let functions = library().functions;
    for calls in [
        "relation two_functions: sin(x) ^ 2 + cos(x) ^ 2 ~= 1",
        "relation two_sources(x: cos.x, y: cos.x): cos(x) == cos(y)",
        "relation three_calls: gcd(p, q) == gcd(q, p) and gcd(p, q) == gcd(-p, q)",
        "relation no_source: gcd(p, 0) == gcd(0, p)",
        "relation asks_of_the_follow_up: when gcd(q, p) > 1: gcd(p, q) == gcd(q, p)",
    ] {
        assert_eq!(to_primed(&one(calls), &functions), None, "{calls}");
    }
}

/// Names of parameters in both inputs may be used in what is expected, and the function may be left out.
#[test]
fn primed_parameters_stand_for_the_follow_up_input() {
    let functions = library().functions;
    let relation = one("relation r: given xs' = reverse(xs) expect len(xs') == len(xs) and out' ~= out + p'");
    let problem = to_calls(&relation, &functions).unwrap_err();
    assert_eq!(problem.message, "no function under test has the parameters `p`, `xs`");
    let relation =
        one("relation r of mean: given xs' = reverse(xs) expect len(xs') == len(xs) and out' ~= out");
    let expected = one("relation r: len(reverse(xs)) == len(xs) and mean(reverse(xs)) ~= mean(xs)");
    assert_eq!(to_calls(&relation, &functions).unwrap(), expected);
    let relation = one("relation r: given p' = -p expect out' == out and p' == -p");
    let expected = one("relation r: gcd(-p, q) == gcd(p, q) and -p == -p");
    assert_eq!(to_calls(&relation, &functions).unwrap(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Relations of one function over its own parameters, through the primed notation and back.
    #[test]
    fn there_and_back(
        (a, b) in (follow_up_argument(), follow_up_argument()),
        operator in select(vec!["==", "<", "~="]),
        condition in select(vec!["", "when p < q: ", "when gcd(p, q) == 1: "]),
    ) {
        let functions = library().functions;
        let calls = one(&format!("relation r: {condition}gcd({a}, {b}) {operator} gcd(p, q) + p"));
        let primed = to_primed(&calls, &functions).unwrap();
        let reread = one(&primed.to_string());
        prop_assert_eq!(&reread, &primed);
        prop_assert_eq!(to_calls(&reread, &functions), Ok(calls));
        let is_unchanged = a == "p" && b == "q";
        prop_assert_eq!(primed.to_string().contains("given"), !is_unchanged);
    }
}

fn follow_up_argument() -> impl Strategy<Value = &'static str> {
    select(vec!["p", "q", "-p", "p + q", "gcd(p, q)", "gcd(p, q) * q", "0"])
}

#[test]
fn a_relation_of_one_call_has_nothing_given() {
    let functions = library().functions;
    let primed = one("relation r of gcd: when p != 0: expect p mod out == 0");
    let calls = one("relation r: when p != 0: p mod gcd(p, q) == 0");
    assert_eq!(to_calls(&primed, &functions).unwrap(), calls);
    assert_eq!(to_primed(&calls, &functions).unwrap(), primed);
    let problem = to_calls(&one("relation r of gcd: expect out' == out"), &functions).unwrap_err();
    assert_eq!(problem.message, "there is no follow-up input");
}

#[test]
fn a_parameter_is_set_to_another_value_of_its_own() {
    let functions = library().functions;
    let primed = one("relation r(v: gcd.q) of gcd: when v > q: given q' = v expect out' != out");
    let calls = one("relation r(v: gcd.q): when v > q: gcd(p, v) != gcd(p, q)");
    assert_eq!(to_calls(&primed, &functions).unwrap(), calls);
    assert_eq!(to_primed(&calls, &functions).unwrap(), primed);
    for hidden in ["p", "out"] {
        let relation = one(&format!("relation r({hidden}: gcd.p) of gcd: given p' = q expect out' == out"));
        let problem = to_calls(&relation, &functions).unwrap_err();
        assert_eq!(problem.message, format!("`{hidden}` means two things here"));
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = "relation even: cos(-x) == cos(x)";
    assert_eq!(dodona_relations::parse(&format!("\u{feff}{text}")), dodona_relations::parse(text));
}

#[test]
fn the_function_after_of_gives_its_parameters_whether_it_is_called_or_not() {
    let function = |text: &str| library().check(text)[0].variables()[0].function;
    assert_eq!(function("relation r: sin(x) <= cos(x)"), 1);
    assert_eq!(function("relation r of cos: sin(x) <= cos(x)"), 2);
    assert_eq!(function("relation r of cos: sin(x) <= 1"), 2);
}
