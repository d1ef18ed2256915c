//! The generated code of all functions of a manifest, and what the compiler says of it.

use std::collections::BTreeSet;

use super::GLUE;
use super::exported::Exported;
use super::fits::fitting;
use super::glue::Glue;
use super::said::{self, Said};
use crate::build::call_code::is_statements;
use crate::build::{BuildError, Refused};
use crate::function::ALLOCATOR;
use crate::{AssemblyScriptSource, Function, Manifest};

/// What all calls use.
pub(super) const COMMON: &str = include_str!("common.ts");

/// Names that the glue itself uses. Those of the subject that are called so are not imported by these names.
const USED: &str = "default Array StaticArray ArrayBuffer ArrayBufferView String Error Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array \
    Int64Array Uint64Array Float32Array Float64Array memory heap store sizeof valueof idof changetype instantiate isArray isBoolean isFloat isInteger isSigned isReference string ERROR";

/// Whose code a part of the glue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// Nobody's in particular.
    All,
    /// The manifest's `prelude`.
    Prelude,
    /// That around the call of a function, by its index.
    Glue(usize),
    /// The `call` of a function, by its index.
    Call(usize),
}

/// The glue of a manifest.
#[derive(Debug)]
pub(super) struct Calls<'a> {
    manifest: &'a Manifest,
    code: String,
    /// Where each part begins, in lines from 1, and whose it is.
    parts: Vec<(usize, Owner)>,
}

