//! The glue of one function: an export that makes objects of what lies in memory, calls the function or runs the code of its `call`, and writes where what that
//! gives lies.
//!
//! What a call gives stays in a local variable until the glue returns, so that a garbage collector, which runs when objects are made, leaves it where it
//! is: nothing is made between the end of the call and the reading of its outputs.

use super::fits::Fitting;
use crate::build::call_code::{Variable, is_statements, variables};
use crate::layout::RECORD_SLOT;
use crate::{Function, ResultLowering, Written};
use dodona_target::{OutputName, Scalar, Type};

/// The glue of one function.
pub(super) struct Glue<'a> {
    pub(super) function: &'a Function,
    /// Its name in the module.
    pub(super) export: &'a str,
    pub(super) result: Option<&'a Written>,
    /// Its types in AssemblyScript, where it is called by its name.
    pub(super) fitting: Option<Fitting>,
}

impl Glue<'_> {
    /// A function that is called by its name. One of numbers alone is exported as it is.
    pub(super) fn direct(&self, module: &str) -> String {
        let export = self.export;
        let has_more = self.fitting.as_ref().is_some_and(|fitting| fitting.has_more);
        if !self.function.passes_addresses() && !has_more {
            return format!("export {{ {export} }} from {module};\n");
        }
        let given = self
            .function
            .parameters
            .iter()
            .enumerate()
            .map(|(i, parameter)| self.variable(i, &parameter.name));
        let call = format!("dodona_module.{export}({})", given.collect::<Vec<_>>().join(", "));
        let call = match self.variables().as_slice() {
            [] => format!("{call};\n"),
            [out, ..] => format!("const {} = {call};\n", out.name),
        };
        format!("{}{call}{}", self.before(), self.after(true))
    }

    /// The variable of a parameter. In code of the manifest it has the parameter's name.
    fn variable(&self, index: usize, name: &str) -> String {
        match self.fitting {
            Some(_) => format!("dodona_p{index}"),
            None => name.to_owned(),
        }
    }

    /// The class of an array that a parameter becomes.
    fn class(&self, index: usize, element: Scalar) -> String {
        let known = self.fitting.as_ref().and_then(|fitting| fitting.parameters.get(index)?.clone());
        known.unwrap_or_else(|| format!("Array<{element}>"))
    }

    /// The beginning of the export: its parameters, and the variables of the call.
    pub(super) fn before(&self) -> String {
        let mut parameters = Vec::new();
        let mut variables = String::new();
        if matches!(self.function.result, ResultLowering::Record(_) | ResultLowering::ReturnPointer(_)) {
            parameters.push("dodona_slots: usize".to_owned());
        }
        for (i, parameter) in self.function.parameters.iter().enumerate() {
            let name = self.variable(i, &parameter.name);
            match parameter.ty {
                Type::Scalar(scalar) => {
                    parameters.push(format!("{name}: {scalar}"));
                    continue;
                }
                Type::Text => {
                    variables += &format!("  let {name} = dodona_text(dodona_a{i}, dodona_n{i});\n")
                }
                Type::Sequence(element) => {
                    let class = self.class(i, element);
                    variables +=
                        &format!("  let {name} = dodona_items<{class}>(dodona_a{i}, dodona_n{i});\n");
                }
            }
            parameters.push(format!("dodona_a{i}: usize, dodona_n{i}: usize"));
        }
        let returned = match self.function.result {
            ResultLowering::Value(scalar) => scalar.to_string(),
            _ => "void".to_owned(),
        };
        // The export may have the name of a function of the module, which calls are to find.
        let (export, parameters) = (&self.function.export, parameters.join(", "));
        format!(
            "export {{ dodona_of_{export} as {export} }}; function dodona_of_{export}({parameters}): {returned} {{\n{variables}"
        )
    }

    /// What stands around the code of a call: before statements the variables of the outputs; of an expression, what it gives is the output.
    pub(super) fn around(&self, call: &str) -> (String, &'static str) {
        let variables = self.variables();
        if is_statements(call) {
            return (variables.iter().map(declared).collect(), "");
        }
        match variables.as_slice() {
            // Of an array only its elements matter, so that it may be of any class.
            [Variable { ty: Type::Sequence(_), is_optional: false, name, .. }] => {
                (format!("  const {name} = (\n"), ");\n")
            }
            [one] => (format!("  const {}: {} = (\n", one.name, type_of(one)), ");\n"),
            _ => (variables.iter().map(declared).collect::<String>() + "  (\n", ");\n"),
        }
    }

    /// A function that refuses arrays of other elements than those of the output. The type of an expression is known to the compiler alone.
    pub(super) fn checks(&self) -> String {
        let [Variable { ty: Type::Sequence(element), is_optional: false, .. }] = self.variables()[..] else {
            return String::new();
        };
        let refuse = format!("ERROR(\"its `call` gives no array of {element}\")");
        let is_same = match element {
            Scalar::Bool => "isBoolean<valueof<T>>()".to_owned(),
            Scalar::F32 | Scalar::F64 => {
                format!("isFloat<valueof<T>>() && sizeof<valueof<T>>() == {}", element.bytes())
            }
            _ => format!(
                "isInteger<valueof<T>>() && !isBoolean<valueof<T>>() && sizeof<valueof<T>>() == {} && isSigned<valueof<T>>() == {}",
                element.bytes(),
                element.name().starts_with('i')
            ),
        };
        let is_byte = element == Scalar::U8;
        format!(
            "function dodona_check_{}<T>(xs: T): void {{\n  if (!isReference<T>()) {refuse};\n  else if (idof<T>() == idof<ArrayBuffer>()) {{ if (!{is_byte}) {refuse}; }}\n  \
             else if (!({is_same})) {refuse};\n}}\n",
            self.function.name
        )
    }

    /// The end of the export: arrays that were changed go back, and outputs are written where they are wanted.
    pub(super) fn after(&self, is_declared: bool) -> String {
        let mut code = String::new();
        let variables = self.variables();
        if let ([Variable { ty: Type::Sequence(_), is_optional: false, name, .. }], false) =
            (variables.as_slice(), is_declared)
        {
            code += &format!("  dodona_check_{}({name});\n", self.function.name);
        }
        for (i, (parameter, lowering)) in self.function.lowered().enumerate() {
            if let (true, Type::Sequence(element)) = (lowering.is_in_out(), parameter.ty) {
                let (name, class) = (self.variable(i, &parameter.name), self.class(i, element));
                code += &format!("  dodona_back<{class}>({name}, dodona_a{i}, dodona_n{i});\n");
            }
        }
        match &self.function.result {
            ResultLowering::Value(_) => {
                code.extend(variables.first().map(|one| format!("  return {};\n", one.name)));
            }
            ResultLowering::ReturnPointer(_) => code.extend(variables.iter().map(|one| stored(one, 0, None))),
            ResultLowering::Record(outputs) => {
                code += &format!("  memory.fill(dodona_slots, 0, {});\n", outputs.len() as u64 * RECORD_SLOT);
                let slot = |wanted: &str| {
                    outputs.iter().position(|output| match &output.name {
                        OutputName::Return => wanted.is_empty(),
                        OutputName::Part(path) => path == wanted,
                        _ => false,
                    })
                };
                for variable in &variables {
                    let is_some = match variable.path {
                        "" => "is_some".to_owned(),
                        path => format!("{path}.is_some"),
                    };
                    code.extend(slot(variable.path).map(|at| stored(variable, at, slot(&is_some))));
                }
            }
            _ => {}
        }
        code + "}\n"
    }

    /// The variables of the outputs, in their order.
    fn variables(&self) -> Vec<Variable<'_>> {
        variables(self.result, if self.fitting.is_some() { "dodona_out" } else { "out" })
    }
}

