//! A WebAssembly module: what it exports, imports and holds, read once and validated.

mod addresses;
mod allocator;
mod arity;
mod branches;
pub(crate) mod debug;
mod error;
mod names;
mod reach;
mod read;

use std::ops::Range;
use std::sync::Arc;

use dodona_target::on_one_line;
use wasmparser::{BinaryReader, FuncType, FunctionBody, GlobalType, MemoryType, Operator, Parser, Validator};

pub(crate) use addresses::Addresses;
pub use allocator::Allocator;
pub use arity::fixed as fixed_arity;
pub use branches::{Branches, PathId};
pub use debug::{
    DebugInfo, DebugParameter, DebugType, InlineInstance, InlinedCall, LocalWrites, Location, Package,
    Subprogram,
};
pub use error::ModuleError;
pub use reach::{called_by, reachable};

use crate::WasmType;
use read::Inner;

/// A place in the code: a function and one of its instructions.
///
/// Both count from zero in the module's own index spaces (imported functions first), so a code point
/// means the same for every room that reads the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodePoint {
    /// The function's index in the module.
    pub function: u32,
    /// The instruction's number in the function's body, in code order.
    pub instruction: u32,
}

/// An import of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module name of the import: `wasi_snapshot_preview1`.
    pub module: String,
    /// The field name: `fd_write`.
    pub name: String,
    /// What is imported.
    pub kind: ImportKind,
}

/// What an import is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// A function of this type.
    Function(FuncType),
    /// A table, memory, global or tag.
    Other(&'static str),
}

/// An export of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The name that hosts use.
    pub name: String,
    /// What it is.
    pub kind: ExportKind,
}

/// What an export is, with its index in the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum ExportKind {
    Function(u32),
    Memory(u32),
    Global(u32),
    Table(u32),
    Tag(u32),
}

/// A global variable of the module (imported ones have no initial value).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its type and whether it can change.
    pub ty: GlobalType,
    /// The initial value where it is an `i32.const`.
    pub i32_init: Option<i32>,
}

/// An active data segment at a constant address of memory 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRange {
    /// The addresses that the segment fills.
    pub addresses: Range<u64>,
}

/// A valid core module with what the other rooms ask of it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Module {
    inner: Arc<Inner>,
}

impl Module {
    /// Reads and validates a module.
    ///
    /// # Errors
    /// When the bytes are not WebAssembly, are cut short, are a component, or do not validate;
    /// each says where and what to do.
    pub fn parse(bytes: Vec<u8>) -> Result<Module, ModuleError> {
        error::check_preamble(&bytes)?;
        Validator::new().validate_all(&bytes).map_err(|e| ModuleError::from_parser(&e, bytes.len()))?;
        let mut inner = Inner::default();
        for payload in Parser::new(0).parse_all(&bytes) {
            let payload = payload.map_err(|e| ModuleError::from_parser(&e, bytes.len()))?;
            inner.read(payload).map_err(|e| ModuleError::from_parser(&e, bytes.len()))?;
        }
        inner.fill_imported_types();
        inner.bytes = bytes;
        let module = Module { inner: Arc::new(inner) };
        module.check_loops()?;
        Ok(module)
    }

    /// Compilers take time with the square of the depth of loops: 10,000 take about a second, 100,000 minutes.
    fn check_loops(&self) -> Result<(), ModuleError> {
        const MOST: usize = 10_000;
        // A loop and its end take three bytes: what is shorter is not looked at, which is nearly every function.
        let may_nest = |f: &u32| self.body_range(*f).is_some_and(|range| range.len() > 3 * MOST);
        for function in (self.imported_functions()..self.function_count()).filter(may_nest) {
            let Some(reader) = self.body(function).and_then(|body| body.get_operators_reader().ok()) else {
                continue;
            };
            // For each block that is open whether it is a loop.
            let (mut blocks, mut loops) = (Vec::new(), 0);
            for (operator, offset) in reader.into_iter_with_offsets().map_while(Result::ok) {
                match operator {
                    Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => {
                        blocks.push(false)
                    }
                    Operator::Loop { .. } => {
                        blocks.push(true);
                        loops += 1;
                    }
                    Operator::End => loops -= usize::from(blocks.pop() == Some(true)),
                    _ => {}
                }
                if loops > MOST {
                    return Err(ModuleError::Loops { function, offset, most: MOST });
                }
            }
        }
        Ok(())
    }

