//! Handles: structs whose fields nobody outside knows, which one function makes, others use, and one frees.

use std::collections::BTreeMap;

use super::library::Library;
use super::names::Does;
use super::types::CType;
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
                CType::Record { key, spelled } if self.leaves(key).is_none() => Some((key, spelled)),
                _ => None,
            },
            _ => None,
        }
    }
}