/// The type of an output in AssemblyScript.
fn type_of(variable: &Variable<'_>) -> String {
    let plain = match variable.ty {
        Type::Scalar(scalar) => scalar.to_string(),
        Type::Text => "string".to_owned(),
        Type::Sequence(element) => format!("Array<{element}>"),
    };
    if variable.is_optional { format!("{plain} | null") } else { plain }
}

/// The variable of an output with the value that it has if nothing sets it.
fn declared(variable: &Variable<'_>) -> String {
    let value = match variable.ty {
        _ if variable.is_optional => "null",
        Type::Scalar(Scalar::Bool) => "false",
        Type::Scalar(_) => "0",
        Type::Text => "\"\"",
        Type::Sequence(_) => "[]",
    };
    format!("  let {}: {} = {value};\n", variable.name, type_of(variable))
}

/// Writes an output into its slot, and into that of `is_some` whether it is there.
fn stored(variable: &Variable<'_>, slot: usize, is_some: Option<usize>) -> String {
    let Variable { name, ty, is_optional, .. } = variable;
    let at = |slot: usize| slot as u64 * RECORD_SLOT;
    let place = format!("dodona_slots + {}", at(slot));
    let (before, there, store) = match ty {
        Type::Scalar(scalar) => {
            // A whole number fills its slot, as wide as its sign goes.
            let wide = match scalar {
                Scalar::F32 => "f32",
                Scalar::F64 => "f64",
                Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => "i64",
                _ => "u64",
            };
            (String::new(), name.clone(), format!("store<{wide}>({place}, <{wide}>{name});"))
        }
        Type::Text => {
            let kept = format!("dodona_k{slot}");
            let encoded = match is_optional {
                true => format!(
                    "  const {kept}: ArrayBuffer | null = {name} === null ? null : String.UTF8.encode({name});\n"
                ),
                false => format!("  const {kept} = String.UTF8.encode({name});\n"),
            };
            let store = format!("dodona_slot({place}, changetype<usize>({kept}), {kept}.byteLength);");
            (encoded, kept, store)
        }
        Type::Sequence(_) => (
            String::new(),
            name.clone(),
            match is_optional {
                true => format!("dodona_slot({place}, dodona_data({name}!), dodona_count({name}!));"),
                false => format!("dodona_slot({place}, dodona_data({name}), dodona_count({name}));"),
            },
        ),
    };
    match is_some.filter(|_| *is_optional) {
        Some(is_some) => {
            format!(
                "{before}  if ({there} !== null) {{ store<u64>(dodona_slots + {}, 1); {store} }}\n",
                at(is_some)
            )
        }
        None => format!("{before}  {store}\n"),
    }
}
