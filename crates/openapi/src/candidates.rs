//! Candidate relations of the lists of a service.
//!
//! They follow the metamorphic relation output patterns of Segura, Parejo, Troya and Ruiz-Cortés, *Metamorphic Testing of RESTful Web APIs*
//! (IEEE Transactions on Software Engineering 44(11), 2018, <https://doi.org/10.1109/TSE.2017.2764464>). Nothing is called: what a parameter does is
//! guessed from its name and type, so that each relation is one to be read and checked before it is believed.

mod changes;
mod filters;
mod list;
mod pages;
mod sorts;

use crate::functions::{Function, function};
use crate::names::Names;
use crate::operations::{Api, Left};
use list::List;

/// What a relation says of the outputs: one of the six patterns of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The same records, in any order.
    Equivalence,
    /// The same records in the same order.
    Equality,
    /// The records of one output are among those of the other.
    Subset,
    /// No record is in both outputs.
    Disjoint,
    /// The records of several outputs together are those of one.
    Complete,
    /// The outputs differ by what the inputs say, and by nothing else.
    Difference,
}

impl Pattern {
    /// The name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Equivalence => "equivalence",
            Pattern::Equality => "equality",
            Pattern::Subset => "subset",
            Pattern::Disjoint => "disjoint",
            Pattern::Complete => "complete",
            Pattern::Difference => "difference",
        }
    }
}

/// A relation that a service may satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// The pattern that it follows.
    pub pattern: Pattern,
    /// What it states, in one sentence.
    pub states: String,
    /// The relation as a file has it.
    pub text: String,
}

/// Functions with the relations that are written with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// The functions: first each operation with all its parameters, then those that relations need.
    pub functions: Vec<Function>,
    /// The relations.
    pub relations: Vec<Candidate>,
    /// Relations that cannot be written, with the reason.
    pub left: Vec<Left>,
}

/// What becomes of what a call changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// It is there in the next call: relations of what changes something would compare different states, and are not written.
    Kept,
    /// The service is brought into its first state before each call.
    Undone,
}

/// The functions and candidate relations of all operations.
///
/// ```
/// let document = r#"{"openapi": "3.1.0", "paths": {"/items": {"get": {"operationId": "list_items",
///     "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 50}}],
///     "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items":
///         {"type": "object", "properties": {"id": {"type": "integer"}}}}}}}}}}}}"#;
/// let api = dodona_openapi::read(document).unwrap();
/// let found = dodona_openapi::candidates(&api, dodona_openapi::Changes::Kept);
/// assert_eq!(found.relations[0].name, "list_items_limit_extends");
/// ```
pub fn candidates(api: &Api, changes: Changes) -> Candidates {
    let mut found = Candidates::default();
    let mut names = Names::default();
    for (index, operation) in api.operations.iter().enumerate() {
        let all = (0..operation.parameters.len()).collect();
        let name = names.free(&operation.name);
        found.functions.extend(function(index, operation, name, all));
    }
    for (index, operation) in api.operations.iter().enumerate() {
        if !operation.is_safe() || operation.response.records.is_none() {
            continue;
        }
        let mut list = List::new(index, operation, &mut names);
        filters::add(&mut list);
        sorts::add(&mut list);
        pages::add(&mut list);
        if changes == Changes::Undone {
            changes::add(&mut list, &api.operations);
        }
        found.functions.append(&mut list.functions);
        found.relations.append(&mut list.relations);
        found.left.append(&mut list.left);
    }
    found
}
