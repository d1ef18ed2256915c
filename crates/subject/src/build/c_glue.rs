//! Glue for C and C++: generated code that calls functions as the manifest says (`call`), so that values of any shape cross: structs, results through
//! pointers, what has to be made before a call and freed behind it.
//!
//! Each function with a call becomes an export in which the parameters and the outputs are variables. What a call gives is copied, because it may lie where the
//! call itself does. The code of a call is a file of its own to the compiler (`#line`), so that what the compiler says of it can be told in terms of the
//! manifest, and debug information knows all of it as glue, by its folder.

use std::path::{Path, PathBuf};

use super::c::is_cxx;
use super::call_code::{self, Variable, is_statements};
use super::products::{cache_folder, put};
use super::{BuildError, Refused, c_worker, file, glue};
use crate::{CSource, Function, Lowering, Manifest, Passing, ResultLowering, Written};
use dodona_target::{OutputName, Scalar, Type, fnv1a};

const COMMON: &str = include_str!("c_glue/common.c");
const OF_C: &str = include_str!("c_glue/of_c.c");
const OF_CXX: &str = include_str!("c_glue/of_cxx.cpp");

/// Where the parts of the glue are to the compiler.
const PLACE: &str = "/dodona-glue/c/";

/// A number that is cut to fewer bits would be another one, which nobody asked for, and elements of another type would be others. Only clang knows of these warnings.
const STRICT: &str = "#ifdef __clang__\n#pragma clang diagnostic push\n#pragma clang diagnostic error \"-Wshorten-64-to-32\"\n#pragma clang diagnostic error \"-Wconstant-conversion\"\n#pragma clang diagnostic error \"-Wincompatible-pointer-types\"\n#endif\n";
const LENIENT: &str = "#ifdef __clang__\n#pragma clang diagnostic pop\n#endif\n";

/// How the name of the file begins that the code of one call is to the compiler.
const CALL: &str = "call of ";

/// The glue of a manifest.
pub(super) struct CGlue<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) source: &'a CSource,
}

impl CGlue<'_> {
    /// Writes the glue and returns its file; nothing where none is needed. C++ always needs some: what stands for exceptions is in it.
    pub(super) fn write(&self) -> Result<Option<PathBuf>, BuildError> {
        if !self.source.has_calls() && !is_cxx(self.source) {
            return Ok(None);
        }
        let code = self.code();
        let folder = cache_folder().join(glue::FOLDER).join(format!("c-{:016x}", fnv1a(code.as_bytes())));
        std::fs::create_dir_all(&folder).map_err(file("create", &folder))?;
        let path = folder.join(if is_cxx(self.source) { "calls.cpp" } else { "calls.c" });
        put(&path, code.as_bytes())?;
        Ok(Some(path))
    }

    fn code(&self) -> String {
        let is_cxx = is_cxx(self.source);
        let mut code = COMMON.to_owned() + if is_cxx { OF_CXX } else { OF_C };
        for header in &self.source.headers {
            let named = if header.starts_with('<') { header.clone() } else { format!("\"{header}\"") };
            code += &format!("#include {named}\n");
        }
        let place = |name: &str| format!("#line 1 \"{PLACE}{name}\"\n");
        if !self.source.prelude.is_empty() {
            code += &format!("{}{}\n", place("prelude"), self.source.prelude);
        }
        let functions = self.manifest.functions.iter().zip(&self.source.calls).zip(&self.source.types);
        for ((function, call), types) in functions {
            let Some(call) = call else { continue };
            let glue = Glue { function, result: types.get(function.parameters.len()), is_cxx };
            let (begin, end) = glue.around(call);
            let (name, own) = (place(&format!("{CALL}{}", function.name)), place("glue"));
            // The code of a call alone is held to it: headers are as their owners wrote them.
            code += &format!(
                "{own}{}{begin}\n{STRICT}{name}{call}\n{own}{LENIENT}{end}{}",
                glue.before(),
                glue.after()
            );
        }
        if is_cxx {
            let guards = c_worker::guards(self.manifest, self.source);
            code += &format!("#ifndef __wasm__\n{}{guards}#endif\n", place("glue"));
        }
        code
    }

    /// What the compiler says of a call, in terms of the manifest: nobody wrote the rest of that code.
    pub(super) fn explained(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { command, output } = error else { return error };
        let refused: Vec<Refused> = output.lines().filter_map(refused).collect();
        if !refused.is_empty() {
            return BuildError::Refused(refused);
        }
        // What is left is about headers and the prelude; of the glue itself nobody knows.
        let output = output.replace(PLACE, "").replace(&cache_folder().display().to_string(), "~");
        BuildError::Failed { command, output }
    }
}

