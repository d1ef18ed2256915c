//! Handles: structs whose fields nobody outside knows, which one function makes, others use, and one frees.

use std::collections::BTreeMap;

use super::library::Library;
use super::names::{Closing, Does, closing};
use super::types::{self, CType};
use super::unit::Function;

/// What makes, frees and shows the handles of a library, by the keys of their structs.
#[derive(Default)]
pub(super) struct Handles<'u> {
    pub(super) makers: BTreeMap<String, &'u Function>,
    pub(super) freers: BTreeMap<String, &'u Function>,
    pub(super) showers: BTreeMap<String, &'u Function>,
}

impl<'u> Handles<'u> {
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
                CType::Record { key, spelled } if self.fields(key, spelled).is_err() => Some((key, spelled)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of what a function frees or closes, by its name: behind such a call that is not to be used.
    pub(super) fn taken_away(&self, function: &Function) -> Option<String> {
        let types = function.parameters.iter().map(|(_, written)| (written, self.unit.ty(written)));
        for (written, ty) in types {
            match self.closes(function, &ty) {
                Some(Closing::Surely) => {}
                // Where another function frees it, one that ends something does not.
                Some(Closing::Perhaps) if !self.has_freer(&ty) => {}
                _ => continue,
            }
            return Some(match self.handle(&ty) {
                Some((_, spelled)) => format!("{spelled} *"),
                None => written.clone(),
            });
        }
        None
    }

    fn has_freer(&self, handle: &CType) -> bool {
        self.functions.iter().any(|function| {
            let mut types = function.parameters.iter().map(|(_, written)| self.unit.ty(written));
            types.any(|ty| ty == *handle && self.closes(function, &ty) == Some(Closing::Surely))
        })
    }

    /// Whether a function says by its name that it closes what a parameter of this type points to.
    fn closes(&self, function: &Function, ty: &CType) -> Option<Closing> {
        let CType::Pointer { to, is_constant } = ty else { return None };
        // What only looks at something gives what it saw.
        if *is_constant && self.unit.ty(types::result(&function.ty)) != CType::Void {
            return None;
        }
        let is_handle = self.handle(ty).is_some();
        let of = match &**to {
            CType::Char if *is_constant => return None,
            CType::Record { key, .. } => Some(key.as_str()),
            _ => None,
        };
        let says = closing(&function.name, of, is_handle && function.parameters.len() == 1);
        // What ends the use of plain numbers leaves them where they are.
        says.filter(|says| is_handle || *says == Closing::Surely)
    }
}
