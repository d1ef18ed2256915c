//! Sequences of C++. In a call they are vectors of numbers of a width, such as `int`; of a `std::vector<long>`, of one of an enumeration, or of `char`, the
//! elements are converted.

use super::recipe::{Output, Recipe};
use super::types::{CType, in_cxx, spelled};

/// How a signature has a sequence of these elements.
pub(super) fn sequence_of(element: &CType) -> String {
    format!("[{}]", element.scalar().map(spelled).unwrap_or_default())
}

/// What is passed of a sequence in a variable: the variable itself, or one of the type that is wanted.
pub(super) fn passed(recipe: &mut Recipe, name: &str, element: &CType) -> String {
    let Some(other) = element.other_than_in_calls() else { return name.to_owned() };
    let local = recipe.names.free(&format!("{name}_given"));
    match element.is_converted_by_casts() {
        false => recipe.before.push(format!("std::vector<{other}> {local}({name}.begin(), {name}.end());")),
        true => {
            let each = recipe.names.free("each");
            recipe.before.push(format!("std::vector<{other}> {local};"));
            let add = format!("{local}.push_back(static_cast<{other}>({each}));");
            recipe.before.push(format!("for (auto {each} : {name}) {add}"));
        }
    }
    local
}

/// The output that a sequence is, which an expression gives. What views one is copied.
pub(super) fn told(
    recipe: &mut Recipe,
    name: String,
    element: &CType,
    is_view: bool,
    expression: &str,
) -> Output {
    let ty = sequence_of(element);
    let set = match element.scalar() {
        Some(scalar) if element.is_converted_by_casts() => {
            let (each, wanted) = (recipe.names.free("each"), in_cxx(scalar));
            format!("for (auto {each} : {expression}) $.push_back(static_cast<{wanted}>({each}));")
        }
        _ if is_view || element.other_than_in_calls().is_some() => {
            format!("{{ auto given = {expression}; $.assign(given.begin(), given.end()); }}")
        }
        _ => return Output::value(name, &ty, expression),
    };
    Output { name, ty, set, is_value: false }
}