impl<'a> Calls<'a> {
    /// Writes the glue of functions that a module exports. `import` is the module as the glue imports it.
    ///
    /// # Errors
    /// [`BuildError::Refused`] with all functions that do not fit their signatures.
    pub(super) fn of(
        manifest: &'a Manifest,
        source: &AssemblyScriptSource,
        import: &str,
        exports: &[Exported],
    ) -> Result<Calls<'a>, BuildError> {
        let mut calls = Calls { manifest, code: String::new(), parts: Vec::new() };
        calls.write_beginning(source, import, exports);
        let mut refused = Vec::new();
        let mut plain = BTreeSet::new();
        for (index, function) in manifest.functions.iter().enumerate() {
            let export = &source.exports[index];
            let result = source.types[index].get(function.parameters.len());
            let glue = Glue { function, export, result, fitting: None };
            if let Some(call) = &source.calls[index] {
                calls.write_call(index, &glue, call);
                continue;
            }
            let written = fitting(function, export, result, exports).and_then(|fitting| {
                // An export that a manifest names twice is one export.
                if function.passes_addresses() || plain.insert(export.clone()) {
                    let glue = Glue { fitting: Some(fitting), ..glue };
                    let module = serde_json::Value::from(import);
                    calls.write(Owner::Glue(index), &glue.direct(&module.to_string()));
                    return Ok(());
                }
                match fitting.has_more {
                    true => Err(format!(
                        "`{}`: several functions call `{export}`; give each a `call`",
                        function.name
                    )),
                    false => Ok(()),
                }
            });
            refused.extend(written.err().map(|words| Refused { function: function.name.clone(), words }));
        }
        if refused.is_empty() { Ok(calls) } else { Err(BuildError::Refused(refused)) }
    }

    /// The code of the glue.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    fn write(&mut self, owner: Owner, code: &str) {
        self.parts.push((self.code.matches('\n').count() + 1, owner));
        self.code += code;
        if !code.ends_with('\n') {
            self.code.push('\n');
        }
    }

    /// What stands before the functions: the names of the module, memory for arguments, and the manifest's own code.
    fn write_beginning(&mut self, source: &AssemblyScriptSource, import: &str, exports: &[Exported]) {
        let module = serde_json::Value::from(import);
        let mut code = format!("import * as dodona_module from {module};\n");
        let names: Vec<&str> = exports.iter().map(|exported| exported.name.as_str()).collect();
        let names: Vec<&str> = names
            .into_iter()
            .filter(|name| !USED.split(' ').any(|used| used == *name) && !name.starts_with("dodona_"))
            .collect();
        let has_code = source.calls.iter().any(Option::is_some) || !source.prelude.is_empty();
        if has_code && !names.is_empty() {
            code += &format!("import {{ {} }} from {module};\n", names.join(", "));
        }
        code += COMMON;
        if self.manifest.functions.iter().any(Function::passes_addresses) {
            code +=
                &format!("export function {ALLOCATOR}(size: usize): usize {{ return heap.alloc(size); }}\n");
        }
        self.write(Owner::All, &code);
        if !source.prelude.is_empty() {
            self.write(Owner::Prelude, &source.prelude);
        }
    }

    /// A function that is called by code of the manifest.
    fn write_call(&mut self, index: usize, glue: &Glue<'_>, call: &str) {
        let (begin, end) = glue.around(call);
        self.write(Owner::Glue(index), &format!("{}{}{begin}", glue.checks(), glue.before()));
        self.write(Owner::Call(index), call);
        self.write(Owner::Glue(index), &format!("{end}{}", glue.after(is_statements(call))));
    }

    /// What the compiler says of the glue, in terms of the manifest: nobody wrote the rest of that code.
    pub(super) fn explained(&self, error: BuildError) -> BuildError {
        let BuildError::Failed { command, output } = error else { return error };
        let mut refused: Vec<Refused> = Vec::new();
        let mut others = Vec::new();
        for said in said::places(&output).iter().filter(|said| said.file == GLUE) {
            let (owner, words) = self.words(said);
            match owner {
                Owner::Call(index) | Owner::Glue(index) => {
                    let function = self.manifest.functions[index].name.clone();
                    let one = Refused { function, words };
                    if !refused.contains(&one) {
                        refused.push(one);
                    }
                }
                Owner::Prelude | Owner::All => others.push(words),
            }
        }
        match (refused.is_empty(), others.is_empty()) {
            (false, _) => BuildError::Refused(refused),
            (true, false) => BuildError::Unsupported(others.join("\n")),
            (true, true) => BuildError::Failed { command, output },
        }
    }

    /// Whose code an error is about, and how it is told.
    fn words(&self, said: &Said) -> (Owner, String) {
        let part = self.parts.partition_point(|(first, _)| *first <= said.line).saturating_sub(1);
        let (mut first, mut owner) = self.parts[part];
        // That something is missing at the end of a call is noticed in the line behind it.
        if let Some((start, Owner::Call(index))) = part.checked_sub(1).map(|before| self.parts[before])
            && said.line == first
        {
            (first, owner) = (start, Owner::Call(index));
        }
        let at = format!("line {}, column {}", said.line - first + 1, said.column);
        let message = said.message.strip_prefix("User-defined: ").unwrap_or(&said.message);
        let message = message.trim_matches('"').trim_end_matches('.');
        let name = |index: usize| &self.manifest.functions[index].name;
        let words = match owner {
            Owner::Call(index) => {
                format!("the `call` of `{}` does not compile: {at}: {message}{}", name(index), hint(message))
            }
            Owner::Glue(index) => format!("`{}` cannot be called: {message}", name(index)),
            Owner::Prelude => format!("`prelude` does not compile: {at}: {message}{}", hint(message)),
            // Only code of the manifest calls these with types that nobody looked at.
            Owner::All => {
                format!(
                    "a `call` uses `dodona_as` or `dodona_array` with a type that is no array of numbers: {message}"
                )
            }
        };
        (owner, words)
    }
}

