//! What the engine does by calling functions of its own, made calls of imports: the code then nowhere depends on how
//! far away these functions are, and calls of different ones differ.

use std::collections::BTreeMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    DataSection, ElementSection, EntityType, ImportSection, Instruction, Module, SectionId, TypeSection,
    ValType,
};
use wasmparser::{Operator, Parser, Payload};

use crate::execute::LoadError;

/// The module name of the added imports.
const MODULE: &str = "dodona";

type Signature = (Vec<ValType>, Vec<ValType>);

/// What is imported in place of instructions, by how they are written.
#[derive(Default)]
struct Opaque {
    /// Functions and types that the module has.
    imported: u32,
    types: u32,
    added: BTreeMap<String, Signature>,
    has_imports: bool,
}

/// The module with imports in place of such instructions, and which they are, in order.
///
/// # Errors
/// When it cannot be read, or a function calls a defined one.
pub(super) fn rewrite(wasm: &[u8]) -> Result<(Vec<u8>, Vec<String>), LoadError> {
    let refuse = |message: String| LoadError::Compile { message };
    let mut opaque = Opaque::default();
    for payload in Parser::new(0).parse_all(wasm) {
        opaque.read(payload.map_err(|e| refuse(e.to_string()))?)?;
    }
    let names: Vec<String> = opaque.added.keys().cloned().collect();
    let mut module = Module::new();
    opaque.parse_core_module(&mut module, Parser::new(0), wasm).map_err(|e| refuse(e.to_string()))?;
    Ok((module.finish(), names))
}

impl Opaque {
    fn read(&mut self, payload: Payload<'_>) -> Result<(), LoadError> {
        let refuse = |e: wasmparser::BinaryReaderError| LoadError::Compile { message: e.to_string() };
        match payload {
            Payload::TypeSection(types) => {
                for group in types {
                    self.types += group.map_err(refuse)?.types().len() as u32;
                }
            }
            Payload::ImportSection(imports) => {
                self.has_imports = true;
                for import in imports.into_imports() {
                    self.imported += u32::from(is_function(import.map_err(refuse)?.ty));
                }
            }
            Payload::CodeSectionEntry(body) => {
                let mut reader = body.get_operators_reader().map_err(refuse)?;
                while !reader.eof() {
                    self.look(&reader.read().map_err(refuse)?)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn look(&mut self, operator: &Operator<'_>) -> Result<(), LoadError> {
        if let Operator::Call { function_index } | Operator::ReturnCall { function_index } = operator
            && *function_index >= self.imported
        {
            let message =
                format!("function {function_index} is called where only imports may be; import it instead");
            return Err(LoadError::Compile { message });
        }
        if let Some(signature) = signature(operator) {
            self.added.insert(name(operator), signature);
        }
        Ok(())
    }
}

/// The signature of the function that the engine calls for an instruction; `None` for other instructions.
fn signature(operator: &Operator<'_>) -> Option<Signature> {
    use Operator as O;
    const I: ValType = ValType::I32;
    // The engine is built without references to anything else.
    const F: ValType = ValType::FUNCREF;
    Some(match operator {
        O::MemoryCopy { .. }
        | O::MemoryFill { .. }
        | O::MemoryInit { .. }
        | O::TableCopy { .. }
        | O::TableInit { .. } => (vec![I, I, I], vec![]),
        O::MemoryGrow { .. } => (vec![I], vec![I]),
        O::DataDrop { .. } | O::ElemDrop { .. } => (vec![], vec![]),
        O::TableGrow { .. } => (vec![F, I], vec![I]),
        O::TableFill { .. } => (vec![I, F, I], vec![]),
        O::RefFunc { .. } => (vec![], vec![F]),
        _ => return None,
    })
}

fn is_function(ty: wasmparser::TypeRef) -> bool {
    matches!(ty, wasmparser::TypeRef::Func(_) | wasmparser::TypeRef::FuncExact(_))
}

/// An instruction with its immediates.
fn name(operator: &Operator<'_>) -> String {
    format!("{operator:?}")
}

impl Reencode for Opaque {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        let behind = if function < self.imported { 0 } else { self.added.len() as u32 };
        Ok(function + behind)
    }

    fn instruction<'a>(&mut self, operator: Operator<'a>) -> Result<Instruction<'a>, Error<Infallible>> {
        if signature(&operator).is_some() {
            let before = self.added.range(..name(&operator)).count() as u32;
            return Ok(Instruction::Call(self.imported + before));
        }
        utils::instruction(self, operator)
    }

    // Filling memories and tables when an instance starts takes calls too, and means nothing to the code of functions.
    fn parse_data(
        &mut self,
        data: &mut DataSection,
        _segment: wasmparser::Data<'_>,
    ) -> Result<(), Error<Infallible>> {
        data.passive([]);
        Ok(())
    }

    fn parse_element(
        &mut self,
        elements: &mut ElementSection,
        element: wasmparser::Element<'_>,
    ) -> Result<(), Error<Infallible>> {
        let items = self.element_items(element.items)?;
        elements.declared(items);
        Ok(())
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_type_section(self, types, section)?;
        for (parameters, results) in self.added.values() {
            types.ty().function(parameters.iter().copied(), results.iter().copied());
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_import_section(self, imports, section)?;
        self.import(imports);
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        after: Option<SectionId>,
        _before: Option<SectionId>,
    ) -> Result<(), Error<Infallible>> {
        if after == Some(SectionId::Type) && !self.has_imports && !self.added.is_empty() {
            let mut imports = ImportSection::new();
            self.import(&mut imports);
            module.section(&imports);
        }
        Ok(())
    }
}

impl Opaque {
    fn import(&self, imports: &mut ImportSection) {
        for (name, ty) in self.added.keys().zip(self.types..) {
            imports.import(MODULE, name, EntityType::Function(ty));
        }
    }
}
