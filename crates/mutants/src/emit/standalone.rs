//! Patched functions as modules: one mutant alone, or many bodies side by side, whose compiled code is compared.

use std::collections::BTreeMap;
use std::convert::Infallible;

use dodona_subject::Module;
use dodona_subject::wasmparser::{Parser, Payload};
use dodona_wasm::execute::{Original, Patch};
use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder, utils};
use wasm_encoder::{
    CodeSection, EntityType, Function, FunctionSection, ImportSection, RawSection, SectionId, ValType,
};

use crate::Scanned;

type Error = reencode::Error<Infallible>;

/// A function as it is in the module, with patches.
pub(crate) struct Body<'a, 'm> {
    pub scanned: &'a Scanned<'m>,
    pub locals: Vec<ValType>,
    /// By ascending instruction.
    pub patches: Vec<Patch>,
}

impl Body<'_, '_> {
    /// The body's bytes: its locals and its code.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.function()?.into_raw_body())
    }

    fn function(&self) -> Result<Function, Error> {
        let module = self.scanned.module;
        let mut locals = Vec::new();
        if let Some(body) = module.body(self.scanned.function) {
            for pair in body.get_locals_reader()? {
                let (count, ty) = pair?;
                locals.push((count, RoundtripReencoder.val_type(ty)?));
            }
        }
        locals.extend(self.locals.iter().map(|ty| (1, *ty)));
        let mut function = Function::new(locals);
        let code = self.scanned.encoded.of(module, self.scanned.function)?;
        let mut done = 0;
        for patch in &self.patches {
            let at = patch.at as usize;
            function.raw(code.range(done.min(at)..at).iter().copied());
            for instruction in &patch.code {
                function.instruction(instruction);
            }
            done = if patch.original == Original::Kept { at } else { at + 1 };
        }
        function.raw(code.range(done..code.len()).iter().copied());
        Ok(function)
    }
}

/// The module with these functions instead of its own ones. It has no debug information, because the offsets would be wrong.
pub(crate) fn standalone(module: &Module, bodies: &[Body<'_, '_>]) -> Result<Vec<u8>, Error> {
    let mut replaced = BTreeMap::new();
    for body in bodies {
        replaced.insert(body.scanned.function, body.function()?);
    }
    let mut out = wasm_encoder::Module::new();
    let mut code = CodeSection::new();
    for payload in Parser::new(0).parse_all(module.bytes()) {
        match payload? {
            Payload::CodeSectionStart { .. } => {}
            Payload::CodeSectionEntry(body) => {
                let index = module.imported_functions() + code.len();
                match replaced.get(&index) {
                    Some(function) => code.function(function),
                    None => code.raw(&module.bytes()[body.range()]),
                };
                if index + 1 == module.function_count() {
                    out.section(&code);
                }
            }
            Payload::CustomSection(section) if section.name().starts_with(".debug") => {}
            other => copy(&other, module, &mut out),
        }
    }
    Ok(out.finish())
}

/// Bodies side by side in one module. All functions that they call are imported, so that equal bodies compile to equal code
/// wherever they are. The module's defined functions are the bodies, in order.
pub(crate) fn bodies_alone(module: &Module, bodies: &[Body<'_, '_>]) -> Result<Vec<u8>, Error> {
    let mut imports = ImportSection::new();
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for body in bodies {
        functions.function(module.function_type_index(body.scanned.function).unwrap_or_default());
        code.function(&body.function()?);
    }
    let mut out = wasm_encoder::Module::new();
    let mut placed = Placed { imports: false, functions: false };
    for payload in Parser::new(0).parse_all(module.bytes()) {
        let payload = payload?;
        if let Payload::ImportSection(section) = &payload {
            utils::parse_import_section(&mut RoundtripReencoder, &mut imports, section.clone())?;
        }
        if payload.as_section().is_some_and(|(id, _)| id > SectionId::Type as u8) {
            placed.imports(module, &mut imports, &mut out);
        }
        if payload.as_section().is_some_and(|(id, _)| id > SectionId::Function as u8) {
            placed.functions(&functions, &mut out);
        }
        match payload {
            Payload::ImportSection(_) | Payload::FunctionSection(_) | Payload::StartSection { .. } => {}
            Payload::CodeSectionStart { .. } => {
                out.section(&code);
            }
            Payload::CodeSectionEntry(_) | Payload::CustomSection(_) => {}
            other => copy(&other, module, &mut out),
        }
    }
    Ok(out.finish())
}

struct Placed {
    imports: bool,
    functions: bool,
}

impl Placed {
    fn imports(&mut self, module: &Module, imports: &mut ImportSection, out: &mut wasm_encoder::Module) {
        if std::mem::replace(&mut self.imports, true) {
            return;
        }
        for function in module.imported_functions()..module.function_count() {
            let ty = module.function_type_index(function).unwrap_or_default();
            imports.import("dodona", &function.to_string(), EntityType::Function(ty));
        }
        out.section(imports);
    }

    fn functions(&mut self, functions: &FunctionSection, out: &mut wasm_encoder::Module) {
        if !std::mem::replace(&mut self.functions, true) {
            out.section(functions);
        }
    }
}

fn copy(payload: &Payload<'_>, module: &Module, out: &mut wasm_encoder::Module) {
    if let Some((id, range)) = payload.as_section() {
        out.section(&RawSection { id, data: &module.bytes()[range] });
    }
}
