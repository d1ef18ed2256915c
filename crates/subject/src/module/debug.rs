//! DWARF: from an instruction to file, line, column and inlined calls; from a function to its parameters'
//! names and types; from a local to the variable that it holds.

mod entries;
mod lines;
mod locals;
mod scopes;
mod types;

use std::collections::BTreeMap;
use std::path::PathBuf;

use gimli::{EndianSlice, LittleEndian, SectionId};

use super::Module;
use crate::CodePoint;

pub use locals::LocalWrites;
use scopes::Body;
pub use scopes::InlinedCall;
pub use types::{DebugParameter, DebugType, Location, Subprogram};

/// The source of a module's instructions.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// Sorted by offset in the module's bytes; `None` ends a run of code with locations.
    rows: Vec<(usize, Option<Location>)>,
    /// Functions by the offset where their code starts.
    bodies: BTreeMap<usize, Body>,
    /// The folders in which each file was compiled.
    folders: BTreeMap<String, Vec<String>>,
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
                let _ = info.add_bodies(&dwarf, &unit, module.code_start());
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
        self.body(module, function).map(|b| &b.subprogram)
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

    /// Where the file of a place may lie: as recorded, and in the folders it was compiled in; likeliest first.
    pub fn source_paths(&self, location: &Location) -> Vec<PathBuf> {
        let folders = self.folders.get(&location.file).map_or(&[][..], Vec::as_slice);
        // An absolute path stays itself when it is joined to a folder.
        let mut paths: Vec<_> = folders.iter().map(|f| PathBuf::from(f).join(&location.file)).collect();
        paths.push(PathBuf::from(&location.file));
        paths.dedup();
        paths
    }
}
