//! Reads, checks and compiles relation files, in time that grows linearly with their length.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Component, Path, PathBuf};

use dodona_relations::{Program, Relation, ast};
use dodona_target::{Diagnostic, Signature, user_file};

use crate::{LabError, LoadedRelation};

/// The relations of files, in their order.
pub(super) fn of_files(files: &[PathBuf], functions: &[Signature]) -> Result<Vec<LoadedRelation>, LabError> {
    let mut loaded: Vec<LoadedRelation> = Vec::new();
    for path in files {
        loaded.extend(of_file(functions, path)?);
    }
    match twice(loaded.iter().map(|r| r.relation.name())) {
        None => Ok(loaded),
        Some((first, second)) => Err(LabError::Duplicate {
            name: loaded[second].relation.name().to_owned(),
            first: loaded[first].file.clone(),
            second: loaded[second].file.clone(),
        }),
    }
}

/// The indices of the first item that occurred before, and of the earlier one.
fn twice<T: Hash + Eq>(items: impl Iterator<Item = T>) -> Option<(usize, usize)> {
    let mut places = HashMap::new();
    for (place, item) in items.enumerate() {
        if let Some(first) = places.insert(item, place) {
            return Some((first, place));
        }
    }
    None
}

fn of_file(functions: &[Signature], path: &Path) -> Result<Vec<LoadedRelation>, LabError> {
    let text =
        user_file::text(path).map_err(|error| LabError::Unreadable { path: path.to_owned(), error })?;
    of_text(functions, &without_detours(path), &text)
}

/// The relations of a text.
pub(super) fn of_text(
    functions: &[Signature],
    path: &Path,
    text: &str,
) -> Result<Vec<LoadedRelation>, LabError> {
    let refuse = |problems| refused(path, text.to_owned(), problems);
    let file = dodona_relations::parse(text).map_err(refuse)?;
    let checked = dodona_relations::check(&file, functions).map_err(refuse)?;
    let lines = lines(text.bytes(), file.relations.iter().map(|r| r.name.span.start));
    Ok(loaded(functions, path, checked, lines))
}

/// The relations of syntax trees.
pub(super) fn of_trees(
    functions: &[Signature],
    path: &Path,
    trees: &[ast::Relation],
) -> Result<Vec<LoadedRelation>, LabError> {
    let file = ast::File { relations: trees.to_vec() };
    let checked = dodona_relations::check(&file, functions);
    let checked = checked.map_err(|problems| refused(path, file.to_string(), problems))?;
    Ok(loaded(functions, path, checked, 1..))
}

fn refused(path: &Path, text: String, problems: Vec<Diagnostic>) -> LabError {
    LabError::Relations { path: path.to_owned(), text, problems }
}

fn loaded(
    functions: &[Signature],
    path: &Path,
    checked: Vec<Relation>,
    lines: impl IntoIterator<Item = usize>,
) -> Vec<LoadedRelation> {
    let load = |(relation, line): (Relation, usize)| {
        let program = Program::compile(&relation, functions);
        LoadedRelation { relation, program, file: path.to_owned(), line }
    };
    checked.into_iter().zip(lines).map(load).collect()
}

/// The line, counted from 1, of each of some places in a text, which are in ascending order. Each byte is looked at once.
fn lines(mut text: impl Iterator<Item = u8>, places: impl Iterator<Item = usize>) -> Vec<usize> {
    let (mut line, mut at) = (1, 0);
    let mut line_of = |place: usize| {
        line += text.by_ref().take(place - at).filter(|byte| *byte == b'\n').count();
        at = place;
        line
    };
    places.map(&mut line_of).collect()
}

/// `gcd/faulty/../gcd.mr` as `gcd/gcd.mr`, which is shorter to read. It is the same file unless `faulty` is a link.
fn without_detours(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        let is_detour = part == Component::ParentDir
            && matches!(short.components().next_back(), Some(Component::Normal(_)));
        if is_detour {
            short.pop();
        } else {
            short.push(part);
        }
    }
    if short.canonicalize().ok() == path.canonicalize().ok() { short } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_each_byte_is_looked_at_once() {
        let text = "a\nb\n\nc d\n".repeat(10_000);
        let places: Vec<usize> = (0..text.len()).step_by(3).collect();
        let looked_at = Cell::new(0);
        let bytes = text.bytes().inspect(|_| looked_at.set(looked_at.get() + 1));
        let found = lines(bytes, places.iter().copied());
        assert!(looked_at.get() <= text.len(), "{} of {} bytes", looked_at.get(), text.len());
        for (&place, line) in places.iter().zip(found).take(100) {
            assert_eq!(line, text[..place].matches('\n').count() + 1, "at {place}");
        }
    }

    #[test]
    fn a_name_that_came_before_is_found_and_few_names_are_compared() {
        /// Counts its comparisons.
        #[derive(Hash)]
        struct Compared<'a>(usize, Silent<'a>);
        struct Silent<'a>(&'a Cell<usize>);
        impl Hash for Silent<'_> {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }
        impl PartialEq for Compared<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.1.0.set(self.1.0.get() + 1);
                self.0 == other.0
            }
        }
        impl Eq for Compared<'_> {}

        let count = Cell::new(0);
        let names = |places: &[usize]| twice(places.iter().map(|&i| Compared(i, Silent(&count))));
        assert_eq!(names(&[1, 2, 3, 2, 1]), Some((1, 3)));
        count.set(0);
        let many: Vec<usize> = (0..20_000).collect();
        assert_eq!(names(&many), None);
        assert!(count.get() < many.len(), "{} comparisons of {} names", count.get(), many.len());
    }
}
