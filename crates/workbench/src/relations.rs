//! The relations of a subject: read from files, from text, or made of syntax trees.

mod load;

use std::collections::HashMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use dodona_relations::{Program, Relation, ast};
use dodona_target::{Signature, nearest};

use crate::LabError;

/// A relation, and the place where it is written.
pub struct LoadedRelation {
    /// The checked relation.
    pub relation: Relation,
    /// Compiled for columns.
    pub program: Program,
    /// The file with the relation.
    pub file: PathBuf,
    /// The line in that file, from 1.
    pub line: usize,
}

/// The relations of a subject. They are read as a slice.
#[derive(Default)]
pub struct Relations {
    /// The relations, in the order of the files.
    pub all: Vec<LoadedRelation>,
    /// The files that they are from.
    pub files: Vec<PathBuf>,
    /// Whether they are those of files that the user named in place of the manifest's, or belong to no file.
    pub given: bool,
}

impl Deref for Relations {
    type Target = [LoadedRelation];

    fn deref(&self) -> &[LoadedRelation] {
        &self.all
    }
}

impl Relations {
    /// The relations of these files about these functions, in the order of the files, each of which is read once.
    ///
    /// # Errors
    /// When a file cannot be read, or does not consist of valid relations, or when two files have one of the same name.
    pub fn read(files: &[PathBuf], functions: &[Signature]) -> Result<Relations, LabError> {
        let mut once: Vec<PathBuf> = Vec::new();
        for file in files {
            if !once.contains(file) {
                once.push(file.clone());
            }
        }
        Ok(Relations { all: load::of_files(&once, functions)?, files: once, given: false })
    }

    /// The relations of a text about these functions, which belong to no file.
    ///
    /// # Errors
    /// When the text does not consist of valid relations of these functions.
    pub fn of_text(text: &str, functions: &[Signature]) -> Result<Relations, LabError> {
        let all = load::of_text(functions, Path::new(NO_FILE), text)?;
        Ok(Relations { all, files: Vec::new(), given: true })
    }

    /// The relations of syntax trees about these functions. Their line is their place among the trees, from 1.
    ///
    /// # Errors
    /// When one is not valid. The problems are placed in what the tree says of places, and the text of the error is what it prints.
    pub fn of_trees(trees: &[ast::Relation], functions: &[Signature]) -> Result<Relations, LabError> {
        let all = load::of_trees(functions, Path::new(NO_FILE), trees)?;
        Ok(Relations { all, files: Vec::new(), given: true })
    }

    /// The indices of the relations with these names; if no name is given, of all relations.
    ///
    /// # Errors
    /// When there are no relations at all, or none with a name. `declared_in` is the file that should name some.
    pub fn select(&self, names: &[String], declared_in: &Path) -> Result<Vec<usize>, LabError> {
        if self.is_empty() {
            return Err(LabError::NoRelations(self.none(declared_in)));
        }
        if names.is_empty() {
            return Ok((0..self.len()).collect());
        }
        let places: HashMap<&str, usize> =
            self.iter().enumerate().map(|(place, r)| (r.relation.name(), place)).collect();
        let place = |name: &String| places.get(name.as_str()).copied().ok_or_else(|| self.unknown(name));
        names.iter().map(place).collect()
    }

    /// The names of relations, by their indices.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn names(&self, relations: &[usize]) -> Vec<String> {
        relations.iter().map(|&index| self[index].relation.name().to_owned()).collect()
    }

    fn none(&self, declared_in: &Path) -> String {
        let declared_in = declared_in.display();
        match self.files.as_slice() {
            [] => format!(
                "{declared_in} names no relations; add relations = [\"NAME.mr\"] to it, or name files with --relations"
            ),
            files => {
                let files: Vec<_> = files.iter().map(|f| f.display().to_string()).collect();
                format!(
                    "no relation stands in {}; write one, such as `relation even: f(-x) == f(x)`",
                    files.join(", ")
                )
            }
        }
    }

    fn unknown(&self, name: &str) -> LabError {
        let known = || self.iter().map(|r| r.relation.name());
        let hint = match nearest(name, known()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => format!("; there are: {}", known().collect::<Vec<_>>().join(", ")),
        };
        LabError::UnknownRelation { name: name.to_owned(), hint }
    }
}

/// What stands for the file of relations that belong to none.
const NO_FILE: &str = "discovered";

/// The functions under test that a relation calls.
pub fn called(relation: &Relation) -> impl Iterator<Item = usize> + '_ {
    relation.calls().iter().map(|call| call.function)
}
