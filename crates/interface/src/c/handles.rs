//! Handles: structs whose fields nobody outside knows, which one function makes, others use, and one frees.

use std::collections::BTreeMap;

use super::arguments::Arguments;
use super::names::Does;
use super::recipe::{Library, Recipe};
use super::types::{self, CType};
use super::unit::Function;

/// What makes, frees and shows the handles of a library, by the keys of their structs.
#[derive(Default)]
pub(super) struct Handles<'u> {
    makers: BTreeMap<String, &'u Function>,
    freers: BTreeMap<String, &'u Function>,
    showers: BTreeMap<String, &'u Function>,
}

impl<'u> Handles<'u> {
    pub(super) fn of(library: &Library<'u>) -> Handles<'u> {
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
            let kind = match returned {
                CType::Void if Does::Frees.is_said_by(&function.name) => &mut handles.freers,
                CType::Pointer { to, .. } if *to == CType::Char && Does::Shows.is_said_by(&function.name) => {
                    &mut handles.showers
                }
                _ => continue,
            };
            kind.entry(key.to_owned()).or_insert(function);
        }
        handles
    }

    /// The function that does this to the handles of a key.
    pub(super) fn of_kind(&self, does: Does, key: &str) -> Option<&'u Function> {
        let functions = match does {
            Does::Makes => &self.makers,
            Does::Frees => &self.freers,
            Does::Shows => &self.showers,
        };
        functions.get(key).copied()
    }
}

impl Library<'_> {
    /// The key of the struct that a handle points to, with how code names it. A pointer to a struct of numbers alone is none.
    pub(super) fn handle<'t>(&self, ty: &'t CType) -> Option<(&'t str, &'t str)> {
        match ty {
            CType::Pointer { to, .. } => match &**to {
                CType::Record { key, spelled } if self.leaves(key).is_none() => Some((key, spelled)),
                _ => None,
            },
            _ => None,
        }
    }
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
