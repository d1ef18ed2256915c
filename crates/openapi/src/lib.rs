//! OpenAPI documents: the operations of a service with the domains of their parameters, and relations that it may satisfy.
//!
//! [`read`] takes a document of OpenAPI 3.0 or 3.1 as JSON or YAML, [`candidates`] gives relations after the six output patterns of Segura et al.,
//! *Metamorphic Testing of RESTful Web APIs* (IEEE TSE 44(11), 2018), and [`draft`] writes both as a manifest with a file of relations. Nothing is called.
//!
//! ```
//! let document = r#"{"openapi": "3.1.0", "paths": {"/items": {"get": {"operationId": "list_items",
//!     "parameters": [{"name": "min_price", "in": "query", "schema": {"type": "number", "minimum": 0, "maximum": 9}}],
//!     "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items":
//!         {"type": "object", "properties": {"id": {"type": "integer"}}}}}}}}}}}}"#;
//! let api = dodona_openapi::read(document)?;
//! let draft = dodona_openapi::draft(&api, "shop", dodona_openapi::Called::default());
//! assert!(draft.manifest.contains("signature = \"list_items(min_price: f64) -> [i64]\""));
//! assert!(draft.relations.contains("relation list_items_min_price_narrows"));
//! # Ok::<(), dodona_openapi::OpenApiError>(())
//! ```
//!
//! # Decisions
//! * **A crate of its own**, and no part of `crates/interface`. That one is bound to one version of rustdoc's format, and the two share no code: a
//!   service has no paths of Rust, and a crate has no pages. So each can be tested, replaced and left out by itself; the price is one more row.
//! * **JSON values, and no types of OpenAPI.** Documents in the wild break the specification in small ways, and one wrong key must not cost the
//!   operations that are right. A library of types refuses the whole; here what is not understood is left out and told.
//! * **What is left out is told.** A required parameter that has no value costs its operation, an optional one only itself, because the
//!   operation can be called without it.

mod candidates;
mod document;
mod draft;
mod functions;
mod names;
mod operation;
mod operations;
mod parameter;
mod pattern;
mod resolve;
mod response;
mod roles;
mod values;

pub use candidates::{Candidate, Candidates, Changes, Pattern, candidates};
pub use document::OpenApiError;
pub use draft::{Called, Draft, draft, relations};
pub use functions::{Function, Step};
pub use operation::Operation;
pub use operations::{Api, Left};
pub use parameter::{Parameter, Place};
pub use response::{Field, Records, Response};

/// The operations of a document of OpenAPI 3.0 or 3.1, as JSON or YAML.
///
/// # Errors
/// When the text is neither JSON nor YAML, is of something else, or of another version. An operation that cannot be called is no error: [`Api::left`] has it.
pub fn read(text: &str) -> Result<Api, OpenApiError> {
    Ok(operations::api(&document::document(text)?))
}
