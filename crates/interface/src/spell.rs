//! How a signature spells a type that rustdoc has, or why it cannot.

use rustdoc_types::{Crate, ItemEnum, Path, Type};

use crate::bounds::Bounds;
use crate::rust_type::{arguments, last, written};

/// Where types are spelled.
pub(crate) struct Speller<'d> {
    pub(crate) document: &'d Crate,
    pub(crate) bounds: Bounds<'d>,
    /// What `Self` is there.
    pub(crate) own: Option<&'d Type>,
    /// How deep aliases are followed.
    depth: usize,
}

/// Aliases name aliases, but not for ever.
const DEEPEST: usize = 16;

impl<'d> Speller<'d> {
    pub(crate) fn new(document: &'d Crate, bounds: Bounds<'d>, own: Option<&'d Type>) -> Self {
        Speller { document, bounds, own, depth: 0 }
    }

    /// The type as a signature has it.
    ///
    /// # Errors
    /// The part of the type that no signature has, as Rust writes it.
    pub(crate) fn spell(&mut self, ty: &'d Type) -> Result<String, String> {
        if self.depth > DEEPEST {
            return Err(written(ty));
        }
        self.depth += 1;
        let spelled = self.spelled(ty);
        self.depth -= 1;
        spelled
    }

    fn spelled(&mut self, ty: &'d Type) -> Result<String, String> {
        let refused = || Err(written(ty));
        match ty {
            Type::Primitive(name) => match name.as_str() {
                "never" | "i128" | "u128" | "f16" | "f128" => refused(),
                name => Ok(name.to_owned()),
            },
            Type::Tuple(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.spell(part)).collect::<Result<_, _>>()?;
                Ok(format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" }))
            }
            Type::Slice(element) => Ok(format!("[{}]", self.spell(element)?)),
            Type::Array { type_, len } => match len.parse::<u64>() {
                Ok(length) => Ok(format!("[{}; {length}]", self.spell(type_)?)),
                Err(_) => refused(),
            },
            Type::BorrowedRef { is_mutable: false, type_, .. } => Ok(format!("&{}", self.spell(type_)?)),
            Type::Generic(name) if name == "Self" => match self.own {
                Some(own) if !matches!(own, Type::Generic(_)) => self.spell(own),
                _ => refused(),
            },
            Type::Generic(name) => match self.bounds.stand_in(name) {
                Some(spelled) => Ok(spelled),
                None => Err(format!("the type parameter `{name}`")),
            },
            Type::ImplTrait(bounds) => match self.bounds.of_trait_bounds(bounds) {
                Some(spelled) => Ok(spelled),
                None => refused(),
            },
            Type::QualifiedPath { name, self_type, .. } => {
                self.associated(name, self_type).map_or_else(refused, Ok)
            }
            Type::ResolvedPath(path) => self.path(path).unwrap_or_else(refused),
            _ => refused(),
        }
    }

    /// Few associated types are known: `<str as ToOwned>::Owned`.
    fn associated(&mut self, name: &str, of: &'d Type) -> Option<String> {
        match (name, self.spell(of).ok()?.as_str()) {
            ("Owned", "str") => Some("String".to_owned()),
            _ => None,
        }
    }

    fn path(&mut self, path: &'d Path) -> Option<Result<String, String>> {
        let name = last(path);
        let arguments = arguments(path);
        // An alias or a type of this crate may go by a name of the standard library.
        if let Some(item) = self.document.index.get(&path.id) {
            return match &item.inner {
                ItemEnum::TypeAlias(alias) if alias.generics.params.is_empty() => {
                    Some(self.spell(&alias.type_))
                }
                // `type Result<T> = core::result::Result<T, Error>`: the error is shown, whatever it is.
                ItemEnum::TypeAlias(_) if name == "Result" => {
                    let ok = self.spell(arguments.first()?);
                    Some(ok.map(|ok| format!("Result<{ok}>")))
                }
                _ => None,
            };
        }
        match (name, arguments.len()) {
            ("String" | "Ordering" | "Duration", 0) => Some(Ok(name.to_owned())),
            (name, 0) if name.starts_with("NonZero") => Some(Ok(name.to_owned())),
            // With one type also `std::io::Result<T>` and its like.
            ("Option" | "Vec" | "Box" | "Cow" | "Rc" | "Arc" | "NonZero" | "Result", 1) => {
                let inner = self.spell(arguments[0]);
                Some(inner.map(|inner| format!("{name}<{inner}>")))
            }
            ("Result", 2) => {
                let ok = match self.spell(arguments[0]) {
                    Ok(ok) => ok,
                    Err(why) => return Some(Err(why)),
                };
                // An error of any type is shown.
                let error = self.spell(arguments[1]).unwrap_or_else(|_| "Shown".to_owned());
                Some(Ok(format!("Result<{ok}, {error}>")))
            }
            _ => None,
        }
    }
}
