//! The line table: which source place each instruction came from.

use std::collections::BTreeMap;

use super::files::Files;
use super::{DebugInfo, Dwarf, Location, Unit};

/// Whether an address is that of code the linker dropped: zero or a tombstone.
pub(super) fn is_dropped(address: u64) -> bool {
    address == 0 || address >= u64::from(u32::MAX) - 1
}

impl DebugInfo {
    pub(super) fn add_lines(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        files: &mut Files,
        code: usize,
    ) -> Result<(), gimli::Error> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut names = OfUnit::default();
        let mut rows = program.rows();
        while let Some((_, row)) = rows.next_row()? {
            if is_dropped(row.address()) {
                continue;
            }
            let offset = code + row.address() as usize;
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
            let file = names.name(dwarf, unit, files, row.file_index())?;
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(c) => c.get() as u32,
            };
            self.rows.push((offset, Some(Location { file, line: line.get() as u32, column })));
        }
        Ok(())
    }
}

/// The names of a unit's files by index.
#[derive(Default)]
struct OfUnit(BTreeMap<u64, String>);

impl OfUnit {
    fn name(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        files: &mut Files,
        index: u64,
    ) -> Result<String, gimli::Error> {
        if let Some(name) = self.0.get(&index) {
            return Ok(name.clone());
        }
        let name = files.name(dwarf, unit, index)?;
        self.0.insert(index, name.clone());
        Ok(name)
    }
}