/// The function whose `call` a file of debug information is.
///
/// ```
/// assert_eq!(dodona_subject::build::called_in("c/call of gcd"), Some("gcd"));
/// assert_eq!(dodona_subject::build::called_in("src/gcd.c"), None);
/// ```
pub fn called_in(file: &str) -> Option<&str> {
    file.split_once(CALL).map(|(_, function)| function)
}

/// What the compiler refuses in the code of a call: `call of f:1:8: error: …`.
fn refused(line: &str) -> Option<Refused> {
    let (_, rest) = line.split_once(&format!("{PLACE}{CALL}"))?;
    let mut parts = rest.splitn(4, ':');
    let (function, row, column, said) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let said = said.trim().strip_prefix("fatal ").unwrap_or(said.trim()).strip_prefix("error: ")?;
    // The name of a warning that was made an error is no help where nobody gave flags.
    let said = said.split(" [-W").next().unwrap_or(said);
    let is_undeclared = ["undeclared", "implicit declaration", "unknown type", "incomplete type"];
    let hint = if said.contains("loses integer precision") {
        "; write a cast where that is meant, or the wide type in the signature"
    } else if is_undeclared.iter().any(|words| said.contains(words)) && !said.contains("did you mean") {
        "; headers that a call needs stand in `headers` of [build]"
    } else {
        ""
    };
    let words =
        format!("the `call` of `{function}` does not compile: line {row}, column {column}: {said}{hint}");
    Some(Refused { function: function.to_owned(), words })
}

/// The flag by which debug information and `__FILE__` know the glue by the same path on every machine.
pub(super) fn path_map(glue: &Path) -> String {
    let folder = glue.parent().unwrap_or(Path::new("/")).display();
    format!("-ffile-prefix-map={folder}={}", PLACE.trim_end_matches('/'))
}

/// The glue of one function.
struct Glue<'a> {
    function: &'a Function,
    result: Option<&'a Written>,
    is_cxx: bool,
}

