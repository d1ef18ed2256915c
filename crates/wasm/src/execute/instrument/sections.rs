//! The sections of the instrumented module: the original's, each with what is added behind it.

use std::convert::Infallible;

use wasm_encoder::reencode::{self, RoundtripReencoder, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, Elements, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection, MemorySection,
    MemoryType, RefType, TableSection, TableType, TagSection, TypeSection, ValType,
};
use wasmparser::{Parser, Payload};

use super::additions::Additions;
use super::body::{Rewrite, instrument_body};
use super::copies::only_copies;
use super::driver::driver_function;
use super::{GUARDS_OFF, Instrumented, Locations, Plan, fuel, growth, guard, marks, names};
use crate::execute::LoadError;

type Error = reencode::Error<Infallible>;

#[derive(Default)]
struct Sections {
    types: TypeSection,
    imports: ImportSection,
    functions: FunctionSection,
    tables: TableSection,
    memories: MemorySection,
    tags: TagSection,
    globals: GlobalSection,
    exports: ExportSection,
    elements: ElementSection,
    data_count: Option<u32>,
    code: CodeSection,
    data: DataSection,
    /// The type of table 0, to be written with room for function pointers.
    first_table: Option<TableType>,
    /// Bytes of the largest function.
    largest: usize,
}

/// Makes the instrumented module.
///
/// # Errors
/// When the module uses something that cannot be re-encoded.
pub(crate) fn instrument(plan: &Plan<'_>) -> Result<Instrumented, LoadError> {
    build(plan).map_err(|e| LoadError::Compile { message: e.to_string() })
}

fn build(plan: &Plan<'_>) -> Result<Instrumented, Error> {
    let additions = Additions::new(plan);
    let mut sections = Sections::default();
    let mut locations = Locations::new(plan.module.imported_functions());
    for payload in Parser::new(0).parse_all(plan.module.bytes()) {
        sections.copy(payload?, &additions, &mut locations)?;
    }
    sections.add_globals(&additions);
    sections.add_pointers(plan);
    sections.add_functions(&additions);
    sections.add_copies(&additions, &mut locations)?;
    sections.add_memory(&additions);
    sections.add_exports(&additions);
    let Additions { drivers, notes, globals, .. } = additions;
    let largest = sections.largest;
    Ok(Instrumented { bytes: sections.finish(), drivers, locations, notes, globals, largest })
}

/// Where the function pointers added behind the module's own table begin.
pub(crate) fn first_pointer(module: &dodona_subject::Module) -> u32 {
    // Index 0 is the null pointer of C and must stay empty.
    original_table(module).map_or(1, |table| (table.minimum as u32).max(1))
}

fn original_table(module: &dodona_subject::Module) -> Option<TableType> {
    for payload in Parser::new(0).parse_all(module.bytes()) {
        if let Ok(Payload::TableSection(reader)) = payload {
            let table = reader.into_iter().next()?.ok()?;
            return TableType::try_from(table.ty).ok();
        }
    }
    None
}

impl Sections {
    fn copy(
        &mut self,
        payload: Payload<'_>,
        additions: &Additions<'_>,
        locations: &mut Locations,
    ) -> Result<(), Error> {
        let plan = additions.plan;
        let r = &mut RoundtripReencoder;
        match payload {
            Payload::TypeSection(s) => utils::parse_type_section(r, &mut self.types, s)?,
            Payload::ImportSection(s) => utils::parse_import_section(r, &mut self.imports, s)?,
            Payload::FunctionSection(s) => utils::parse_function_section(r, &mut self.functions, s)?,
            Payload::TableSection(s) => self.copy_tables(s, plan)?,
            Payload::MemorySection(s) => self.copy_memories(s, plan)?,
            Payload::TagSection(s) => utils::parse_tag_section(r, &mut self.tags, s)?,
            Payload::GlobalSection(s) => utils::parse_global_section(r, &mut self.globals, s)?,
            Payload::ExportSection(s) => self.copy_exports(s, plan)?,
            Payload::ElementSection(s) => utils::parse_element_section(r, &mut self.elements, s)?,
            Payload::DataCountSection { count, .. } => self.data_count = Some(count),
            Payload::DataSection(s) => utils::parse_data_section(r, &mut self.data, s)?,
            Payload::CodeSectionEntry(body) => self.copy_body(&body, additions, locations)?,
            _ => {}
        }
        Ok(())
    }

    fn copy_tables(
        &mut self,
        section: wasmparser::TableSectionReader<'_>,
        plan: &Plan<'_>,
    ) -> Result<(), Error> {
        if plan.pointers.is_empty() {
            return utils::parse_table_section(&mut RoundtripReencoder, &mut self.tables, section);
        }
        for (index, table) in section.into_iter().enumerate() {
            let table = table?;
            if index == 0 {
                let ty = with_room(TableType::try_from(table.ty)?, plan);
                self.first_table = Some(ty);
                self.tables.table(ty);
            } else {
                utils::parse_table(&mut RoundtripReencoder, &mut self.tables, table)?;
            }
        }
        Ok(())
    }

