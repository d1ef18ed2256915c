//! `lower.x = …`, `result = …` and `arguments = […]`: how values cross into WebAssembly and back.

use super::domains::choose;
use super::section::{Item, Section};
use super::signature::{SignatureResult, WrittenSignature};
use super::written::Written;
use crate::function::usual_arguments;
use crate::{Argument, Lowering, Passing, ResultLowering};
use dodona_target::{Diagnostic, Output, OutputName, Parameter, Scalar, Type};

/// The lowering of a parameter that the manifest says nothing of.
pub(super) fn default(ty: Type, command: bool) -> Lowering {
    match (command, ty) {
        (true, Type::Text) => Lowering::Stdin,
        (true, _) => Lowering::Word,
        (false, Type::Scalar(_)) => Lowering::Value,
        (false, _) => Lowering::PointerLength(Passing::In),
    }
}

pub(super) fn parameter(item: Item<'_>, ty: Type, command: bool) -> Option<Lowering> {
    let text = item.text()?;
    let lowering = match (command, ty, text.as_str()) {
        (false, Type::Scalar(_), "value") => Lowering::Value,
        (false, Type::Text | Type::Sequence(_), "pointer-length") => Lowering::PointerLength(Passing::In),
        (false, Type::Text | Type::Sequence(_), "in-out") => Lowering::PointerLength(Passing::InOut),
        (false, Type::Text | Type::Sequence(_), "nul-terminated") => Lowering::NulTerminated(Passing::In),
        (false, Type::Text | Type::Sequence(_), "nul-terminated in-out") => {
            Lowering::NulTerminated(Passing::InOut)
        }
        (true, Type::Text, "stdin") => Lowering::Stdin,
        (true, Type::Text | Type::Scalar(_), "word") => Lowering::Word,
        (true, Type::Text, file) if file.strip_prefix("file:").is_some_and(is_file_name) => {
            Lowering::File(file.trim_start_matches("file:").to_owned())
        }
        _ => {
            let known = match (command, ty) {
                (true, Type::Text) => "\"stdin\", \"word\" or \"file:NAME\"",
                (true, _) => "\"word\"",
                (false, Type::Scalar(_)) => "\"value\"",
                (false, _) => {
                    "\"pointer-length\", \"in-out\", \"nul-terminated\" or \"nul-terminated in-out\""
                }
            };
            let problem = Diagnostic::new(item.span(), format!("`{text}` is no lowering of {ty} here"));
            item.problem(problem.hint(format!("write {known}")));
            return None;
        }
    };
    Some(lowering)
}

fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != ".."
}

#[derive(Clone, Copy, PartialEq)]
enum ResultForm {
    Value,
    ReturnPointer,
    OutBuffer,
    NulTerminated,
    MultiValue,
}

const RESULT_FORMS: [ResultForm; 5] = [
    ResultForm::Value,
    ResultForm::ReturnPointer,
    ResultForm::OutBuffer,
    ResultForm::NulTerminated,
    ResultForm::MultiValue,
];

/// The form of several numbers that a function of WebAssembly returns.
const MULTI_VALUE: &str = "multi-value";

fn form_name(form: ResultForm) -> &'static str {
    match form {
        ResultForm::Value => "value",
        ResultForm::ReturnPointer => "return-pointer",
        ResultForm::OutBuffer => "out-buffer",
        ResultForm::NulTerminated => "nul-terminated",
        ResultForm::MultiValue => MULTI_VALUE,
    }
}

/// How the result comes back.
pub(super) fn result(section: &Section<'_>, signature: &WrittenSignature) -> ResultLowering {
    let capacity = section.get("capacity");
    let lowering = lowered_result(section, signature);
    match (lowering, capacity) {
        (ResultLowering::OutBuffer { ty, capacity: usual }, Some(item)) => {
            let capacity = item.integer::<u32>("a number of elements", 0..=u32::MAX.into()).unwrap_or(usual);
            ResultLowering::OutBuffer { ty, capacity }
        }
        (lowering, Some(item)) if is_form(section.get("result")) => {
            item.problem(no_capacity(&item, &signature.result));
            lowering
        }
        (lowering, _) => lowering,
    }
}

/// Whether `result` is a lowering, or left out. One that is misspelt has its problem, and says nothing of the capacity.
fn is_form(item: Option<Item<'_>>) -> bool {
    let known = |text: &str| RESULT_FORMS.iter().any(|form| form_name(*form) == text);
    item.is_none_or(|item| item.as_str().is_some_and(known))
}

/// Elements of an out-buffer whose capacity the manifest does not say.
const USUAL_CAPACITY: u32 = 4096;

fn no_capacity(item: &Item<'_>, result: &SignatureResult) -> Diagnostic {
    let hint = match result {
        SignatureResult::Value(Type::Scalar(scalar)) => {
            format!("remove it: it is the size of an out-buffer, and {scalar} is returned by \"value\"")
        }
        SignatureResult::Value(_) => {
            "it is the size of an out-buffer: write result = \"out-buffer\" beside it, or remove it"
                .to_owned()
        }
        SignatureResult::Parts(parts) => {
            format!("remove it: it is the size of an out-buffer, and {parts} is returned by its parts")
        }
        SignatureResult::Nothing | SignatureResult::Command | SignatureResult::Http => {
            "remove it: it is the size of an out-buffer, and nothing is returned".to_owned()
        }
    };
    Diagnostic::new(item.span(), "`capacity` has no effect on this result").hint(hint)
}

