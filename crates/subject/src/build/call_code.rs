//! The code of a `call` in C and in AssemblyScript: whether it is statements, and the variables of its outputs.

use crate::Written;
use dodona_target::Type;

/// An output of a call as a variable of its code.
pub(super) struct Variable<'a> {
    pub(super) name: String,
    pub(super) ty: Type,
    /// The path of its output.
    pub(super) path: &'a str,
    /// Whether it may be missing.
    pub(super) is_optional: bool,
}

/// The variables of the outputs of a call with this result, in their order; one that has no name of its own is called `out`, or what stands for that.
pub(super) fn variables<'w>(result: Option<&'w Written>, out: &str) -> Vec<Variable<'w>> {
    match result {
        None => Vec::new(),
        Some(Written::Named(parts)) => {
            parts.iter().filter_map(|(name, part)| variable(name.clone(), name, part)).collect()
        }
        Some(one) => variable(out.to_owned(), "", one).into_iter().collect(),
    }
}

fn variable<'w>(name: String, path: &'w str, ty: &'w Written) -> Option<Variable<'w>> {
    match ty {
        Written::Value(spelling) => Some(Variable { name, ty: spelling.ty, path, is_optional: false }),
        Written::Option(inner) => Some(Variable { name, ty: inner.value()?.ty, path, is_optional: true }),
        _ => None,
    }
}

/// Whether the code of a call is statements: but for comments it ends as one.
pub(super) fn is_statements(call: &str) -> bool {
    let lines = call.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut code = code.trim_end();
    while let Some(before) = code.strip_suffix("*/").and_then(|code| Some(&code[..code.rfind("/*")?])) {
        code = before.trim_end();
    }
    code.ends_with([';', '}'])
}