    fn copy_exports(
        &mut self,
        section: wasmparser::ExportSectionReader<'_>,
        plan: &Plan<'_>,
    ) -> Result<(), Error> {
        for export in section {
            let export = export?;
            let is_referred =
                export.kind == wasmparser::ExternalKind::Func && plan.referred.contains(&export.index);
            if is_referred || plan.exported.contains(export.name) {
                utils::parse_export(&mut RoundtripReencoder, &mut self.exports, export)?;
            }
        }
        Ok(())
    }

    /// A module's only memory loses its declared maximum, which the host keeps instead: arguments
    /// may need pages beyond it.
    fn copy_memories(
        &mut self,
        section: wasmparser::MemorySectionReader<'_>,
        plan: &Plan<'_>,
    ) -> Result<(), Error> {
        let only = plan.module.memories().len() == 1;
        for memory in section {
            let memory = MemoryType::from(memory?);
            let maximum = if only { None } else { memory.maximum };
            self.memories.memory(MemoryType { maximum, ..memory });
        }
        Ok(())
    }

    fn copy_body(
        &mut self,
        body: &wasmparser::FunctionBody<'_>,
        additions: &Additions<'_>,
        locations: &mut Locations,
    ) -> Result<(), Error> {
        let module = additions.plan.module;
        let index = module.imported_functions() + self.code.len();
        let parameters = parameters(module, index);
        let replaced = if !additions.plan.kept.contains(&index) {
            Some(without_code())
        } else if additions.plan.never_original.contains(&index) {
            Some(only_copies(&additions.added, parameters, additions.arms(index)))
        } else {
            None
        };
        if let Some(function) = replaced {
            self.code.function(&function);
            locations.push(Vec::new());
            return Ok(());
        }
        let rewrite = Rewrite {
            body,
            parameters,
            guards: additions.guards(index),
            is_marked: additions.plan.marked.contains(&index),
            arms: additions.arms(index),
            copy: None,
        };
        let (function, starts) = instrument_body(&rewrite, additions)?;
        self.largest = self.largest.max(function.byte_len());
        self.code.function(&function);
        locations.push(starts);
        Ok(())
    }

    fn add_copies(&mut self, additions: &Additions<'_>, locations: &mut Locations) -> Result<(), Error> {
        let module = additions.plan.module;
        locations.copies_from(module.imported_functions() + self.code.len());
        for copy in &additions.plan.variants.copies {
            let (body, ty) = (module.body(copy.function), module.function_type_index(copy.function));
            let (Some(body), Some(ty)) = (body, ty) else { continue };
            let rewrite = Rewrite {
                body: &body,
                parameters: parameters(module, copy.function),
                guards: additions.guards(copy.function),
                is_marked: additions.plan.marked.contains(&copy.function),
                arms: &[],
                copy: Some(copy),
            };
            let (function, starts) = instrument_body(&rewrite, additions)?;
            self.functions.function(ty);
            self.largest = self.largest.max(function.byte_len());
            self.code.function(&function);
            locations.push_copy(copy.function, starts);
        }
        Ok(())
    }

    fn add_globals(&mut self, additions: &Additions<'_>) {
        let Additions { plan, added, .. } = additions;
        let mut global = |ty, init: ConstExpr| {
            self.globals.global(GlobalType { val_type: ty, mutable: true, shared: false }, &init);
        };
        // In the order of `Added`. Instantiation (start functions) has a call's worth of fuel.
        global(ValType::I64, ConstExpr::i64_const(plan.fuel as i64));
        global(ValType::I32, ConstExpr::i32_const(0));
        global(ValType::I32, ConstExpr::i32_const(GUARDS_OFF));
        for _ in added.floor..=added.violated {
            global(ValType::I32, ConstExpr::i32_const(0));
        }
        global(ValType::I32, ConstExpr::i32_const(growth::NO_LIMIT));
        if !plan.variants.is_empty() {
            global(ValType::I32, ConstExpr::i32_const(0));
            global(ValType::I32, ConstExpr::i32_const(0));
            global(ValType::I32, ConstExpr::i32_const(additions.notes.base as i32));
        }
    }

    fn add_pointers(&mut self, plan: &Plan<'_>) {
        if plan.pointers.is_empty() {
            return;
        }
        let first = first_pointer(plan.module);
        if self.first_table.is_none() {
            let empty = TableType {
                element_type: RefType::FUNCREF,
                table64: false,
                minimum: 1,
                maximum: None,
                shared: false,
            };
            self.tables.table(with_room(empty, plan));
        }
        let functions = Elements::Functions(plan.pointers.into());
        self.elements.active(None, &ConstExpr::i32_const(first as i32), functions);
    }

