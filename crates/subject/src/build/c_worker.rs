//! The worker that calls functions of C and C++ on the host. It is the program of crates (`glue/worker_main.rs`) around calls of functions that the linker finds.

use super::glue::worker;
use super::{BuildError, PANIC_HOOK, Sanitizer, answer_order};
use crate::{Argument, CSource, Function, Lowering, Manifest, ResultLowering};
use dodona_target::{OutputName, Scalar, Type};

/// What stands before the functions: what calls need that crates do not.
const CALLS: &str = include_str!("c_worker/calls.rs");

/// What a process may have besides the memory of a call, in MiB: its own code and stacks, and what a sanitizer keeps of the memory that was freed.
const OWN_MEMORY: u64 = 1024;

/// The code of the worker.
///
/// # Errors
/// When a function crosses in a way that is for WebAssembly alone.
pub(super) fn code(
    manifest: &Manifest,
    source: &CSource,
    is_cxx: bool,
    sanitizers: &[Sanitizer],
) -> Result<String, BuildError> {
    let mut code = String::new();
    let mut names = Vec::new();
    let mut declared = String::new();
    for (index, called) in called(manifest, source).enumerate() {
        declared += &called.declaration(index, is_cxx);
        code += &called.code(index)?;
        names.push(format!("dodona_call_{index}"));
    }
    let hook = if is_cxx {
        format!("#[link_name = \"{PANIC_HOOK}\"] fn dodona_hook() -> *mut usize; ")
    } else {
        String::new()
    };
    let thrown = if is_cxx { "unsafe { dodona_rethrown(dodona_hook()) }" } else { "" };
    let options =
        worker::Options { has_places: false, is_address_sanitized: sanitizers.contains(&Sanitizer::Address) };
    Ok(format!(
        "extern \"C\" {{\n{hook}{declared}}}\nfn dodona_thrown() {{ {thrown} }}\n{code}{}{CALLS}{}\n{}",
        worker::table(&names),
        worker::main(options),
        end(manifest.limits.memory, sanitizers)
    ))
}

/// The functions with how each is called.
fn called<'a>(manifest: &'a Manifest, source: &'a CSource) -> impl Iterator<Item = Called<'a>> {
    let functions = manifest.functions.iter().zip(&source.calls);
    functions.map(|(function, call)| Called { function, is_glue: call.is_some() })
}

/// Code of C++ around the functions that are called as they are: what one of them throws must not reach code of another language. The declarations have names of
/// their own, because headers may declare the functions with other types.
pub(super) fn guards(manifest: &Manifest, source: &CSource) -> String {
    let plain = called(manifest, source).enumerate().filter(|(_, called)| !called.is_glue);
    plain.map(|(index, called)| called.guard(index)).collect()
}

/// The beginning of the program, and what sanitizers ask it before that.
fn end(memory: u64, sanitizers: &[Sanitizer]) -> String {
    let most = (memory >> 20).saturating_add(OWN_MEMORY);
    let common = "abort_on_error=1:handle_abort=0:allocator_may_return_null=1:detect_leaks=0";
    let address = format!("{common}:hard_rss_limit_mb={most}:max_allocation_size_mb={most}");
    let options = |name: &str, text: &str| {
        format!(
            "#[no_mangle] pub extern \"C\" fn {name}() -> *const std::ffi::c_char {{ c\"{text}\".as_ptr() }}\n"
        )
    };
    let asked = match sanitizers.is_empty() {
        true => String::new(),
        false => {
            let begun =
                "#[no_mangle] pub extern \"C\" fn __asan_on_error() { dodona_worker::end_unless_told() }\n";
            options("__asan_default_options", &address) + &options("__ubsan_default_options", common) + begun
        }
    };
    format!(
        "{asked}#[no_mangle] pub extern \"C\" fn main() -> i32 {{ dodona_worker::run(DODONA_CALLS); 0 }}\n"
    )
}

/// A function that is called.
struct Called<'a> {
    function: &'a Function,
    /// Whether it is generated code, which copies what it gives.
    is_glue: bool,
}

