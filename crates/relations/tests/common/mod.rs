//! Functions under test written in Rust, for the tests of the relation language.
#![allow(dead_code, reason = "each test program uses its own part")]
#![allow(unreachable_pub, reason = "a module of several test programs")]
#![allow(clippy::unwrap_used, reason = "a test that goes wrong here has failed")]

use dodona_relations::{Program, Relation, Verdict, check, evaluate_expression, parse, parse_expression};
use dodona_target::{
    CallError, Caller, Calls, Column, NumberRange, Outcome, Output, OutputName, Parameter, Scalar, Sequence,
    Signature, Trap, Type, Value,
};

/// What a function under test does with a row of arguments.
pub type Body = fn(&[Value]) -> Result<Vec<Value>, Outcome>;

/// A function from its signature: `gcd(p: i32, q: i32) -> i32`, `-> command`, or without a result.
pub fn function(signature: &str) -> Signature {
    let (head, result) = match signature.split_once("->") {
        Some((head, result)) => (head, result.trim()),
        None => (signature, ""),
    };
    let (name, parameters) = head.trim().trim_end_matches(')').split_once('(').unwrap();
    let parameters: Vec<&str> = parameters.split(',').filter(|p| !p.trim().is_empty()).collect();
    let output = Output::new;
    let mut outputs = match result {
        "" => vec![],
        "command" => vec![
            output(OutputName::Stdout, Type::Text),
            output(OutputName::Stderr, Type::Text),
            output(OutputName::Exit, Type::Scalar(Scalar::I32)),
        ],
        ty => vec![output(OutputName::Return, ty.parse().unwrap())],
    };
    let written = parameters.iter().filter(|text| text.contains(": inout ")).map(|text| parameter(text));
    outputs.extend(written.map(|p| output(OutputName::Parameter(p.name), p.ty)));
    let parameters = parameters.into_iter().map(parameter).collect();
    Signature { name: name.to_owned(), parameters, outputs, requires: None }
}

fn parameter(text: &str) -> Parameter {
    let (name, ty) = text.split_once(':').unwrap();
    let ty = ty.trim().trim_start_matches("inout ");
    Parameter::new(name.trim(), ty.parse().unwrap())
}

/// The same function with a range for a parameter's numbers.
pub fn with_range(mut function: Signature, parameter: &str, low: i128, high: i128) -> Signature {
    use dodona_target::Number::Int;
    let (index, _) = function.parameter(parameter).unwrap();
    function.parameters[index].domain.numbers.ranges = vec![NumberRange { low: Int(low), high: Int(high) }];
    function
}

/// The same function with a precondition.
pub fn requires(mut function: Signature, text: &str) -> Signature {
    function.requires = Some(text.to_owned());
    function
}

/// Functions under test, with what they do and how often they were called.
pub struct World {
    pub functions: Vec<Signature>,
    pub bodies: Vec<Body>,
    /// For each call of a column: the function and the number of rows.
    pub log: Vec<(usize, usize)>,
}

impl World {
    pub fn new(entries: Vec<(Signature, Body)>) -> Self {
        let (functions, bodies) = entries.into_iter().unzip();
        World { functions, bodies, log: Vec::new() }
    }

    /// The relations of a text.
    pub fn check(&self, text: &str) -> Vec<Relation> {
        let file = parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        check(&file, &self.functions).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
    }

    /// The messages of what is wrong with a text.
    pub fn problems(&self, text: &str) -> Vec<dodona_relations::Diagnostic> {
        match parse(text) {
            Err(problems) => problems,
            Ok(file) => check(&file, &self.functions).expect_err(text),
        }
    }

    /// The verdicts of the only relation of a text, for rows of source inputs, in the first group.
    pub fn verdicts(&mut self, text: &str, rows: &[Vec<Value>]) -> Vec<Verdict> {
        let relation = &self.check(text)[0];
        let program = Program::compile(relation, &self.functions);
        let columns = self.columns(relation, rows);
        program.evaluate(0, &columns, self).unwrap()
    }

    /// The verdict of the only relation of a text, for one source input.
    pub fn verdict(&mut self, text: &str, row: &[Value]) -> Verdict {
        self.verdicts(text, &[row.to_vec()])[0]
    }

    /// Rows of source inputs as columns.
    pub fn columns(&self, relation: &Relation, rows: &[Vec<Value>]) -> Vec<Column> {
        let column = |(i, v): (usize, &dodona_relations::Variable)| {
            let mut column = Column::empty(self.functions[v.function].parameters[v.parameter].ty);
            rows.iter().for_each(|row| column.push(&row[i]));
            column
        };
        relation.variables().iter().enumerate().map(column).collect()
    }

    pub fn one(&self, function: usize, arguments: &[Value]) -> Result<Vec<Value>, Outcome> {
        self.bodies[function](arguments)
    }
}

