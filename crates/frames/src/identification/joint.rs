//! Changes of several parameters at once. They are needed because the frames of a candidate pair may differ in categories of different
//! parameters.

use dodona_relations::ast::Expression;
use dodona_target::Parameter;

use crate::identification::change::Change;

/// Changes of different parameters that are made at once, often only one.
#[derive(Clone, Debug, PartialEq)]
pub struct JointChange {
    changes: Vec<Change>,
}

impl JointChange {
    /// Makes several changes at once.
    ///
    /// # Panics
    /// When there is none, or two of them are of one parameter.
    pub fn of(changes: Vec<Change>) -> JointChange {
        assert!(!changes.is_empty(), "a joint change changes something");
        let is_twice = |i: usize| changes[..i].iter().any(|other| other.parameter == changes[i].parameter);
        assert!(!(0..changes.len()).any(is_twice), "a parameter has one new value");
        JointChange { changes }
    }

    /// The changes, at most one for each parameter.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The only change; `None` if there are several.
    pub fn single(&self) -> Option<&Change> {
        if let [one] = &self.changes[..] { Some(one) } else { None }
    }

    /// The parameters with their new values.
    pub fn values(&self) -> Vec<(usize, Expression)> {
        self.changes.iter().map(|change| (change.parameter, change.value())).collect()
    }

    /// Whether it changes a parameter, by number.
    pub fn moves(&self, parameter: usize) -> bool {
        self.changes.iter().any(|change| change.parameter == parameter)
    }

    /// The place of the change in which the two differ; `None` unless they differ in one change only, and there in the constant only.
    pub fn differs_in_constant(&self, other: &JointChange) -> Option<usize> {
        if self.changes.len() != other.changes.len() {
            return None;
        }
        let differing: Vec<usize> =
            (0..self.changes.len()).filter(|&i| self.changes[i] != other.changes[i]).collect();
        let [place] = differing[..] else { return None };
        let (one, another) = (&self.changes[place], &other.changes[place]);
        (one.is_like(another) && one.constant.is_some()).then_some(place)
    }

    /// A word for names of relations: `age_plus`, `age_plus_member_not`.
    ///
    /// # Panics
    /// When there is no such parameter.
    pub fn word(&self, parameters: &[Parameter]) -> String {
        let word = |change: &Change| format!("{}_{}", parameters[change.parameter].name, change.word);
        self.changes.iter().map(word).collect::<Vec<_>>().join("_")
    }
}

impl From<Change> for JointChange {
    fn from(change: Change) -> JointChange {
        JointChange { changes: vec![change] }
    }
}
