//! The name section: what tools called functions and globals.

use std::collections::BTreeMap;

use wasmparser::{BinaryReaderError, CustomSectionReader, KnownCustom, Name, NameMap};

/// Adds the names in a custom section, when it is the name section.
pub(super) fn read(
    section: &CustomSectionReader<'_>,
    functions: &mut BTreeMap<u32, String>,
    globals: &mut BTreeMap<u32, String>,
) -> Result<(), BinaryReaderError> {
    let KnownCustom::Name(reader) = section.as_known() else { return Ok(()) };
    for subsection in reader {
        match subsection? {
            Name::Function(map) => add(map, functions)?,
            Name::Global(map) => add(map, globals)?,
            _ => {}
        }
    }
    Ok(())
}

fn add(map: NameMap<'_>, names: &mut BTreeMap<u32, String>) -> Result<(), BinaryReaderError> {
    for naming in map {
        let naming = naming?;
        names.insert(naming.index, naming.name.to_owned());
    }
    Ok(())
}
