//! Glue as a program for the host: it calls the functions for whoever writes rows of arguments to it. `worker_main.rs` is what it does with
//! them.

use super::values::{self, element};
use super::{Call, Glue};
use crate::build::BuildError;
use crate::{Lowering, ResultLowering};
use dodona_target::OutputName;

/// What comes before the functions: nothing.
pub(super) const HEADING: &str = "";

/// What the program does.
const MAIN: &str = include_str!("worker_main.rs");

/// What differs between programs around functions.
#[derive(Clone, Copy)]
pub(in super::super) struct Options {
    /// Whether the place of a panic is one of the code under test.
    pub(in super::super) has_places: bool,
    /// Whether a sanitizer of addresses reserves more of them than any limit.
    pub(in super::super) is_address_sanitized: bool,
}

/// The table of the functions that can be called.
pub(in super::super) fn table(names: &[String]) -> String {
    format!("const DODONA_CALLS: &[fn(&mut dodona_worker::Row)] = &[{}];\n", names.join(", "))
}

/// All of the program but its functions, and where it begins.
pub(in super::super) fn main(options: Options) -> String {
    let Options { has_places, is_address_sanitized } = options;
    format!(
        "const DODONA_HAS_PLACES: bool = {has_places};\nconst DODONA_SANITIZES_ADDRESSES: bool = {is_address_sanitized};\n{MAIN}"
    )
}

/// The code of the program.
pub(super) fn code(glue: &Glue<'_>) -> Result<String, BuildError> {
    let mut code = HEADING.to_owned();
    let mut names = Vec::new();
    for (index, call) in glue.calls().enumerate() {
        let call = call?;
        code += &function(index, &call)?;
        names.push(format!("dodona_call_{index}"));
    }
    let main = main(Options { has_places: true, is_address_sanitized: false });
    Ok(code + &table(&names) + values::SHOWN + &main + "\nfn main() { dodona_worker::run(DODONA_CALLS) }\n")
}

/// A function, on two lines: it takes its arguments out of a row, and adds its outputs to the answer: what it returns as that is taken apart, and then what it
/// has left in parameters.
fn function(index: usize, call: &Call<'_>) -> Result<String, BuildError> {
    let mut code = String::new();
    let mut after = String::new();
    for (i, spelling) in call.parameters.iter().enumerate() {
        let (name, lowering) = (&call.function.parameters[i].name, &call.function.lowerings[i]);
        code += &match lowering {
            Lowering::PointerLength(_) => {
                format!("let (a{i}, n{i}) = slots.take_items::<{}>(); ", element(spelling))
            }
            _ => format!("let a{i}: {} = slots.take(); ", spelling.scalar),
        };
        let output = OutputName::Parameter(name.clone());
        if let Some(slot) = call.function.outputs.iter().position(|written| written.name == output) {
            after += &format!(
                " slots.items({slot}, unsafe {{ ::core::slice::from_raw_parts(a{i}, n{i}) }}.to_vec());"
            );
        }
    }
    let outputs = &call.function.outputs;
    code += &match (&call.function.result, call.result) {
        (ResultLowering::None, _) => format!("{};", call.code),
        (_, Some(ty)) => {
            let store = values::stored(ty, "value", "", outputs, values::Tags::All)
                .ok_or_else(|| call.unsupported("the result"))?;
            format!("let value = {}; {store}", call.code)
        }
        (_, None) => return Err(call.unsupported("the result")),
    };
    Ok(format!(
        "#[allow(unused_variables)]\nfn dodona_call_{index}(slots: &mut dodona_worker::Row) {{ {code}{after} }}\n"
    ))
}