impl Called<'_> {
    /// What the linker is to find. Numbers are passed with all bits of a register, so that a `long` of the host gets what an `int` has.
    fn declaration(&self, index: usize, is_cxx: bool) -> String {
        let parameters: Vec<String> =
            self.arguments().map(|(_, argument)| format!("_: {}", self.c_type(argument))).collect();
        let export = match is_cxx && !self.is_glue {
            true => format!("dodona_guarded_{index}"),
            false => self.function.export.clone(),
        };
        let mut code = format!(
            "#[link_name = \"{export}\"] fn dodona_c_{index}({}){};\n",
            parameters.join(", "),
            self.returned().map(|ty| format!(" -> {ty}")).unwrap_or_default()
        );
        for (place, argument) in self.function.arguments.iter().enumerate() {
            if let Argument::FunctionPointer(export) = argument {
                code += &format!("#[link_name = \"{export}\"] fn dodona_c_{index}_{place}();\n");
            }
        }
        code
    }

    /// The function of C++ that calls this one, and keeps what it throws.
    fn guard(&self, index: usize) -> String {
        let returned = self.returned().map_or("void", in_cxx);
        let types: Vec<&str> = self.arguments().map(|(_, argument)| in_cxx(self.c_type(argument))).collect();
        let names: Vec<String> = (0..types.len()).map(|i| format!("a{i}")).collect();
        let parameters: Vec<String> =
            types.iter().zip(&names).map(|(ty, name)| format!("{ty} {name}")).collect();
        format!(
            "extern \"C\" {returned} dodona_unguarded_{index}({}) __asm__(DODONA_SYMBOL(\"{}\"));\n\
             extern \"C\" {returned} dodona_guarded_{index}({}) DODONA_TRY {{ return dodona_unguarded_{index}({}); }} DODONA_CATCH({returned})\n",
            types.join(", "),
            self.function.export,
            parameters.join(", "),
            names.join(", ")
        )
    }

    /// The arguments with their places. A struct of a pointer and a length that a function returns by value is what the machine makes of that, and no argument.
    fn arguments(&self) -> impl Iterator<Item = (usize, &Argument)> {
        let arguments = self.function.arguments.iter().enumerate();
        arguments.filter(|(_, argument)| self.is_glue || **argument != Argument::ReturnPointer)
    }

    fn c_type(&self, argument: &Argument) -> &'static str {
        match argument {
            Argument::Value(index) => match self.function.parameters[*index].ty {
                Type::Scalar(Scalar::F32) => "f32",
                Type::Scalar(Scalar::F64) => "f64",
                _ => "i64",
            },
            Argument::Length(_) | Argument::OutCapacity => "usize",
            Argument::Constant(_) => "i64",
            _ => "*const u8",
        }
    }

    fn returned(&self) -> Option<&'static str> {
        match &self.function.result {
            ResultLowering::Value(Scalar::Bool) => Some("u8"),
            ResultLowering::Value(scalar) => Some(scalar.name()),
            ResultLowering::OutBuffer { .. } => Some("i32"),
            ResultLowering::NulTerminated(_) => Some("*const u8"),
            ResultLowering::ReturnPointer(_) if !self.is_glue => Some("DodonaPair"),
            _ => None,
        }
    }

    /// A function that takes its arguments out of a row, and adds its outputs to the answer.
    fn code(&self, index: usize) -> Result<String, BuildError> {
        let mut code = String::new();
        for (i, (parameter, lowering)) in self.function.lowered().enumerate() {
            let element = element(parameter.ty);
            code += &match lowering {
                Lowering::Value => format!("let a{i}: {element} = row.take(); "),
                Lowering::PointerLength(_) => format!("let (a{i}, n{i}) = row.take_items::<{element}>(); "),
                Lowering::NulTerminated(_) => format!("let (a{i}, n{i}) = row.take_ended::<{element}>(); "),
                Lowering::Stdin | Lowering::Word | Lowering::File(_) => {
                    return Err(BuildError::Unsupported(format!(
                        "`{}` is a command, whose main function is called; on this machine it is tested as a program, with [target] command = […]",
                        self.function.name
                    )));
                }
            };
        }
        let before = match &self.function.result {
            ResultLowering::ReturnPointer(_) => "let mut slots = [[0usize; 2]; 1]; ".to_owned(),
            ResultLowering::Record(outputs) => format!("let mut slots = [[0usize; 2]; {}]; ", outputs.len()),
            ResultLowering::OutBuffer { ty, capacity } => {
                format!("let mut buffer = vec![{}::default(); {capacity}]; ", element(*ty))
            }
            _ => String::new(),
        };
        let arguments: Vec<String> =
            self.arguments().map(|(place, argument)| self.argument(index, place, argument)).collect();
        let call =
            format!("let value = unsafe {{ dodona_c_{index}({}) }}; dodona_thrown(); ", arguments.join(", "));
        Ok(format!(
            "#[allow(unused_variables, unused_mut, clippy::all)]\nfn dodona_call_{index}(row: &mut dodona_worker::Row) {{ {code}{before}{call}{}{} }}\n",
            self.after(),
            self.left()
        ))
    }

    fn argument(&self, index: usize, place: usize, argument: &Argument) -> String {
        match argument {
            Argument::Value(i) => format!("a{i} as {}", self.c_type(argument)),
            Argument::Pointer(i) => format!("a{i} as *const u8"),
            Argument::Length(i) => format!("n{i}"),
            Argument::ReturnPointer => "slots.as_mut_ptr() as *const u8".to_owned(),
            Argument::OutPointer => "buffer.as_mut_ptr() as *const u8".to_owned(),
            Argument::OutCapacity => "buffer.len()".to_owned(),
            Argument::Constant(constant) => format!("{constant}i64"),
            Argument::FunctionPointer(_) => format!("dodona_c_{index}_{place} as *const u8"),
        }
    }

    /// What is returned, in the order in which it is read: whether there is something comes before it.
    fn after(&self) -> String {
        match &self.function.result {
            ResultLowering::None | ResultLowering::Command | ResultLowering::MultiValue(_) => String::new(),
            ResultLowering::Value(Scalar::Bool) => "row.number(0, value != 0);".to_owned(),
            ResultLowering::Value(_) => "row.number(0, value);".to_owned(),
            ResultLowering::OutBuffer { .. } => "row.filled(buffer, value as i64);".to_owned(),
            ResultLowering::NulTerminated(ty) => format!("row.ended(value as *const {});", element(*ty)),
            ResultLowering::ReturnPointer(ty) if self.is_glue => self.slot(0, *ty),
            ResultLowering::ReturnPointer(ty) => format!("row.seen::<{}>(value.0);", element(*ty)),
            ResultLowering::Record(outputs) => answer_order(outputs)
                .into_iter()
                .map(|place| {
                    let put = self.slot(place, outputs[place].ty);
                    match outputs[place].given {
                        Some(given) => {
                            format!("if (slots[{}][0] as u8 != 0) == {} {{ {put} }} ", given.output, given.is)
                        }
                        None => put,
                    }
                })
                .collect(),
        }
    }

    /// Adds what a slot has.
    fn slot(&self, place: usize, ty: Type) -> String {
        let owned = if self.is_glue { "given" } else { "seen" };
        match ty {
            Type::Scalar(Scalar::F32) => {
                format!("row.number({place}, f32::from_bits(slots[{place}][0] as u32)); ")
            }
            Type::Scalar(Scalar::F64) => {
                format!("row.number({place}, f64::from_bits(slots[{place}][0] as u64)); ")
            }
            Type::Scalar(Scalar::Bool) => format!("row.number({place}, slots[{place}][0] as u8 != 0); "),
            Type::Scalar(scalar) => format!("row.number({place}, slots[{place}][0] as {}); ", scalar.name()),
            _ => format!("row.{owned}::<{}>(slots[{place}]); ", element(ty)),
        }
    }

    /// What is left in parameters.
    fn left(&self) -> String {
        let outputs = &self.function.outputs;
        let parameters = self.function.lowered().enumerate();
        let left = parameters.filter(|(_, (parameter, _))| {
            outputs.iter().any(|output| output.name == OutputName::Parameter(parameter.name.clone()))
        });
        left.map(|(i, (parameter, lowering))| match lowering {
            Lowering::NulTerminated(_) => format!(" row.ended(a{i});"),
            _ => format!(" row.seen::<{}>([a{i} as usize, n{i}]);", element(parameter.ty)),
        })
        .collect()
    }
}

/// The type of C++ of a type of Rust in a call.
fn in_cxx(ty: &'static str) -> &'static str {
    match ty {
        "bool" => "bool",
        "i8" => "signed char",
        "i16" => "short",
        "i32" => "int",
        "i64" => "long long",
        "u8" => "unsigned char",
        "u16" => "unsigned short",
        "u32" => "unsigned int",
        "u64" => "unsigned long long",
        "f32" => "float",
        "f64" => "double",
        "usize" => "size_t",
        "DodonaPair" => "dodona_pair",
        _ => "const void *",
    }
}

/// The type of a number, or of an element in memory.
fn element(ty: Type) -> &'static str {
    match ty.scalar() {
        None => "u8",
        Some(Scalar::Bool) if ty != Type::Scalar(Scalar::Bool) => "bool",
        Some(scalar) => scalar.name(),
    }
}