impl Caller for World {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments.first().map_or(1, Column::len);
        assert!(arguments.iter().all(|column| column.len() == rows) && rows > 0);
        self.log.push((function, rows));
        let outputs = &self.functions[function].outputs;
        let mut calls = Calls {
            outcomes: Vec::new(),
            outputs: outputs.iter().map(|output| Column::empty(output.ty)).collect(),
        };
        for row in 0..rows {
            let values: Vec<Value> = arguments.iter().map(|column| column.value(row)).collect();
            match self.bodies[function](&values) {
                Ok(results) => {
                    let exit = self.functions[function].outputs.iter().any(|o| o.name == OutputName::Exit);
                    calls.outcomes.push(if exit { Outcome::Exited(0) } else { Outcome::Returned });
                    calls.outputs.iter_mut().zip(&results).for_each(|(column, value)| column.push(value));
                }
                Err(outcome) => {
                    calls.outcomes.push(outcome);
                    calls.outputs.iter_mut().for_each(Column::push_default);
                }
            }
        }
        Ok(calls)
    }
}

pub fn int(x: i128) -> Value {
    Value::Int(x)
}

pub fn float(x: f64) -> Value {
    Value::Float(x)
}

pub fn text(t: &str) -> Value {
    Value::Text(t.into())
}

pub fn ints(v: &[i128]) -> Value {
    Value::Sequence(Sequence::Int(v.to_vec()))
}

pub fn floats(v: &[f64]) -> Value {
    Value::Sequence(Sequence::Float(v.to_vec()))
}

pub fn as_int(v: &Value) -> i128 {
    match v {
        Value::Int(i) => *i,
        other => panic!("{other:?} is no integer"),
    }
}

pub fn as_float(v: &Value) -> f64 {
    match v {
        Value::Float(x) => *x,
        other => panic!("{other:?} is no float"),
    }
}

pub fn as_ints(v: &Value) -> Vec<i128> {
    match v {
        Value::Sequence(Sequence::Int(v)) => v.clone(),
        other => panic!("{other:?} is no sequence of integers"),
    }
}

pub fn as_floats(v: &Value) -> Vec<f64> {
    match v {
        Value::Sequence(Sequence::Float(v)) => v.clone(),
        other => panic!("{other:?} is no sequence of floats"),
    }
}

pub fn as_text(v: &Value) -> String {
    match v {
        Value::Text(t) => t.to_string(),
        other => panic!("{other:?} is no text"),
    }
}

/// The trap that the functions below fall into.
pub const TRAP: Outcome = Outcome::Trapped(Trap::Unreachable);

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The functions that the language's own documentation speaks of.
pub fn library() -> World {
    World::new(vec![
        (function("gcd(p: i32, q: i32) -> i32"), |v| Ok(vec![int(gcd(as_int(&v[0]), as_int(&v[1])))])),
        (function("sin(x: f64) -> f64"), |v| Ok(vec![float(as_float(&v[0]).sin())])),
        (function("cos(x: f64) -> f64"), |v| Ok(vec![float(as_float(&v[0]).cos())])),
        (function("sort(xs: [i32]) -> [i32]"), |v| {
            let mut xs = as_ints(&v[0]);
            xs.sort();
            Ok(vec![ints(&xs)])
        }),
        (function("mean(xs: [i32]) -> f64"), |v| {
            let xs = as_ints(&v[0]);
            if xs.is_empty() {
                return Err(TRAP);
            }
            Ok(vec![float(xs.iter().sum::<i128>() as f64 / xs.len() as f64)])
        }),
        (function("tokens(text: text) -> command"), |v| {
            let words = as_text(&v[0]).split(' ').map(|w| format!("{w}\n")).collect::<String>();
            Ok(vec![text(&words), text(""), int(0)])
        }),
        (function("pow(k: i64, e: i32) -> i64"), |v| match as_int(&v[1]) {
            e if e < 0 => Err(TRAP),
            e => Ok(vec![int(as_int(&v[0]).wrapping_pow(e as u32) as i64 as i128)]),
        }),
        (function("fill(xs: inout [i32], x: i32)"), |v| {
            Ok(vec![ints(&vec![as_int(&v[1]); as_ints(&v[0]).len()])])
        }),
    ])
}

/// The value of an expression as the language prints it; `undefined` where it has none.
pub fn value(text: &str) -> String {
    let mut world = library();
    let functions = world.functions.clone();
    let expression = parse_expression(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
    let result = evaluate_expression(&expression, &functions, &mut world);
    let result = result.unwrap_or_else(|p| panic!("{text}: {p:?}"));
    result.value.map_or("undefined".to_owned(), |value| value.to_string())
}

/// Asserts of each expression that it has the value beside it.
pub fn table(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(value(text), *expected, "{text}");
    }
}