    fn add_functions(&mut self, additions: &Additions<'_>) {
        let Additions { plan, added, .. } = additions;
        let units = plan.module.type_count();
        let (range, part, rows, needed, grown) = (units + 1, units + 2, units + 3, units + 4, units + 5);
        const DRIVER: &[ValType] = &[ValType::I32, ValType::I32, ValType::I64];
        for parameters in [&[ValType::I64][..], &[ValType::I64; 2], &[ValType::I32; 2]] {
            self.types.ty().function(parameters.iter().copied(), []);
        }
        for parameters in [DRIVER, &[ValType::I32], &[ValType::I32; 2]] {
            self.types.ty().function(parameters.iter().copied(), [ValType::I32]);
        }
        for ty in [units, range, part, needed, grown, part] {
            self.functions.function(ty);
        }
        self.code.function(&fuel::charge_function(added));
        self.code.function(&guard::guard_function(added));
        self.add_function(!plan.marked.is_empty(), || marks::mark_function(added));
        self.add_function(plan.limits_memory, || growth::needed_function(added));
        self.add_function(plan.limits_memory, || growth::grown_function(added));
        self.add_function(plan.limits_memory, || growth::within_function(added));
        for (target, layout) in plan.targets.iter().zip(&additions.drivers) {
            let (Some(target), Some(layout)) = (target, layout) else { continue };
            let results = plan.module.function_type(target.index).map_or(0, |t| t.results().len());
            self.functions.function(rows);
            self.code.function(&driver_function(target, layout, results, added, &additions.notes));
        }
    }

    /// Adds the body of a function, which is empty if nothing calls it.
    fn add_function(&mut self, is_called: bool, function: impl FnOnce() -> Function) {
        self.code.function(&if is_called { function() } else { without_code() });
    }

    fn add_memory(&mut self, additions: &Additions<'_>) {
        debug_assert_eq!(additions.added.columns as usize, additions.plan.module.memories().len());
        let pages = additions.notes.pages();
        self.memories.memory(MemoryType {
            minimum: pages,
            maximum: Some(pages),
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
    }

    fn add_exports(&mut self, additions: &Additions<'_>) {
        let Additions { plan, added, .. } = additions;
        if !plan.module.memories().is_empty() {
            self.exports.export(names::MEMORY, ExportKind::Memory, 0);
        }
        self.exports.export(names::COLUMNS, ExportKind::Memory, added.columns);
        for (name, global) in [
            (names::FUEL, added.fuel),
            (names::ROW, added.row),
            (names::DEPTH, added.depth),
            (names::FLOOR, added.floor),
            (names::GUARDING, added.guarding),
            (names::ARENA_LOW, added.arena_low),
            (names::ARENA_END, added.arena_end),
            (names::ARENA_HIGH, added.arena_high),
            (names::ARENA_USED, added.arena_used),
            (names::VIOLATED, added.violated),
            (names::LIMIT, added.limit),
        ] {
            self.exports.export(name, ExportKind::Global, global);
        }
        if !plan.variants.is_empty() {
            self.exports.export(names::VERSION, ExportKind::Global, added.version);
            self.exports.export(names::ALTERNATIVE, ExportKind::Global, added.alternative);
        }
        if additions.notes.marks().is_some() {
            for &global in additions.globals.numbers() {
                self.exports.export(&names::global(global), ExportKind::Global, global);
            }
        }
        // The host calls the start function, so that it can tell how it ended and how much fuel was left.
        if let Some(start) = plan.module.start() {
            self.exports.export(names::START, ExportKind::Func, start);
        }
        if let Some(allocate) = plan.allocator {
            self.exports.export(names::ALLOCATE, ExportKind::Func, allocate);
        }
        let mut next = added.first_driver();
        for (function, target) in plan.targets.iter().enumerate() {
            if target.is_some() {
                self.exports.export(&names::driver(function), ExportKind::Func, next);
                next += 1;
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        let mut module = wasm_encoder::Module::new();
        module.section(&self.types).section(&self.imports).section(&self.functions).section(&self.tables);
        module.section(&self.memories);
        if !self.tags.is_empty() {
            module.section(&self.tags);
        }
        module.section(&self.globals).section(&self.exports);
        module.section(&self.elements);
        if let Some(count) = self.data_count {
            module.section(&DataCountSection { count });
        }
        module.section(&self.code).section(&self.data);
        module.finish()
    }
}

/// The body of a function that never runs. Compiling such a body takes no time, and indices stay as they are.
fn without_code() -> Function {
    let mut function = Function::new([]);
    function.instructions().unreachable().end();
    function
}

fn parameters(module: &dodona_subject::Module, function: u32) -> u32 {
    module.function_type(function).map_or(0, |t| t.params().len() as u32)
}

fn with_room(table: TableType, plan: &Plan<'_>) -> TableType {
    let minimum = u64::from(first_pointer(plan.module)) + plan.pointers.len() as u64;
    TableType { minimum, maximum: table.maximum.map(|m| m.max(minimum)), ..table }
}
