//! Types of rustdoc taken apart, and as Rust writes them.

use rustdoc_types::{AssocItemConstraintKind, GenericArg, GenericArgs, GenericBound, Path, Term, Type};

/// The types in the brackets of a path.
pub(crate) fn arguments(path: &Path) -> Vec<&Type> {
    match path.args.as_deref() {
        Some(GenericArgs::AngleBracketed { args, .. }) => args
            .iter()
            .filter_map(|argument| if let GenericArg::Type(ty) = argument { Some(ty) } else { None })
            .collect(),
        _ => Vec::new(),
    }
}

/// The last word of a path, by which a type or a trait is known.
pub(crate) fn last(path: &Path) -> &str {
    path.path.rsplit("::").next().unwrap_or(&path.path)
}

/// A type as Rust writes it, as far as people need to recognise it.
pub(crate) fn written(ty: &Type) -> String {
    let list = |types: &[Type]| types.iter().map(written).collect::<Vec<_>>().join(", ");
    match ty {
        Type::ResolvedPath(path) => {
            let inner: Vec<String> = arguments(path).into_iter().map(written).collect();
            match inner.as_slice() {
                [] => path.path.clone(),
                inner => format!("{}<{}>", path.path, inner.join(", ")),
            }
        }
        Type::Primitive(name) if name == "never" => "!".to_owned(),
        Type::Primitive(name) | Type::Generic(name) => name.clone(),
        Type::Tuple(parts) => format!("({})", list(parts)),
        Type::Slice(element) => format!("[{}]", written(element)),
        Type::Array { type_, len } => format!("[{}; {len}]", written(type_)),
        Type::BorrowedRef { is_mutable, type_, .. } => {
            format!("&{}{}", if *is_mutable { "mut " } else { "" }, written(type_))
        }
        Type::RawPointer { type_, .. } => format!("*{}", written(type_)),
        Type::QualifiedPath { name, self_type, .. } => format!("{}::{name}", written(self_type)),
        Type::ImplTrait(bounds) => format!(
            "impl {}",
            traits(bounds.iter())
                .map(|path| written(&Type::ResolvedPath(path.clone())))
                .collect::<Vec<_>>()
                .join(" + ")
        ),
        Type::DynTrait(_) => "dyn …".to_owned(),
        Type::FunctionPointer(_) => "fn(…)".to_owned(),
        Type::Infer | Type::Pat { .. } => "_".to_owned(),
    }
}

/// The traits among bounds.
pub(crate) fn traits<'b>(bounds: impl Iterator<Item = &'b GenericBound>) -> impl Iterator<Item = &'b Path> {
    bounds.filter_map(|bound| match bound {
        GenericBound::TraitBound { trait_, .. } => Some(trait_),
        _ => None,
    })
}

/// What an iterator gives: `Item = u8`.
pub(crate) fn item(path: &Path) -> Option<&Type> {
    let GenericArgs::AngleBracketed { constraints, .. } = path.args.as_deref()? else { return None };
    let item = constraints.iter().find(|constraint| constraint.name == "Item")?;
    match &item.binding {
        AssocItemConstraintKind::Equality(Term::Type(ty)) => Some(ty),
        _ => None,
    }
}
