//! The line table: which source place each instruction came from.

use std::collections::BTreeMap;

use super::{DebugInfo, Dwarf, Location, Slice, Unit};

type Header<'a> = gimli::LineProgramHeader<Slice<'a>>;

/// Whether an address is that of code the linker dropped: zero or a tombstone.
pub(super) fn is_dropped(address: u64) -> bool {
    address == 0 || address >= u64::from(u32::MAX) - 1
}

impl DebugInfo {
    pub(super) fn add_lines(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        code: usize,
    ) -> Result<(), gimli::Error> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut files = Files::default();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
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
            let file = files.name(dwarf, unit, header, row.file_index())?;
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(c) => c.get() as u32,
            };
            self.rows.push((offset, Some(Location { file, line: line.get() as u32, column })));
        }
        self.add_folder(unit, files);
        Ok(())
    }

    /// Remembers the folder that a unit was compiled in, for its files with relative paths.
    fn add_folder(&mut self, unit: &Unit<'_>, files: Files) {
        let Some(folder) = unit.comp_dir.map(|d| d.to_string_lossy().into_owned()) else { return };
        for file in files.0.into_values() {
            let folders = self.folders.entry(file).or_default();
            if !folders.contains(&folder) {
                folders.push(folder.clone());
            }
        }
    }
}

/// The paths of a unit's files by index.
#[derive(Default)]
struct Files(BTreeMap<u64, String>);

impl Files {
    fn name<'a>(
        &mut self,
        dwarf: &Dwarf<'a>,
        unit: &Unit<'a>,
        header: &Header<'a>,
        index: u64,
    ) -> Result<String, gimli::Error> {
        if let Some(name) = self.0.get(&index) {
            return Ok(name.clone());
        }
        let name = file_name(dwarf, unit, header, index)?;
        self.0.insert(index, name.clone());
        Ok(name)
    }
}

/// The path of a file as recorded; relative to the compilation folder where it lies there.
pub(super) fn file_name<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    header: &Header<'a>,
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
