//! The fields of structs, down to numbers: as parameters that fill a struct, and as outputs that it gives.

use super::library::{Dialect, Library};
use super::recipe::{Output, Recipe};
use super::types::{CType, spelled};
use dodona_target::Scalar;

impl Library<'_> {
    /// Why a struct has no fields that could be parameters or outputs.
    pub(super) fn why_no_fields(&self, key: &str, spelled: &str) -> String {
        match self.unit.record(key) {
            None => format!("the fields of `{spelled}` are declared in no header that was read"),
            Some(record) if record.is_union => {
                format!("`{spelled}` is a union, and nothing tells which of its parts is there")
            }
            Some(record) if record.is_class => {
                format!(
                    "`{spelled}` is a class, whose fields are its own; write a `call` that shows what you compare"
                )
            }
            Some(_) => format!("`{spelled}` has fields that are neither numbers nor arrays of numbers"),
        }
    }

    /// The fields of a struct down to numbers; `None` where some are something else.
    pub(super) fn leaves(&self, key: &str) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.add_leaves(key, "", &mut leaves, DEEPEST)?;
        (!leaves.is_empty()).then_some(leaves)
    }

    fn add_leaves(&self, key: &str, path: &str, leaves: &mut Vec<Leaf>, depth: usize) -> Option<()> {
        let record = self.unit.record(key)?;
        if record.is_union || record.is_class || depth == 0 {
            return None;
        }
        for field in &record.fields {
            let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
            // A length in brackets stands behind the type of the elements.
            let (element, count) = match field.ty.strip_suffix(']').and_then(|ty| ty.split_once('[')) {
                Some((element, count)) => (element.trim_end(), Some(count.parse().ok()?)),
                None => (field.ty.as_str(), None),
            };
            match (self.unit.ty(element), count) {
                (CType::Char, Some(count)) => leaves.push(Leaf { path, kind: LeafKind::Text(count) }),
                (CType::Record { key, .. }, None) => self.add_leaves(&key, &path, leaves, depth - 1)?,
                (ty, count) => {
                    let scalar = ty.scalar()?;
                    let kind = count.map_or(LeafKind::Number(scalar), |count| LeafKind::Array(scalar, count));
                    leaves.push(Leaf { path, kind });
                }
            }
        }
        Some(())
    }
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
        let name = recipe.names.free(&format!("{prefix}_{}", self.path.replace('.', "_")));
        let place = format!("{local}.{}", self.path);
        let data = if dialect == Dialect::Cxx { format!("{name}.data()") } else { name.clone() };
        let (ty, put) = match (self.kind, dialect) {
            (LeafKind::Number(scalar), Dialect::C) => (spelled(scalar), format!("{place} = {name};")),
            (LeafKind::Number(scalar), Dialect::Cxx) => {
                (spelled(scalar), format!("{place} = static_cast<decltype({place})>({name});"))
            }
            (LeafKind::Array(scalar, count), _) => {
                recipe.keys.push(format!("domain.{name} = {{ length = {count} }}"));
                (format!("[{}]", spelled(scalar)), format!("memcpy({place}, {data}, sizeof {place});"))
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
