//! Finds the functions of a library that make, free and show its handles.

use std::collections::BTreeMap;

use super::arguments::Arguments;
use super::handles::Handles;
use super::library::Library;
use super::names::Does;
use super::recipe::Recipe;
use super::types::{self, CType};
use super::unit::Function;

/// What makes, frees and shows the handles of a library.
pub(super) fn handles<'u>(library: &Library<'u>) -> Handles<'u> {
    let mut handles = Handles::default();
    let mut best: BTreeMap<String, usize> = BTreeMap::new();
    for function in &library.functions {
        let returned = library.unit.ty(types::result(&function.ty));
        if function.method_of.is_none()
            && let Some((key, _)) = library.handle(&returned)
            && let Some(worth) = worth_as_maker(library, function)
            && best.get(key).is_none_or(|known| worth > *known)
        {
            best.insert(key.to_owned(), worth);
            handles.makers.insert(key.to_owned(), function);
        }
        let [(_, only)] = function.parameters.as_slice() else { continue };
        let only = library.unit.ty(only);
        let Some((key, _)) = library.handle(&only) else { continue };
        let kind = match (returned, library.taken_away(function)) {
            (CType::Void, Some(_)) => &mut handles.freers,
            (CType::Pointer { to, .. }, None)
                if *to == CType::Char && Does::Shows.is_said_by(&function.name) =>
            {
                &mut handles.showers
            }
            _ => continue,
        };
        kind.entry(key.to_owned()).or_insert(function);
    }
    handles
}

/// How good a function is at making handles out of values; `None` where it needs something else than values. The best one takes a text or a sequence, of which
/// there are most, says by its name that it makes something, and takes little.
pub(super) fn worth_as_maker(library: &Library<'_>, function: &Function) -> Option<usize> {
    if function.is_variadic {
        return None;
    }
    let mut recipe = Recipe::default();
    Arguments { library, handles: None, function }.all(&mut recipe, "").ok()?;
    if !recipe.outputs.is_empty() {
        return None;
    }
    let has_text = recipe.parameters.iter().any(|(_, ty)| ty == "text" || ty.starts_with('['));
    let is_named = Does::Makes.is_said_by(&function.name);
    Some(
        usize::from(has_text) * 200
            + usize::from(is_named) * 100
            + 50_usize.saturating_sub(recipe.parameters.len()),
    )
}
