//! The Java methods through which tests call the methods under test.

use std::fmt::Write as _;

use dodona_subject::{Function, ResultLowering};
use dodona_target::{Parameter, Type};

use super::super::EmitContext;
use super::super::helpers::HelperNames;
use super::super::names::Names;
use super::super::problem::Problem;
use super::super::script::{Drawn, Used};
use super::super::write::{indented, signature};
use super::java_types::{argument, usual};
use super::{KEYWORDS, comment, draw, text};

/// The class of the file whose methods are to be filled in.
const STUBS: &str = "Functions";

/// The methods written beside the tests: one that calls each method under test, one that draws each input.
pub(super) struct Helpers<'a> {
    functions: &'a [Function],
    names: HelperNames,
    methods: Vec<Method>,
}

/// The method that is called for a function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Method {
    /// Its class, with its package.
    class: String,
    name: String,
    /// The types of its parameters, where they are spelled out.
    types: Option<Vec<String>>,
    /// Whether the manifest names it, so that it was there before the tests.
    is_of_manifest: bool,
}

impl Method {
    /// The method of `org.example.Model:gcd(long,long)`.
    fn read(text: &str) -> Method {
        let (class, method) = text.rsplit_once(':').unwrap_or(("", text));
        let (name, types) = match method.split_once('(') {
            None => (method, None),
            Some((name, types)) => {
                let types = types.trim_end_matches(')').split(',').map(|ty| ty.trim().to_owned());
                (name, Some(types.filter(|ty| !ty.is_empty()).collect()))
            }
        };
        let (class, name) = (class.replace('$', "."), name.trim().to_owned());
        Method { class, name, types, is_of_manifest: true }
    }

    /// Those of all functions: methods that the manifest names, of the class of the context, or to be filled in.
    fn all(context: &EmitContext<'_>) -> Vec<Method> {
        if context.module.is_empty() && !context.methods.is_empty() {
            return context.methods.iter().map(|text| Method::read(text)).collect();
        }
        let class = if context.module.is_empty() { STUBS } else { context.module };
        let mut names = Names::camel(KEYWORDS);
        let named = |f: &Function| Method {
            class: class.to_owned(),
            name: names.give(&f.name),
            types: None,
            is_of_manifest: false,
        };
        context.functions.iter().map(named).collect()
    }

    /// The type of a parameter.
    fn parameter_type(&self, function: &Function, parameter: usize) -> Result<String, String> {
        let count = function.parameters.len();
        match &self.types {
            None => Ok(usual(function.parameters[parameter].ty, self.is_of_manifest)),
            Some(types) if types.len() == count => Ok(types[parameter].clone()),
            Some(types) => Err(format!(
                "`{}` has {count} parameters, and its path in the manifest spells out {}",
                function.name,
                types.len()
            )),
        }
    }
}

impl<'a> Helpers<'a> {
    pub(super) fn new(used: &Used, context: &EmitContext<'a>, names: &mut Names) -> Self {
        let functions = context.functions;
        Helpers { functions, names: HelperNames::new(used, functions, names), methods: Method::all(context) }
    }

    /// The name of the Java method that calls a method under test.
    pub(super) fn call(&self, function: usize) -> &str {
        self.names.call(function)
    }

    /// The name of the Java method that draws a variable.
    pub(super) fn draw(&self, variable: &Drawn) -> &str {
        self.names.variable(variable)
    }

    pub(super) fn parameter(&self, function: usize, parameter: usize) -> &'a Parameter {
        &self.functions[function].parameters[parameter]
    }

    /// The classes whose methods are called, without those of this file.
    pub(super) fn classes(&self, used: &Used) -> Vec<String> {
        let of = |f: &usize| self.methods[*f].class.clone();
        used.functions.iter().map(of).filter(|class| class != STUBS).collect()
    }

    /// The class whose methods are to be filled in; `None` where the methods are elsewhere.
    pub(super) fn stubs(&self, used: &Used) -> Option<String> {
        let stub = |f: &usize| {
            let method = &self.methods[*f];
            (method.class == STUBS).then(|| indented(&stub(&self.functions[*f], &method.name), 4))
        };
        let stubs: Vec<String> = used.functions.iter().filter_map(stub).collect();
        (!stubs.is_empty()).then(|| {
            format!(
                "/** The functions under test. Each is to call the method that it stands for; what that throws is an outcome, too. */\n\
                 private static final class {STUBS} {{\n{}}}\n",
                stubs.join("\n")
            )
        })
    }

    /// The Java methods that call the methods under test.
    pub(super) fn calls(&self, used: &Used) -> Result<Vec<String>, Problem> {
        let each = |&f: &usize| {
            call(&self.functions[f], &self.methods[f], self.call(f)).map_err(|why| Problem::Function(f, why))
        };
        used.functions.iter().map(each).collect()
    }

    /// The Java methods that draw inputs.
    pub(super) fn draws(&self, used: &Used) -> Result<Vec<String>, Problem> {
        let each = |&(f, p): &(usize, usize)| {
            let (function, parameter) = (&self.functions[f], &self.functions[f].parameters[p]);
            let drawn = draw::method(parameter, self.names.parameter((f, p)));
            let about = comment(&format!("{}: {} of {}", parameter.name, parameter.ty, function.name));
            drawn.map(|code| about + &code).map_err(|why| Problem::Parameter((f, p), why))
        };
        used.drawn.iter().map(each).collect()
    }
}

