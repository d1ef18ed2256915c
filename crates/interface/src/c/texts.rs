//! The text of declarations: clang shows an array in a parameter as a pointer, and only what is written tells how many elements it has.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The files that a syntax tree names, as far as they are asked for.
pub(super) struct Texts {
    /// Where their paths begin.
    folder: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
}

impl Texts {
    pub(super) fn of(folder: &Path) -> Texts {
        Texts { folder: folder.to_owned(), files: BTreeMap::new() }
    }

    /// What stands at a place of a file; nothing where that cannot be read.
    pub(super) fn at(&mut self, file: &str, place: Range<u64>) -> Option<String> {
        let folder = &self.folder;
        let text = self
            .files
            .entry(file.to_owned())
            .or_insert_with(|| std::fs::read(folder.join(file)).unwrap_or_default());
        let place = usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?;
        Some(String::from_utf8_lossy(text.get(place)?).into_owned())
    }
}

/// The brackets in the declaration of a parameter: `[3]` of `double a[static 3]`, and `[]` where no number stands in them.
pub(super) fn brackets(declaration: &str) -> Option<String> {
    let inside = declaration.split('=').next()?.split_once('[')?.1;
    let count = inside
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .find_map(|word| word.parse::<u32>().ok());
    Some(count.map_or_else(|| "[]".to_owned(), |count| format!("[{count}]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_hold_a_number_or_nothing_that_is_known() {
        for (declaration, expected) in [
            ("double a[3]", Some("[3]")),
            ("const double a [ static 3 ]", Some("[3]")),
            ("double a[N]", Some("[]")),
            ("double a[]", Some("[]")),
            ("double *a", None),
            ("double *a = given[3]", None),
        ] {
            assert_eq!(brackets(declaration).as_deref(), expected, "{declaration}");
        }
    }
}
