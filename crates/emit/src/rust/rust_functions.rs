//! The Rust functions through which tests call the functions under test and draw inputs.

use std::fmt::Write as _;

use dodona_subject::{Function, Lowering, ResultLowering};
use dodona_target::{Distribution, Parameter, Type};

use super::super::domain::{Check, checks};
use super::super::generator::{Generator, Numbers, Order, Shape};
use super::super::helpers::HelperNames;
use super::super::names::{Names, plain, snake};
use super::super::problem::Problem;
use super::super::script::{Drawn, Test, Used};
use super::super::write::{Dialect, indented, signature};
use super::super::{EmitContext, EmitError, Language};
use super::rust_results::taken_apart;
use super::{KEYWORDS, OWN, Rust, conditions};

/// The functions written beside the tests: one that calls each function under test, one that gives the strategy of
/// each input.
pub(super) struct Helpers<'a> {
    functions: &'a [Function],
    names: HelperNames,
}

impl<'a> Helpers<'a> {
    pub(super) fn new(used: &Used, context: &EmitContext<'a>, names: &mut Names) -> Self {
        let functions = context.functions;
        Helpers { functions, names: HelperNames::new(used, functions, names) }
    }

    /// The name of the Rust function that calls a function under test.
    pub(super) fn call(&self, function: usize) -> &str {
        self.names.call(function)
    }

    /// The name of the function that returns the strategy of a variable.
    pub(super) fn strategy(&self, variable: &Drawn) -> &str {
        self.names.variable(variable)
    }

