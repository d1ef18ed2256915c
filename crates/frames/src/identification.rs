//! The identification of metamorphic relations from a specification by categories and choices (METRIC+: Sun, Fu, Poon, Xie, Liu, Chen,
//! "METRIC+: A Metamorphic Relation Identification Technique Based on Input plus Output Domains", 2019).
//!
//! A person says in a file of [categories](Category) what distinguishes inputs, and what distinguishes outputs. Each category has
//! [choices](Choice), of which every input (or output) satisfies exactly one. A [`Frame`] has one choice of every input category; with one
//! choice of every output category it is an input-and-output-based complete test frame ([`IoFrame`]). Two of those are a candidate pair.
//! Its input relation says how an input of the first frame becomes one of the second; its output relation says how the outputs are then
//! related.
//!
//! Nothing is run here. Columns of inputs and outputs come in, and the text of relations goes out.
//!
//! ```
//! use dodona_frames::identification::{Specification, frames};
//! use dodona_target::{Output, OutputName, Scalar, Type};
//!
//! let inputs = [("age".to_owned(), Type::Scalar(Scalar::I32)), ("member".to_owned(), Type::Scalar(Scalar::Bool))];
//! let outputs = [Output::new(OutputName::Return, Type::Scalar(Scalar::I32))];
//! let text = r#"
//! constraints = ["member.yes implies age.adult"]
//! [input.age]
//! child = "age < 18"
//! adult = "age >= 18"
//! [input.member]
//! yes = "member"
//! no = "not member"
//! [output.fee]
//! free = "result == 0"
//! paid = "result > 0"
//! "#;
//! let specification = Specification::read(text, &inputs, &outputs).unwrap();
//! let frames: Vec<String> = frames(&specification).map(|frame| specification.words(&frame)).collect();
//! assert_eq!(frames, ["age.child member.no", "age.adult member.yes", "age.adult member.no"]);
//! ```

mod aspect;
mod category;
mod chain;
mod change;
mod classify;
mod condition;
mod cover;
mod draft;
mod enumerate;
mod expectation;
mod formula;
mod interval;
mod joint;
mod quoted;
mod read;
mod specification;
mod write;

pub use aspect::{Aspect, Part};
pub use category::{Category, Choice};
pub use change::{Change, changes};
pub use classify::{Classified, Misfit, MisfitKind, classify};
pub use cover::{Cover, Cube, Literal, cover};
pub use draft::draft;
pub use enumerate::{contradiction, frames};
pub use expectation::{Evidence, Expectation};
pub use formula::Formula;
pub use joint::JointChange;
pub use read::function_of;
pub use specification::{Frame, IoFrame, Specification};
pub(crate) use write::of_call;
pub use write::{Candidate, relation_of};
