//! Glue for a crate of the registry: generated, so that a third party's function is tested as it is.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::products::{cache_folder, put};
use super::{BuildError, file, panics, refused};
use crate::{Function, Lowering, Manifest, Passing, ResultLowering};
use dodona_target::{Type, fnv1a};

/// The lines before the first function, and those that each function takes.
const HEADING: &str = "#[repr(C)]\npub struct Returned { data: *mut u8, length: usize }\n";
const LINES: usize = 2;

/// A crate around functions of another.
#[derive(Clone, Copy)]
pub(super) struct Glue<'a> {
    pub(super) manifest: &'a Manifest,
    /// The other crate.
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    /// The functions as Rust names them.
    pub(super) paths: &'a [String],
    /// The types of each as its signature is written.
    pub(super) types: &'a [Vec<String>],
}

impl Glue<'_> {
    /// Writes a crate that exports the manifest's functions and returns its folder.
    pub(super) fn write(&self) -> Result<PathBuf, BuildError> {
        let crate_file = cargo_toml(self.name, self.version)?;
        let code = self.code()?;
        let key = fnv1a(format!("{crate_file}{code}").as_bytes());
        let folder = cache_folder().join("glue").join(format!("{}-{key:016x}", self.name));
        let source = folder.join("src");
        std::fs::create_dir_all(&source).map_err(file("create", &source))?;
        put(&folder.join("Cargo.toml"), crate_file.as_bytes())?;
        put(&source.join("lib.rs"), code.as_bytes())?;
        Ok(folder)
    }

    fn code(&self) -> Result<String, BuildError> {
        let mut code = HEADING.to_owned();
        for ((function, path), types) in self.functions().zip(self.types) {
            write_function(&mut code, function, path, types)?;
        }
        Ok(code + panics::HOOK)
    }

    fn functions(&self) -> impl Iterator<Item = (&Function, &String)> {
        self.manifest.functions.iter().zip(self.paths)
    }

    /// What the compiler says of the glue, in terms of the manifest: nobody wrote that code.
    pub(super) fn explained(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { command, output } = error else { return error };
        let refusals = refused::read(&output);
        let first = HEADING.lines().count() + 1;
        let function = |line: usize| self.functions().nth(line.checked_sub(first)? / LINES);
        let told = refusals.iter().filter_map(|refusal| {
            let (function, path) = function(refusal.line)?;
            Some(refused::words(refusal, &function.name, path, self.name))
        });
        let mut told: Vec<String> = told.collect();
        told.dedup();
        match told.is_empty() {
            true => BuildError::Failed { command, output },
            false => BuildError::Unsupported(told.join("\n")),
        }
    }
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

/// The type of a scalar or of a sequence's elements as Rust has it: as the signature is written, where `usize` may stand.
fn scalar(types: &[String], index: usize) -> &str {
    types.get(index).map_or("", |ty| ty.trim_matches(['[', ']', ' ']))
}

fn write_function(
    code: &mut String,
    function: &Function,
    path: &str,
    types: &[String],
) -> Result<(), BuildError> {
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    for (i, p) in function.parameters.iter().enumerate() {
        let (parameter, value) = argument(i, p.ty, &function.lowerings[i], scalar(types, i))
            .ok_or_else(|| unsupported(function, &format!("parameter `{}`", p.name)))?;
        parameters.push(parameter);
        values.push(value);
    }
    let call = format!("{path}({})", values.join(", "));
    let result = scalar(types, function.parameters.len());
    let (returns, body) =
        returned(function, &call, result).ok_or_else(|| unsupported(function, "the result"))?;
    // Its name is one that no library has: the crate and the standard library link against those of C.
    let export = &function.export;
    let is_name = export.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(unsupported(function, &format!("the export name `{}`", function.symbol())));
    }
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        code,
        "#[no_mangle]\npub extern \"C\" fn {export}({}){returns} {{ {body} }}",
        parameters.join(", ")
    );
    Ok(())
}

/// The parameters of the export for one of the function, and the value that is handed on.
fn argument(i: usize, ty: Type, lowering: &Lowering, scalar: &str) -> Option<(String, String)> {
    match (lowering, ty) {
        (Lowering::Value, _) => Some((format!("a{i}: {scalar}"), format!("a{i}"))),
        (Lowering::PointerLength(passing), ty) => {
            let (mutable, slice, access) = match passing {
                Passing::In => ("const", "from_raw_parts", "&"),
                Passing::InOut => ("mut", "from_raw_parts_mut", "&mut "),
            };
            let element = if ty == Type::Text { "u8" } else { scalar };
            let data = format!("unsafe {{ ::core::slice::{slice}(a{i}, n{i}) }}");
            let value = match ty {
                Type::Text => format!("::core::str::from_utf8({data}).unwrap()"),
                _ => format!("{access}*{data}"),
            };
            Some((format!("a{i}: *{mutable} {element}, n{i}: usize"), value))
        }
        _ => None,
    }
}

/// What the export returns, and its code.
fn returned(function: &Function, call: &str, scalar: &str) -> Option<(String, String)> {
    Some(match &function.result {
        ResultLowering::None => (String::new(), format!("{call};")),
        ResultLowering::Value(_) => (format!(" -> {scalar}"), call.to_owned()),
        ResultLowering::ReturnPointer(ty) => {
            let (owned, data) = match ty {
                Type::Text => ("String".to_owned(), "value.as_mut_str().as_mut_ptr()"),
                _ => (format!("Vec<{scalar}>"), "value.as_mut_ptr()"),
            };
            let body = format!(
                "let mut value: {owned} = {call}.into(); let returned = Returned {{ data: {data}.cast(), length: \
                 value.len() }}; ::core::mem::forget(value); returned"
            );
            (" -> Returned".to_owned(), body)
        }
        _ => return None,
    })
}

fn unsupported(function: &Function, what: &str) -> BuildError {
    BuildError::Unsupported(format!(
        "no glue can be generated for {what} of `{}`: scalars, slices and text by pointer-length, and results by value or \
         return-pointer can; write a small crate around it and name that with [build] rust = \"…\"",
        function.name
    ))
}
