//! `[build] assemblyscript`: a module of AssemblyScript, whose functions are called through generated code where their values are objects.

use std::path::Path;

use super::functions::Entry;
use super::section::{Item, Section};
use super::written::Written;
use super::{AssemblyScriptSource, calls};
use crate::function::usual_arguments;
use crate::{Function, Lowering, Passing, ResultLowering};
use dodona_target::{Diagnostic, Type};

/// What the keys of AssemblyScript say; `flags` are those of the manifest.
pub(super) fn source(
    build: &Section<'_>,
    item: Item<'_>,
    folder: &Path,
    entries: &[Entry<'_>],
    flags: Vec<String>,
) -> Option<AssemblyScriptSource> {
    let file = folder.join(item.text()?);
    let prelude = build.text("prelude").map(|(code, _)| code).unwrap_or_default();
    let calls = entries.iter().map(|entry| calls::call(entry, build, "AssemblyScript")).collect();
    entries.iter().for_each(|entry| refuse_lowerings(entry, build));
    let types = entries.iter().map(|entry| entry.types.clone()).collect();
    let exports = entries.iter().map(|entry| entry.function.export.clone()).collect();
    Some(AssemblyScriptSource { file, flags, prelude, calls, exports, types })
}

/// Refuses how values cannot cross: they are made and read by generated code, which has one way for each.
fn refuse_lowerings(entry: &Entry<'_>, build: &Section<'_>) {
    let function = &entry.function;
    let name = &function.name;
    let refuse = |message: String, hint: &str| {
        build.problems.add(Diagnostic::new(entry.span.clone(), message).hint(hint));
    };
    if function.is_command() {
        let hint = "build the command yourself, and name its module with module = \"NAME.wasm\"";
        return refuse(format!("`{name}` is a command, and `assemblyscript` builds functions"), hint);
    }
    for (parameter, lowering) in function.lowered() {
        match lowering {
            Lowering::NulTerminated(_) => refuse(
                format!(
                    "`{}` of `{name}` cannot end with NUL: it becomes an object of AssemblyScript",
                    parameter.name
                ),
                "remove `lower`; only an array that the function changes needs one, lower.xs = \"in-out\"",
            ),
            Lowering::PointerLength(Passing::InOut) if parameter.ty == Type::Text => refuse(
                format!(
                    "`{}` of `{name}` cannot be an output: a string of AssemblyScript never changes",
                    parameter.name
                ),
                "remove `lower`",
            ),
            _ => {}
        }
    }
    if entry.call.is_none() {
        refuse_result(function, entry.types.get(function.parameters.len()), &refuse);
    }
}

/// Refuses what a function that is called by its name alone cannot give.
fn refuse_result(function: &Function, result: Option<&Written>, refuse: &dyn Fn(String, &str)) {
    let name = &function.name;
    let is_usual = function.arguments == usual_arguments(&function.lowerings, &function.result);
    if !is_usual
        || matches!(function.result, ResultLowering::OutBuffer { .. } | ResultLowering::NulTerminated(_))
    {
        refuse(
            format!(
                "`result` and `arguments` say nothing of `{name}`, whose values become objects of AssemblyScript"
            ),
            "remove them; arguments in another order stand in a call = \"f(y, x)\"",
        );
    }
    let several = match result {
        Some(Written::Named(_)) => true,
        Some(result) => calls::unsupported(result).is_some(),
        None => false,
    };
    if let Some(result) = result.filter(|_| several) {
        refuse(
            format!("a function of AssemblyScript gives one value, and `{name}` gives {result} here"),
            "beside the signature write a `call` whose statements set the outputs, as in call = \"value = f(x); error = 0;\"",
        );
    }
}