/// What to do about an error in code of the manifest.
fn hint(message: &str) -> &'static str {
    match message.starts_with("Cannot find name") {
        true => "; the code has the parameters, and what the module exports",
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::ModuleSource;
    use crate::build::assemblyscript::exported::{ExportedParameter, Kind};

    fn exported(name: &str, parameters: &[&str], result: &str) -> Exported {
        let parameter =
            |ty: &&str| ExportedParameter { name: "p".to_owned(), ty: (*ty).to_owned(), is_optional: false };
        let parameters = parameters.iter().map(parameter).collect();
        Exported { name: name.to_owned(), kind: Kind::Function, parameters, result: result.to_owned() }
    }

    /// The glue of functions of a manifest, with whose each of its lines is.
    fn glue(functions: &str) -> (String, Vec<Owner>) {
        let text =
            format!("[build]\nassemblyscript = 'a.ts'\nprelude = \"let x = 1;\\nlet y = 2;\"\n{functions}");
        let manifest = Manifest::parse(Path::new("dodona.toml"), &text)
            .unwrap_or_else(|problems| panic!("{problems:?}"));
        let ModuleSource::AssemblyScript(source) = &manifest.source else { panic!("{:?}", manifest.source) };
        let exports = [
            exported("f", &["~lib/string/String", "f64"], "~lib/string/String | null"),
            exported("g", &["~lib/staticarray/StaticArray<u16>"], "void"),
            exported("h", &["bool"], "u8"),
            exported("Array", &[], "void"),
        ];
        let calls = Calls::of(&manifest, source, "../a", &exports).unwrap_or_else(|error| panic!("{error}"));
        let at = |line| Said { message: String::new(), file: String::new(), line, column: 1 };
        let owners = (1..=calls.code().lines().count()).map(|line| calls.words(&at(line)).0).collect();
        (calls.code().to_owned(), owners)
    }

    fn function(signature: &str, more: &str) -> String {
        format!("[[function]]\nsignature = '{signature}'\n{more}\n")
    }

    #[test]
    fn objects_are_made_before_a_call_and_outputs_lie_in_slots_behind_it() {
        let functions = function("f(x: text, y: f64) -> Option<text>", "")
            + &function("g(x: [u16])", "lower.x = 'in-out'")
            + &function("h(x: bool) -> u8", "");
        let (code, _) = glue(&functions);
        let wanted = "export { dodona_of_dodona_glue_f as dodona_glue_f }; function dodona_of_dodona_glue_f(dodona_slots: usize, dodona_a0: usize, dodona_n0: usize, dodona_p1: f64): void {
  let dodona_p0 = dodona_text(dodona_a0, dodona_n0);
const dodona_out = dodona_module.f(dodona_p0, dodona_p1);
  memory.fill(dodona_slots, 0, 16);
  const dodona_k0: ArrayBuffer | null = dodona_out === null ? null : String.UTF8.encode(dodona_out);
  if (dodona_k0 !== null) { store<u64>(dodona_slots + 8, 1); dodona_slot(dodona_slots + 0, changetype<usize>(dodona_k0), dodona_k0.byteLength); }
}
export { dodona_of_dodona_glue_g as dodona_glue_g }; function dodona_of_dodona_glue_g(dodona_a0: usize, dodona_n0: usize): void {
  let dodona_p0 = dodona_items<StaticArray<u16>>(dodona_a0, dodona_n0);
dodona_module.g(dodona_p0);
  dodona_back<StaticArray<u16>>(dodona_p0, dodona_a0, dodona_n0);
}
export { h } from \"../a\";
";
        assert!(code.ends_with(wanted), "{code}");
        // What the glue itself uses keeps its meaning.
        assert!(code.contains("import { f, g, h } from \"../a\";"), "{code}");
    }

    #[test]
    fn every_line_of_a_call_is_known_as_its_own() {
        for lines in 1..4 {
            let call = vec!["x += 1;"; lines].join("\n");
            let functions = function("i(x: i32) -> i32", &format!("call = \"\"\"{call}\"\"\""))
                + &function("j(x: i32) -> [i32]", &format!("call = \"\"\"{}[x]\"\"\"", "\n".repeat(lines)));
            let (code, owners) = glue(&functions);
            let of = |wanted: Owner| -> Vec<&str> {
                let lines = code.lines().zip(&owners).filter(|(_, owner)| **owner == wanted);
                lines.map(|(line, _)| line).collect()
            };
            assert_eq!(of(Owner::Prelude), ["let x = 1;", "let y = 2;"]);
            // The line behind a call is what it is told of that lacks an end.
            assert_eq!(of(Owner::Call(0))[..lines], vec!["x += 1;"; lines]);
            assert_eq!(of(Owner::Call(1)).iter().filter(|line| **line == "[x]").count(), 1);
        }
    }
}
