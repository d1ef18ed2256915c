//! The C functions through which tests call the functions under test.

use std::fmt::Write as _;

use dodona_subject::{Argument, Function, Lowering, ResultLowering};
use dodona_target::{Kind, Parameter, Scalar, Type};

use super::super::EmitContext;
use super::super::helpers::HelperNames;
use super::super::names::{Names, snake};
use super::super::problem::Problem;
use super::super::script::{Drawn, Used};
use super::super::write::signature;
use super::{KEYWORDS, comment, draw};

/// The functions written beside the tests: one that calls each function under test, one that draws each input.
pub(super) struct Helpers<'a> {
    functions: &'a [Function],
    names: HelperNames,
}

impl<'a> Helpers<'a> {
    pub(super) fn new(used: &Used, functions: &'a [Function], names: &mut Names) -> Self {
        Helpers { functions, names: HelperNames::new(used, functions, names) }
    }

    /// The name of the C function that calls a function under test.
    pub(super) fn call(&self, function: usize) -> &str {
        self.names.call(function)
    }

    /// The name of the C function that draws a variable.
    pub(super) fn draw(&self, variable: &Drawn) -> &str {
        self.names.variable(variable)
    }

    pub(super) fn parameter(&self, function: usize, parameter: usize) -> &'a Parameter {
        &self.functions[function].parameters[parameter]
    }

    /// Declarations of the functions under test; empty if the context names a file to include.
    pub(super) fn declarations(&self, used: &Used, context: &EmitContext<'_>) -> Result<String, Problem> {
        if !context.module.is_empty() {
            return Ok(String::new());
        }
        let mut code = String::from("/* The functions under test. */\n");
        for &f in &used.functions {
            code += &declaration(&self.functions[f]).map_err(|why| Problem::Function(f, why))?;
        }
        Ok(code + "\n")
    }

    /// The C functions that call the functions under test.
    pub(super) fn calls(&self, used: &Used) -> Result<String, Problem> {
        let each =
            |&f: &usize| call(&self.functions[f], self.call(f)).map_err(|why| Problem::Function(f, why));
        used.functions.iter().map(each).collect()
    }

    /// The C functions that draw inputs.
    pub(super) fn draws(&self, used: &Used) -> Result<String, Problem> {
        let each = |&(f, p): &(usize, usize)| {
            let (function, parameter) = (&self.functions[f], &self.functions[f].parameters[p]);
            let drawn = draw::function(parameter, self.names.parameter((f, p)));
            let about = format!("/* {}: {} of {} */\n", parameter.name, parameter.ty, function.name);
            drawn.map(|code| about + &code).map_err(|why| Problem::Parameter((f, p), why))
        };
        used.drawn.iter().map(each).collect()
    }
}

/// The C type of a scalar.
pub(super) fn c_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8_t",
        Scalar::I16 => "int16_t",
        Scalar::I32 => "int32_t",
        Scalar::I64 => "int64_t",
        Scalar::U8 => "uint8_t",
        Scalar::U16 => "uint16_t",
        Scalar::U32 => "uint32_t",
        Scalar::U64 => "uint64_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The C type of the elements of a sequence or of the bytes of a text.
fn element(ty: Type) -> &'static str {
    ty.scalar().map_or("char", c_type)
}

