//! DWARF: from an instruction to file, line, column and inlined calls; from a function to its parameters'
//! names and types; from a local to the variable that it holds. Where there is none, a source map tells the places.

mod debug_types;
mod entries;
mod files;
mod lines;
mod locals;
mod package;
mod scopes;
pub(crate) mod source_map;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gimli::{EndianSlice, LittleEndian, SectionId};

use super::Module;
use crate::CodePoint;

pub use debug_types::{DebugParameter, DebugType, Location, Subprogram};
use files::{File, Files};
pub use locals::LocalWrites;
pub use package::Package;
use scopes::Body;
pub use scopes::InlinedCall;

/// The source of a module's instructions.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// Sorted by offset in the module's bytes; `None` ends a run of code with locations.
    rows: Vec<(usize, Option<Location>)>,
    /// Functions by the offset where their code starts.
    bodies: BTreeMap<usize, Body>,
    /// The source files by name.
    files: BTreeMap<String, File>,
}

/// The chain of inlined calls that an instruction belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineInstance<'a> {
    /// Which copy, counted from 1 within the function; 0 is the function's own code. Equal for the
    /// instructions of one copy, different between copies.
    pub id: u32,
    /// The calls from the function inwards; the last is the one whose code this is.
    pub calls: Vec<&'a InlinedCall>,
    ids: Vec<u32>,
}

impl InlineInstance<'_> {
    /// The name of the function whose code this is a copy of; `None` for the function's own code.
    pub fn function(&self) -> Option<&str> {
        self.calls.last().map(|c| c.function.as_str())
    }

    /// Which copy the call at this place in [`InlineInstance::calls`] was made from; 0 for the function's own code.
    pub fn caller(&self, call: usize) -> u32 {
        call.checked_sub(1).and_then(|outer| self.ids.get(outer)).copied().unwrap_or(0)
    }
}

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
type Unit<'a> = gimli::Unit<Slice<'a>>;
type Entry<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

impl DebugInfo {
    pub(super) fn read(module: &Module) -> Option<DebugInfo> {
        if module.custom_section(".debug_info").is_none() {
            return source_map::read(module);
        }
        let load = |id: SectionId| -> Result<Slice<'_>, gimli::Error> {
            Ok(EndianSlice::new(module.custom_section(id.name()).unwrap_or(&[]), LittleEndian))
        };
        let dwarf = gimli::Dwarf::load(load).ok()?;
        let mut info = DebugInfo::default();
        let mut headers = dwarf.units();
        let mut units = Vec::new();
        let mut files = Files::default();
        // Damaged DWARF costs locations, never the run: each unit that reads is kept.
        while let Ok(Some(header)) = headers.next() {
            if let Ok(unit) = dwarf.unit(header) {
                let _ = files.note(&dwarf, &unit);
                units.push(unit);
            }
        }
        for unit in &units {
            let _ = info.add_lines(&dwarf, unit, &mut files, module.code_start());
            let _ = info.add_bodies(&dwarf, unit, &mut files, module.code_start());
        }
        info.files = files.named;
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
        self.body(module, function).map(|b| &b.subprogram)
    }

    /// The name of the source function that a copy in a function's code is of, as linked where the compiler gave that. Copies are
    /// numbered as [`InlineInstance::id`] has it; 0 is the function's own code.
    pub fn source_function(&self, module: &Module, function: u32, copy: u32) -> Option<&str> {
        let body = self.body(module, function)?;
        let name = match copy.checked_sub(1) {
            Some(call) => &body.inlined.get(call as usize)?.function,
            None => &body.subprogram.name,
        };
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    fn body(&self, module: &Module, function: u32) -> Option<&Body> {
        let range = module.body_range(function)?;
        // DWARF's low_pc is the start of the body, with or without its size prefix by producer: the nearest at or
        // before the start, for the body before may be shorter than a prefix; else one just inside.
        let prefix = range.start.saturating_sub(5)..=range.start;
        let before = self.bodies.range(prefix).next_back();
        before.or_else(|| self.bodies.range(range).next()).map(|(_, s)| s)
    }

    /// The inlined calls around the instruction at this offset in the module's bytes.
    pub fn inline_instance(&self, offset: usize) -> InlineInstance<'_> {
        let inlined = self.bodies.range(..=offset).next_back().map_or(&[][..], |(_, b)| &b.inlined);
        let mut instance = InlineInstance { id: 0, calls: Vec::new(), ids: Vec::new() };
        for (index, call) in inlined.iter().enumerate() {
            if call.depth == instance.calls.len() && call.ranges.iter().any(|r| r.contains(&offset)) {
                instance.id = index as u32 + 1;
                instance.ids.push(instance.id);
                instance.calls.push(call);
            }
        }
        instance
    }

    /// Where the file of a place may lie: where it was compiled, and as it is named; likeliest first.
    pub fn source_paths(&self, location: &Location) -> Vec<PathBuf> {
        let named = PathBuf::from(&location.file);
        match self.files.get(&location.file) {
            // The name of a file of a library is no path.
            Some(file) if file.package != Package::Local => vec![file.path.clone()],
            Some(file) if file.path != named => vec![file.path.clone(), named],
            _ => vec![named],
        }
    }

    /// Where the files lie that were named relative to the folder they were compiled in, but for those of libraries.
    pub fn relative_files(&self) -> impl Iterator<Item = &Path> {
        let relative = self.files.iter().filter(|(name, _)| Path::new(name).is_relative());
        relative.filter(|(_, file)| file.package == Package::Local).map(|(_, file)| file.path.as_path())
    }

    /// Whose code the file of a place holds.
    pub fn package(&self, location: &Location) -> &Package {
        self.files.get(&location.file).map_or(&Package::Local, |file| &file.package)
    }

    /// The path of the file of a place where its name is no path: a file of a library.
    pub fn library_path(&self, file: &str) -> Option<&Path> {
        let file = self.files.get(file).filter(|file| file.package != Package::Local)?;
        Some(&file.path)
    }

    /// The places that a function's code and the calls inlined into it come from.
    pub fn locations(&self, module: &Module, function: u32) -> impl Iterator<Item = &Location> {
        let range = module.body_range(function).unwrap_or_default();
        let first = self.rows.partition_point(|(at, _)| *at < range.start);
        let last = self.rows.partition_point(|(at, _)| *at < range.end);
        let rows = self.rows[first.min(last)..last].iter().filter_map(|(_, place)| place.as_ref());
        let calls = self.body(module, function).map_or(&[][..], |body| &body.inlined);
        rows.chain(calls.iter().filter_map(|call| call.call.as_ref()))
    }
}