    /// The conditions of a parameter's type and domain.
    pub(super) fn checks(&self, function: usize, parameter: usize) -> Vec<Check<'a>> {
        let parameter = &self.functions[function].parameters[parameter];
        checks(parameter.ty, &parameter.domain)
    }

    /// The Rust functions that call the functions under test.
    pub(super) fn calls(
        &self,
        used: &Used,
        context: &EmitContext<'_>,
        tests: &[Test<'_>],
    ) -> Result<String, EmitError> {
        let mut text = String::new();
        for &f in &used.functions {
            let written = call(&self.functions[f], self.call(f), context.module);
            text += &written.map_err(|why| Problem::Function(f, why).of(tests, Language::Rust))?;
        }
        Ok(text)
    }

    /// The functions that return the strategies of the inputs.
    pub(super) fn strategies(
        &self,
        used: &Used,
        context: &EmitContext<'_>,
        tests: &[Test<'_>],
    ) -> Result<String, EmitError> {
        let mut text = String::new();
        for place @ &(f, p) in &used.drawn {
            let (function, parameter) = (&context.functions[f], &context.functions[f].parameters[p]);
            let strategy = strategy(parameter)
                .map_err(|why| Problem::Parameter(*place, why).of(tests, Language::Rust))?;
            let _ = writeln!(
                text,
                "/// `{}: {}` of `{}`\nfn {}() -> BoxedStrategy<Value> {{\n    {strategy}\n}}\n",
                parameter.name,
                parameter.ty,
                function.name,
                self.names.parameter(*place)
            );
        }
        Ok(text)
    }
}

/// The Rust function that calls a function under test.
fn call(function: &Function, name: &str, module: &str) -> Result<String, String> {
    if function.is_command() {
        return Err(format!("`{}` is a command and no function; Python tests can run it", function.name));
    }
    let mut names = Names::new(KEYWORDS);
    let parameters: Vec<String> = function.parameters.iter().map(|p| names.give(&p.name)).collect();
    let (mut before, mut passed, mut after) = (String::new(), Vec::new(), Vec::new());
    for ((p, lowering), name) in function.lowered().zip(&parameters) {
        passed.push(argument(p.ty, lowering, name));
        if lowering.is_in_out() {
            let _ = writeln!(before, "        let mut {name} = {}::from({name});", owned(p.ty));
            after.push(format!("{name}.into()"));
        }
    }
    let call = format!("{module}::{}({})", path(&function.name), passed.join(", "));
    let returns = function.result != ResultLowering::None;
    let written = function.outputs.len() - after.len();
    let body = match (returns, after.is_empty()) {
        _ if matches!(function.result, ResultLowering::Record(_) | ResultLowering::MultiValue(_)) => {
            let taken = indented(&taken_apart(&function.outputs), 8);
            let after: String = (0..)
                .zip(&after)
                .map(|(i, value)| format!("        outputs[{}] = {value};\n", written + i))
                .collect();
            format!(
                "{before}        let value = {call};\n        let mut outputs = vec![Value::Undefined; {}];\n{taken}{after}        outputs\n",
                function.outputs.len()
            )
        }
        (true, true) => format!("        vec![{call}.into()]\n"),
        (true, false) => format!(
            "{before}        let returned = {call}.into();\n        vec![returned, {}]\n",
            after.join(", ")
        ),
        (false, _) => format!("{before}        {call};\n        vec![{}]\n", after.join(", ")),
    };
    let takes: Vec<String> = parameters.iter().map(|p| format!("{}: impl Into<Value>", plain(p))).collect();
    let values: Vec<String> = parameters.iter().map(|p| format!("{p}.into()")).collect();
    Ok(format!(
        "/// `{}`\nfn {name}({}) -> mr::Call {{\n    mr::call({:?}, [{}], |[{}]| {{\n{body}    }})\n}}\n\n",
        signature(function),
        takes.join(", "),
        function.name,
        values.join(", "),
        parameters.join(", "),
    ))
}

/// The function's name in Rust: snake case, with `r#` if it is a keyword.
fn path(name: &str) -> String {
    let name = snake(name);
    let is_keyword = KEYWORDS.contains(&name.as_str()) && !OWN.contains(&name.as_str());
    if is_keyword { format!("r#{name}") } else { name }
}

fn argument(ty: Type, lowering: &Lowering, name: &str) -> String {
    match (ty, lowering.is_in_out()) {
        (Type::Scalar(_), _) => format!("{name}.into()"),
        (_, true) => format!("&mut {name}"),
        (ty, false) => format!("&{}::from({name})", owned(ty)),
    }
}

fn owned(ty: Type) -> String {
    match ty.scalar() {
        None => "String".to_owned(),
        Some(scalar) => format!("Vec::<{scalar}>"),
    }
}

fn strategy(parameter: &Parameter) -> Result<String, String> {
    let generator = Generator::of(parameter)
        .ok_or_else(|| format!("the domain of its parameter `{}` is empty", parameter.name))?;
    let mut strategy = match &generator.shape {
        Shape::Scalar(numbers) => format!("mr::draw_value({})", draw(numbers)),
        Shape::Sequence { elements, length: (least, most), order } => {
            ordered(format!("mr::draw_sequence({}, {least}, {most})", draw(elements)), *order)
        }
        Shape::Text { alphabet, length: (least, most), order } => {
            let alphabet = alphabet.as_ref().map(|chars| chars.iter().collect::<String>());
            ordered(format!("mr::draw_text({alphabet:?}, {least}, {most})"), *order)
        }
        Shape::Texts(texts) => format!("mr::draw_one_of(&{texts:?})"),
    };
    if generator.doubtful {
        let inside = conditions(parameter, "value");
        strategy = format!("{strategy}.prop_filter(\"in the domain\", |value| {inside}).boxed()");
    }
    if generator.favoured.is_empty() || generator.share == 0 {
        return Ok(strategy);
    }
    let favoured: Result<Vec<String>, String> =
        generator.favoured.iter().map(|v| Ok(format!("Value::from({})", Rust::constant(Some(v))?))).collect();
    Ok(format!("mr::favouring({}, &[{}], {strategy})", generator.share.min(999), favoured?.join(", ")))
}

fn ordered(strategy: String, order: Order) -> String {
    let strategy = if order.distinct { format!("mr::draw_distinct({strategy})") } else { strategy };
    if order.sorted { format!("mr::draw_sorted({strategy})") } else { strategy }
}

fn draw(numbers: &Numbers) -> String {
    let spread = |spread: &Distribution| match spread {
        Distribution::Mixed => "mr::Spread::Mixed",
        Distribution::Uniform => "mr::Spread::Uniform",
        Distribution::Logarithmic => "mr::Spread::Logarithmic",
    };
    match numbers {
        Numbers::Bools(values) => format!("mr::draw_bools(&{values:?})"),
        Numbers::Ints(pieces, distribution) => {
            format!("mr::draw_ints(&{pieces:?}, {})", spread(distribution))
        }
        Numbers::Floats { pieces, spread: distribution, single } => {
            let word = if *single { "draw_singles" } else { "draw_floats" };
            format!("mr::{word}(&{pieces:?}, {})", spread(distribution))
        }
    }
}