fn declaration(function: &Function) -> Result<String, String> {
    let mut parameters = Vec::new();
    for argument in &function.arguments {
        parameters.push(match argument {
            Argument::Value(p) => function.parameters[*p].ty.scalar().map_or("int", c_type).to_owned(),
            Argument::Pointer(p) => {
                let parameter = &function.parameters[*p];
                let constant = if function.lowerings[*p].is_in_out() { "" } else { "const " };
                format!("{constant}{} *", element(parameter.ty))
            }
            Argument::Length(_) | Argument::OutCapacity => "size_t".to_owned(),
            Argument::OutPointer => match &function.result {
                ResultLowering::OutBuffer { ty, .. } => format!("{} *", element(*ty)),
                _ => "void *".to_owned(),
            },
            Argument::Constant(_) => "size_t".to_owned(),
            Argument::ReturnPointer => continue,
            Argument::FunctionPointer(name) => {
                return Err(format!(
                    "`{}` takes the function `{name}`; name the header that declares both",
                    function.name
                ));
            }
        });
    }
    let (before, result) = match &function.result {
        ResultLowering::None
        | ResultLowering::Record(_)
        | ResultLowering::MultiValue(_)
        | ResultLowering::Command => (String::new(), "void".to_owned()),
        ResultLowering::Value(s) => (String::new(), c_type(*s).to_owned()),
        ResultLowering::OutBuffer { .. } => (String::new(), "size_t".to_owned()),
        ResultLowering::NulTerminated(ty) => (String::new(), format!("const {} *", element(*ty))),
        ResultLowering::ReturnPointer(ty) => {
            let name = format!("mr_result_of_{}", snake(function.symbol()));
            (
                format!("typedef struct {{\n    {} *data;\n    size_t length;\n}} {name};\n", element(*ty)),
                name,
            )
        }
    };
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    Ok(format!("{before}extern {result} {}({parameters});\n", function.symbol()))
}

/// The C function that calls a function under test.
fn call(function: &Function, name: &str) -> Result<String, String> {
    if function.is_command() {
        return Err(format!("`{}` is a command and no function; Python tests can run it", function.name));
    }
    let mut names = Names::new(KEYWORDS);
    let values: Vec<String> = function.parameters.iter().map(|p| names.give(&p.name)).collect();
    let takes: Vec<String> = values.iter().map(|v| format!("mr_value {v}")).collect();
    let takes = if takes.is_empty() { "void".to_owned() } else { takes.join(", ") };
    let mut code = format!("/* {} */\nstatic mr_call {name}({takes}) {{\n", comment(&signature(function)));
    let _ = writeln!(
        code,
        "    mr_call mr = mr_begin(\"{}\", {});\n    if (mr.state == MR_NOT_MADE) {{\n        return mr;\n    }}",
        function.name,
        super::array(values.iter().cloned())
    );
    for (parameter, value) in function.parameters.iter().zip(&values) {
        code += &lowered(parameter, value);
    }
    if let ResultLowering::OutBuffer { ty, capacity } = &function.result {
        let _ = writeln!(code, "    void *mr_out = mr_take({capacity} * sizeof({}));", element(*ty));
    }
    code += "    mr_armed = 1;\n    if (MR_LANDED) {\n        return mr_ended(mr, false);\n    }\n";
    code += &made(function, &values);
    for ((parameter, lowering), value) in
        function.lowered().zip(&values).filter(|((_, how), _)| how.is_in_out())
    {
        code += &written_back(parameter.ty, lowering, value);
    }
    if function.outputs.is_empty() {
        code += "    mr.state = MR_RETURNED;\n";
    }
    Ok(code + "    return mr;\n}\n\n")
}

/// C code that copies a text or sequence into memory of its own, with a zero after the last element.
fn lowered(parameter: &Parameter, value: &str) -> String {
    match parameter.ty {
        Type::Scalar(_) => String::new(),
        Type::Text => format!(
            "    size_t {value}_length;\n    void *{value}_data = mr_bytes({value}, &{value}_length);\n    (void){value}_length;\n"
        ),
        Type::Sequence(s) => format!(
            "    {ty} *{value}_data = mr_take(({value}.length + 1) * sizeof *{value}_data);\n    \
             for (size_t i = 0; i < {value}.length; i++) {{\n        {value}_data[i] = {};\n    }}\n",
            native(s, &format!("{value}.as.items[i]")),
            ty = c_type(s)
        ),
    }
}

/// C code that turns an `mr_value` into a C number or Boolean.
fn native(scalar: Scalar, value: &str) -> String {
    match scalar.kind() {
        Kind::Bool => format!("{value}.as.truth"),
        Kind::Int => format!("({}){value}.as.whole", c_type(scalar)),
        Kind::Float => format!("mr_{}({value}.as.real)", c_type(scalar)),
    }
}

/// C code that turns a C number or Boolean into an `mr_value`.
fn value_of(scalar: Scalar, native: &str) -> String {
    match scalar.kind() {
        Kind::Bool => format!("mr_truth({native})"),
        Kind::Int => format!("mr_whole({native})"),
        Kind::Float => format!("mr_real({native})"),
    }
}

