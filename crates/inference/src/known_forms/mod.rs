//! Relations of known forms: what textbooks have names for, said of the functions of a subject wherever it can be said.
//!
//! Each is a guess, and whoever proposes one tries it first. They are tried before anything is searched for: what everybody would ask of a function should not
//! depend on what a search comes across in its time.
//!
//! # Decisions
//! * **The forms are a table** (`form.rs`), written in the language itself. Which functions a form can be said of is not written down: a relation that the type checker
//!   refuses cannot be said. So a new form is one line.
//! * **Names decide little.** A tool that proposes by names alone says nothing of most functions. Names decide only where functions of one type meet by chance, as
//!   round trips of texts do.

mod filled;
mod follows;
mod form;
mod guess;
mod points;
mod sense;
#[cfg(test)]
mod tests;

pub use follows::without_what_follows;
pub use form::{About, FORMS, Form};
pub use guess::{KnownForm, known_forms, one_of_two, step, steps};
pub use points::of_points;
