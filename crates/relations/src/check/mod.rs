//! Turns syntax trees into checked relations: resolves names, checks types, and finds the calls that take the source
//! input.

mod call_node;
mod call_types;
mod callee;
mod calls;
mod compounds;
mod constants;
mod operators;
mod relation;
mod sets;
mod types;
mod typing;
mod variables;
mod word_types;

pub use call_node::{ArgumentNode, CallNode};
pub(crate) use call_types::precondition;
pub use callee::{Callee, resolve};
pub use calls::{CallSite, CallSites, Role};
pub(crate) use constants::constant;
pub(crate) use relation::Group;
pub use relation::{Relation, check};
pub use types::{Element, Ty};
pub(crate) use typing::Typing;
pub(crate) use variables::function;
pub use variables::{Variable, Variables, names};
