//! The fields of structs, down to numbers: as parameters that fill a struct, and as outputs that it gives.

use super::library::{Dialect, Library};
use super::recipe::{Output, Recipe};
use super::types::{CType, spelled};
use dodona_target::Scalar;

impl Library<'_> {
    /// The fields of a struct down to numbers, which may be parameters or outputs.
    ///
    /// # Errors
    /// Why it has none of these alone.
    pub(super) fn fields(&self, key: &str, spelled: &str) -> Result<Vec<Leaf>, String> {
        let mut leaves = Vec::new();
        match self.add_leaves(key, "", &mut leaves, DEEPEST) {
            Ok(()) if !leaves.is_empty() => Ok(leaves),
            Ok(()) | Err(NoFields::OfOthers) => {
                Err(format!("`{spelled}` has fields that are neither numbers nor arrays of numbers"))
            }
            Err(NoFields::Undeclared) if spelled.starts_with("std::") => Err(format!(
                "no value is made for a `{spelled}`, nor shown; write a `call` that makes one out of numbers, texts and sequences of them"
            )),
            Err(NoFields::Undeclared) => {
                Err(format!("the fields of `{spelled}` are declared in no header that was read"))
            }
            Err(NoFields::IsUnion) => {
                Err(format!("`{spelled}` is a union, and nothing tells which of its parts is there"))
            }
            Err(NoFields::HasUnion) => {
                Err(format!("`{spelled}` holds a union, and nothing tells which of its parts is there"))
            }
            Err(NoFields::IsClass) => Err(format!(
                "`{spelled}` is a class, whose fields are its own; write a `call` that shows what you compare"
            )),
        }
    }

    fn add_leaves(
        &self,
        key: &str,
        path: &str,
        leaves: &mut Vec<Leaf>,
        depth: usize,
    ) -> Result<(), NoFields> {
        let is_inside = depth < DEEPEST;
        let record = match self.unit.record(key) {
            None if is_inside => return Err(NoFields::OfOthers),
            None => return Err(NoFields::Undeclared),
            Some(record) if record.is_union && is_inside => return Err(NoFields::HasUnion),
            Some(record) if record.is_union => return Err(NoFields::IsUnion),
            Some(record) if record.is_class && !is_inside => return Err(NoFields::IsClass),
            Some(record) if record.is_class || depth == 0 => return Err(NoFields::OfOthers),
            Some(record) => record,
        };
        for field in &record.fields {
            let path = match (path, field.name.as_str()) {
                ("", name) => name.to_owned(),
                // The fields of a struct without a name are those of the struct around it.
                (path, "") => path.to_owned(),
                (path, name) => format!("{path}.{name}"),
            };
            // A length in brackets stands behind the type of the elements.
            let (element, count) = match field.ty.strip_suffix(']').and_then(|ty| ty.split_once('[')) {
                Some((element, count)) => {
                    (element.trim_end(), Some(count.parse().map_err(|_| NoFields::OfOthers)?))
                }
                None => (field.ty.as_str(), None),
            };
            match (self.unit.ty(element), count) {
                (CType::Char, Some(count)) => leaves.push(Leaf { path, kind: LeafKind::Text(count) }),
                (CType::Record { key, .. }, None) => self.add_leaves(&key, &path, leaves, depth - 1)?,
                (ty, count) => {
                    let scalar = ty.scalar().ok_or(NoFields::OfOthers)?;
                    let kind = count.map_or(LeafKind::Number(scalar), |count| LeafKind::Array(scalar, count));
                    leaves.push(Leaf { path, kind });
                }
            }
        }
        Ok(())
    }
}

/// Why a struct has no fields that are numbers alone.
enum NoFields {
    Undeclared,
    IsUnion,
    HasUnion,
    IsClass,
    OfOthers,
}

/// Structs are nested so deep at most.
const DEEPEST: usize = 8;

