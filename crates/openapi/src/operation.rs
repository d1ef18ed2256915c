//! An operation that can be called: its request, its parameters and what it returns.

use crate::parameter::Parameter;
use crate::response::Response;

/// An operation that can be called.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its name in relations.
    pub name: String,
    /// The method in capitals: `GET`.
    pub method: String,
    /// The path as the document has it: `/items/{item_id}`.
    pub path: String,
    /// The first line of its documentation.
    pub about: Option<String>,
    /// Its parameters, in the order of the document; properties of a JSON body come last.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub response: Response,
}

impl Operation {
    /// Whether calls leave everything as it was, so that they may be made in any number: RFC 9110, section 9.2.1.
    pub fn is_safe(&self) -> bool {
        self.method == "GET"
    }
}
