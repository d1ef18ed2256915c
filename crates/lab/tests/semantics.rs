//! `testdata/semantics`: one suite through the WebAssembly runtime, the symbolic evaluator and the relation evaluator.

use std::path::Path;
use std::rc::Rc;

use dodona_execute::{Executable, Options};
use dodona_relations::{CallError, Caller, evaluate_expression, parse_expression};
use dodona_smt::solver::{Answer, Solver, Unknown};
use dodona_smt::term::{Assignment, Term, Terms};
use dodona_subject::{Calls, Column, Function, Manifest, Module, Outcome, Type, Value};
use dodona_symbolic::explore::{Bounds, Explorer, Forking, Start};
use dodona_symbolic::input::{Inputs, Shape, float, integer};
use dodona_symbolic::{Code, End, Symbol};

struct NoCalls;

impl Caller for NoCalls {
    fn call(&mut self, _: usize, _: &[Column]) -> Result<Calls, CallError> {
        panic!("literals make no calls")
    }
}

fn evaluate(text: &str) -> Option<Value> {
    let expression = parse_expression(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
    let result =
        evaluate_expression(&expression, &[], &mut NoCalls).unwrap_or_else(|e| panic!("{text}: {e}"));
    result.value
}

/// A literal as it is printed. Values that print alike are alike: the sign of zero counts.
fn canonical(text: &str) -> String {
    evaluate(text).unwrap_or_else(|| panic!("{text} has no value")).to_string()
}

struct Row<'a> {
    arguments: Vec<&'a str>,
    table: &'a toml::Table,
}

impl<'a> Row<'a> {
    fn text(&self, key: &str) -> Option<&'a str> {
        match self.table.get(key)? {
            toml::Value::Boolean(true) => Some("true"),
            toml::Value::Boolean(false) => Some("false"),
            other => other.as_str(),
        }
    }
}

fn rows(operation: &toml::Table) -> Vec<Row<'_>> {
    let rows = operation["rows"].as_array().expect("rows");
    rows.iter()
        .map(|value| {
            let table = value.as_table().expect("a row is a table");
            let arguments = table["arguments"].as_array().expect("arguments");
            Row { arguments: arguments.iter().map(|a| a.as_str().expect("a literal")).collect(), table }
        })
        .collect()
}

/// The instruction as an exported function of its own module.
fn executable(operation: &toml::Table) -> (Executable, Module, Function) {
    let signature = operation["signature"].as_str().expect("signature");
    let text = format!("module = \"m.wasm\"\n[[function]]\nsignature = \"{signature}\"\n");
    let manifest =
        Manifest::parse(Path::new("m.toml"), &text).unwrap_or_else(|p| panic!("{signature}: {p:?}"));
    let function = manifest.functions[0].clone();
    let wasm_type = |ty: Type| ty.scalar().expect("scalars only").wasm();
    let parameters: String =
        function.parameters.iter().map(|p| format!("(param {}) ", wasm_type(p.ty))).collect();
    let gets: String = (0..function.parameters.len()).map(|i| format!("local.get {i} ")).collect();
    let result = wasm_type(function.outputs()[0].ty);
    let instruction = operation["wasm"].as_str().expect("wasm");
    let wat = format!("(module (func (export \"f\") {parameters}(result {result}) {gets}{instruction}))");
    let module = Module::parse(wat::parse_str(&wat).unwrap_or_else(|e| panic!("{wat}: {e}"))).expect("valid");
    let executable =
        Executable::load(&module, std::slice::from_ref(&function), &Options::default()).expect("loads");
    (executable, module, function)
}

/// Says nothing: the path of one input needs no solver.
struct NoSolver;

impl Solver for NoSolver {
    fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
        Answer::Unknown(Unknown::Budget)
    }
}

