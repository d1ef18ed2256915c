//! Reading a module's sections once.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::OnceLock;

use wasmparser::{ExternalKind, FuncType, MemoryType, Operator, Payload, TypeRef};

use super::{DataRange, Export, ExportKind, Global, Import, ImportKind, names};

/// What the sections of a module hold.
#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) bytes: Vec<u8>,
    pub(super) types: Vec<FuncType>,
    /// The type index of each function, imported ones first.
    pub(super) functions: Vec<u32>,
    pub(super) imported_functions: u32,
    pub(super) imports: Vec<Import>,
    pub(super) exports: Vec<Export>,
    /// The index of each exported function by its name.
    pub(super) exported_functions: HashMap<String, u32>,
    pub(super) globals: Vec<Global>,
    pub(super) memories: Vec<MemoryType>,
    pub(super) tables: u32,
    /// Functions that are placed in a table or that a global variable refers to at the start.
    pub(super) elements: Vec<u32>,
    /// The function that runs when the module is instantiated.
    pub(super) start: Option<u32>,
    pub(super) data: Vec<DataRange>,
    pub(super) has_dynamic_data: bool,
    pub(super) bodies: Vec<Range<usize>>,
    pub(super) code_start: usize,
    pub(super) names: BTreeMap<u32, String>,
    pub(super) global_names: BTreeMap<u32, String>,
    pub(super) custom: Vec<(String, Range<usize>)>,
    /// Found when it is first asked for: without names, all code is looked through.
    pub(super) stack_pointer: OnceLock<Option<u32>>,
}

type Read = Result<(), wasmparser::BinaryReaderError>;

impl Inner {
    pub(super) fn read(&mut self, payload: Payload<'_>) -> Read {
        match payload {
            Payload::TypeSection(reader) => {
                for group in reader {
                    self.types.extend(group?.types().map(function_type));
                }
            }
            Payload::ImportSection(reader) => {
                for import in reader.into_imports() {
                    self.import(&import?);
                }
            }
            Payload::FunctionSection(reader) => {
                for index in reader {
                    self.functions.push(index?);
                }
            }
            Payload::TableSection(reader) => {
                for table in reader {
                    self.table(&table?)?;
                }
            }
            Payload::MemorySection(reader) => {
                for memory in reader {
                    self.memories.push(memory?);
                }
            }
            Payload::GlobalSection(reader) => {
                for global in reader {
                    self.global(&global?)?;
                }
            }
            Payload::ExportSection(reader) => {
                for export in reader {
                    let export = exported(&export?);
                    if let ExportKind::Function(index) = export.kind {
                        self.exported_functions.insert(export.name.clone(), index);
                    }
                    self.exports.push(export);
                }
            }
            Payload::ElementSection(reader) => {
                for element in reader {
                    self.element(element?.items)?;
                }
            }
            Payload::DataSection(reader) => {
                for data in reader {
                    self.data_segment(&data?);
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::CodeSectionStart { range, .. } => self.code_start = range.start,
            Payload::CodeSectionEntry(body) => self.bodies.push(body.range()),
            Payload::CustomSection(section) => self.custom_section(&section),
            _ => {}
        }
        Ok(())
    }

    fn custom_section(&mut self, section: &wasmparser::CustomSectionReader<'_>) {
        self.custom.push((section.name().to_owned(), section.data_offset()..section.range().end));
        // Names are a convenience: a damaged name section is no reason to refuse the module.
        let _ = names::read(section, &mut self.names, &mut self.global_names);
    }

    fn import(&mut self, import: &wasmparser::Import<'_>) {
        let kind = match import.ty {
            TypeRef::Func(index) | TypeRef::FuncExact(index) => {
                self.functions.push(index);
                self.imported_functions += 1;
                // The type is known only when the whole module is read; see `fill_imported_types`.
                ImportKind::Function(FuncType::new([], []))
            }
            TypeRef::Table(_) => {
                self.tables += 1;
                ImportKind::Other("table")
            }
            TypeRef::Memory(memory) => {
                self.memories.push(memory);
                ImportKind::Other("memory")
            }
            TypeRef::Global(ty) => {
                self.globals.push(Global { ty, i32_init: None });
                ImportKind::Other("global")
            }
            TypeRef::Tag(_) => ImportKind::Other("tag"),
        };
        self.imports.push(Import { module: import.module.to_owned(), name: import.name.to_owned(), kind });
    }

    pub(super) fn fill_imported_types(&mut self) {
        let mut indices = self.functions.iter();
        for import in &mut self.imports {
            if let ImportKind::Function(ty) = &mut import.kind
                && let Some(found) = indices.next().and_then(|&i| self.types.get(i as usize))
            {
                *ty = found.clone();
            }
        }
    }

    fn table(&mut self, table: &wasmparser::Table<'_>) -> Read {
        self.tables += 1;
        match &table.init {
            wasmparser::TableInit::Expr(expression) => self.referred(expression),
            wasmparser::TableInit::RefNull => Ok(()),
        }
    }

    fn global(&mut self, global: &wasmparser::Global<'_>) -> Read {
        self.globals.push(defined(global));
        self.referred(&global.init_expr)
    }

    fn element(&mut self, items: wasmparser::ElementItems<'_>) -> Read {
        match items {
            wasmparser::ElementItems::Functions(reader) => {
                for function in reader {
                    self.elements.push(function?);
                }
            }
            wasmparser::ElementItems::Expressions(_, reader) => {
                for expression in reader {
                    self.referred(&expression?)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps the functions that a constant expression refers to.
    fn referred(&mut self, expression: &wasmparser::ConstExpr<'_>) -> Read {
        for operator in expression.get_operators_reader() {
            if let Operator::RefFunc { function_index } = operator? {
                self.elements.push(function_index);
            }
        }
        Ok(())
    }

    fn data_segment(&mut self, data: &wasmparser::Data<'_>) {
        if let wasmparser::DataKind::Active { memory_index, offset_expr } = &data.kind {
            match constant(offset_expr) {
                Some(start) if *memory_index == 0 => {
                    let start = u64::from(start as u32);
                    self.data.push(DataRange { addresses: start..start + data.data.len() as u64 });
                }
                Some(_) => {}
                None => self.has_dynamic_data = true,
            }
        }
    }
}

/// A type of functions. Types of another kind (GC proposals) keep their index with an empty stand-in.
fn function_type(ty: &wasmparser::SubType) -> FuncType {
    match &ty.composite_type.inner {
        wasmparser::CompositeInnerType::Func(function) => function.clone(),
        _ => FuncType::new([], []),
    }
}

fn defined(global: &wasmparser::Global<'_>) -> Global {
    Global { ty: global.ty, i32_init: constant(&global.init_expr) }
}

fn exported(export: &wasmparser::Export<'_>) -> Export {
    let kind = match export.kind {
        ExternalKind::Func | ExternalKind::FuncExact => ExportKind::Function(export.index),
        ExternalKind::Memory => ExportKind::Memory(export.index),
        ExternalKind::Global => ExportKind::Global(export.index),
        ExternalKind::Table => ExportKind::Table(export.index),
        ExternalKind::Tag => ExportKind::Tag(export.index),
    };
    Export { name: export.name.to_owned(), kind }
}

/// The value of an initialiser that is a single `i32.const`.
fn constant(expression: &wasmparser::ConstExpr<'_>) -> Option<i32> {
    let mut reader = expression.get_operators_reader();
    match (reader.read().ok()?, reader.read().ok()?) {
        (Operator::I32Const { value }, Operator::End) => Some(value),
        _ => None,
    }
}