/// What relations see of the answer of a web service: `f(x).status` and `f(x).body`.
fn outputs_of_answer() -> Vec<Output> {
    let output = |name: &str, ty| Output::new(OutputName::Part(name.to_owned()), ty);
    vec![output("status", Type::Scalar(Scalar::I32)), output("body", Type::Text)]
}

/// How several parts come back: through a pointer, or as several values of WebAssembly.
fn parts_result(item: Option<Item<'_>>, parts: &Written) -> ResultLowering {
    let outputs = parts.shape().outputs();
    let Some(item) = item else { return ResultLowering::Record(outputs) };
    if item.as_str() != Some(MULTI_VALUE) {
        let problem = Diagnostic::new(item.span(), format!("{parts} is returned by its parts; remove this"));
        item.problem(problem.hint(format!(
            "a function of WebAssembly that returns several values has result = \"{MULTI_VALUE}\""
        )));
        return ResultLowering::Record(outputs);
    }
    let is_number = |output: &Output| output.given.is_none() && matches!(output.ty, Type::Scalar(_));
    if let Some(other) = outputs.iter().find(|output| !is_number(output)) {
        let what = match other.given {
            Some(_) => "one that may be missing".to_owned(),
            None => format!("a {}", other.ty),
        };
        let problem = Diagnostic::new(item.span(), format!("{what} is no value of WebAssembly"));
        item.problem(
            problem.hint(format!("the parts of {parts} have to be numbers or bool, or remove this")),
        );
    }
    ResultLowering::MultiValue(outputs)
}

fn lowered_result(section: &Section<'_>, signature: &WrittenSignature) -> ResultLowering {
    let item = section.get("result");
    let ty = match &signature.result {
        SignatureResult::Value(ty) => *ty,
        SignatureResult::Parts(parts) => return parts_result(item, parts),
        other => {
            if let Some(item) = item {
                item.problem(Diagnostic::new(
                    item.span(),
                    "this function returns nothing that could be lowered",
                ));
            }
            return match other {
                SignatureResult::Command => ResultLowering::Command,
                SignatureResult::Http => ResultLowering::Record(outputs_of_answer()),
                _ => ResultLowering::None,
            };
        }
    };
    let form =
        item.and_then(|i| choose(&i, &RESULT_FORMS, form_name, "a lowering of results").map(|f| (f, i)));
    let scalar = |s, form: Option<(ResultForm, Item<'_>)>| {
        if let Some((form, item)) = form
            && form != ResultForm::Value
        {
            item.problem(Diagnostic::new(item.span(), format!("a {ty} is returned by \"value\"")));
        }
        ResultLowering::Value(s)
    };
    match (ty, form) {
        (Type::Scalar(s), form) => scalar(s, form),
        (_, None | Some((ResultForm::ReturnPointer, _))) => ResultLowering::ReturnPointer(ty),
        (_, Some((ResultForm::OutBuffer, _))) => ResultLowering::OutBuffer { ty, capacity: USUAL_CAPACITY },
        (_, Some((ResultForm::NulTerminated, _))) => ResultLowering::NulTerminated(ty),
        (_, Some((ResultForm::Value | ResultForm::MultiValue, item))) => {
            let problem = Diagnostic::new(item.span(), format!("{ty} does not fit a WebAssembly value"));
            item.problem(problem.hint("write \"return-pointer\", \"out-buffer\" or \"nul-terminated\""));
            ResultLowering::ReturnPointer(ty)
        }
    }
}

pub(super) fn arguments(
    section: &Section<'_>,
    parameters: &[Parameter],
    lowerings: &[Lowering],
    result: &ResultLowering,
) -> Vec<Argument> {
    let given = section.get("arguments");
    if *result == ResultLowering::Command {
        if let Some(item) = given {
            item.problem(Diagnostic::new(item.span(), "a command has no WebAssembly arguments"));
        }
        return Vec::new();
    }
    match given.and_then(|item| item.list()) {
        Some(items) => items.iter().filter_map(|item| argument(item, parameters, result)).collect(),
        None => usual_arguments(lowerings, result),
    }
}

fn argument(item: &Item<'_>, parameters: &[Parameter], result: &ResultLowering) -> Option<Argument> {
    let Some(text) = item.as_str() else {
        return item
            .integer::<i64>("the name of an argument or an integer", i64::MIN.into()..=i64::MAX.into())
            .map(Argument::Constant);
    };
    if let Some(export) = text.strip_prefix('&') {
        return Some(Argument::FunctionPointer(export.to_owned()));
    }
    let returns = matches!(result, ResultLowering::ReturnPointer(_) | ResultLowering::Record(_));
    let out = matches!(result, ResultLowering::OutBuffer { .. });
    match text {
        "return.pointer" if returns => return Some(Argument::ReturnPointer),
        "out.pointer" if out => return Some(Argument::OutPointer),
        "out.capacity" if out => return Some(Argument::OutCapacity),
        _ => {}
    }
    let (name, part) = text.split_once('.').map_or((text, ""), |(n, p)| (n, p));
    let found = parameters.iter().position(|p| p.name == name);
    let scalar = found.is_some_and(|i| matches!(parameters[i].ty, Type::Scalar(_)));
    match (found, part) {
        (Some(i), "") if scalar => Some(Argument::Value(i)),
        (Some(i), "pointer") if !scalar => Some(Argument::Pointer(i)),
        (Some(i), "length") if !scalar => Some(Argument::Length(i)),
        _ => {
            let problem = Diagnostic::new(item.span(), format!("`{text}` is no argument of this function"));
            let hint = "write a scalar's name, `xs.pointer`, `xs.length`, `return.pointer`, `out.pointer`, \
                        `out.capacity`, `&export`, or an integer";
            item.problem(problem.hint(hint));
            None
        }
    }
}