    /// The module's bytes as read.
    pub fn bytes(&self) -> &[u8] {
        &self.inner.bytes
    }

    /// Whether another module runs as this one does, because they differ in nothing but custom sections, such as debug information and names.
    pub fn is_same_code(&self, other: &Module) -> bool {
        self.sections().eq(other.sections())
    }

    /// The sections that calls depend on, each with its number.
    fn sections(&self) -> impl Iterator<Item = (u8, &[u8])> {
        const CUSTOM: u8 = 0;
        let bytes = self.bytes();
        let sections = Parser::new(0).parse_all(bytes).filter_map(|payload| payload.ok()?.as_section());
        sections.filter(|(id, _)| *id != CUSTOM).filter_map(|(id, range)| Some((id, bytes.get(range)?)))
    }

    /// The imports in order.
    pub fn imports(&self) -> &[Import] {
        &self.inner.imports
    }

    /// The exports in order.
    pub fn exports(&self) -> &[Export] {
        &self.inner.exports
    }

    /// The index of an exported function.
    pub fn export_function(&self, name: &str) -> Option<u32> {
        self.inner.exported_functions.get(name).copied()
    }

    /// The number of functions, imported ones included.
    pub fn function_count(&self) -> u32 {
        self.inner.functions.len() as u32
    }

    /// The number of imported functions: the first indices.
    pub fn imported_functions(&self) -> u32 {
        self.inner.imported_functions
    }

    /// The type of a function.
    pub fn function_type(&self, function: u32) -> Option<&FuncType> {
        self.inner.types.get(*self.inner.functions.get(function as usize)? as usize)
    }

    /// The index of a function's type.
    pub fn function_type_index(&self, function: u32) -> Option<u32> {
        self.inner.functions.get(function as usize).copied()
    }

    /// A function type by its index.
    pub fn type_at(&self, index: u32) -> Option<&FuncType> {
        self.inner.types.get(index as usize)
    }

    /// The number of types.
    pub fn type_count(&self) -> u32 {
        self.inner.types.len() as u32
    }

