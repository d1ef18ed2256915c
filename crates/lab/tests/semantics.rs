//! `testdata/semantics`: one suite through the WebAssembly runtime, the symbolic evaluator and the relation evaluator.

use std::path::Path;
use std::rc::Rc;

use dodona_relations::{Precondition, evaluate_expression, parse_expression};
use dodona_smt::solver::{Answer, Solver, Unknown};
use dodona_smt::term::{Assignment, Term, Terms};
use dodona_subject::{Function, Manifest, Module, WasmType};
use dodona_symbolic::explore::{Bounds, Explorer, Forking, Start};
use dodona_symbolic::input::{Inputs, Shape, float, integer};
use dodona_symbolic::{Code, End, Symbol, relation::precondition};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Signature, Type, Value};
use dodona_wasm::execute::{Executable, Options};

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
    let wasm_type = |ty: Type| WasmType::carrying(ty.scalar().expect("scalars only"));
    let parameters: String =
        function.parameters.iter().map(|p| format!("(param {}) ", wasm_type(p.ty))).collect();
    let gets: String = (0..function.parameters.len()).map(|i| format!("local.get {i} ")).collect();
    let result = wasm_type(function.outputs[0].ty);
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
            End::Trapped(trap) => format!("trap {trap}"),
            _ => {
                let output = path.outputs.expect("a scalar").remove(0);
                let Symbol::Scalar(term) = output else { panic!("a scalar, not {output:?}") };
                let bits = explorer.terms().evaluate(term, &path.model);
                let scalar = function.outputs[0].ty.scalar().expect("a scalar");
                match scalar.kind() {
                    dodona_target::Kind::Bool => Value::Bool(bits != 0),
                    dodona_target::Kind::Int => Value::Int(integer(scalar, bits)),
                    dodona_target::Kind::Float => Value::Float(float(scalar, bits)),
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
fn through_wasm(executable: &Executable, function: &Signature, row: &Row<'_>) -> String {
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
        Outcome::Trapped(trap) => format!("trap {trap}"),
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

/// A table of `words.toml`.
struct Word<'a> {
    table: &'a toml::Table,
    rows: Vec<Row<'a>>,
}

impl Word<'_> {
    fn text(&self, key: &str) -> &str {
        self.table[key].as_str().expect("text")
    }

    /// A function whose precondition holds where the expression has the value of the last parameter, or no value.
    fn asks(&self, has_value: bool) -> Signature {
        let (parameters, result) = (self.text("parameters"), self.text("result"));
        let expression = self.text("expression");
        let asked =
            if has_value { format!("{expression} == w") } else { format!("not defined({expression})") };
        let text = format!(
            "module = \"m.wasm\"\n[[function]]\nsignature = \"f({parameters}, w: {result}) -> bool\"\nrequires = \"{asked}\"\n"
        );
        let manifest = Manifest::parse(Path::new("m.toml"), &text);
        manifest.unwrap_or_else(|p| panic!("{text}: {p:?}")).signatures().remove(0)
    }
}

/// The values of a row's arguments and of its result; of the result's type where it has none.
fn values(function: &Signature, row: &Row<'_>) -> Vec<Value> {
    let types = function.parameters.iter().map(|p| p.ty);
    let texts = row.arguments.iter().copied().map(Some).chain([row.text("is")]);
    let typed = |(text, ty): (Option<&str>, Type)| {
        let mut column = Column::empty(ty);
        match text {
            Some(text) => column.push(&evaluate(text).expect("a literal")),
            None => column.push_default(),
        }
        column.value(0)
    };
    texts.zip(types).map(typed).collect()
}

/// Whether symbols with the row's values make the precondition true; `None` where that is unknown.
fn holds_on_symbols(function: &Signature, values: &[Value]) -> Option<bool> {
    let mut terms = Terms::new();
    let inputs = Inputs::new(&mut terms, function, &Shape::of(values)?);
    let mut model = Assignment::default();
    inputs.assign(&terms, values, &mut model).expect("values of the types");
    let truth = precondition(&mut terms, function, &inputs.symbols).ok()?.expect("a precondition");
    (terms.evaluate(truth.exact, &model) == 1).then(|| terms.evaluate(truth.holds, &model) == 1)
}

fn words(table: &toml::Table) -> Vec<Word<'_>> {
    let tables = table["word"].as_array().expect("words").iter();
    tables
        .map(|word| word.as_table().expect("a table"))
        .map(|table| Word { table, rows: rows(table) })
        .collect()
}