/// What the instruction gives on symbols, when they have the row's values.
fn through_symbols(module: &Module, function: &Function, row: &Row<'_>) -> String {
    let mut solver = NoSolver;
    let code = Rc::new(Code::new(module));
    let mut explorer = Explorer::new(&code, &mut solver, Bounds::default()).with_forking(Forking::Later);
    let values: Vec<Value> = row.arguments.iter().map(|text| evaluate(text).expect("a literal")).collect();
    let shape = Shape::of(&values).expect("scalars");
    let inputs = Inputs::new(explorer.terms(), function, &shape);
    let mut model = Assignment::default();
    inputs.assign(explorer.terms(), &values, &mut model).expect("values of the types");
    let start = Start { symbols: inputs.symbols.clone(), assumptions: vec![], model };
    let mut found = None;
    let mut first = |explorer: &mut Explorer<'_>, path: dodona_symbolic::explore::Path| {
        found = Some(match path.end {
            End::Trapped(trap) => format!("trap {}", trap.name()),
            _ => {
                let output = path.outputs.expect("a scalar").remove(0);
                let Symbol::Scalar(term) = output else { panic!("a scalar, not {output:?}") };
                let bits = explorer.terms().evaluate(term, &path.model);
                let scalar = function.outputs()[0].ty.scalar().expect("a scalar");
                match scalar.kind() {
                    dodona_subject::Kind::Bool => Value::Bool(bits != 0),
                    dodona_subject::Kind::Int => Value::Int(integer(scalar, bits)),
                    dodona_subject::Kind::Float => Value::Float(float(scalar, bits)),
                }
                .to_string()
            }
        });
        false
    };
    explorer.explore(function, vec![start], &mut || true, &mut first).expect("callable on symbols");
    found.expect("a path")
}

/// What the instruction gives, as text: a literal or the trap's name.
fn through_wasm(executable: &Executable, function: &Function, row: &Row<'_>) -> String {
    let column = |(text, ty): (&&str, Type)| {
        let mut column = Column::empty(ty);
        column.push(&evaluate(text).expect("a literal"));
        column
    };
    let columns: Vec<_> =
        row.arguments.iter().zip(function.parameters.iter().map(|p| p.ty)).map(column).collect();
    let calls = executable.runner().call(0, &columns).expect("the host works");
    match calls.outcomes[0] {
        Outcome::Returned => calls.outputs[0].value(0).to_string(),
        Outcome::Trapped(trap) => format!("trap {}", trap.name()),
        other => panic!("{other}"),
    }
}

/// What the relation evaluator gives for the expression with the arguments put in.
fn through_relations(expression: &str, row: &Row<'_>) -> Option<String> {
    let put_in = |word: &str| match word {
        "a" => format!("({})", row.arguments[0]),
        "b" => format!("({})", row.arguments[1]),
        other => other.to_owned(),
    };
    let mut text = String::new();
    let mut word = String::new();
    for c in expression.chars().chain([' ']) {
        if c.is_alphabetic() {
            word.push(c);
        } else {
            text += &put_in(&std::mem::take(&mut word));
            text.push(c);
        }
    }
    evaluate(&text).map(|v| v.to_string())
}

#[test]
fn all_engines_agree_on_every_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/semantics");
    let (mut instructions, mut expressions, mut wrong) = (0, 0, Vec::new());
    for file in ["integers.toml", "floats.toml", "conversions.toml"] {
        let text = std::fs::read_to_string(folder.join(file)).expect("readable");
        let table: toml::Table = text.parse().expect("TOML");
        for operation in table["operation"].as_array().expect("operations") {
            let operation = operation.as_table().expect("a table");
            let name = operation["wasm"].as_str().expect("wasm");
            let (executable, module, function) = executable(operation);
            for row in rows(operation) {
                instructions += 1;
                let expected = match (row.text("is"), row.text("trap")) {
                    (Some(value), None) => canonical(value),
                    (None, Some(trap)) => format!("trap {trap}"),
                    _ => panic!("{name}: a row has either `is` or `trap`"),
                };
                let found = through_wasm(&executable, &function, &row);
                if found != expected {
                    wrong.push(format!(
                        "{name} {:?}: the runtime gives {found}, not {expected}",
                        row.arguments
                    ));
                }
                let found = through_symbols(&module, &function, &row);
                if found != expected {
                    let line = format!("symbols give {found}, not {expected}");
                    wrong.push(format!("{name} {:?}: {line}", row.arguments));
                }
                let Some(expression) = operation.get("expression").and_then(|e| e.as_str()) else { continue };
                expressions += 1;
                let undefined = row.text("undefined") == Some("true") || row.text("trap").is_some();
                let expected = row.text("exact").map(canonical).or((!undefined).then_some(expected));
                let found = through_relations(expression, &row);
                if found != expected {
                    let line = format!("the evaluator gives {found:?}, not {expected:?}");
                    wrong.push(format!("{expression} {:?}: {line}", row.arguments));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
    assert!(instructions > 700 && expressions > 350, "{instructions} rows, {expressions} expressions");
}
