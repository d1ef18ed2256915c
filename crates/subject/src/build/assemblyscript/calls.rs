//! Glue for AssemblyScript: generated code that makes strings and arrays of what lies in memory, calls functions of the subject with them, and writes where
//! what they give lies.
//!
//! What a call gives stays in a local variable until the glue returns, so that a garbage collector, which runs when objects are made, leaves it where it
//! is: nothing is made between the end of the call and the reading of its outputs.

use std::collections::BTreeSet;

use super::GLUE;
use super::exported::Exported;
use super::fits::{Fitting, fitting};
use super::said::{self, Said};
use crate::build::c_glue::is_statements;
use crate::build::{BuildError, Refused};
use crate::function::ALLOCATOR;
use crate::layout::RECORD_SLOT;
use crate::{AssemblyScriptSource, Function, Manifest, ResultLowering, Written};
use dodona_target::{OutputName, Scalar, Type};

/// What all calls use.
pub(super) const COMMON: &str = include_str!("common.ts");

/// Names that the glue itself uses. Those of the subject that are called so are not imported by these names.
const USED: [&str; 34] = [
    "default",
    "Array",
    "StaticArray",
    "ArrayBuffer",
    "ArrayBufferView",
    "String",
    "Error",
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "Int64Array",
    "Uint64Array",
    "Float32Array",
    "Float64Array",
    "memory",
    "heap",
    "store",
    "sizeof",
    "valueof",
    "idof",
    "changetype",
    "instantiate",
    "isArray",
    "isBoolean",
    "isFloat",
    "isInteger",
    "isSigned",
    "isReference",
    "string",
    "ERROR",
];

/// Whose code a part of the glue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// Nobody's in particular.
    All,
    /// The manifest's `prelude`.
    Prelude,
    /// That around the call of a function, by its index.
    Glue(usize),
    /// The `call` of a function, by its index.
    Call(usize),
}

/// The glue of a manifest.
#[derive(Debug)]
pub(super) struct Calls<'a> {
    manifest: &'a Manifest,
    code: String,
    /// Where each part begins, in lines from 1, and whose it is.
    parts: Vec<(usize, Owner)>,
}