#[test]
fn words_agree_on_constants_columns_and_symbols() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/semantics/words.toml");
    let table: toml::Table = std::fs::read_to_string(path).expect("readable").parse().expect("TOML");
    let (mut wrong, mut known) = (Vec::new(), 0);
    for word in words(&table) {
        let expression = word.text("expression");
        let may_be_unknown = word.table.contains_key("unknown");
        for has_value in [true, false] {
            let function = word.asks(has_value);
            let rows: Vec<&Row<'_>> =
                word.rows.iter().filter(|row| row.table.contains_key("is") == has_value).collect();
            let values: Vec<Vec<Value>> = rows.iter().map(|row| values(&function, row)).collect();
            let column = |(i, p): (usize, &dodona_target::Parameter)| {
                let mut column = Column::empty(p.ty);
                values.iter().for_each(|row| column.push(&row[i]));
                column
            };
            let columns: Vec<Column> = function.parameters.iter().enumerate().map(column).collect();
            let predicate = Precondition::compile(&function).expect("no problems").expect("a precondition");
            let on_columns = if rows.is_empty() { vec![] } else { predicate.evaluate(&columns) };
            for ((row, values), on_columns) in rows.iter().zip(&values).zip(on_columns) {
                let on_constants = through_relations(expression, row);
                if on_constants != row.text("is").map(canonical) {
                    wrong.push(format!("{expression} {:?} gives {on_constants:?}", row.arguments));
                }
                if !on_columns {
                    wrong.push(format!("{expression} {:?} is another on columns", row.arguments));
                }
                let on_symbols = holds_on_symbols(&function, values);
                known += usize::from(on_symbols.is_some());
                let ascii = row
                    .arguments
                    .iter()
                    .all(|text| text.is_ascii() && !text.contains("\\u{") && !text.contains("\\x"));
                match on_symbols {
                    Some(false) => {
                        wrong.push(format!("{expression} {:?} is another on symbols", row.arguments))
                    }
                    None if !may_be_unknown && ascii => {
                        wrong.push(format!("{expression} {:?} is unknown on symbols", row.arguments));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
    assert!(known > 40, "{known} rows on symbols");
}

#[test]
fn the_default_tolerance_is_the_same_on_columns_and_symbols() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/semantics/tolerances.toml");
    let table: toml::Table = std::fs::read_to_string(path).expect("readable").parse().expect("TOML");
    let tables = table["tolerance"].as_array().expect("tables").iter();
    let default = tables.map(|t| t.as_table().expect("a table")).find(|t| t["within"].as_str() == Some(""));
    let (mut wrong, mut scalars) = (Vec::new(), 0);
    for row in rows(default.expect("rows of the default")) {
        let ty = if row.arguments[0].starts_with('[') { "[f64]" } else { "f64" };
        scalars += usize::from(ty == "f64");
        let text = format!(
            "module = \"m.wasm\"\n[[function]]\nsignature = \"f(a: {ty}, b: {ty}) -> bool\"\nrequires = \"a ~= b\"\n"
        );
        let manifest = Manifest::parse(Path::new("m.toml"), &text);
        let function = manifest.unwrap_or_else(|p| panic!("{text}: {p:?}")).signatures().remove(0);
        let values: Vec<Value> =
            row.arguments.iter().map(|text| evaluate(text).expect("a literal")).collect();
        let wanted = row.table["is"].as_bool().expect("a truth value");
        let predicate = Precondition::compile(&function).expect("no problems").expect("a precondition");
        let found = [predicate.holds(&values), holds_on_symbols(&function, &values).expect("known")];
        if found != [wanted; 2] {
            wrong.push(format!("{:?}: {found:?}", row.arguments));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(scalars > 10);
}

#[test]
fn every_word_of_the_language_has_rows_and_stands_in_the_book() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| std::fs::read_to_string(root.join(file)).expect("readable");
    let table: toml::Table = read("testdata/semantics/words.toml").parse().expect("TOML");
    let expressions: Vec<String> = words(&table).iter().map(|w| w.text("expression").to_owned()).collect();
    let book = read("book/relations.md");
    for word in &dodona_relations::plan::WORDS {
        let call = format!("{}(", word.name);
        assert!(expressions.iter().any(|e| e.starts_with(&call)), "words.toml lacks `{}`", word.name);
        let is_row = |line: &str| {
            let names = line.strip_prefix("| ").and_then(|row| row.split('|').next());
            names
                .is_some_and(|names| names.contains(&call) || names.split(['`', ' ']).any(|n| n == word.name))
        };
        assert!(book.lines().any(is_row), "the table of words in book/relations.md lacks `{}`", word.name);
    }
}
