//! Glue for a crate of the registry: generated, so that a third party's function is tested as it is.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{BuildError, cache_folder, file, put};
use crate::{Function, Lowering, Manifest, Passing, ResultLowering, Type, fnv1a};

/// Writes a crate that exports the manifest's functions and returns its folder.
pub(super) fn write(
    manifest: &Manifest,
    name: &str,
    version: &str,
    paths: &[String],
) -> Result<PathBuf, BuildError> {
    let crate_file = cargo_toml(name, version)?;
    let code = code(manifest, paths)?;
    let key = fnv1a(format!("{crate_file}{code}").as_bytes());
    let folder = cache_folder().join("glue").join(format!("{name}-{key:016x}"));
    let source = folder.join("src");
    std::fs::create_dir_all(&source).map_err(file("create", &source))?;
    put(&folder.join("Cargo.toml"), &crate_file)?;
    put(&source.join("lib.rs"), &code)?;
    Ok(folder)
}

fn cargo_toml(name: &str, version: &str) -> Result<String, BuildError> {
    // Both go into a file that cargo reads, so they may hold nothing but what such names and versions hold.
    let plain = |s: &str, more: &str| {
        !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    if !plain(name, "-_") || !plain(version, ".*^~<>=+-, ") {
        return Err(BuildError::Unsupported(format!(
            "`{name}` {version} is not a crate name and a version requirement"
        )));
    }
    Ok(format!(
        "[package]\nname = \"dodona-glue\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [lib]\ncrate-type = [\"cdylib\"]\n\n[dependencies]\n\"{name}\" = \"{version}\"\n\n\
         [profile.release]\npanic = \"abort\"\n\n[workspace]\n"
    ))
}

fn code(manifest: &Manifest, paths: &[String]) -> Result<String, BuildError> {
    let mut code = String::from("#[repr(C)]\npub struct Returned { data: *mut u8, length: usize }\n");
    for (function, path) in manifest.functions.iter().zip(paths) {
        write_function(&mut code, function, path)?;
    }
    Ok(code)
}

fn write_function(code: &mut String, function: &Function, path: &str) -> Result<(), BuildError> {
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    for (i, p) in function.parameters.iter().enumerate() {
        match (&p.lowering, p.ty) {
            (Lowering::Value, ty) => {
                parameters.push(format!("a{i}: {ty}"));
                values.push(format!("a{i}"));
            }
            (Lowering::PointerLength(passing), ty) => {
                let (mutable, slice, access) = match passing {
                    Passing::In => ("const", "from_raw_parts", "&"),
                    Passing::InOut => ("mut", "from_raw_parts_mut", "&mut "),
                };
                let element = ty.scalar().map_or("u8", |s| s.name());
                parameters.push(format!("a{i}: *{mutable} {element}, n{i}: usize"));
                let data = format!("unsafe {{ core::slice::{slice}(a{i}, n{i}) }}");
                values.push(match ty {
                    Type::Text => format!("core::str::from_utf8({data}).unwrap()"),
                    _ => format!("{access}*{data}"),
                });
            }
            _ => return Err(unsupported(function, &format!("parameter `{}`", p.name))),
        }
    }
    let call = format!("{path}({})", values.join(", "));
    let (returns, body) = match &function.result {
        ResultLowering::None => (String::new(), format!("{call};")),
        ResultLowering::Value(s) => (format!(" -> {s}"), call),
        ResultLowering::ReturnPointer(ty) => {
            let owned = match ty {
                Type::Text => "String".to_owned(),
                _ => format!("Vec<{}>", ty.scalar().map_or("u8", |s| s.name())),
            };
            let body = format!(
                "let mut value: {owned} = {call}.into(); let returned = Returned {{ data: value.as_mut_ptr().cast(), \
                 length: value.len() }}; core::mem::forget(value); returned"
            );
            let body = if *ty == Type::Text {
                body.replacen("value.as_mut_ptr()", "value.as_mut_str().as_mut_ptr()", 1)
            } else {
                body
            };
            (" -> Returned".to_owned(), body)
        }
        _ => return Err(unsupported(function, "the result")),
    };
    let export = &function.export;
    let is_name = export.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(unsupported(function, &format!("the export name `{export}`")));
    }
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        code,
        "#[no_mangle]\npub extern \"C\" fn {export}({}){returns} {{ {body} }}",
        parameters.join(", ")
    );
    Ok(())
}

fn unsupported(function: &Function, what: &str) -> BuildError {
    BuildError::Unsupported(format!(
        "no glue can be generated for {what} of `{}`: scalars, slices and text by pointer-length, and results by value or \
         return-pointer can; write a small crate around it and name that with [build] rust = \"…\"",
        function.name
    ))
}