/// C code that makes the call and takes in the returned value.
fn made(function: &Function, values: &[String]) -> String {
    let call = format!("{}({})", function.symbol(), arguments(function, values));
    match &function.result {
        ResultLowering::None
        | ResultLowering::Record(_)
        | ResultLowering::MultiValue(_)
        | ResultLowering::Command => {
            format!("    {call};\n    mr_armed = 0;\n")
        }
        ResultLowering::Value(s) => format!(
            "    {} mr_returned_value = {call};\n    mr_armed = 0;\n    mr_give(&mr, {});\n",
            c_type(*s),
            value_of(*s, "mr_returned_value")
        ),
        ResultLowering::ReturnPointer(ty) => format!(
            "    __typeof__({call}) mr_returned_value = {call};\n    mr_armed = 0;\n    struct {{\n        const {element} *data;\n        \
             size_t length;\n    }} mr_pair;\n    memcpy(&mr_pair, &mr_returned_value, sizeof mr_pair);\n{}",
            given(*ty, "mr_pair.data", "mr_pair.length"),
            element = element(*ty)
        ),
        ResultLowering::OutBuffer { ty, capacity } => format!(
            "    long long mr_length = (long long){call};\n    mr_armed = 0;\n    if (mr_length < 0 || mr_length > {capacity}) {{\n        \
             return mr_ended(mr, true);\n    }}\n    const {} *mr_data = mr_out;\n{}",
            element(*ty),
            given(*ty, "mr_data", "(size_t)mr_length")
        ),
        ResultLowering::NulTerminated(ty) => format!(
            "    const {} *mr_data = (const void *){call};\n    size_t mr_length = 0;\n    if (mr_data == NULL) {{\n        \
             return mr_ended(mr, true);\n    }}\n    while (mr_data[mr_length] != 0) {{\n        mr_length++;\n    }}\n    \
             mr_armed = 0;\n{}",
            element(*ty),
            given(*ty, "mr_data", "mr_length")
        ),
    }
}

fn arguments(function: &Function, values: &[String]) -> String {
    let argument = |argument: &Argument| {
        Some(match argument {
            Argument::Value(p) => match function.parameters[*p].ty.scalar() {
                Some(scalar) => native(scalar, &values[*p]),
                None => values[*p].clone(),
            },
            Argument::Pointer(p) => format!("{}_data", values[*p]),
            Argument::Length(p) => match function.parameters[*p].ty {
                Type::Text => format!("{}_length", values[*p]),
                _ => format!("{}.length", values[*p]),
            },
            Argument::OutPointer => "mr_out".to_owned(),
            Argument::OutCapacity => match function.result {
                ResultLowering::OutBuffer { capacity, .. } => capacity.to_string(),
                _ => "0".to_owned(),
            },
            Argument::Constant(i) => super::integer((*i).into()),
            Argument::FunctionPointer(name) => name.clone(),
            Argument::ReturnPointer => return None,
        })
    };
    function.arguments.iter().filter_map(argument).collect::<Vec<_>>().join(", ")
}

/// C code that adds an array of a given length to the outputs of the call.
fn given(ty: Type, data: &str, length: &str) -> String {
    match ty.scalar() {
        None => format!("    mr_give(&mr, mr_characters({data}, {length}));\n"),
        Some(scalar) => format!(
            "    {{\n        mr_value *items = mr_take({length} * sizeof *items);\n        for (size_t i = 0; i < {length}; i++) {{\n            \
             items[i] = {};\n        }}\n        mr_give(&mr, mr_items(MR_LIST, {length}, items));\n    }}\n",
            value_of(scalar, &format!("{data}[i]"))
        ),
    }
}

/// C code that adds a parameter, as it is after the call, to the outputs. NUL-terminated text ends at the first NUL.
fn written_back(ty: Type, lowering: &Lowering, value: &str) -> String {
    let data = format!("{value}_data");
    match (ty, lowering) {
        (Type::Text, Lowering::NulTerminated(_)) => given(Type::Text, &data, &format!("strlen({data})")),
        (Type::Text, _) => given(Type::Text, &data, &format!("{value}_length")),
        (ty, _) => given(ty, &data, &format!("{value}.length")),
    }
}
