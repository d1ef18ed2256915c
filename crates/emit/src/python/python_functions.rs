//! The Python functions through which tests call the functions under test.

use std::fmt::Write as _;

use dodona_subject::{Argument, Function, Lowering, Passing, ResultLowering};
use dodona_target::Parameter;

use super::super::generator::Generator;
use super::super::helpers::HelperNames;
use super::super::names::Names;
use super::super::script::{Drawn, Used};
use super::super::write::signature;
use super::{list, strategy, text};

/// The definitions written beside the tests: a function that calls each function under test, and a strategy for each
/// input.
pub(super) struct Helpers<'a> {
    functions: &'a [Function],
    names: HelperNames,
}

impl<'a> Helpers<'a> {
    pub(super) fn new(used: &Used, functions: &'a [Function], names: &mut Names) -> Self {
        Helpers { functions, names: HelperNames::new(used, functions, names) }
    }

    /// The name of the Python function that calls a function under test.
    pub(super) fn call(&self, function: usize) -> &str {
        self.names.call(function)
    }

    /// The name of the strategy that draws a variable.
    pub(super) fn strategy(&self, variable: &Drawn) -> &str {
        self.names.variable(variable)
    }

    pub(super) fn parameter(&self, function: usize, parameter: usize) -> &'a Parameter {
        &self.functions[function].parameters[parameter]
    }

    /// The Python functions that call the functions under test.
    pub(super) fn calls(&self, used: &Used) -> String {
        let each = |f: &usize| call(&self.functions[*f], self.call(*f));
        used.functions.iter().map(each).collect()
    }

    /// The hypothesis strategies that draw the inputs.
    ///
    /// # Errors
    /// The parameter, as (function, parameter), for which no value can be drawn, and why.
    pub(super) fn strategies(&self, used: &Used) -> Result<String, ((usize, usize), String)> {
        let mut code = String::new();
        for place @ &(f, p) in &used.drawn {
            let (function, parameter) = (&self.functions[f], &self.functions[f].parameters[p]);
            let generator = Generator::of(parameter).ok_or_else(|| {
                (*place, format!("the domain of its parameter `{}` is empty", parameter.name))
            })?;
            let strategy = strategy::of(parameter, &generator).map_err(|why| (*place, why))?;
            let _ = writeln!(
                code,
                "# {}: {} of {}\n{} = {strategy}\n",
                parameter.name,
                parameter.ty,
                function.name,
                self.names.parameter(*place)
            );
        }
        Ok(code + "\n")
    }
}

/// The Python function that calls a function under test.
fn call(function: &Function, name: &str) -> String {
    let signature = signature(function);
    let word = text(function.name.as_bytes());
    if function.is_command() {
        let lowerings = list(function.lowerings.iter().map(|lowering| match lowering {
            Lowering::Stdin => "\"stdin\"".to_owned(),
            Lowering::File(name) => text(format!("file:{name}").as_bytes()),
            _ => "\"word\"".to_owned(),
        }));
        return format!(
            "def {name}(*values):\n    \"\"\"{signature}\"\"\"\n    return mr_command({word}, {lowerings}, values)\n\n\n"
        );
    }
    let parameters =
        list(function.lowered().map(|(p, how)| format!("(\"{}\", \"{}\")", p.ty, lowering(how))));
    let arguments = list(function.arguments.iter().map(argument));
    let result = match &function.result {
        ResultLowering::Value(s) => format!("(\"value\", \"{s}\")"),
        ResultLowering::ReturnPointer(ty) => format!("(\"return-pointer\", \"{ty}\")"),
        ResultLowering::OutBuffer { ty, capacity } => format!("(\"out-buffer\", \"{ty}\", {capacity})"),
        ResultLowering::NulTerminated(ty) => format!("(\"nul-terminated\", \"{ty}\")"),
        ResultLowering::None
        | ResultLowering::Record(_)
        | ResultLowering::MultiValue(_)
        | ResultLowering::Command => "(\"none\", None)".to_owned(),
    };
    let export = text(function.export.as_bytes());
    format!(
        "def {name}(*values):\n    \"\"\"{signature}\"\"\"\n    parameters = {parameters}\n    arguments = {arguments}\n    \
         return mr_call({word}, {export}, parameters, arguments, {result}, values)\n\n\n"
    )
}

fn lowering(lowering: &Lowering) -> &'static str {
    match lowering {
        Lowering::PointerLength(Passing::In) => "pointer-length",
        Lowering::PointerLength(Passing::InOut) => "in-out",
        Lowering::NulTerminated(Passing::In) => "nul-terminated",
        Lowering::NulTerminated(Passing::InOut) => "nul-terminated in-out",
        _ => "value",
    }
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Value(p) => format!("(\"value\", {p})"),
        Argument::Pointer(p) => format!("(\"pointer\", {p})"),
        Argument::Length(p) => format!("(\"length\", {p})"),
        Argument::ReturnPointer => "(\"return.pointer\",)".to_owned(),
        Argument::OutPointer => "(\"out.pointer\",)".to_owned(),
        Argument::OutCapacity => "(\"out.capacity\",)".to_owned(),
        Argument::Constant(i) => format!("(\"constant\", {i})"),
        Argument::FunctionPointer(export) => format!("(\"function\", {})", text(export.as_bytes())),
    }
}
