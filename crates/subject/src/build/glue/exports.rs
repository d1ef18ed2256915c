//! Glue as a module: an export for each function.

use super::values::{self, element, made, number, owned};
use super::{Call, Glue};
use crate::build::{BuildError, panics};
use crate::{Lowering, Passing, ResultLowering};
use dodona_target::Type;

/// The lines before the first function.
pub(super) const HEADING: &str = "#[repr(C)]\npub struct Returned { data: *mut u8, length: usize }\n";

/// Where the outputs of a call go that has several.
const SLOTS: &str = include_str!("slots.rs");

/// The code of the module.
pub(super) fn code(glue: &Glue<'_>) -> Result<String, BuildError> {
    let mut code = HEADING.to_owned();
    for call in glue.calls() {
        code += &export(&call?)?;
    }
    Ok(code + SLOTS + values::SHOWN + panics::HOOK)
}

/// A function, on two lines.
fn export(call: &Call<'_>) -> Result<String, BuildError> {
    let mut parameters = Vec::new();
    for (i, spelling) in call.parameters.iter().enumerate() {
        parameters.push(match &call.function.lowerings[i] {
            Lowering::PointerLength(passing) => {
                let mutable = if *passing == Passing::InOut { "mut" } else { "const" };
                format!("a{i}: *{mutable} {}, n{i}: usize", element(spelling))
            }
            _ => format!("a{i}: {}", spelling.scalar),
        });
    }
    let (returns, body) = returned(call).ok_or_else(|| call.unsupported("the result"))?;
    if let ResultLowering::Record(_) = call.function.result {
        parameters.insert(0, "slots: *mut u64".to_owned());
    }
    // Its name is one that no library has: the crate and the standard library link against those of C.
    let export = &call.function.export;
    let is_name = export.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(call.unsupported(&format!("the export name `{}`", call.function.symbol())));
    }
    let parameters = parameters.join(", ");
    Ok(format!("#[no_mangle]\npub extern \"C\" fn {export}({parameters}){returns} {{ {body} }}\n"))
}

/// What the export returns, and its code.
fn returned(call: &Call<'_>) -> Option<(String, String)> {
    let made_call = &call.code;
    if let ResultLowering::None = call.function.result {
        return Some((String::new(), format!("{made_call};")));
    }
    if let ResultLowering::Record(outputs) = &call.function.result {
        let store = values::stored(call.result?, "value", "", outputs, values::Tags::Set)?;
        let slots = format!("let slots = dodona_slots::Slots::new(slots, {});", outputs.len());
        return Some((String::new(), format!("let value = {made_call}; {slots} {store}")));
    }
    let spelling = call.result?.value()?;
    Some(match &call.function.result {
        ResultLowering::Value(_) => (format!(" -> {}", spelling.scalar), number(spelling, made_call)),
        ResultLowering::ReturnPointer(ty) => {
            let pointer = match ty {
                Type::Text => "as_mut_str().as_mut_ptr().cast()",
                _ => "as_mut_ptr().cast()",
            };
            let body = format!(
                "let mut value: {} = {}; let returned = Returned {{ data: value.{pointer}, length: value.len() }}; \
                 ::core::mem::forget(value); returned",
                owned(spelling),
                made(spelling, made_call),
            );
            (" -> Returned".to_owned(), body)
        }
        _ => return None,
    })
}