/// A method that is to be filled in.
fn stub(function: &Function, name: &str) -> String {
    let mut names = Names::camel(KEYWORDS);
    let parameters: Vec<String> = function
        .lowered()
        .map(|(p, lowering)| {
            let ty = if lowering.is_in_out() { changed_type(p.ty) } else { usual(p.ty, false) };
            format!("{ty} {}", names.give(&p.name))
        })
        .collect();
    let result = result_type(function).map_or_else(|| "void".to_owned(), |ty| usual(ty, false));
    format!(
        "{}static {result} {name}({}) {{\n    throw new MrMissing(\"{name}\");\n}}\n",
        comment(&signature(function)),
        parameters.join(", ")
    )
}

/// The type that a function returns.
fn result_type(function: &Function) -> Option<Type> {
    match &function.result {
        ResultLowering::None
        | ResultLowering::Record(_)
        | ResultLowering::MultiValue(_)
        | ResultLowering::Command => None,
        ResultLowering::Value(scalar) => Some(Type::Scalar(*scalar)),
        ResultLowering::ReturnPointer(ty)
        | ResultLowering::NulTerminated(ty)
        | ResultLowering::OutBuffer { ty, .. } => Some(*ty),
    }
}

/// The type of a parameter that a method changes in place.
fn changed_type(ty: Type) -> String {
    match ty {
        Type::Text => "StringBuilder".to_owned(),
        ty => usual(ty, false),
    }
}

/// How the values of a function become the arguments of a method.
struct Arguments {
    /// What is declared before the call.
    before: String,
    passed: Vec<String>,
    /// The outputs that a method makes of its arguments.
    changed: Vec<String>,
}

fn arguments(
    function: &Function,
    method: &Method,
    values: &[String],
    names: &mut Names,
) -> Result<Arguments, String> {
    let mut made = Arguments { before: String::new(), passed: Vec::new(), changed: Vec::new() };
    for (i, ((parameter, lowering), value)) in function.lowered().zip(values).enumerate() {
        if !lowering.is_in_out() {
            made.passed.push(argument(parameter.ty, &method.parameter_type(function, i)?, value)?);
            continue;
        }
        let (own, java) = (names.give(&format!("changed_{}", parameter.name)), changed_type(parameter.ty));
        let given = match parameter.ty {
            Type::Text => format!("new StringBuilder({})", argument(Type::Text, "String", value)?),
            ty => argument(ty, &java, value)?,
        };
        let _ = writeln!(made.before, "        {java} {own} = {given};");
        made.changed.push(output(parameter.ty, &own));
        made.passed.push(own);
    }
    Ok(made)
}

/// The Java method that calls a method under test.
fn call(function: &Function, method: &Method, name: &str) -> Result<String, String> {
    if function.is_command() {
        return Err(format!("`{}` is a command and no function; Python tests can run it", function.name));
    }
    let mut names = Names::camel(KEYWORDS);
    // A parameter of the name that a package begins with would stand in its place.
    names.give(method.class.split('.').next().unwrap_or_default());
    let values: Vec<String> = function.parameters.iter().map(|p| names.give(&p.name)).collect();
    let Arguments { before, passed, changed } = arguments(function, method, &values, &mut names)?;
    let (made, changed) = (format!("{}({})", path(method), passed.join(", ")), changed.join(", "));
    let body = match result_type(function) {
        Some(ty) if before.is_empty() => format!("List.of({})", output(ty, &made)),
        Some(ty) => {
            let returned = names.give("returned");
            let first = output(ty, &returned);
            format!(
                "{{\n{before}        Object {returned} = {made};\n        return List.of({first}, {changed});\n    }}"
            )
        }
        None => format!("{{\n{before}        {made};\n        return List.of({changed});\n    }}"),
    };
    let takes: Vec<String> = values.iter().map(|value| format!("Object {value}")).collect();
    Ok(format!(
        "{}private static MrCall {name}({}) {{\n    return mrCall({}, Arrays.asList({}), () -> {body});\n}}\n",
        comment(&signature(function)),
        takes.join(", "),
        text(function.name.as_bytes()),
        values.join(", ")
    ))
}

/// How a method is called.
fn path(method: &Method) -> String {
    match method.class.as_str() {
        "" => method.name.clone(),
        class => format!("{class}.{}", method.name),
    }
}

/// Java code that makes an output of what a method gave.
fn output(ty: Type, given: &str) -> String {
    format!("mrOutput(\"{ty}\", {given})")
}
