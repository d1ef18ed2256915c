//! Whether a function that a module exports fits the signature that the manifest has of it. Unlike those of C, the types are known, so that what does not
//! fit is told before anything is called.

use super::exported::{Exported, ExportedParameter, Kind};
use crate::{Function, Written};
use dodona_target::{Parameter, Scalar, Type, nearest};

/// The types of a function in AssemblyScript, where they fit the signature.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fitting {
    /// For each parameter, the class of an array; nothing for numbers and texts.
    pub(super) parameters: Vec<Option<String>>,
    /// The class of the array that it gives.
    pub(super) result: Option<String>,
    /// Whether it takes more than the signature has, which calls may leave out.
    pub(super) has_more: bool,
}

/// A type of AssemblyScript.
#[derive(Debug, PartialEq, Eq)]
enum Ty {
    Scalar(Scalar),
    Text,
    /// An array: its class, and what it has.
    Items(String, Scalar),
    /// What no value of a signature becomes.
    Other,
}

impl Ty {
    /// Whether a value of a signature becomes one of this type.
    fn is(&self, ty: Type) -> bool {
        match (self, ty) {
            (Ty::Scalar(own), Type::Scalar(scalar)) => *own == scalar,
            (Ty::Text, Type::Text) => true,
            (Ty::Items(_, own), Type::Sequence(element)) => *own == element,
            _ => false,
        }
    }
}

/// Finds the types by which a function is called, or says why it cannot be.
pub(super) fn fitting(
    function: &Function,
    name: &str,
    result: Option<&Written>,
    exports: &[Exported],
) -> Result<Fitting, String> {
    let exported = exports.iter().find(|exported| exported.name == name);
    let exported = exported.ok_or_else(|| not_exported(function, name, exports))?;
    match exported.kind {
        Kind::Function => {}
        Kind::Generic => {
            return Err(format!(
                "`{name}` has parameters for types; beside the signature write the call with them: call = \"{name}<i32>(x)\""
            ));
        }
        Kind::Other => {
            return Err(format!(
                "`{name}` is no function; beside the signature write a `call` with what is to be computed of it"
            ));
        }
    }
    check_number(function, name, exported)?;
    let parameters = function.parameters.iter().zip(&exported.parameters);
    let parameters = parameters.map(|(parameter, taken)| fitting_parameter(function, parameter, taken));
    Ok(Fitting {
        parameters: parameters.collect::<Result<_, _>>()?,
        result: fitting_result(function, result, exported)?,
        has_more: exported.parameters.iter().any(|parameter| parameter.is_optional),
    })
}

/// The class of the array that a parameter becomes, if it is a sequence.
fn fitting_parameter(
    function: &Function,
    parameter: &Parameter,
    taken: &ExportedParameter,
) -> Result<Option<String>, String> {
    let (ty, _) = read(&taken.ty);
    if ty.is(parameter.ty) {
        return Ok(class(ty));
    }
    let (of, shown) = (&function.name, shown(&taken.ty));
    Err(match ty {
        Ty::Other => format!(
            "`{of}`: no value of a signature becomes a `{shown}`, which the function takes as `{}`; beside the signature write a `call` that makes it",
            taken.name
        ),
        _ => format!(
            "`{of}`: the signature says {} for `{}`, but the function takes `{shown}`{}",
            parameter.ty,
            parameter.name,
            instead(&ty)
        ),
    })
}

fn not_exported(function: &Function, name: &str, exports: &[Exported]) -> String {
    let near = nearest(name, exports.iter().map(|exported| exported.name.as_str()));
    let hint = match near {
        Some(near) => format!("did you mean `{near}`? Beside the signature write export = \"{near}\""),
        None => "write `export` before it, or a `call` in the manifest".to_owned(),
    };
    let of = if function.name == name { String::new() } else { format!(", which `{}` names", function.name) };
    format!("the module does not export `{name}`{of}; {hint}")
}

fn check_number(function: &Function, name: &str, exported: &Exported) -> Result<(), String> {
    let most = exported.parameters.len();
    let least = exported.parameters.iter().filter(|parameter| !parameter.is_optional).count();
    let given = function.parameters.len();
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let takes = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let all =
        exported.parameters.iter().map(|parameter| format!("{}: {}", parameter.name, shown(&parameter.ty)));
    let has = if given == 1 { "1 parameter".to_owned() } else { format!("{given} parameters") };
    Err(format!(
        "`{}`: the signature has {has}, but the function takes {takes}: {name}({})",
        function.name,
        all.collect::<Vec<_>>().join(", ")
    ))
}