impl Glue<'_> {
    /// The beginning of the export, down to the code of the call.
    fn before(&self) -> String {
        let mut parameters = Vec::new();
        let mut variables = String::new();
        match self.function.result {
            ResultLowering::Record(_) | ResultLowering::ReturnPointer(_) => {
                parameters.push("dodona_slot *dodona_slots".to_owned());
            }
            _ => {}
        }
        for (i, (parameter, lowering)) in self.function.lowered().enumerate() {
            let name = &parameter.name;
            let Some(scalar) = parameter.ty.scalar() else {
                let ends = matches!(lowering, Lowering::NulTerminated(_));
                parameters.push(format!("char *dodona_a{i}"));
                if !ends {
                    parameters.push(format!("size_t dodona_n{i}"));
                }
                variables += &self.text(i, name, ends, lowering.is_in_out());
                continue;
            };
            let c = c_type(scalar);
            match (lowering, parameter.ty) {
                (_, Type::Scalar(_)) => parameters.push(format!("{c} {name}")),
                (Lowering::PointerLength(passing), _) => {
                    parameters.push(format!("{c} *dodona_a{i}, size_t dodona_n{i}"));
                    variables += &match (self.is_cxx, passing) {
                        (true, Passing::In) => {
                            format!("std::vector<{c}> {name}(dodona_a{i}, dodona_a{i} + dodona_n{i}); ")
                        }
                        _ => format!(
                            "{c} *{name} = dodona_a{i}; size_t {name}_length = dodona_n{i}; (void){name}_length; "
                        ),
                    };
                }
                _ => parameters.push(format!("{c} *{name}")),
            }
        }
        variables += &self.variables().iter().map(|variable| self.declared(variable)).collect::<String>();
        let returned = self.returned();
        let (linkage, guard) = if self.is_cxx { ("extern \"C\" ", "DODONA_TRY ") } else { ("", "") };
        let parameters = match parameters.as_slice() {
            [] => "void".to_owned(),
            some => some.join(", "),
        };
        format!("{linkage}{returned} {}({parameters}) {guard}{{ {variables}\n", self.function.export)
    }

    /// What the export returns to C.
    fn returned(&self) -> &'static str {
        match self.function.result {
            ResultLowering::Value(scalar) => c_type(scalar),
            _ => "void",
        }
    }

    /// The variable of a text. It has an end in C, whether one crosses or not.
    fn text(&self, i: usize, name: &str, ends: bool, is_in_out: bool) -> String {
        let length = if ends { format!("strlen(dodona_a{i})") } else { format!("dodona_n{i}") };
        match (self.is_cxx && !is_in_out, ends || is_in_out) {
            (true, _) => format!("std::string {name}(dodona_a{i}, {length}); "),
            (false, true) => {
                format!("char *{name} = dodona_a{i}; size_t {name}_length = {length}; (void){name}_length; ")
            }
            (false, false) => format!(
                "size_t {name}_length = {length}; (void){name}_length; \
                 char *dodona_t{i} __attribute__((cleanup(dodona_freed))) = dodona_text(dodona_a{i}, {name}_length); char *{name} = dodona_t{i}; "
            ),
        }
    }

    fn declared(&self, variable: &Variable<'_>) -> String {
        let Variable { name, ty, is_optional, .. } = variable;
        match (ty, self.is_cxx) {
            (Type::Scalar(scalar), _) => format!("{} {name} = 0; ", c_type(*scalar)),
            (_, true) => {
                let ty = match ty.scalar() {
                    Some(scalar) => format!("std::vector<{}>", c_type(scalar)),
                    None => "std::string".to_owned(),
                };
                if *is_optional { format!("std::optional<{ty}> {name}; ") } else { format!("{ty} {name}; ") }
            }
            (Type::Text, false) => format!("const char *{name} = NULL; size_t {name}_length = (size_t)-1; "),
            (_, false) => {
                let ty = ty.scalar().map_or("char", c_type);
                format!("{ty} *{name} = NULL; size_t {name}_length = 0; ")
            }
        }
    }

    /// What stands around the code of the call: nothing around statements; of an expression, what it gives is the output.
    fn around(&self, call: &str) -> (String, &'static str) {
        if is_statements(call) {
            return (String::new(), "");
        }
        match self.variables().as_slice() {
            [Variable { ty: Type::Sequence(_), name, .. }] if !self.is_cxx => {
                // Nobody would say how long it is.
                let words = format!("a sequence needs statements that set {name} and {name}_length");
                (format!("_Static_assert(0, \"{words}\"); (void)("), ");\n")
            }
            [one] => (format!("{} = (", one.name), ");\n"),
            _ => ("(void)(".to_owned(), ");\n"),
        }
    }

    /// The end of the export: what the outputs are is written where it is wanted.
    fn after(&self) -> String {
        let variables = self.variables();
        let stores: String = match &self.function.result {
            ResultLowering::Value(_) => "return out; ".to_owned(),
            ResultLowering::ReturnPointer(_) => variables.iter().map(|one| self.stored(one, 0)).collect(),
            ResultLowering::Record(outputs) => {
                let slot = |wanted: &str| {
                    outputs.iter().position(|output| match &output.name {
                        OutputName::Return => wanted.is_empty(),
                        OutputName::Part(path) => path == wanted,
                        _ => false,
                    })
                };
                let stored = variables.iter().filter_map(|variable| {
                    let store = self.stored(variable, slot(variable.path)?);
                    if !variable.is_optional {
                        return Some(store);
                    }
                    let path = match variable.path {
                        "" => "is_some".to_owned(),
                        path => format!("{path}.is_some"),
                    };
                    Some(format!(
                        "if ({}) {{ dodona_slots[{}].word = 1; {store}}} ",
                        variable.name,
                        slot(&path)?
                    ))
                });
                format!(
                    "memset(dodona_slots, 0, {} * sizeof *dodona_slots); {}",
                    outputs.len(),
                    stored.collect::<String>()
                )
            }
            _ => String::new(),
        };
        let caught = if self.is_cxx { format!(" DODONA_CATCH({})", self.returned()) } else { String::new() };
        format!("{stores}}}{caught}\n")
    }

    fn stored(&self, variable: &Variable<'_>, slot: usize) -> String {
        let Variable { name, ty, is_optional, .. } = variable;
        match (ty, self.is_cxx) {
            // A whole number fills its slot, as wide as its sign goes.
            (Type::Scalar(scalar), _) => {
                let wide = match scalar {
                    Scalar::F32 => "float",
                    Scalar::F64 => "double",
                    Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => "int64_t",
                    _ => "uint64_t",
                };
                format!(
                    "{{ {wide} dodona_wide = {name}; memcpy(&dodona_slots[{slot}], &dodona_wide, sizeof dodona_wide); }} "
                )
            }
            (_, true) => {
                let star = if *is_optional { "*" } else { "" };
                format!("dodona_slots[{slot}] = dodona_kept({star}{name}); ")
            }
            (Type::Text, false) => {
                format!(
                    "dodona_slots[{slot}] = dodona_items({name}, dodona_length({name}, {name}_length), 1); "
                )
            }
            (_, false) => {
                format!("dodona_slots[{slot}] = dodona_items({name}, {name}_length, sizeof *{name}); ")
            }
        }
    }

    /// The variables of the outputs, in their order.
    fn variables(&self) -> Vec<Variable<'_>> {
        call_code::variables(self.result, "out")
    }
}

/// A scalar as C has it.
fn c_type(scalar: Scalar) -> &'static str {
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
