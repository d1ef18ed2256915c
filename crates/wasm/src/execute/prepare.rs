//! Checks at load: what the manifest declares against what the module has.

use dodona_subject::{Argument, ExportKind, Function, Limits, Lowering, Module, ResultLowering, WasmType};
use dodona_target::{Type, nearest};
use wasmparser::FuncType;

use crate::execute::LoadError;
use crate::execute::host::MemoryLimitReached;
use crate::execute::instrument::{Passed, Target, first_pointer, names};
use crate::execute::isolation::{Isolation, pointed_at};
use crate::execute::limits::PAGE;

/// Refuses 64-bit memories, because compilers make them only on demand and instrumentation writes 32-bit addresses, and memories that
/// begin beyond the limit.
pub(crate) fn check_memories(module: &Module, limits: &Limits) -> Result<(), LoadError> {
    if module.memories().iter().any(|memory| memory.memory64) {
        return Err(LoadError::Compile { message: "it has a 64-bit memory".to_owned() });
    }
    let largest = module.memories().iter().map(|memory| memory.initial.saturating_mul(PAGE)).max();
    match largest.and_then(|bytes| MemoryLimitReached::by(bytes, limits.memory)) {
        Some(reached) => Err(LoadError::Instantiate { message: reached.to_string() }),
        None => Ok(()),
    }
}

/// Refuses exports that are named like those that instrumentation adds.
pub(crate) fn check_exports(module: &Module) -> Result<(), LoadError> {
    match module.exports().iter().find(|export| export.name.starts_with(names::PREFIX)) {
        Some(export) => {
            let message = format!("its export `{}` has a name that Dodona uses itself", export.name);
            Err(LoadError::Compile { message })
        }
        None => Ok(()),
    }
}

/// The target of a function that is called through a driver; `None` for a command. Without an isolation, nothing is known of the stack.
pub(crate) fn target(
    module: &Module,
    function: &Function,
    isolation: Option<&Isolation>,
    pointers: &[u32],
) -> Result<Option<Target>, LoadError> {
    if function.is_command() {
        return check_command(module, function).map(|()| None);
    }
    let index = module.export_function(&function.export).ok_or_else(|| missing(module, &function.export))?;
    let found = module.function_type(index).ok_or_else(|| missing(module, &function.export))?;
    check_lowerings(function)?;
    check_type(function, found)?;
    let in_memory = uses_memory(function);
    if let Some(ty) = in_memory {
        check_memory(module, function, ty)?;
    }
    let mut arguments = Vec::new();
    for (argument, ty) in function.arguments.iter().zip(found.params()) {
        let ty = WasmType::of(*ty).unwrap_or(WasmType::I32);
        arguments.push(passed(module, argument, ty, pointers)?);
    }
    let zeroes_stack = matches!(isolation, Some(Isolation::Reused(reused)) if reused.stores);
    let results = wanted_results(function);
    Ok(Some(Target { index, arguments, results, in_memory: in_memory.is_some(), zeroes_stack }))
}

fn exported_functions(module: &Module) -> Vec<String> {
    let functions = module.exports().iter().filter(|e| matches!(e.kind, ExportKind::Function(_)));
    functions.map(|e| e.name.clone()).collect()
}

fn missing(module: &Module, export: &str) -> LoadError {
    let exported = exported_functions(module);
    let nearest = nearest(export, exported.iter().map(String::as_str)).map(str::to_owned);
    LoadError::MissingExport { export: export.to_owned(), nearest, exported }
}

fn check_command(module: &Module, function: &Function) -> Result<(), LoadError> {
    let exported = || exported_functions(module);
    let Some(index) = module.export_function(&function.export) else {
        return Err(LoadError::NotACommand { function: function.name.clone(), exported: exported() });
    };
    let found = module.function_type(index);
    if found.is_some_and(|t| t.params().is_empty() && t.results().is_empty()) {
        return Ok(());
    }
    Err(LoadError::WrongType {
        declared: format!("{}() as a command", function.export),
        found: found.map_or_else(String::new, |t| found_type(&function.export, t)),
        advice: CORRECT.to_owned(),
    })
}

fn check_lowerings(function: &Function) -> Result<(), LoadError> {
    let refuse = |problem| Err(LoadError::Lowering { function: function.name.clone(), problem });
    for (parameter, lowering) in function.lowered() {
        let scalar = matches!(parameter.ty, Type::Scalar(_));
        let fits = match lowering {
            Lowering::Value => scalar,
            Lowering::PointerLength(_) | Lowering::NulTerminated(_) => !scalar,
            Lowering::Stdin | Lowering::Word | Lowering::File(_) => false,
        };
        if !fits {
            return refuse(format!("parameter `{}: {}` cannot be lowered so", parameter.name, parameter.ty));
        }
    }
    for argument in &function.arguments {
        let (index, scalar) = match argument {
            Argument::Value(index) => (*index, true),
            Argument::Pointer(index) | Argument::Length(index) => (*index, false),
            _ => continue,
        };
        let parameter = function.parameters.get(index);
        if parameter.is_none_or(|p| matches!(p.ty, Type::Scalar(_)) != scalar) {
            return refuse(format!("argument {argument:?} names no parameter that is passed so"));
        }
    }
    match &function.result {
        ResultLowering::ReturnPointer(Type::Scalar(_))
        | ResultLowering::NulTerminated(Type::Scalar(_))
        | ResultLowering::OutBuffer { ty: Type::Scalar(_), .. } => {
            refuse("a scalar result can only be returned by value".into())
        }
        _ => Ok(()),
    }
}