    /// The body of a function defined here; `None` for imports and out of range.
    pub fn body(&self, function: u32) -> Option<FunctionBody<'_>> {
        let range = self.body_range(function)?;
        let reader = BinaryReader::new(self.inner.bytes.get(range.clone())?, range.start);
        Some(FunctionBody::new(reader))
    }

    /// Where a function's body (locals and code) stands in the module's bytes.
    pub fn body_range(&self, function: u32) -> Option<Range<usize>> {
        let defined = function.checked_sub(self.inner.imported_functions)?;
        self.inner.bodies.get(defined as usize).cloned()
    }

    /// The instructions of a function with their offsets in the module's bytes, in code order.
    /// Empty for imports.
    pub fn operators(&self, function: u32) -> Vec<(Operator<'_>, usize)> {
        let Some(body) = self.body(function) else { return Vec::new() };
        let Ok(reader) = body.get_operators_reader() else { return Vec::new() };
        // The module validated, so no operator fails to read.
        reader.into_iter_with_offsets().map_while(Result::ok).collect()
    }

    /// How many instructions a function has; none for imports. It takes no memory, whatever the function.
    pub fn instruction_count(&self, function: u32) -> usize {
        let reader = self.body(function).and_then(|body| body.get_operators_reader().ok());
        reader.map_or(0, |reader| reader.into_iter().map_while(Result::ok).count())
    }

    /// The globals in order, imported ones first.
    pub fn globals(&self) -> &[Global] {
        &self.inner.globals
    }

    /// The memories in order.
    pub fn memories(&self) -> &[MemoryType] {
        &self.inner.memories
    }

    /// The number of tables.
    pub fn tables(&self) -> u32 {
        self.inner.tables
    }

    /// The function that runs when the module is instantiated.
    pub fn start(&self) -> Option<u32> {
        self.inner.start
    }

    /// Functions that code may call indirectly: those placed in tables or referred to by global variables.
    pub fn indirect_targets(&self) -> &[u32] {
        &self.inner.elements
    }

    /// The addresses that active data segments fill, and whether some segment has an address
    /// that is not a constant.
    pub fn data(&self) -> (&[DataRange], bool) {
        (&self.inner.data, self.inner.has_dynamic_data)
    }

    /// The stack pointer global of the tool conventions: named `__stack_pointer`, or, where names were stripped, the first mutable `i32` that begins as
    /// the end of a stack does, at an address of memory that is a multiple of 16, and that no code sets to a constant.
    pub fn stack_pointer(&self) -> Option<u32> {
        *self.inner.stack_pointer.get_or_init(|| {
            let named =
                self.inner.global_names.iter().find(|(_, n)| *n == "__stack_pointer").map(|(i, _)| *i);
            named.or_else(|| self.unnamed_stack_pointer())
        })
    }

    fn unnamed_stack_pointer(&self) -> Option<u32> {
        const PAGE: u64 = 65536;
        let end = self.memories().first()?.initial.saturating_mul(PAGE);
        let is_end_of_stack = |top: i32| top > 0 && top % 16 == 0 && top as u64 <= end;
        let place = self.globals().iter().position(|global| {
            global.ty.mutable
                && global.ty.content_type == wasmparser::ValType::I32
                && global.i32_init.is_some_and(is_end_of_stack)
        })?;
        let place = place as u32;
        let is_set_to_constant = |function: u32| {
            let operators = self.operators(function);
            operators.windows(2).any(|two| {
                matches!(two[0].0, Operator::I32Const { .. })
                    && matches!(two[1].0, Operator::GlobalSet { global_index } if global_index == place)
            })
        };
        let mut defined = self.imported_functions()..self.function_count();
        (!defined.any(is_set_to_constant)).then_some(place)
    }

    /// A function's name: from the name section, else from its export, else `func[7]`. Anything may stand in a name of a module: it is on one line, with
    /// escapes in place of characters that nobody sees.
    pub fn function_name(&self, function: u32) -> String {
        let exported = || self.exports().iter().find(|e| e.kind == ExportKind::Function(function));
        let name = self.inner.names.get(&function).or_else(|| exported().map(|export| &export.name));
        name.map_or_else(|| format!("func[{function}]"), |name| on_one_line(name).into_owned())
    }

    /// The code point at an offset in the module's bytes: the last instruction that starts at or before it.
    pub fn code_point_at(&self, offset: usize) -> Option<CodePoint> {
        let defined = self.inner.bodies.partition_point(|b| b.end <= offset);
        let range = self.inner.bodies.get(defined)?;
        if !range.contains(&offset) {
            return None;
        }
        let function = self.inner.imported_functions + defined as u32;
        let count = self.operators(function).iter().filter(|(_, at)| *at <= offset).count();
        Some(CodePoint { function, instruction: count.checked_sub(1)? as u32 })
    }

    /// The offset of a code point in the module's bytes.
    pub fn offset_of(&self, point: CodePoint) -> Option<usize> {
        self.operators(point.function).get(point.instruction as usize).map(|(_, at)| *at)
    }

    /// Where the contents of the code section start: DWARF addresses count from here.
    pub fn code_start(&self) -> usize {
        self.inner.code_start
    }

    /// The contents of the custom section of this name.
    pub fn custom_section(&self, name: &str) -> Option<&[u8]> {
        let (_, range) = self.inner.custom.iter().find(|(n, _)| n == name)?;
        self.inner.bytes.get(range.clone())
    }

    /// Source locations and parameter names, where the module carries DWARF; locations alone, where it carries a source map.
    pub fn debug_info(&self) -> Option<DebugInfo> {
        DebugInfo::read(self)
    }
}

impl WasmType {
    /// The engine-neutral type of a module's value type; `None` for vectors and references.
    pub fn of(ty: wasmparser::ValType) -> Option<WasmType> {
        Some(match ty {
            wasmparser::ValType::I32 => WasmType::I32,
            wasmparser::ValType::I64 => WasmType::I64,
            wasmparser::ValType::F32 => WasmType::F32,
            wasmparser::ValType::F64 => WasmType::F64,
            _ => return None,
        })
    }
}
