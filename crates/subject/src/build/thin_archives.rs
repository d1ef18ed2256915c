//! Thin archives: libraries that hold no objects, but the names of files with objects.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;

const MAGIC: &[u8] = b"!<thin>\n";

/// Bytes of what stands before each member, and where its name and its size are in that.
const HEADER: usize = 60;
const NAME: std::ops::Range<usize> = 0..16;
const SIZE: std::ops::Range<usize> = 48..58;

/// The files of a thin archive's members, by paths like that of the archive, which is from a folder; none for any other file.
pub(super) fn members(folder: &Path, archive: &Path) -> Vec<PathBuf> {
    let full = folder.join(archive);
    let mut start = Vec::new();
    let read =
        std::fs::File::open(&full).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    if read.is_err() || start != MAGIC {
        return Vec::new();
    }
    let beside = archive.parent().unwrap_or(Path::new(""));
    let bytes = std::fs::read(&full).unwrap_or_default();
    names(&bytes).into_iter().filter_map(|name| Some(beside.join(name.to_path().ok()?))).collect()
}

/// The names of members. Only the tables of symbols and of long names have contents in the archive itself.
fn names(archive: &[u8]) -> Vec<&[u8]> {
    let (mut names, mut long_names) = (Vec::new(), &[][..]);
    let mut rest = archive.strip_prefix(MAGIC).unwrap_or_default();
    while let Some((header, after)) = rest.split_at_checked(HEADER) {
        let name = header[NAME].trim_end();
        if !matches!(name, b"/" | b"//" | b"/SYM64/") {
            names.extend(whole_name(name, long_names));
            rest = after;
            continue;
        }
        let size = number(&header[SIZE]).unwrap_or(after.len());
        let Some(table) = after.get(..size) else { break };
        if name == b"//" {
            long_names = table;
        }
        // Contents begin at even places.
        rest = after.get(size + size % 2..).unwrap_or_default();
    }
    names
}

/// A name that ends at a slash, or that a slash and its place in the table of long names stand for.
fn whole_name<'a>(name: &'a [u8], long_names: &'a [u8]) -> Option<&'a [u8]> {
    match name.strip_prefix(b"/") {
        // Behind a colon there may be the place of a member within an archive of that name.
        Some(place) => {
            let long = long_names.get(number(place.split(|byte| *byte == b':').next()?)?..)?;
            Some(long.lines().next()?.trim_end_with(|c| c == '/'))
        }
        None => Some(name.trim_end_with(|c| c == '/')),
    }
}

fn number(digits: &[u8]) -> Option<usize> {
    digits.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, size: usize) -> String {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644)
    }

    #[test]
    fn members_of_thin_archives_are_those_that_they_name() {
        let table = "../objects/g.o/\na b.o/\n";
        let archive = format!(
            "!<thin>\n{}odd\n{}{table}\n{}{}{}{}",
            header("/", 3),
            header("//", table.len()),
            header("/0", 9000),
            header("/16", 7),
            header("short.o/", 1),
            header("/16:120", 1),
        );
        let expected: [&[u8]; 4] = [b"../objects/g.o", b"a b.o", b"short.o", b"a b.o"];
        assert_eq!(names(archive.as_bytes()), expected);
        for end in 0..archive.len() {
            assert!(names(&archive.as_bytes()[..end]).len() <= expected.len(), "a part of it is read too");
        }
        assert!(names(b"!<arch>\n").is_empty());
    }
}