/// A number, or an array of some, in a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its fields, from the outermost one: `in.a`.
    path: String,
    kind: LeafKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafKind {
    Number(Scalar),
    Array(Scalar, u32),
    /// An array of so many characters, which a NUL ends.
    Text(u32),
}

impl Leaf {
    /// The output that it is, of a struct in a variable. Its name is that of the field, where nothing else has it.
    pub(super) fn output(&self, recipe: &mut Recipe, prefix: &str, local: &str, dialect: Dialect) -> Output {
        let field = self.path.replace('.', "_");
        let wanted = match recipe.names.is_taken(&field) && !prefix.is_empty() {
            true => format!("{prefix}_{field}"),
            false => field,
        };
        let name = recipe.names.free(&wanted);
        let value = format!("{local}.{}", self.path);
        match (self.kind, dialect) {
            (LeafKind::Number(scalar), Dialect::C) => Output::value(name, &spelled(scalar), &value),
            // An enumeration of C++ is no number by itself.
            (LeafKind::Number(scalar), Dialect::Cxx) => Output {
                name,
                ty: spelled(scalar),
                set: format!("$ = static_cast<decltype($)>({value});"),
                is_value: false,
            },
            // Characters that fill the whole array have no end.
            (LeafKind::Text(_), dialect) => {
                let set = match dialect {
                    Dialect::C => format!("$ = {value}; $_length = strnlen({value}, sizeof {value});"),
                    Dialect::Cxx => format!("$.assign({value}, strnlen({value}, sizeof {value}));"),
                };
                Output { name, ty: "text".to_owned(), set, is_value: false }
            }
            (LeafKind::Array(scalar, count), Dialect::C) => {
                let set = format!("$ = (void *){value}; $_length = {count};");
                Output { name, ty: format!("[{}]", spelled(scalar)), set, is_value: false }
            }
            (LeafKind::Array(scalar, count), Dialect::Cxx) => {
                let set = format!("$.assign({value}, {value} + {count});");
                Output { name, ty: format!("[{}]", spelled(scalar)), set, is_value: false }
            }
        }
    }

    /// The parameter that it is, and the statement that puts it into the struct.
    pub(super) fn parameter(&self, recipe: &mut Recipe, prefix: &str, local: &str, dialect: Dialect) {
        let wanted = format!("{prefix}_{}", self.path.replace('.', "_"));
        let name = match self.kind {
            LeafKind::Number(_) => recipe.names.free(&wanted),
            LeafKind::Array(..) | LeafKind::Text(_) => recipe.names.free_with_length(&wanted),
        };
        let place = format!("{local}.{}", self.path);
        let data = if dialect == Dialect::Cxx { format!("{name}.data()") } else { name.clone() };
        let (ty, put) = match (self.kind, dialect) {
            (LeafKind::Number(scalar), Dialect::C) => (spelled(scalar), format!("{place} = {name};")),
            (LeafKind::Number(scalar), Dialect::Cxx) => {
                (spelled(scalar), format!("{place} = static_cast<decltype({place})>({name});"))
            }
            (LeafKind::Array(scalar, count), _) => {
                recipe.keys.push(format!("domain.{name} = {{ length = {count} }}"));
                // Whoever calls it by hand may give another number of elements than the domain has.
                let length = match dialect {
                    Dialect::C => format!("{name}_length"),
                    Dialect::Cxx => format!("{name}.size()"),
                };
                let put =
                    format!("if ({length} != {count}) abort();\nmemcpy({place}, {data}, sizeof {place});");
                (format!("[{}]", spelled(scalar)), put)
            }
            (LeafKind::Text(count), _) => {
                recipe.keys.push(format!("lower.{name} = \"nul-terminated\""));
                recipe.keys.push(format!(
                    "domain.{name} = {{ length = [0, {}], alphabet-ranges = [\" -~\"] }}",
                    count.saturating_sub(1)
                ));
                ("text".to_owned(), format!("strncpy({place}, {data}, sizeof {place} - 1);"))
            }
        };
        recipe.parameters.push((name, ty));
        recipe.before.push(put);
    }
}