/// The type that needs linear memory, if one does.
fn uses_memory(function: &Function) -> Option<Type> {
    let parameter = function.lowered().find(|(_, lowering)| **lowering != Lowering::Value).map(|(p, _)| p.ty);
    parameter.or(match &function.result {
        ResultLowering::ReturnPointer(ty)
        | ResultLowering::NulTerminated(ty)
        | ResultLowering::OutBuffer { ty, .. } => Some(*ty),
        ResultLowering::Record(outputs) => outputs.first().map(|output| output.ty),
        _ => None,
    })
}

fn check_memory(module: &Module, function: &Function, ty: Type) -> Result<(), LoadError> {
    if module.memories().is_empty() {
        return Err(LoadError::NoMemory { function: function.name.clone(), ty });
    }
    Ok(())
}

fn passed(module: &Module, argument: &Argument, ty: WasmType, pointers: &[u32]) -> Result<Passed, LoadError> {
    Ok(match argument {
        Argument::Constant(value) => Passed::Constant(ty, *value),
        Argument::FunctionPointer(export) => {
            let index = module.export_function(export).ok_or_else(|| missing(module, export))?;
            let place = pointers.iter().position(|p| *p == index).unwrap_or(0) as u32;
            Passed::Constant(ty, (first_pointer(module) + place).into())
        }
        slot => Passed::Slot(ty, slot.clone()),
    })
}

/// The functions that must be in the table, in the order in which they are put there.
pub(crate) fn pointers(module: &Module, functions: &[Function]) -> Vec<u32> {
    pointed_at(module, functions)
}

/// The WebAssembly type of an argument; `None` where either integer type will do.
fn expected(function: &Function, argument: &Argument) -> Option<WasmType> {
    match argument {
        Argument::Value(index) => {
            let scalar = function.parameters.get(*index).and_then(|p| p.ty.scalar());
            scalar.map(WasmType::carrying)
        }
        Argument::Constant(_) => None,
        _ => Some(WasmType::I32),
    }
}

fn wanted_results(function: &Function) -> Vec<WasmType> {
    match &function.result {
        ResultLowering::Value(scalar) => vec![WasmType::carrying(*scalar)],
        ResultLowering::MultiValue(outputs) => {
            outputs.iter().filter_map(|output| output.ty.scalar()).map(WasmType::carrying).collect()
        }
        ResultLowering::OutBuffer { .. } | ResultLowering::NulTerminated(_) => vec![WasmType::I32],
        ResultLowering::None
        | ResultLowering::ReturnPointer(_)
        | ResultLowering::Record(_)
        | ResultLowering::Command => Vec::new(),
    }
}

fn check_type(function: &Function, found: &FuncType) -> Result<(), LoadError> {
    let wanted: Vec<_> = function.arguments.iter().map(|a| expected(function, a)).collect();
    let same_parameters = wanted.len() == found.params().len()
        && wanted.iter().zip(found.params()).all(|(wanted, found)| match (wanted, WasmType::of(*found)) {
            (Some(wanted), Some(found)) => *wanted == found,
            (None, Some(found)) => matches!(found, WasmType::I32 | WasmType::I64),
            (_, None) => false,
        });
    // A result that nobody declared is dropped, as a caller in C would.
    let returned = wanted_results(function);
    let found_results: Option<Vec<WasmType>> = found.results().iter().map(|ty| WasmType::of(*ty)).collect();
    let same_results = returned.is_empty() || found_results.as_ref() == Some(&returned);
    if same_parameters && same_results {
        return Ok(());
    }
    let parameters: Vec<String> =
        wanted.iter().map(|w| w.map_or_else(|| "i32".to_owned(), |w| w.to_string())).collect();
    let returned: Vec<String> = returned.iter().map(WasmType::to_string).collect();
    let result = if returned.is_empty() { String::new() } else { format!(" -> {}", returned.join(", ")) };
    Err(LoadError::WrongType {
        declared: format!("{}({}){result}", function.name, parameters.join(", ")),
        found: found_type(&function.export, found),
        advice: advice(function, found),
    })
}

/// What to do about a type that is not the one declared, where nothing more is known.
const CORRECT: &str = "correct the signature, the lowerings or `arguments`";

/// What to do about a type that is not the one declared.
fn advice(function: &Function, found: &FuncType) -> String {
    let several = found.results().len() > 1 && !matches!(function.result, ResultLowering::MultiValue(_));
    if several {
        let parts = (0..found.results().len()).map(|i| match WasmType::of(found.results()[i]) {
            Some(ty) => format!("r{i}: {ty}"),
            None => format!("r{i}: …"),
        });
        let parts = parts.collect::<Vec<_>>().join(", ");
        return format!(
            "of a function that returns several values write -> ({parts}) and result = \"multi-value\""
        );
    }
    let has_length = |argument: &Argument| match argument {
        Argument::Length(parameter) => function.parameters.get(*parameter),
        _ => None,
    };
    let with_length: Vec<_> = function.arguments.iter().filter_map(has_length).collect();
    let more = function.arguments.len().saturating_sub(found.params().len());
    if more > 0
        && let Some(parameter) = with_length.first().filter(|_| more <= with_length.len())
    {
        return format!(
            "`{name}` is passed as its address and its length: of data that a zero ends write lower.{name} = \"nul-terminated\", of other lists of arguments \
             `arguments`",
            name = parameter.name
        );
    }
    CORRECT.to_owned()
}

fn found_type(export: &str, ty: &FuncType) -> String {
    let join =
        |types: &[wasmparser::ValType]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let results = match ty.results() {
        [] => String::new(),
        results => format!(" -> {}", join(results)),
    };
    format!("{export}: ({}){results}", join(ty.params()))
}