impl<'a> Calls<'a> {
    /// Writes the glue of functions that a module exports. `import` is the module as the glue imports it.
    ///
    /// # Errors
    /// [`BuildError::Refused`] with all functions that do not fit their signatures.
    pub(super) fn of(
        manifest: &'a Manifest,
        source: &AssemblyScriptSource,
        import: &str,
        exports: &[Exported],
    ) -> Result<Calls<'a>, BuildError> {
        let mut calls = Calls { manifest, code: String::new(), parts: Vec::new() };
        calls.write_beginning(source, import, exports);
        let mut refused = Vec::new();
        let mut plain = BTreeSet::new();
        for (index, function) in manifest.functions.iter().enumerate() {
            let export = &source.exports[index];
            let result = source.types[index].get(function.parameters.len());
            let glue = Glue { function, export, result, fitting: None };
            if let Some(call) = &source.calls[index] {
                calls.write_call(index, &glue, call);
                continue;
            }
            let written = fitting(function, export, result, exports).and_then(|fitting| {
                // An export that a manifest names twice is one export.
                if function.passes_addresses() || plain.insert(export.clone()) {
                    let glue = Glue { fitting: Some(fitting), ..glue };
                    let module = serde_json::Value::from(import);
                    calls.write(Owner::Glue(index), &glue.direct(&module.to_string()));
                    return Ok(());
                }
                match fitting.has_more {
                    true => Err(format!(
                        "`{}`: several functions call `{export}`; give each a `call`",
                        function.name
                    )),
                    false => Ok(()),
                }
            });
            refused.extend(written.err().map(|words| Refused { function: function.name.clone(), words }));
        }
        if refused.is_empty() { Ok(calls) } else { Err(BuildError::Refused(refused)) }
    }

    /// The code of the glue.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    fn write(&mut self, owner: Owner, code: &str) {
        self.parts.push((self.code.matches('\n').count() + 1, owner));
        self.code += code;
        if !code.ends_with('\n') {
            self.code.push('\n');
        }
    }

    /// What stands before the functions: the names of the module, memory for arguments, and the manifest's own code.
    fn write_beginning(&mut self, source: &AssemblyScriptSource, import: &str, exports: &[Exported]) {
        let module = serde_json::Value::from(import);
        let mut code = format!("import * as dodona_module from {module};\n");
        let names: Vec<&str> = exports.iter().map(|exported| exported.name.as_str()).collect();
        let names: Vec<&str> =
            names.into_iter().filter(|name| !USED.contains(name) && !name.starts_with("dodona_")).collect();
        let has_code = source.calls.iter().any(Option::is_some) || !source.prelude.is_empty();
        if has_code && !names.is_empty() {
            code += &format!("import {{ {} }} from {module};\n", names.join(", "));
        }
        code += COMMON;
        if self.manifest.functions.iter().any(Function::passes_addresses) {
            code +=
                &format!("export function {ALLOCATOR}(size: usize): usize {{ return heap.alloc(size); }}\n");
        }
        self.write(Owner::All, &code);
        if !source.prelude.is_empty() {
            self.write(Owner::Prelude, &source.prelude);
        }
    }

    /// A function that is called by code of the manifest.
    fn write_call(&mut self, index: usize, glue: &Glue<'_>, call: &str) {
        let (begin, end) = glue.around(call);
        self.write(Owner::Glue(index), &format!("{}{}{begin}", glue.checks(), glue.before()));
        self.write(Owner::Call(index), call);
        self.write(Owner::Glue(index), &format!("{end}{}", glue.after(is_statements(call))));
    }

    /// What the compiler says of the glue, in terms of the manifest: nobody wrote the rest of that code.
    pub(super) fn explained(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { command, output } = error else { return error };
        let mut refused: Vec<Refused> = Vec::new();
        let mut others = Vec::new();
        for said in said::places(&output).iter().filter(|said| said.file == GLUE) {
            let (owner, words) = self.words(said);
            match owner {
                Owner::Call(index) | Owner::Glue(index) => {
                    let function = self.manifest.functions[index].name.clone();
                    let one = Refused { function, words };
                    if !refused.contains(&one) {
                        refused.push(one);
                    }
                }
                Owner::Prelude | Owner::All => others.push(words),
            }
        }
        match (refused.is_empty(), others.is_empty()) {
            (false, _) => BuildError::Refused(refused),
            (true, false) => BuildError::Unsupported(others.join("\n")),
            (true, true) => BuildError::Failed { command, output },
        }
    }

    /// Whose code an error is about, and how it is told.
    fn words(&self, said: &Said) -> (Owner, String) {
        let part = self.parts.partition_point(|(first, _)| *first <= said.line).saturating_sub(1);
        let (mut first, mut owner) = self.parts[part];
        // That something is missing at the end of a call is noticed in the line behind it.
        if let Some((start, Owner::Call(index))) = part.checked_sub(1).map(|before| self.parts[before])
            && said.line == first
        {
            (first, owner) = (start, Owner::Call(index));
        }
        let at = format!("line {}, column {}", said.line - first + 1, said.column);
        let message = said.message.strip_prefix("User-defined: ").unwrap_or(&said.message);
        let message = message.trim_matches('"').trim_end_matches('.');
        let name = |index: usize| &self.manifest.functions[index].name;
        let words = match owner {
            Owner::Call(index) => {
                format!("the `call` of `{}` does not compile: {at}: {message}{}", name(index), hint(message))
            }
            Owner::Glue(index) => format!("`{}` cannot be called: {message}", name(index)),
            Owner::Prelude => format!("`prelude` does not compile: {at}: {message}{}", hint(message)),
            // Only code of the manifest calls these with types that nobody looked at.
            Owner::All => {
                format!(
                    "a `call` uses `dodona_as` or `dodona_array` with a type that is no array of numbers: {message}"
                )
            }
        };
        (owner, words)
    }
}

/// What to do about an error in code of the manifest.
fn hint(message: &str) -> &'static str {
    match message.starts_with("Cannot find name") {
        true => "; the code has the parameters, and what the module exports",
        false => "",
    }
}

/// The glue of one function.
struct Glue<'a> {
    function: &'a Function,
    /// Its name in the module.
    export: &'a str,
    result: Option<&'a Written>,
    /// Its types in AssemblyScript, where it is called by its name.
    fitting: Option<Fitting>,
}

/// An output of a call as a variable of its code.
struct Variable<'a> {
    name: String,
    ty: Type,
    /// The path of its output.
    path: &'a str,
    /// Whether it may be null.
    is_optional: bool,
}

