//! Random relations that check, over functions that fail in every way there is, with source inputs for them.
#![allow(dead_code, reason = "each test program uses its own part")]
#![allow(unreachable_pub, reason = "a module of several test programs")]
#![allow(clippy::unwrap_used, reason = "a test that goes wrong here has failed")]

use dodona_relations::ast::{
    BinaryOperator as B, Binding, Body, Bound, Expression, Name, Node, Relation, Span, Tolerance,
    UnaryOperator,
};
use dodona_relations::{ast, check, parse_expression};
use dodona_target::{Malformed, Outcome, Scalar, Trap, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

use super::common::*;

type Expressions = BoxedStrategy<Expression>;

/// Functions that fail in every way there is.
pub fn world() -> World {
    let half = requires(with_range(function("half(n: i32) -> i32"), "n", -100, 100), "n != 13");
    World::new(vec![
        (half, |v| match as_int(&v[0]) {
            7 => Err(Outcome::OutOfFuel),
            n if n < 0 && n % 2 != 0 => Err(TRAP),
            n => Ok(vec![int(n / 2)]),
        }),
        (requires(function("norm(x: f64) -> f64"), "is_nan(x) or x ^ 2 < 1000000"), |v| {
            match as_float(&v[0]) {
                x if x > 50.0 => Err(Outcome::Trapped(Trap::DivisionByZero)),
                x => Ok(vec![float(x.abs().sqrt())]),
            }
        }),
        (function("single(x: f32) -> f32"), |v| {
            let x = as_float(&v[0]);
            assert!(x.is_nan() || f64::from(x as f32) == x, "{x} is not of single precision");
            Ok(vec![float(f64::from((x as f32) * 1.1))])
        }),
        (function("flip(xs: [i32]) -> [i32]"), |v| match as_ints(&v[0]) {
            xs if xs.len() > 5 => Err(Outcome::Malformed(Malformed::Length)),
            xs => Ok(vec![ints(&xs.into_iter().rev().collect::<Vec<_>>())]),
        }),
        (function("scale(ys: inout [f64], n: i8)"), |v| match as_int(&v[1]) {
            3 => Err(TRAP),
            n => Ok(vec![floats(&as_floats(&v[0]).iter().map(|y| y * n as f64).collect::<Vec<_>>())]),
        }),
        (function("shout(t: text) -> text"), |v| match as_text(&v[0]) {
            t if t.contains('x') => Err(TRAP),
            t => Ok(vec![text(&format!("{t}!"))]),
        }),
        (function("odd(b: bool, n: i32) -> bool"), |v| match (&v[0], as_int(&v[1])) {
            (Value::Bool(true), 0) => Err(TRAP),
            (Value::Bool(b), n) => Ok(vec![Value::Bool(*b ^ (n % 2 != 0))]),
            other => panic!("{other:?}"),
        }),
        (function("lex(t: text) -> command"), |v| match as_text(&v[0]) {
            t if t.starts_with('a') => Err(TRAP),
            t => Ok(vec![text(&t.replace(' ', "\n")), text(""), int(t.len() as i128)]),
        }),
    ])
}

/// The variables, each with the parameter that it is named after.
const VARIABLES: [(&str, &str); 6] =
    [("n", "half"), ("x", "norm"), ("xs", "flip"), ("ys", "scale"), ("t", "shout"), ("b", "odd")];

fn node(node: Node) -> Expression {
    Expression::new(node)
}

fn name(name: &str) -> Expression {
    Expression::name(name)
}

fn choice(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    node(Node::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
}

fn word(name: &str, arguments: Vec<Expression>) -> Expression {
    node(Node::Call { function: Name::new(name), arguments })
}

fn binary(operator: B, a: Expression, b: Expression) -> Expression {
    node(Node::Binary(operator, Box::new(a), Box::new(b)))
}

/// Expressions of each type, up to a depth.
#[derive(Clone)]
struct Level {
    int: Expressions,
    float: Expressions,
    truth: Expressions,
    ints: Expressions,
    floats: Expressions,
    text: Expressions,
}

impl Level {
    fn leaves() -> Level {
        let of = |leaves: Vec<Expression>| select(leaves).boxed();
        let numbers = [0, 1, -1, 2, 3, 13, 100, -7, (1 << 53) + 1, i128::MAX, i128::MIN];
        let literals = |v: &[i128]| node(Node::Sequence(v.iter().map(|i| node(Node::Int(*i))).collect()));
        let mut ints: Vec<_> = numbers.iter().map(|i| node(Node::Int(*i))).collect();
        ints.extend([name("n"), name("n"), name("n"), word("half", vec![name("n")])]);
        let mut floats: Vec<_> =
            [0.5, -0.0, 1e-9, 1e300, 2.0, -3.5].iter().map(|x| node(Node::Float(*x))).collect();
        floats.extend(["x", "x", "x", "nan", "inf", "pi", "e"].map(name));
        floats.extend([word("norm", vec![name("x")]), word("single", vec![name("x")])]);
        let texts = [&b""[..], b"a", b"x y", "é\u{1f600} ß".as_bytes(), b"\xff\xc3(", b"ABC"];
        let mut text: Vec<_> = texts.iter().map(|t| node(Node::Text((*t).into()))).collect();
        text.extend([name("t"), name("t"), word("shout", vec![name("t")])]);
        let scaled = word("scale", vec![name("ys"), name("n")]);
        let select_output = |call, output| node(Node::Select(Box::new(call), Name::new(output)));
        text.push(select_output(word("lex", vec![name("t")]), "stdout"));
        Level {
            int: of(ints),
            float: of(floats),
            truth: of(vec![
                node(Node::Bool(true)),
                name("b"),
                word("odd", vec![name("b"), name("n")]),
                node(Node::Traps(Box::new(word("half", vec![name("n")])))),
            ]),
            ints: of(vec![
                name("xs"),
                name("xs"),
                literals(&[]),
                literals(&[3, 1, 2]),
                literals(&[i128::MAX, 1]),
                word("flip", vec![name("xs")]),
            ]),
            floats: of(vec![
                name("ys"),
                node(Node::Sequence(vec![node(Node::Float(0.5)), node(Node::Int(2))])),
                select_output(scaled, "ys"),
            ]),
            text: of(text),
        }
    }

    fn few() -> Level {
        let of = |texts: &[&str]| {
            let parsed = texts.iter().map(|text| parse_expression(text).unwrap());
            select(parsed.collect::<Vec<_>>()).boxed()
        };
        Level {
            int: of(&["n", "n", "0", "1", "-1", "2", "half(n)", "half(-n)", "half(-n)", "-n", "len(xs)"]),
            float: of(&["x", "x", "0.5", "0.0", "norm(x)", "norm(-x)", "norm(-x)", "-x"]),
            truth: of(&[
                "b",
                "not b",
                "true",
                "n > 0",
                "n > -1",
                "not half(-n) > 1",
                "half(-n) >= half(n)",
                "half(-n) == half(n)",
                "half(-n) != half(n)",
                "norm(-x) < x",
                "odd(not b, n)",
            ]),
            ints: of(&["xs", "flip(xs)", "flip(reverse(xs))", "[]"]),
            floats: of(&["ys", "scale(ys, n).ys", "scale(ys, 2).ys", "scale(reverse(ys), 2).ys"]),
            text: of(&["t", "shout(t)", "shout(reverse(t))", "\"\""]),
        }
    }

    fn number(&self) -> Expressions {
        prop_oneof![self.int.clone(), self.float.clone(), self.either()].boxed()
    }

    /// Numbers that are integers in some rows and floats in others.
    fn either(&self) -> Expressions {
        let (int, float) = (self.int.clone(), self.float.clone());
        prop_oneof![
            (select(vec![B::Divide, B::Power]), int.clone(), int)
                .prop_map(|(operator, a, b)| binary(operator, a, b)),
            (select(vec!["floor", "ceil"]), float).prop_map(|(w, x)| word(w, vec![x])),
        ]
        .boxed()
    }

    fn deeper(&self) -> Level {
        let deep =
            |deeper: Expressions, leaves: &Expressions| prop_oneof![2 => deeper, 1 => leaves.clone()].boxed();
        Level {
            int: deep(self.ints_of(), &self.int),
            float: deep(self.floats_of(), &self.float),
            truth: deep(self.truths(), &self.truth),
            ints: deep(self.sequences(&self.ints, &self.int, "flip"), &self.ints),
            floats: deep(self.float_sequences(), &self.floats),
            text: deep(self.texts(), &self.text),
        }
    }

    fn any_sequence(&self) -> Expressions {
        prop_oneof![self.ints.clone(), self.floats.clone(), self.text.clone()].boxed()
    }

    fn ints_of(&self) -> Expressions {
        let int = &self.int;
        let whole = select(vec![B::Add, B::Subtract, B::Multiply, B::Quotient, B::Remainder]);
        let exponent = (0i128..5).prop_map(|i| node(Node::Int(i)));
        prop_oneof![
            (whole, int.clone(), int.clone()).prop_map(|(o, a, b)| binary(o, a, b)),
            (int.clone(), exponent).prop_map(|(a, b)| binary(B::Power, a, b)),
            (select(vec!["abs", "half"]), int.clone()).prop_map(|(w, a)| word(w, vec![a])),
            self.number().prop_map(|a| word("half", vec![a])),
            (select(vec!["min", "max"]), int.clone(), int.clone()).prop_map(|(w, a, b)| word(w, vec![a, b])),
            int.clone().prop_map(|a| node(Node::Unary(UnaryOperator::Negate, Box::new(a)))),
            self.any_sequence().prop_map(|s| word("len", vec![s])),
            self.ints.clone().prop_map(|s| word("sum", vec![s])),
            (prop_oneof![self.ints.clone(), self.floats.clone()], self.number())
                .prop_map(|(s, x)| word("count", vec![s, x])),
            (self.text.clone(), self.text.clone()).prop_map(|(s, x)| word("count", vec![s, x])),
            (self.ints.clone(), self.number()).prop_map(|(s, i)| node(Node::Index(Box::new(s), Box::new(i)))),
        ]
        .boxed()
    }

    fn floats_of(&self) -> Expressions {
        let (float, number) = (&self.float, self.number());
        let operator = select(vec![B::Add, B::Subtract, B::Multiply, B::Divide, B::Power]);
        prop_oneof![
            (operator, float.clone(), number.clone()).prop_map(|(o, a, b)| binary(o, a, b)),
            (select(vec!["sqrt", "exp", "ln", "sin", "cos", "norm", "single"]), number.clone())
                .prop_map(|(w, a)| word(w, vec![a])),
            (select(vec!["min", "max"]), number.clone(), float.clone())
                .prop_map(|(w, a, b)| word(w, vec![a, b])),
            float.clone().prop_map(|a| node(Node::Unary(UnaryOperator::Negate, Box::new(a)))),
            float.clone().prop_map(|a| word("abs", vec![a])),
            self.floats.clone().prop_map(|s| word("sum", vec![s])),
            (self.floats.clone(), number).prop_map(|(s, i)| node(Node::Index(Box::new(s), Box::new(i)))),
        ]
        .boxed()
    }

    fn truths(&self) -> Expressions {
        let (truth, number, text) = (self.truth.clone(), self.number(), self.text.clone());
        let equality = || select(vec![B::Equal, B::NotEqual, B::Approximate]);
        let order = select(vec![B::Less, B::LessEqual, B::Greater, B::GreaterEqual]);
        let logic = select(vec![B::And, B::Or, B::Xor, B::Iff, B::Implies]);
        let standing = || select(vec![B::Contains, B::PrefixOf, B::SuffixOf]);
        let sequence = prop_oneof![self.ints.clone(), self.floats.clone()].boxed();
        let anything = prop_oneof![truth.clone(), number.clone(), text.clone(), sequence.clone()];
        let failing = prop_oneof![
            self.int.clone().prop_map(|n| word("half", vec![n])),
            number.clone().prop_map(|x| word("norm", vec![x])),
            (truth.clone(), number.clone()).prop_map(|(b, n)| word("odd", vec![b, n])),
            text.clone().prop_map(|t| word("shout", vec![t])),
        ];
        let two = |o, a, b| binary(o, a, b);
        prop_oneof![
            3 => (logic, truth.clone(), truth.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => truth.clone().prop_map(|a| node(Node::Unary(UnaryOperator::Not, Box::new(a)))),
            3 => (equality(), number.clone(), number.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            2 => (order, number.clone(), number.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => (equality(), text.clone(), text.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => (equality(), sequence.clone(), sequence.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => (equality(), truth.clone(), truth.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => (standing(), text.clone(), text).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => (standing(), sequence.clone(), sequence.clone()).prop_map(move |(o, a, b)| two(o, a, b)),
            1 => (sequence, number.clone()).prop_map(move |(s, x)| two(B::Contains, s, x)),
            1 => number.clone().prop_map(|x| word("is_nan", vec![x])),
            2 => anything.prop_map(|e| word("defined", vec![e])),
            2 => failing.prop_map(|call| node(Node::Traps(Box::new(call)))),
            1 => (truth.clone(), truth.clone(), truth.clone()).prop_map(|(c, a, b)| choice(c, a, b)),
            1 => (truth.clone(), number.clone(), number.clone(), number.clone())
                .prop_map(|(c, a, b, x)| binary(B::LessEqual, choice(c, a, b), x)),
            1 => (truth, number).prop_map(|(b, n)| word("odd", vec![b, n])),
        ]
        .boxed()
    }

    /// What all sequences and texts can do.
    fn sequences(&self, own: &Expressions, element: &Expressions, call: &'static str) -> Expressions {
        let number = self.number();
        let slice = |s: Expression, from: Option<Expression>, to: Option<Expression>| {
            node(Node::Slice(Box::new(s), from.map(Box::new), to.map(Box::new)))
        };
        let bound = || prop::option::of(self.int.clone());
        prop_oneof![
            (select(vec!["reverse", "sorted", "distinct", call]), own.clone())
                .prop_map(|(w, s)| word(w, vec![s])),
            (select(vec!["remove", "truncate"]), own.clone(), number)
                .prop_map(|(w, s, i)| word(w, vec![s, i])),
            (select(vec!["concat", "union"]), own.clone(), own.clone())
                .prop_map(|(w, a, b)| word(w, vec![a, b])),
            self.in_order(own),
            (own.clone(), bound(), bound()).prop_map(move |(s, i, j)| slice(s, i, j)),
            (select(vec![B::Add, B::Subtract, B::Multiply]), own.clone(), element.clone())
                .prop_map(|(o, s, c)| binary(o, s, c)),
            (select(vec![B::Add, B::Multiply]), element.clone(), own.clone())
                .prop_map(|(o, c, s)| binary(o, c, s)),
            prop::collection::vec(element.clone(), 0..4).prop_map(|items| node(Node::Sequence(items))),
            own.clone().prop_map(|s| node(Node::Unary(UnaryOperator::Negate, Box::new(s)))),
        ]
        .boxed()
    }

    /// Elements in the order of keys. Of keys that are drawn for themselves there are rarely as many.
    fn in_order(&self, own: &Expressions) -> Expressions {
        let sorted_by = |s, keys| word("sorted_by", vec![s, keys]);
        prop_oneof![
            (own.clone(), self.any_sequence()).prop_map(move |(s, keys)| sorted_by(s, keys)),
            own.clone().prop_map(move |s| sorted_by(s.clone(), word("reverse", vec![s]))),
            own.clone().prop_map(move |s| sorted_by(word("reverse", vec![s.clone()]), s)),
        ]
        .boxed()
    }

    fn float_sequences(&self) -> Expressions {
        let scale = |(ys, n)| node(Node::Select(Box::new(word("scale", vec![ys, n])), Name::new("ys")));
        prop_oneof![
            4 => self.sequences(&self.floats, &self.float, "reverse"),
            1 => (select(vec!["concat", "union"]), self.ints.clone(), self.floats.clone())
                .prop_map(|(w, a, b)| word(w, vec![a, b])),
            1 => (self.ints.clone(), self.float.clone()).prop_map(|(s, c)| binary(B::Multiply, s, c)),
            2 => (prop_oneof![self.floats.clone(), self.ints.clone()], self.number()).prop_map(scale),
        ]
        .boxed()
    }

    fn texts(&self) -> Expressions {
        let number = self.number();
        let lex = |t| node(Node::Select(Box::new(word("lex", vec![t])), Name::new("stdout")));
        prop_oneof![
            (
                select(vec!["reverse", "sorted", "distinct", "trim", "upper", "lower", "shout"]),
                self.text.clone()
            )
                .prop_map(|(w, t)| word(w, vec![t])),
            (select(vec!["remove", "truncate"]), self.text.clone(), number.clone())
                .prop_map(|(w, t, i)| word(w, vec![t, i])),
            (select(vec!["concat", "union"]), self.text.clone(), self.text.clone())
                .prop_map(|(w, a, b)| word(w, vec![a, b])),
            self.in_order(&self.text),
            (self.text.clone(), number.clone())
                .prop_map(|(t, i)| node(Node::Index(Box::new(t), Box::new(i)))),
            number.prop_map(|x| word("text", vec![x])),
            self.text.clone().prop_map(lex),
        ]
        .boxed()
    }
}

/// Sets of conditions: without calls, and on source calls.
fn conditions() -> impl Strategy<Value = Option<Expression>> {
    let source = |call: Expression, operator, value| binary(operator, call, node(Node::Int(value)));
    let written = [
        binary(B::Less, name("n"), node(Node::Int(10))),
        binary(B::Less, binary(B::Quotient, node(Node::Int(1)), name("n")), node(Node::Int(1))),
        binary(B::LessEqual, name("x"), node(Node::Float(30.0))),
        source(word("half", vec![name("n")]), B::Greater, 0),
        node(Node::Unary(
            UnaryOperator::Not,
            Box::new(node(Node::Traps(Box::new(word("half", vec![name("n")]))))),
        )),
        binary(B::Less, word("norm", vec![name("x")]), word("half", vec![name("n")])),
    ];
    prop_oneof![3 => Just(None), 2 => select(written.to_vec()).prop_map(Some)]
}

fn relations(first: Level) -> impl Strategy<Value = Relation> {
    let second = first.deeper();
    let third = second.deeper();
    let expect = prop_oneof![1 => second.truths(), 2 => third.truths()];
    let tolerance = prop::option::of(prop_oneof![
        Just(Bound::Relative(0.1)),
        Just(Bound::Ulps(3)),
        Just(Bound::Either { relative: 0.01, absolute: 2.0 })
    ]);
    (conditions(), expect, tolerance).prop_map(|(condition, expect, bound)| Relation {
        name: Name::new("random"),
        bindings: Vec::new(),
        function: None,
        constants: None,
        condition,
        body: Body::Calls(expect),
        tolerance: bound.map(|bound| Tolerance { bound, span: Span::default() }),
        span: Span::default(),
    })
}

fn mentions(e: &Expression, wanted: &dyn Fn(&Expression) -> bool) -> bool {
    wanted(e) || e.children().into_iter().any(|child| mentions(child, wanted))
}

/// Binds in the header what no called function has as a parameter, and drops an idle tolerance.
fn completed(mut relation: Relation, world: &World) -> Relation {
    let Body::Calls(expect) = &relation.body else { unreachable!() };
    let parts: Vec<Expression> = relation.condition.iter().chain([expect]).cloned().collect();
    let has = |wanted: &dyn Fn(&Expression) -> bool| parts.iter().any(|e| mentions(e, wanted));
    for (variable, owner) in VARIABLES {
        let used = has(&|e| matches!(&e.node, Node::Name(n) if n == variable));
        let bound = has(&|e| match &e.node {
            Node::Call { function, .. } => {
                world.functions.iter().any(|f| f.name == function.text && f.parameter(variable).is_some())
            }
            _ => false,
        });
        if used && !bound {
            let (variable, parameter) = (Name::new(variable), Name::new(variable));
            relation.bindings.push(Binding { variable, function: Name::new(owner), parameter });
        }
    }
    if !has(&|e| matches!(e.node, Node::Binary(B::Approximate, ..))) {
        relation.tolerance = None;
    }
    relation
}

/// A value of a parameter's type and domain.
fn value(world: &World, function: usize, parameter: usize) -> BoxedStrategy<Value> {
    let parameter = &world.functions[function].parameters[parameter];
    let near = prop_oneof![-10i128..20, select(vec![13i128, 7, 0, 100, -100, 1000, -1000])];
    let floats = prop_oneof![
        select(vec![0.0, -0.0, 1.5, 60.0, f64::NAN, f64::INFINITY, -1e300, 2.0, 0.1f32 as f64]),
        -100.0..100.0,
    ];
    let (ty, domain) = (parameter.ty, parameter.domain.clone());
    let drawn = match ty {
        Type::Scalar(Scalar::Bool) => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::Scalar(Scalar::F32) => floats.prop_map(|x| float(f64::from(x as f32))).boxed(),
        Type::Scalar(Scalar::F64) => floats.prop_map(float).boxed(),
        Type::Scalar(_) => near.prop_map(int).boxed(),
        Type::Text => {
            select(vec!["", "a", "xyz", "héllo wörld", "\u{1f600}", " Ab c\n"]).prop_map(text).boxed()
        }
        Type::Sequence(Scalar::F64) => {
            prop::collection::vec(floats, 0..4).prop_map(|v| floats_of(&v)).boxed()
        }
        Type::Sequence(_) => prop::collection::vec(near, 0..8).prop_map(|v| ints(&v)).boxed(),
    };
    drawn.prop_filter("in the domain", move |v| domain.contains(ty, v)).boxed()
}

fn floats_of(v: &[f64]) -> Value {
    floats(v)
}

/// A relation that checks, with rows of source inputs for it.
pub fn cases() -> impl Strategy<Value = (Relation, Vec<Vec<Value>>)> {
    cases_over(Level::leaves())
}

/// The same over so few leaves that equal parts often meet, as in what a search puts together.
pub fn dense_cases() -> impl Strategy<Value = (Relation, Vec<Vec<Value>>)> {
    cases_over(Level::few())
}

fn cases_over(leaves: Level) -> impl Strategy<Value = (Relation, Vec<Vec<Value>>)> {
    let fits = |relation: &Relation| check(&file(relation), &world().functions).is_ok();
    let checked = relations(leaves).prop_map(|r| completed(r, &world())).prop_filter("checks", fits);
    checked.prop_flat_map(|relation| {
        let world = world();
        let checked = &check(&file(&relation), &world.functions).unwrap()[0];
        let row: Vec<_> =
            checked.variables().iter().map(|v| value(&world, v.function, v.parameter)).collect();
        (Just(relation), prop::collection::vec(row, 1..12))
    })
}

pub fn file(relation: &Relation) -> ast::File {
    ast::File { relations: vec![relation.clone()] }
}