/// The class of the array that a function gives, where the signature says that it gives one.
fn fitting_result(
    function: &Function,
    result: Option<&Written>,
    exported: &Exported,
) -> Result<Option<String>, String> {
    let Some(written) = result else { return Ok(None) };
    let (ty, is_nullable) = read(&exported.result);
    let (of, shown) = (&function.name, shown(&exported.result));
    let (wanted, is_optional) = match written {
        Written::Option(inner) => (inner.value(), true),
        one => (one.value(), false),
    };
    let is_same = wanted.is_some_and(|wanted| ty.is(wanted.ty));
    if is_same && is_optional == is_nullable {
        return Ok(class(ty));
    }
    Err(match (ty, is_same, is_nullable) {
        (_, true, true) => format!(
            "`{of}`: the signature says {written}, but the function gives `{shown}`; write Option<{written}>"
        ),
        (ty, _, false) if ty != Ty::Other || exported.result == "void" => {
            let instead =
                if exported.result == "void" { "; write no result".to_owned() } else { instead(&ty) };
            format!("`{of}`: the signature says {written}, but the function gives `{shown}`{instead}")
        }
        _ => format!(
            "`{of}`: no value of a signature is made of the `{shown}` that the function gives; beside the signature write a `call` that shows what you \
             compare"
        ),
    })
}

/// What a signature has for a type.
fn instead(ty: &Ty) -> String {
    match ty {
        Ty::Scalar(scalar) => format!("; write {scalar}"),
        Ty::Text => "; write text".to_owned(),
        Ty::Items(_, element) => format!("; write [{element}]"),
        Ty::Other => String::new(),
    }
}

fn class(ty: Ty) -> Option<String> {
    match ty {
        Ty::Items(class, _) => Some(class),
        _ => None,
    }
}

/// Reads a type as the compiler writes it, and whether it may be null: `~lib/string/String | null`.
fn read(text: &str) -> (Ty, bool) {
    let (plain, is_nullable) = match text.strip_suffix(" | null") {
        Some(plain) => (plain, true),
        None => (text, false),
    };
    let scalar = |name: &str| match name.parse() {
        Ok(Type::Scalar(scalar)) => Some(scalar),
        _ => None,
    };
    let of_class = |start: &str| scalar(plain.strip_prefix(start)?.strip_suffix('>')?);
    let ty = if let Some(scalar) = scalar(plain) {
        Ty::Scalar(scalar)
    } else if plain == "~lib/string/String" {
        Ty::Text
    } else if plain == "~lib/arraybuffer/ArrayBuffer" {
        Ty::Items("ArrayBuffer".to_owned(), Scalar::U8)
    } else if let Some((class, element)) = plain.strip_prefix("~lib/typedarray/").and_then(typed_array) {
        Ty::Items(class.to_owned(), element)
    } else if let Some(element) =
        of_class("~lib/array/Array<").or_else(|| of_class("~lib/staticarray/StaticArray<"))
    {
        Ty::Items(shown(plain), element)
    } else {
        Ty::Other
    };
    (ty, is_nullable)
}

/// A class of typed arrays with what it has.
fn typed_array(class: &str) -> Option<(&str, Scalar)> {
    Some((
        class,
        match class {
            "Int8Array" => Scalar::I8,
            "Uint8Array" | "Uint8ClampedArray" => Scalar::U8,
            "Int16Array" => Scalar::I16,
            "Uint16Array" => Scalar::U16,
            "Int32Array" => Scalar::I32,
            "Uint32Array" => Scalar::U32,
            "Int64Array" => Scalar::I64,
            "Uint64Array" => Scalar::U64,
            "Float32Array" => Scalar::F32,
            "Float64Array" => Scalar::F64,
            _ => return None,
        },
    ))
}

/// A type as the source has it: without the files of its names, and strings by their usual name.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once(' ')) {
        if c.is_alphanumeric() || "_~/.-$".contains(c) {
            word.push(c);
            continue;
        }
        // Only the arrow of a function has no name behind a dash.
        let name = word.rsplit('/').next().unwrap_or_default();
        shown += if name == "String" { "string" } else { name };
        word.clear();
        shown.push(c);
    }
    shown.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_the_compiler_writes_them() {
        let items = |class: &str, element| (Ty::Items(class.to_owned(), element), false);
        assert_eq!(read("usize"), (Ty::Scalar(Scalar::U32), false));
        assert_eq!(read("bool"), (Ty::Scalar(Scalar::Bool), false));
        assert_eq!(read("~lib/string/String | null"), (Ty::Text, true));
        assert_eq!(read("~lib/array/Array<isize>"), items("Array<isize>", Scalar::I32));
        assert_eq!(read("~lib/staticarray/StaticArray<bool>"), items("StaticArray<bool>", Scalar::Bool));
        assert_eq!(read("~lib/typedarray/Uint8ClampedArray"), items("Uint8ClampedArray", Scalar::U8));
        assert_eq!(read("~lib/arraybuffer/ArrayBuffer"), items("ArrayBuffer", Scalar::U8));
        for other in ["~lib/array/Array<~lib/string/String>", "v128", "index/Fee", "(i32) => i32", "void", ""]
        {
            assert_eq!(read(other), (Ty::Other, false), "{other}");
        }
    }

    #[test]
    fn types_are_shown_as_the_source_has_them() {
        for (text, wanted) in [
            ("~lib/array/Array<~lib/array/Array<i32>>", "Array<Array<i32>>"),
            ("~lib/map/Map<~lib/string/String,i32>", "Map<string,i32>"),
            ("~lib/string/String | null", "string | null"),
            ("../my-lib/a.b/index/Fee", "Fee"),
            ("(i32) => i32", "(i32) => i32"),
        ] {
            assert_eq!(shown(text), wanted);
        }
    }
}
