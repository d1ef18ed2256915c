//! DWARF: from an instruction to file, line and column; from a function to its parameters' names and types.

use std::collections::BTreeMap;

use gimli::{AttributeValue, EndianSlice, LittleEndian, Operation, SectionId};

use super::Module;
use crate::CodePoint;

/// A place in the source text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The path as the compiler recorded it, relative to the compilation folder where it was.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when the compiler gave none.
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

/// A type as the source language has it, as far as it says how values cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// Nothing.
    Void,
    /// A Boolean.
    Bool,
    /// An integer of so many bytes.
    Int {
        /// Whether it is signed.
        signed: bool,
        /// Its size.
        bytes: u8,
    },
    /// A character type of one byte.
    Char,
    /// A float of so many bytes.
    Float {
        /// Its size.
        bytes: u8,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: Box<DebugType>,
        /// Whether the callee promises not to write through it.
        constant: bool,
    },
    /// Anything else, by its name.
    Other(String),
}

/// A parameter as the source names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugParameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: DebugType,
}

/// A function as the source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subprogram {
    /// The name, as linked where the compiler gave that, else as written.
    pub name: String,
    /// The parameters in order.
    pub parameters: Vec<DebugParameter>,
    /// What it returns.
    pub result: DebugType,
    /// Names of WebAssembly locals (parameters first) by index.
    pub locals: BTreeMap<u32, String>,
}

/// The source of a module's instructions.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// Sorted by offset in the module's bytes; `None` ends a run of code with locations.
    rows: Vec<(usize, Option<Location>)>,
    /// Subprograms by the offset where their code starts.
    subprograms: BTreeMap<usize, Subprogram>,
}

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
type Unit<'a> = gimli::Unit<Slice<'a>>;
type Entry<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

impl DebugInfo {
    pub(super) fn read(module: &Module) -> Option<DebugInfo> {
        module.custom_section(".debug_info")?;
        let load = |id: SectionId| -> Result<Slice<'_>, gimli::Error> {
            Ok(EndianSlice::new(module.custom_section(id.name()).unwrap_or(&[]), LittleEndian))
        };
        let dwarf = gimli::Dwarf::load(load).ok()?;
        let mut info = DebugInfo::default();
        let mut headers = dwarf.units();
        // Damaged DWARF costs locations, never the run: each unit that reads is kept.
        while let Ok(Some(header)) = headers.next() {
            if let Ok(unit) = dwarf.unit(header) {
                let _ = info.add_lines(&dwarf, &unit, module.code_start());
                let _ = info.add_subprograms(&dwarf, &unit, module.code_start());
            }
        }
        info.rows.sort_by_key(|(at, place)| (*at, place.is_some()));
        Some(info)
    }

    /// The source place of an instruction at this offset in the module's bytes.
    pub fn location_at(&self, offset: usize) -> Option<&Location> {
        let after = self.rows.partition_point(|(at, _)| *at <= offset);
        self.rows.get(after.checked_sub(1)?)?.1.as_ref()
    }

    /// The source place of a code point.
    pub fn location(&self, module: &Module, point: CodePoint) -> Option<&Location> {
        self.location_at(module.offset_of(point)?)
    }

    /// The source function of a module's function.
    pub fn subprogram(&self, module: &Module, function: u32) -> Option<&Subprogram> {
        let range = module.body_range(function)?;
        // DWARF's low_pc is the start of the body, with or without its size prefix by producer: the nearest at or
        // before the start, for the body before may be shorter than a prefix; else one just inside.
        let prefix = range.start.saturating_sub(5)..=range.start;
        let before = self.subprograms.range(prefix).next_back();
        before.or_else(|| self.subprograms.range(range).next()).map(|(_, s)| s)
    }

    fn add_lines(&mut self, dwarf: &Dwarf<'_>, unit: &Unit<'_>, code: usize) -> Result<(), gimli::Error> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut files = BTreeMap::new();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            let offset = code + row.address() as usize;
            // Functions the linker dropped keep their rows at address zero or at a tombstone.
            if row.address() == 0 || row.address() >= u64::from(u32::MAX) - 1 {
                continue;
            }
            if row.end_sequence() {
                self.rows.push((offset, None));
                continue;
            }
            let Some(line) = row.line() else {
                // Line 0 is code the compiler moved or made: near the line before it, at no column of it.
                let near = self.rows.last().and_then(|(_, l)| l.clone()).map(|l| Location { column: 0, ..l });
                self.rows.push((offset, near));
                continue;
            };
            let index = row.file_index();
            let file = match files.get(&index) {
                Some(file) => String::clone(file),
                None => {
                    let file = file_name(dwarf, unit, header, index)?;
                    files.insert(index, file.clone());
                    file
                }
            };
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(c) => c.get() as u32,
            };
            self.rows.push((offset, Some(Location { file, line: line.get() as u32, column })));
        }
        Ok(())
    }

    fn add_subprograms(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        code: usize,
    ) -> Result<(), gimli::Error> {
        let mut entries = unit.entries();
        let mut current: Option<(usize, isize, Subprogram)> = None;
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            if let Some((_, top, _)) = &current
                && depth <= *top
                && let Some((offset, _, done)) = current.take()
            {
                self.subprograms.insert(offset, done);
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    if let Some(low) = low_pc(dwarf, unit, entry)? {
                        current = Some((code + low as usize, depth, subprogram(dwarf, unit, entry)?));
                    }
                }
                gimli::DW_TAG_formal_parameter | gimli::DW_TAG_variable => {
                    if let Some((_, top, subprogram)) = &mut current {
                        let own = entry.tag() == gimli::DW_TAG_formal_parameter && depth == *top + 1;
                        add_variable(dwarf, unit, entry, own, subprogram)?;
                    }
                }
                _ => {}
            }
        }
        if let Some((offset, _, done)) = current {
            self.subprograms.insert(offset, done);
        }
        Ok(())
    }
}

