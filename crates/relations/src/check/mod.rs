//! Turns syntax trees into checked relations: resolves names, checks types, and finds the calls that take the source
//! input.

mod call;
mod call_node;
mod callee;
mod calls;
mod constants;
mod operators;
mod relation;
mod types;
mod typing;
mod variables;
mod word;

pub(crate) use call::precondition;
pub use call_node::{ArgumentNode, CallNode};
pub use callee::{Callee, resolve};
pub use calls::{CallSite, CallSites, Role};
pub(crate) use constants::constant;
pub(crate) use relation::Group;
pub use relation::{Relation, check};
pub use types::{Element, Ty};
pub(crate) use typing::Typing;
pub(crate) use variables::function;
pub use variables::{Variable, Variables, names};
