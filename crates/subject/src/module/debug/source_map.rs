//! Source maps: the source place of each instruction, where a compiler writes no DWARF. AssemblyScript does so.
//!
//! A map is a file beside the module, which a custom section names. Whoever reads a module from a file puts the map into it, so that a module is all that others need.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use wasm_encoder::{CustomSection, Section as _};
use wasmparser::BinaryReader;

use super::files::File;
use super::{DebugInfo, Location, package};
use crate::Module;

/// The custom section that names the file of a module's source map.
const ADDRESS: &str = "sourceMappingURL";

/// The custom section that holds a source map.
const EMBEDDED: &str = "dodona.source_map";

/// The file of the source map of a module that lies in a folder, if it names one and has no DWARF, which says more.
pub(crate) fn file(module: &Module, folder: &Path) -> Option<PathBuf> {
    if module.custom_section(".debug_info").is_some() || module.custom_section(EMBEDDED).is_some() {
        return None;
    }
    let section = module.custom_section(ADDRESS)?;
    let address = BinaryReader::new(section, 0).read_string().ok()?;
    // Maps of the network are nobody's to fetch.
    (!address.contains(':')).then(|| folder.join(address))
}

/// A module's bytes with its source map in them.
pub(crate) fn embed(bytes: &mut Vec<u8>, map: &[u8]) {
    CustomSection { name: EMBEDDED.into(), data: map.into() }.append_to(bytes);
}

/// What the source map in a module says of its instructions.
pub(super) fn read(module: &Module) -> Option<DebugInfo> {
    // A damaged map costs places, never the run.
    let map: Map = serde_json::from_slice(module.custom_section(EMBEDDED)?).ok()?;
    let mut info = DebugInfo::default();
    // What the compiler added to a function begins without a place, and not with that of the function before.
    let starts = (module.imported_functions()..module.function_count())
        .filter_map(|function| module.body_range(function));
    info.rows.extend(starts.map(|body| (body.start, None)));
    for Mapping { offset, source } in map.mappings() {
        let location = source.and_then(|[source, line, column]| {
            let path = map.sources.get(usize::try_from(source).ok()?)?;
            let (owner, file) = package::of(path);
            info.files.entry(file.to_owned()).or_insert_with(|| File { path: path.into(), package: owner });
            // Both count from 0 there.
            let [line, column] = [line, column].map(|number| u32::try_from(number + 1).ok());
            Some(Location { file: file.to_owned(), line: line?, column: column? })
        });
        info.rows.push((offset, location));
    }
    info.rows.sort_by_key(|(at, place)| (*at, place.is_some()));
    Some(info)
}

/// A source map, version 3.
#[derive(Deserialize)]
struct Map {
    sources: Vec<String>,
    /// The mappings of each line behind a `;`; WebAssembly has one line, whose columns are offsets in the module's bytes.
    mappings: String,
}

/// Where the code of a place in the source begins.
struct Mapping {
    offset: usize,
    /// The number of the file, the line and the column.
    source: Option<[i64; 3]>,
}

impl Map {
    /// The mappings up to the first that cannot be read. Each number is the difference to that of the mapping before.
    fn mappings(&self) -> impl Iterator<Item = Mapping> {
        let mut offset = 0_i64;
        let mut source = [0_i64; 3];
        let line = self.mappings.split(';').next().unwrap_or_default();
        line.split(',').filter(|segment| !segment.is_empty()).map_while(move |segment| {
            let mut bytes = segment.bytes();
            offset = offset.checked_add(vlq::decode(&mut bytes).ok()?)?;
            let is_mapped = bytes.len() > 0;
            if is_mapped {
                for number in &mut source {
                    *number = number.checked_add(vlq::decode(&mut bytes).ok()?)?;
                }
            }
            Some(Mapping { offset: usize::try_from(offset).ok()?, source: is_mapped.then_some(source) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_differences_and_one_that_cannot_be_read_is_the_last() {
        let map = |mappings: &str| Map { sources: vec!["a.ts".to_owned()], mappings: mappings.to_owned() };
        let read = |mappings: &str| -> Vec<(usize, Option<[i64; 3]>)> {
            map(mappings).mappings().map(|mapping| (mapping.offset, mapping.source)).collect()
        };
        assert_eq!(
            read("IAAA,EACC,CADD,E"),
            [(4, Some([0, 0, 0])), (6, Some([0, 1, 1])), (7, Some([0, 0, 0])), (9, None)]
        );
        assert_eq!(read("IAAA;EAAA"), [(4, Some([0, 0, 0]))], "WebAssembly has no second line");
        assert_eq!(read("IAAA,!!,EAAA"), [(4, Some([0, 0, 0]))]);
        assert_eq!(read("D"), [], "nothing lies before the module");
        assert_eq!(read(""), []);
    }
}
