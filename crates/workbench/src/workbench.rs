//! A subject opened for work, with its relations.

use std::path::Path;
use std::sync::Arc;

use dodona_relations::Precondition;
use dodona_target::{Signature, Target, folder_of, nearest};

use crate::{LabError, Relations, SubjectCaller};

/// A subject with its relations. The subject is opened once; other relations are put to the same one.
///
/// `Workbench` alone is one on any target. One on a target of a known kind is taken where one on any target is wanted.
pub struct Workbench<T: ?Sized = dyn Target> {
    /// The relations.
    pub relations: Arc<Relations>,
    /// The subject.
    pub target: T,
}

impl<T: Target> Workbench<T> {
    /// A subject with these relations about its functions, whose preconditions [are valid](check_preconditions).
    pub fn new(target: T, relations: impl Into<Arc<Relations>>) -> Workbench<T> {
        Workbench { relations: relations.into(), target }
    }
}

impl<T: Target> Workbench<T> {
    /// A subject with the relations of a text, which belong to no file.
    ///
    /// # Errors
    /// When a precondition of a function is not valid, or the text does not consist of valid relations of these functions.
    pub fn open(target: T, relations: &str) -> Result<Arc<Workbench>, LabError>
    where
        T: 'static,
    {
        check_preconditions(target.functions(), target.declared_in())?;
        let relations = Relations::of_text(relations, target.functions())?;
        Ok(Arc::new(Workbench::new(target, relations)))
    }
}

/// Checks the preconditions of functions. Each stands in the file that declares the functions, so an error in one is reported there, and not
/// for each relation that calls the function.
///
/// # Errors
/// When one is not a valid condition over the parameters of its function.
pub fn check_preconditions(functions: &[Signature], declared_in: &Path) -> Result<(), LabError> {
    for function in functions {
        Precondition::compile(function).map_err(|problems| LabError::Relations {
            path: format!("{}, requires of `{}`", declared_in.display(), function.name).into(),
            text: function.requires.clone().unwrap_or_default(),
            problems,
        })?;
    }
    Ok(())
}

impl<T: Target + Clone> Workbench<T> {
    /// The same subject with other relations.
    pub fn with(&self, relations: impl Into<Arc<Relations>>) -> Workbench<T> {
        Workbench::new(self.target.clone(), relations)
    }

    /// The same subject with other relations, which are given as text and belong to no file.
    ///
    /// # Errors
    /// When the text does not consist of valid relations of these functions.
    pub fn with_relations(&self, text: &str) -> Result<Workbench<T>, LabError> {
        Ok(self.with(Relations::of_text(text, self.functions())?))
    }
}

impl<T: Target + ?Sized> Workbench<T> {
    /// The same subject with the same relations, where the kind of the target does not matter.
    pub fn any(&self) -> Arc<Workbench> {
        self.about(Arc::clone(&self.relations))
    }

    /// The same subject with other relations, where the kind of the target does not matter.
    pub fn about(&self, relations: impl Into<Arc<Relations>>) -> Arc<Workbench> {
        Arc::new(Workbench::new(self.target.shared(), relations))
    }

    /// The functions under test.
    pub fn functions(&self) -> &[Signature] {
        self.target.functions()
    }

    /// The folder of the file that declares the subject.
    pub fn folder(&self) -> &Path {
        folder_of(self.target.declared_in())
    }

    /// A caller for one thread.
    pub fn caller(&self) -> SubjectCaller {
        SubjectCaller::new(self.target.open())
    }

    /// The index of the function under test of this name.
    ///
    /// # Errors
    /// When there is none. The error has the nearest name.
    pub fn function(&self, name: &str) -> Result<usize, LabError> {
        let known = || self.functions().iter().map(|f| f.name.as_str());
        known().position(|known| known == name).ok_or_else(|| {
            let hint = match nearest(name, known()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; there are: {}", known().collect::<Vec<_>>().join(", ")),
            };
            LabError::UnknownFunction { name: name.to_owned(), hint }
        })
    }

    /// The index of the only function under test.
    ///
    /// # Errors
    /// When there are several.
    pub fn only_function(&self) -> Result<usize, LabError> {
        match self.functions() {
            [_] => Ok(0),
            all => Err(LabError::WhichFunction(all.iter().map(|f| f.name.clone()).collect())),
        }
    }

    /// The indices of the relations with these names; if no name is given, all relations.
    ///
    /// # Errors
    /// When there are no relations at all, or none with a name.
    pub fn select(&self, names: &[String]) -> Result<Vec<usize>, LabError> {
        self.relations.select(names, self.target.declared_in())
    }

    /// The names of relations, by their indices.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn relation_names(&self, relations: &[usize]) -> Vec<String> {
        self.relations.names(relations)
    }
}