fn file_name<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    header: &gimli::LineProgramHeader<Slice<'a>>,
    index: u64,
) -> Result<String, gimli::Error> {
    let Some(file) = header.file(index) else { return Ok("?".into()) };
    let name = dwarf.attr_string(unit, file.path_name())?.to_string_lossy().into_owned();
    let folder = match file.directory(header) {
        // Directory 0 is the compilation folder: leaving it out keeps paths as the user typed them.
        Some(directory) if file.directory_index() != 0 => {
            dwarf.attr_string(unit, directory)?.to_string_lossy().into_owned()
        }
        _ => String::new(),
    };
    Ok(if folder.is_empty() || name.starts_with('/') { name } else { format!("{folder}/{name}") })
}

fn low_pc<'a>(dwarf: &Dwarf<'a>, unit: &Unit<'a>, entry: &Entry<'a>) -> Result<Option<u64>, gimli::Error> {
    let low = match entry.attr_value(gimli::DW_AT_low_pc) {
        Some(value) => dwarf.attr_address(unit, value)?,
        None => None,
    };
    Ok(low.filter(|low| *low != 0 && *low < u64::from(u32::MAX) - 1))
}

fn subprogram<'a>(dwarf: &Dwarf<'a>, unit: &Unit<'a>, entry: &Entry<'a>) -> Result<Subprogram, gimli::Error> {
    Ok(Subprogram {
        name: name(dwarf, unit, entry, 0)?.unwrap_or_default(),
        parameters: Vec::new(),
        result: type_of(dwarf, unit, entry, 0)?,
        locals: BTreeMap::new(),
    })
}

/// The name of an entry, looked up through `abstract_origin` and `specification`.
fn name<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
    depth: u32,
) -> Result<Option<String>, gimli::Error> {
    for attribute in [gimli::DW_AT_linkage_name, gimli::DW_AT_name] {
        if let Some(value) = entry.attr_value(attribute) {
            return Ok(Some(dwarf.attr_string(unit, value)?.to_string_lossy().into_owned()));
        }
    }
    match origin(unit, entry)? {
        Some(origin) if depth < 8 => name(dwarf, unit, &origin, depth + 1),
        _ => Ok(None),
    }
}

fn origin<'a>(unit: &Unit<'a>, entry: &Entry<'a>) -> Result<Option<Entry<'a>>, gimli::Error> {
    for attribute in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
        if let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(attribute) {
            return unit.entry(offset).map(Some);
        }
    }
    Ok(None)
}