impl Glue<'_> {
    /// A function that is called by its name. One of numbers alone is exported as it is.
    fn direct(&self, module: &str) -> String {
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
    fn before(&self) -> String {
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
        format!(
            "export function {}({}): {returned} {{\n{variables}",
            self.function.export,
            parameters.join(", ")
        )
    }

    /// What stands around the code of a call: before statements the variables of the outputs; of an expression, what it gives is the output.
    fn around(&self, call: &str) -> (String, &'static str) {
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
    fn checks(&self) -> String {
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
    fn after(&self, is_declared: bool) -> String {
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
        let out = || if self.fitting.is_some() { "dodona_out" } else { "out" }.to_owned();
        match self.result {
            None => Vec::new(),
            Some(Written::Named(parts)) => {
                parts.iter().filter_map(|(name, part)| variable(name.clone(), name, part)).collect()
            }
            Some(one) => variable(out(), "", one).into_iter().collect(),
        }
    }
}

fn variable<'w>(name: String, path: &'w str, ty: &'w Written) -> Option<Variable<'w>> {
    match ty {
        Written::Value(spelling) => Some(Variable { name, ty: spelling.ty, path, is_optional: false }),
        Written::Option(inner) => Some(Variable { name, ty: inner.value()?.ty, path, is_optional: true }),
        _ => None,
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::ModuleSource;
    use crate::build::assemblyscript::exported::{ExportedParameter, Kind};

    fn exported(name: &str, parameters: &[&str], result: &str) -> Exported {
        let parameter =
            |ty: &&str| ExportedParameter { name: "p".to_owned(), ty: (*ty).to_owned(), is_optional: false };
        let parameters = parameters.iter().map(parameter).collect();
        Exported { name: name.to_owned(), kind: Kind::Function, parameters, result: result.to_owned() }
    }

    /// The glue of functions of a manifest, with whose each of its lines is.
    fn glue(functions: &str) -> (String, Vec<Owner>) {
        let text =
            format!("[build]\nassemblyscript = 'a.ts'\nprelude = \"let x = 1;\\nlet y = 2;\"\n{functions}");
        let manifest = Manifest::parse(Path::new("dodona.toml"), &text)
            .unwrap_or_else(|problems| panic!("{problems:?}"));
        let ModuleSource::AssemblyScript(source) = &manifest.source else { panic!("{:?}", manifest.source) };
        let exports = [
            exported("f", &["~lib/string/String", "f64"], "~lib/string/String | null"),
            exported("g", &["~lib/staticarray/StaticArray<u16>"], "void"),
            exported("h", &["bool"], "u8"),
            exported("Array", &[], "void"),
        ];
        let calls = Calls::of(&manifest, source, "../a", &exports).unwrap_or_else(|error| panic!("{error}"));
        let at = |line| Said { message: String::new(), file: String::new(), line, column: 1 };
        let owners = (1..=calls.code().lines().count()).map(|line| calls.words(&at(line)).0).collect();
        (calls.code().to_owned(), owners)
    }

    fn function(signature: &str, more: &str) -> String {
        format!("[[function]]\nsignature = '{signature}'\n{more}\n")
    }

    #[test]
    fn objects_are_made_before_a_call_and_outputs_lie_in_slots_behind_it() {
        let functions = function("f(x: text, y: f64) -> Option<text>", "")
            + &function("g(x: [u16])", "lower.x = 'in-out'")
            + &function("h(x: bool) -> u8", "");
        let (code, _) = glue(&functions);
        let wanted = "export function dodona_glue_f(dodona_slots: usize, dodona_a0: usize, dodona_n0: usize, dodona_p1: f64): void {
  let dodona_p0 = dodona_text(dodona_a0, dodona_n0);
const dodona_out = dodona_module.f(dodona_p0, dodona_p1);
  memory.fill(dodona_slots, 0, 16);
  const dodona_k0: ArrayBuffer | null = dodona_out === null ? null : String.UTF8.encode(dodona_out);
  if (dodona_k0 !== null) { store<u64>(dodona_slots + 8, 1); dodona_slot(dodona_slots + 0, changetype<usize>(dodona_k0), dodona_k0.byteLength); }
}
export function dodona_glue_g(dodona_a0: usize, dodona_n0: usize): void {
  let dodona_p0 = dodona_items<StaticArray<u16>>(dodona_a0, dodona_n0);
dodona_module.g(dodona_p0);
  dodona_back<StaticArray<u16>>(dodona_p0, dodona_a0, dodona_n0);
}
export { h } from \"../a\";
";
        assert!(code.ends_with(wanted), "{code}");
        // What the glue itself uses keeps its meaning.
        assert!(code.contains("import { f, g, h } from \"../a\";"), "{code}");
    }

    #[test]
    fn every_line_of_a_call_is_known_as_its_own() {
        for lines in 1..4 {
            let call = vec!["x += 1;"; lines].join("\n");
            let functions = function("i(x: i32) -> i32", &format!("call = \"\"\"{call}\"\"\""))
                + &function("j(x: i32) -> [i32]", &format!("call = \"\"\"{}[x]\"\"\"", "\n".repeat(lines)));
            let (code, owners) = glue(&functions);
            let of = |wanted: Owner| -> Vec<&str> {
                let lines = code.lines().zip(&owners).filter(|(_, owner)| **owner == wanted);
                lines.map(|(line, _)| line).collect()
            };
            assert_eq!(of(Owner::Prelude), ["let x = 1;", "let y = 2;"]);
            // The line behind a call is what it is told of that lacks an end.
            assert_eq!(of(Owner::Call(0))[..lines], vec!["x += 1;"; lines]);
            assert_eq!(of(Owner::Call(1)).iter().filter(|line| **line == "[x]").count(), 1);
        }
    }
}
