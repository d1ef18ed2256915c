//! Reports, made from records alone: nothing is run here.

mod github;
mod json;
mod junit;
mod style;
mod terminal;

pub use github::github;
pub use json::json;
pub use junit::junit;
pub use style::Styles;
pub use terminal::{CounterexampleView, terminal};