fn add_variable<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
    own_parameter: bool,
    subprogram: &mut Subprogram,
) -> Result<(), gimli::Error> {
    let Some(name) = name(dwarf, unit, entry, 0)? else { return Ok(()) };
    if let Some(local) = local_of(dwarf, unit, entry)? {
        subprogram.locals.entry(local).or_insert_with(|| name.clone());
    }
    if own_parameter {
        subprogram.parameters.push(DebugParameter { name, ty: type_of(dwarf, unit, entry, 0)? });
    }
    Ok(())
}

/// The WebAssembly local that holds a variable, from its location or the first of its location list.
fn local_of<'a>(dwarf: &Dwarf<'a>, unit: &Unit<'a>, entry: &Entry<'a>) -> Result<Option<u32>, gimli::Error> {
    let Some(value) = entry.attr_value(gimli::DW_AT_location) else { return Ok(None) };
    if let AttributeValue::Exprloc(expression) = value {
        return wasm_local(expression, unit);
    }
    let Some(mut locations) = dwarf.attr_locations(unit, value)? else { return Ok(None) };
    while let Some(location) = locations.next()? {
        if let Some(local) = wasm_local(location.data, unit)? {
            return Ok(Some(local));
        }
    }
    Ok(None)
}

fn wasm_local<'a>(
    expression: gimli::Expression<Slice<'a>>,
    unit: &Unit<'a>,
) -> Result<Option<u32>, gimli::Error> {
    let mut operations = expression.operations(unit.encoding());
    while let Some(operation) = operations.next()? {
        if let Operation::WasmLocal { index } = operation {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// The type of an entry. Type chains are followed to a bounded depth: damaged DWARF may hold cycles.
fn type_of<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
    depth: u32,
) -> Result<DebugType, gimli::Error> {
    let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(gimli::DW_AT_type) else {
        return match origin(unit, entry)? {
            Some(origin) if depth < 16 => type_of(dwarf, unit, &origin, depth + 1),
            _ => Ok(DebugType::Void),
        };
    };
    let ty = unit.entry(offset)?;
    let inner = |ty: &Entry<'a>| {
        if depth < 16 { type_of(dwarf, unit, ty, depth + 1) } else { Ok(DebugType::Other("…".into())) }
    };
    Ok(match ty.tag() {
        gimli::DW_TAG_base_type => base_type(&ty),
        gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => {
            DebugType::Pointer { to: Box::new(inner(&ty)?), constant: points_to_constant(unit, &ty)? }
        }
        gimli::DW_TAG_typedef
        | gimli::DW_TAG_const_type
        | gimli::DW_TAG_volatile_type
        | gimli::DW_TAG_restrict_type
        | gimli::DW_TAG_enumeration_type
            if ty.attr_value(gimli::DW_AT_type).is_some() =>
        {
            inner(&ty)?
        }
        gimli::DW_TAG_const_type => DebugType::Void,
        _ => DebugType::Other(name(dwarf, unit, &ty, 0)?.unwrap_or_else(|| "struct".into())),
    })
}

fn points_to_constant<'a>(unit: &Unit<'a>, pointer: &Entry<'a>) -> Result<bool, gimli::Error> {
    match pointer.attr_value(gimli::DW_AT_type) {
        Some(AttributeValue::UnitRef(offset)) => Ok(unit.entry(offset)?.tag() == gimli::DW_TAG_const_type),
        _ => Ok(false),
    }
}

fn base_type(ty: &Entry<'_>) -> DebugType {
    let bytes = ty.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()).unwrap_or(0) as u8;
    match ty.attr_value(gimli::DW_AT_encoding) {
        Some(AttributeValue::Encoding(gimli::DW_ATE_boolean)) => DebugType::Bool,
        Some(AttributeValue::Encoding(gimli::DW_ATE_float)) => DebugType::Float { bytes },
        Some(AttributeValue::Encoding(gimli::DW_ATE_signed_char)) if bytes == 1 => DebugType::Char,
        Some(AttributeValue::Encoding(gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char)) => {
            DebugType::Int { signed: false, bytes }
        }
        _ => DebugType::Int { signed: true, bytes },
    }
}
